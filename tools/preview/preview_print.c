/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preview_print.c - a preview as tables and as JSON; see preview.h
 *
 * Each table is described once by its columns; text and JSON are two ways to print
 * it.
 */

#include "tools/preview/preview.h"

#include <stdlib.h>
#include <string.h>

#include "tools/site/hosts.h"
#include "tools/ui/link_columns.h"
#include "tools/ui/printable.h"
#include "tools/ui/say.h"
#include "tools/ui/table.h"

#define GB 1e9
#define LINE 78			/* characters of wrapped text */
#define LINKS_SHOWN 5

enum { P_CLASS, P_PATTERN, P_DIRECTION, P_MAXMIN, P_LOCKSTEP, P_IDEAL, P_SHARE, P_SLOW,
       P_CORE, P_AMONG };

static const struct column predicted_columns[] = {
	{ "class", "class of traffic", COLUMN_TEXT, 0, SHOWN },
	{ "pattern", "pattern of mpi, if given", COLUMN_TEXT, 0, SHOWN },
	{ "direction", "write, read or exchange", COLUMN_TEXT, 0, SHOWN },
	{ "maxmin_gbs", "independent flows", COLUMN_NUMBER, 1, SHOWN },
	{ "lockstep_gbs", "all flows at one rate", COLUMN_NUMBER, 1, SHOWN },
	{ "ideal_gbs", "without switch-to-switch links",
	  COLUMN_NUMBER, 1, SHOWN },
	{ "ideal_share", "lockstep / ideal", COLUMN_NUMBER, 2, SHOWN },
	{ "slowdown", "ideal / lockstep", COLUMN_NUMBER, 2, SHOWN },
	{ "core_gbs", "lockstep of each of the job's cores",
	  COLUMN_NUMBER, 3, SHOWN },
	{ "among_gbs", "independent flows beside the running jobs",
	  COLUMN_NUMBER, 1, SHOWN },
	{ 0 }
};

enum { T_NAME, T_VALUE, T_WEIGHT };

static const struct column term_columns[] = {
	{ "name", "term of the score", COLUMN_TEXT, 0, SHOWN },
	{ "value", "nodes lost", COLUMN_NUMBER, 4, SHOWN },
	{ "weight", "its weight", COLUMN_NUMBER, 2, SHOWN },
	{ 0 }
};

enum { L_TERM, L_NODES, L_WEIGHT, L_MEANING };

static const struct column loss_columns[] = {
	{ "term", "of the score", COLUMN_TEXT, 0, SHOWN },
	{ "nodes", "that are lost", COLUMN_NUMBER, 3, SHOWN },
	{ "weight", "unless it is 1", COLUMN_NUMBER, 2, SHOWN_IF_ANY },
	{ "meaning", "who loses them", COLUMN_TEXT, 0, SHOWN },
	{ 0 }
};

enum {
	K_LINK, K_LOAD = K_LINK + LINK_NCOLUMNS, K_BACKGROUND, K_CAPACITY,
};

static const struct column link_columns[] = {
	LINK_COLUMNS,
	{ "load_gbs", "GB/s that the job asks of it, as a mean over time", COLUMN_NUMBER, 2, SHOWN },
	{ "background_gbs", "the same of all others", COLUMN_NUMBER, 2, SHOWN },
	{ "capacity_gbs", "its capacity", COLUMN_NUMBER, 2, SHOWN },
	{ 0 }
};

static void class_cells(struct table *t, const struct sfab_prediction *x,
			unsigned class, unsigned pattern)
{
	table_text(t, class, sfab_class_name(x->class));
	if (x->pattern != SFAB_PATTERN_MIX)
		table_text(t, pattern, sfab_traffic_word(x->class, x->pattern));
}

/*
 * @cores: of the whole job; 0: not given.  @first is the column where a
 * prediction begins: the same cells are in two tables.
 */
static void predicted_row(struct table *t, const struct sfab_prediction *x,
			  double cores, unsigned first)
{
	class_cells(t, x, first + P_CLASS, first + P_PATTERN);
	table_text(t, first + P_DIRECTION, preview_direction(x->class));
	table_number(t, first + P_MAXMIN, x->maxmin / GB);
	table_number(t, first + P_LOCKSTEP, x->lockstep / GB);
	table_number(t, first + P_IDEAL, x->ideal / GB);
	table_number(t, first + P_SHARE, x->ideal_share);
	table_number(t, first + P_SLOW, x->slowdown);
	if (cores > 0)
		table_number(t, first + P_CORE, x->lockstep / GB / cores);
}

