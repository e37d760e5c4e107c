/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_reader_opa.c - Omni-Path reports, XML and text, whole and spoilt */

#include "tests/unit/fixtures/fabrics.h"
#include "tests/unit/fixtures/texts.h"
#include "tests/unit/fixtures/unit.h"

#define GUID(g) "0x0000000000000" g
#define NODE(desc, type, ports, guid) \
	"<Node id=\"" GUID(guid) "\">\n<NodeDesc>" desc "</NodeDesc>\n" \
	"<NodeGUID>" GUID(guid) "</NodeGUID>\n<NodeType>" type "</NodeType>\n" \
	"<NumPorts>" ports "</NumPorts>\n"
#define PORT(num, lid) \
	"<PortInfo><PortNum>" num "</PortNum>" lid \
	"<PortState>Active</PortState><LMC>0</LMC>\n" \
	"<LinkWidthActive>4</LinkWidthActive>" \
	"<LinkSpeedActive>25Gb</LinkSpeedActive>\n" \
	"<PortStatus><XmitData>7</XmitData></PortStatus></PortInfo>\n"
#define LID(lid) "<EndPortLID>0x0000000" lid "</EndPortLID>"
#define HOST(desc, guid, port_guid, lid) \
	NODE(desc " hfi1_0", "FI", "1", guid) \
	PORT("1", "<GUID>" GUID(port_guid) "</GUID>" LID(lid)) "</Node>\n"
#define ENTRY(lid, port) "<Value LID=\"0x" lid "\">" port "</Value>"
#define SWITCH(desc, guid, lid, p1, p2, p3, p4, p5, p6, p7, more) \
	NODE(desc, "SW", "4", guid) PORT("0", LID(lid)) \
	PORT("1", "") PORT("2", "") PORT("4", "") \
	"<SwitchData><LinearFDBSize>8</LinearFDBSize>\n<LinearFDB>" \
	ENTRY("1", p1) ENTRY("2", p2) ENTRY("3", p3) ENTRY("4", p4) \
	ENTRY("5", p5) ENTRY("6", p6) ENTRY("7", p7) "</LinearFDB>\n" more \
	"</SwitchData></Node>\n"
#define LINK(a, an, b, bn) \
	"<Link><From><NodeGUID>" GUID(a) "</NodeGUID><PortNum>" an \
	"</PortNum></From>\n<To><NodeGUID>" GUID(b) "</NodeGUID><PortNum>" bn \
	"</PortNum></To></Link>\n"
#define SNAPSHOT(more) \
	"<?xml version=\"1.0\" encoding=\"utf-8\" ?>\n" \
	"<Snapshot date=\"x\" unixtime=\"1\" routes=\"1\">\n<Nodes>\n" \
	HOST("n1", "c01", "c11", "4") HOST("n2", "c02", "c12", "5") \
	HOST("n3", "c03", "c13", "6") HOST("n4", "c04", "c14", "7") \
	SWITCH("leaf1", "a01", "1", "0", "4", "4", "1", "2", "4", "4", more) \
	SWITCH("leaf2", "a02", "2", "4", "0", "4", "4", "4", "1", "2", "") \
	SWITCH("spine1", "b01", "3", "1", "2", "0", "1", "1", "2", "2", "") \
	"</Nodes>\n<SMs><SM><PortGUID>" GUID("c11") \
	"</PortGUID><State>Master</State></SM></SMs>\n<Links>\n" \
	LINK("c01", "1", "a01", "1") LINK("c02", "1", "a01", "2") \
	LINK("c03", "1", "a02", "1") LINK("c04", "1", "a02", "2") \
	LINK("a01", "4", "b01", "1") LINK("a02", "4", "b01", "2") \
	"</Links>\n</Snapshot>\n"

static const char text[] = SNAPSHOT("");
static const char adaptive[] = SNAPSHOT(
	"<PortGroupElements><Value PortGroupNumber=\"1\">0xc</Value>"
	"</PortGroupElements>\n<PortGroupFDB><Value LID=\"0x6\">1</Value>"
	"<Value LID=\"0x7\">255</Value></PortGroupFDB>\n");

#define ROW(lid, port) "        0x000" lid "   " port "         1 far\n"
#define TABLE(desc, guid, p1, p2, p3, p4, p5, p6, p7) \
	GUID(guid) " SW " desc "\n" ROW("1", p1) ROW("2", p2) ROW("3", p3) \
	ROW("4", p4) ROW("5", p5) ROW("6", p6) ROW("7", p7)
