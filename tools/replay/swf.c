/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * swf.c - Standard Workload Format: 18 numbers a line, -1 for "not known"
 *
 * Comments begin with ';'; those with the size of the machine are read.  A
 * checkpointed job has lines for its parts (status 2, 3, 4) and one for the
 * whole job; only the latter is used.
 */

#include "tools/replay/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/scan.h"

enum field {
	SUBMIT = 1,
	WAIT = 2,
	RUN = 3,
	PROCS = 4,
	REQUESTED_PROCS = 7,
	REQUESTED_TIME = 8,
	STATUS = 10,
};
#define NFIELDS 18

struct machine {
	uint32_t nodes, procs;	/* 0: not in the log */
};

/* A number of at most 15 digits, with an optional sign and fraction. */
static int parse_swf_number(const char *word, double *value)
{
	const char *digits = word + (*word == '-');
	size_t n = strspn(digits, "0123456789.");
	const char *dot = strchr(digits, '.');

	if (n == 0 || n > 16 || digits[n] || *digits == '.' ||
	    (dot && strchr(dot + 1, '.')))
		return -1;
	*value = strtod(word, NULL);
	return 0;
}

static int read_fields(struct sfab_scan *s, double *field, struct sfab_err *err)
{
	char word[40];

	for (int i = 0; i < NFIELDS; i++) {
		const char *at;

		sfab_scan_blanks(s);
		at = s->at;
		if (at == s->end)
			return sfab_scan_fail(s, err, "%d fields (expected %d)",
					      i, NFIELDS);
		if (!sfab_scan_word(s, word, sizeof(word)) ||
		    parse_swf_number(word, &field[i]) < 0) {
			s->at = at;
			return sfab_scan_expect(s, err, "field", "a number");
		}
	}
	sfab_scan_blanks(s);
	if (s->at != s->end)
		return sfab_scan_expect(s, err, "field", "18 fields");
	return 0;
}

static uint32_t nodes_of_processors(double procs, const struct machine *m)
{
	double nodes = procs;

	if (m->nodes && m->procs > m->nodes)
		nodes = ceil(procs * m->nodes / m->procs);
	return nodes < 1 ? 1 : (uint32_t) nodes;
}

static int add_swf_job(struct trace *t, const struct sfab_scan *s,
		       const double *field, const struct machine *m,
		       struct sfab_err *err)
{
	double procs = field[PROCS] > 0 ? field[PROCS] : field[REQUESTED_PROCS];
	struct trace_job j = { .submit = field[SUBMIT], .run = field[RUN],
			       .limit = field[REQUESTED_TIME], .start = -1 };

	if (procs <= 0 || j.run <= 0 || j.submit < 0 ||
	    (field[STATUS] >= 2 && field[STATUS] <= 4)) {
		t->skipped++;
		return 0;
	}
	if (procs > TRACE_NODES_MAX)
		return sfab_scan_fail(s, err, "%.0f processors (at most %u)",
				      procs, TRACE_NODES_MAX);
	if (j.submit > TRACE_TIME_MAX || j.run > TRACE_TIME_MAX ||
	    j.limit > TRACE_TIME_MAX)
		return sfab_scan_fail(s, err, "a time of more than %.0f s",
				      TRACE_TIME_MAX);
	if (field[WAIT] >= 0 && field[WAIT] <= TRACE_TIME_MAX)
		j.start = j.submit + field[WAIT];
	if (j.limit < 0)
		j.limit = 0;
	j.nodes = nodes_of_processors(procs, m);
	return trace_add(t, &j, err);
}

/* "; MaxNodes: 128", "; MaxProcs: 1024" */
static void read_comment(struct sfab_scan *s, struct machine *m)
{
	uint32_t *value = NULL;

	sfab_scan_take(s, ";");
	sfab_scan_blanks(s);
	if (sfab_scan_take(s, "MaxNodes:"))
		value = &m->nodes;
	else if (sfab_scan_take(s, "MaxProcs:"))
		value = &m->procs;
	sfab_scan_blanks(s);
	if (value)
		sfab_scan_dec(s, TRACE_NODES_MAX, value);
}

int trace_parse_swf(struct trace *t, const char *name, const char *text,
		    size_t size, struct sfab_err *err)
{
	struct machine m = { 0 };
	double field[NFIELDS];
	struct sfab_scan s;

	sfab_scan_init(&s, name, text, size);
	while (sfab_scan_line(&s)) {
		sfab_scan_blanks(&s);
		if (s.at == s.end)
			continue;
		if (*s.at == ';') {
			read_comment(&s, &m);
			continue;
		}
		if (read_fields(&s, field, err) < 0 ||
		    add_swf_job(t, &s, field, &m, err) < 0)
			return -1;
	}
	t->nodes = m.nodes ? m.nodes : m.procs;
	return 0;
}
