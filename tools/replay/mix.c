/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mix.c - shares of kinds of jobs; see mix.h
 *
 * Kinds keep the running sum of shares (share_end); mix_parse() divides by the last one.
 */

#include "tools/replay/mix.h"

#include <stdlib.h>
#include <string.h>

#include "tools/ui/xalloc.h"

const char *mix_class_name(unsigned class)
{
	return class < SFAB_NCLASSES ? sfab_class_name((enum sfab_class) class) :
	       class == JOB_MIXED ? "mixed" : "off";
}

unsigned mix_class_of(const struct sfab_traffic *t)
{
	unsigned class = JOB_SILENT;

	for (uint32_t i = 0; i < t->nparts; i++) {
		unsigned part_class = t->part[i].class;

		if (!(t->part[i].share > 0))
			continue;
		class = class == JOB_SILENT || class == part_class ? part_class : JOB_MIXED;
	}
	return class;
}

/* Read all of @text as a number from 0 to @max. */
static int parse_mix_number(const char *what, const char *text, double max,
			    double *number, struct sfab_err *err)
{
	char *end;

	*number = strtod(text, &end);
	if (end != text && !*end && *number >= 0 && *number <= max)
		return 0;
	return sfab_fail(err, SFAB_EFORMAT, "mix: %s '%s' (expected a number, 0 "
			 "to %g)", what, text, max);
}

/* Read "SHARE:TRAFFIC[:NAME[:SENSITIVITY]]"; @item is modified. */
static int add_item(struct mix *m, char *item, double *sum, const double *shares,
		    struct sfab_err *err)
{
	char *rest = item, *first = strsep(&rest, ":"), *traffic = strsep(&rest, ":");
	char *name = strsep(&rest, ":");
	struct mix_kind *kind = &m->kind[m->n];
	double share;

	if (m->n == MIX_KINDS_MAX)
		return sfab_fail(err, SFAB_ELIMIT, "mix: more than %d kinds", MIX_KINDS_MAX);
	if (!traffic)
		return sfab_fail(err, SFAB_EFORMAT,
				 "mix '%s' (expected SHARE:TRAFFIC)", first);
	*kind = (struct mix_kind) { .sensitivity = 1 };
	if (parse_mix_number("share", first, 1e6, &share, err) < 0)
		return -1;
	if (name && strlen(name) > MIX_NAME_MAX)
		return sfab_fail(err, SFAB_ELIMIT, "mix: name '%s' (expected at "
				 "most %d bytes)", name, MIX_NAME_MAX);
	if (name)
		strcpy(kind->name, name);
	if (rest && parse_mix_number("sensitivity", rest, 1, &kind->sensitivity, err) < 0)
		return -1;
	if (strcmp(traffic, "off") == 0)
		traffic = MIX_SILENT;
	if (sfab_traffic_parse(traffic, shares, &kind->traffic, err) < 0)
		return -1;
	*sum += share;
	kind->share_end = *sum;
	m->n++;
	return 0;
}

int mix_parse(struct mix *m, const char *text, const double *shares, struct sfab_err *err)
{
	char *copy = xstrdup(text), *rest = copy, *item;
	double sum = 0;
	int rc = 0;

	m->n = 0;
	while (rc == 0 && (item = strsep(&rest, ",")))
		rc = add_item(m, item, &sum, shares, err);
	free(copy);
	if (rc == 0 && !(sum > 0))
		rc = sfab_fail(err, SFAB_EFORMAT, "mix: all shares are 0");
	for (uint32_t i = 0; rc == 0 && i < m->n; i++)
		m->kind[i].share_end /= sum;
	return rc;
}

const struct mix_kind *mix_at(const struct mix *m, double u)
{
	uint32_t i = 0;

	while (i + 1 < m->n && u >= m->kind[i].share_end)
		i++;
	return &m->kind[i];
}

int mix_has_io(const struct mix *m)
{
	for (uint32_t i = 0; i < m->n; i++)
		for (uint32_t k = 0; k < m->kind[i].traffic.nparts; k++)
			if (sfab_class_is_io(m->kind[i].traffic.part[k].class))
				return 1;
	return 0;
}
