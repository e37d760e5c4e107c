/* SPDX-License-Identifier: GPL-2.0-or-later */
/* replay_print.c - the results of a replay as a table and as JSON; see replay.h */

#include <math.h>
#include <string.h>

#include "tools/replay/replay.h"
#include "tools/ui/json.h"

#define SPREAD(field, doc, mean, p95)					\
	{ field "_mean", doc ", mean over jobs", COLUMN_NUMBER, 3, mean }, \
	{ field "_p95", doc ", 95 % of jobs have less", COLUMN_NUMBER, 3, p95 }, \
	{ field "_max", doc ", most", COLUMN_NUMBER, 3, SHOWN_IF_ASKED }

/* Columns of the range over the seeds. */
#define RANGE(name, show)							\
	{ name "_min", "least of " name " over the seeds", COLUMN_NUMBER, 3, show }, \
	{ name "_max", "most of " name " over the seeds", COLUMN_NUMBER, 3, show }

const struct column replay_columns[] = {
	{ "policy", "who places", COLUMN_TEXT, 0, SHOWN },
	{ "class", "class of job", COLUMN_TEXT, 0, SHOWN },
	{ "seed", "seed of one run; none: mean over seeds", COLUMN_COUNT, 0,
	  SHOWN_IF_ASKED },
	{ "jobs", "jobs of that class", COLUMN_NUMBER, 0, SHOWN },
	{ "utilization", "share of hosts in use, first to last arrival", COLUMN_NUMBER, 3,
	  SHOWN_IF_ANY },
	SPREAD("wait_s", "seconds in the queue", SHOWN, SHOWN),
	SPREAD("turnaround_s", "seconds from arrival to end", SHOWN_IF_ASKED,
	       SHOWN_IF_ASKED),
	SPREAD("own", "slowdown alone", SHOWN, SHOWN_IF_ASKED),
	SPREAD("between", "total - own over the job's life", SHOWN,
	       SHOWN_IF_ASKED),
	SPREAD("total", "slowdown among all over the job's life", SHOWN, SHOWN),
	{ "loss", "part of their time that jobs lose by the fabric, by nodes",
	  COLUMN_NUMBER, 4, SHOWN_IF_ANY },
	{ "loss_alone", "the same without other jobs", COLUMN_NUMBER, 4, SHOWN_IF_ANY },
	{ "loss_beside", "loss - loss_alone", COLUMN_NUMBER, 4, SHOWN_IF_ASKED },
	{ "loss_io", "part of loss that is lost in IO", COLUMN_NUMBER, 4, SHOWN_IF_ASKED },
	{ "loss_vs", "loss / that of the first policy", COLUMN_NUMBER, 3, SHOWN_IF_ANY },
	RANGE("loss_vs", SHOWN_IF_ASKED),
	{ "wait_vs", "mean wait / that of the first policy", COLUMN_NUMBER, 3, SHOWN_IF_ANY },
	{ "between_vs", "mean of between / that of the first policy", COLUMN_NUMBER, 3,
	  SHOWN_IF_ANY },
	{ "total_vs", "mean of total - 1 / that of the first policy", COLUMN_NUMBER, 3,
	  SHOWN_IF_ANY },
	RANGE("total_vs", SHOWN_IF_ANY),
	{ 0 }
};

static double loss_of_class(const struct class_stats *c)
{
	return c->lost.nodes > 0 ? c->lost.beside / c->lost.nodes : 0;
}

#define FIELDS(name) { name "_mean", name "_p95", name "_max" }
static const struct {
	const char *mean, *p95, *max;
} spread_fields[QUANTITIES] = {
	[WAIT] = FIELDS("wait_s"), [TURNAROUND] = FIELDS("turnaround_s"), [OWN] = FIELDS("own"),
	[BETWEEN] = FIELDS("between"), [TOTAL] = FIELDS("total"),
};

/* What policies are compared by: a mean, less the best value that it can have. */
static const struct compared {
	const char *field;
	enum quantity quantity;	/* QUANTITIES: the loss */
	double best;
	const char *min, *max;	/* fields of these over the seeds, or NULL */
} compared[] = {
	{ "loss_vs", QUANTITIES, 0, "loss_vs_min", "loss_vs_max" },
	{ "wait_vs", WAIT, 0, NULL, NULL },
	{ "between_vs", BETWEEN, 0, NULL, NULL },
	{ "total_vs", TOTAL, 1, "total_vs_min", "total_vs_max" },
};
#define NCOMPARED (sizeof(compared) / sizeof(*compared))

static double compared_value(const struct compared *x, const struct class_stats *c)
{
	return x->quantity == QUANTITIES ? loss_of_class(c) :
					   c->quantity[x->quantity].mean - x->best;
}

/* Find the ratio to the reference, for a class of one run; a reference of 0 has no ratio. */
static int find_versus(const struct compared *x, const struct class_stats *c,
		       const struct class_stats *ref, double *versus)
{
	double base = compared_value(x, ref);

	if (!(c->jobs > 0) || base <= 1e-12)
		return 0;
	*versus = compared_value(x, c) / base;
	return 1;
}

/*
 * Add the figures of a class.  Loss is there if starts were judged.  @ref: the class under the
 * first policy, which has no ratio to itself.
 */
