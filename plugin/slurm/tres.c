/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tres.c - what a job would hold on its nodes; see tres.h */

#include "plugin/slurm/tres.h"

static int are_same_size(const node_record_t *a, const node_record_t *b)
{
	return a->cpus_efctv == b->cpus_efctv && a->cpus == b->cpus &&
	       a->tpc == b->tpc && a->tot_cores == b->tot_cores &&
	       a->real_memory == b->real_memory;
}

int tres_may_differ(bitstr_t *nodes)
{
	int first = (int) bit_ffs(nodes), last = (int) bit_fls(nodes);

	for (int i = first; i >= 0 && i <= last; i++)
		if (bit_test(nodes, i) &&
		    !are_same_size(glue_node(first), glue_node(i)))
			return 1;
	return 0;
}

struct tres tres_of(const struct glue_question *q)
{
	int first = (int) bit_ffs(q->nodes), last = (int) bit_fls(q->nodes);
	struct tres held = { .cpus = q->job->total_cpus };

	if (!(slurm_conf.accounting_storage_enforce & ACCOUNTING_ENFORCE_LIMITS))
		return held;
	held.nodes = (uint32_t) bit_set_count(q->nodes);
	for (int i = first; i >= 0 && i <= last && !q->job->details->pn_min_memory;
	     i++)
		if (bit_test(q->nodes, i))
			held.memory_mb += glue_node(i)->real_memory;
	return held;
}

int tres_is_within(const struct tres *a, const struct tres *b)
{
	return a->cpus <= b->cpus && a->nodes <= b->nodes &&
	       a->memory_mb <= b->memory_mb;
}
