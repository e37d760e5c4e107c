/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topology_findings.c - what is wrong with a file by itself; see topology_private.h
 *
 * Findings are rows of a table, so text and JSON follow from it.
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
void findings_add(struct findings *x, const char *kind, uint32_t sw,
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

void findings_add_hosts(struct findings *x, const char *kind, uint32_t sw,
		      const char *fabric, const uint32_t *host, uint32_t n,
		      const char *what)
{
	char *list = hosts_fold(x->f, host, n);

	findings_add(x, kind, sw, fabric, list, what);
	free(list);
}

/*
 * Three passes over @host only, so the scratch array is never cleared as a
 * whole.
 */
uint32_t findings_usual(const uint32_t *key, const uint32_t *host, uint32_t n,
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

void findings_order(const uint32_t *key, uint32_t *host, uint32_t n)
{
	qsort_r(host, n, sizeof(*host), by_key, (void *) key);
}

/*
 * Nodes on a line that are not in the fabric.  Reported as one hostlist for
 * each line.
 */
static int find_unknown_nodes(struct findings *x, uint32_t sw, struct sfab_err *err)
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
		findings_add(x, "unknown-node", sw, NULL, list ? list : "",
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
static int find_odd_switches(struct findings *x, uint32_t sw, struct sfab_err *err)
{
	struct sfab_names names = { 0 };

	if (!x->t->sw[sw].switches)
		return 0;
	if (sfab_hostlist_expand(x->t->sw[sw].switches, &names, err) != 0)
		return -1;
	for (uint32_t i = 0; i < names.n; i++) {
		uint32_t below = topology_conf_find(x->t, names.name[i]);

		if (below == SFAB_NONE)
			findings_add(x, "unknown-switch", sw, NULL, names.name[i],
				   "has no line of its own");
		else if (x->parent[below] == SFAB_NONE)
			x->parent[below] = sw;
		else if (x->parent[below] != sw)
			findings_add(x, "two-parents", sw, NULL, names.name[i],
				   "is already below another switch: not a tree");
	}
	sfab_names_free(&names);
	return 0;
}

/*
 * Does the way up from it return to it?  At most as many steps as there are
 * switches, because the way may lead into a ring that @sw is not part of.
 */
static int is_in_ring(const struct findings *x, uint32_t sw)
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
static int find_in_lines(struct findings *x, struct sfab_err *err)
{
	for (uint32_t i = 0; i < x->t->n; i++)
		x->parent[i] = SFAB_NONE;
	for (uint32_t i = 0; i < x->t->n; i++)
		if (find_unknown_nodes(x, i, err) != 0 || find_odd_switches(x, i, err) != 0)
			return sfab_fail_prefix(err, "%s:%u", x->t->name,
						x->t->sw[i].line);
	for (uint32_t i = 0; i < x->t->n; i++)
		if (is_in_ring(x, i))
			findings_add(x, "ring", i, NULL, x->t->sw[i].switches,
				   "is below itself: not a tree");
	return 0;
}

/*
 * Nodes are usually not found because their names differ.  "n1" in the file and
 * "n1 HCA-1" or a GUID in the fabric: a name map repairs all at once.
 */
static int check_names(const struct findings *x, uint32_t unknown, struct report *r,
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

int findings_open(struct findings *x, struct report *r, struct sfab_err *err)
{
	uint32_t unknown;

	x->group = topology_conf_groups(x->t, x->f, &unknown, err);
	if (!x->group)
		return -1;
	x->parent = need(x->t->n, sizeof(*x->parent));
	x->out = table_create(topology_finding_columns);
	if (check_names(x, unknown, r, err) == 0 && find_in_lines(x, err) == 0)
		return 0;
	table_destroy(x->out);
	findings_close(x);
	return -1;
}

void findings_close(struct findings *x)
{
	free(x->group);
	free(x->parent);
	x->group = x->parent = NULL;
}
