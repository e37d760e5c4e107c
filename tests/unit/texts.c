/* SPDX-License-Identifier: GPL-2.0-or-later */
/* texts.c - the small fabric of texts.h, written out by hand */

#include "tests/unit/texts.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IDS(guid) \
	"\nvendid=0x2c9\ndevid=0xc738\nsysimgguid=0x" guid "\n"
#define SWITCH(guid, name, lid) \
	IDS(guid) "switchguid=0x" guid "(" guid ")\n" \
	"Switch\t4 \"S-0000000000000" guid "\"\t\t# \"" name \
	"\" enhanced port 0 lid " lid " lmc 0\n"
#define TO_SWITCH(num, guid, to, name, lid) \
	"[" num "]\t\"S-0000000000000" guid "\"[" to "]\t\t# \"" name \
	"\" lid " lid " 4xQDR\n"
#define TO_HOST(num, guid, port_guid, name, lid) \
	"[" num "]\t\"H-0000000000000" guid "\"[1](" port_guid ") \t\t# \"" \
	name " HCA-1\" lid " lid " 4xQDR\n"
#define HOST(guid, port_guid, name, lid, sw, num, swname, swlid) \
	IDS(guid) "caguid=0x" guid "\n" \
	"Ca\t1 \"H-0000000000000" guid "\"\t\t# \"" name " HCA-1\"\n" \
	"[1](" port_guid ") \t\"S-0000000000000" sw "\"[" num "]\t\t# lid " \
	lid " lmc 0 \"" swname "\" lid " swlid " 4xQDR\n"

const char text_ibnetdiscover[] =
	"#\n# Topology file: generated on Thu Jan  1 00:00:00 2026\n#\n"
	"# Initiated from node 0000000000000a01 port 0000000000000a01\n"
	SWITCH("a01", "leaf1", "1")
	TO_HOST("1", "c01", "c11", "n1", "4")
	TO_HOST("2", "c02", "c12", "n2", "5")
	TO_SWITCH("4", "b01", "1", "spine1", "3")
	SWITCH("a02", "leaf2", "2")
	TO_HOST("1", "c03", "c13", "n3", "6")
	TO_HOST("2", "c04", "c14", "n4", "7")
	TO_SWITCH("4", "b01", "2", "spine1", "3")
	SWITCH("b01", "spine1", "3")
	TO_SWITCH("1", "a01", "4", "leaf1", "1")
	TO_SWITCH("2", "a02", "4", "leaf2", "2")
	HOST("c01", "c11", "n1", "4", "a01", "1", "leaf1", "1")
	HOST("c02", "c12", "n2", "5", "a01", "2", "leaf1", "1")
	HOST("c03", "c13", "n3", "6", "a02", "1", "leaf2", "2")
	HOST("c04", "c14", "n4", "7", "a02", "2", "leaf2", "2");

#define NODE(type, ports, guid, port_guid, name, lid, num) \
	"{ " type " Ports:" ports " SystemGUID:0000000000000" guid \
	" NodeGUID:0000000000000" guid " PortGUID:0000000000000" port_guid \
	" VenID:0002C9 DevID:C738 Rev:000000A1 {" name "} LID:000" lid \
	" PN:0" num " } "
#define LINK(from, to) from to "PHY=4x LOG=ACT SPD=10\n"
#define LEAF1(num) NODE("SW-SM", "04", "a01", "a01", "leaf1", "1", num)
#define LEAF2(num) NODE("SW", "04", "a02", "a02", "leaf2", "2", num)
#define SPINE1(num) NODE("SW", "04", "b01", "b01", "spine1", "3", num)
#define N1 NODE("CA", "01", "c01", "c11", "n1 HCA-1", "4", "1")
#define N2 NODE("CA", "01", "c02", "c12", "n2 HCA-1", "5", "1")
#define N3 NODE("CA", "01", "c03", "c13", "n3 HCA-1", "6", "1")
#define N4 NODE("CA", "01", "c04", "c14", "n4 HCA-1", "7", "1")

const char text_subnet_lst[] =
	LINK(N1, LEAF1("1")) LINK(N2, LEAF1("2"))
	LINK(LEAF1("1"), N1) LINK(LEAF1("2"), N2) LINK(LEAF1("4"), SPINE1("1"))
	LINK(LEAF2("1"), N3) LINK(LEAF2("2"), N4) LINK(LEAF2("4"), SPINE1("2"))
	LINK(N3, LEAF2("1")) LINK(N4, LEAF2("2"))
	LINK(SPINE1("1"), LEAF1("4")) LINK(SPINE1("2"), LEAF2("4"));

