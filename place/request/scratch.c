/* SPDX-License-Identifier: GPL-2.0-or-later */
/* scratch.c - storage for one question or job; see scratch.h */

#include "place/request/scratch.h"

#include <string.h>

void sfab_scratch_free(struct sfab_scratch *s)
{
	sfab_arena_free(&s->arena);
	memset(s, 0, sizeof(*s));
}

int sfab_scratch_reset(struct sfab_scratch *s, uint32_t nnodes, uint32_t nhosts)
{
	sfab_scratch_free(s);
	s->usable = sfab_arena_take(&s->arena, nnodes, sizeof(*s->usable));
	s->capacity = sfab_arena_take(&s->arena, nnodes, sizeof(*s->capacity));
	s->job_host = sfab_arena_take(&s->arena, nnodes, sizeof(*s->job_host));
	s->job_cpus = sfab_arena_take(&s->arena, nnodes, sizeof(*s->job_cpus));
	s->rank = sfab_arena_take(&s->arena, nnodes, sizeof(*s->rank));
	s->avail = sfab_arena_take(&s->arena, nhosts, 1);
	s->required = sfab_arena_take(&s->arena, nhosts, 1);
	s->weight = sfab_arena_take(&s->arena, nhosts, sizeof(*s->weight));
	s->cpus = sfab_arena_take(&s->arena, nhosts, sizeof(*s->cpus));
	if (s->arena.failed) {
		sfab_scratch_free(s);
		return -1;
	}
	s->nnodes = nnodes;
	s->nhosts = nhosts;
	s->rq.avail = s->avail;
	s->rq.required = s->required;
	s->rq.weight = s->weight;
	s->rq.cpus = s->cpus;
	return 0;
}
