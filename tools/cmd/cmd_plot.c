/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_plot.c - `sfabric plot`: heat maps of the load on spine ports
 *
 * Two kinds of pictures: maps of the whole fabric (draw.h) and the links of one
 * job (job_picture.h).  -j asks for the second, unless an option is given that
 * only a map can have.  This file turns options into a draw_wish and chooses
 * the kind of output; what is drawn does not depend on it.
 */

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tools/command.h"
#include "tools/plot/draw.h"
#include "tools/plot/job_picture.h"
#include "tools/plot/picture.h"
#include "tools/plot/terminal.h"
#include "tools/site/set.h"
#include "tools/ui/answer.h"
#include "tools/ui/say.h"

/* Output formats; the name is also the suffix of a file. */
enum type {
	TYPE_TEXT, TYPE_SVG, TYPE_HTML, TYPE_NONE,
};
#define TYPES "text|svg|html"

struct plot {
	struct draw_wish wish;		/* first */
	enum type type;
	enum svg_use svg;
	int is_map;			/* an option that only maps have */
};

/* Groups 1: what to draw; 2: how. */
static const struct option_row rows[] = {
	{ "from", "SET", 1, "Sources: all (default), compute, io, an IO set, job:ID or a "
	  "hostlist", KEEP_TEXT, .at = offsetof(struct plot, wish.from) },
	{ "to", "SET", 1, "Destinations, likewise", KEEP_TEXT,
	  .at = offsetof(struct plot, wish.to) },
	{ "jobs", "FILE", 1, "Draw what running jobs send, from lines of ID HOSTLIST [TRAFFIC]; "
	  "a SET job:ID is looked up there", KEEP_TEXT,
	  .at = offsetof(struct plot, wish.o.options.jobs) },
	{ "slurm", NULL, 1, "Draw what the jobs running in Slurm send", KEEP_YES,
	  .at = offsetof(struct plot, wish.o.slurm) },
	{ "job", "JOBID", 1, "Draw this running job: its leaves and spines, the links that it "
	  "shares or that are overloaded, and with whom it collides; with an option of maps, a "
	  "map of only this job", KEEP_TEXT, .at = offsetof(struct plot, wish.job),
	  .letter = 'j' },
	{ "by", "job", 1, "Colors say which running job is on a port, not how much it sends",
	  KEEP_CHOICE, .at = offsetof(struct plot, wish.by_job), 1, 0, "job" },
	{ "measured", NULL, 1, "Draw what the ports count (Counters of sfabric.conf)", KEEP_YES,
	  .at = offsetof(struct plot, wish.measured) },
	{ "counters", "FILE", 1, "The same from another file", KEEP_TEXT,
	  .at = offsetof(struct plot, wish.counters) },
	{ "value", LINKS_CHOICES, 1, "What the colors show (default routes; of jobs and "
	  "counters load)", KEEP_CHOICE, .at = offsetof(struct plot, wish.value), LINKS_ROUTES, 0,
	  LINKS_CHOICES },
	{ "into", NULL, 1, "Draw what enters the spines' ports (default for loads of jobs and "
	  "counters: the fuller direction)", KEEP_INT,
	  .at = offsetof(struct plot, wish.direction), PORTS_INTO },
	{ "leaving", NULL, 1, "Draw what leaves the spines' ports (default for routes between "
	  "sets)", KEEP_INT, .at = offsetof(struct plot, wish.direction), PORTS_OUT },
	{ "top", NULL, 1, "Only the spines that are farthest from the leaves", KEEP_INT,
	  .at = offsetof(struct plot, wish.rows), PORTS_TOP },
	{ "used", NULL, 1, "Only switches that carry something", KEEP_YES,
	  .at = offsetof(struct plot, wish.only_used) },
	{ "scale", "MAX", 2, "Value at the end of the scale (default: the largest)", KEEP_NUMBER,
	  .at = offsetof(struct plot, wish.max), 1e-9, 1e15 },
	{ "type", TYPES, 2, "Kind of output (default: by the end of FILE's name, else text)",
	  KEEP_CHOICE, .at = offsetof(struct plot, type), TYPE_TEXT, 0, TYPES },
	{ "small", NULL, 2, "Small SVG, without tooltips", KEEP_INT,
	  .at = offsetof(struct plot, svg), SVG_SMALL },
	{ 0 }
};