/* At most @most links, fullest first.  Caller frees. */
static struct table *links_table(const struct preview_context *p,
				 const struct preview *v, uint32_t most)
{
	const struct sfab_fabric *f = p->site.f;
	struct table *t = table_create(link_columns);

	for (uint32_t i = 0; i < v->nlinks && i < most; i++) {
		const struct preview_link *x = &v->link[i];

		table_row(t);
		link_cells(t, K_LINK, f, x->link);
		table_number(t, K_LOAD, x->load / GB);
		table_number(t, K_BACKGROUND, x->background / GB);
		table_number(t, K_CAPACITY, f->links[x->link].capacity / GB);
	}
	return t;
}

static struct json_object *predicted_json(const struct preview_context *p,
					  const struct preview *v)
{
	struct table *t = table_create(predicted_columns);

	for (uint32_t i = 0; i < v->nparts; i++) {
		table_row(t);
		predicted_row(t, &v->part[i], p->cores * v->choice.n, 0);
		if (v->maxmin > 0)
			table_number(t, P_AMONG, v->among[i] / GB);
	}
	return table_take_json(t);
}

/* A max-min slowdown of 0 was not computed (too many flows) and is null. */
static struct json_object *score_json(const struct preview *v)
{
	struct json_object *score = json_object_new_object();
	struct table *terms = table_create(term_columns);

	for (int i = 0; i < SFAB_NTERMS; i++) {
		table_row(terms);
		table_text(terms, T_NAME, sfab_term_name(i));
		table_number(terms, T_VALUE, v->choice.score.term[i]);
		table_number(terms, T_WEIGHT, v->choice.score.weight[i]);
	}
	json_add(score, "total", json_number(v->choice.score.total));
	json_add(score, "terms", table_take_json(terms));
	json_add(score, "leaves",
		 json_object_new_uint64(v->choice.score.leaves));
	json_add(score, "slowdown", json_number(v->choice.score.slowdown));
	json_add(score, "slowdown_maxmin",
		 v->maxmin > 0 ? json_number(v->maxmin) : NULL);
	return score;
}

static struct json_object *nodes_json(const struct preview_context *p,
				      const struct preview *v)
{
	char *list = hosts_fold(p->site.f, v->choice.host, v->choice.n);
	struct json_object *value = json_name(list);

	free(list);
	return value;
}

static void add_steps(struct json_object *to, const struct preview_context *p,
		      const struct preview *v)
{
	if (v->in_steps)
		json_add(to, "steps", table_take_json(preview_steps_table(p, v)));
}

static struct json_object *other_json(const struct preview_context *p,
				      const struct preview *v)
{
	struct json_object *other = json_object_new_object();

	json_add(other, "name", json_object_new_string(v->name));
	json_add(other, "nodes", nodes_json(p, v));
	json_add(other, "score", score_json(v));
	json_add(other, "certificate", preview_certificate_json(p, v));
	json_add(other, "predicted", predicted_json(p, v));
	add_steps(other, p, v);
	return other;
}

void preview_json(const struct preview_context *p, const struct preview *v,
		  const struct preview *other, uint32_t nothers,
		  struct json_object *data)
{
	struct json_object *names = json_object_new_array();
	struct json_object *others = json_object_new_array();
	char traffic[1024];

	for (uint32_t i = 0; i < v->choice.n; i++)
		json_object_array_add(names, json_name(
			p->site.f->hosts[v->choice.host[i]].name));
	for (uint32_t i = 0; i < nothers; i++)
		json_object_array_add(others, other_json(p, &other[i]));
	sfab_traffic_text(&p->traffic, traffic, sizeof(traffic));
	json_add(data, "traffic", json_name(traffic));
	json_add(data, "nodes", nodes_json(p, v));
	json_add(data, "node_list", names);
	json_add(data, "score", score_json(v));
	json_add(data, "certificate", preview_certificate_json(p, v));
	json_add(data, "predicted", predicted_json(p, v));
	if (v->choice.most > v->choice.n) {
		struct json_object *range = json_object_new_object();

		json_add(range, "most", json_object_new_uint64(v->choice.most));
		json_add(range, "lost", json_number(v->choice.most_lost));
		json_add(data, "range", range);
	}
	if (v->advice.own.n)
		json_add(data, "sizes", advice_json(&v->advice));
	add_steps(data, p, v);
	json_add(data, "worst_links",
		 table_take_json(links_table(p, v, PREVIEW_LINKS)));
	json_add(data, "alternatives", others);
}

/*
 * A hostlist in lines of at most LINE characters, broken after commas.  Two
 * blanks stand before each line.
 */
