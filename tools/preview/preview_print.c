/* SPDX-License-Identifier: GPL-2.0-or-later */
/* preview_print.c - a preview next to other choices, as text and as JSON; see preview.h */

#include "tools/preview/preview.h"

#include <stdlib.h>
#include <string.h>

#include "tools/site/hosts.h"
#include "tools/ui/answer.h"
#include "tools/ui/link_columns.h"
#include "tools/ui/printable.h"

#define LINE_CHARS 78		/* of wrapped text */
#define LINKS_SHOWN 5

static const struct column loss_columns[] = {
	{ "term", "of the score", COLUMN_TEXT, 0, SHOWN },
	{ "nodes", "that are lost", COLUMN_NUMBER, 3, SHOWN },
	{ "weight", "unless it is 1", COLUMN_NUMBER, 2, SHOWN_IF_ANY },
	{ "meaning", "who loses them", COLUMN_TEXT, 0, SHOWN },
	{ 0 }
};

static const struct column link_columns[] = {
	LINK_COLUMNS,
	{ "load_gbs", "GB/s that the job asks of it, as a mean over time", COLUMN_NUMBER, 2,
	  SHOWN },
	{ "background_gbs", "the same of all others", COLUMN_NUMBER, 2, SHOWN },
	{ "capacity_gbs", "its capacity", COLUMN_NUMBER, 2, SHOWN },
	{ 0 }
};

/* Return the word for a pattern; NULL: none was given. */
static const char *pattern_word(const struct sfab_prediction *x)
{
	return x->pattern != SFAB_PATTERN_MIX ? sfab_traffic_word(x->class, x->pattern) : NULL;
}

static void set_class_cells(struct table *t, const struct sfab_prediction *x)
{
	table_text(t, "class", sfab_class_name(x->class));
	table_text(t, "pattern", pattern_word(x));
}

/* List at most @max links, fullest first.  Caller frees. */
static struct table *links_table(const struct preview_context *p,
				 const struct preview *v, uint32_t max)
{
	struct table *t = table_create(link_columns);

	for (uint32_t i = 0; i < v->nlinks && i < max; i++) {
		const struct preview_link *x = &v->link[i];

		table_row(t);
		link_columns_cells(t, p->site.f, x->link);
		table_gbs(t, "load_gbs", x->load);
		table_gbs(t, "background_gbs", x->background);
	}
	return t;
}

/* Count the job's cores on all of its hosts; 0: not given. */
static double cores_of_job(const struct preview_context *p, const struct preview *v)
{
	return p->cores * v->choice.n;
}

/*
 * List the predictions, one for each part of the traffic.  Rates among running jobs are null if
 * not all of these are known.
 */
static struct json_object *predicted_json(const struct preview_context *p,
					  const struct preview *v)
{
	struct json_object *rows = json_object_new_array();
	double cores = cores_of_job(p, v);

	for (uint32_t i = 0; i < v->nparts; i++) {
		const struct sfab_prediction *x = &v->part[i];
		struct json_object *row = json_object_new_object();

		json_add(row, "class", json_name(sfab_class_name(x->class)));
		json_add(row, "pattern", json_name(pattern_word(x)));
		json_add(row, "direction", json_name(
			x->class == SFAB_IO_WRITE ? "write" :
			x->class == SFAB_IO_READ ? "read" : "exchange"));
		json_add(row, "maxmin_gbs", json_gbs(x->maxmin));
		json_add(row, "lockstep_gbs", json_gbs(x->lockstep));
		json_add(row, "ideal_gbs", json_gbs(x->ideal));
		json_add(row, "ideal_share", json_number(x->ideal_share));
		json_add(row, "slowdown", json_number(x->slowdown));
		json_add(row, "core_gbs", cores > 0 ?
			 json_number(x->lockstep / SFAB_GB / cores) : NULL);
		json_add(row, "among_gbs", v->maxmin > 0 ?
			 json_gbs(v->rate[i]) : NULL);
		json_object_array_add(rows, row);
	}
	return rows;
}

/* Make the score as JSON.  A max-min slowdown of 0 was not computed (too many flows): null. */
static struct json_object *score_json(const struct preview *v)
{
	struct json_object *score = json_object_new_object();
	struct json_object *terms = json_object_new_array();

