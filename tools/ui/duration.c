/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * duration.c - time limits as Slurm writes and reads them; see duration.h
 *
 * The forms are those of sbatch(1), --time: MIN, MIN:SEC, HOUR:MIN:SEC, DAY-HOUR, DAY-HOUR:MIN
 * and DAY-HOUR:MIN:SEC.  0 seconds stands for no limit.
 */

#include "tools/ui/duration.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "tools/ui/number.h"
#include "tools/ui/xalloc.h"

#define NUMBERS 3	/* hours, minutes and seconds */

/* Read up to @max numbers separated by colons, to the end.  -1: anything else. */
static int read_numbers(const char *p, int max, uint64_t *number)
{
	int n = 0;

	for (;; p++) {
		if (n == max)
			return -1;
		p = number_take(p, UINT32_MAX, &number[n++]);
		if (p && !*p)
			return n;
		if (!p || *p != ':')
			return -1;
	}
}

int duration_parse(const char *text, uint64_t *seconds)
{
	uint64_t x[NUMBERS + 1] = { 0 };
	const char *dash;
	uint64_t days;
	int n;

	*seconds = 0;
	if (strcasecmp(text, "UNLIMITED") == 0 ||
	    strcasecmp(text, "INFINITE") == 0 || strcmp(text, "-1") == 0)
		return 0;
	dash = number_take(text, UINT32_MAX, &days);
	if (!dash)
		return -1;
	/*
	 * After days the first number is hours; without them it is minutes, unless all three
	 * are there.
	 */
	n = read_numbers(*dash == '-' ? dash + 1 : text, NUMBERS, x);
	if (n < 0)
		return -1;
	if (*dash == '-')
		*seconds = days * 86400 + x[0] * 3600 + x[1] * 60 + x[2];
	else if (n == NUMBERS)
		*seconds = x[0] * 3600 + x[1] * 60 + x[2];
	else
		*seconds = x[0] * 60 + x[1];
	/* slurmctld keeps limits in minutes and rounds up: "0:30" is a limit of one minute. */
	*seconds = (*seconds + 59) / 60 * 60;
	return 0;
}

/* Write a duration like "3 days".  A unit is used from two of it on, so it is never "1 days". */
char *duration_text(uint64_t seconds)
{
	static const struct {
		uint64_t seconds;
		const char *name;
	} units[] = {
		{ 86400, "days" }, { 3600, "hours" }, { 60, "minutes" },
		{ 1, "seconds" },
	};
	size_t i = 0;

	while (i < 3 && seconds < 2 * units[i].seconds)
		i++;
	return xstrfmt("%llu %s", (unsigned long long)
		       (seconds / units[i].seconds), units[i].name);
}