static const struct option_group groups[] = {
	{ options_output, .order = 2 },
	{ options_source, "Fabric:", .order = 3 },
	{ options_common, .order = 4 },
	{ 0 }
};

/*
 * Options that contradict each other.  Sources exclude each other: counters,
 * routes between sets, running jobs.
 */
static void check_plot_options(struct argp_state *state, struct plot *p)
{
	struct draw_wish *w = &p->wish;
	int sets = w->from || w->to, jobs;
	int named = (w->from && set_is_job(w->from)) || (w->to && set_is_job(w->to));

	w->measured |= w->counters != NULL;
	/*
	 * --from job:333 is a set, for which --jobs is only the file to look
	 * in.
	 */
	jobs = (w->o.options.jobs && !named) || w->o.slurm;

	if (w->measured && (sets || jobs))
		argp_error(state, "counters are for all traffic: not with sets or jobs");
	if (w->o.options.jobs && w->o.slurm)
		argp_error(state, "--jobs or --slurm, not both");
	if (jobs && sets)
		argp_error(state, "running jobs have their own sources and "
			   "destinations: not with --from or --to");
	if ((w->job || w->by_job) && !jobs)
		argp_error(state, "no jobs (expected --slurm or --jobs FILE)");
	if (w->by_job && w->value && w->value != LINKS_LOAD && w->value != LINKS_PERCENT)
		argp_error(state, "--by is for loads: not with --value %s",
			   links_name(w->value));
	w->of_jobs = jobs;
}

/*
 * Options of how it is drawn, and the checks at the end.  Without --type the name of the output
 * says it: "x.svg" is SVG, "x" and "x.txt" are text.
 */
static error_t parse_plot_option(int key, char *arg, struct argp_state *state)
{
	struct plot *p = state->input;
	const struct draw_wish *w = &p->wish;
	const char *path = w->o.options.output, *slash, *dot = NULL;
	int type;

	if (key != ARGP_KEY_END)
		return ARGP_ERR_UNKNOWN;
	p->is_map = w->value || w->direction || w->rows || w->only_used || w->max > 0 || w->by_job;
	check_plot_options(state, p);
	if (p->type != TYPE_NONE)
		return 0;
	if (path && !w->o.options.json) {
		slash = strrchr(path, '/');
		dot = strrchr(slash ? slash : path, '.');
	}
	type = !dot || strcmp(dot, ".txt") == 0 ? TYPE_TEXT : options_word(dot + 1, TYPES);
	p->type = (enum type) type;
	if (type < 0)
		argp_error(state, "%s: unknown kind of output (expected a name that "
			   "ends in .svg, .html or .txt, or --type; rsvg-convert makes PNG "
			   "of SVG)", path);
	return 0;
}

static const struct command_line usage = {
	.options = rows, .groups = groups, .common = offsetof(struct plot, wish.o.options),
	.parse = parse_plot_option,
	.doc = "Draw what the ports of the spine switches carry: routes or load between two "
	       "sets of hosts, of running jobs, or as measured.",
};

/* Errors of @out show when it is closed. */
static void write_drawn(const struct plot *p, const struct picture *picture, FILE *out)
{
	if (p->type == TYPE_HTML)
		picture_html(picture, out);
	else
		picture_svg(picture, p->svg, out);
}

/* -- one job ---------------------------------------------------------------- */

