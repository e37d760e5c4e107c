/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tally.c - totals of the decision log as text, printed and kept; see tally.h
 *
 * The metrics and their labels are in sfabric-metrics(1), the format in "Exposition formats" of
 * Prometheus' manual: all series of a metric together, with its help before them.  Reading is
 * strict: totals that begin again at 0 are worse than none.
 */

#include "tools/metrics/tally.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "tools/ui/printable.h"
#include "tools/ui/xalloc.h"

#define STATE_MODE 0644	/* nothing secret: totals that are published anyway */
#define STATE_MAX (4u << 20)	/* bytes */
/* The number rises when old totals can no longer be read. */
#define STATE_KIND "# sfabric decision totals 2\n"
#define STATE_POSITION "# device %" SCNu64 " inode %" SCNu64 " offset %" SCNu64 " head %" SCNu64 \
		    " fingerprint %" SCNu64 "\n%n"
#define STATE_END "# EOF\n"	/* without it something is missing */

/*
 * The metrics.  No name may be the beginning of another.  A metric without a series is not
 * printed.
 */
static const struct {
	const char *name, *type, *help;
} metrics[] = {
	{ "sfabric_job_starts_total", "counter", "Jobs that began, by what the plugin did: "
	  "placed, or the reason why Slurm placed it." },
	{ "sfabric_partition_job_starts_total", "counter", "Jobs that began, by partition: "
	  "placed, only observed, or left to Slurm." },
	{ "sfabric_governor_tripped", "gauge", "1: the governor stopped the placement "
	  "of jobs of the partition, or would have with Governor=on." },
	{ "sfabric_search_seconds", "histogram", "What the search for the nodes of a job that "
	  "began took, by the clock." },
	{ "sfabric_predicted_slowdown_ratio", "histogram", "What was predicted for a job as it "
	  "began, on sfabric's nodes and on Slurm's own; 1 is not slowed." },
	{ "sfabric_requeues_total", "counter",
	  "Runs that were taken back: the job waits again." },
	{ "sfabric_hint_errors_total", "counter", "Jobs that began with a hint that is wrong." },
	{ "sfabric_policy_failures_total", "counter",
	  "Jobs that began without an answer of sfabric.lua." },
	{ "sfabric_decision_log_lines_total", "counter",
	  "Lines of the decision log that were read." },
	{ "sfabric_decision_log_bad_lines_total", "counter",
	  "Lines of it that could not be read." },
	{ "sfabric_decision_log_unread_bytes", "gauge", "What is left of it for the next run." },
	{ "sfabric_jobs_running", "gauge", "Jobs that ran after the last event of the log." },
	{ "sfabric_last_decision_timestamp_seconds", "gauge",
	  "When the last job began while a snapshot was in use." },
	{ "sfabric_snapshot_in_use", "gauge", "1: that was the snapshot that is there now." },
};
#define METRICS (sizeof(metrics) / sizeof(metrics[0]))

/*
 * Escape a text.  A quote becomes \x22 by printable().  Each backslash is doubled, since the
 * format takes it for an escape.
 */
char *tally_label(const char *text)
{
	char *safe = printable(text, '"'), *p, *end, *out;

	out = end = xcalloc(2 * strlen(safe) + 1, 1);
	for (p = safe; *p; p++) {
		if (*p == '\\')
			*end++ = '\\';
		*end++ = *p;
	}
	free(safe);
	return out;
}

