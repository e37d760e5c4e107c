/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * synth_tree.c - seat hosts, wire a fat tree, and write a fabric as a netlist
 *
 * First every cable is entered into the port arrays of the switches that it
 * joins; then the writers walk these arrays.  Order of switches: leaves,
 * middle, spines.
 */
#include "tools/synth/synth_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "tools/ui/say.h"

#define SWITCH_GUID 0x0002c90200400000u	/* + 8 for each switch */
#define HOST_GUID 0x0002c90300100000u	/* + 4 for each host with one port, or 16; + n port n */
#define FREE UINT32_MAX

static struct tree_end *end_of_port(const struct sfab_synth *t, uint32_t sw,
				    uint32_t port)
{
	return &t->end[(size_t) sw * t->spec.radix + port - 1];
}

static void join_switches(struct sfab_synth *t, uint32_t a, uint32_t a_port,
			  uint32_t b, uint32_t b_port)
{
	*end_of_port(t, a, a_port) = (struct tree_end){b, FREE, b_port};
	*end_of_port(t, b, b_port) = (struct tree_end){a, FREE, a_port};
}

/* Hosts on a leaf; they use its ports 1, 2, ... */
static uint32_t leaf_hosts(const struct sfab_synth_spec *s, uint32_t leaf)
{
	uint32_t most = s->leaf / s->ports, before = leaf * most;

	if (s->fill == SFAB_SYNTH_EVEN)
		return s->hosts / s->leaves + (leaf < s->hosts % s->leaves);
	if (before >= s->hosts)
		return 0;
	return s->hosts - before < most ? s->hosts - before : most;
}

/*
 * Is host @p of a leaf with @n hosts, the @nth of all, an IO host?  @left are still missing.
 * At random, all sets of that many hosts are equally likely (selection sampling).
 */
static int is_io_host(const struct sfab_synth_spec *s, uint32_t leaf, uint32_t p, uint32_t n,
		      uint32_t nth, uint32_t left, uint64_t *state)
{
	switch (s->place) {
	case SFAB_SYNTH_LAST:
		return leaf < s->io && p == n;
	case SFAB_SYNTH_MOVED:
		return leaf < s->io && p == 1 + leaf % n;
	case SFAB_SYNTH_PACKED:
		return nth < s->io;
	default:
		return sfab_random(state) % (s->hosts - nth) < left;
	}
}

/*
 * IO hosts get the last numbers, so that host lists of compute nodes have no
 * gaps.
 */
static void seat_hosts(struct sfab_synth *t)
{
	const struct sfab_synth_spec *s = &t->spec;
	uint32_t next = 0, next_io = s->hosts - s->io;
	uint64_t state = s->seed;

	for (uint32_t leaf = 0; leaf < s->leaves; leaf++)
		for (uint32_t p = 1, n = leaf_hosts(s, leaf); p <= n; p++) {
			uint32_t nth = next + next_io + s->io - s->hosts;
			int is_io = is_io_host(s, leaf, p, n, nth, s->hosts - next_io, &state);
			uint32_t host = is_io ? next_io++ : next++;

			t->seat[host] = (struct seat) { leaf, (p - 1) * s->ports + 1 };
			for (uint32_t k = 0; k < s->ports; k++)
				*end_of_port(t, leaf, t->seat[host].port + k) =
				    (struct tree_end){FREE, host, k + 1};
		}
}

/* @n cables from each of @nlow switches to each of @nhigh, block by block. */
static void join_layers(struct sfab_synth *t, uint32_t low, uint32_t nlow,
			uint32_t low_port, uint32_t high, uint32_t nhigh,
			uint32_t high_port, uint32_t n)
{
	for (uint32_t i = 0; i < nlow; i++)
		for (uint32_t j = 0; j < nhigh; j++)
			for (uint32_t k = 0; k < n; k++)
				join_switches(t, low + i, low_port + j * n + k,
					      high + j, high_port + i * n + k);
}

