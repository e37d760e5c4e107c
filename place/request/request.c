/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * request.c - from a question about nodes to a search among hosts
 *
 * Slurm tells which nodes it would allow, and their weights.  This file does with them what the
 * stock plugin would do, so that the search chooses only among sets that Slurm accepts:
 *
 *     usable nodes, with the tasks that each can hold          list_usable()
 *     classes: nodes between which Slurm has no preference     set_classes()
 *     the fewest classes that hold the job                     find_lowest_classes()
 *     nodes without which any choice would be too small        require_largest()
 *     nodes that Slurm would leave out again                   mark_spare_used()
 *
 * What is left to choose is some nodes of the last class.  Where nothing is left, the reason is
 * NO_CHOICE, and no search is made.
 */

#include "place/request/request.h"

#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"
#include "io/hash.h"
#include "place/request/need.h"

/*
 * Return how many tasks of the job node @i can hold now, and raise s->max_loose_cpus to its
 * loose CPUs.  Jobs may hold more than the node has: nodes shrink while jobs run on them.
 */
static uint32_t measure_node(struct sfab_scratch *s, const struct sfab_ask *ask,
			     const struct sfab_nodes *nodes,
			     const struct sfab_running *r, uint32_t i)
{
	uint32_t cpus = nodes->node[i].cpus;
	uint64_t memory = nodes->node[i].memory_mb;
	struct sfab_node_resources resources = {
		.cpus = cpus,
		.free_cpus = cpus > r->cpus[i] ? cpus - r->cpus[i] : 0,
		.memory_mb = memory,
		.free_memory_mb =
			memory > r->memory_mb[i] ? memory - r->memory_mb[i] : 0,
		.sockets = nodes->node[i].sockets,
		.threads = nodes->node[i].threads,
		.denied_cpus = ask->allowed && ask->allowed[i] < cpus ?
			  cpus - ask->allowed[i] : 0,
	};
	uint32_t capacity = sfab_need_capacity(ask, &resources);
	uint32_t loose_cpus = capacity ? sfab_need_loose_cpus(ask, &resources) : 0;

	if (s->max_loose_cpus < loose_cpus)
		s->max_loose_cpus = loose_cpus;
	return capacity;
}

/* List the usable nodes.  -1: a required one is not usable. */
static int list_usable(struct sfab_scratch *s, const struct sfab_ask *ask,
		       const struct sfab_nodes *nodes,
		       const struct sfab_running *running)
{
	/* Flags of a node, of which the job can use at least a part now. */
	unsigned free_flags = ask->flags & SFAB_ASK_WHOLE_NODES ? SFAB_NODE_IDLE :
			      SFAB_NODE_IDLE | SFAB_NODE_SHARE;

	s->nusable = s->max_loose_cpus = 0;
	for (uint32_t i = 0; i < s->nnodes; i++) {
		int may_use = (ask->node[i] & SFAB_NODE_USABLE) && (ask->node[i] & free_flags);
		uint32_t capacity = may_use ? measure_node(s, ask, nodes, running, i) : 0;
		int required = !!(ask->node[i] & SFAB_NODE_REQUIRED);

		if (!capacity && required)
			return -1;
		if (!capacity)
			continue;
		s->usable[s->nusable++] = (struct sfab_usable){
			.node = i,
			.capacity = capacity,
			.weight = ask->weight ? ask->weight[i] : 0,
			.cpus = ask->flags & SFAB_ASK_SMALL_NODES ? nodes->node[i].cpus : 0,
			.is_used = !(ask->node[i] & SFAB_NODE_IDLE),
			.is_required = (uint8_t) required,
		};
	}
	return 0;
}

/*
 * Break ties by node index and do not leave them to qsort(): the same question must give the
 * same nodes everywhere.
 */