static void add_class_cells(struct table *t, const struct class_stats *c,
			    const struct class_stats *ref)
{
	const struct lost_nodes *lost = &c->lost;
	double versus;

	table_number(t, "jobs", c->jobs);
	for (unsigned q = 0; q < QUANTITIES; q++) {
		table_number(t, spread_fields[q].mean, c->quantity[q].mean);
		table_number(t, spread_fields[q].p95, c->quantity[q].p95);
		table_number(t, spread_fields[q].max, c->quantity[q].max);
	}
	if (lost->nodes > 0) {
		table_number(t, "loss", loss_of_class(c));
		table_number(t, "loss_alone", lost->alone / lost->nodes);
		table_number(t, "loss_beside", (lost->beside - lost->alone) / lost->nodes);
		table_number(t, "loss_io", lost->io / lost->nodes);
	}
	for (size_t i = 0; c != ref && i < NCOMPARED; i++)
		if (find_versus(&compared[i], c, ref, &versus))
			table_number(t, compared[i].field, versus);
}

/* What a row shows: one seed's run, or the means, which have ranges. */
struct replay_row {
	const struct replay *rp;
	const struct replay_result *res;
	uint32_t policy;		/* its index in rp */
	int is_mean;
	uint64_t seed;
};

/* Add minimum and maximum over the seeds, if there are several. */
static void add_range(struct table *t, const struct replay_row *row,
		      unsigned class, const struct compared *x)
{
	double min = INFINITY, max = -INFINITY, versus;

	for (uint32_t k = 0; k < row->rp->nseeds; k++) {
		const struct run_stats *run = row->res->run[k];

		if (!find_versus(x, &run[row->policy].class[class],
				 &run[0].class[class], &versus))
			continue;
		min = fmin(min, versus);
		max = fmax(max, versus);
	}
	if (min > max)
		return;
	table_number(t, x->min, min);
	table_number(t, x->max, max);
}

/* Add rows of one policy: all jobs, then each class if there are several. */
static void add_run(struct table *t, const struct replay_row *row,
		    const struct run_stats *r, const struct run_stats *ref)
{
	for (unsigned i = 0; i <= JOB_CLASSES; i++) {
		unsigned c = i ? i - 1 : CLASS_ALL;
		const struct class_stats *stats = &r->class[c];

		if (!(stats->jobs > 0) ||
		    (i && stats->jobs >= r->class[CLASS_ALL].jobs))
			continue;
		table_row(t);
		table_text(t, "policy", sfab_policy_name(row->rp->policy[row->policy]));
		table_text(t, "class", i ? mix_class_name(c) : "all");
		if (!row->is_mean)
			table_count(t, "seed", row->seed);
		add_class_cells(t, stats, &ref->class[c]);
		for (size_t k = 0; row->is_mean && row->policy && k < NCOMPARED; k++)
			if (compared[k].min && row->rp->nseeds > 1)
				add_range(t, row, c, &compared[k]);
		if (i)
			continue;
		table_number(t, "utilization", r->utilization);
	}
}

static struct table *table_of_means(const struct replay *rp, const struct replay_result *res)
{
	struct table *t = table_create(replay_columns);
	struct run_stats mean[SFAB_NPOLICIES];

	memset(mean, 0, sizeof(mean));
	for (uint32_t i = 0; i < rp->npolicies; i++) {
		for (uint32_t k = 0; k < rp->nseeds; k++)
			stats_add(&mean[i], &res->run[k][i]);
		stats_mean(&mean[i]);
		add_run(t, &(struct replay_row){ rp, res, i, 1, 0 }, &mean[i],
			&mean[0]);
	}
	return t;
}

/* Collect the facts about the jobs that the command line does not say. */
static struct json_object *workload_json(const struct replay *rp, const struct replay_result *res)
{
	struct json_object *w = json_object_new_object();
	struct json_object *seeds = json_object_new_array();
	struct json_object *compress = json_object_new_array();

	json_add(w, "jobs", json_object_new_uint64(res->jobs));
	json_add(w, "skipped", json_object_new_uint64(res->skipped));
	json_add(w, "machine", json_object_new_uint64(res->machine));
	json_add(w, "hosts", json_object_new_uint64(res->hosts));
	for (uint32_t k = 0; k < rp->nseeds; k++) {
		json_object_array_add(seeds, json_object_new_uint64(rp->seed + k));
		json_object_array_add(compress, json_number(res->compress[k]));
	}
	json_add(w, "seeds", seeds);
	json_add(w, "compress", compress);
	return w;
}

int replay_print(const struct replay *rp, const struct replay_result *res,
		 struct answer *a, struct sfab_err *err)
{
	if (rp->options.json) {
		struct table *t = table_create(replay_columns);

		for (uint32_t k = 0; k < rp->nseeds; k++)
			for (uint32_t i = 0; i < rp->npolicies; i++)
				add_run(t, &(struct replay_row){ rp, res, i, 0, rp->seed + k },
					&res->run[k][i], &res->run[k][0]);
		json_add(a->reply.data, "workload", workload_json(rp, res));
		if (answer_table(a, "runs", t, err) < 0)
			return -1;
	}
	return answer_table(a, "results", table_of_means(rp, res), err);
}
