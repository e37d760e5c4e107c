/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * topology_diff.c - topology.conf against the one that `generate` makes; see topology.h
 *
 * A leaf and a switch of the file that has nodes are the same if each has most of its nodes in
 * common with the other, whatever their names.  Switches above are the same if the same leaves
 * are below them.  We compare sums of random numbers, one for each leaf; two different sets
 * have the same sum with a chance of 2^-64.
 *
 * What is wrong with the file by itself comes first.  Findings are rows of a table, so text and
 * JSON follow from it.
 */

#include "tools/topology/topology.h"

#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "io/hostlist.h"
#include "tools/site/hosts.h"
#include "tools/ui/reply.h"
#include "tools/ui/xalloc.h"

const struct column topology_finding_columns[] = {
	{ "finding", "what kind", COLUMN_TEXT, 0, SHOWN },
	{ "line", "of the file", COLUMN_COUNT, 0, SHOWN },
	{ "switch", "SwitchName in that line", COLUMN_TEXT, 0, SHOWN },
	{ "leaf", "switch of the fabric", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ "names", "nodes or switches that it is about", COLUMN_TEXT, 0, SHOWN },
	{ "what", "what is wrong", COLUMN_TEXT, 0, SHOWN },
	{ 0 }
};

/* Matching goes in both directions: match[i] = k exactly if made_match[k] = i. */
struct diff {
	struct topology_conf *t;
	const struct topology_conf *made;
	const struct sfab_fabric *f;
	const uint8_t *node;
	uint32_t *file_switch;	/* by host: switch of the file, or SFAB_NONE */
	uint32_t *made_switch;	/* by host: generated switch, or SFAB_NONE */
	uint32_t *match;	/* by switch of the file: the generated one */
	uint32_t *made_match;	/* by generated switch: the one of the file */
	struct table *out;
};

/* Add a finding.  @names is what it is about, as a hostlist if it is several. */
static void add_finding(struct diff *d, const char *kind, uint32_t sw,
			const char *fabric, const char *names, const char *what)
{
	table_row(d->out);
	table_text(d->out, "finding", kind);
	if (sw != SFAB_NONE) {
		table_count(d->out, "line", d->t->sw[sw].line);
		table_text(d->out, "switch", d->t->sw[sw].name);
	}
	table_text(d->out, "leaf", fabric);
	table_text(d->out, "names", names);
	table_text(d->out, "what", what);
}

static void add_hosts_finding(struct diff *d, const char *kind, uint32_t sw, const char *fabric,
			      const uint32_t *host, uint32_t n, const char *what)
{
	char *list = hosts_fold(d->f, host, n);

	add_finding(d, kind, sw, fabric, list, what);
	free(list);
}

/* Compare for qsort_r(): by key, then by id, so that the order is always the same. */
static int compare_by_key(const void *a, const void *b, void *keys)
{
	const uint32_t *key = keys;
	uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;

	if (key[x] != key[y])
		return key[x] < key[y] ? -1 : 1;
	return (x > y) - (x < y);
}

/*
 * Set the parents of the switches below @sw, and report what is no tree, which Slurm needs.
 * The parent is the first line that has the switch as a child.  A switch below two others is
 * reported at the second.
 */
static int check_children(struct diff *d, uint32_t sw, struct sfab_err *err)
{
	struct sfab_names names = { 0 };

	if (!d->t->sw[sw].switches)
		return 0;
	if (sfab_hostlist_expand(d->t->sw[sw].switches, &names, err) != 0)
		return -1;
	for (uint32_t i = 0; i < names.n; i++) {
		uint32_t child = topology_conf_find(d->t, names.name[i]);
		uint32_t *parent = child == SFAB_NONE ? NULL : &d->t->sw[child].parent;

		if (!parent)
			add_finding(d, "unknown-switch", sw, NULL, names.name[i],
				    "has no line of its own");
		else if (*parent == SFAB_NONE)
			*parent = sw;
		else if (*parent != sw)
			add_finding(d, "two-parents", sw, NULL, names.name[i],
				    "is already below another switch: not a tree");
	}
	sfab_names_free(&names);
	return 0;
}

/* Report what is wrong with each line, and then rings of switches, which need all parents. */
static int check_lines(struct diff *d, struct sfab_err *err)
{
	for (uint32_t i = 0; i < d->t->n; i++) {
		const struct topology_switch *sw = &d->t->sw[i];

		if (sw->unknown)
			add_finding(d, "unknown-node", i, NULL, sw->unknown,
				    "not in the fabric");
		if (check_children(d, i, err) != 0)
			return sfab_fail_prefix(err, "%s:%u", d->t->name, sw->line);
	}
	for (uint32_t i = 0; i < d->t->n; i++) {
		uint32_t ancestor = d->t->sw[i].parent;

		/*
		 * At most as many steps as there are switches, because the way up may lead into
		 * a ring that the switch is not part of.
		 */
		for (uint32_t k = 0; ancestor != i && ancestor != SFAB_NONE && k < d->t->n; k++)
			ancestor = d->t->sw[ancestor].parent;
		if (ancestor == i)
			add_finding(d, "ring", i, NULL, d->t->sw[i].switches,
				    "is below itself: not a tree");
	}
	return 0;
}

