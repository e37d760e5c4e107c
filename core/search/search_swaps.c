/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * search_swaps.c - swap single hosts of the best set off its worst link
 *
 * Whole leaves include hosts whose routes meet other traffic on the worst link.
 * That is the fullest link well above its capacity under the load of all jobs,
 * or a link in a tree.  The hosts of the set that use it most are offered in
 * exchange for hosts that use it least, on the same leaf or on other leaves in
 * use.  A swap that breaks another leaf would cost later jobs more than it
 * gains.  If the score prefers the new set, it is kept and its own worst link
 * is next.  The search ends when no link is far above capacity, nothing helps,
 * or the steps are used up.
 *
 * A job mostly fills its leaves.  What is left over fits on many leaves, and its leaf
 * decides whom the job meets.  If the best set is slowed, all of them are tried.
 *
 * IO next to other traffic is proposed by its worst link alone, and its search
 * ends when that cannot improve.  The score also counts what is shared
 * elsewhere, so a few random swaps of any hosts are tried, and kept if the
 * score prefers them.
 */

#include "core/fabric/route.h"
#include "core/search/search_private.h"

#include <stdlib.h>
#include <string.h>

#define OUT_TRIES 3		/* hosts on the worst link that are offered, */
#define IN_TRIES 3		/* each for up to this many others */
#define ANY_TRIES 32		/* random swaps per host of the job, */
#define ANY_MOST 256		/* at most this many */
#define FAR 1.5			/* X/C of a link that is worth a swap */
#define LONGER 1.01		/* slowdown of a set whose last leaf is worth a move */
#define LOOKUPS_A_STEP 4	/* routes looked up in the time of one addition */

struct swaps {
	struct pool *p;
	uint32_t link;			/* the worst */
	uint32_t *set;			/* [need] the hosts that may be swapped */
	uint8_t *is_in;			/* by host: 1: in the best set; 2: and must
					   stay */
	uint32_t *count;		/* by leaf: hosts of the best set */
	uint32_t *leaf, nleaves;	/* leaves of the best set */
	uint32_t *from;			/* by leaf: its routes over the link */
	uint32_t *writes;		/* by leaf: the same for a host's writes */
	uint32_t *used; /* by host: link_uses_of_host(); */
			/* UINT32_MAX in these three: not known */
	uint8_t *tried;			/* by host: offered for the current set */
	uint32_t *pick;			/* [need] scratch */
	uint32_t lookups;
	struct sfab_route r;
	int failed;
};

/* Does the route from @leaf to end port @dst cross the link? */
static int crosses_link(struct swaps *s, uint32_t leaf, uint32_t dst)
{
	const struct sfab_model *m = s->p->m;
	const uint16_t *row;

	s->lookups++;
	if (m->paths) {
		row = sfab_path(m->paths, leaf, dst);
		for (uint32_t i = 0; i < m->paths->width && row[i] < SFAB_PATH_LOST; i++)
			if (row[i] == s->link)
				return 1;
		return 0;
	}
	if (sfab_route_from(m->f, m->f->leaves[leaf].sw, dst, &s->r) < 0)
		s->failed = 1;
	for (uint32_t i = 0; !s->failed && i < s->r.n; i++)
		if (s->r.hop[i].link == s->link)
			return 1;
	return 0;
}

static uint32_t port_of(const struct swaps *s, uint32_t host)
{
	const struct sfab_model *m = s->p->m;
	uint32_t plane = m->f->switches[m->f->links[s->link].from].plane;

	for (uint32_t rail = 0; rail < m->nrails; rail++)
		if (m->rail_plane[rail] == plane)
			return m->rail_dst[(size_t) rail * m->f->nhosts + host];
	return SFAB_NONE;
}

/* Routes over the link to @host from the hosts of the set. */
static uint32_t routes_to(struct swaps *s, uint32_t host)
{
	uint32_t port = port_of(s, host), n = 0;

	for (uint32_t i = 0; port != SFAB_NONE && i < s->nleaves; i++)
		if (s->leaf[i] != s->p->m->f->ports[port].leaf &&
		    crosses_link(s, s->leaf[i], port))
			n += s->count[s->leaf[i]];
	return n;
}

