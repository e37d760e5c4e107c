/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * rotate.c - `sfabric rotate`: all nodes send at once, each to one other
 *
 * What CBench's rotate and a benchmark of bisections would measure, reckoned on
 * the tables (core/pairs.h).  A pattern is one list of pairs; a row sums up
 * patterns of a kind, with --each one pattern.
 */

#include <stdlib.h>

#include "../core/pairs.h"
#include "../core/random.h"
#include "answer.h"
#include "command.h"
#include "hosts.h"
#include "say.h"
#include "set.h"
#include "site.h"

#define PATTERNS 32		/* of each kind unless told */

enum { R_PATTERN, R_SHIFT, R_PATTERNS, R_PAIRS, R_MEAN, R_P05, R_WORST, R_LOST };

static const struct column columns[] = {
	{ "pattern", "rotate: node i to i + shift; bisect: random halves",
	  COLUMN_TEXT, 0, SHOWN },
	{ "shift", "with --each: of this rotation", COLUMN_COUNT, 0,
	  SHOWN_IF_ANY },
	{ "patterns", "how many were tried", COLUMN_COUNT, 0, SHOWN },
	{ "pairs", "in each", COLUMN_COUNT, 0, SHOWN },
	{ "mean_share", "of what the end ports could do, mean over all pairs",
	  COLUMN_NUMBER, 3, SHOWN },
	{ "p05_share", "what 95 % of the pairs reach", COLUMN_NUMBER, 3, SHOWN },
	{ "worst_share", "of the slowest pair", COLUMN_NUMBER, 3, SHOWN },
	{ "lost", "pairs without a route", COLUMN_COUNT, 0, SHOWN_IF_ANY },
	{ 0 }
};

enum { OPT_SHIFTS = 0x400, OPT_BISECTIONS, OPT_SEED, OPT_EACH };

struct rotate {
	struct options options;
	const char *nodes;
	uint32_t shifts, bisections;
	uint64_t seed;
	int each;
};

static const struct argp_option option_rows[] = {
	{ "nodes", 'w', "SET", 0, "hosts that take part, in order of their "
	  "names (compute)", 1 },
	{ "shifts", OPT_SHIFTS, "N", 0, "at most so many rotations, evenly "
	  "spread; 0 for none (32)", 1 },
	{ "bisections", OPT_BISECTIONS, "N", 0, "so many random bisections, "
	  "0 for none (32)", 1 },
	{ "seed", OPT_SEED, "N", 0, "of the bisections (1)", 1 },
	{ "each", OPT_EACH, NULL, 0, "a row for each rotation and bisection", 1 },
	{ 0 }
};

static const struct argp_child children[] = { OPTIONS_CHILDREN_TABLE, { 0 } };

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct rotate *r = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		options_init(state, children, &r->options);
		return 0;
	case 'w':
		r->nodes = arg;
		return 0;
	case OPT_SHIFTS:
		r->shifts = (uint32_t) options_count(state, "shifts", arg, 0,
						     1000000);
		return 0;
	case OPT_BISECTIONS:
		r->bisections = (uint32_t) options_count(state, "bisections",
							 arg, 0, 1000000);
		return 0;
	case OPT_SEED:
		r->seed = options_count(state, "seed", arg, 0, 1000000000);
		return 0;
	case OPT_EACH:
		r->each = 1;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	option_rows, parse_option, "",
	"What every node reaches when all send at once, each to one other.",
	children, NULL, NULL,
};

/* Patterns of a kind: hosts, the pairs of one, the shares of all. */
struct trial {
	const struct sfab_model *m;
	struct table *t;
	uint32_t n, *host;
	uint32_t *from, *to;
	double *share;			/* [patterns * n] */
	int each;
};

static int by_size(const void *a, const void *b)
{
	double x = *(const double *) a, y = *(const double *) b;

	return x < y ? -1 : x > y;
}

/* A row for the @n shares of @patterns patterns; sorts them. */
static void row(struct trial *x, const char *kind, uint32_t shift,
		uint32_t patterns, double *share, size_t n)
{
	double sum = 0.0;
	size_t lost = 0;

	qsort(share, n, sizeof(*share), by_size);
	for (size_t i = 0; i < n; i++) {
		sum += share[i];
		lost += share[i] <= 0.0;
	}
	table_row(x->t);
	table_text(x->t, R_PATTERN, kind);
	if (shift)
		table_count(x->t, R_SHIFT, shift);
	table_count(x->t, R_PATTERNS, patterns);
	table_count(x->t, R_PAIRS, n / patterns);
	table_number(x->t, R_MEAN, sum / (double) n);
	table_number(x->t, R_P05, share[n / 20]);
	table_number(x->t, R_WORST, share[0]);
	if (lost)
		table_count(x->t, R_LOST, lost);
}

