/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * search_leaves.c - whole leaves for traffic between the job's own nodes
 *
 * A job that fits on one leaf gets the tightest; among equals the one with the
 * busiest uplinks, since it cannot hurt there, or in the fullest pod.  A larger job
 * gets whole leaves in the order of a noisy key that prefers quiet uplinks and many
 * free hosts, in two of three rounds pod after pod: jobs that share pods share the
 * links above them.  The last leaf is the tightest that holds the rest.
 */

#include "core/search/search_private.h"

#include <math.h>
#include <stdlib.h>

#define ROUNDS 60		/* noisy orders tried */
#define HEAT_BONUS 1.0		/* hosts left over that a leaf with full uplinks
				   makes up for */
#define POD_BONUS 0.5		/* of two leaves alike that in the fuller pod */
#define POD_ROUNDS 3		/* one in three does not look at pods */
#define POD_COST 20.0		/* key units that keep leaves of one pod together */
#define POD_FIT 4.0		/* at most, how far a pod that fits is preferred */
#define SLACK_COST 0.3		/* key units per host left over on the last leaf */

/* Fullness of a link; one in a tree counts as full in addition. */
static double link_fullness(const struct pool *p, uint32_t link)
{
	return pool_fill(p, link) + sfab_jobs_in_tree(p->js, link);
}

/* Mean over the switch-to-switch links of a leaf, both directions. */
static double leaf_heat(const struct pool *p, uint32_t leaf)
{
	const struct sfab_fabric *f = p->m->f;
	const struct sfab_switch *sw = &f->switches[f->leaves[leaf].sw];
	double sum = 0;
	uint32_t n = 0;

	for (uint32_t port = 1; port <= sw->nports; port++) {
		uint32_t out = sw->out[port], back;

		if (out == SFAB_NONE || f->links[out].kind != SFAB_LINK_ISL)
			continue;
		back = f->switches[f->links[out].to].out[f->links[out].to_port];
		sum += link_fullness(p, out);
		if (back != SFAB_NONE)
			sum += link_fullness(p, back);
		n += 2;
	}
	return n ? sum / n : 0;
}

static int is_picked(const uint32_t *pick, uint32_t n, uint32_t host)
{
	for (uint32_t i = 0; i < n; i++)
		if (pick[i] == host)
			return 1;
	return 0;
}

/* Take part of a leaf: the hosts that IO meets least (io_way.h). */
static void take_off_io(const struct pool *p, uint32_t l, uint32_t *pick, uint32_t *n)
{
	const double *way = sfab_scorer_host_way(p->sc);
	uint32_t *own = pick + *n, nown = 0;

	while (*n < p->need) {
		uint32_t best = SFAB_NONE;

		for (uint32_t i = p->first[l]; i < p->first[l + 1]; i++)
			if ((best == SFAB_NONE || way[p->host[i]] < way[best]) &&
			    !is_picked(own, nown, p->host[i]))
				best = p->host[i];
		own[nown++] = best;
		(*n)++;
	}
}

static void take_leaf(const struct pool *p, uint32_t l, uint32_t *pick, uint32_t *n)
{
	/* By the mean the order within a leaf makes no measured difference. */
	if (sfab_scorer_host_way(p->sc) && pool_free(p, l) > p->need - *n) {
		take_off_io(p, l, pick, n);
		return;
	}
	for (uint32_t i = p->first[l]; i < p->first[l + 1] && *n < p->need; i++)
		pick[(*n)++] = p->host[i];
}

/* The part of its pod that is free; 0: there are no pods. */
static double free_part_of_pod(const struct pool *p, uint32_t leaf)
{
	const struct sfab_tree *t = p->m->tree;
	uint32_t h = p->room.pods_end - 1;
	size_t pod;

	if (!h)
		return 0;
	pod = (size_t) h * t->nleaves + sfab_tree_group(t, h, leaf);
	return (double) p->room.pod_free[pod] / fmax(p->room.pod_size[pod], 1);
}

/* The best leaf that holds the whole job and was not tried, or SFAB_NONE. */
static uint32_t one_leaf(const struct pool *p, const double *hot,
			 const uint8_t *used)
{
	uint32_t best = SFAB_NONE;
	double best_key = 0;

	for (uint32_t l = 0; l < p->nleaves; l++) {
		double key = pool_free(p, l) - HEAT_BONUS * hot[l] +
			     POD_BONUS * free_part_of_pod(p, p->leaf[l]);

		if (used[l] || pool_free(p, l) < p->need)
			continue;
		if (best == SFAB_NONE || key < best_key) {
			best = l;
			best_key = key;
		}
	}
	return best;
}

