/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * audit_io.c - do the tables let hosts reach their IO sets?  See audit_private.h
 *
 * First count the distinct uplinks of each leaf toward each IO set.  The cost is the rate that
 * a block of neighbors gets, compared with what is possible.  The position of its fullest link
 * decides the rule:
 *
 *      host - leaf =io-uplinks=> spine -io-spines-> spine =io-leaf=> leaf - IO
 */

#include "core/audit/audit_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/audit/io_moves.h"

#define DOMAIN_SERVERS 4	/* in a set of fewer, any leaf may hold half of them */

/*
 * Is there a compute host on the leaf that uses member @k of the set?  IO hosts on the leaf do
 * not count: they serve.
 */
static int leaf_uses(const struct sfab_model *m, uint32_t set, uint32_t leaf,
		     uint32_t k)
{
	for (uint32_t i = 0; i < m->f->leaves[leaf].nports; i++) {
		uint32_t host = m->f->ports[m->f->leaves[leaf].port[i]].host;

		if (sfab_model_computes(m, host) && sfab_model_uses(m, set, host, leaf, k))
			return 1;
	}
	return 0;
}

/*
 * Count the uplinks that the tables use toward the members that hosts of this leaf talk to.
 * Members on the leaf itself need none.  -1: out of memory.
 */
static int count_uplinks(struct auditing *a, struct sfab_uplinks *u)
{
	const struct sfab_model *m = a->m;
	const struct sfab_fabric *f = m->f;
	const struct sfab_ioset *s = &m->io->set[u->set];
	uint8_t used[SFAB_SWITCH_PORTS_MAX + 1] = { 0 };
	uint32_t sw = f->leaves[u->leaf].sw;
	struct sfab_route *r = &a->route;

	for (uint32_t k = 0; k < s->nmembers; k++) {
		uint32_t port = m->io->ioport[s->member[k]];

		if (f->ports[port].leaf == u->leaf ||
		    f->ports[port].plane != f->switches[sw].plane ||
		    !leaf_uses(m, u->set, u->leaf, k))
			continue;
		u->members++;
		if (sfab_route_from(f, sw, port, r) < 0)
			return sfab_no_memory(a->err);
		for (uint32_t h = 0; r->status == SFAB_ROUTE_OK && h < r->n; h++) {
			const struct sfab_link *l = &f->links[r->hop[h].link];

			if (l->kind == SFAB_LINK_ISL && l->from == sw)
				used[l->from_port] = 1;
		}
	}
	for (unsigned p = 1; p <= SFAB_SWITCH_PORTS_MAX; p++)
		u->used += used[p];
	u->up = sfab_audit_cables(f, sw, NULL);
	return 0;
}

/*
 * Return the max-min rate where it was computed, because adapters share links in that way.
 * Else return the lockstep rate.
 */
static double reached_rate(const struct sfab_io_rate *r)
{
	return r->maxmin > 0 ? r->maxmin : r->lockstep;
}

/* Add a finding that names the leaf with the fewest uplinks and the rate of the worst block. */
static struct sfab_finding *add_io_finding(struct auditing *a, const struct sfab_io_rate *r)
{
	const struct sfab_link *l = &a->f->links[r->worst_link];
	int out_of_leaf = a->f->switches[l->from].leaf != SFAB_NONE;
	int into_leaf = a->f->switches[l->to].leaf != SFAB_NONE;
	enum sfab_rule rule = out_of_leaf || into_leaf ? SFAB_RULE_IO_LEAF : SFAB_RULE_IO_SPINES;
	uint32_t up = 0, fewest = SFAB_NONE;
	char object[sizeof(((struct sfab_finding *) 0)->object)];

	if (r->class == SFAB_IO_WRITE ? out_of_leaf : into_leaf)
		rule = SFAB_RULE_IO_UPLINKS;
	for (uint32_t i = 0; i < a->out->nuplinks; i++)
		if (a->out->uplinks[i].set == r->set && a->out->uplinks[i].used < fewest) {
			fewest = a->out->uplinks[i].used;
			up = a->out->uplinks[i].up;
		}
	snprintf(object, sizeof(object), "%s/%s", a->m->io->set[r->set].name,
		 sfab_class_name(r->class));
	return sfab_audit_add(a, rule, sfab_severity_of_loss(sfab_io_rate_loss(r)), fewest, object,
			      "%u of %u uplinks of a leaf lead to the IO set: %u neighbors, %.60s "
			      "to %.60s, get %.1f of %.1f GB/s; the fullest link is %.80s port %u",
			      fewest, up, r->n, a->f->hosts[r->host].name,
			      a->f->hosts[r->last].name, reached_rate(r) / SFAB_GB,
			      r->possible / SFAB_GB,
			      sfab_link_from_name(a->f, r->worst_link), l->from_port);
}

/* Say which moves would help.  @then: rates after the moves, predicted on the present tables. */
static void describe_moves(const struct auditing *a, const struct sfab_io_rate *now,
			   const struct sfab_io_rate *then, struct sfab_finding *finding)
{
	finding->effect_now = finding->effect_then = reached_rate(now) / SFAB_GB;
	if (!finding->nmoves)
		return;
	finding->effect = "GB/s";
	finding->effect_then = reached_rate(then) / SFAB_GB;
	snprintf(finding->remedy, sizeof(finding->remedy), "Move IO hosts, %.60s to the port of "
		 "%.60s and %u more: the worst neighbors then get %.1f of %.1f GB/s, "
		 "if the subnet manager routes the ports as it does now.",
		 a->f->hosts[finding->move[0].host].name,
		 a->f->hosts[finding->move[0].peer].name, finding->nmoves - 1, finding->effect_then,
		 then->possible / SFAB_GB);
}

