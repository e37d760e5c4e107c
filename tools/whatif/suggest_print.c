/* SPDX-License-Identifier: GPL-2.0-or-later */
/* suggest_print.c - what was tried, and the results; see suggest.h */

#include "tools/whatif/suggest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ui/printable.h"

#define MIXED_MORE 0.1		/* of the routes: worth a word */

const struct column suggest_columns[] = {
	{ "rank", "1 is best; none: no improvement", COLUMN_COUNT, 0,
	  SHOWN },
	{ "change", "what was tried", COLUMN_TEXT, 0, SHOWN },
	{ "cables", "to plug in elsewhere", COLUMN_COUNT, 0, SHOWN },
	{ "engine", "that OpenSM really used", COLUMN_TEXT, 0, SHOWN },
	{ "gbs", "what the hosts of the finding get, max-min", COLUMN_NUMBER, 1,
	  SHOWN_IF_ANY },
	{ "lockstep_gbs", "likewise, all at one rate", COLUMN_NUMBER, 1, SHOWN },
	{ "possible_gbs", "what cables and servers could carry", COLUMN_NUMBER,
	  1, SHOWN_IF_ASKED },
	{ "loss", "share of the possible rate that is lost, at the worst IO set and "
		  "class",
	  COLUMN_NUMBER, 2, SHOWN },
	{ "bisect", "mean share when all send, random halves", COLUMN_NUMBER, 2,
	  SHOWN },
	{ "rotate", "likewise, rotations", COLUMN_NUMBER, 2, SHOWN },
	{ "mixed", "share of the routes between compute hosts that cross links "
		   "by which hosts write to the IO set", COLUMN_NUMBER, 2, SHOWN },
	{ "problem", "why OpenSM did not route it", COLUMN_TEXT, 0,
	  SHOWN_IF_ANY },
	{ 0 }
};

/*
 * Is @x to stand before @y?  Candidates that gain are sorted by score, then by cables; the
 * others stay in the order in which they were tried.
 */
static int is_better_candidate(const struct candidate *x, const struct candidate *y)
{
	const struct change_outcome *a = &x->outcome, *b = &y->outcome;

	if (a->gains != b->gains || !a->gains)
		return a->gains > b->gains;
	if (a->score < b->score || a->score > b->score)
		return a->score < b->score;
	return x->cables < y->cables;
}

/* Add the row of a candidate.  One that was not routed has a reason and no numbers. */
static void add_tried(struct table *t, const char *name, uint32_t cables,
		      const struct change_outcome *o)
{
	table_row(t);
	table_text(t, "change", name);
	table_count(t, "cables", cables);
	if (o->err.code != SFAB_OK) {
		table_text(t, "problem", o->err.text);
		return;
	}
	table_text(t, "engine", o->engine);
	if (o->gbs > 0)
		table_gbs(t, "gbs", o->gbs);
	table_gbs(t, "lockstep_gbs", o->lockstep);
	table_gbs(t, "possible_gbs", o->possible);
	table_number(t, "loss", o->loss);
	table_number(t, "bisect", o->bisect);
	table_number(t, "rotate", o->rotate);
	table_number(t, "mixed", o->mixed);
}

static struct table *tried_table(const struct suggest_search *s)
{
	struct table *t = table_create(suggest_columns);

	if (s->differs)
		add_tried(t, "tables of the snapshot", 0, &s->snapshot);
	add_tried(t, "as it is", 0, &s->as_is);
	for (uint32_t i = 0; i < s->c.n; i++) {
		const struct candidate *c = &s->c.list[i];

		add_tried(t, c->name, c->cables, &c->outcome);
		if (i < s->ngains)
			table_count(t, "rank", i + 1);
	}
	return t;
}

static void print_suggest_finding(const struct suggest_search *s, FILE *out)
{
	const struct sfab_io_rate *r = s->finding;
	char *set = printable(s->site->io->set[r->set].name, 0);
	char *first = printable(s->rerouted->hosts[r->host].name, 0);
	char *last = printable(s->rerouted->hosts[r->last].name, 0);
	const struct change_outcome *as_is = &s->as_is;

	fprintf(out, "%s of %s: %u hosts, %s to %s, get %.1f of %.1f GB/s that "
		"are possible\n", sfab_class_name(r->class), set, r->n, first,
		last, (as_is->gbs > 0 ? as_is->gbs : as_is->lockstep) / SFAB_GB,
		as_is->possible / SFAB_GB);
	if (as_is->loss < SFAB_AUDIT_LOSS)
		fprintf(out, "IO loses less than a tenth: there is nothing to fix\n");
	fputc('\n', out);
	free(set);
	free(first);
	free(last);
}