/* Shape: doc/schema/plot.json, the part for one job. */
static void add_job_json(const struct job_links *j, const uint32_t *link,
			 uint32_t n, struct json_object *data)
{
	const struct joblist_job *job = &j->all->list->job[j->job];
	struct json_object *meets = json_object_new_array();

	for (uint32_t i = 0; i < j->nmet; i++) {
		const struct job_met *met = &j->met[i];
		const struct joblist_job *other = &j->all->list->job[met->job];
		struct json_object *o = json_object_new_object();

		json_add(o, "job", json_object_new_uint64(other->id));
		json_add(o, "user", other->user ? json_name(other->user) : NULL);
		json_add(o, "shared", json_object_new_uint64(met->shared));
		json_add(o, "overloaded", json_object_new_uint64(met->overloaded));
		json_add(o, "worst_fill", json_number(met->worst));
		json_object_array_add(meets, o);
	}
	json_add(data, "job", json_object_new_uint64(job->id));
	json_add(data, "user", job->user ? json_name(job->user) : NULL);
	json_add(data, "hosts", json_object_new_uint64(job->n));
	json_add(data, "links_used", json_object_new_uint64(j->n));
	json_add(data, "shared", json_object_new_uint64(j->nshared));
	json_add(data, "overloaded", json_object_new_uint64(j->noverloaded));
	json_add(data, "meets", meets);
	json_add(data, "links", link_table_json(j->all, link, n));
}

/*
 * @link: the shared and overloaded links, which come first among all.  Text says what the
 * picture says, and all of them.  A job that shares nothing has a summary and no table.
 */
static int answer_plot_job(const struct plot *p, const struct job_links *j,
		      struct answer *a, struct sfab_err *err)
{
	uint32_t n = job_links_red(j), *link = need(n, sizeof(*link));
	struct job_picture drawn;
	struct picture picture;
	int rc = 0;

	for (uint32_t i = 0; i < n; i++)
		link[i] = j->link[i].link;
	if (a->options->json) {
		add_job_json(j, link, n, a->report.data);
	} else if (p->type == TYPE_TEXT) {
		char *summary = job_links_summary(j);

		fprintf(a->out.file, n ? "%s\n\n" : "%s\n", summary);
		free(summary);
		if (n)
			rc = answer_table(a, "links", link_table(j->all, link, n), err);
	} else {
		job_picture_init(&drawn, &picture, j);
		write_drawn(p, &picture, a->out.file);
		job_picture_free(&drawn);
	}
	free(link);
	return rc;
}

static int plot_job_picture(const struct plot *p, struct answer *a, struct sfab_err *err)
{
	const struct joblist_job *job;
	struct preview_context context;
	struct link_jobs all;
	struct job_links links;
	int rc = -1;

	if (preview_context_open(&context, &p->wish.o, &a->report, err) != 0)
		return -1;
	job = joblist_find(&context.list, p->wish.job, err);
	if (job) {
		link_jobs_find(&all, &context);
		link_jobs_warn(&context, &a->report);
		job_links_find(&links, &all, (uint32_t) (job - context.list.job));
		rc = answer_plot_job(p, &links, a, err);
		job_links_free(&links);
		link_jobs_free(&all);
	}
	preview_context_close(&context);
	return rc;
}

/* -- maps ------------------------------------------------------------------- */

static int run_plot(void *ctx, struct answer *a, struct sfab_err *err)
{
	struct plot *p = ctx;
	struct drawing d;
	int rc;

	if (p->wish.job && !p->is_map)
		return plot_job_picture(p, a, err);
	rc = draw_make(&d, &p->wish, &a->report, err);
	if (rc != 0)
		return rc;
	if (a->options->json)
		sheet_json(&d.s, a->report.data);
	else if (p->type == TYPE_TEXT) {
		terminal_draw(&d.s, terminal_width(a->out.file), a->out.file);
	} else {
		struct picture picture;

		picture_init(&picture, &d.s);
		write_drawn(p, &picture, a->out.file);
		picture_free(&picture);
	}
	draw_close(&d);
	return rc;
}

/* Defaults that depend on several options are set after parsing. */
int cmd_plot(int argc, char **argv)
{
	struct plot p = { .type = TYPE_NONE, .svg = SVG_FILE };
	struct draw_wish *w = &p.wish;

	options_parse(&usage, argc, argv, &p);
	w->from = w->from ? w->from : "all";
	w->to = w->to ? w->to : "all";
	return answer_run("plot", &w->o.options, run_plot, &p);
}