static void put_wrapped_hostlist(const char *text, FILE *out)
{
	size_t column = 0;

	for (size_t n; *text; text += n) {
		n = strcspn(text, ",");
		n += text[n] == ',';
		if (column && column + n > LINE - 2) {
			fputc('\n', out);
			column = 0;
		}
		fprintf(out, "%s%.*s", column ? "" : "  ", (int) n, text);
		column += n;
	}
	fputc('\n', out);
}

static void put_number(uint32_t n, const char *one, const char *many, FILE *out)
{
	fprintf(out, "%u %s", n, n == 1 ? one : many);
}

/* One line: who chose, for what traffic, and the state of the machine. */
static void put_heading(const struct preview_context *p, const struct preview *v,
			FILE *out)
{
	char *engine = printable(p->site.f->planes[0].engine, 0);
	char text[1024], *traffic;

	traffic = printable(sfab_traffic_text(&p->traffic, text, sizeof(text)),
			    0);
	fprintf(out, "%s: ", v->name);
	put_number(v->choice.n, "host", "hosts", out);
	fputs(" on ", out);
	put_number(v->choice.score.leaves, "leaf", "leaves", out);
	fprintf(out, " for %s (", *traffic ? traffic : "no traffic");
	if (p->navail)
		put_number(p->navail, "host", "hosts", out);
	fputs(p->navail ? " free, " : "what was free is not known, ", out);
	put_number(p->list.n, "job", "jobs", out);
	fprintf(out, " running%s%s)\n", *engine ? ", routed by " : "", engine);
	free(engine);
	free(traffic);
}

enum { A_CHOICE, A_CLASS, A_PATTERN, A_RATE, A_LOCKSTEP, A_MAXMIN };

static const struct column among_columns[] = {
	{ "choice", "who chose", COLUMN_TEXT, 0, SHOWN },
	{ "class", "class of traffic", COLUMN_TEXT, 0, SHOWN },
	{ "pattern", "pattern of mpi, if given", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ "gb/s", "independent flows of this class", COLUMN_NUMBER, 1, SHOWN },
	{ "lockstep", "slowdown of the job, all flows at one rate",
	  COLUMN_NUMBER, 2, SHOWN },
	{ "max-min", "slowdown of the job, independent flows",
	  COLUMN_NUMBER, 2, SHOWN },
	{ 0 }
};

enum { C_CHOICE, C_LEAVES, C_SCORE, C_PREDICTED };

static const struct column choice_columns[] = {
	{ "choice", "who chose", COLUMN_TEXT, 0, SHOWN },
	{ "leaves", "leaf switches used", COLUMN_COUNT, 0, SHOWN },
	{ "score", "nodes lost", COLUMN_NUMBER, 3, SHOWN },
	{ "class", "class of traffic", COLUMN_TEXT, 0, SHOWN },
	{ "pattern", "pattern of mpi, if given", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ "direction", "write, read or exchange",
	  COLUMN_TEXT, 0, SHOWN_IF_ASKED },
	{ "max-min", "GB/s of independent flows", COLUMN_NUMBER, 1, SHOWN },
	{ "lockstep", "GB/s of all flows at one rate",
	  COLUMN_NUMBER, 1, SHOWN },
	{ "ideal", "GB/s without switch-to-switch links",
	  COLUMN_NUMBER, 1, SHOWN },
	{ "share", "lockstep / ideal", COLUMN_NUMBER, 2, SHOWN },
	{ "slowdown", "ideal / lockstep", COLUMN_NUMBER, 2, SHOWN },
	{ "core", "GB/s of each of the job's cores, lockstep",
	  COLUMN_NUMBER, 3, SHOWN_IF_ANY },
	{ 0 }
};

/* One row for each class of traffic; a job that sends nothing has one, too. */
static void choice_rows(struct table *t, const struct preview_context *p,
			const struct preview *v)
{
	uint32_t n = v->nparts ? v->nparts : 1;

	for (uint32_t i = 0; i < n; i++) {
		table_row(t);
		table_text(t, C_CHOICE, v->name);
		table_count(t, C_LEAVES, v->choice.score.leaves);
		table_number(t, C_SCORE, v->choice.score.total);
		if (i < v->nparts)
			predicted_row(t, &v->part[i], p->cores * v->choice.n,
				      C_PREDICTED);
	}
}

/* The chosen set is the first row, then the policies in the caller's order. */
static int put_choices(const struct preview_context *p, const struct preview *v,
		       const struct preview *other, uint32_t nothers, FILE *out,
		       struct sfab_err *err)
{
	struct table *t = table_create(choice_columns);
	struct table_view view = { 0 };
	int rc;

