/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * suggest_routing.c - engines and options that spread routes; see suggest_routing.h
 *
 * Row 0 is the unchanged fabric as OpenSM routes it here, the others are candidates.  They
 * are judged by the slowdown of all-to-all, which is what audit finds too high.  bisect,
 * rotate and the loss of IO stand beside it: a routing may pay with these.
 */

#include "tools/whatif/suggest_routing.h"

#include <stdlib.h>
#include <string.h>

#include "tools/ui/say.h"
#include "tools/whatif/candidates.h"
#include "tools/whatif/fidelity.h"
#include "tools/whatif/reroute.h"

#define BEST_ROUTINGS 3		/* shown with their commands */
#define GAIN_LEAST 0.01		/* of the slowdown: less is rounding */

enum { R_RANK, R_CHANGE, R_ENGINE, R_ALL_TO_ALL, R_BISECT, R_ROTATE, R_IO_LOSS, R_PROBLEM };

const struct column suggest_routing_columns[] = {
	{ "rank", "1 is best; none: no improvement", COLUMN_COUNT, 0, SHOWN },
	{ "change", "what was tried", COLUMN_TEXT, 0, SHOWN },
	{ "engine", "that OpenSM really used", COLUMN_TEXT, 0, SHOWN },
	{ "all_to_all", "slowdown of all-to-all of the compute hosts", COLUMN_NUMBER, 2, SHOWN },
	{ "bisect", "mean share when all send, random halves", COLUMN_NUMBER, 2, SHOWN },
	{ "rotate", "likewise, rotations", COLUMN_NUMBER, 2, SHOWN },
	{ "io_loss", "share of the possible rate that is lost, at the worst IO set and class",
	  COLUMN_NUMBER, 2, SHOWN_IF_ANY },
	{ "problem", "why OpenSM did not route it", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ 0 }
};

struct tried_routing {
	struct sfab_err err;	/* code 0: OpenSM routed it */
	char engine[32];
	double all_to_all, bisect, rotate, io_loss;	/* io_loss below 0: no IO */
	uint32_t rank;		/* 0: it does not help */
};

struct routing_search {
	const struct suggest_ask *ask;
	struct candidates c;
	struct tried_routing now, of[CANDIDATES_MOST];
	struct sfab_fabric *rerouted;	/* the unchanged one */
	struct sfab_fabric *best;	/* if a snapshot is to be written */
	double least;			/* its slowdown */
};

/* @f stays the caller's. */
static int note_routing(const struct routing_search *s, struct tried_routing *out,
			const struct sfab_fabric *f, struct sfab_err *err)
{
	struct routing_facts x;
	int rc = facts_find(&x, f, s->ask->site->io, s->ask->nodes, err);
	const struct sfab_io_rate *worst = rc == 0 ? facts_worst(&x) : NULL;

	snprintf(out->engine, sizeof(out->engine), "%s", f->planes[0].engine);
	out->all_to_all = x.all_to_all;
	out->bisect = x.bisect;
	out->rotate = x.rotate;
	out->io_loss = worst ? sfab_io_rate_loss(worst) : -1;
	routing_facts_free(&x);
	return rc;
}

/* One after the other, so that one fabric at a time is in memory beside the base. */
static struct sfab_fabric *route_wish(const struct routing_search *s, const struct wish *w,
				      struct sfab_err *err)
{
	struct variant v;
	struct rerouting r = { .plan = &v.plan, .how = &v.how,
			       .by = "sfabric whatif" };
	int rc = variant_make(&v, s->ask->site, w, err);

	if (rc == 0)
		rc = reroute(&r, 1, err);
	variant_free(&v);
	if (rc == 0 && !r.f)
		*err = r.err;
	return rc == 0 ? r.f : NULL;
}

/* What OpenSM fell back to is another candidate, or nobody's wish. */
static int helps(const struct routing_search *s, const struct tried_routing *o)
{
	return o->err.code == SFAB_OK &&
	       strcmp(o->engine, s->c.list[o - s->of].wish.engine) == 0 &&
	       o->all_to_all < s->now.all_to_all * (1 - GAIN_LEAST);
}

/* OpenSM may refuse a candidate; what stops all is a missing program. */
static int try_routing(struct routing_search *s, uint32_t i, struct sfab_err *err)
{
	struct tried_routing *o = &s->of[i];
	struct wish wish = s->c.list[i].wish;
	struct sfab_fabric *f;
	int rc;

	wish.base_option = s->ask->base->base_option;
	f = route_wish(s, &wish, &o->err);
	if (!f && (o->err.code == SFAB_ENOENT || o->err.code == SFAB_ENOMEM)) {
		*err = o->err;
		return -1;
	}
	if (!f)
		return 0;
	rc = note_routing(s, o, f, err);
	if (rc == 0 && s->ask->snapshot && helps(s, o) &&
	    (!s->best || o->all_to_all < s->least)) {
		sfab_fabric_destroy(s->best);
		s->best = f;
		s->least = o->all_to_all;
		return 0;
	}
	sfab_fabric_destroy(f);
	return rc;
}

