/* SPDX-License-Identifier: GPL-2.0-or-later */
/* moment.h - points in time as Slurm's commands read them */
#ifndef SFAB_MOMENT_H
#define SFAB_MOMENT_H

/*
 * Read YYYY-MM-DD or YYYY-MM-DDTHH:MM[:SS], with Z in UTC, else in local time; "now" and
 * now-COUNT[seconds|minutes|hours|days|weeks].  *@seconds is since 1970.  @now_s: the time it
 * is.  -1: not such a text.
 */
int moment_parse(const char *text, double now_s, double *seconds);

/*
 * Write @time_s, seconds since 1970, as in logs and meta.epoch of JSON: UTC, like
 * "2026-05-04T12:00:01Z"; "" if it is out of range.  Return @text.
 */
#define MOMENT_TEXT 40
char *moment_text(double time_s, char text[MOMENT_TEXT]);

#endif
