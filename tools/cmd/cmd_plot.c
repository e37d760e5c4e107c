/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_plot.c - `sfabric plot`: heat maps of the load on spine ports
 *
 * Two kinds of pictures: maps of the whole fabric (sheet.h) and the links of one job
 * (job_picture.h).  -j asks for the second, unless an option is given that only a map can have.
 * What is drawn does not depend on the kind of output.
 */

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "tools/cmd/cmd.h"
#include "tools/plot/job_picture.h"
#include "tools/plot/picture.h"
#include "tools/plot/picture_terminal.h"
#include "tools/plot/port_sheet.h"
#include "tools/plot/sheet.h"
#include "tools/site/hostset.h"
#include "tools/site/site_counters.h"
#include "tools/ui/answer.h"
#include "tools/ui/xalloc.h"

/* Output formats; the name is also the suffix of a file. */
enum plot_type {
	TYPE_TEXT, TYPE_SVG, TYPE_HTML, TYPE_NONE,
};
#define TYPES "text|svg|html"

#define SET_MAX 40		/* bytes of a set in a title */

struct plot {
	struct preview_options preview;
	const char *from, *to;		/* SETs */
	const char *job;		/* id; NULL: not given */
	int of_jobs;			/* draw what jobs send, not sets */
	int measured;			/* draw counters */
	const char *counters;		/* file; NULL: that of the conf */
	int by_job;			/* colors say which job, not how much */
	enum link_value value;
	enum port_direction direction;
	enum port_rows rows;
	int only_used;			/* rows */
	double max;			/* end of the scale; 0: the largest value */
	enum plot_type type;
	enum svg_use svg;
	int is_map;			/* an option that only maps have */
};

/* Parts of --help: 1 what to draw, 2 how. */
static const struct option_row rows[] = {
	{ "from", "SET", 1, "Sources: all (default), compute, io, an IO set, job:ID or a "
	  "hostlist", KEEP_TEXT, .offset = offsetof(struct plot, from) },
	{ "to", "SET", 1, "Destinations, likewise", KEEP_TEXT,
	  .offset = offsetof(struct plot, to) },
	{ "jobs", "FILE", 1, "Draw what running jobs send, from lines of ID HOSTLIST [TRAFFIC]; "
	  "a SET job:ID is looked up there", KEEP_TEXT,
	  .offset = offsetof(struct plot, preview.options.jobs) },
	{ "slurm", NULL, 1, "Draw what the jobs running in Slurm send", KEEP_YES,
	  .offset = offsetof(struct plot, preview.slurm) },
	{ "job", "JOBID", 1, "Draw this running job: its leaves and spines, the links that it "
	  "shares or that are overloaded, and with whom it collides; with an option of maps, a "
	  "map of only this job", KEEP_TEXT, .offset = offsetof(struct plot, job),
	  .letter = 'j' },
	{ "by", "job", 1, "Colors say which running job is on a port, not how much it sends",
	  KEEP_CHOICE, .offset = offsetof(struct plot, by_job), 1, 0, "job" },
	{ "measured", NULL, 1, "Draw what the ports count (Counters of sfabric.conf)", KEEP_YES,
	  .offset = offsetof(struct plot, measured) },
	{ "counters", "FILE", 1, "The same from another file", KEEP_TEXT,
	  .offset = offsetof(struct plot, counters) },
	{ "value", LINK_VALUE_CHOICES, 1, "What the colors show (default routes; of jobs and "
	  "counters load)", KEEP_CHOICE, .offset = offsetof(struct plot, value), VALUE_ROUTES, 0,
	  LINK_VALUE_CHOICES },
	{ "into", NULL, 1, "Draw what enters the spines' ports (default for loads of jobs and "
	  "counters: the fuller direction)", KEEP_INT,
	  .offset = offsetof(struct plot, direction), PORT_INTO },
	{ "leaving", NULL, 1, "Draw what leaves the spines' ports (default for routes between "
	  "sets)", KEEP_INT, .offset = offsetof(struct plot, direction), PORT_OUT },
	{ "top", NULL, 1, "Only the spines that are farthest from the leaves", KEEP_INT,
	  .offset = offsetof(struct plot, rows), PORT_TOP },
	{ "used", NULL, 1, "Only switches that carry something", KEEP_YES,
	  .offset = offsetof(struct plot, only_used) },
	{ "scale", "MAX", 2, "Value at the end of the scale (default: the largest)", KEEP_NUMBER,
	  .offset = offsetof(struct plot, max), 1e-9, 1e15 },
	{ "type", TYPES, 2, "Kind of output (default: by the end of FILE's name, else text)",
	  KEEP_CHOICE, .offset = offsetof(struct plot, type), TYPE_TEXT, 0, TYPES },
	{ "small", NULL, 2, "Small SVG, without tooltips", KEEP_INT,
	  .offset = offsetof(struct plot, svg), SVG_SMALL },
	{ 0 }
};

