/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topology_diff.c - topology.conf against the one that `generate` makes; see
 * topology.h
 *
 * A leaf and a switch of the file that has nodes are the same if each has most
 * of its nodes in common with the other, whatever their names.  Switches above
 * are the same if the same leaves are below them.  We compare sums of random
 * numbers, one for each leaf; two different sets have the same sum with a
 * chance of 2^-64.
 */

#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "io/hostlist.h"
#include "tools/topology/topology_private.h"
#include "tools/ui/say.h"

/* Matching goes in both directions: match[i] = k exactly if back[k] = i. */
struct diff {
	struct findings x;
	const struct topology_conf *made;
	uint32_t *place;	/* by host: generated switch, or SFAB_NONE */
	uint32_t *match;	/* by switch of the file: the generated one */
	uint32_t *back;		/* the inverse */
};

/*
 * For each of @n groups of @from, the most frequent group of @to; caller frees.
 * Hosts are sorted by @from once, so each group is a run of them.
 */
static uint32_t *find_usual_groups(const struct diff *d, const uint32_t *from,
				   uint32_t n, const uint32_t *to, uint32_t nto)
{
	struct hosts_sorted s = hosts_sort(from, d->x.f->nhosts, n);
	uint32_t *best = need(n, sizeof(*best));
	uint32_t *count = need(nto, sizeof(*count));

	for (uint32_t k = 0; k < n; k++)
		best[k] = findings_usual(to, s.host + s.start[k],
				     s.start[k + 1] - s.start[k], count);
	free(count);
	hosts_sorted_free(&s);
	return best;
}

/*
 * Pairs that are each other's most frequent one.  A rack in the file that is
 * two leaves of the fabric matches the larger one; the nodes of the other are
 * reported as moved.
 */
static void match_leaves(struct diff *d)
{
	uint32_t n = d->x.t->n, nmade = d->made->n;

	d->match = find_usual_groups(d, d->x.group, n, d->place, nmade);
	d->back = find_usual_groups(d, d->place, nmade, d->x.group, n);
	for (uint32_t i = 0; i < n; i++)
		if (d->match[i] != SFAB_NONE && d->back[d->match[i]] != i)
			d->match[i] = SFAB_NONE;
	for (uint32_t k = 0; k < nmade; k++)
		if (d->back[k] != SFAB_NONE && d->match[d->back[k]] != k)
			d->back[k] = SFAB_NONE;
}

/* Only reported: Slurm does not care how a switch is called. */
static void found_renamed(struct diff *d, uint32_t sw)
{
	const struct topology_switch *theirs = &d->x.t->sw[sw];
	const char *name = d->made->sw[d->match[sw]].name;

	if (strcmp(theirs->name, name) != 0)
		findings_add(&d->x, "renamed", sw, name, theirs->nodes ?
			   theirs->nodes : theirs->switches,
			   "the same switch by another name");
}

/*
 * Where the fabric has the nodes of one switch of the file.  Hosts are sorted
 * by where they belong, so one finding has all that are cabled to one switch.
 */
static void diff_nodes(struct diff *d, uint32_t sw, uint32_t *host, uint32_t n)
{
	uint32_t end;

	findings_order(d->place, host, n);
	for (uint32_t i = 0; i < n; i = end) {
		uint32_t to = d->place[host[i]];

		for (end = i; end < n && d->place[host[end]] == to; end++)
			;
		if (to == SFAB_NONE)
			findings_add_hosts(&d->x, "extra-node", sw, NULL, host + i,
					 end - i, "not in the set of nodes (-w)");
		else if (to != d->match[sw])
			findings_add_hosts(&d->x, "moved", sw,
					 d->made->sw[to].name, host + i, end - i,
					 "cabled to this switch");
	}
}

/*
 * Nodes that generate would list and the file does not.  The run of a leaf is
 * compacted in place, which leaves its order.
 */
static void diff_missing(struct diff *d)
{
	struct hosts_sorted s = hosts_sort(d->place, d->x.f->nhosts, d->made->n);

	for (uint32_t k = 0; k < d->made->n; k++) {
		uint32_t *host = s.host + s.start[k], n = 0;

		for (uint32_t i = s.start[k]; i < s.start[k + 1]; i++)
			if (d->x.group[s.host[i]] == SFAB_NONE)
				host[n++] = s.host[i];
		if (n)
			findings_add_hosts(&d->x, "missing-node", SFAB_NONE,
					 d->made->sw[k].name, host, n,
					 "in no line of the file");
	}
	hosts_sorted_free(&s);
}

/*
 * By switch, the sum of the numbers of the leaves below it; caller frees.
 * @leaf: by switch, the generated leaf that it is, or SFAB_NONE.  Stops on a
 * ring of switches.  The number is the first of a random sequence whose seed is
 * the leaf, so it is the same in both trees.
 */
