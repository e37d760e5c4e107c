/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_stem.c - names without numbers; see job_stem.h */

#include "io/learn/job_stem.h"

#include <string.h>
#include <strings.h>

#include "core/is_digit.h"

static const char *const endings[] = { ".sh", ".bash", ".csh", ".zsh", ".slurm", ".slm",
	".sbatch", ".batch", ".sub", ".job", ".py", ".pl", ".lua", ".R", ".m" };
/* The longer ones first: the first that fits is taken. */
static const char *const units[] = { "kev", "mev", "gpa", "mpa", "kpa", "bar", "min", "kb",
	"mb", "gb", "tb", "ns", "us", "ms", "ps", "fs", "nm", "mm", "um", "ev", "pa", "hr",
	"k", "m", "g", "t", "b", "s", "h", "d", "x", "v" };

/* Is it a letter?  Bytes of other alphabets are. */
static int is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char) c >= 0x80;
}

static size_t without_ending(const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		size_t k = strlen(endings[i]);

		if (n > k && strncasecmp(name + n - k, endings[i], k) == 0)
			return n - k;
	}
	return n;
}

/* Skip the digits at @at, their parts after a point, an exponent, and a unit. */
static size_t behind_number(const char *name, size_t n, size_t at)
{
	for (;;) {
		while (at < n && sfab_is_digit(name[at]))
			at++;
		if (at + 1 < n && name[at] == '.' && sfab_is_digit(name[at + 1]))
			at++;
		else if (at + 1 < n && (name[at] | 0x20) == 'e' && sfab_is_digit(name[at + 1]))
			at++;
		else if (at + 2 < n && (name[at] | 0x20) == 'e' && sfab_is_digit(name[at + 2]) &&
			 (name[at + 1] == '-' || name[at + 1] == '+'))
			at += 2;
		else
			break;
	}
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		size_t k = strlen(units[i]);

		if (n - at >= k && strncasecmp(name + at, units[i], k) == 0 &&
		    (n - at == k || (!is_letter(name[at + k]) && !sfab_is_digit(name[at + k]))))
			return at + k;
	}
	return at;
}

size_t sfab_job_stem(const char *name, char stem[SFAB_STEM_MAX])
{
	size_t n = name ? without_ending(name, strnlen(name, SFAB_STEM_MAX)) : 0;
	size_t used = 0;
	char between = 0;	/* what stood first since the last letter */

	for (size_t at = 0; at < n; ) {
		if (sfab_is_digit(name[at])) {
			at = behind_number(name, n, at);
			continue;
		}
		if (!is_letter(name[at])) {
			between = between ? between : name[at];
			at++;
			continue;
		}
		/* a stem is never longer than the name */
		if (between && used)
			stem[used++] = between;
		between = 0;
		stem[used++] = name[at++];
	}
	return used;
}
