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

#define PARTS 3		/* hours, minutes and seconds */

/* Read up to @max numbers separated by colons, to the end.  -1: anything else. */
static int read_parts(const char *p, int max, uint64_t *part)
{
	int n = 0;

	for (;; p++) {
		if (n == max)
			return -1;
		p = number_take(p, UINT32_MAX, &part[n++]);
		if (p && !*p)
			return n;
		if (!p || *p != ':')
			return -1;
	}
}

int duration_parse(const char *text, uint64_t *seconds)
{
	uint64_t part[PARTS + 1] = { 0 };
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
	n = read_parts(*dash == '-' ? dash + 1 : text, PARTS, part);
	if (n < 0)
		return -1;
	if (*dash == '-')
		*seconds = days * 86400 + part[0] * 3600 + part[1] * 60 + part[2];
	else if (n == PARTS)
		*seconds = part[0] * 3600 + part[1] * 60 + part[2];
	else
		*seconds = part[0] * 60 + part[1];
	/* slurmctld keeps limits in minutes and rounds up: "0:30" is a limit of one minute. */
	*seconds = (*seconds + 59) / 60 * 60;
	return 0;
}

/* A unit is used from two of it on, so the text is never "1 days". */
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