/* Those that help, by their slowdown; equal ones as they were tried. */
static void rank_routings(struct routing_search *s)
{
	for (uint32_t i = 0; i < s->c.n; i++) {
		if (!helps(s, &s->of[i]))
			continue;
		s->of[i].rank = 1;
		for (uint32_t k = 0; k < s->c.n; k++)
			s->of[i].rank += helps(s, &s->of[k]) &&
				(s->of[k].all_to_all < s->of[i].all_to_all ||
				 (s->of[k].all_to_all <= s->of[i].all_to_all && k < i));
	}
}

static void add_routing_row(struct table *t, const char *change,
			    const struct tried_routing *o)
{
	table_row(t);
	if (o->rank)
		table_count(t, R_RANK, o->rank);
	table_text(t, R_CHANGE, change);
	if (o->err.code != SFAB_OK) {
		table_text(t, R_PROBLEM, o->err.text);
		return;
	}
	table_text(t, R_ENGINE, o->engine);
	table_number(t, R_ALL_TO_ALL, o->all_to_all);
	table_number(t, R_BISECT, o->bisect);
	table_number(t, R_ROTATE, o->rotate);
	if (o->io_loss >= 0)
		table_number(t, R_IO_LOSS, o->io_loss);
}

/* By rank, then those that do not help, as they were tried. */
static struct table *routings_table(const struct routing_search *s)
{
	struct table *t = table_create(suggest_routing_columns);

	add_routing_row(t, "as it is", &s->now);
	for (uint32_t rank = 1; rank <= s->c.n; rank++)
		for (uint32_t i = 0; i < s->c.n; i++)
			if (s->of[i].rank == rank)
				add_routing_row(t, s->c.list[i].name, &s->of[i]);
	for (uint32_t i = 0; i < s->c.n; i++)
		if (!s->of[i].rank)
			add_routing_row(t, s->c.list[i].name, &s->of[i]);
	return t;
}

/* Text: what helps, before and after, and its command.  JSON: the same as a list. */
static void put_best_routings(const struct routing_search *s, struct answer *a)
{
	struct json_object *list = json_object_new_array();
	uint32_t n = 0;

	for (uint32_t rank = 1; rank <= BEST_ROUTINGS; rank++)
		for (uint32_t i = 0; i < s->c.n; i++) {
			struct json_object *o;
			char *command;

			if (s->of[i].rank != rank)
				continue;
			command = candidate_command(&s->c.list[i], s->ask->base,
						    s->ask->nodes, CANDIDATE_ONE_LINE);
			o = json_object_new_object();
			json_add(o, "rank", json_object_new_int64(rank));
			json_add(o, "change", json_object_new_string(s->c.list[i].name));
			json_add(o, "command", json_object_new_string(command));
			json_object_array_add(list, o);
			n++;
			if (!a->options->json)
				fprintf(a->out.file, "\n%u. %s: all-to-all %.2f to %.2f times "
					"as long as ideal\n   %s\n", rank, s->c.list[i].name,
					s->now.all_to_all, s->of[i].all_to_all, command);
			free(command);
		}
	if (!n && !a->options->json)
		fputs("\nnone of these spreads all-to-all better\n", a->out.file);
	json_add(a->report.data, "best", list);
}

static int save_best_routing(struct routing_search *s, struct sfab_err *err)
{
	int rc;

	if (!s->best)
		return sfab_fail(err, SFAB_ENOENT, "%s: not written: nothing helps",
				 s->ask->snapshot);
	rc = wish_save(s->best, s->ask->site->io, s->ask->snapshot, err);
	s->best = NULL;
	return rc;
}

int suggest_routing(const struct suggest_ask *ask, struct answer *a, struct sfab_err *err)
{
	struct routing_search s = { .ask = ask };
	const struct wish unchanged = { .base_option = ask->base->base_option };
	int rc = -1;

	s.rerouted = route_wish(&s, &unchanged, err);
	if (s.rerouted)
		rc = note_routing(&s, &s.now, s.rerouted, err);
	if (rc == 0)
		candidates_spreading(&s.c, s.now.engine, sfab_fabric_is_direct(ask->site->f));
	for (uint32_t i = 0; rc == 0 && i < s.c.n; i++)
		rc = try_routing(&s, i, err);
	if (rc == 0) {
		rank_routings(&s);
		agree(ask->site->f, s.rerouted, NULL, a);
		rc = answer_table(a, "tried", routings_table(&s), err);
	}
	if (rc == 0)
		put_best_routings(&s, a);
	if (rc == 0 && ask->snapshot)
		rc = save_best_routing(&s, err);
	candidates_free(&s.c);
	sfab_fabric_destroy(s.rerouted);
	sfab_fabric_destroy(s.best);
	return rc;
}