/* Print the price of the changes that are shown: MPI shares links with writes. */
static void print_mixing(const struct suggest_search *s, FILE *out)
{
	double max = s->as_is.mixed;

	for (uint32_t i = 0; i < s->nshown; i++)
		max = fmax(max, s->c.list[s->shown[i]].outcome.mixed);
	if (max < s->as_is.mixed + MIXED_MORE)
		return;
	fprintf(out, "\nup to %.0f %% of the routes between compute hosts then cross "
		"links by which hosts\nwrite (now %.0f %%). If servers hold data back "
		"(IoServers=held) and jobs write more\nthan they take, MPI jobs on "
		"these links nearly stop. See\nsfabric-whatif(1).\n", 100 * max,
		100 * s->as_is.mixed);
}

/* Print the commands of the best candidates, and what to set in opensm.conf for them. */
static void print_best(const struct suggest_search *s, FILE *out)
{
	for (uint32_t i = 0; i < s->nshown; i++) {
		const struct candidate *c = &s->c.list[s->shown[i]];
		char *command = candidate_command(c, s->request.base,
						  s->nodes,
						  CANDIDATE_LINES);
		char *conf = changes_conf(&c->changes, ", ", CANDIDATE_GUID_FILE);

		fprintf(out, "\n%u. %s:\n   %s\n", s->shown[i] + 1, c->name, command);
		if (*conf)
			fprintf(out, "   in opensm.conf: %s\n", conf);
		if (changes_have_guids(&c->changes))
			fputs("   port GUIDs: " CANDIDATE_GUID_COMMAND "\n", out);
		free(command);
		free(conf);
	}
	if (s->c.n && !s->ngains)
		fputs("\nnone of these fixes it\n", out);
	for (uint32_t i = 0; i < s->ngains; i++)
		if (strstr(s->c.list[i].name, "dfsssp")) {
			fputs("\ndfsssp takes virtual lanes, and works for programs only that ask "
			      "the subnet manager\nfor paths. See ROUTING ENGINES in "
			      "sfabric-whatif(1).\n", out);
			break;
		}
}

static struct json_object *best_json(const struct suggest_search *s, uint32_t rank)
{
	const struct candidate *c = &s->c.list[rank];
	struct json_object *o = json_object_new_object();
	char *command = candidate_command(c, s->request.base, s->nodes,
					  CANDIDATE_ONE_LINE);
	char *conf = changes_conf(&c->changes, "\n", CANDIDATE_GUID_FILE);

	json_add(o, "rank", json_object_new_int64(rank + 1));
	json_add(o, "change", json_object_new_string(c->name));
	json_add(o, "command", json_object_new_string(command));
	json_add(o, "opensm_conf", json_object_new_string(conf));
	json_add(o, "guids_command", changes_have_guids(&c->changes) ?
		 json_object_new_string(CANDIDATE_GUID_COMMAND) : NULL);
	json_add(o, "moves", json_object_get(c->moves));
	free(command);
	free(conf);
	return o;
}

/*
 * Sort the candidates, and choose those to show.  If the first ones are all of one kind, moves
 * or options of OpenSM, the last one shown is of the other kind, if any of these gains too.
 * Somebody who may not touch cables, or may not touch OpenSM, still finds something to do.
 */
static void choose_candidates(struct suggest_search *s)
{
	struct candidate *list = s->c.list;
	uint32_t other = 1;

	/* Insertion sort: there are at most CANDIDATES_MAX. */
	for (uint32_t i = 0; i < s->c.n; i++) {
		struct candidate moved = list[i];
		uint32_t k = i;

		for (; k && is_better_candidate(&moved, &list[k - 1]); k--)
			list[k] = list[k - 1];
		list[k] = moved;
		s->ngains += (uint32_t) moved.outcome.gains;
	}
	for (; s->nshown < s->ngains && s->nshown < SUGGEST_BEST; s->nshown++)
		s->shown[s->nshown] = s->nshown;
	while (other < s->ngains && !list[other].cables == !list[0].cables)
		other++;
	if (other < s->ngains && other >= SUGGEST_BEST)
		s->shown[SUGGEST_BEST - 1] = other;
}

int suggest_print(struct suggest_search *s, struct answer *a, struct sfab_err *err)
{
	choose_candidates(s);
	if (a->options->json) {
		struct json_object *list = json_object_new_array(), *o = json_object_new_object();
		const struct sfab_io_rate *r = s->finding;

		for (uint32_t i = 0; i < s->nshown; i++)
			json_object_array_add(list, best_json(s, s->shown[i]));
		json_add(o, "set", json_name(s->site->io->set[r->set].name));
		json_add(o, "class", json_object_new_string(sfab_class_name(r->class)));
		json_add(o, "hosts", json_object_new_int64(r->n));
		json_add(o, "first", json_name(s->rerouted->hosts[r->host].name));
		json_add(o, "last", json_name(s->rerouted->hosts[r->last].name));
		json_add(a->reply.data, "finding", o);
		json_add(a->reply.data, "best", list);
		return answer_table(a, "tried", tried_table(s), err);
	}
	print_suggest_finding(s, a->out.file);
	if (answer_table(a, "tried", tried_table(s), err) != 0)
		return -1;
	print_best(s, a->out.file);
	print_mixing(s, a->out.file);
	return 0;
}
