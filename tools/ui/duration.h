/* SPDX-License-Identifier: GPL-2.0-or-later */
/* duration.h - time limits as Slurm writes and reads them */
#ifndef SFAB_DURATION_H
#define SFAB_DURATION_H

#include <stdint.h>

/*
 * MINUTES, MINUTES:SECONDS, HOURS:MINUTES:SECONDS, DAYS-HOURS and the like,
 * rounded up to minutes as Slurm does.  UNLIMITED, INFINITE, -1 and 0 are no
 * limit: 0.  -1: it is no such text; *@seconds is 0 then.
 */
int duration_parse(const char *text, uint64_t *seconds);

#endif