	for (int i = 0; i < SFAB_NTERMS; i++) {
		struct json_object *term = json_object_new_object();

		json_add(term, "name", json_name(sfab_term_name(i)));
		json_add(term, "value", json_number(v->choice.score.term[i]));
		json_add(term, "weight", json_number(v->choice.score.weight[i]));
		json_object_array_add(terms, term);
	}
	json_add(score, "total", json_number(v->choice.score.total));
	json_add(score, "terms", terms);
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

static void add_steps_json(struct json_object *object, const struct preview_context *p,
			   const struct preview *v)
{
	if (v->has_steps)
		json_add(object, "steps", table_take_json(preview_steps_table(p, v)));
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
	add_steps_json(other, p, v);
	return other;
}

/* Add @shown[0], and the others as alternatives. */
static void add_preview_json(const struct preview_context *p, const struct preview *shown,
			     uint32_t n, struct json_object *data)
{
	struct json_object *names = json_object_new_array();
	struct json_object *others = json_object_new_array();
	const struct preview *v = shown;
	char traffic[1024];

	for (uint32_t i = 0; i < v->choice.n; i++)
		json_object_array_add(names, json_name(
			p->site.f->hosts[v->choice.host[i]].name));
	for (uint32_t i = 1; i < n; i++)
		json_object_array_add(others, other_json(p, &shown[i]));
	sfab_traffic_text(&p->traffic, traffic, sizeof(traffic));
	json_add(data, "traffic", json_name(traffic));
	json_add(data, "nodes", nodes_json(p, v));
	json_add(data, "node_list", names);
	json_add(data, "score", score_json(v));
	json_add(data, "certificate", preview_certificate_json(p, v));
	json_add(data, "predicted", predicted_json(p, v));
	if (v->choice.max_n > v->choice.n) {
		struct json_object *range = json_object_new_object();

		json_add(range, "most", json_object_new_uint64(v->choice.max_n));
		json_add(range, "lost", json_number(v->choice.lost_at_max));
		json_add(data, "range", range);
	}
	if (v->advice.current.n)
		json_add(data, "sizes", advice_json(&v->advice));
	add_steps_json(data, p, v);
	json_add(data, "worst_links",
		 table_take_json(links_table(p, v, PREVIEW_LINKS)));
	json_add(data, "alternatives", others);
}

/*
 * Print a hostlist in lines of at most LINE_CHARS, broken after commas.  Two blanks stand
 * before each line.
 */
static void print_wrapped_hostlist(const char *text, FILE *out)
{
	size_t column = 0;

	for (size_t n; *text; text += n) {
		n = strcspn(text, ",");
		n += text[n] == ',';
		if (column && column + n > LINE_CHARS - 2) {
			fputc('\n', out);
			column = 0;
		}
		fprintf(out, "%s%.*s", column ? "" : "  ", (int) n, text);
		column += n;
	}
	fputc('\n', out);
}

static void print_plural(uint32_t n, const char *one, const char *many, FILE *out)
{
	fprintf(out, "%u %s", n, n == 1 ? one : many);
}

/* Print one line: who chose, for what traffic, and the state of the machine. */
static void print_preview_heading(const struct preview_context *p, const struct preview *v,
				  FILE *out)
{
	char *engine = printable(p->site.f->planes[0].engine, 0);
	char text[1024], *traffic;

	traffic = printable(sfab_traffic_text(&p->traffic, text, sizeof(text)),
			    0);
	fprintf(out, "%s: ", v->name);
	print_plural(v->choice.n, "host", "hosts", out);
	fputs(" on ", out);
	print_plural(v->choice.score.leaves, "leaf", "leaves", out);
	fprintf(out, " for %s (", *traffic ? traffic : "no traffic");
	if (p->navail)
		print_plural(p->navail, "host", "hosts", out);
	fputs(p->navail ? " free, " : "what was free is not known, ", out);
	print_plural(p->list.n, "job", "jobs", out);
	fprintf(out, " running%s%s)\n", *engine ? ", routed by " : "", engine);
	free(engine);
	free(traffic);
}

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

static const struct column choice_columns[] = {
	{ "choice", "who chose", COLUMN_TEXT, 0, SHOWN },
	{ "leaves", "leaf switches used", COLUMN_COUNT, 0, SHOWN },
	{ "score", "nodes lost", COLUMN_NUMBER, 3, SHOWN },
	{ "class", "class of traffic", COLUMN_TEXT, 0, SHOWN },
	{ "pattern", "pattern of mpi, if given", COLUMN_TEXT, 0, SHOWN_IF_ANY },
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

/* Add one row for each class of traffic; a job that sends nothing has one, too. */
static void add_choice_rows(struct table *t, const struct preview_context *p,
			    const struct preview *v)
{
	uint32_t n = v->nparts ? v->nparts : 1;
	double cores = cores_of_job(p, v);

	for (uint32_t i = 0; i < n; i++) {
		const struct sfab_prediction *x = &v->part[i];

		table_row(t);
		table_text(t, "choice", v->name);
		table_count(t, "leaves", v->choice.score.leaves);
		table_number(t, "score", v->choice.score.total);
		if (!v->nparts)
			continue;
		set_class_cells(t, x);
		table_gbs(t, "max-min", x->maxmin);
		table_gbs(t, "lockstep", x->lockstep);
		table_gbs(t, "ideal", x->ideal);
		table_number(t, "share", x->ideal_share);
		table_number(t, "slowdown", x->slowdown);
		if (cores > 0)
			table_number(t, "core", x->lockstep / SFAB_GB / cores);
	}
}

/* Add one row for each class; the slowdowns are those of the whole job, in the first. */
static void add_running_rows(struct table *t, const struct preview *v)
{
	uint32_t n = v->nparts ? v->nparts : 1;

	for (uint32_t i = 0; i < n; i++) {
		table_row(t);
		table_text(t, "choice", v->name);
		if (v->nparts)
			set_class_cells(t, &v->part[i]);
		if (i == 0)
			table_number(t, "lockstep", v->choice.score.slowdown);
		if (!(v->maxmin > 0))
			continue;
		table_gbs(t, "gb/s", v->rate[i]);
		if (i == 0)
			table_number(t, "max-min", v->maxmin);
	}
}

/*
 * Print tables of all choices: the chosen set is the first row, then the policies in the
 * caller's order.  On an idle machine the second is left out: all values would be those of the
 * job alone.
 */
static void print_policy_choices(const struct preview_context *p, const struct preview *shown,
				 uint32_t n, FILE *out)
{
	struct table *alone = table_create(choice_columns);

	for (uint32_t i = 0; i < n; i++)
		add_choice_rows(alone, p, &shown[i]);
	fputs("\nThroughput in GB/s, the job alone\n", out);
	table_take_print(alone, out);
	preview_steps_print(p, shown, n, out);
	if (p->list.n) {
		struct table *running = table_create(among_columns);

		for (uint32_t i = 0; i < n; i++)
			add_running_rows(running, &shown[i]);
		fputs("\nAmong the running jobs: throughput in GB/s, and slowdown "
		      "of the whole job, 1 is none\n", out);
		table_take_print(running, out);
	}
}

/* Print the score.  Terms that add nothing to it are left out, as are weights of 1. */
static void print_score_terms(const struct sfab_score *s, FILE *out)
{
	static const char *const meaning[SFAB_NTERMS] = {
		[SFAB_TERM_OWN] = "what the job loses itself",
		[SFAB_TERM_OTHERS] = "what running jobs lose to it",
		[SFAB_TERM_LATER] = "what the free hosts left are worth less to later jobs",
	};
	struct table *t;

	fprintf(out, "\nScore %.3f: nodes lost, 0 is perfect\n", s->total);
	if (s->total == 0)
		return;
	t = table_create(loss_columns);
	for (int i = 0; i < SFAB_NTERMS; i++) {
		if (s->term[i] * s->weight[i] == 0)
			continue;
		table_row(t);
		table_text(t, "term", sfab_term_name(i));
		table_number(t, "nodes", s->term[i]);
		if (s->weight[i] != 1)
			table_number(t, "weight", s->weight[i]);
		table_text(t, "meaning", meaning[i]);
	}
	table_take_print(t, out);
}

/* Print what a user wants to know first, the hosts, and last what an administrator looks up. */
static void print_preview(const struct preview_context *p, const struct preview *shown,
			  uint32_t n, FILE *out)
{
	const struct preview *v = shown;
	char *list = hosts_fold(p->site.f, v->choice.host, v->choice.n);
	char *text = printable(list, 0);

	print_preview_heading(p, v, out);
	print_wrapped_hostlist(text, out);
	free(text);
	free(list);
	preview_certificate_print(p, v, out);
	/* Why a job of a range has fewer nodes than there are. */
	if (v->choice.max_n > v->choice.n)
		fprintf(out, "%u of up to %u nodes: with %u it would end no sooner, and lose "
			"%.3f nodes\n", v->choice.n, v->choice.max_n, v->choice.max_n,
			v->choice.lost_at_max);
	advice_print(&v->advice, out);
	print_policy_choices(p, shown, n, out);
	print_score_terms(&v->choice.score, out);
	if (v->nlinks) {
		fputs("\nFullest links between switches\n", out);
		table_take_print(links_table(p, v, LINKS_SHOWN), out);
	}
}

/*
 * Answer with the set, next to the other policies.  They get the same request, so their hosts
 * come from the same free ones.  A policy that fails ends the answer: a table with a gap would
 * look like a result.
 */
int preview_answer(struct preview_context *p, const struct preview *v, unsigned first,
		   struct answer *a, struct sfab_err *err)
{
	struct preview shown[1 + SFAB_NPOLICIES] = { *v };
	uint32_t n = 1;
	int rc = 0;

	for (unsigned i = first; i < SFAB_NPOLICIES && rc == 0; i++) {
		struct preview *other = &shown[n++];

		rc = preview_policy(p, &p->request, (enum sfab_policy) i, other, err);
		if (rc == 0 && v->has_steps)
			rc = preview_steps(p, other, err);
		if (i == SFAB_POLICY_SFABRIC)
			reply_search(&a->reply, "default", p->request.seed,
				     other->choice.steps);
	}
	if (rc == 0 && a->options->json)
		add_preview_json(p, shown, n, a->reply.data);
	else if (rc == 0)
		print_preview(p, shown, n, a->out.file);
	while (n > 1)
		preview_clear(&shown[--n]);
	return rc;
}