static const struct option_group groups[] = {
	{ options_output, .order = 2 },
	{ options_source, "Fabric:", .order = 3 },
	{ options_common, .order = 4 },
	{ 0 }
};

/*
 * Refuse options that contradict each other.  Sources exclude each other: counters, routes
 * between sets, running jobs.
 */
static void check_plot_options(struct argp_state *state, struct plot *p)
{
	int has_sets = p->from || p->to, has_jobs;
	int has_job_set = (p->from && hostset_is_job(p->from)) || (p->to && hostset_is_job(p->to));

	p->measured |= p->counters != NULL;
	/* --from job:333 is a set, for which --jobs is only the file to look in. */
	has_jobs = (p->preview.options.jobs && !has_job_set) || p->preview.slurm;

	if (p->measured && (has_sets || has_jobs))
		argp_error(state, "counters are for all traffic: not with sets or jobs");
	if (p->preview.options.jobs && p->preview.slurm)
		argp_error(state, "--jobs or --slurm, not both");
	if (has_jobs && has_sets)
		argp_error(state, "running jobs have their own sources and "
			   "destinations: not with --from or --to");
	if ((p->job || p->by_job) && !has_jobs)
		argp_error(state, "no jobs (expected --slurm or --jobs FILE)");
	if (p->by_job && p->value && p->value != VALUE_LOAD && p->value != VALUE_PERCENT)
		argp_error(state, "--by is for loads: not with --value %s",
			   link_value_name(p->value));
	p->of_jobs = has_jobs;
}

/*
 * Check the options at the end, when all are known, and choose the type of the output.  Without
 * --type its name says it: "x.svg" is SVG, "x" and "x.txt" are text.
 */
static error_t parse_plot_option(int key, char *arg, struct argp_state *state)
{
	struct plot *p = state->input;
	const char *path = p->preview.options.output, *slash, *dot = NULL;
	int type;

	if (key != ARGP_KEY_END)
		return ARGP_ERR_UNKNOWN;
	p->is_map = p->value || p->direction || p->rows || p->only_used || p->max > 0 || p->by_job;
	check_plot_options(state, p);
	if (p->type != TYPE_NONE)
		return 0;
	if (path && !p->preview.options.json) {
		slash = strrchr(path, '/');
		dot = strrchr(slash ? slash : path, '.');
	}
	type = !dot || strcmp(dot, ".txt") == 0 ? TYPE_TEXT : options_word(dot + 1, TYPES);
	p->type = (enum plot_type) type;
	if (type < 0)
		argp_error(state, "%s: unknown kind of output (expected a name that "
			   "ends in .svg, .html or .txt, or --type; rsvg-convert makes PNG "
			   "of SVG)", path);
	return 0;
}

static const struct command_line usage = {
	.options = rows, .groups = groups, .common = offsetof(struct plot, preview.options),
	.parse = parse_plot_option,
	.doc = "Draw what the ports of the spine switches carry: routes or load between two "
	       "sets of hosts, of running jobs, or as measured.",
};

/* Write the picture as HTML or SVG.  Errors of @out show when it is closed. */
static void write_picture(const struct plot *p, const struct picture *picture, FILE *out)
{
	if (p->type == TYPE_HTML) {
		picture_html(picture, out);
		return;
	}
	fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", out);
	picture_svg(picture, p->svg, out);
}

/* -- one job ---------------------------------------------------------------- */