static int compare_usable(const void *a, const void *b)
{
	const struct sfab_usable *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? -1 : 1;
	if (x->is_used != y->is_used)
		return x->is_used ? -1 : 1;
	if (x->cpus != y->cpus)
		return x->cpus < y->cpus ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

/* Sort and number the classes.  @used_first: nodes in use come before idle ones. */
static void set_classes(struct sfab_scratch *s, int used_first)
{
	struct sfab_usable *u = s->usable;
	int sorted = 1;

	for (uint32_t i = 0; i < s->nusable; i++) {
		u[i].is_used = u[i].is_used && used_first;
		sorted = sorted && (!i || compare_usable(&u[i - 1], &u[i]) < 0);
	}
	/* Usually one weight for all, in node order: sorting would be a waste. */
	if (!sorted)
		qsort(u, s->nusable, sizeof(*u), compare_usable);
	for (uint32_t i = 1; i < s->nusable; i++)
		u[i].class = u[i - 1].class + (u[i].weight != u[i - 1].weight ||
					       u[i].is_used != u[i - 1].is_used ||
					       u[i].cpus != u[i - 1].cpus);
}

/* The nodes of some classes that are not required. */
struct class_sum {
	uint32_t n;
	uint64_t tasks;		/* that they can hold */
};

/* Add the nodes of the class that begins at @i.  Return where it ends. */
static uint32_t add_node_class(const struct sfab_scratch *s, uint32_t i, struct class_sum *o)
{
	for (uint32_t class = s->usable[i].class;
	     i < s->nusable && s->usable[i].class == class; i++) {
		o->n += !s->usable[i].is_required;
		o->tasks += s->usable[i].is_required ? 0 : s->usable[i].capacity;
	}
	return i;
}

/* Count what the job needs of usable[@first..@end), if it gets all nodes before @first. */
static struct sfab_need count_among(struct sfab_scratch *s,
				    const struct sfab_ask *ask, uint32_t first,
				    uint32_t end, uint32_t included, uint64_t taken_units)
{
	uint32_t k = 0;

	for (uint32_t i = first; i < end; i++)
		if (!s->usable[i].is_required)
			s->capacity[k++] = s->usable[i].capacity;
	return sfab_need_nodes(ask, s->capacity, k, included, taken_units, s->max_loose_cpus);
}

/*
 * Find the fewest classes that can hold the job.  It gets all nodes of the lower classes and
 * some of the last one, or if these are more than allowed, some of all: the choice is among
 * usable[*@first..*@end).  n 0: all classes together cannot hold it.
 */
static struct sfab_need find_lowest_classes(struct sfab_scratch *s,
					    const struct sfab_ask *ask,
					    uint32_t *first, uint32_t *end)
{
	struct class_sum lower, all = { 0 };
	struct sfab_need need = { 0 };
	uint32_t required = 0;		/* nodes */
	uint64_t taken_units = 0;	/* that the required nodes hold */

	for (uint32_t i = 0; i < s->nusable; i++)
		if (s->usable[i].is_required) {
			required++;
			taken_units += s->usable[i].capacity;
		}
	for (*end = 0; *end < s->nusable && !need.n;) {
		lower = all;
		*first = *end;
		*end = add_node_class(s, *end, &all);
		if (required + all.n < sfab_need_min(ask) ||
		    taken_units + all.tasks < sfab_need_units(ask))
			continue;
		need = count_among(s, ask, *first, *end, required + lower.n,
				   taken_units + lower.tasks);
		if (need.n || !*first)
			continue;
		*first = 0;
		need = count_among(s, ask, 0, *end, required, taken_units);
	}
	return need;
}

/* Require the @n largest of usable[@first..@end), and among equals the first hosts. */
static void require_largest(struct sfab_scratch *s, const uint32_t *host,
			    uint32_t first, uint32_t end, uint32_t n)
{
	/* sfab_need_nodes() left the capacities of these nodes sorted, largest first. */
	uint32_t min = n ? s->capacity[n - 1] : UINT32_MAX, k = 0, last;

	for (uint32_t i = first; i < end; i++) {
		struct sfab_usable *u = &s->usable[i];

		if (u->is_required || u->capacity <= min)
			continue;
		u->is_required = 1;
		n--;
	}
	for (uint32_t i = first; i < end; i++)
		if (!s->usable[i].is_required && s->usable[i].capacity == min)
			s->capacity[k++] = host[s->usable[i].node];
	if (!n || n > k)
		return;
	qsort(s->capacity, k, sizeof(*s->capacity), sfab_ascending_u32);
	last = s->capacity[n - 1];
	for (uint32_t i = first; i < end; i++) {
		struct sfab_usable *u = &s->usable[i];

		if (u->capacity == min && host[u->node] <= last)
			u->is_required = 1;
	}
}

/*
 * Count the tasks that the included nodes can hold beyond what the job wants, whichever nodes
 * the search takes from the last class.  The result is negative if they can hold too few.
 * s->capacity is scratch.  O(n log n).
 */
static int64_t count_surplus(const struct sfab_scratch *s,
			     const struct sfab_ask *ask, struct sfab_need need,
			     uint32_t first, uint32_t end)
{
	int64_t tasks = -(int64_t) sfab_need_units(ask);
	uint32_t included = 0, k = 0;

	for (uint32_t i = 0; i < s->nusable; i++) {
		const struct sfab_usable *u = &s->usable[i];

		if (u->is_required || i < first) {
			tasks += u->capacity;
			included++;
		} else if (i < end && u->capacity >= need.min_units) {
			s->capacity[k++] = u->capacity;
		}
	}
	qsort(s->capacity, k, sizeof(*s->capacity), sfab_ascending_u32);
	for (uint32_t i = 0; i < k && included + i < need.n; i++)
		tasks += s->capacity[i];
	return tasks;
}

/* Does a job run on the node that this one may leave out, and that is not left out yet? */
static int may_be_spared(const struct sfab_usable *u)
{
	return u->is_used && !u->is_required && !u->is_spare;
}

/*
 * Mark up to @n nodes of that capacity as spare, the last hosts first.  Return how many.
 * s->capacity is scratch for the hosts of the candidates.
 */
static uint32_t mark_spare_nodes(struct sfab_scratch *s, const uint32_t *host,
				 uint32_t first, uint32_t capacity, uint32_t n)
{
	uint32_t k = 0, first_spare;

	for (uint32_t i = 0; i < first; i++)
		if (may_be_spared(&s->usable[i]) &&
		    s->usable[i].capacity == capacity)
			s->capacity[k++] = host[s->usable[i].node];
	if (!k || !n)
		return 0;
	n = n < k ? n : k;
	qsort(s->capacity, k, sizeof(*s->capacity), sfab_ascending_u32);
	first_spare = s->capacity[k - n];
	for (uint32_t i = k = 0; i < first && k < n; i++) {
		struct sfab_usable *u = &s->usable[i];

		if (!may_be_spared(u) || u->capacity != capacity ||
		    host[u->node] < first_spare)
			continue;
		u->is_spare = 1;
		k++;
	}
	return k;
}

/*
 * Mark the smallest nodes in use as spare.  Return how many.  If only tasks count, nodes in use
 * and idle ones together may be more than needed.  Slurm would then leave some out, and we
 * cannot tell which.
 */
static uint32_t mark_spare_used(struct sfab_scratch *s, const struct sfab_ask *ask,
				const uint32_t *host, struct sfab_need need,
				uint32_t first, uint32_t end)
{
	int64_t surplus = first ? count_surplus(s, ask, need, first, end) : 0;
	uint32_t min = sfab_need_min(ask), capacity = 0, spared = 0;

	while (surplus > 0 && need.n - spared > min) {
		uint32_t next = UINT32_MAX, max, k;

		for (uint32_t i = 0; i < first; i++)
			if (may_be_spared(&s->usable[i]) &&
			    s->usable[i].capacity > capacity &&
			    s->usable[i].capacity < next)
				next = s->usable[i].capacity;
		if (next == UINT32_MAX || next > surplus)
			break;
		capacity = next;
		max = need.n - spared - min;
		if (surplus / capacity < max)
			max = (uint32_t) (surplus / capacity);
		k = mark_spare_nodes(s, host, first, capacity, max);
		spared += k;
		surplus -= (int64_t) k * capacity;
	}
	return spared;
}

/* Keep the nodes that the search may use.  Return how many. */
static uint32_t keep_nodes(struct sfab_scratch *s, struct sfab_need need,
			   uint32_t first, uint32_t end)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < s->nusable; i++) {
		const struct sfab_usable *u = &s->usable[i];

		if (u->is_required || (i < first && !u->is_spare) ||
		    (i >= first && i < end && u->capacity >= need.min_units))
			s->usable[n++] = *u;
	}
	s->nusable = n;
	return n;
}

