/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * synth_graph.c - fabrics without a top: torus, dragonfly, dragonfly+, random graph
 *
 * All switches are leaves, except the spines of a dragonfly+.  Cables between switches
 * use the ports after the host ports; the comments on the functions say in which order.
 */
#include "tools/synth/synth_private.h"

#include <stdlib.h>
#include <string.h>

#include "core/random.h"

/*
 * Two ports a dimension, up and down, each times links; OpenSM's dor takes a port
 * number for a direction.  A dimension of two switches has one direction only.
 */
int sfab_synth_wire_torus(struct sfab_synth *t)
{
	const struct sfab_synth_spec *s = &t->spec;
	uint32_t size[SFAB_SYNTH_DIMS];
	uint32_t ndims = sfab_synth_dims(s->dims, size), stride = 1;

	for (uint32_t d = 0; d < ndims; stride *= size[d++]) {
		uint32_t up = s->leaf + 1 + 2 * d * s->links;
		uint32_t down = size[d] > 2 ? up + s->links : up;

		for (uint32_t sw = 0; sw < s->leaves; sw++) {
			uint32_t at = sw / stride % size[d];
			uint32_t to = sw - at * stride +
				      (at + 1) % size[d] * stride;

			for (uint32_t k = 0; k < s->links; k++)
				/*
				 * Both directions of a dimension of two are the
				 * same neighbor, which is joined once.
				 */
				if (size[d] > 2 || at == 0)
					sfab_synth_join(t, sw, up + k, to,
							down + k);
		}
	}
	return 0;
}

/*
 * Join groups of @size switches from @first on by their ports from @port on.  Global
 * cable k of a group goes to group + 1 + k mod (groups - 1), so that each pair of
 * groups has as many as every other.
 */
static void join_groups(struct sfab_synth *t, uint32_t first, uint32_t size,
			uint32_t port)
{
	const struct sfab_synth_spec *s = &t->spec;
	uint32_t others = s->pods - 1, of_group = size * s->toplinks;

	for (uint32_t group = 0; group < s->pods; group++)
		for (uint32_t k = 0; k < of_group; k++) {
			/*
			 * The other end counts from its own group, so the cable
			 * number there mirrors ours.
			 */
			uint32_t to = (group + 1 + k % others) % s->pods;
			uint32_t back = k / others * others + others - 1 -
					k % others;

			sfab_synth_join(t, first + group * size + k / s->toplinks,
					port + k % s->toplinks,
					first + to * size + back / s->toplinks,
					port + back % s->toplinks);
		}
}

/*
 * Kim, Dally, Scott, Abts: Technology-driven, highly-scalable dragonfly topology,
 * ISCA 2008.  The leaves of a group are all joined, by ports in order of the other
 * leaf; then come the global cables.
 */
int sfab_synth_wire_dragonfly(struct sfab_synth *t)
{
	const struct sfab_synth_spec *s = &t->spec;
	uint32_t size = s->leaves / s->pods, local = s->leaf + 1;

	for (uint32_t sw = 0; sw < s->leaves; sw++) {
		uint32_t group = sw / size, i = sw % size;

		for (uint32_t j = i + 1; j < size; j++)
			for (uint32_t k = 0; k < s->links; k++)
				sfab_synth_join(t, sw,
						local + (j - 1) * s->links + k,
						group * size + j,
						local + i * s->links + k);
	}
	join_groups(t, 0, size, local + (size - 1) * s->links);
	return 0;
}

/*
 * Shpiner et al.: Dragonfly+, low cost topology for scaling datacenters, HiPINEB 2017.
 * A group is a tree of two levels; its spines are joined to those of other groups.
 * Ports of a spine: its leaves in order, then global cables.
 */
int sfab_synth_wire_dragonfly_plus(struct sfab_synth *t)
{
	const struct sfab_synth_spec *s = &t->spec;
	uint32_t leaves = s->leaves / s->pods, spines = s->spines / s->pods;

	for (uint32_t group = 0; group < s->pods; group++)
		sfab_synth_join_layers(t, group * leaves, leaves, s->leaf + 1,
				       s->leaves + group * spines, spines, 1,
				       s->links);
	join_groups(t, s->leaves, spines, leaves * s->links + 1);
	return 0;
}

/*
 * A random regular graph (Jellyfish, NSDI 2012): draw ends of cables in pairs; a
 * pair that cannot be joined exchanges an end with one that is still to come, or
 * everything is drawn again.  No loops, and no second cable between two switches.
 */
static int draw_pairs(const struct sfab_synth_spec *s, uint32_t *end,
		      uint8_t *joined, uint64_t *state)
{
	uint32_t total = s->leaves * s->links;

	for (uint32_t i = 0; i < total; i++)
		end[i] = i / s->links;
	memset(joined, 0, (size_t) s->leaves * s->leaves);
	for (uint32_t i = 0; i < total; i += 2) {
		uint32_t tries = 0;

		do {
			for (uint32_t k = i; k < i + 2; k++) {
				uint32_t o = k + (uint32_t)
					     (sfab_random(state) % (total - k));
				uint32_t was = end[k];

				end[k] = end[o];
				end[o] = was;
			}
			if (tries++ > total)
				return 0;
		} while (end[i] == end[i + 1] ||
			 joined[(size_t) end[i] * s->leaves + end[i + 1]]);
		joined[(size_t) end[i] * s->leaves + end[i + 1]] = 1;
		joined[(size_t) end[i + 1] * s->leaves + end[i]] = 1;
	}
	return 1;
}

#define DRAWS_MAX 1000	/* a few are enough unless the graph is nearly full */

int sfab_synth_wire_random(struct sfab_synth *t, struct sfab_err *err)
{
	const struct sfab_synth_spec *s = &t->spec;
	uint32_t total = s->leaves * s->links;
	uint32_t *end = calloc(total, sizeof(*end));
	uint32_t *used = calloc(s->leaves, sizeof(*used));
	uint8_t *joined = calloc(s->leaves, s->leaves);
	uint64_t state = s->seed;
	int draws = 0, rc = 0;

	if (!end || !used || !joined)
		rc = sfab_no_memory(err);
	while (rc == 0 && !draw_pairs(s, end, joined, &state))
		if (++draws == DRAWS_MAX)
			rc = sfab_fail(err, SFAB_EINVAL, "no random graph of %u "
				       "switches with %u cables each was found",
				       s->leaves, s->links);
	for (uint32_t i = 0; rc == 0 && i < total; i += 2)
		sfab_synth_join(t, end[i], s->leaf + 1 + used[end[i]]++,
				end[i + 1],
				s->leaf + 1 + used[end[i + 1]]++);
	free(end);
	free(used);
	free(joined);
	return rc;
}