/*
 * Tell the user to map names, if nodes are not found: usually only their names differ.  "n1" in
 * the file and "n1 HCA-1" or a GUID in the fabric: a name map repairs all at once.
 */
static int check_node_names(const struct diff *d, uint32_t unknown, struct reply *r,
			    struct sfab_err *err)
{
	uint32_t known = 0, missing = 0, first = SFAB_NONE;

	for (uint32_t h = 0; h < d->f->nhosts; h++) {
		known += d->file_switch[h] != SFAB_NONE;
		if (d->file_switch[h] != SFAB_NONE || !d->node[h])
			continue;
		first = missing++ ? first : h;
	}
	if (unknown && !known && missing)
		return sfab_fail(err, SFAB_ENOENT, "%s: none of its %u nodes is in "
				 "the fabric, whose hosts have names such as "
				 "'%.60s': use sfabric import --node-name-map",
				 d->t->name, unknown, d->f->hosts[first].name);
	if (unknown && missing)
		reply_warning(r, "%s: %u nodes are not in the fabric, %u hosts as "
			      "'%s' not in the file: if only names differ, use "
			      "sfabric import --node-name-map", d->t->name, unknown,
			      missing, d->f->hosts[first].name);
	return 0;
}

/*
 * Find, for each of @n groups of @from, the most frequent group of @to, the lowest if several
 * are; SFAB_NONE if its hosts are in none.  Caller frees.
 */
static uint32_t *find_usual_groups(const struct diff *d, const uint32_t *from,
				   uint32_t n, const uint32_t *to, uint32_t nto)
{
	uint32_t *best = xcalloc(n, sizeof(*best));
	uint32_t *count = xcalloc(nto, sizeof(*count));

	for (uint32_t k = 0; k < n; k++) {
		memset(count, 0, nto * sizeof(*count));
		for (uint32_t h = 0; h < d->f->nhosts; h++)
			if (from[h] == k && to[h] != SFAB_NONE)
				count[to[h]]++;
		best[k] = SFAB_NONE;
		for (uint32_t i = 0; i < nto; i++)
			if (count[i] && (best[k] == SFAB_NONE || count[i] > count[best[k]]))
				best[k] = i;
	}
	free(count);
	return best;
}

/* Report a switch that has another name, and no more: Slurm does not care how it is called. */
static void report_renamed(struct diff *d, uint32_t sw)
{
	const struct topology_switch *theirs = &d->t->sw[sw];
	const char *name = d->made->sw[d->match[sw]].name;

	if (strcmp(theirs->name, name) != 0)
		add_finding(d, "renamed", sw, name, theirs->nodes ?
			    theirs->nodes : theirs->switches,
			    "the same switch by another name");
}

/*
 * Add findings about where the fabric has the nodes of one switch of the file.  Hosts are
 * sorted by where they belong, so one finding has all that are cabled to one switch.
 */
static void diff_nodes(struct diff *d, uint32_t sw, uint32_t *host, uint32_t n)
{
	uint32_t end;

	qsort_r(host, n, sizeof(*host), compare_by_key, d->made_switch);
	for (uint32_t i = 0; i < n; i = end) {
		uint32_t actual = d->made_switch[host[i]];

		for (end = i; end < n && d->made_switch[host[end]] == actual; end++)
			;
		if (actual == SFAB_NONE)
			add_hosts_finding(d, "extra-node", sw, NULL, host + i,
					  end - i, "not in the set of nodes (-w)");
		else if (actual != d->match[sw])
			add_hosts_finding(d, "moved", sw,
					  d->made->sw[actual].name, host + i, end - i,
					  "cabled to this switch");
	}
}

/*
 * Return, by switch, the sum of the numbers of the leaves below it; caller frees.  The number
 * is the first of a random sequence whose seed is the generated leaf, so it is the same in both
 * trees.  A ring of switches is left after as many steps as there are switches.
 * @leaf: by switch, the one of the other tree that it is, or SFAB_NONE: it does not count.
 */