static const char linear[] =
	"Linear FDB Tables\n3 Connected Switches in Fabric:\n"
	"NodeGUID         Type Name\n          Egress      Neighbor\n"
	"      LID Port       Port   Name\n"
	TABLE("leaf1", "a01", "0", "4", "4", "1", "2", "4", "4")
	TABLE("leaf2", "a02", "4", "0", "4", "4", "4", "1", "2")
	TABLE("spine1", "b01", "1", "2", "0", "1", "1", "2", "2")
	"3 Reported Switch(es)\n";

#define XML_ENTRY(lid, port) \
	"<Value LID=\"0x000" lid "\">\n<EgressPort>" port "</EgressPort>\n" \
	"<NeighborPort>1</NeighborPort>\n</Value>\n"
#define XML_TABLE(guid, p1, p2, p3, p4, p5, p6, p7) \
	"<Node id=\"" GUID(guid) "\">\n<NodeGUID>" GUID(guid) "</NodeGUID>\n" \
	"<NodeType>SW</NodeType>\n<LinearFDB>\n" XML_ENTRY("1", p1) \
	XML_ENTRY("2", p2) XML_ENTRY("3", p3) XML_ENTRY("4", p4) \
	XML_ENTRY("5", p5) XML_ENTRY("6", p6) XML_ENTRY("7", p7) \
	"</LinearFDB>\n</Node>\n"
static const char linear_xml[] =
	"<?xml version=\"1.0\" encoding=\"utf-8\" ?>\n<Report>\n<LinearFDBs>\n"
	"<ConnectedSwitchCount>3</ConnectedSwitchCount>\n"
	XML_TABLE("a01", "0", "4", "4", "1", "2", "4", "4")
	XML_TABLE("a02", "4", "0", "4", "4", "4", "1", "2")
	XML_TABLE("b01", "1", "2", "0", "1", "1", "2", "2")
	"</LinearFDBs>\n</Report>\n";

/* The same fabric as an InfiniBand one of the same speed. */
static struct sfab_fabric *infiniband(const char *tables)
{
	char *edr = texts_edit(text_ibnetdiscover, "", "");
	char *at = edr;
	struct sfab_fabric *f;

	while ((at = strstr(at, "4xQDR")))
		memcpy(at, "4xEDR", 5);
	for (at = edr; (at = strstr(at, " HCA-1"));)
		memcpy(at, " hfi1_", 6);
	f = texts_import(edr, tables, NULL, &unit_err);
	unit_must(f != NULL);
	return f;
}

static struct sfab_fabric *import(const char *snapshot, struct sfab_err *err)
{
	struct sfab_builder *b = unit_empty_builder(SFAB_BUILD_STRICT, "");
	const struct sfab_reader *r = sfab_reader_detect(snapshot,
							 strlen(snapshot));
	struct sfab_reader_ctx ctx = { .builder = b, .file = "opa" };
	struct sfab_fabric *f = NULL;

	ck_assert_ptr_nonnull(r);
	if (texts_read(r, &ctx, snapshot, strlen(snapshot), err) == 0)
		f = unit_try_freeze(b, err);
	return f;
}

TEST(a_snapshot_is_a_whole_fabric)
{
	struct sfab_fabric *a = infiniband(text_lfts), *b = import(text, &unit_err);

	unit_must(b != NULL);
	ck_assert_str_eq(b->ports[0].desc, "n1 hfi1_0");
	ck_assert_uint_eq(b->planes[0].sm_guid, 0xc11);
	ck_assert_uint_eq(b->nlinks, a->nlinks);
	for (uint32_t i = 0; i < a->nlinks; i++) {
		ck_assert_uint_eq(a->links[i].from, b->links[i].from);
		ck_assert_uint_eq(a->links[i].to, b->links[i].to);
		ck_assert(a->links[i].capacity == b->links[i].capacity);
	}
	for (uint32_t i = 0; i < a->nswitches; i++)
		ck_assert_mem_eq(a->switches[i].lft, b->switches[i].lft, 7);
	ck_assert_uint_eq(b->adaptive, 0);
}

TEST(groups_of_adaptive_routing)
{
	struct sfab_fabric *f = import(adaptive, &unit_err);
	const struct sfab_group *g;

	unit_must(f != NULL);
	ck_assert_uint_eq(f->adaptive, 1);
	ck_assert_uint_eq(f->switches[0].ngroups, 1);
	ck_assert_uint_eq(f->switches[0].lft_group[5], 1);
	ck_assert_uint_eq(f->switches[0].lft_group[6], 0);
	g = f->switches[0].groups;
	ck_assert_uint_eq(g->nports, 2);
	ck_assert_mem_eq(g->port, ((uint8_t []) { 3, 4 }), 2);
}