/* Routes over the link for one IO part of the host at @port. */
static uint32_t part_routes(struct swaps *s, const struct sfab_traffic_part *part,
			    uint32_t port)
{
	const struct sfab_model *m = s->p->m;
	uint32_t set, n = 0;

	if (sfab_model_set(m, part, &set, NULL) < 0)
		return 0;
	for (uint32_t k = 0; k < m->io->set[set].nmembers; k++) {
		uint32_t io = m->io->ioport[m->io->set[set].member[k]];

		if (m->f->ports[io].plane != m->f->ports[port].plane ||
		    m->f->ports[io].leaf == SFAB_NONE)
			continue;
		n +=
		    part->class == SFAB_IO_WRITE
			? (uint32_t) crosses_link(s, m->f->ports[port].leaf, io)
			: (uint32_t) crosses_link(s, m->f->ports[io].leaf,
						  port);
	}
	return n;
}

/* The same for all parts of a class. */
static uint32_t class_routes(struct swaps *s, enum sfab_class class, uint32_t port)
{
	const struct sfab_traffic *t = s->p->rq->traffic;
	uint32_t n = 0;

	for (uint32_t i = 0; i < t->nparts; i++)
		if (t->part[i].class == class)
			n += part_routes(s, &t->part[i], port);
	return n;
}

/* The same for all its IO.  All hosts of a leaf write alike. */
static uint32_t io_routes(struct swaps *s, uint32_t host)
{
	uint32_t port = port_of(s, host), *writes;

	if (port == SFAB_NONE)
		return 0;
	writes = &s->writes[s->p->m->f->ports[port].leaf];
	if (*writes == UINT32_MAX)
		*writes = class_routes(s, SFAB_IO_WRITE, port);
	return *writes + class_routes(s, SFAB_IO_READ, port);
}

/* Routes over the link from @leaf to hosts of the set. */
static uint32_t routes_from(struct swaps *s, uint32_t leaf)
{
	const struct sfab_choice *best = &s->p->kept[0];
	uint32_t n = 0;

	for (uint32_t i = 0; i < best->n; i++) {
		uint32_t port = port_of(s, best->host[i]);

		if (port != SFAB_NONE && s->p->m->f->ports[port].leaf != leaf)
			n += (uint32_t) crosses_link(s, leaf, port);
	}
	return n;
}

static uint32_t look_up_uses(struct swaps *s, uint32_t host)
{
	const struct sfab_traffic *t = s->p->rq->traffic;
	uint32_t leaf = s->p->m->host_leaf[host], n = 0;

	if (sfab_traffic_share(t, 0) > 0) {
		if (s->from[leaf] == UINT32_MAX)
			s->from[leaf] = routes_from(s, leaf);
		n = routes_to(s, host) + s->from[leaf];
	}
	return sfab_traffic_share(t, 1) > 0 ? n + io_routes(s, host) : n;
}

/* Number of routes over the link that @host uses, or would use. */
static uint32_t link_uses_of_host(struct swaps *s, uint32_t host)
{
	if (s->used[host] == UINT32_MAX)
		s->used[host] = look_up_uses(s, host);
	return s->used[host];
}

/* -- the best set --------------------------------------------------------- */

/* X/C of a link under all jobs if above FAR, else 0; a tree adds one. */
static double link_excess(const struct swaps *s, const double *b, uint32_t e)
{
	const struct pool *p = s->p;
	double x = sfab_scorer_net(p->sc)->v[e] + sfab_scorer_io(p->sc)->v[e] +
		   (b ? b[e] : 0);

	x *= p->m->inv_cap[e];
	return (x > FAR ? x : 0) + (p->js && sfab_jobs_in_tree(p->js, e));
}

static void find_worst_in_load(const struct swaps *s, const struct sfab_load *d,
			       const double *b, double *most, uint32_t *worst)
{
	for (uint32_t i = 0; i < d->ntouched; i++) {
		uint32_t e = d->touched[i];
		double x = s->p->m->isl[e] ? link_excess(s, b, e) : 0;

		if (x > *most || (x > 0 && x == *most && e < *worst)) {
			*most = x;
			*worst = e;
		}
	}
}

/* Worst link of the set that was scored last; SFAB_NONE: none above FAR. */
static uint32_t worst_link(const struct swaps *s)
{
	const double *b = s->p->js ? sfab_jobs_background(s->p->js) : NULL;
	uint32_t worst = SFAB_NONE;
	double most = 0;

	find_worst_in_load(s, sfab_scorer_net(s->p->sc), b, &most, &worst);
	find_worst_in_load(s, sfab_scorer_io(s->p->sc), b, &most, &worst);
	return worst;
}

