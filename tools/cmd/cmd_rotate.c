/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_rotate.c - `sfabric rotate`: half of the nodes send at once, each to one node of the
 * other half
 *
 * Computes from the tables (core/predict/pairs.h) what CBench's rotate and a bisection
 * benchmark would measure.  A pattern is one list of pairs.  A row sums up the patterns of a
 * kind, or with --each shows one.
 */

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"
#include "core/predict/pairs.h"
#include "tools/cmd/cmd.h"
#include "tools/site/hosts.h"
#include "tools/site/hostset.h"
#include "tools/site/site.h"
#include "tools/ui/answer.h"
#include "tools/ui/xalloc.h"

#define PATTERNS 32		/* of each kind, by default */

static const struct column columns[] = {
	{ "nodes", "with --step: hosts that take part, the first of the set",
	  COLUMN_COUNT, 0, SHOWN_IF_ANY },
	{ "pattern", "rotate: lower half to upper half; bisect: random halves",
	  COLUMN_TEXT, 0, SHOWN },
	{ "rotation", "with --each: which one, from 0", COLUMN_COUNT, 0,
	  SHOWN_IF_ANY },
	{ "patterns", "how many were tried", COLUMN_COUNT, 0, SHOWN },
	{ "pairs", "in each", COLUMN_COUNT, 0, SHOWN },
	{ "mean_share", "of what the end ports could do, mean over all pairs",
	  COLUMN_NUMBER, 3, SHOWN },
	{ "p05_share", "what 95 % of the pairs reach", COLUMN_NUMBER, 3, SHOWN },
	{ "slowest_share", "of the slowest pair of a pattern, mean over "
	  "patterns", COLUMN_NUMBER, 3, SHOWN },
	{ "worst_share", "of the slowest pair of all", COLUMN_NUMBER, 3, SHOWN },
	{ "lost", "pairs without a route", COLUMN_COUNT, 0, SHOWN_IF_ANY },
	{ 0 }
};

struct rotate {
	struct options options;
	const char *nodes;
	uint32_t rotations, bisections, step, seed;
	int lists_each;
};

static const struct option_row option_rows[] = {
	{ "nodes", "SET", 1, "Hosts that take part, in order of their names (compute)", KEEP_TEXT,
	  .offset = offsetof(struct rotate, nodes), .letter = 'w' },
	{ "rotations", "N", 1, "At most so many rotations, evenly spread; 0 for none (32)",
	  KEEP_COUNT, .offset = offsetof(struct rotate, rotations), 0, 1000000 },
	{ "bisections", "N", 1, "So many random bisections, 0 for none (32)", KEEP_COUNT,
	  .offset = offsetof(struct rotate, bisections), 0, 1000000 },
	{ "seed", "N", 1, "Seed of the bisections (1)", KEEP_COUNT,
	  .offset = offsetof(struct rotate, seed), 0, 1000000000 },
	{ "step", "N", 1, "First with N of the hosts, then with 2 N, ... up to all", KEEP_COUNT,
	  .offset = offsetof(struct rotate, step), 2, 1000000 },
	{ "each", NULL, 1, "A row for each rotation and bisection", KEEP_YES,
	  .offset = offsetof(struct rotate, lists_each) },
	{ 0 }
};

static const struct option_group groups[] = { OPTIONS_OF_SETS, OPTIONS_OF_TABLE, { 0 } };

static const struct command_line usage = {
	.options = option_rows, .groups = groups, .common = offsetof(struct rotate, options),
	.args = "",
	.doc = "What nodes reach when half of them send at once to the other half.",
};

/* Patterns of a kind: the hosts, and the shares in all patterns. */
struct rotate_trial {
	const struct sfab_model *m;
	struct table *t;
	uint32_t n, *host;
	double *share;			/* [patterns * (n / 2)] */
	int lists_each, has_steps;
};

/*
 * Return the mean share if each pattern lasts until its slowest pair is done, as in a
 * benchmark, where each pattern waits for its last pair.
 */
static double average_slowest(const double *share, uint32_t patterns,
			      uint32_t pairs)
{
	double sum = 0.0;

	for (uint32_t i = 0; i < patterns; i++) {
		const double *pair_share = share + (size_t) i * pairs;
		double min = pair_share[0];

		for (uint32_t k = 1; k < pairs; k++)
			min = pair_share[k] < min ? pair_share[k] : min;
		sum += min;
	}
	return sum / patterns;
}

/* Sort the shares of @patterns patterns, and add a row with their figures. */
static void add_pattern_row(struct rotate_trial *trial, const char *kind,
			    uint32_t patterns, double *share)
{
	uint32_t pairs = trial->n / 2;
	size_t n = (size_t) patterns * pairs, lost = 0;
	double sum = 0.0;

	table_row(trial->t);
	if (trial->has_steps)
		table_count(trial->t, "nodes", trial->n);
	table_text(trial->t, "pattern", kind);
	table_count(trial->t, "patterns", patterns);
	table_count(trial->t, "pairs", pairs);
	table_number(trial->t, "slowest_share", average_slowest(share, patterns, pairs));
	qsort(share, n, sizeof(*share), sfab_ascending_double);
	for (size_t i = 0; i < n; i++) {
		sum += share[i];
		lost += share[i] <= 0.0;
	}
	table_number(trial->t, "mean_share", sum / (double) n);
	table_number(trial->t, "p05_share", share[n / 20]);
	table_number(trial->t, "worst_share", share[0]);
	if (lost)
		table_count(trial->t, "lost", lost);
}