/* Try swaps of positions within the leaf, and with other leaves if something is still lost. */
static int find_moves(struct auditing *a, const struct sfab_io_rates *now,
		      struct sfab_moves *best)
{
	memset(best, 0, sizeof(*best));
	best->rates = *now;
	for (int kind = SFAB_MOVES_SAME_LEAF; kind <= SFAB_MOVES_ANY_LEAF; kind++) {
		struct sfab_moves_options ask = {
			.m = a->m, .block = a->ask->block, .rates = &best->rates,
			.kind = (enum sfab_moves_kind) kind,
		};
		struct sfab_moves found;

		if (sfab_io_rates_loss(&best->rates) < SFAB_MOVES_GAIN)
			break;
		if (sfab_io_find_moves(&ask, &found, a->err) < 0) {
			free(best->move);
			return -1;
		}
		if (!found.n)
			continue;
		free(best->move);
		*best = found;
		best->rates.block.set = best->rates.all.set = now->block.set;
	}
	return 0;
}

/*
 * Report what a set loses in the worse of two cases: one block of neighbors, or all hosts at
 * once.
 */
static int report_io_loss(struct auditing *a, const struct sfab_io_rates *rates)
{
	const struct sfab_io_rate *worst = &rates->block;
	struct sfab_moves moves;
	struct sfab_finding *finding;
	double mixing_now, mixing_then;
	size_t used;

	if (sfab_io_rate_loss(&rates->all) > sfab_io_rate_loss(worst))
		worst = &rates->all;
	if (sfab_io_rate_loss(worst) < SFAB_AUDIT_LOSS || worst->worst_link == SFAB_NONE)
		return 0;
	if (find_moves(a, rates, &moves) < 0)
		return -1;
	finding = add_io_finding(a, worst);
	finding->move = moves.move;	/* sfab_audit() frees that of the spare */
	finding->nmoves = moves.n;
	finding->trial = SFAB_TRIAL_IO;
	finding->trial_of = rates->block.n;
	describe_moves(a, worst, worst == &rates->all ? &moves.rates.all : &moves.rates.block,
		       finding);
	if (a->failed || !moves.n)
		return a->failed ? -1 : 0;
	/* Moving has a cost: routes of others may then share links with writes. */
	if (sfab_io_measure_mixing(a->m, worst->set, NULL, &mixing_now, a->err) < 0 ||
	    sfab_io_measure_mixing(a->m, worst->set, &moves, &mixing_then, a->err) < 0)
		return -1;
	used = strlen(finding->remedy);
	snprintf(finding->remedy + used, sizeof(finding->remedy) - used, " Of the routes between "
		 "compute hosts, %.0f %% then cross links with writes (now %.0f %%).",
		 100 * mixing_then, 100 * mixing_now);
	return 0;
}

/*
 * List the rates of IO in two rows per set, since writes and reads take different links.
 * Uplinks have a row for each leaf whose hosts use the set.
 */
int sfab_audit_list_rates(struct auditing *a)
{
	static const enum sfab_class classes[] = { SFAB_IO_WRITE, SFAB_IO_READ };
	uint32_t nsets = a->m->io ? a->m->io->nsets : 0;
	struct sfab_audit *out = a->out;

	out->uplinks = calloc((size_t) nsets * a->f->nleaves + 1, sizeof(*out->uplinks));
	out->rates = calloc(2u * nsets + 1, sizeof(*out->rates));
	if (!out->uplinks || !out->rates)
		return sfab_no_memory(a->err);
	for (uint32_t s = 0; s < nsets; s++) {
		for (uint32_t l = 0; l < a->f->nleaves; l++) {
			struct sfab_uplinks *u = &out->uplinks[out->nuplinks];

			*u = (struct sfab_uplinks) { .set = s, .leaf = l };
			if (count_uplinks(a, u) < 0)
				return -1;
			out->nuplinks += u->members > 0;
		}
		for (unsigned c = 0; c < 2; c++)
			if (sfab_audit_rates(a->m, a->ask->block, s, classes[c],
					     &out->rates[out->nrates++], a->err) < 0)
				return -1;
	}
	return 0;
}

/*
 * Report a leaf whose failure takes half of a set with it.  Two servers are half of the set
 * wherever they are, so small sets say nothing.
 */
static void report_failure_domain(struct auditing *a, const struct sfab_ioset *s)
{
	uint32_t max = 0, leaf = SFAB_NONE;

	if (s->nmembers < DOMAIN_SERVERS || a->f->nleaves < 2)
		return;
	for (uint32_t k = 0; k < s->nmembers; k++) {
		uint32_t member_leaf = a->f->ports[a->m->io->ioport[s->member[k]]].leaf, n = 0;

		for (uint32_t i = 0; member_leaf != SFAB_NONE && i < s->nmembers; i++)
			n += a->f->ports[a->m->io->ioport[s->member[i]]].leaf == member_leaf;
		if (n > max) {
			max = n;
			leaf = member_leaf;
		}
	}
	if (2 * max < s->nmembers)
		return;
	sfab_audit_add(a, SFAB_RULE_IO_DOMAIN, SFAB_NOTE, max, s->name,
		       "%u of %u IO ports of the set are on leaf %.80s",
		       max, s->nmembers, sfab_audit_leaf(a->f, leaf));
}

int sfab_audit_io(struct auditing *a)
{
	for (uint32_t i = 0; i < a->out->nrates; i++)
		if (report_io_loss(a, &a->out->rates[i]) < 0)
			return -1;
	for (uint32_t set = 0; a->m->io && set < a->m->io->nsets; set++)
		report_failure_domain(a, &a->m->io->set[set]);
	return 0;
}