static void wire_three_levels(struct sfab_synth *t)
{
	const struct sfab_synth_spec *s = &t->spec;
	uint32_t leaves = s->leaves / s->pods, group = s->spines / s->mids;
	uint32_t spine0 = s->leaves + t->nmids;

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

struct sfab_synth *sfab_synth_create(const struct sfab_synth_spec *spec)
{
	struct sfab_synth *t = need(1, sizeof(*t));
	size_t nends;

	t->spec = *spec;
	t->nmids = spec->pods * spec->mids;
	t->nswitches = sfab_synth_nswitches(spec);
	nends = (size_t) t->nswitches * spec->radix;
	t->end = need(nends, sizeof(*t->end));
	t->seat = need(spec->hosts, sizeof(*t->seat));
	/* Every number is UINT32_MAX then. */
	memset(t->end, 0xff, nends * sizeof(*t->end));	/* all FREE */
	seat_hosts(t);
	if (spec->mids)
		wire_three_levels(t);
	else
		join_layers(t, 0, spec->leaves, spec->leaf + 1, spec->leaves,
			    spec->spines, 1, spec->links);
	return t;
}

void sfab_synth_destroy(struct sfab_synth *t)
{
	if (!t)
		return;
	free(t->end);
	free(t->seat);
	free(t);
}

static uint64_t switch_guid(uint32_t sw)
{
	return SWITCH_GUID + UINT64_C(8) * sw;
}

/*
 * ibsim counts port GUIDs up from the node's, so a host with several ports
 * needs room behind its own.
 */
static uint64_t host_guid(const struct sfab_synth *t, uint32_t host)
{
	return HOST_GUID + UINT64_C(1) * host * (t->spec.ports > 1 ? 16 : 4);
}

/* "wolf-L001": the level's letter and a number of at least three digits. */
static void switch_name(const struct sfab_synth *t, uint32_t sw, char *name,
			size_t size)
{
	uint32_t mid0 = t->spec.leaves, spine0 = mid0 + t->nmids;
	char level = sw < mid0 ? 'L' : sw < spine0 ? 'M' : 'S';
	uint32_t first = sw < mid0 ? 0 : sw < spine0 ? mid0 : spine0;

	snprintf(name, size, "%s-%c%03u", t->spec.chip, level, sw - first + 1);
}

/* A fixed number of digits keeps names in the order of numbers. */
static int host_digits(const struct sfab_synth *t)
{
	return t->spec.hosts > 9999 ? 5 : 4;
}

static void host_name(const struct sfab_synth *t, uint32_t host, char *name,
		      size_t size)
{
	snprintf(name, size, "%s%0*u", t->spec.prefix, host_digits(t), host + 1);
}

/* Attributes that ibnetdiscover prints before a node (InfiniScale IV, ConnectX). */
static void write_head(FILE *out, const char *devid, const char *kind,
		       uint64_t guid)
{
	fprintf(out, "\nvendid=0x2c9\ndevid=%s\nsysimgguid=0x%" PRIx64
		"\n%sguid=0x%" PRIx64, devid, guid + 3, kind, guid);
}

static void write_tree_switch(const struct sfab_synth *t, uint32_t sw,
			      FILE *out)
{
	char name[48];

	switch_name(t, sw, name, sizeof(name));
	write_head(out, "0xbd36", "switch", switch_guid(sw));
	fprintf(out, "(%" PRIx64 ")\nSwitch\t%u \"S-%016" PRIx64
		"\"\t\t# \"%s\" base port 0 lid 0 lmc 0\n", switch_guid(sw),
		t->spec.radix, switch_guid(sw), name);
	for (uint32_t p = 1; p <= t->spec.radix; p++) {
		const struct tree_end *e = end_of_port(t, sw, p);

		if (e->host != FREE) {
			host_name(t, e->host, name, sizeof(name));
			fprintf(out, "[%u]\t\"H-%016" PRIx64 "\"[%u](%" PRIx64
				") \t\t# \"%s HCA-1\" lid 0 4x%s\n", p,
				host_guid(t, e->host), e->port,
				host_guid(t, e->host) + e->port, name,
				t->spec.speed);
		} else if (e->sw != FREE) {
			switch_name(t, e->sw, name, sizeof(name));
			fprintf(out, "[%u]\t\"S-%016" PRIx64
				"\"[%u]\t\t# \"%s\" lid 0 4x%s\n", p,
				switch_guid(e->sw), e->port, name, t->spec.speed);
		}
	}
}

/* Hosts first, then switches, each with the other end of all its cables. */
void sfab_synth_write_net(const struct sfab_synth *t, FILE *out)
{
	for (uint32_t host = 0; host < t->spec.hosts; host++) {
		const struct seat *at = &t->seat[host];
		char name[48], leaf[48];

		host_name(t, host, name, sizeof(name));
		switch_name(t, at->sw, leaf, sizeof(leaf));
		write_head(out, "0x673c", "ca", host_guid(t, host));
		fprintf(out, "\nCa\t%u \"H-%016" PRIx64 "\"\t\t# \"%s HCA-1\"\n",
			t->spec.ports, host_guid(t, host), name);
		for (uint32_t p = 1; p <= t->spec.ports; p++)
			fprintf(out,
				"[%u](%" PRIx64 ") \t\"S-%016" PRIx64
				"\"[%u]\t\t# lid 0 lmc 0 \"%s\" lid 0 4x%s\n", p,
				host_guid(t, host) + p, switch_guid(at->sw),
				at->port + p - 1, leaf, t->spec.speed);
	}
	for (uint32_t sw = 0; sw < t->nswitches; sw++)
		write_tree_switch(t, sw, out);
}

void sfab_synth_write_io(const struct sfab_synth *t, FILE *out)
{
	const struct sfab_synth_spec *s = &t->spec;
	int digits = host_digits(t);

	if (s->io == 1)
		fprintf(out, "%s%0*u", s->prefix, digits, s->hosts);
	else if (s->io)
		fprintf(out, "%s[%0*u-%0*u]", s->prefix, digits,
			s->hosts - s->io + 1, digits, s->hosts);
	putc('\n', out);
}

/* As infiniband-diags read it: a GUID and a name in quotes. */
void sfab_synth_write_map(const struct sfab_synth *t, FILE *out)
{
	char name[48];

	for (uint32_t sw = 0; sw < t->nswitches; sw++) {
		switch_name(t, sw, name, sizeof(name));
		fprintf(out, "0x%016" PRIx64 " \"%s\"\n", switch_guid(sw), name);
	}
	for (uint32_t host = 0; host < t->spec.hosts; host++) {
		host_name(t, host, name, sizeof(name));
		fprintf(out, "0x%016" PRIx64 " \"%s HCA-1\"\n", host_guid(t, host),
			name);
	}
}
