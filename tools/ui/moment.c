/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * moment.c - points in time as Slurm's commands read them; see moment.h
 *
 * The forms are those of sacct's --starttime that administrators use: a date, with or without
 * time, and now-COUNTUNIT.
 */

#include "tools/ui/moment.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LATEST 1e11		/* s: whatever a file says, a year of four digits */

/* As in Slurm; months are not among them, as their length varies. */
static const struct {
	const char *name;
	double seconds;
} units[] = {
	{ "seconds", 1 }, { "minutes", 60 }, { "hours", 3600 }, { "days", 86400 },
	{ "weeks", 7 * 86400 },
};

/*
 * Parse what follows "now": nothing, or as in "-2days".  Slurm also takes a plus; here it has
 * no use, for commands ask about what has been.  A billion of the largest unit still fits in a
 * double.  Slurm takes days, day, or no unit for seconds.
 */
static int parse_ago(const char *text, double now_s, double *seconds)
{
	unsigned long count;
	char *end;

	if (!*text) {
		*seconds = now_s;
		return 0;
	}
	if (*text != '-' || !isdigit((unsigned char) text[1]))
		return -1;
	count = strtoul(text + 1, &end, 10);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		if (strncmp(units[i].name, end, strlen(end)) == 0 &&
		    (!*end || strlen(end) + 1 >= strlen(units[i].name))) {
			*seconds = now_s - (double) count * units[i].seconds;
			return count < 1000000000 ? 0 : -1;
		}
	return -1;
}

int moment_parse(const char *text, double now_s, double *seconds)
{
	static const char *const forms[] = { "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M",
					     "%Y-%m-%d" };

	if (strncmp(text, "now", 3) == 0)
		return parse_ago(text + 3, now_s, seconds);
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		/* The C library says whether daylight saving time held on that day. */
		struct tm tm = { .tm_isdst = -1 };
		const char *end = strptime(text, forms[i], &tm);

		if (!end || (*end && strcmp(end, "Z") != 0))
			continue;
		*seconds = (double) (*end ? timegm(&tm) : mktime(&tm));
		return 0;
	}
	return -1;
}

char *moment_text(double time_s, char text[MOMENT_TEXT])
{
	int is_time = time_s > -LATEST && time_s < LATEST;
	time_t whole_s = is_time ? (time_t) time_s : 0;
	struct tm tm;

	text[0] = '\0';
	if (is_time && gmtime_r(&whole_s, &tm))
		strftime(text, MOMENT_TEXT, "%Y-%m-%dT%H:%M:%SZ", &tm);
	return text;
}
