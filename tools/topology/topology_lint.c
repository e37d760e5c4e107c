/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topology_lint.c - topology.conf against the cabling; see topology.h
 *
 * A switch in the file may stand for several leaves, such as a rack.  The nodes
 * of one leaf must be together.
 *
 * Findings are rows of a table, so text and JSON follow from it.  Findings
 * about the file alone (a ring, two parents) come first; then the leaves are
 * gone through with the fabric at hand.
 */

#include <stdlib.h>
#include <string.h>

#include "io/hostlist.h"
#include "tools/topology/topology_private.h"
#include "tools/ui/say.h"

enum { F_FINDING, F_LINE, F_SWITCH, F_LEAF, F_NAMES, F_WHAT };

const struct column topology_finding_columns[] = {
	{ "finding", "what kind", COLUMN_TEXT, 0, SHOWN },
	{ "line", "of the file", COLUMN_COUNT, 0, SHOWN },
	{ "switch", "SwitchName in that line", COLUMN_TEXT, 0, SHOWN },
	{ "leaf", "switch of the fabric", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ "names", "nodes or switches that it is about", COLUMN_TEXT, 0, SHOWN },
	{ "what", "what is wrong", COLUMN_TEXT, 0, SHOWN },
	{ 0 }
};

/* @names is what the finding is about, as a hostlist if it is several. */
void lint_found(struct lint *x, const char *kind, uint32_t sw,
		const char *fabric, const char *names, const char *what)
{
	x->n++;
	table_row(x->out);
	table_text(x->out, F_FINDING, kind);
	if (sw != SFAB_NONE) {
		table_count(x->out, F_LINE, x->t->sw[sw].line);
		table_text(x->out, F_SWITCH, x->t->sw[sw].name);
	}
	if (fabric)
		table_text(x->out, F_LEAF, fabric);
	table_text(x->out, F_NAMES, names);
	table_text(x->out, F_WHAT, what);
}

void lint_found_hosts(struct lint *x, const char *kind, uint32_t sw,
		      const char *fabric, const uint32_t *host, uint32_t n,
		      const char *what)
{
	char *list = hosts_fold(x->f, host, n);

	lint_found(x, kind, sw, fabric, list, what);
	free(list);
}

/*
 * Three passes over @host only, so the scratch array is never cleared as a
 * whole.
 */
uint32_t lint_usual(const uint32_t *key, const uint32_t *host, uint32_t n,
		    uint32_t *count)
{
	uint32_t best = SFAB_NONE;

	for (uint32_t i = 0; i < n; i++)
		if (key[host[i]] != SFAB_NONE)
			count[key[host[i]]]++;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = key[host[i]];

		if (k != SFAB_NONE &&
		    (best == SFAB_NONE || count[k] > count[best] ||
		     (count[k] == count[best] && k < best)))
			best = k;
	}
	for (uint32_t i = 0; i < n; i++)
		if (key[host[i]] != SFAB_NONE)
			count[key[host[i]]] = 0;
	return best;
}

/* For qsort_r(): by key, then by id, so that the order is always the same. */
static int by_key(const void *a, const void *b, void *of)
{
	const uint32_t *key = of;
	uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;

	if (key[x] != key[y])
		return key[x] < key[y] ? -1 : 1;
	return (x > y) - (x < y);
}

void lint_order(const uint32_t *key, uint32_t *host, uint32_t n)
{
	qsort_r(host, n, sizeof(*host), by_key, (void *) key);
}

/*
 * Nodes on a line that are not in the fabric.  Reported as one hostlist for
 * each line.
 */
static int lint_nodes(struct lint *x, uint32_t sw, struct sfab_err *err)
{
	struct sfab_names names = { 0 };
	const char **gone;
	uint32_t n = 0;
	char *list;

	if (!x->t->sw[sw].nodes)
		return 0;
	if (sfab_hostlist_expand(x->t->sw[sw].nodes, &names, err) != 0)
		return -1;
	gone = need(names.n, sizeof(*gone));
	for (uint32_t i = 0; i < names.n; i++)
		if (sfab_fabric_host(x->f, names.name[i]) == SFAB_NONE)
			gone[n++] = names.name[i];
	if (n) {
		list = sfab_hostlist_fold(gone, n);
		lint_found(x, "unknown-node", sw, NULL, list ? list : "",
			   "not in the fabric");
		free(list);
	}
	free(gone);
	sfab_names_free(&names);
	return 0;
}

/*
 * Slurm wants a tree: @parent is the first line that has the switch as a child.
 * A switch below two others is reported at the second.
 */
static int lint_switches(struct lint *x, uint32_t sw, struct sfab_err *err)
{
	struct sfab_names names = { 0 };

	if (!x->t->sw[sw].switches)
		return 0;
	if (sfab_hostlist_expand(x->t->sw[sw].switches, &names, err) != 0)
		return -1;
	for (uint32_t i = 0; i < names.n; i++) {
		uint32_t below = topology_conf_find(x->t, names.name[i]);

		if (below == SFAB_NONE)
			lint_found(x, "unknown-switch", sw, NULL, names.name[i],
				   "has no line of its own");
		else if (x->parent[below] == SFAB_NONE)
			x->parent[below] = sw;
		else if (x->parent[below] != sw)
			lint_found(x, "two-parents", sw, NULL, names.name[i],
				   "is already below another switch: not a tree");
	}
	sfab_names_free(&names);
	return 0;
}

