/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mix.c - shares of kinds of jobs; see mix.h
 *
 * Kinds keep the running sum of shares (upto); mix_parse() divides by the last one.
 */

#include "tools/replay/mix.h"

#include <stdlib.h>
#include <string.h>

#define ITEM_MAX 256

const char *job_class_name(unsigned class)
{
	return class < SFAB_NCLASSES ? sfab_class_name((enum sfab_class) class) :
	       class == JOB_MIXED ? "mixed" : "off";
}

unsigned job_class_of(const struct sfab_traffic *t)
{
	unsigned class = JOB_SILENT;

	for (uint32_t i = 0; i < t->nparts; i++) {
		unsigned one = t->part[i].class;

		if (!(t->part[i].share > 0))
			continue;
		class = class == JOB_SILENT || class == one ? one : JOB_MIXED;
	}
	return class;
}

/* All of @text as a number from 0 to @max. */
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

/* "NAME" or "NAME:SENSITIVITY"; @text is modified. */
static int parse_name(char *text, struct mix_kind *kind, struct sfab_err *err)
{
	char *name = strsep(&text, ":");

	if (strlen(name) > MIX_NAME_MAX)
		return sfab_fail(err, SFAB_ELIMIT, "mix: name '%s' (expected at "
				 "most %d bytes)", name, MIX_NAME_MAX);
	strcpy(kind->name, name);
	return text ? parse_mix_number("sensitivity", text, 1,
				       &kind->sensitivity, err)
		    : 0;
}

/* "SHARE:TRAFFIC[:NAME[:SENSITIVITY]]" */
static int add_item(struct mix *m, const char *text, size_t size, double *sum,
		    const double *shares, struct sfab_err *err)
{
	char item[ITEM_MAX], *rest = item, *first, *traffic;
	struct mix_kind *kind;
	double share;

	if (m->n == MIX_KINDS_MAX || size >= sizeof(item))
		return sfab_fail(err, SFAB_ELIMIT,
				 "mix: more than %d kinds or %d characters in one",
				 MIX_KINDS_MAX, ITEM_MAX - 1);
	memcpy(item, text, size);
	item[size] = '\0';
	first = strsep(&rest, ":");
	traffic = strsep(&rest, ":");
	if (!traffic)
		return sfab_fail(err, SFAB_EFORMAT,
				 "mix '%s' (expected SHARE:TRAFFIC)", first);
	kind = &m->kind[m->n];
	*kind = (struct mix_kind) { .sensitivity = 1 };
	if (parse_mix_number("share", first, 1e6, &share, err) < 0 ||
	    (rest && parse_name(rest, kind, err) < 0))
		return -1;
	if (strcmp(traffic, "off") == 0)
		traffic = MIX_SILENT;
	if (sfab_traffic_parse(traffic, shares, &kind->traffic, err) < 0)
		return -1;
	*sum += share;
	kind->upto = *sum;
	m->n++;
	return 0;
}

int mix_parse(struct mix *m, const char *text, const double *shares,
	      struct sfab_err *err)
{
	double sum = 0;

	m->n = 0;
	for (;;) {
		size_t size = strcspn(text, ",");

		if (add_item(m, text, size, &sum, shares, err) < 0)
			return -1;
		if (!text[size])
			break;
		text += size + 1;
	}
	if (!(sum > 0))
		return sfab_fail(err, SFAB_EFORMAT, "mix: all shares are 0");
	for (uint32_t i = 0; i < m->n; i++)
		m->kind[i].upto /= sum;
	return 0;
}

const struct mix_kind *mix_at(const struct mix *m, double u)
{
	uint32_t i = 0;

	while (i + 1 < m->n && u >= m->kind[i].upto)
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
