/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * logline.c - one decision or event as a line; see logline.h
 *
 * JSON is written by hand into a buffer of fixed size: this runs in slurmctld's thread, without
 * allocation.  Long texts become null and long sets of hosts are left out, because a line cut
 * within JSON could not be read.
 */

#include "place/log/logline.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/utf8.h"
#include "place/decision.h"
#include "place/request/intent.h"

struct log_text {
	char *buf;
	size_t size, n;		/* n < size */
};

__attribute__((format(printf, 2, 3))) static void
append_log_text(struct log_text *t, const char *fmt, ...)
{
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(t->buf + t->n, t->size - t->n, fmt, ap);
	va_end(ap);
	if (n < 0)
		return;
	t->n += (size_t) n < t->size - t->n ? (size_t) n : t->size - t->n - 1;
}

/*
 * Add a JSON string: printable UTF-8, whatever the bytes were.  A text that would take half of
 * the buffer is left out: the fields after it matter more.
 */
static void add_field(struct log_text *t, const char *key, const char *value)
{
	size_t rest = value ? strlen(value) : 0, n;

	append_log_text(t, ",\"%s\":", key);
	if (!value || rest >= t->size / 2) {
		append_log_text(t, "null");
		return;
	}
	append_log_text(t, "\"");
	for (; rest; value += n, rest -= n) {
		int plain;

		n = sfab_utf8_char(value, rest, &plain);
		if (*value == '"' || *value == '\\')
			append_log_text(t, "\\%c", *value);
		else
			append_log_text(t, "%.*s", plain ? (int) n : 1,
					plain ? value : "?");
	}
	append_log_text(t, "\"");
}

/* Add the beginning of the line: the time now, UTC with milliseconds. */
static void add_time(struct log_text *t)
{
	struct timespec now;
	struct tm tm;
	char day[40];

	clock_gettime(CLOCK_REALTIME, &now);
	gmtime_r(&now.tv_sec, &tm);
	strftime(day, sizeof(day), "%Y-%m-%dT%H:%M:%S", &tm);
	append_log_text(t, "{\"time\":\"%s.%03ldZ\"", day,
			now.tv_nsec / 1000000);
}

/* Add what a set of @n nodes loses, and to what. */
static void add_losses(struct log_text *t, const struct sfab_score *s,
		       const struct sfab_traffic *traffic, uint32_t n)
{
	const char *comma = "";

	append_log_text(t, "\"slowdown\":%.6g,\"alone\":%.6g,\"servers\":%.6g,\"lost\":{",
			s->slowdown, s->alone, s->servers);
	for (int c = 0; c < SFAB_NCLASSES; c++) {
		double lost = sfab_score_class(s, traffic, n, (enum sfab_class) c);

		if (!(lost > 0))
			continue;
		append_log_text(t, "%s\"%s\":%.6g", comma,
				sfab_class_name((enum sfab_class) c), lost);
		comma = ",";
	}
	append_log_text(t, "}");
}

/* Add the score in six digits: `sfabric explain --verify` compares to the digits of the log. */
static void add_score(struct log_text *t, const struct sfab_decision *d)
{
	append_log_text(t, ",\"steps\":%" PRIu32 ",\"leaves\":%" PRIu32 ",", d->steps,
			d->score.leaves);
	add_losses(t, &d->score, &d->traffic, d->n);
	append_log_text(t, ",\"score\":{\"total\":%.6g,\"terms\":{", d->score.total);
	for (int i = 0; i < SFAB_NTERMS; i++)
		append_log_text(t, "%s\"%s\":%.6g", i ? "," : "",
				sfab_term_name((enum sfab_term) i),
				d->score.term[i]);
	append_log_text(t, "}}");
}

/* Add what the same job has on Slurm's own nodes. */
static void add_stock(struct log_text *t, const struct sfab_logline *l)
{
	const struct sfab_stock *s = l->stock;

	append_log_text(t, ",\"stock\":{");
	add_losses(t, &s->score, &l->decision->traffic, l->n);
	append_log_text(t, ",\"others\":%.6g,\"leaves\":%" PRIu32 ",\"same\":%s}",
			s->score.term[SFAB_TERM_OTHERS], s->score.leaves,
			s->is_same ? "true" : "false");
}

/* End a list that began at @begun; one that leaves too little room for the sets is dropped. */
static void end_list(struct log_text *t, size_t begun)
{
	append_log_text(t, "]");
	if (t->size - t->n >= t->size / 8)
		return;
	t->n = begun;
	t->buf[begun] = '\0';
}

/* Add the shares of CPUs that the job holds: one number if all nodes have the same, else a list. */
static void add_shares(struct log_text *t, const double *share, uint32_t n)
{
	size_t begun = t->n;
	uint32_t same = 1;

	if (!n)
		return;
	while (same < n && !(share[same] < share[0]) && !(share[same] > share[0]))
		same++;
	if (same == n) {
		append_log_text(t, ",\"cpus\":%.7g", share[0]);
		return;
	}
	append_log_text(t, ",\"cpus\":[");
	for (uint32_t i = 0; i < n; i++)
		append_log_text(t, "%s%.7g", i ? "," : "", share[i]);
	end_list(t, begun);
}