/* Add a row for all @count patterns, or for each. */
static void add_pattern_rows(struct rotate_trial *trial, const char *kind,
			     uint32_t count, int rotates)
{
	if (count && !trial->lists_each)
		add_pattern_row(trial, kind, count, trial->share);
	for (uint32_t i = 0; trial->lists_each && i < count; i++) {
		add_pattern_row(trial, kind, 1, trial->share + (size_t) i * (trial->n / 2));
		if (rotates)
			table_count(trial->t, "rotation",
				    sfab_pairs_rotation(trial->n, count, i));
	}
}

/*
 * List the hosts of the SET that can take part, sorted by id.  Ids are in the order of names.
 * A host counts once, however many ports it has.  The caller frees the array.
 */
static uint32_t *list_set_hosts(const struct site *site, const char *set,
				uint32_t *n, struct sfab_err *err)
{
	const struct sfab_fabric *f = site->f;
	uint8_t *takes_part = hostset_hosts(site, set, err);
	uint32_t *host;

	if (!takes_part)
		return NULL;
	*n = 0;
	for (uint32_t h = 0; h < f->nhosts; h++)
		*n += takes_part[h];
	host = hosts_ids(f, takes_part, *n);
	free(takes_part);
	if (*n >= 2)
		return host;
	free(host);
	sfab_fail(err, SFAB_EINVAL, "%s: %u host%s (expected at least 2)", set,
		  *n, *n == 1 ? "" : "s");
	return NULL;
}

/*
 * Try all hosts, or with --step more of them each time; the last try has all, even if that is
 * no full step.  The count has 64 bits, as n + step may exceed 32 bits.
 */
static int try_steps(const struct rotate_trial *whole, const struct rotate *r,
		     struct sfab_err *err)
{
	struct rotate_trial trial = *whole;
	uint64_t n = r->step ? r->step : whole->n;
	int rc;

	do {
		uint32_t half, rotations, max;

		trial.n = n < whole->n ? (uint32_t) n : whole->n;
		/* At most half of the hosts are different rotations. */
		half = trial.n / 2;
		rotations = r->rotations < half ? r->rotations : half;
		max = rotations > r->bisections ? rotations : r->bisections;
		/* Bisections shuffle the hosts, so each works on a copy. */
		trial.host = xcalloc(trial.n, sizeof(*trial.host));
		memcpy(trial.host, whole->host, trial.n * sizeof(*trial.host));
		/* One array serves both kinds of patterns. */
		trial.share = xcalloc((size_t) max * half, sizeof(*trial.share));
		rc = sfab_pairs_rotate(trial.m, trial.host, trial.n, rotations, trial.share, err);
		if (rc == 0) {
			add_pattern_rows(&trial, "rotate", rotations, 1);
			rc = sfab_pairs_bisect(trial.m, trial.host, trial.n, r->bisections, r->seed,
					       trial.share, err);
		}
		if (rc == 0)
			add_pattern_rows(&trial, "bisect", r->bisections, 0);
		free(trial.share);
		free(trial.host);
		n += r->step;
	} while (rc == 0 && n < (uint64_t) whole->n + r->step);
	return rc;
}

/* Print what the hosts of the SET reach, by the tables alone: no running job counts. */
static int run_rotate(void *ctx, struct answer *answer, struct sfab_err *err)
{
	struct rotate *r = ctx;
	struct sfab_model *model = NULL;
	struct site site;
	struct rotate_trial trial = {.lists_each = r->lists_each, .has_steps = r->step != 0};
	int rc = -1;

	if (site_open(&site, &r->options, &answer->reply, err) != 0)
		return -1;
	trial.host = list_set_hosts(&site, r->nodes, &trial.n, err);
	if (trial.host) {
		model = site_model(&site);
		trial.m = model;
		trial.t = table_create(columns);
		rc = try_steps(&trial, r, err);
	}
	if (rc == 0)
		rc = answer_table(answer, "patterns", trial.t, err);
	else
		table_destroy(trial.t);
	sfab_model_destroy(model);
	free(trial.host);
	site_close(&site);
	return rc;
}

int cmd_rotate(int argc, char **argv)
{
	struct rotate r = {
		.nodes = "compute", .seed = 1,
		.rotations = PATTERNS, .bisections = PATTERNS,
	};

	options_parse(&usage, argc, argv, &r);
	options_columns(&r.options, columns, NULL);
	return answer_run("rotate", &r.options, run_rotate, &r);
}