/* Examine the best set, which was scored last. */
static int take_best_set(struct swaps *s)
{
	struct pool *p = s->p;
	const struct sfab_choice *best = &p->kept[0];
	uint32_t n = 0;

	memset(s->is_in, 0, p->m->f->nhosts);
	memset(s->tried, 0, p->m->f->nhosts);
	memset(s->used, 0xFF, p->m->f->nhosts * sizeof(*s->used));
	memset(s->from, 0xFF, p->m->f->nleaves * sizeof(*s->from));
	memset(s->writes, 0xFF, p->m->f->nleaves * sizeof(*s->writes));
	memset(s->count, 0, p->m->f->nleaves * sizeof(*s->count));
	s->nleaves = 0;
	for (uint32_t i = 0; i < best->n; i++) {
		uint32_t leaf = p->m->host_leaf[best->host[i]];

		s->is_in[best->host[i]] = 1;
		if (!s->count[leaf]++)
			s->leaf[s->nleaves++] = leaf;
	}
	for (uint32_t i = 0; i < p->nbase; i++)
		s->is_in[p->base[i]] = 2;
	for (uint32_t i = 0; i < best->n; i++)
		if (s->is_in[best->host[i]] == 1)
			s->set[n++] = best->host[i];
	s->link = worst_link(s);
	return s->link != SFAB_NONE;
}

/* Index in s->set of the host that uses the link most and was not offered. */
static uint32_t most_used(struct swaps *s)
{
	uint32_t out = SFAB_NONE, most = 0;

	for (uint32_t i = 0; i < s->p->need; i++) {
		uint32_t n =
		    s->tried[s->set[i]] ? 0 : link_uses_of_host(s, s->set[i]);

		if (n > most) {
			most = n;
			out = i;
		}
	}
	return out;
}

/* The best host to replace @out, not in @offered, or SFAB_NONE. */
static uint32_t find_in_host(struct swaps *s, uint32_t out, uint8_t *offered)
{
	uint32_t limit = link_uses_of_host(s, out), best = SFAB_NONE,
		 least = UINT32_MAX;

	for (uint32_t i = 0; i < s->p->nhosts; i++) {
		uint32_t h = s->p->host[i], leaf = s->p->m->host_leaf[h], n;

		if (s->is_in[h] || offered[h] || !s->count[leaf])
			continue;
		n = link_uses_of_host(s, h);
		if (n >= limit)
			continue;
		/* Fewer uses come first; the same leaf decides ties. */
		n = 2 * n + (leaf != s->p->m->host_leaf[out]);
		if (n < least) {
			least = n;
			best = h;
		}
	}
	return best;
}

static void account_lookups(struct swaps *s)
{
	s->p->steps += s->lookups / LOOKUPS_A_STEP;
	s->lookups = 0;
}

/* 1: the score prefers the set with @in at index @place; -1 with *err. */
static int try_swap(struct swaps *s, uint32_t place, uint32_t in, struct sfab_err *err)
{
	double before = s->p->kept[0].score.key;
	uint32_t out = s->set[place];

	account_lookups(s);
	s->set[place] = in;
	if (sfab_pool_try(s->p, s->set, err) < 0)
		return -1;
	s->set[place] = out;
	return s->p->kept[0].score.key < before;
}

/* 1: found a better set; 0: none through its worst link. */
static int improve_set(struct swaps *s, uint8_t *offered, struct sfab_err *err)
{
	for (int o = 0; o < OUT_TRIES && sfab_pool_go_on(s->p); o++) {
		uint32_t place = most_used(s);

		if (place == SFAB_NONE)
			return 0;
		s->tried[s->set[place]] = 1;
		memset(offered, 0, s->p->m->f->nhosts);
		for (int k = 0; k < IN_TRIES && sfab_pool_go_on(s->p); k++) {
			uint32_t in = find_in_host(s, s->set[place], offered);
			int rc;

			if (in == SFAB_NONE)
				break;
			offered[in] = 1;
			rc = try_swap(s, place, in, err);
			if (rc != 0)
				return rc;
		}
	}
	return 0;
}

/* Update s->set and is_in from the best set. */
static void take_current_set(struct swaps *s)
{
	struct pool *p = s->p;
	uint32_t n = 0;

	memset(s->is_in, 0, p->m->f->nhosts);
	for (uint32_t i = 0; i < p->rq->n; i++)
		s->is_in[p->kept[0].host[i]] = 1;
	for (uint32_t i = 0; i < p->nbase; i++)
		s->is_in[p->base[i]] = 2;
	for (uint32_t i = 0; i < p->rq->n; i++)
		if (s->is_in[p->kept[0].host[i]] == 1)
			s->set[n++] = p->kept[0].host[i];
}