/* 1 enabled, 2 paused, 8 in the lower byte: for lost routes only. */
static const struct {
	const char *bits;
	int has_groups;
	enum sfab_adaptive state;
} adaptive_vectors[] = {
	{ "0x9230", 1, SFAB_ADAPTIVE_GROUPS },
	{ "0x1230", 1, SFAB_ADAPTIVE_NO },
	{ "0xd230", 1, SFAB_ADAPTIVE_NO },
	{ "0x92b0", 1, SFAB_ADAPTIVE_NO },
	{ "0x92b0", 0, SFAB_ADAPTIVE_NO },
	{ "0x9230", 0, SFAB_ADAPTIVE_UNKNOWN },
};

LOOP_TEST(switch_info_says_whether_groups_are_used, N(adaptive_vectors))
{
	char info[80];
	struct sfab_fabric *f;
	char *one, *two, *three;

	snprintf(info, sizeof(info), "<SwitchInfo><AdaptiveRouting>%s</AdaptiveRouting>"
		 "</SwitchInfo><SwitchData>", adaptive_vectors[_i].bits);
	one = texts_edit(adaptive, "<SwitchData>", info);
	two = texts_edit(one, "<PortGroupFDB", "<Other");
	three = texts_edit(two, "</PortGroupFDB", "</Other");
	f = import(adaptive_vectors[_i].has_groups ? one : three, &unit_err);
	unit_must(f != NULL);
	ck_assert_uint_eq(f->adaptive, adaptive_vectors[_i].state);
}

/* Hosts' LIDs 4 to 7 as hierarchical ones of 24 bits: pod 0x28, switches, terminals. */
static char *widen(const char *narrow)
{
	static const char *const wide[] = { "0xa04004", "0xa04085", "0xa08006",
					    "0xb80007" };
	static const char *const before[] = { "LID>", "LID=\"", "        " };
	char *made = texts_edit(narrow, "", ""), was[40], is[40];

	for (unsigned lid = 4; lid < 8; lid++)
		for (size_t i = 0; i < sizeof(before) / sizeof(*before); i++)
			for (unsigned zeros = 1; zeros < 9; zeros++) {
				snprintf(was, sizeof(was), "%s0x%0*x", before[i],
					 (int) zeros, lid);
				snprintf(is, sizeof(is), "%s%s", before[i],
					 wide[lid - 4]);
				while (strstr(made, was)) {
					char *next = texts_edit(made, was, is);

					made = next;
				}
			}
	return made;
}

/* The same tables: LIDs are in the same order, so their entries are the same. */
TEST(wide_lids_route_as_narrow_ones)
{
	char *wide = widen(adaptive);
	struct sfab_fabric *a = import(adaptive, &unit_err), *b = import(wide, &unit_err);

	unit_must(a && b);
	ck_assert_uint_eq(b->planes[0].nlids, 7);
	ck_assert_uint_eq(b->planes[0].lid_end, 0xb80008);
	ck_assert_uint_eq(b->planes[0].lid[3], 0xa04004);
	ck_assert_uint_eq(b->ports[3].lid, 0xb80007);
	for (uint32_t i = 0; i < a->nswitches; i++) {
		ck_assert_mem_eq(a->switches[i].lft, b->switches[i].lft, 7);
		ck_assert_uint_eq(a->switches[i].ngroups, b->switches[i].ngroups);
	}
	ck_assert_mem_eq(a->switches[0].lft_group, b->switches[0].lft_group,
			 7 * sizeof(uint16_t));
}

static const char *const linear_reports[] = { linear, linear_xml };

/* Tables of the linear reports go with the LIDs of the snapshot's topology. */
LOOP_TEST(wide_linear_tables, N(linear_reports))
{
	char *wide = widen(linear_reports[_i]), *topology = widen(text);
	struct sfab_builder *b = unit_empty_builder(SFAB_BUILD_STRICT, "");
	const struct sfab_reader *r = sfab_reader_detect(wide, strlen(wide));
	struct sfab_reader_ctx ctx = { .builder = b, .file = "opa" };
	struct sfab_err err = { 0 };

	ck_assert_msg(texts_read(r, &ctx, wide, strlen(wide), &err) == 0, "%s", err.text);
	ck_assert_uint_eq(sfab_builder_lft_port(b, 0, 0xa01, 0xb80007), 4);
	ck_assert_uint_eq(sfab_builder_lft_port(b, 0, 0xb01, 0xa04085), 1);
	ck_assert_uint_eq(sfab_builder_lft_port(b, 0, 0xb01, 0xa04086),
			  SFAB_PORT_NONE);
	ctx.file = "topology";
	r = sfab_reader_detect(topology, strlen(topology));
	ck_assert_msg(texts_read(r, &ctx, topology, strlen(topology), &err) == 0, "%s",
		      err.text);
	sfab_fabric_destroy(sfab_builder_freeze(b, &err));
	ck_assert_str_eq(err.text, "");
}

