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

static size_t length_without_ending(const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof(endings) / sizeof(endings[0]); i++) {
		size_t k = strlen(endings[i]);

		if (n > k && strncasecmp(name + n - k, endings[i], k) == 0)
			return n - k;
	}
	return n;
}

/* Skip the digits at @pos, their parts after a point, an exponent, and a unit. */
static size_t skip_number(const char *name, size_t n, size_t pos)
{
	for (;;) {
		while (pos < n && sfab_is_digit(name[pos]))
			pos++;
		if (pos + 1 < n && name[pos] == '.' && sfab_is_digit(name[pos + 1]))
			pos++;
		else if (pos + 1 < n && (name[pos] | 0x20) == 'e' && sfab_is_digit(name[pos + 1]))
			pos++;
		else if (pos + 2 < n && (name[pos] | 0x20) == 'e' && sfab_is_digit(name[pos + 2]) &&
			 (name[pos + 1] == '-' || name[pos + 1] == '+'))
			pos += 2;
		else
			break;
	}
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		size_t k = strlen(units[i]);

		if (n - pos >= k && strncasecmp(name + pos, units[i], k) == 0 &&
		    (n - pos == k || (!is_letter(name[pos + k]) && !sfab_is_digit(name[pos + k]))))
			return pos + k;
	}
	return pos;
}

size_t sfab_job_stem(const char *name, char stem[SFAB_STEM_MAX])
{
	size_t n = name ? length_without_ending(name, strnlen(name, SFAB_STEM_MAX)) : 0;
	size_t used = 0;
	char between = 0;	/* what stood first since the last letter */

	for (size_t pos = 0; pos < n; ) {
		if (sfab_is_digit(name[pos])) {
			pos = skip_number(name, n, pos);
			continue;
		}
		if (!is_letter(name[pos])) {
			between = between ? between : name[pos];
			pos++;
			continue;
		}
		/* a stem is never longer than the name */
		if (between && used)
			stem[used++] = between;
		between = 0;
		stem[used++] = name[pos++];
	}
	return used;
}