static uint64_t *sum_leaf_numbers(const struct diff *d, const struct topology_conf *t,
				  const uint32_t *leaf)
{
	uint64_t *sum = xcalloc(t->n, sizeof(*sum));

	for (uint32_t i = 0; i < t->n; i++) {
		uint64_t number = (t == d->made ? i : leaf[i]) * UINT64_C(0x9E3779B97F4A7C15);
		uint32_t ancestor = leaf[i] == SFAB_NONE ? SFAB_NONE : t->sw[i].parent;

		number = sfab_random(&number);
		for (uint32_t k = 0; ancestor != SFAB_NONE && k < t->n; k++) {
			sum[ancestor] += number;
			ancestor = t->sw[ancestor].parent;
		}
	}
	return sum;
}

/* Find the generated switch without a match that has this sum, or SFAB_NONE. */
static uint32_t find_same_group(const struct diff *d, const uint64_t *made, uint64_t sum)
{
	for (uint32_t k = 0; k < d->made->n; k++)
		if (d->made->sw[k].switches && d->made_match[k] == SFAB_NONE && made[k] == sum)
			return k;
	return SFAB_NONE;
}

/*
 * Match the switches above the leaves: the same sum means the same leaves below.  A switch
 * without any known leaf below has sum 0 and is not compared.
 */
static void diff_groups(struct diff *d)
{
	const struct topology_conf *t = d->t;
	uint64_t *theirs = sum_leaf_numbers(d, t, d->match);
	uint64_t *made = sum_leaf_numbers(d, d->made, d->made_match);

	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t twin;

		if (!t->sw[i].switches || t->sw[i].nodes || !theirs[i])
			continue;
		twin = find_same_group(d, made, theirs[i]);
		if (twin == SFAB_NONE) {
			add_finding(d, "other-group", i, NULL,
				    t->sw[i].switches,
				    "the fabric joins other switches");
			continue;
		}
		d->match[i] = twin;
		d->made_match[twin] = i;
		report_renamed(d, i);
	}
	for (uint32_t k = 0; k < d->made->n; k++)
		if (d->made->sw[k].switches && d->made_match[k] == SFAB_NONE && made[k])
			add_finding(d, "missing-group", SFAB_NONE,
				    d->made->sw[k].name, d->made->sw[k].switches,
				    "no line of the file joins just these");
	free(theirs);
	free(made);
}

/* Match the leaves.  This comes first: groups are compared by the leaves that were matched. */
static void diff_leaves(struct diff *d)
{
	uint32_t n = d->t->n, nmade = d->made->n;
	uint32_t *host = xcalloc(d->f->nhosts, sizeof(*host));

	/*
	 * Pairs that are each other's most frequent one.  A rack in the file that is two leaves
	 * of the fabric matches the larger one; the nodes of the other are reported as moved.
	 */
	d->match = find_usual_groups(d, d->file_switch, n, d->made_switch, nmade);
	d->made_match = find_usual_groups(d, d->made_switch, nmade, d->file_switch, n);
	for (uint32_t i = 0; i < n; i++)
		if (d->match[i] != SFAB_NONE && d->made_match[d->match[i]] != i)
			d->match[i] = SFAB_NONE;
	for (uint32_t k = 0; k < nmade; k++)
		if (d->made_match[k] != SFAB_NONE && d->match[d->made_match[k]] != k)
			d->made_match[k] = SFAB_NONE;
	for (uint32_t i = 0; i < n; i++) {
		if (d->match[i] != SFAB_NONE)
			report_renamed(d, i);
		diff_nodes(d, i, host, hosts_of_key(d->f, d->file_switch, i, host));
	}
	/* Nodes that generate would list and the file does not. */
	for (uint32_t k = 0; k < nmade; k++) {
		uint32_t listed = hosts_of_key(d->f, d->made_switch, k, host), missing = 0;

		for (uint32_t i = 0; i < listed; i++)
			if (d->file_switch[host[i]] == SFAB_NONE)
				host[missing++] = host[i];
		if (missing)
			add_hosts_finding(d, "missing-node", SFAB_NONE,
					  d->made->sw[k].name, host, missing,
					  "in no line of the file");
	}
	free(host);
}

struct table *topology_diff(struct topology_conf *t, struct topology_conf *made,
			    const struct sfab_fabric *f, const uint8_t *node,
			    struct reply *r, struct sfab_err *err)
{
	struct diff d = { .t = t, .made = made, .f = f, .node = node };
	uint32_t unknown, unknown_made;
	int rc = -1;

	d.file_switch = topology_conf_groups(t, f, &unknown, err);
	d.made_switch = d.file_switch ? topology_conf_groups(made, f, &unknown_made, err) : NULL;
	d.out = table_create(topology_finding_columns);
	if (d.made_switch && check_node_names(&d, unknown, r, err) == 0 &&
	    check_lines(&d, err) == 0) {
		diff_leaves(&d);
		diff_groups(&d);
		rc = 0;
	}
	free(d.file_switch);
	free(d.made_switch);
	free(d.match);
	free(d.made_match);
	if (rc == 0)
		return d.out;
	table_destroy(d.out);
	return NULL;
}