	choice_rows(t, p, v);
	for (uint32_t i = 0; i < nothers; i++)
		choice_rows(t, p, &other[i]);
	fputs("\nThroughput in GB/s, the job alone\n", out);
	rc = table_print(t, &view, out, err);
	table_destroy(t);
	return rc;
}

/* One row for each class; the slowdowns are those of the whole job, in the first. */
static void among_rows(struct table *t, const struct preview *v)
{
	uint32_t n = v->nparts ? v->nparts : 1;

	for (uint32_t i = 0; i < n; i++) {
		table_row(t);
		table_text(t, A_CHOICE, v->name);
		if (i < v->nparts)
			class_cells(t, &v->part[i], A_CLASS, A_PATTERN);
		if (i == 0)
			table_number(t, A_LOCKSTEP, v->choice.score.slowdown);
		if (!(v->maxmin > 0))
			continue;
		table_number(t, A_RATE, v->among[i] / GB);
		if (i == 0)
			table_number(t, A_MAXMIN, v->maxmin);
	}
}

/* Left out on an idle machine: all values would be those of the job alone. */
static int put_among(const struct preview_context *p, const struct preview *v,
		     const struct preview *other, uint32_t nothers, FILE *out,
		     struct sfab_err *err)
{
	struct table *t = table_create(among_columns);
	struct table_view view = { 0 };
	int rc = 0;

	among_rows(t, v);
	for (uint32_t i = 0; i < nothers; i++)
		among_rows(t, &other[i]);
	if (p->list.n) {
		fputs("\nAmong the running jobs: throughput in GB/s, and slowdown "
		      "of the whole job, 1 is none\n", out);
		rc = table_print(t, &view, out, err);
	}
	table_destroy(t);
	return rc;
}

static int put_links(const struct preview_context *p, const struct preview *v, FILE *out,
		     struct sfab_err *err)
{
	struct table *t = links_table(p, v, LINKS_SHOWN);
	struct table_view view = { 0 };
	int rc = 0;

	if (v->nlinks) {
		fputs("\nFullest links between switches\n", out);
		rc = table_print(t, &view, out, err);
	}
	table_destroy(t);
	return rc;
}

/* Terms that add nothing to the score are left out, as are weights of 1. */
static int put_score(const struct preview *v, FILE *out, struct sfab_err *err)
{
	static const char *const meaning[SFAB_NTERMS] = {
		[SFAB_TERM_OWN] = "what the job loses itself",
		[SFAB_TERM_OTHERS] = "what running jobs lose to it",
		[SFAB_TERM_LATER] = "what the free hosts left are worth less to later jobs",
	};
	const struct sfab_score *s = &v->choice.score;
	struct table *t = table_create(loss_columns);
	struct table_view view = { 0 };
	int rc = 0;

	for (int i = 0; i < SFAB_NTERMS; i++) {
		if (s->term[i] * s->weight[i] == 0)
			continue;
		table_row(t);
		table_text(t, L_TERM, sfab_term_name(i));
		table_number(t, L_NODES, s->term[i]);
		if (s->weight[i] != 1)
			table_number(t, L_WEIGHT, s->weight[i]);
		table_text(t, L_MEANING, meaning[i]);
	}
	fprintf(out, "\nScore %.3f: nodes lost, 0 is perfect\n", s->total);
	if (s->total != 0)
		rc = table_print(t, &view, out, err);
	table_destroy(t);
	return rc;
}

/*
 * From what a user wants to know first, the hosts, to what an administrator
 * looks up.
 */
int preview_text(const struct preview_context *p, const struct preview *v,
		 const struct preview *other, uint32_t nothers, FILE *out,
		 struct sfab_err *err)
{
	char *list;
	char *text;

	put_heading(p, v, out);
	list = hosts_fold(p->site.f, v->choice.host, v->choice.n);
	text = printable(list, 0);
	put_wrapped_hostlist(text, out);
	free(text);
	free(list);
	preview_certificate_text(p, v, out);
	/* Why a job of a range has fewer nodes than there are. */
	if (v->choice.most > v->choice.n)
		fprintf(out, "%u of up to %u nodes: with %u it would end no sooner, and lose "
			"%.3f nodes\n", v->choice.n, v->choice.most, v->choice.most,
			v->choice.most_lost);
	advice_text(&v->advice, out);
	if (put_choices(p, v, other, nothers, out, err) != 0 ||
	    preview_steps_text(p, v, other, nothers, out, err) != 0 ||
	    put_among(p, v, other, nothers, out, err) != 0 ||
	    put_score(v, out, err) != 0)
		return -1;
	return put_links(p, v, out, err);
}
