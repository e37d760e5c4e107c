/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * synth_tree.c - seat hosts, wire a fat tree, and write its files; see synth.h
 *
 * Order of switches: leaves, middle, spines; their GUIDs, and those of hosts, follow from their
 * numbers.
 */

#include "tools/synth/synth.h"

#include <inttypes.h>

#include "core/fabric/builder.h"
#include "core/random.h"
#include "tools/opensm/cabling_plan.h"
#include "tools/ui/xalloc.h"

#define SWITCH_GUID 0x0002c90200400000u	/* + 8 for each switch */
#define HOST_GUID 0x0002c90300100000u	/* + 4 for each host with one port, or 16; + n port n */
#define CAPACITY 4e9		/* of no consequence: netlists have the speed as a word */

struct synth_tree {
	const struct synth_spec *spec;
	struct sfab_builder *b;
	int rc;			/* -1: out of memory */
};

static uint64_t switch_guid(uint32_t sw)
{
	return SWITCH_GUID + UINT64_C(8) * sw;
}

/* Return the digits of host numbers; with a fixed number, names are in the order of numbers. */
static int host_digits(const struct synth_spec *s)
{
	return s->hosts > 9999 ? 5 : 4;
}

/* Add both directions of a cable. */
static void add_cable(struct synth_tree *t, uint64_t a, uint32_t a_port, uint64_t b,
		      uint32_t b_port)
{
	t->rc |= sfab_builder_add_link(t->b, 0, a, a_port, b, b_port, CAPACITY, 1, NULL);
	t->rc |= sfab_builder_add_link(t->b, 0, b, b_port, a, a_port, CAPACITY, 1, NULL);
}

/* Add switches such as "wolf-L001": the level's letter and a number of at least three digits. */
static void add_switches(struct synth_tree *t)
{
	const struct synth_spec *s = t->spec;
	uint32_t mid0 = s->leaves, spine0 = mid0 + s->pods * s->mids;

	for (uint32_t sw = 0; sw < synth_nswitches(s); sw++) {
		char level = sw < mid0 ? 'L' : sw < spine0 ? 'M' : 'S', name[48];
		uint32_t first = sw < mid0 ? 0 : sw < spine0 ? mid0 : spine0;

		snprintf(name, sizeof(name), "%s-%c%03u", s->chip, level, sw - first + 1);
		t->rc |= sfab_builder_add_switch(t->b, 0, switch_guid(sw), name, s->radix, 0, NULL);
	}
}

static void add_host(struct synth_tree *t, uint32_t host, uint32_t leaf, uint32_t first_port)
{
	const struct synth_spec *s = t->spec;
	/*
	 * ibsim counts port GUIDs up from the node's, so a host with several ports needs room
	 * behind its own.
	 */
	uint64_t guid = HOST_GUID + UINT64_C(1) * host * (s->ports > 1 ? 16 : 4);
	char desc[64];

	snprintf(desc, sizeof(desc), "%s%0*u HCA-1", s->prefix, host_digits(s), host + 1);
	for (uint32_t k = 1; k <= s->ports; k++) {
		t->rc |= sfab_builder_add_port(t->b, 0, guid, k, guid + k, desc, NULL, 0, 0, NULL);
		add_cable(t, guid, k, switch_guid(leaf), first_port + k - 1);
	}
}

/* Return how many hosts are on a leaf; they use its ports 1, 2, ... */
static uint32_t leaf_hosts(const struct synth_spec *s, uint32_t leaf)
{
	uint32_t max = s->leaf / s->ports, first = leaf * max;

	if (s->fill == SYNTH_EVEN)
		return s->hosts / s->leaves + (leaf < s->hosts % s->leaves);
	if (first >= s->hosts)
		return 0;
	return s->hosts - first < max ? s->hosts - first : max;
}

/*
 * Is host @p of a leaf with @n hosts, the @nth of all, an IO host?  @remaining IO hosts have
 * not been found.  At random, all sets of that many hosts are equally likely (selection
 * sampling).
 */
static int is_io_host(const struct synth_spec *s, uint32_t leaf, uint32_t p, uint32_t n,
		      uint32_t nth, uint32_t remaining, uint64_t *state)
{
	switch (s->layout) {
	case SYNTH_LAST:
		return leaf < s->io && p == n;
	case SYNTH_MOVED:
		return leaf < s->io && p == 1 + leaf % n;
	case SYNTH_PACKED:
		return nth < s->io;
	default:
		return sfab_random(state) % (s->hosts - nth) < remaining;
	}
}

