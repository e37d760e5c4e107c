/* SPDX-License-Identifier: GPL-2.0-or-later */
/* compare.c - two routings of the same nodes; see compare.h */

#include "compare.h"

#include <stdlib.h>
#include <string.h>

#include "../../core/audit.h"
#include "../../core/pairs.h"
#include "../../core/random.h"
#include "../linkload.h"
#include "../say.h"

#define GB 1e9
#define PATTERNS 8		/* rotations, and random bisections */

enum { C_MEASURE, C_SET, C_NOW, C_THEN, C_UNIT };

const struct column compare_columns[] = {
	{ "measure", "what is compared, see the man page", COLUMN_TEXT, 0,
	  SHOWN },
	{ "set", "IO set", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ "now", "the unchanged fabric as OpenSM routes it", COLUMN_NUMBER, 2,
	  SHOWN },
	{ "then", "the changed one", COLUMN_NUMBER, 2, SHOWN },
	{ "unit", "of both", COLUMN_TEXT, 0, SHOWN },
	{ 0 }
};

struct facts {			/* of one routing */
	struct sfab_model *m;
	struct sfab_audit audit;
	uint32_t nhosts, *host;	/* compute hosts */
	double *spine_ports;	/* by IO set */
	double bisect, rotate;	/* mean shares */
};

static void facts_free(struct facts *x)
{
	sfab_audit_free(&x->audit);
	sfab_model_destroy(x->m);
	free(x->host);
	free(x->spine_ports);
}

static void find_compute(struct facts *x)
{
	const struct sfab_fabric *f = x->m->f;

	x->host = need(f->nhosts + 1, sizeof(*x->host));
	for (uint32_t h = 0; h < f->nhosts; h++)
		if (f->hosts[h].role == SFAB_HOST_COMPUTE && !x->m->io_host[h])
			x->host[x->nhosts++] = h;
}

/* Out ports of spines that routes from compute hosts to the set use. */
static int count_spine_ports(struct facts *x, uint32_t set, struct sfab_err *err)
{
	const struct sfab_fabric *f = x->m->f;
	const struct sfab_ioset *s = &x->m->io->set[set];
	uint8_t *src = need(f->nports + 1, 1), *dst = need(f->nports + 1, 1);
	struct linkload load;
	int rc;

	for (uint32_t i = 0; i < x->nhosts; i++)
		memset(&src[f->hosts[x->host[i]].port0], 1,
		       f->hosts[x->host[i]].nports);
	for (uint32_t i = 0; i < s->nmembers; i++)
		dst[x->m->io->ioport[s->member[i]]] = 1;
	rc = linkload_count(f, src, dst, &load, err);
	for (uint32_t i = 0; rc == 0 && i < f->nlinks; i++)
		x->spine_ports[set] += f->links[i].kind == SFAB_LINK_ISL &&
				       !sfab_switch_is_leaf(f, f->links[i].from) &&
				       load.routes[i] > 0;
	if (rc == 0)
		linkload_free(&load);
	free(src);
	free(dst);
	return rc;
}

/* Mean share of @n pairs; @share is room for them. */
static int mean_share(const struct facts *x, uint32_t n, const uint32_t *from,
		      const uint32_t *to, double *share, double *sum,
		      struct sfab_err *err)
{
	double all = 0.0;

	if (sfab_pairs(x->m, n, from, to, share, err) != 0)
		return -1;
	for (uint32_t i = 0; i < n; i++)
		all += share[i];
	*sum += all / n / PATTERNS;
	return 0;
}

/* Hosts in order and shifted; then shuffled, half against half. */
static int pair_up(struct facts *x, uint32_t *to, double *share,
		   struct sfab_err *err)
{
	uint32_t n = x->nhosts, k, host;
	uint64_t random = 1;

	for (uint32_t p = 0; p < PATTERNS; p++) {
		uint32_t shift = 1 + (uint32_t) ((uint64_t) p * (n - 1) / PATTERNS);

		for (uint32_t i = 0; i < n; i++)
			to[i] = x->host[(i + shift) % n];
		if (mean_share(x, n, x->host, to, share, &x->rotate, err) != 0)
			return -1;
	}
	memcpy(to, x->host, n * sizeof(*to));
	for (uint32_t p = 0; p < PATTERNS; p++) {
		for (uint32_t i = n - 1; i > 0; i--) {
			k = (uint32_t) (sfab_random(&random) % (i + 1));
			host = to[i];
			to[i] = to[k];
			to[k] = host;
		}
		if (mean_share(x, n / 2, to, to + n / 2, share, &x->bisect,
			       err) != 0)
			return -1;
	}
	return 0;
}