/* Add the part for one job, in the shape of doc/schema/plot.json. */
static void add_job_json(const struct job_collisions *j, uint32_t n, struct json_object *data)
{
	const struct joblist_job *job = &j->jobs->list->job[j->job];
	struct json_object *meets = json_object_new_array();

	for (uint32_t i = 0; i < j->nothers; i++) {
		const struct other_job *meeting = &j->other[i];
		const struct joblist_job *other = &j->jobs->list->job[meeting->job];
		struct json_object *o = json_object_new_object();

		json_add(o, "job", json_object_new_uint64(other->id));
		json_add(o, "user", json_name(other->user));
		json_add(o, "shared", json_object_new_uint64(meeting->shared));
		json_add(o, "overloaded", json_object_new_uint64(meeting->overloaded));
		json_add(o, "worst_fill", json_number(meeting->worst));
		json_object_array_add(meets, o);
	}
	json_add(data, "job", json_object_new_uint64(job->id));
	json_add(data, "user", json_name(job->user));
	json_add(data, "hosts", json_object_new_uint64(job->n));
	json_add(data, "links_used", json_object_new_uint64(j->n));
	json_add(data, "shared", json_object_new_uint64(j->nshared));
	json_add(data, "overloaded", json_object_new_uint64(j->noverloaded));
	json_add(data, "meets", meets);
	json_add(data, "links", jobs_by_link_json(j->jobs, j->link, n));
}

/*
 * Answer for one job.  Text says what the picture says, and all of the shared and overloaded
 * links, which come first.  A job that shares nothing has a summary and no table.
 */
static int answer_plot_job(const struct plot *p, const struct job_collisions *j,
			   struct answer *a, struct sfab_err *err)
{
	uint32_t n = job_collisions_count_contended(j);
	struct job_picture drawn;
	struct picture picture;
	int rc = 0;

	if (a->options->json) {
		add_job_json(j, n, a->reply.data);
	} else if (p->type == TYPE_TEXT) {
		char *summary = job_collisions_summary(j);

		fprintf(a->out.file, n ? "%s\n\n" : "%s\n", summary);
		free(summary);
		if (n)
			rc = answer_table(a, "links", jobs_by_link_table(j->jobs, j->link, n), err);
	} else {
		job_picture_init(&drawn, &picture, j);
		write_picture(p, &picture, a->out.file);
		job_picture_free(&drawn);
	}
	return rc;
}

static int plot_job_picture(const struct plot *p, const struct preview_context *c,
			    struct answer *a, struct sfab_err *err)
{
	const struct joblist_job *job = joblist_find(&c->list, p->job, err);
	struct jobs_by_link by_link;
	struct job_collisions collisions;
	int rc;

	if (!job)
		return -1;
	jobs_by_link_find(&by_link, c->site.f, &c->list, c->jobs);
	jobs_by_link_warn(&c->list, c->site.io, &a->reply);
	job_collisions_find(&collisions, &by_link, (uint32_t) (job - c->list.job));
	rc = answer_plot_job(p, &collisions, a, err);
	job_collisions_free(&collisions);
	jobs_by_link_free(&by_link);
	return rc;
}

/* -- maps ------------------------------------------------------------------- */

/*
 * Name what is drawn: "measured"; "compute > io", where a long list of hosts is cut; "all
 * jobs"; or like "job 333 (64 hosts, mpi)" with the traffic as the user or the script gave it.
 * Caller frees.
 */
static char *drawn_name(const struct plot *p, const struct joblist_job *job)
{
	char traffic[1024];	/* longer ones are cut */

	if (p->measured)
		return xstrdup("measured");
	if (!p->of_jobs)
		return xstrfmt("%.*s%s > %.*s%s", SET_MAX, p->from,
			       strlen(p->from) > SET_MAX ? "..." : "", SET_MAX, p->to,
			       strlen(p->to) > SET_MAX ? "..." : "");
	if (!job)
		return xstrdup("all jobs");
	sfab_traffic_text(&job->traffic, traffic, sizeof(traffic));
	return xstrfmt("job %" PRIu64 " (%" PRIu32 " hosts, %s)%s", job->id,
		       job->n, traffic, job->suspended ? ", suspended" : "");
}

/*
 * Find the name of what is drawn, and a value for each link from one of three sources:
 * counters, routes between sets, or jobs.
 */
static int find_values(struct sheet *s, const struct plot *p, const struct preview_context *c,
		       struct reply *r, struct sfab_err *err)
{
	const struct joblist_job *job = p->job ? joblist_find(&c->list, p->job, err) : NULL;
	struct site_counters counters;
	int rc;

	if (p->job && !job)
		return -1;
	s->name = drawn_name(p, job);
	s->value = xcalloc(s->f->nlinks, sizeof(*s->value));
	if (p->of_jobs)
		return link_values_of_jobs(c, job, s->unit, s->value, err);
	if (!p->measured)
		return link_values_of_sets(&c->site, p->from, p->to, s->unit, s->value, r, err);
	rc = site_counters_open(&counters, &c->site, p->counters, SITE_COUNTERS_HERE, NULL, err);
	if (rc == 0)
		rc = link_values_measured(counters.ms, s->unit, s->value, err);
	site_counters_close(&counters);
	return rc;
}

