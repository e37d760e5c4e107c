/* SPDX-License-Identifier: GPL-2.0-or-later */
/* routing_facts.c - figures of one routing; see routing_facts.h */

#include "tools/whatif/routing_facts.h"

#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"
#include "core/audit/io_moves.h"
#include "core/predict/pairs.h"
#include "tools/site/linkload.h"
#include "tools/ui/xalloc.h"

#define PATTERNS 8		/* rotations, and as many random bisections */

void routing_facts_free(struct routing_facts *x)
{
	sfab_audit_free(&x->audit);
	sfab_model_destroy(x->m);
	free(x->spine_ports);
	free(x->mixed);
	memset(x, 0, sizeof(*x));
}

/*
 * Count the output ports of spines that are used from the @n compute hosts to the set.  All
 * pairs of a host and a port of the set count once, whatever they would send: this is about
 * where routes are, not about rates.
 */
static int count_spine_ports(struct routing_facts *x, const uint32_t *host, uint32_t n,
			     uint32_t set, struct sfab_err *err)
{
	const struct sfab_fabric *f = x->m->f;
	const struct sfab_ioset *ioset = &x->m->io->set[set];
	uint8_t *src = xcalloc(f->nports + 1, 1), *dst = xcalloc(f->nports + 1, 1);
	struct linkload load;
	int rc;

	for (uint32_t i = 0; i < n; i++)
		memset(&src[f->hosts[host[i]].port0], 1, f->hosts[host[i]].nports);
	for (uint32_t i = 0; i < ioset->nmembers; i++)
		dst[x->m->io->ioport[ioset->member[i]]] = 1;
	rc = linkload_count(f, src, dst, &load, err);
	free(src);
	free(dst);
	if (rc != 0)
		return rc;
	for (uint32_t i = 0; i < f->nlinks; i++)
		x->spine_ports[set] += f->links[i].kind == SFAB_LINK_ISL &&
				       !sfab_switch_is_leaf(f, f->links[i].from) &&
				       load.routes[i] > 0;
	linkload_free(&load);
	return 0;
}

static double average_share(const double *share, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += share[i];
	return sum / (double) n;
}

/*
 * Find the mean shares in rotations and bisections of the @n hosts.  The order of @host
 * changes.  Shares are of what a host could send if it were alone.  Rotations are regular
 * patterns, as many as there are up to the limit.  Bisections are random with the seed 1, so
 * that two routings see the same pairs.
 */
static int find_pair_shares(struct routing_facts *x, uint32_t *host, uint32_t n,
			    struct sfab_err *err)
{
	uint32_t half = n / 2, rotations = half < PATTERNS ? half : PATTERNS;
	double *share;
	int rc;

	if (n < 2)
		return 0;
	share = xcalloc((size_t) PATTERNS * half, sizeof(*share));
	rc = sfab_pairs_rotate(x->m, host, n, rotations, share, err);
	x->rotate = average_share(share, (size_t) rotations * half);
	if (rc == 0)
		rc = sfab_pairs_bisect(x->m, host, n, PATTERNS, 1, share, err);
	x->bisect = average_share(share, (size_t) PATTERNS * half);
	free(share);
	return rc;
}

int routing_facts_find(struct routing_facts *x, const struct sfab_fabric *f,
		       const struct sfab_iosets *io, uint32_t job, struct sfab_err *err)
{
	struct sfab_audit_options options = { .block = job, .only_rates = 1 };
	uint32_t n, *host;
	int rc = 0;

	memset(x, 0, sizeof(*x));
	options.m = x->m = xnonnull(sfab_model_create(f, io));
	x->spine_ports = xcalloc(io->nsets + 1, sizeof(*x->spine_ports));
	x->mixed = xcalloc(io->nsets + 1, sizeof(*x->mixed));
	if (sfab_audit(&options, &x->audit, err) != 0)
		return -1;
	if (sfab_audit_all_to_all(x->m, &x->all_to_all, err) != 0)
		return -1;
	host = xnonnull(sfab_audit_list_compute_hosts(x->m, &n));
	/*
	 * Sorted by name, whatever port they are on.  The pairs must be the same for both
	 * routings, and a host may have been moved to another port.
	 */
	qsort(host, n, sizeof(*host), sfab_ascending_u32);
	for (uint32_t s = 0; rc == 0 && s < io->nsets; s++)
		if ((rc = count_spine_ports(x, host, n, s, err)) == 0)
			rc = sfab_io_measure_mixing(x->m, s, NULL, &x->mixed[s], err);
	if (rc == 0)
		rc = find_pair_shares(x, host, n, err);
	free(host);
	return rc;
}

const struct sfab_io_rates *routing_facts_rates(const struct routing_facts *x,
						uint32_t set, enum sfab_class class)
{
	for (uint32_t i = 0; i < x->audit.nrates; i++)
		if (x->audit.rates[i].all.set == set &&
		    x->audit.rates[i].all.class == class)
			return &x->audit.rates[i];
	return NULL;
}

/* Return the rate that loses most.  That of a job comes first, so it wins over an equal one. */
const struct sfab_io_rate *routing_facts_worst(const struct routing_facts *x)
{
	const struct sfab_io_rate *worst = NULL;

	for (uint32_t i = 0; i < x->audit.nrates; i++) {
		const struct sfab_io_rate *both[] = {
			&x->audit.rates[i].block, &x->audit.rates[i].all,
		};

		for (int k = 0; k < 2; k++)
			if (both[k]->n && (!worst ||
			    sfab_io_rate_loss(both[k]) > sfab_io_rate_loss(worst)))
				worst = both[k];
	}
	return worst;
}