/* Is host @h that of a node in the set? */
static unsigned has_host(const struct sfab_nodes *table, const uint64_t *set, uint32_t h)
{
	uint32_t node = table->of_host[h];

	return node != SFAB_NONE && (set[node / 64] >> node % 64 & 1);
}

/*
 * Add a set of hosts in hex, four per digit: bit 0 of the first digit is host 0 of the
 * snapshot.  An empty set is left out, and so is one that takes a quarter of the room that is
 * left.
 */
static void add_hosts(struct log_text *t, const char *key, const struct sfab_nodes *table,
		      const uint64_t *set)
{
	uint32_t n = table->nhosts, first = 0;

	while (first < n && !has_host(table, set, first))
		first++;
	if (first == n || n / 4 > t->size / 8 || n / 4 > (t->size - t->n) / 4)
		return;
	append_log_text(t, ",\"%s\":\"", key);
	for (uint32_t h = 0; h < n; h += 4) {
		unsigned digit = 0;

		for (uint32_t k = h; k < h + 4 && k < n; k++)
			digit |= has_host(table, set, k) << (k - h);
		append_log_text(t, "%x", digit);
	}
	append_log_text(t, "\"");
}

/* Add the share of CPUs that the search assumed on each node it found, in order of hosts. */
static void add_asked(struct log_text *t, const struct sfab_nodes *table,
		      const struct sfab_decision *answer)
{
	const char *comma = "";
	size_t begun = t->n;

	if (!answer->each_cpus) {
		append_log_text(t, ",\"asked_cpus\":%.7g", answer->cpus);
		return;
	}
	append_log_text(t, ",\"asked_cpus\":[");
	for (uint32_t h = 0; h < table->nhosts; h++) {
		if (!has_host(table, answer->node, h))
			continue;
		append_log_text(t, "%s%.7g", comma,
				(double) answer->each_cpus[table->of_host[h]]);
		comma = ",";
	}
	end_list(t, begun);
}

/* Add ,"KEY":"GUID:PORT" of the port where the link begins. */
static void add_link_name(struct log_text *t, const char *key,
			  const struct sfab_fabric *f, uint32_t link)
{
	append_log_text(t, ",\"%s\":\"0x%016" PRIx64 ":%u\"", key,
			sfab_link_from_guid(f, link),
			(unsigned) f->links[link].from_port);
}

/* Add the steps of one pattern: all steps, steps looked at, and the worst one, counted from 1. */
static void add_step_counts(struct log_text *t, const struct sfab_certificate *c,
			    uint32_t i, const struct sfab_fabric *f)
{
	const struct sfab_steps *x = &c->steps[i];

	append_log_text(t, "%s\"%s\":{\"total\":%" PRIu32 ",\"looked\":%" PRIu32
			",\"conflicts\":%" PRIu32, i ? "," : "",
			sfab_pattern_name(c->pattern[i]), x->nsteps, x->nsampled,
			x->conflicts);
	if (x->lost)
		append_log_text(t, ",\"lost\":%" PRIu64, x->lost);
	if (x->worst.worst_link != SFAB_NONE) {
		append_log_text(t, ",\"worst\":%.6g,\"worst_step\":%" PRIu32,
				x->worst.slowdown, x->worst.step + 1);
		add_link_name(t, "link", f, x->worst.worst_link);
	}
	append_log_text(t, "}");
}

/* Add the certificate, as numbers and GUIDs only. */
static void add_certificate(struct log_text *t, const struct sfab_certificate *c,
			    const struct sfab_fabric *f)
{
	append_log_text(t, ",\"certificate\":{\"links\":%" PRIu32
			",\"running\":%" PRIu32 ",\"shared_links\":%" PRIu32
			",\"sharing\":%" PRIu32, c->links, c->running,
			c->shared_links, c->sharing);
	if (c->worst_link != SFAB_NONE)
		add_link_name(t, "fullest", f, c->worst_link);
	for (int i = 0; i < 2; i++)
		if (c->io[i].allowed > 0)
			append_log_text(t, ",\"%s\":[%.6g,%.6g]", sfab_class_name(
						i ? SFAB_IO_READ : SFAB_IO_WRITE),
					c->io[i].rate, c->io[i].allowed);
	append_log_text(t, ",\"jobs\":[");
	for (uint32_t i = 0; i < c->nids; i++)
		append_log_text(t, "%s%" PRIu64, i ? "," : "", c->id[i]);
	append_log_text(t, "]");
	if (c->has_steps) {
		append_log_text(t, ",\"steps\":{");
		for (uint32_t i = 0; i < c->npatterns; i++)
			add_step_counts(t, c, i, f);
		append_log_text(t, "}");
	}
	append_log_text(t, "}");
}