/*
 * Add all jobs of each port, in a map of one job, too: they are what it meets there.  Warn of
 * overload in the other direction: a sheet shows one, and if all is well in it, the user would
 * never look for it.
 */
static void add_jobs(struct sheet *s, const struct preview_context *p, struct reply *r)
{
	uint32_t nfull[2] = { 0 };	/* by direction */

	jobs_by_link_find(&s->jobs, p->site.f, &p->list, p->jobs);
	for (uint32_t row = 0; row < s->nrows; row++)
		for (uint32_t c = 0; c < s->ncolumns; c++)
			for (int into = 0; into < 2; into++) {
				uint32_t link = sheet_link(s, row, c, into);

				nfull[into] += link != SFAB_NONE &&
					       jobs_by_link_is_overloaded(&s->jobs, link);
			}
	if (nfull[!s->is_incoming] && !nfull[s->is_incoming])
		reply_warning(r, "ports are overloaded in the other direction: %" PRIu32
			      ", seen with %s", nfull[!s->is_incoming],
			      s->is_incoming ? "--leaving" : "--into");
	sheet_rank_jobs(s);
}

/*
 * Fill the sheet.  The values decide which direction is fuller, the direction is in the title,
 * and jobs are ranked before switches without a value are hidden.
 */
static int fill_sheet(struct sheet *s, const struct plot *p, const struct preview_context *c,
		      struct reply *r, struct sfab_err *err)
{
	port_sheet_shape(s, c->site.f, p->rows);
	/*
	 * Jobs and counters are about bytes, sets of hosts about routes, unless --value says
	 * otherwise.
	 */
	s->unit = p->value ? p->value : p->of_jobs || p->measured ? VALUE_LOAD : VALUE_ROUTES;
	s->by_job = p->by_job;
	if (find_values(s, p, c, r, err) != 0)
		return -1;
	s->is_incoming = p->direction == PORT_INTO;
	/* The fuller of two loads is shown, so that overload is seen. */
	if (p->direction == PORT_FULLER && (p->of_jobs || p->measured) &&
	    s->unit != VALUE_ROUTES)
		s->is_incoming = port_sheet_into_is_fuller(s);
	s->title = xstrfmt("%s: %s %s each %s", s->name, p->by_job ? "jobs" :
			   link_value_unit(s->unit), s->is_incoming ? "into" : "out of", s->what);
	if (p->of_jobs && sheet_fills(s))
		add_jobs(s, c, r);
	if (p->of_jobs)
		jobs_by_link_warn(&c->list, c->site.io, r);
	if (p->only_used)
		sheet_drop_unused(s);
	sheet_scale(s, p->max);
	return 0;
}

static int plot_map(const struct plot *p, const struct preview_context *c, struct answer *a,
		    struct sfab_err *err)
{
	struct sheet s = { 0 };
	struct picture picture;
	int rc = fill_sheet(&s, p, c, &a->reply, err);

	if (rc == 0 && a->options->json) {
		sheet_json(&s, a->reply.data);
	} else if (rc == 0 && p->type == TYPE_TEXT) {
		picture_terminal_draw(&s, picture_terminal_width(a->out.file), a->out.file);
	} else if (rc == 0) {
		picture_init(&picture, &s);
		write_picture(p, &picture, a->out.file);
		picture_free(&picture);
	}
	sheet_free(&s);
	return rc;
}

/* Draw one job or a map.  Without jobs the context is only a site: it has no list and no model. */
static int run_plot(void *ctx, struct answer *a, struct sfab_err *err)
{
	const struct plot *p = ctx;
	struct preview_context c = { 0 };
	int rc = p->of_jobs ? preview_context_open(&c, &p->preview, &a->reply, err) :
			      site_open(&c.site, &p->preview.options, &a->reply, err);

	if (rc == 0)
		rc = p->job && !p->is_map ? plot_job_picture(p, &c, a, err) :
					    plot_map(p, &c, a, err);
	preview_context_close(&c);
	return rc;
}

int cmd_plot(int argc, char **argv)
{
	struct plot p = { .type = TYPE_NONE, .svg = SVG_FILE };

	options_parse(&usage, argc, argv, &p);
	p.from = p.from ? p.from : "all";
	p.to = p.to ? p.to : "all";
	return answer_run("plot", &p.preview.options, run_plot, &p);
}