/*
 * Can hosts of the fabric alone fill the job?  All nodes of the lower classes and all required
 * nodes must have a host, and enough of the last class.
 */
static int is_mapped(const struct sfab_scratch *s, const struct sfab_nodes *nodes, uint32_t n)
{
	uint32_t last = s->usable[s->nusable - 1].class, mapped = 0;

	for (uint32_t i = 0; i < s->nusable; i++) {
		const struct sfab_usable *u = &s->usable[i];
		int has_host = nodes->host[u->node] != SFAB_NONE;

		if (!has_host && (u->is_required || u->class < last))
			return 0;
		mapped += has_host;
	}
	return mapped >= n;
}

/*
 * Set what the search may use, by host.  A node whose host is not in the snapshot cannot be
 * chosen.
 */
static void set_request_hosts(struct sfab_scratch *s, const struct sfab_ask *ask,
			      const struct sfab_nodes *nodes, uint32_t n)
{
	memset(s->avail, 0, s->nhosts);
	memset(s->required, 0, s->nhosts);
	memset(s->weight, 0, s->nhosts * sizeof(*s->weight));
	for (uint32_t h = 0; h < s->nhosts; h++)
		s->cpus[h] = 1;
	for (uint32_t i = 0; i < s->nusable; i++) {
		const struct sfab_usable *u = &s->usable[i];
		uint32_t host = nodes->host[u->node], wanted = sfab_need_units(ask), units;

		if (host == SFAB_NONE)
			continue;
		s->avail[host] = 1;
		s->required[host] = u->is_required;
		s->weight[host] = u->class;
		if (ask->flags & SFAB_ASK_WHOLE_NODES)
			continue;
		/* The share of the node's CPUs that the job will hold. */
		units = wanted > n ? (wanted + n - 1) / n : 1;
		if (units > u->capacity)
			units = u->capacity;
		s->cpus[host] = sfab_nodes_share(nodes, u->node, (double) units *
						 sfab_need_unit_cpus(ask));
	}
	s->rq.n = n;
}