void tally_begin_metric(FILE *out, const char *name, const char *type, const char *help)
{
	fprintf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

/* Is it a series of that metric, with or without labels, or of its histogram? */
static int is_of_metric(const char *series, size_t metric)
{
	return strncmp(series, metrics[metric].name, strlen(metrics[metric].name)) == 0;
}

void tally_free(struct tally *t)
{
	while (t->series)
		tally_drop(t, t->series->name);
	memset(t, 0, sizeof(*t));
}

struct tally_series *tally_find(const struct tally *t, const char *name)
{
	struct tally_series *s;

	HASH_FIND_STR(t->series, name, s);
	return s;
}

double *tally_value(struct tally *t, const char *fmt, ...)
{
	struct tally_series *s;
	va_list ap;
	char *name;

	va_start(ap, fmt);
	name = xvstrfmt(fmt, ap);
	va_end(ap);
	s = tally_find(t, name);
	if (s) {
		free(name);
		return &s->value;
	}
	s = xcalloc(1, sizeof(*s));
	s->name = name;
	HASH_ADD_KEYPTR(hh, t->series, s->name, strlen(s->name), s);
	return &s->value;
}

void tally_drop(struct tally *t, const char *name)
{
	struct tally_series *s = tally_find(t, name);

	if (!s)
		return;
	HASH_DEL(t->series, s);
	free(s->name);
	free(s);
}

/* Write all metrics, with 17 digits: counters are large, and rates are differences of sums. */
char *tally_text(const struct tally *t)
{
	char *text;
	size_t size;
	FILE *out = xnonnull(open_memstream(&text, &size));

	for (size_t m = 0; m < METRICS; m++) {
		int has_head = 0;

		for (const struct tally_series *s = t->series; s; s = s->hh.next) {
			if (!is_of_metric(s->name, m))
				continue;
			if (!has_head)
				tally_begin_metric(out, metrics[m].name, metrics[m].type,
						   metrics[m].help);
			has_head = 1;
			fprintf(out, "%s %.17g\n", s->name, s->value);
		}
	}
	fclose(out);
	return xnonnull(text);
}

/* -- between runs ----------------------------------------------------------- */

char *tally_state(const struct tally *t, const char *text)
{
	return xstrfmt(STATE_KIND "# device %" PRIu64 " inode %" PRIu64 " offset %" PRIu64
		       " head %" PRIu64 " fingerprint %" PRIu64 "\n%s" STATE_END,
		       t->position.device, t->position.inode, t->position.offset, t->position.head,
		       t->fingerprint, text);
}

int tally_save(const struct tally *t, const char *text, const char *path, struct sfab_err *err)
{
	char *state = tally_state(t, text);
	int rc = sfab_file_write(path, state, strlen(state), STATE_MODE, err);

	free(state);
	return rc;
}

/*
 * Read a line like "sfabric_jobs_running 41".  -1: the series is not one of ours, or its value
 * is not finite, so that all later sums would not be finite either.
 */
static int read_series(struct tally *t, char *line)
{
	char *space = strrchr(line, ' '), *end;
	size_t m = 0;
	double value;

	while (m < METRICS && !is_of_metric(line, m))
		m++;
	if (!space || m == METRICS)
		return -1;
	*space = '\0';
	value = strtod(space + 1, &end);
	if (end == space + 1 || *end || !isfinite(value) || value < 0)
		return -1;
	*tally_value(t, "%s", line) = value;
	return 0;
}

int tally_parse_state(struct tally *t, char *state)
{
	int size = 0, rc = -1;

	tally_init(t);
	if (sscanf(state, STATE_KIND STATE_POSITION, &t->position.device, &t->position.inode,
		   &t->position.offset, &t->position.head, &t->fingerprint, &size) == 5 && size)
		rc = 0;
	for (char *line = state + size, *next; rc == 0 && strcmp(line, STATE_END) != 0;
	     line = next) {
		next = strchr(line, '\n');
		if (next)
			*next++ = '\0';
		if (!next || (*line != '#' && read_series(t, line) != 0))
			rc = -1;
	}
	if (rc != 0)
		tally_free(t);
	return rc;
}

int tally_load(struct tally *t, const char *path, struct sfab_err *err)
{
	const struct sfab_trust any = { .max_size = STATE_MAX };
	uint8_t *buf = NULL;
	size_t size = 0;
	int rc = 0;

	memset(t, 0, sizeof(*t));
	if (sfab_file_read(path, &any, &buf, &size, err) != 0 && err->code != SFAB_ENOENT)
		return -1;
	/* An administrator may make the file first, to give it an owner. */
	if (!size)
		tally_init(t);
	else if (tally_parse_state(t, (char *) buf) != 0)
		rc = sfab_fail(err, SFAB_EFORMAT, "%s: not a state of sfabric metrics: it is "
			       "left as it is (remove it to begin again)", path);
	free(buf);
	return rc;
}