static uint64_t *sum_leaf_numbers(const struct topology_conf *t,
				  const uint32_t *parent, const uint32_t *leaf)
{
	uint64_t *sum = need(t->n, sizeof(*sum));

	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t above = parent[i], steps = 0;

		if (leaf[i] == SFAB_NONE)
			continue;
		for (; above != SFAB_NONE && steps < t->n; steps++) {
			uint64_t state = leaf[i] * UINT64_C(0x9E3779B97F4A7C15);

			sum[above] += sfab_random(&state);
			above = parent[above];
		}
	}
	return sum;
}

/*
 * By generated switch, the one above it, SFAB_NONE: none; caller frees.  Names
 * in a generated file always exist.
 */
static uint32_t *parents_made(const struct topology_conf *made,
			      struct sfab_err *err)
{
	uint32_t *parent = need(made->n, sizeof(*parent));
	struct sfab_names names;

	for (uint32_t k = 0; k < made->n; k++)
		parent[k] = SFAB_NONE;
	for (uint32_t k = 0; k < made->n; k++) {
		const char *list = made->sw[k].switches;

		if (sfab_hostlist_expand(list ? list : "", &names, err) != 0) {
			free(parent);
			return NULL;
		}
		for (uint32_t i = 0; i < names.n; i++)
			parent[topology_conf_find(made, names.name[i])] = k;
		sfab_names_free(&names);
	}
	return parent;
}

/* Of the generated leaves, only those that the file has too. */
static uint64_t *sums_made(const struct diff *d, struct sfab_err *err)
{
	uint32_t *parent = parents_made(d->made, err);
	uint32_t *leaf;
	uint64_t *sum;

	if (!parent)
		return NULL;
	leaf = need(d->made->n, sizeof(*leaf));
	for (uint32_t k = 0; k < d->made->n; k++)
		leaf[k] = d->back[k] == SFAB_NONE ? SFAB_NONE : k;
	sum = sum_leaf_numbers(d->made, parent, leaf);
	free(leaf);
	free(parent);
	return sum;
}

/*
 * Switches above the leaves: the same sum means the same leaves below.  A
 * switch without any known leaf below has sum 0 and is not compared.
 */
static int diff_groups(struct diff *d, struct sfab_err *err)
{
	const struct topology_conf *t = d->x.t;
	uint64_t *theirs = sum_leaf_numbers(t, d->x.parent, d->match);
	uint64_t *made = sums_made(d, err);

	for (uint32_t i = 0; made && i < t->n; i++) {
		uint32_t same;

		if (!t->sw[i].switches || t->sw[i].nodes || !theirs[i])
			continue;
		same = SFAB_NONE;
		for (uint32_t k = 0; k < d->made->n; k++)
			if (d->made->sw[k].switches &&
			    d->back[k] == SFAB_NONE && made[k] == theirs[i]) {
				same = k;
				break;
			}
		if (same == SFAB_NONE) {
			findings_add(&d->x, "other-group", i, NULL,
				   t->sw[i].switches,
				   "the fabric joins other switches");
			continue;
		}
		d->match[i] = same;
		d->back[same] = i;
		found_renamed(d, i);
	}
	for (uint32_t k = 0; made && k < d->made->n; k++)
		if (d->made->sw[k].switches && d->back[k] == SFAB_NONE && made[k])
			findings_add(&d->x, "missing-group", SFAB_NONE,
				   d->made->sw[k].name, d->made->sw[k].switches,
				   "no line of the file joins just these");
	free(theirs);
	free(made);
	return made ? 0 : -1;
}

/* Leaves first: groups are compared by the leaves that were matched. */
struct table *topology_diff(const struct topology_conf *t,
			    const struct topology_conf *made,
			    const struct sfab_fabric *f, const uint8_t *node,
			    uint32_t *n, struct report *r, struct sfab_err *err)
{
	struct diff d = { .x = { .t = t, .f = f, .node = node }, .made = made };
	uint32_t unknown;

	if (findings_open(&d.x, r, err) != 0)
		return NULL;
	d.place = topology_conf_groups(made, f, &unknown, err);
	if (d.place) {
		struct hosts_sorted s;

		match_leaves(&d);
		s = hosts_sort(d.x.group, d.x.f->nhosts, d.x.t->n);
		for (uint32_t i = 0; i < d.x.t->n; i++) {
			if (d.match[i] != SFAB_NONE)
				found_renamed(&d, i);
			diff_nodes(&d, i, s.host + s.start[i],
				   s.start[i + 1] - s.start[i]);
		}
		hosts_sorted_free(&s);
		diff_missing(&d);
	}
	if (!d.place || diff_groups(&d, err) != 0) {
		table_destroy(d.x.out);
		d.x.out = NULL;
	}
	free(d.place);
	free(d.match);
	free(d.back);
	findings_close(&d.x);
	*n = d.x.n;
	return d.x.out;
}
