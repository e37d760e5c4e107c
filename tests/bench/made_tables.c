/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * made_tables.c - fabrics too large for OpenSM on a small machine, with tables
 *
 *     made_tables SPEC DIR [lfts]
 *
 * SPEC is one of sfabric-synth(1).  Writes DIR/opensm-subnet.lst and DIR/opensm.fdbs
 * (DIR/opensm-lfts.dump instead) as OpenSM would, with LIDs in the order of hosts, then
 * switches.  A switch sends LID x to port x mod n of the n that are on a shortest way:
 * this is no engine's choice, but as many entries, routes and hops as a real one makes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/bench/bench.h"
#include "tools/synth/synth.h"

#define NOBODY UINT32_MAX
#define FAR 0xFF
#define SWITCH_GUID 0x0002c90200400000u
#define HOST_GUID 0x0002c90300100000u

struct made_fabric {
	const struct sfab_fabric *f;
	uint32_t radix, nswitches, nhosts, ports;	/* ports: of a host */
	uint8_t *hops;			/* [to * nswitches + from] */
	uint32_t *queue;
};

/* The switch at the other end, or NOBODY. */
static uint32_t next_switch(const struct made_fabric *m, uint32_t sw, uint32_t port)
{
	uint32_t link = m->f->switches[sw].out[port];

	return link == SFAB_NONE || m->f->links[link].kind != SFAB_LINK_ISL ? NOBODY :
	       m->f->links[link].to;
}

static void find_hops(struct made_fabric *m, uint32_t to)
{
	uint8_t *hops = m->hops + (size_t) to * m->nswitches;
	uint32_t n = 1;

	memset(hops, FAR, m->nswitches);
	hops[to] = 0;
	m->queue[0] = to;
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t port = 1; port <= m->radix; port++) {
			uint32_t next = next_switch(m, m->queue[i], port);

			if (next == NOBODY || hops[next] != FAR)
				continue;
			hops[next] = (uint8_t) (hops[m->queue[i]] + 1);
			m->queue[n++] = next;
		}
}

/* List the ports of @sw on a shortest way to @to.  Return their number. */
static uint32_t ways(const struct made_fabric *m, uint32_t sw, uint32_t to, uint8_t *port)
{
	const uint8_t *hops = m->hops + (size_t) to * m->nswitches;
	uint32_t n = 0;

	for (uint32_t p = 1; p <= m->radix; p++) {
		uint32_t next = next_switch(m, sw, p);

		if (next != NOBODY && hops[next] + 1 == hops[sw])
			port[n++] = (uint8_t) p;
	}
	return n;
}

/* -- the texts of tables ------------------------------------------------- */

static void write_fdbs_head(const struct made_fabric *m, uint32_t sw, FILE *out)
{
	(void) m;
	fprintf(out, "dump_ucast_routes: Switch 0x%016llx\nLID    : Port : Hops : Optimal\n",
		(unsigned long long) (SWITCH_GUID + UINT64_C(8) * sw));
}

static void write_fdbs_entry(const struct made_fabric *m, uint32_t lid, uint32_t port,
			     FILE *out)
{
	(void) m;
	fprintf(out, "0x%04X : %03u  : 02   : yes\n", lid, port);
}

static void write_lfts_head(const struct made_fabric *m, uint32_t sw, FILE *out)
{
	uint32_t hosts = m->nhosts * m->ports;

	fprintf(out, "Unicast lids [0-%u] of switch Lid %u guid 0x%016llx ('s%05u'):\n",
		hosts + m->nswitches, hosts + 1 + sw,
		(unsigned long long) (SWITCH_GUID + UINT64_C(8) * sw), sw + 1);
}

static void write_lfts_entry(const struct made_fabric *m, uint32_t lid, uint32_t port,
			     FILE *out)
{
	uint32_t hosts = m->nhosts * m->ports, ports = m->ports;
	uint32_t sw = lid - hosts - 1, host = (lid - 1) / ports;

	if (lid > hosts)
		fprintf(out, "0x%04x %03u # Switch portguid 0x%016llx: 's%05u'\n", lid, port,
			(unsigned long long) (SWITCH_GUID + UINT64_C(8) * sw), sw + 1);
	else
		fprintf(out, "0x%04x %03u # Channel Adapter portguid 0x%016llx: 'n%05u HCA-1'\n",
			lid, port, (unsigned long long) (HOST_GUID + UINT64_C(16) * host +
			1 + (lid - 1) % ports), host + 1);
}

static void write_lfts_end(const struct made_fabric *m, uint32_t sw, FILE *out)
{
	(void) sw;
	fprintf(out, "%u lids dumped \n", m->nhosts * m->ports + m->nswitches);
}

static const struct table_text {
	const char *file;
	void (*head)(const struct made_fabric *m, uint32_t sw, FILE *out);
	void (*entry)(const struct made_fabric *m, uint32_t lid, uint32_t port, FILE *out);
	void (*end)(const struct made_fabric *m, uint32_t sw, FILE *out);	/* or NULL */
} table_texts[] = {
	{ "opensm.fdbs", write_fdbs_head, write_fdbs_entry, NULL },
	{ "opensm-lfts.dump", write_lfts_head, write_lfts_entry, write_lfts_end },
};