LOOP_TEST(linear_tables_are_those_of_opensm, N(linear_reports))
{
	struct sfab_fabric *a, *b;

	a = texts_import(text_ibnetdiscover, text_lfts, NULL, &unit_err);
	b = texts_import(text_ibnetdiscover, linear_reports[_i], NULL, &unit_err);
	unit_must(a && b);
	texts_check_same(a, b);
}

/* Lanes that went are not there; a port that is not active carries nothing. */
TEST(width_and_state_of_now)
{
	char *one = texts_edit(text, "<LinkWidthActive>4",
			       "<LinkWidthDowngradeTxActive>3"
			       "</LinkWidthDowngradeTxActive><LinkWidthActive>4");
	char *two = texts_edit(one, "</LMC>\n<LinkWidthActive>",
			       "</LMC><PortState>Init</PortState><LinkWidthActive>");
	struct sfab_fabric *f = import(two, &unit_err);

	unit_must(f != NULL);
	ck_assert_double_eq_tol(f->ports[0].rate, 9.375e9, 1);
	ck_assert_uint_eq(f->links[f->ports[0].inject].up, 1);
	ck_assert_uint_eq(f->links[f->ports[1].inject].up, 0);
}

static const struct text_damage spoilt_vectors[] = {
	{ "<NumPorts>1</NumPorts>", "<NumPorts>many</NumPorts>",
	  "opa:8: bad NumPorts (found \"many\", expected 0-254)" },
	{ "<EndPortLID>0x00000004", "<EndPortLID>0x00f00000",
	  "opa:9: bad EndPortLID (found \"0x00f00000\", expected 0-15728639)" },
	{ "<Value LID=\"0x1\">0", "<Value LID=\"0xf00000\">0",
	  "opa:58: bad LID (found \"0xf00000\", expected 0-15728639)" },
	{ "<Value LID=\"0x1\">0", "<Value>0", "opa:58: a Value has no LID" },
	{ "<Value LID=\"0x2\">4", "<Value LID=\"0x2\">5",
	  "opa:58: LID 0x2: bad port (found 5, expected 0-4)" },
	{ "<Value LID=\"0x2\">4", "<Value LID=\"0x2\">up",
	  "opa:58: bad Value (found \"up\", expected 0-255)" },
	{ "</Nodes>", "</Node>", "opa:100: bad XML (mismatched tag)" },
	{ "<Snapshot ", "<!DOCTYPE x><Snapshot ",
	  "opa:2: bad XML (found a document type, expected none)" },
	{ "<PortNum>1</PortNum></From>", "<PortNum>3</PortNum></From>",
	  "opa:103: link of unknown 0x0000000000000c01 port 3 (expected a node and port that "
	  "the file lists)" },
};

LOOP_TEST(spoilt_lines, N(spoilt_vectors))
{
	char *edited = texts_edit(text, spoilt_vectors[_i].from,
				  spoilt_vectors[_i].to);

	ck_assert_ptr_null(import(edited, &unit_err));
	ck_assert_str_eq(unit_err.text, spoilt_vectors[_i].error);
}

static const struct text_damage linear_vectors[] = {
	{ "0x0001   0", "0x0001   x",
	  "tables:7: bad entry (found \"x\", expected 0xLID PORT)" },
	{ "0x0002   4", "0x0002   5",
	  "tables:8: LID 0x2: bad port (found 5, expected 0-4)" },
	{ "0x0002   4", "0x0001   4",
	  "tables:8: bad LID (found 0x1, expected one above 0x1)" },
	{ "0x0000000000000a01 SW leaf1\n", "",
	  "tables:6: bad line (found \"0\", expected 0xGUID SW NAME)" },
	{ "3 Reported", "4 Reported",
	  "tables:30: 4 switches reported (found 3, expected as many)" },
};

LOOP_TEST(spoilt_linear, N(linear_vectors))
{
	texts_check_damage(text_ibnetdiscover, linear, linear,
			   &linear_vectors[_i]);
}

TEST(cut_anywhere)
{
	struct sfab_err err = { 0 };
	char *part = texts_edit(text, "", "");

	for (size_t n = strlen(text) - 2; n > 200; n -= 7) {
		part[n] = '\0';
		ck_assert_ptr_null(import(part, &err));
		ck_assert_msg(strncmp(err.text, "opa:", 4) == 0, "%s", err.text);
	}
	texts_check_cuts(text_ibnetdiscover, linear, linear);
}

UNIT_MAIN("reader_opa")