static void add_origin(struct log_text *t, const struct sfab_origin *origin)
{
	add_field(t, "source", sfab_intent_source_word(origin->source));
	if (origin->source == SFAB_FROM_LEARNED)
		append_log_text(t, ",\"learned\":{\"runs\":%" PRIu32 ",\"by\":\"%s\"}",
				origin->runs, sfab_history_kind_name(origin->kind));
}

/* Add all that `sfabric explain` needs to repeat the decision. */
static void add_decision(struct log_text *t, const struct sfab_logline *l)
{
	const struct sfab_decision *d = l->decision;
	const struct sfab_traffic *traffic = l->traffic;
	char text[512];

	if (!traffic && d->traffic.nparts)
		traffic = &d->traffic;
	add_field(t, "mode", sfab_mode_name(d->mode));
	add_field(t, "reason", sfab_reason_word(d->reason));
	if (l->governor)
		add_field(t, "governor", l->governor);
	add_field(t, "traffic",
		  traffic ? sfab_traffic_text(traffic, text, sizeof(text)) : NULL);
	if (d->traffic.nparts)
		add_origin(t, &d->origin);
	if (d->hint == SFAB_HINT_WRONG)
		add_field(t, "hint_error", d->hint_text);
	if (d->says & SFAB_SAYS_FAILED)
		add_field(t, "policy", "failed");
	append_log_text(t, ",\"fingerprint\":\"0x%016" PRIx64 "\"",
			d->fingerprint);
	if (l->full_hours)
		append_log_text(t, ",\"full_hours\":%.6g", *l->full_hours);
	if (l->epoch)
		append_log_text(t, ",\"epoch\":%" PRIu64, l->epoch);
	add_shares(t, l->share, l->nshares);
	if (l->certificate && l->f)
		add_certificate(t, l->certificate, l->f);
	if (d->took_us)
		append_log_text(t, ",\"took_us\":%" PRIu32, d->took_us);
	if (l->ranks && l->ranks->is_known)
		append_log_text(t, ",\"ranks\":{\"name\":%.6g,\"leaf\":%.6g,\"found\":%.6g}",
				l->ranks->name_slowdown, l->ranks->leaf_slowdown,
				l->ranks->found_slowdown);
	if (!d->is_scored)
		return;
	add_score(t, d);
	if (l->stock && l->stock->is_known)
		add_stock(t, l);
	if (!l->search_answer)
		return;
	add_asked(t, l->table, l->search_answer);
	add_hosts(t, "free", l->table, l->search_answer->candidate);
	add_hosts(t, "required", l->table, l->search_answer->required);
	if (d->reason != SFAB_PLACED)
		add_hosts(t, "chosen", l->table, l->search_answer->node);
}

char *sfab_logline_json(const struct sfab_logline *l, char *buf, size_t size)
{
	struct log_text t = {buf, size, 0};

	add_time(&t);
	add_field(&t, "event", l->event);
	append_log_text(&t, ",\"job\":%" PRIu32 ",\"running\":%" PRIu32, l->id,
			l->running);
	if (l->decision) {
		add_field(&t, "partition", l->partition);
		if (l->who) {	/* whose job it is, as sfabric.lua sees it */
			append_log_text(&t, ",\"user\":%" PRIu32, l->who->user);
			add_field(&t, "account", l->who->account);
			add_field(&t, "name", l->who->name);
		}
		append_log_text(&t, ",\"n\":%" PRIu32, l->n);
	}
	if (l->decision || l->nodes)
		add_field(&t, "nodes", l->nodes);
	if (l->decision)
		add_decision(&t, l);
	if (l->found_traffic) {
		char traffic[512];

		add_field(&t, "found", sfab_traffic_text(l->found_traffic, traffic,
							 sizeof(traffic)));
	}
	if (l->is_requeued)
		append_log_text(&t, ",\"waits\":true");
	append_log_text(&t, "}");
	return buf;
}

char *sfab_logline_text(const struct sfab_logline *l, char *buf, size_t size)
{
	const struct sfab_decision *d = l->decision;
	struct log_text t = {buf, size, 0};

	append_log_text(&t, "JobId=%" PRIu32 ": %s", l->id,
			sfab_reason_text(d->reason));
	if (d->is_scored)
		append_log_text(&t,
				", %" PRIu32 " nodes on %" PRIu32
				" leaves, score %.3f, %" PRIu32 " steps",
				d->n, d->score.leaves, d->score.total,
				d->steps);
	if (l->ranks && l->ranks->is_known)
		append_log_text(&t, ", ranks by routes: steps %.3f, by name %.3f",
				l->ranks->found_slowdown, l->ranks->name_slowdown);
	if (d->hint == SFAB_HINT_WRONG)
		append_log_text(&t, "; hint: %s", d->hint_text);
	if (d->says & SFAB_SAYS_FAILED)
		append_log_text(&t, "; without sfabric.lua, which failed");
	sfab_utf8_clean(buf, size, buf, size);
	return buf;
}