#define SW_ENTRY(lid, port, guid, name) \
	"0x000" lid " 00" port " # Switch portguid 0x0000000000000" guid \
	": '" name "'\n"
#define CA_ENTRY(lid, port, guid, name) \
	"0x000" lid " 00" port " # Channel Adapter portguid 0x0000000000000" \
	guid ": '" name " HCA-1'\n"
#define LFT(lid, guid, name, p1, p2, p3, p4, p5, p6, p7) \
	"Unicast lids [0-7] of switch Lid " lid " guid 0x0000000000000" guid \
	" ('" name "'):\n" \
	SW_ENTRY("1", p1, "a01", "leaf1") SW_ENTRY("2", p2, "a02", "leaf2") \
	SW_ENTRY("3", p3, "b01", "spine1") CA_ENTRY("4", p4, "c11", "n1") \
	CA_ENTRY("5", p5, "c12", "n2") CA_ENTRY("6", p6, "c13", "n3") \
	CA_ENTRY("7", p7, "c14", "n4") "7 lids dumped\n"

const char text_lfts[] =
	LFT("1", "a01", "leaf1", "0", "4", "4", "1", "2", "4", "4")
	LFT("2", "a02", "leaf2", "4", "0", "4", "4", "4", "1", "2")
	LFT("3", "b01", "spine1", "1", "2", "0", "1", "1", "2", "2");

#define ROUTE(lid, port) \
	"0x000" lid " : 00" port "  : 01   : yes\n"
#define FDB(guid, p1, p2, p3, p4, p5, p6, p7) \
	"dump_ucast_routes: Switch 0x0000000000000" guid "\n" \
	"LID    : Port : Hops : Optimal\n" \
	ROUTE("1", p1) ROUTE("2", p2) ROUTE("3", p3) ROUTE("4", p4) \
	ROUTE("5", p5) ROUTE("6", p6) ROUTE("7", p7)

const char text_fdbs[] =
	FDB("a01", "0", "4", "4", "1", "2", "4", "4")
	FDB("a02", "4", "0", "4", "4", "4", "1", "2")
	FDB("b01", "1", "2", "0", "1", "1", "2", "2");

char *texts_edit(const char *text, const char *from, const char *to)
{
	const char *at = strstr(text, from);
	size_t before, size = strlen(text) + strlen(to) + 1;
	char *edited = malloc(size);

	ck_assert_ptr_nonnull(edited);
	ck_assert_msg(at != NULL, "the text has no \"%s\"", from);
	before = (size_t) (at - text);
	snprintf(edited, size, "%.*s%s%s", (int) before, text, to,
		 at + strlen(from));
	return edited;
}

static int read_text(struct sfab_builder *b, const char *text, size_t size,
		     const char *name, const struct sfab_namemap *map,
		     struct sfab_err *err)
{
	const struct sfab_reader *r = sfab_reader_detect(text, size);
	struct sfab_reader_ctx ctx = { .b = b, .map = map, .file = name };
	char *copy = malloc(size + 1);	/* of exactly this size, for ASan */
	int failed;

	ck_assert_ptr_nonnull(copy);
	if (!r) {
		free(copy);
		return sfab_fail(err, SFAB_EFORMAT, "%s:1: unknown format",
				 name);
	}
	memcpy(copy, text, size);
	copy[size] = '\0';
	failed = r->read(&ctx, copy, size, err);
	free(copy);
	return failed;
}

static struct sfab_fabric *import(const char *topology, size_t topology_size,
				  const char *tables, size_t tables_size,
				  const struct sfab_namemap *map,
				  struct sfab_err *err)
{
	struct sfab_builder *b = sfab_builder_create(SFAB_BUILD_STRICT);
	struct sfab_fabric *f = NULL;

	ck_assert_ptr_nonnull(b);
	ck_assert_int_eq(sfab_builder_plane(b, "", err), 0);
	if (!read_text(b, topology, topology_size, "topology", map, err) &&
	    !read_text(b, tables, tables_size, "tables", map, err))
		f = sfab_builder_freeze(b, err);
	sfab_builder_destroy(b);
	return f;
}

