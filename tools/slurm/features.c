/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * features.c - feature requests of jobs; see features.h
 *
 * For any other form the caller assumes that all nodes fit, and says so.  A
 * guess about a count or a bracket would look like a certain answer.
 */

#include "tools/slurm/features.h"

#include <stddef.h>
#include <string.h>

#include "tools/slurm/scontrol.h"

#define AND "&,"
#define ANY AND "|"

/* A negation ("!a") is refused, too. */
int features_known(const char *wanted)
{
	int all = strpbrk(wanted, AND) != NULL, any = strchr(wanted, '|') != NULL;

	if (!*wanted || (all && any) || strpbrk(wanted, "[]()*:!\"' "))
		return 0;
	for (const char *p = wanted; *p; p++)	/* a name must not be empty */
		if (strchr(ANY, *p) && (p == wanted || !p[1] || strchr(ANY, p[1])))
			return 0;
	return 1;
}

/*
 * With "|" the first feature that the node has decides, otherwise the first
 * that it lacks.  If none decides, the answer is the opposite.
 */
int features_match(const char *wanted, const char *have)
{
	int any = strchr(wanted, '|') != NULL;

	for (const char *p = wanted; *p; p += *p != '\0') {
		size_t n = strcspn(p, ANY);

		if (scontrol_has_word(have, p, n) == any)
			return any;
		p += n;
	}
	return !any;
}