/*
 * Count the fewest nodes of a range of whole nodes that hold the job; otherwise 0.  Jobs that
 * ask for neighbors or switches keep their count.
 */
static uint32_t count_enough(struct sfab_scratch *s, const struct sfab_ask *ask)
{
	struct sfab_ask min = *ask;
	uint32_t first, end;

	if (!(ask->flags & SFAB_ASK_WHOLE_NODES) || (ask->flags & SFAB_ASK_CONTIGUOUS) ||
	    ask->switches || ask->req_nodes <= ask->min_nodes)
		return 0;
	min.req_nodes = min.min_nodes;
	return find_lowest_classes(s, &min, &first, &end).n;
}

/*
 * Make the request from the usable nodes.  The order matters: what is required is decided
 * without @extra nodes, and only then are nodes spared and dropped.
 */
static enum sfab_reason make_request(struct sfab_scratch *s, const struct sfab_ask *ask,
				     const struct sfab_nodes *nodes, uint32_t extra)
{
	struct sfab_need need;
	uint32_t first, end, all, enough;

	set_classes(s, !(ask->flags & SFAB_ASK_WHOLE_NODES));
	enough = extra ? 0 : count_enough(s, ask);
	need = find_lowest_classes(s, ask, &first, &end);
	if (!need.n)
		return SFAB_STOCK_FEW_NODES;
	/* Slurm may leave out the extra nodes: they must not change which nodes are required. */
	all = s->nusable;
	need.n += extra;
	require_largest(s, nodes->host, first, end, need.nlargest);
	need.n -= mark_spare_used(s, ask, nodes->host, need, first, end);
	s->enough = enough && enough < need.n ? enough : need.n;
	s->takes_all = need.n == all;
	if ((s->takes_all && s->enough == all) ||
	    keep_nodes(s, need, first, end) < need.n)
		return SFAB_STOCK_NO_CHOICE;
	if (ask->max_nodes && need.n > ask->max_nodes)
		return SFAB_STOCK_NO_CHOICE;
	if (!is_mapped(s, nodes, need.n))
		return SFAB_STOCK_UNMAPPED;
	set_request_hosts(s, ask, nodes, need.n);
	return SFAB_PLACED;
}

enum sfab_reason sfab_request_make(struct sfab_scratch *s,
				   const struct sfab_ask *ask,
				   const struct sfab_nodes *nodes,
				   const struct sfab_running *running,
				   uint32_t extra)
{
	struct sfab_ask bounded = *ask;

	if (list_usable(s, ask, nodes, running) < 0 || !s->nusable)
		return SFAB_STOCK_FEW_NODES;
	/* A range gets as many as there are. */
	if (bounded.req_nodes > s->nusable && bounded.req_nodes > bounded.min_nodes)
		bounded.req_nodes = s->nusable > bounded.min_nodes ? s->nusable : bounded.min_nodes;
	return make_request(s, &bounded, nodes, extra);
}

/*
 * Hash instead of a copy: two questions of one job with the same key but other nodes have a
 * chance of 2^-64, and then Slurm checks the nodes anyway.
 */
uint64_t sfab_request_key(const struct sfab_scratch *s, const char *traffic, const double *weights)
{
	uint64_t h = sfab_hash64_continue(s->rq.n, &s->enough, sizeof(s->enough));

	h = sfab_hash64_continue(h, s->avail, s->nhosts);
	h = sfab_hash64_continue(h, s->required, s->nhosts);
	h = sfab_hash64_continue(h, s->weight, s->nhosts * sizeof(*s->weight));
	h = sfab_hash64_continue(h, s->cpus, s->nhosts * sizeof(*s->cpus));
	h = sfab_hash64_continue(h, traffic, strlen(traffic));
	h = sfab_hash64_continue(h, weights, SFAB_NTERMS * sizeof(*weights));
	return h ? h : 1;	/* 0 means that there was no search */
}