static void rotation(struct trial *x, uint32_t shift)
{
	for (uint32_t i = 0; i < x->n; i++) {
		x->from[i] = x->host[i];
		x->to[i] = x->host[(i + shift) % x->n];
	}
}

/* Halves of a shuffled list: each of the first sends to one of the second. */
static void bisection(struct trial *x, uint64_t *random)
{
	uint32_t half = x->n / 2;

	for (uint32_t i = x->n - 1; i > 0; i--) {
		uint32_t k = (uint32_t) (sfab_random(random) % (i + 1));
		uint32_t host = x->host[i];

		x->host[i] = x->host[k];
		x->host[k] = host;
	}
	for (uint32_t i = 0; i < half; i++) {
		x->from[i] = x->host[i];
		x->to[i] = x->host[half + i];
	}
}

static int rotations(struct trial *x, uint32_t most, struct sfab_err *err)
{
	uint32_t all = x->n - 1, count = most < all ? most : all;

	for (uint32_t i = 0; i < count; i++) {
		uint32_t shift = 1 + (uint32_t) ((uint64_t) i * all / count);
		double *share = x->share + (size_t) i * x->n;

		rotation(x, shift);
		if (sfab_pairs(x->m, x->n, x->from, x->to, share, err) != 0)
			return -1;
		if (x->each)
			row(x, "rotate", shift, 1, share, x->n);
	}
	if (count && !x->each)
		row(x, "rotate", 0, count, x->share, (size_t) count * x->n);
	return 0;
}

static int bisections(struct trial *x, uint32_t count, uint64_t seed,
		      struct sfab_err *err)
{
	uint32_t half = x->n / 2;

	for (uint32_t i = 0; i < count; i++) {
		double *share = x->share + (size_t) i * half;

		bisection(x, &seed);
		if (sfab_pairs(x->m, half, x->from, x->to, share, err) != 0)
			return -1;
		if (x->each)
			row(x, "bisect", 0, 1, share, half);
	}
	if (count && !x->each)
		row(x, "bisect", 0, count, x->share, (size_t) count * half);
	return 0;
}

/* The hosts of the SET that can take part, in order of their ids. */
static uint32_t *hosts_of(const struct site *site, const char *set,
			  uint32_t *n, struct sfab_err *err)
{
	const struct sfab_fabric *f = site->f;
	uint8_t *port = set_ports(site, set, err);
	uint32_t *host;

	if (!port)
		return NULL;
	host = need(f->nhosts, sizeof(*host));
	*n = 0;
	for (uint32_t h = 0; h < f->nhosts; h++)
		for (uint32_t k = 0; k < f->hosts[h].nports; k++)
			if (port[f->hosts[h].port0 + k]) {
				host[(*n)++] = h;
				break;
			}
	free(port);
	if (*n >= 2)
		return host;
	free(host);
	sfab_fail(err, SFAB_EINVAL, "%s: %u host%s (expected at least 2)", set,
		  *n, *n == 1 ? "" : "s");
	return NULL;
}

static int try_all(struct trial *x, const struct rotate *r,
		   struct sfab_err *err)
{
	uint32_t most = r->shifts > r->bisections ? r->shifts : r->bisections;
	int rc;

	x->from = need(x->n, sizeof(*x->from));
	x->to = need(x->n, sizeof(*x->to));
	x->share = need((size_t) most * x->n, sizeof(*x->share));
	rc = rotations(x, r->shifts, err);
	if (rc == 0)
		rc = bisections(x, r->bisections, r->seed, err);
	free(x->from);
	free(x->to);
	free(x->share);
	return rc;
}

static int rotate(void *ctx, struct answer *answer, struct sfab_err *err)
{
	struct rotate *r = ctx;
	struct sfab_model *model = NULL;
	struct site site;
	struct trial x = { .each = r->each };
	int rc = -1;

	if (site_open(&site, &r->options, &answer->report, err) != 0)
		return -1;
	x.host = hosts_of(&site, r->nodes, &x.n, err);
	if (x.host) {
		model = sfab_model_create(site.f, site.io);
		x.m = model;
		x.t = table_create(columns);
		rc = model ? try_all(&x, r, err) :
			     sfab_fail(err, SFAB_ENOMEM, "out of memory");
	}
	if (rc == 0)
		rc = answer_table(answer, "patterns", x.t, err);
	else
		table_destroy(x.t);
	sfab_model_destroy(model);
	free(x.host);
	site_close(&site);
	return rc;
}

int cmd_rotate(int argc, char **argv)
{
	struct rotate r = {
		.nodes = "compute", .seed = 1,
		.shifts = PATTERNS, .bisections = PATTERNS,
	};

	argp_parse(&argp, argc, argv, 0, NULL, &r);
	options_columns(&r.options, columns, NULL);
	return answer_run("rotate", &r.options, rotate, &r);
}
