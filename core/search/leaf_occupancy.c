/* SPDX-License-Identifier: GPL-2.0-or-later */
/* leaf_occupancy.c - free hosts by leaf and pod; see score.h */

#include "core/search/score.h"
#include "core/search/search_shapes.h"

#include <stdlib.h>
#include <string.h>

static int cmp_most_first(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;

	return x > y ? -1 : x < y;
}

static int is_compute_host(const struct sfab_model *m, uint32_t host)
{
	return m->f->hosts[host].role == SFAB_HOST_COMPUTE && !m->io_host[host];
}

/*
 * Fewest leaves for @n hosts if those marked in @forced are used in any case:
 * fill these, then take the leaves with most free hosts.  @most is scratch.
 */
static uint32_t count_fewest_leaves(const struct sfab_space *room,
				    uint32_t nleaves, const uint8_t *forced,
				    uint32_t *most, uint32_t n)
{
	uint32_t leaves = 0, rest = 0;

	for (uint32_t l = 0; l < nleaves; l++) {
		if (!forced[l]) {
			most[rest++] = room->free[l];
			continue;
		}
		leaves++;
		n -= room->free[l] < n ? room->free[l] : n;
	}
	qsort(most, rest, sizeof(*most), cmp_most_first);
	for (uint32_t l = 0; l < rest && n && most[l]; l++) {
		leaves++;
		n -= most[l] < n ? most[l] : n;
	}
	return leaves;
}

/* -1: out of memory. */
static int add_up_pods(struct sfab_space *room, const struct sfab_model *m)
{
	const struct sfab_tree *t = m->tree;
	uint32_t end = sfab_shapes_apply(m) ? 1 : sfab_tree_pods_end(t);

	room->pods_end = end;
	if (end < 2)
		return 0;
	room->pod_free = calloc((size_t) end * t->nleaves + 1, sizeof(*room->pod_free));
	room->pod_size = calloc((size_t) end * t->nleaves + 1, sizeof(*room->pod_size));
	if (!room->pod_free || !room->pod_size)
		return -1;
	for (uint32_t h = 1; h < end; h++)
		for (uint32_t l = 0; l < t->nleaves; l++) {
			size_t pod = (size_t) h * t->nleaves + sfab_tree_group(t, h, l);

			room->pod_free[pod] += room->free[l];
			room->pod_size[pod] += room->size[l];
		}
	return 0;
}

static double broken_leaves(const struct sfab_space *room, uint32_t n,
			    const uint32_t *leaf, const uint32_t *used)
{
	double sum = 0;

	for (uint32_t i = 0; i < n; i++) {
		uint32_t l = leaf[i];

		if (used[l] < room->free[l])
			sum += room->free[l] == room->size[l] ? 1.0 : 0.5;
	}
	return sum;
}

/* The same for the pods of level @h.  A pod of one leaf counts as that leaf only. */
static double broken_pods(const struct sfab_space *room, const struct sfab_tree *t,
			  uint32_t h, uint32_t n, const uint32_t *leaf,
			  const uint32_t *used, uint32_t *in_pod)
{
	double sum = 0;

	for (uint32_t i = 0; i < n; i++)
		in_pod[sfab_tree_group(t, h, leaf[i])] += used[leaf[i]];
	for (uint32_t i = 0; i < n; i++) {
		uint32_t g = sfab_tree_group(t, h, leaf[i]), taken = in_pod[g];
		size_t pod = (size_t) h * t->nleaves + g;

		in_pod[g] = 0;
		if (taken && taken < room->pod_free[pod] &&
		    room->pod_size[pod] > room->size[leaf[i]])
			sum += room->pod_free[pod] == room->pod_size[pod] ? 1.0 : 0.5;
	}
	return sum;
}

double sfab_space_broken(const struct sfab_space *room, const struct sfab_tree *t,
			 uint32_t n, const uint32_t *leaf, const uint32_t *used,
			 uint32_t *in_pod)
{
	double sum = broken_leaves(room, n, leaf, used);

	for (uint32_t h = 1; h < room->pods_end; h++)
		sum += broken_pods(room, t, h, n, leaf, used, in_pod);
	return sum;
}

int sfab_space_init(struct sfab_space *room, const struct sfab_model *m,
		   const uint8_t *avail, const uint8_t *required, uint32_t n)
{
	const struct sfab_fabric *f = m->f;
	uint32_t *most = calloc(f->nleaves + 1u, sizeof(*most));
	uint8_t *forced = calloc(f->nleaves + 1u, 1);
	double nfree = 0, size = 0;

	memset(room, 0, sizeof(*room));
	room->free = calloc(f->nleaves + 1u, sizeof(*room->free));
	room->size = calloc(f->nleaves + 1u, sizeof(*room->size));
	if (!most || !forced || !room->free || !room->size) {
		free(most);
		free(forced);
		sfab_space_free(room);
		return -1;
	}
	for (uint32_t h = 0; h < f->nhosts; h++) {
		uint32_t leaf = m->host_leaf[h];
		int compute = is_compute_host(m, h);

		if (leaf == SFAB_NONE)
			continue;
		room->size[leaf] += (uint32_t) compute;
		room->free[leaf] += avail ? avail[h] : (uint32_t) compute;
		if (required && required[h])
			forced[leaf] = 1;
	}
	for (uint32_t l = 0; l < f->nleaves; l++) {
		nfree += room->free[l];
		size += room->size[l];
	}
	room->is_full = nfree - n < SFAB_SPACE_ROOMY * size;
	room->fewest = count_fewest_leaves(room, f->nleaves, forced, most, n);
	free(most);
	free(forced);
	if (add_up_pods(room, m) == 0)
		return 0;
	sfab_space_free(room);
	return -1;
}

void sfab_space_free(struct sfab_space *room)
{
	free(room->free);
	free(room->size);
	free(room->pod_free);
	free(room->pod_size);
	memset(room, 0, sizeof(*room));
}