struct sfab_fabric *texts_import(const char *topology, const char *tables,
				 const struct sfab_namemap *map,
				 struct sfab_err *err)
{
	return import(topology, strlen(topology), tables, strlen(tables), map,
		      err);
}

void texts_check_cuts(const char *topology, const char *tables,
		      const char *cut)
{
	struct sfab_err err = { 0 };
	struct sfab_fabric *f;
	size_t all = strlen(cut), size;

	for (size = 0; size < all; size++) {
		f = import(topology, cut == topology ? size : strlen(topology),
			   tables, cut == tables ? size : strlen(tables), NULL,
			   &err);
		ck_assert_msg(f == NULL, "%zu of %zu bytes are taken for all",
			      size, all);
		ck_assert_msg(strncmp(err.text, "t", 1) == 0 &&
			      strchr(err.text, ':') != NULL,
			      "%zu bytes: no FILE:LINE in \"%s\"", size,
			      err.text);
	}
}

void texts_check_spoilt(const char *topology, const char *tables,
			const char *text, const struct spoilt *how)
{
	char *edited = texts_edit(text, how->from, how->to);
	struct sfab_err err = { 0 };
	struct sfab_fabric *f;

	f = texts_import(text == topology ? edited : topology,
			 text == tables ? edited : tables, NULL, &err);
	ck_assert_msg(f == NULL, "\"%s\" is taken, expected: %s", how->to,
		      how->error);
	ck_assert_str_eq(err.text, how->error);
	ck_assert_int_eq(err.code, SFAB_EFORMAT);
	free(edited);
}

static void check_same_switches(const struct sfab_fabric *a,
				const struct sfab_fabric *b)
{
	ck_assert_uint_eq(a->nswitches, b->nswitches);
	for (uint32_t i = 0; i < a->nswitches; i++) {
		const struct sfab_switch *x = &a->switches[i];
		const struct sfab_switch *y = &b->switches[i];

		ck_assert_uint_eq(x->guid, y->guid);
		ck_assert_str_eq(x->name, y->name);
		ck_assert_uint_eq(x->lid, y->lid);
		ck_assert_uint_eq(x->nports, y->nports);
		ck_assert_mem_eq(x->lft, y->lft, a->planes[x->plane].nlids);
	}
}

static void check_same_ports(const struct sfab_fabric *a,
			     const struct sfab_fabric *b)
{
	ck_assert_uint_eq(a->nports, b->nports);
	for (uint32_t i = 0; i < a->nports; i++) {
		const struct sfab_port *x = &a->ports[i], *y = &b->ports[i];

		ck_assert_uint_eq(x->guid, y->guid);
		ck_assert_uint_eq(x->node_guid, y->node_guid);
		ck_assert_str_eq(x->desc, y->desc);
		ck_assert_str_eq(a->hosts[x->host].name, b->hosts[y->host].name);
		ck_assert_uint_eq(x->sw, y->sw);
		ck_assert_uint_eq(x->lid, y->lid);
		ck_assert_uint_eq(x->lmc, y->lmc);
		ck_assert(x->rate == y->rate);
	}
}

static void check_same_links(const struct sfab_fabric *a,
			     const struct sfab_fabric *b)
{
	ck_assert_uint_eq(a->nlinks, b->nlinks);
	for (uint32_t i = 0; i < a->nlinks; i++) {
		const struct sfab_link *x = &a->links[i], *y = &b->links[i];

		ck_assert_uint_eq(x->kind, y->kind);
		ck_assert_uint_eq(x->from, y->from);
		ck_assert_uint_eq(x->to, y->to);
		ck_assert_uint_eq(x->from_port, y->from_port);
		ck_assert_uint_eq(x->to_port, y->to_port);
		ck_assert_uint_eq(x->up, y->up);
		ck_assert(x->capacity == y->capacity);
	}
}

void texts_check_same(const struct sfab_fabric *a, const struct sfab_fabric *b)
{
	ck_assert_uint_eq(a->nplanes, b->nplanes);
	ck_assert_uint_eq(a->planes[0].nlids, b->planes[0].nlids);
	ck_assert_uint_eq(a->nhosts, b->nhosts);
	check_same_switches(a, b);
	check_same_ports(a, b);
	check_same_links(a, b);
}