/* Add the hosts, IO hosts with the last numbers: host lists of compute nodes then have no gaps. */
static void seat_hosts(struct synth_tree *t)
{
	const struct synth_spec *s = t->spec;
	uint32_t next = 0, next_io = s->hosts - s->io;
	uint64_t state = s->seed;

	for (uint32_t leaf = 0; leaf < s->leaves; leaf++)
		for (uint32_t p = 1, n = leaf_hosts(s, leaf); p <= n; p++) {
			uint32_t nth = next + next_io + s->io - s->hosts;
			int is_io = is_io_host(s, leaf, p, n, nth, s->hosts - next_io, &state);

			add_host(t, is_io ? next_io++ : next++, leaf, (p - 1) * s->ports + 1);
		}
}

/* Add @n cables from each of @nlow switches to each of @nhigh, block by block. */
static void join_layers(struct synth_tree *t, uint32_t low, uint32_t nlow, uint32_t low_port,
			uint32_t high, uint32_t nhigh, uint32_t high_port, uint32_t n)
{
	for (uint32_t i = 0; i < nlow; i++)
		for (uint32_t j = 0; j < nhigh; j++)
			for (uint32_t k = 0; k < n; k++)
				add_cable(t, switch_guid(low + i), low_port + j * n + k,
					  switch_guid(high + j), high_port + i * n + k);
}

/* Wire leaves to the middle switches of their pod, and each of these to the spines of its group. */
static void wire_three_levels(struct synth_tree *t)
{
	const struct synth_spec *s = t->spec;
	uint32_t leaves = s->leaves / s->pods, group = s->spines / s->mids;
	uint32_t spine0 = s->leaves + s->pods * s->mids;

	for (uint32_t pod = 0; pod < s->pods; pod++) {
		uint32_t mid0 = s->leaves + pod * s->mids;

		join_layers(t, pod * leaves, leaves, s->leaf + 1, mid0,
			    s->mids, 1, s->links);
		for (uint32_t m = 0; m < s->mids; m++)
			join_layers(t, mid0 + m, 1, leaves * s->links + 1,
				    spine0 + m * group, group,
				    pod * s->toplinks + 1, s->toplinks);
	}
}

struct sfab_fabric *synth_fabric(const struct synth_spec *spec)
{
	struct synth_tree t = {
		.spec = spec, .b = xnonnull(sfab_builder_create(SFAB_BUILD_UNROUTED)),
	};
	struct sfab_fabric *f = NULL;

	t.rc = sfab_builder_add_plane(t.b, "", NULL);
	add_switches(&t);
	seat_hosts(&t);
	if (spec->mids)
		wire_three_levels(&t);
	else
		join_layers(&t, 0, spec->leaves, spec->leaf + 1, spec->leaves,
			    spec->spines, 1, spec->links);
	if (t.rc == 0)
		f = sfab_builder_freeze(t.b, NULL);
	sfab_builder_destroy(t.b);
	return xnonnull(f);
}

void synth_write_net(const struct synth_spec *spec, const struct sfab_fabric *f, FILE *out)
{
	struct cabling_plan plan;

	cabling_plan_init(&plan, f, NULL);	/* all cables have both directions */
	cabling_plan_netlist(&plan, 0, NETLIST_NAMES, spec->speed, out);
	cabling_plan_free(&plan);
}

void synth_write_io(const struct synth_spec *s, const struct sfab_fabric *f, FILE *out)
{
	int digits = host_digits(s);

	if (s->io == 1)
		fprintf(out, "%s%0*u", s->prefix, digits, s->hosts);
	else if (s->io)
		fprintf(out, "%s[%0*u-%0*u]", s->prefix, digits,
			s->hosts - s->io + 1, digits, s->hosts);
	putc('\n', out);
}

/* Write the map: a GUID and a name in quotes in each line, as infiniband-diags reads it. */
void synth_write_map(const struct synth_spec *spec, const struct sfab_fabric *f, FILE *out)
{
	for (uint32_t i = 0; i < f->nswitches; i++)
		fprintf(out, "0x%016" PRIx64 " \"%s\"\n", f->switches[i].guid,
			f->switches[i].name);
	for (uint32_t i = 0; i < f->nports; i += spec->ports)
		fprintf(out, "0x%016" PRIx64 " \"%s\"\n", f->ports[i].node_guid, f->ports[i].desc);
}
