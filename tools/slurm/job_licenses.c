/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_licenses.c - are the licenses free that a job asks for?  See job_ask.h
 *
 *     --licenses matlab:2,abaqus@server
 *
 * As in slurmctld, a license that does not exist, or not so often, refuses the job;
 * one that is not free now makes it wait.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/slurm/job_ask.h"
#include "tools/ui/number.h"
#include "tools/ui/say.h"

static int check_license(struct job_ask *a, char *word, struct sfab_err *err)
{
	const struct scontrol_license *l;
	char *colon = strchr(word, ':');
	uint64_t count = 1;
	uint32_t n;

	if (colon)
		*colon = '\0';
	if (colon && number_parse(colon + 1, INT32_MAX, &count) != 0)
		return sfab_fail(err, SFAB_EINVAL, "--licenses '%.60s' (expected "
				 "NAME[:COUNT],...)", word);
	n = (uint32_t) count;
	l = scontrol_named(&a->c->licenses, word);
	if (!l)
		return sfab_fail(err, SFAB_ENOENT, "--licenses '%.60s': no such "
				 "license", word);
	if (n > l->total)
		return sfab_fail(err, SFAB_EINVAL, "license %s: there are %u "
				 "(found %u)", l->name, l->total, n);
	if (l->reserved)
		report_warning(a->report, "license %s: the preview ignores who reserved %u "
			       "of them", l->name, l->reserved);
	if (n > l->free && !*a->waits)
		snprintf(a->waits, sizeof(a->waits), "license %s: %u wanted, %u free",
			 l->name, n, l->free);
	return 0;
}

int job_ask_licenses(struct job_ask *a, struct sfab_err *err)
{
	const char *wanted = a->given->licenses;
	char *list, *state, *word;
	int rc = 0;

	if (!wanted)
		return 0;
	if (strchr(wanted, '|')) {
		report_warning(a->report, "--licenses '%s' is not understood: the preview "
			       "assumes that they are free", wanted);
		return 0;
	}
	list = need_copy(wanted);
	word = strtok_r(list, ",;", &state);
	for (; rc == 0 && word; word = strtok_r(NULL, ",;", &state))
		rc = check_license(a, word, err);
	free(list);
	return rc;
}