/* 1: random swaps are pointless: not only IO, no other jobs, or score 0. */
static int is_fine(const struct pool *p)
{
	return !pool_is_io_beside(p) || !(p->kept[0].score.key > 0);
}

static int swap_any(struct swaps *s, struct sfab_err *err)
{
	struct pool *p = s->p;
	uint32_t tries = p->need < ANY_MOST / ANY_TRIES ? p->need * ANY_TRIES : ANY_MOST;

	take_current_set(s);
	for (uint32_t k = 0; k < tries && !is_fine(p) && sfab_pool_go_on(p); k++) {
		uint32_t place = (uint32_t) (sfab_random(&p->random) % p->need);
		uint32_t in = p->host[sfab_random(&p->random) % p->nhosts];
		int rc = s->is_in[in] ? 0 : try_swap(s, place, in, err);

		if (rc < 0)
			return -1;
		if (rc)
			take_current_set(s);
	}
	return 0;
}

/* -- the last leaf -------------------------------------------------------- */

/* The leaf with the fewest hosts of the set; SFAB_NONE: the set is on one. */
static uint32_t least_used_leaf(const struct swaps *s)
{
	uint32_t least = SFAB_NONE;

	for (uint32_t i = 0; i < s->nleaves; i++)
		if (least == SFAB_NONE || s->count[s->leaf[i]] < s->count[least])
			least = s->leaf[i];
	return s->nleaves > 1 ? least : SFAB_NONE;
}

/* Hosts of pool leaf @l in the places of the set's hosts on @least. */
static int try_on_leaf(struct swaps *s, uint32_t least, uint32_t l, struct sfab_err *err)
{
	struct pool *p = s->p;
	uint32_t n = pool_free(p, l), at = (uint32_t) (sfab_random(&p->random) % n);

	for (uint32_t i = 0, k = 0; i < p->need; i++) {
		s->pick[i] = s->set[i];
		if (p->m->host_leaf[s->pick[i]] == least)
			s->pick[i] = p->host[p->first[l] + (at + k++) % n];
	}
	return sfab_pool_try(p, s->pick, err);
}

/* 1: traffic between the hosts alone, which takes longer on account of links. */
static int meets_others(const struct pool *p)
{
	return !(sfab_traffic_share(p->rq->traffic, 1) > 0) &&
	       p->kept[0].score.slowdown > LONGER;
}

/* Try the hosts of the set's last leaf on all leaves that it does not use. */
static int move_last_leaf(struct swaps *s, struct sfab_err *err)
{
	struct pool *p = s->p;
	uint32_t least = least_used_leaf(s);

	for (uint32_t l = 0; least != SFAB_NONE && l < p->nleaves && sfab_pool_go_on(p); l++)
		if (!s->count[p->leaf[l]] && pool_free(p, l) >= s->count[least] &&
		    try_on_leaf(s, least, l, err) < 0)
			return -1;
	return 0;
}

static int run_swaps(struct swaps *s, uint8_t *offered, struct sfab_err *err)
{
	int rc = 1;

	if (sfab_pool_rescore(s->p, err) < 0)
		return -1;
	while (rc > 0 && !s->failed && sfab_pool_go_on(s->p) &&
	       take_best_set(s)) {
		rc = improve_set(s, offered, err);
		account_lookups(s);
	}
	if (s->failed)
		return sfab_no_memory(err);
	if (rc < 0)
		return -1;
	if (meets_others(s->p) && move_last_leaf(s, err) < 0)
		return -1;
	return swap_any(s, err);
}

int sfab_search_swaps(struct pool *p, struct sfab_err *err)
{
	struct swaps s = { .p = p };
	size_t hosts = p->m->f->nhosts + 1u, leaves = p->m->f->nleaves + 1u;
	uint8_t *bytes = calloc(3 * hosts, 1);
	uint32_t *words = calloc(3 * hosts + 4 * leaves, sizeof(*words));
	int rc;

	s.is_in = bytes;
	s.tried = bytes + hosts;
	s.set = words;
	s.used = words + hosts;
	s.pick = words + 2 * hosts;
	s.count = words + 3 * hosts;
	s.leaf = s.count + leaves;
	s.from = s.leaf + leaves;
	s.writes = s.from + leaves;
	if (bytes && words)
		rc = run_swaps(&s, bytes + 2 * hosts, err);
	else
		rc = sfab_no_memory(err);
	free(bytes);
	free(words);
	sfab_route_clear(&s.r);
	return rc;
}