static void write_table(const struct made_fabric *m, const struct table_text *text,
			uint32_t sw, FILE *out)
{
	uint8_t (*port)[256] = bench_alloc(m->nswitches, sizeof(*port));
	uint32_t *n = bench_alloc(m->nswitches, sizeof(*n));
	uint32_t hosts = m->nhosts * m->ports;

	for (uint32_t to = 0; to < m->nswitches; to++)
		n[to] = ways(m, sw, to, port[to]);
	text->head(m, sw, out);
	for (uint32_t i = 0; i < hosts; i++) {
		/* End ports are in the order of hosts and their ports. */
		const struct sfab_port *at = &m->f->ports[i];

		text->entry(m, i + 1, at->sw == sw ? at->sw_port :
			    port[at->sw][(i + 1) % n[at->sw]], out);
	}
	for (uint32_t to = 0; to < m->nswitches; to++)
		text->entry(m, hosts + 1 + to, to == sw ? 0 :
			    port[to][(hosts + 1 + to) % n[to]], out);
	if (text->end)
		text->end(m, sw, out);
	free(port);
	free(n);
}

static void write_switch_end(const struct made_fabric *m, uint32_t sw, uint32_t port,
			     FILE *out)
{
	unsigned long long guid = SWITCH_GUID + UINT64_C(8) * sw;

	fprintf(out, "{ SW Ports:%02X SystemGUID:%016llx NodeGUID:%016llx PortGUID:%016llx "
		"VenID:0002C9 DevID:BD36 Rev:000000A1 {s%05u} LID:%04X PN:%02X } ",
		m->radix, guid + 3, guid, guid, sw + 1,
		m->nhosts * m->ports + 1 + sw, port);
}

static void write_host_end(const struct made_fabric *m, uint32_t host, uint32_t port, FILE *out)
{
	unsigned long long guid = HOST_GUID + UINT64_C(16) * host;

	fprintf(out, "{ CA Ports:%02X SystemGUID:%016llx NodeGUID:%016llx PortGUID:%016llx "
		"VenID:0002C9 DevID:673C Rev:000000B0 {n%05u HCA-1} LID:%04X PN:%02X } ",
		m->ports, guid + 15, guid, guid + port, host + 1,
		host * m->ports + port, port);
}

static void write_cable(const struct made_fabric *m, uint32_t sw, uint32_t port, FILE *out)
{
	static const char rate[] = "PHY=4x LOG=ACT SPD=50\n";
	uint32_t link = m->f->switches[sw].out[port];
	const struct sfab_port *p;

	if (link == SFAB_NONE)
		return;
	write_switch_end(m, sw, port, out);
	if (m->f->links[link].kind == SFAB_LINK_ISL) {
		write_switch_end(m, m->f->links[link].to, m->f->links[link].to_port, out);
		fputs(rate, out);
		return;
	}
	p = &m->f->ports[m->f->links[link].to];
	write_host_end(m, p->host, p->num, out);
	fputs(rate, out);
	write_host_end(m, p->host, p->num, out);
	write_switch_end(m, sw, port, out);
	fputs(rate, out);
}

static FILE *open_in(const char *dir, const char *name)
{
	static const struct sfab_err err = { SFAB_EIO, "cannot write into the folder" };
	char path[4096];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	out = fopen(path, "w");
	bench_must(out != NULL, &err);
	setvbuf(out, NULL, _IOFBF, 1 << 20);
	return out;
}

int main(int argc, char **argv)
{
	static const struct sfab_err usage = { SFAB_EINVAL, 
		"usage: made_tables SPEC DIR [lfts]" };
	static const struct sfab_err full = { SFAB_EIO, "cannot write all" };
	const struct table_text *text;
	struct made_fabric m = { 0 };
	struct synth_spec spec;
	struct sfab_fabric *f;
	struct sfab_err err;
	FILE *out;

	bench_must(argc == 3 || (argc == 4 && strcmp(argv[3], "lfts") == 0), &usage);
	text = &table_texts[argc == 4];
	bench_must(synth_parse(argv[1], &spec, &err) == 0, &err);
	f = synth_fabric(&spec);
	m.f = f;
	m.radix = spec.radix;
	m.nswitches = f->nswitches;
	m.nhosts = spec.hosts;
	m.ports = spec.ports;
	m.hops = bench_alloc((size_t) m.nswitches * m.nswitches, 1);
	m.queue = bench_alloc(m.nswitches, sizeof(*m.queue));
	for (uint32_t to = 0; to < m.nswitches; to++)
		find_hops(&m, to);
	out = open_in(argv[2], "opensm-subnet.lst");
	for (uint32_t sw = 0; sw < m.nswitches; sw++)
		for (uint32_t port = 1; port <= m.radix; port++)
			write_cable(&m, sw, port, out);
	bench_must(fclose(out) == 0, &full);
	out = open_in(argv[2], text->file);
	for (uint32_t sw = 0; sw < m.nswitches; sw++)
		write_table(&m, text, sw, out);
	bench_must(fclose(out) == 0, &full);
	free(m.hops);
	free(m.queue);
	sfab_fabric_destroy(f);
	return 0;
}
