/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * trace.c - keeps the jobs of a log; see trace.h
 *
 * Jobs that arrive at the same time are sorted by what else is known of them: a
 * replay must not depend on the order of a log's lines.
 */

#include "tools/replay/trace.h"

#include <stdlib.h>
#include <string.h>

#include "core/resize.h"
#include "io/readers/reader.h"

#define TEXT_MAX ((size_t) 1 << 30)

void trace_free(struct trace *t)
{
	free(t->job);
	memset(t, 0, sizeof(*t));
}

int trace_add(struct trace *t, const struct trace_job *job,
	      struct sfab_err *err)
{
	if (sfab_one_more(&t->job, t->n, sizeof(*job)) < 0)
		return sfab_no_memory(err);
	t->job[t->n++] = *job;
	return 0;
}

static int compare_submit(const void *a, const void *b)
{
	const struct trace_job *x = a, *y = b;

	if (x->submit != y->submit)
		return x->submit < y->submit ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->run != y->run)
		return x->run < y->run ? -1 : 1;
	return (x->nodes > y->nodes) - (x->nodes < y->nodes);
}

int trace_parse(struct trace *t, const char *name, const char *text, size_t size,
		struct sfab_err *err)
{
	int rc;

	memset(t, 0, sizeof(*t));
	rc = trace_parse_sacct(t, name, text, size, err);
	if (rc == 0 && !t->n && t->bad.n)
		rc = sfab_fail(err, t->bad.first.code, "%s", t->bad.first.text);
	if (rc == 0 && !t->n)
		rc = sfab_fail(err, SFAB_EFORMAT,
			       "%s: no job that ran (%u others)", name,
			       t->skipped);
	if (rc < 0)
		trace_free(t);
	else
		qsort(t->job, t->n, sizeof(*t->job), compare_submit);
	return rc;
}

int trace_read(struct trace *t, const char *path, struct sfab_err *err)
{
	const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
	char *text;
	size_t size;
	int rc;

	memset(t, 0, sizeof(*t));
	if (sfab_text_read(path, TEXT_MAX, &text, &size, err) < 0)
		return -1;
	rc = trace_parse(t, name, text, size, err);
	free(text);
	return rc;
}

struct change {			/* of the nodes in use */
	double time;
	double nodes;
};

/* Ends come before starts of the same second. */
static int compare_change(const void *a, const void *b)
{
	const struct change *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return (x->nodes > y->nodes) - (x->nodes < y->nodes);
}

uint32_t trace_peak(const struct trace *t)
{
	struct change *c = calloc(2u * t->n + 1u, sizeof(*c));
	double now = 0, peak = 0;

	if (!c)
		return 0;
	for (uint32_t i = 0; i < t->n; i++) {
		const struct trace_job *j = &t->job[i];
		double start = j->start < 0 ? j->submit : j->start;

		c[2 * i] = (struct change) { start, j->nodes };
		c[2 * i + 1] = (struct change) { start + j->run,
						 -(double) j->nodes };
	}
	qsort(c, 2u * t->n, sizeof(*c), compare_change);
	for (uint32_t i = 0; i < 2u * t->n; i++) {
		now += c[i].nodes;
		if (now > peak)
			peak = now;
	}
	free(c);
	return peak < TRACE_NODES_MAX ? (uint32_t) peak : TRACE_NODES_MAX;
}