/*
 * Does the way up from it return to it?  At most as many steps as there are
 * switches, because the way may lead into a ring that @sw is not part of.
 */
static int is_in_ring(const struct lint *x, uint32_t sw)
{
	uint32_t above = x->parent[sw];

	for (uint32_t steps = 0; above != SFAB_NONE && steps < x->t->n; steps++) {
		if (above == sw)
			return 1;
		above = x->parent[above];
	}
	return 0;
}

/* Each line for itself, and then rings, which need all parents. */
static int lint_lines(struct lint *x, struct sfab_err *err)
{
	for (uint32_t i = 0; i < x->t->n; i++)
		x->parent[i] = SFAB_NONE;
	for (uint32_t i = 0; i < x->t->n; i++)
		if (lint_nodes(x, i, err) != 0 || lint_switches(x, i, err) != 0)
			return sfab_fail_prefix(err, "%s:%u", x->t->name,
						x->t->sw[i].line);
	for (uint32_t i = 0; i < x->t->n; i++)
		if (is_in_ring(x, i))
			lint_found(x, "ring", i, NULL, x->t->sw[i].switches,
				   "is below itself: not a tree");
	return 0;
}

/*
 * Nodes are usually not found because their names differ.  "n1" in the file and
 * "n1 HCA-1" or a GUID in the fabric: a name map repairs all at once.
 */
static int check_names(const struct lint *x, uint32_t unknown, struct report *r,
		       struct sfab_err *err)
{
	uint32_t known = 0, missing = 0, first = SFAB_NONE;

	for (uint32_t h = 0; h < x->f->nhosts; h++) {
		known += x->group[h] != SFAB_NONE;
		if (x->group[h] != SFAB_NONE || !x->node[h])
			continue;
		first = missing++ ? first : h;
	}
	if (unknown && !known && missing)
		return sfab_fail(err, SFAB_ENOENT, "%s: none of its %u nodes is in "
				 "the fabric, whose hosts have names such as "
				 "'%.60s': use sfabric import --node-name-map",
				 x->t->name, unknown, x->f->hosts[first].name);
	if (unknown && missing)
		report_warning(r, "%s: %u nodes are not in the fabric, %u hosts as "
			       "'%s' not in the file: if only names differ, use "
			       "sfabric import --node-name-map", x->t->name, unknown,
			       missing, x->f->hosts[first].name);
	return 0;
}

int lint_open(struct lint *x, struct report *r, struct sfab_err *err)
{
	uint32_t unknown;

	x->group = topology_conf_groups(x->t, x->f, &unknown, err);
	if (!x->group)
		return -1;
	x->parent = need(x->t->n, sizeof(*x->parent));
	x->out = table_create(topology_finding_columns);
	if (check_names(x, unknown, r, err) == 0 && lint_lines(x, err) == 0)
		return 0;
	table_destroy(x->out);
	lint_close(x);
	return -1;
}

void lint_close(struct lint *x)
{
	free(x->group);
	free(x->parent);
	x->group = x->parent = NULL;
}

/*
 * @usual: the line that has most nodes of this leaf; the others are in the
 * wrong place.  @node tells which hosts Slurm should have; others may be
 * missing from the file.
 */
static void lint_leaf(struct lint *x, uint32_t leaf, uint32_t *host, uint32_t n,
		      uint32_t *count)
{
	const char *name = x->f->switches[x->f->leaves[leaf].sw].name;
	uint32_t usual = lint_usual(x->group, host, n, count), kept = 0, end;

	for (uint32_t i = 0; i < n; i++)	/* without those that may be missing */
		if (x->group[host[i]] != SFAB_NONE || x->node[host[i]])
			host[kept++] = host[i];
	lint_order(x->group, host, kept);
	for (uint32_t i = 0; i < kept; i = end) {
		uint32_t sw = x->group[host[i]];

		for (end = i; end < kept && x->group[host[end]] == sw; end++)
			;
		if (sw == SFAB_NONE)
			lint_found_hosts(x, "missing-node", sw, name, host + i,
					 end - i, "in no line of the file");
		else if (sw != usual)
			lint_found_hosts(x, "other-leaf", sw, name, host + i,
					 end - i, "most nodes of this leaf are "
					 "in another line");
	}
}

/* Hosts are sorted by leaf once. */
struct table *topology_lint(const struct topology_conf *t,
			    const struct sfab_fabric *f, const uint8_t *node,
			    uint32_t *n, struct report *r, struct sfab_err *err)
{
	struct lint x = { .t = t, .f = f, .node = node };
	uint32_t *leaf, *count;
	struct hosts_sorted s;

	if (lint_open(&x, r, err) != 0)
		return NULL;
	leaf = need(f->nhosts, sizeof(*leaf));
	for (uint32_t h = 0; h < f->nhosts; h++)
		leaf[h] = sfab_host_leaf(f, h);
	s = hosts_sort(leaf, f->nhosts, f->nleaves);
	count = need(t->n, sizeof(*count));
	for (uint32_t l = 0; l < f->nleaves; l++)
		lint_leaf(&x, l, s.host + s.start[l], s.start[l + 1] - s.start[l],
			  count);
	hosts_sorted_free(&s);
	free(count);
	free(leaf);
	lint_close(&x);
	*n = x.n;
	return x.out;
}