static int add_pairs(struct facts *x, struct sfab_err *err)
{
	uint32_t *to = need(x->nhosts + 1, sizeof(*to));
	double *share = need(x->nhosts + 1, sizeof(*share));
	int rc = x->nhosts < 2 ? 0 : pair_up(x, to, share, err);

	free(to);
	free(share);
	return rc;
}

static int find_facts(struct facts *x, const struct sfab_fabric *f,
		      const struct sfab_iosets *io, uint32_t job,
		      struct sfab_err *err)
{
	struct sfab_audit_ask ask = { .block = job };

	x->m = sfab_model_create(f, io);
	if (!x->m)
		return sfab_fail(err, SFAB_ENOMEM, "out of memory");
	ask.m = x->m;
	if (sfab_audit(&ask, &x->audit, err) != 0)
		return -1;
	find_compute(x);
	x->spine_ports = need(io->nsets + 1, sizeof(*x->spine_ports));
	for (uint32_t s = 0; s < io->nsets; s++)
		if (count_spine_ports(x, s, err) != 0)
			return -1;
	return add_pairs(x, err);
}

static void row(struct table *t, const char *measure, const char *set,
		double now, double then, const char *unit)
{
	table_row(t);
	table_text(t, C_MEASURE, measure);
	if (set)
		table_text(t, C_SET, set);
	table_number(t, C_NOW, now);
	table_number(t, C_THEN, then);
	table_text(t, C_UNIT, unit);
}

static const struct sfab_io_rates *rates_of(const struct facts *x, uint32_t set,
					    enum sfab_class class)
{
	for (uint32_t i = 0; i < x->audit.nrates; i++)
		if (x->audit.rates[i].all.set == set &&
		    x->audit.rates[i].all.class == class)
			return &x->audit.rates[i];
	return NULL;
}

static void rate_rows(struct table *t, const struct facts *now,
		      const struct facts *then, uint32_t set,
		      enum sfab_class class)
{
	static const char *const names[2][3] = {
		{ "io-write-all", "io-write-job", "io-write-job-lockstep" },
		{ "io-read-all", "io-read-job", "io-read-job-lockstep" },
	};
	const char *const *name = names[class == SFAB_IO_READ];
	const char *set_name = now->m->io->set[set].name;
	const struct sfab_io_rates *a = rates_of(now, set, class);
	const struct sfab_io_rates *b = rates_of(then, set, class);

	if (!a || !b)
		return;
	row(t, name[0], set_name, a->all.lockstep / GB, b->all.lockstep / GB,
	    "GB/s");
	if (!a->block.n || !b->block.n)
		return;
	row(t, name[1], set_name, a->block.maxmin / GB, b->block.maxmin / GB,
	    "GB/s");
	row(t, name[2], set_name, a->block.lockstep / GB,
	    b->block.lockstep / GB, "GB/s");
}

/* Fewest distinct uplinks of a leaf towards the set. */
static double fewest_uplinks(const struct facts *x, uint32_t set)
{
	uint32_t fewest = UINT32_MAX;

	for (uint32_t i = 0; i < x->audit.nuplinks; i++)
		if (x->audit.uplinks[i].set == set &&
		    x->audit.uplinks[i].used < fewest)
			fewest = x->audit.uplinks[i].used;
	return fewest == UINT32_MAX ? 0 : fewest;
}

static struct table *print_facts(const struct facts *now,
				 const struct facts *then)
{
	struct table *t = table_create(compare_columns);
	const struct sfab_iosets *io = now->m->io;

	for (uint32_t s = 0; s < io->nsets; s++) {
		rate_rows(t, now, then, s, SFAB_IO_WRITE);
		rate_rows(t, now, then, s, SFAB_IO_READ);
		row(t, "uplinks", io->set[s].name, fewest_uplinks(now, s),
		    fewest_uplinks(then, s), "links");
		row(t, "spine-ports", io->set[s].name, now->spine_ports[s],
		    then->spine_ports[s], "ports");
	}
	row(t, "bisect", NULL, now->bisect, then->bisect, "share");
	row(t, "rotate", NULL, now->rotate, then->rotate, "share");
	return t;
}

struct table *compare(const struct sfab_fabric *now,
		      const struct sfab_fabric *then,
		      const struct sfab_iosets *io, uint32_t job,
		      struct sfab_err *err)
{
	struct facts a = { 0 }, b = { 0 };
	struct table *t = NULL;

	if (find_facts(&a, now, io, job, err) == 0 &&
	    find_facts(&b, then, io, job, err) == 0)
		t = print_facts(&a, &b);
	facts_free(&a);
	facts_free(&b);
	return t;
}
