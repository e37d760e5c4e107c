/* SPDX-License-Identifier: GPL-2.0-or-later */
/* duration.h - time limits as Slurm reads and writes them, and ages */
#ifndef SFAB_DURATION_H
#define SFAB_DURATION_H

#include <stdint.h>

/*
 * Read MINUTES, MINUTES:SECONDS, HOURS:MINUTES:SECONDS, DAYS-HOURS and so on, and round up to
 * minutes as Slurm does.  UNLIMITED, INFINITE, -1 and 0 mean no limit: 0.  -1: not such a text;
 * *@seconds is then 0.
 */
int duration_parse(const char *text, uint64_t *seconds);

/* Text like "3 days" or "5 minutes", in the largest unit that fits; caller frees. */
char *duration_text(uint64_t seconds);

#endif