/*
 * The tightest leaf that holds all of @rest, else the one with the lowest key.
 */
static uint32_t next_leaf(const struct pool *p, const double *key,
			  const uint8_t *used, uint32_t rest)
{
	uint32_t next = SFAB_NONE, last = SFAB_NONE;
	double last_key = 0;

	for (uint32_t l = 0; l < p->nleaves; l++) {
		double k;

		if (used[l])
			continue;
		if (next == SFAB_NONE || key[l] < key[next])
			next = l;
		if (pool_free(p, l) < rest)
			continue;
		k = key[l] + SLACK_COST * (pool_free(p, l) - rest);
		if (last == SFAB_NONE || k < last_key) {
			last = l;
			last_key = k;
		}
	}
	return last != SFAB_NONE ? last : next;
}

static void pick_leaves_by_key(const struct pool *p, const double *key,
			       uint8_t *used, uint32_t *pick)
{
	uint32_t n = 0;

	for (uint32_t l = 0; l < p->nleaves; l++)
		used[l] = 0;
	while (n < p->need) {
		uint32_t l = next_leaf(p, key, used, p->need - n);

		used[l] = 1;
		take_leaf(p, l, pick, &n);
	}
}

/*
 * Keep the leaves of a pod together.  Pods come in the order of noise and of how well
 * the job fits: the tightest that holds it, else the one with most free hosts.
 * @pod: [nleaves of the fabric] scratch.
 */
static void prefer_pods(struct pool *p, double *key, double *pod)
{
	const struct sfab_tree *t = p->m->tree;
	uint32_t h = p->room.pods_end - 1;
	double fit = POD_FIT * sfab_uniform(&p->random), need = p->need;

	for (uint32_t g = 0; g < t->ngroups[h]; g++)
		pod[g] = 0;
	for (uint32_t l = 0; l < p->nleaves; l++)
		pod[sfab_tree_group(t, h, p->leaf[l])] += pool_free(p, l);
	for (uint32_t g = 0; g < t->ngroups[h]; g++)
		pod[g] = sfab_uniform(&p->random) -
			 fit * (pod[g] < need ? pod[g] / need : 1 + need / pod[g]);
	for (uint32_t l = 0; l < p->nleaves; l++)
		key[l] += POD_COST * pod[sfab_tree_group(t, h, p->leaf[l])];
}

static int noisy_orders(struct pool *p, const double *hot, double *key, double *pod,
			uint8_t *used, uint32_t *pick, struct sfab_err *err)
{
	for (int round = 0; round < ROUNDS && sfab_pool_go_on(p); round++) {
		/*
		 * How much heat matters in this round, from not at all to twice
		 * the noise.  Every second round also prefers leaves with many
		 * free hosts.
		 */
		double care = 2 * sfab_uniform(&p->random);
		double size = round % 2 ? 0.15 * sfab_uniform(&p->random) : 0;

		for (uint32_t l = 0; l < p->nleaves; l++)
			key[l] = care * hot[l] + sfab_uniform(&p->random) -
				 size * pool_free(p, l);
		if (p->room.pods_end > 1 && round % POD_ROUNDS)
			prefer_pods(p, key, pod);
		pick_leaves_by_key(p, key, used, pick);
		if (sfab_pool_try(p, pick, err) < 0)
			return -1;
	}
	return 0;
}

static int search_leaf_orders(struct pool *p, double *hot, double *key, double *pod,
			      uint8_t *used, uint32_t *pick,
			      struct sfab_err *err)
{
	uint32_t one = SFAB_NONE;

	for (uint32_t l = 0; p->js && l < p->nleaves; l++)
		hot[l] = leaf_heat(p, p->leaf[l]);
	for (uint32_t i = 0; !p->nbase && i < p->nkeep; i++) {
		uint32_t n = 0, l = one_leaf(p, hot, used);

		if (l == SFAB_NONE)
			break;
		one = l;
		used[l] = 1;
		take_leaf(p, l, pick, &n);
		if (sfab_pool_try(p, pick, err) < 0)
			return -1;
	}
	return one != SFAB_NONE ? 0 : noisy_orders(p, hot, key, pod, used, pick, err);
}

int sfab_search_leaves(struct pool *p, uint32_t *pick, struct sfab_err *err)
{
	double *hot = calloc(2u * p->nleaves + p->m->f->nleaves + 1u, sizeof(*hot));
	uint8_t *used = calloc(p->nleaves + 1u, 1);
	int rc;

	if (hot && used)
		rc = search_leaf_orders(p, hot, hot + p->nleaves, hot + 2u * p->nleaves,
					used, pick, err);
	else
		rc = sfab_no_memory(err);
	free(hot);
	free(used);
	return rc;
}
