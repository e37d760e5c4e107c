/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read_opa.c - Omni-Path: XML of `opareport -o snapshot -r` and `-o linear -x`; see formats.h
 *
 *     <Snapshot ... routes="1"> <Nodes>
 *      <Node> <NodeDesc>leaf1</NodeDesc> <NodeGUID>0x0...</NodeGUID>
 *       <NodeType>SW</NodeType> <NumPorts>48</NumPorts>
 *       <PortInfo> <PortNum>1</PortNum> <PortState>Active</PortState> ...
 *       <SwitchInfo> <AdaptiveRouting>0x9230</AdaptiveRouting> ...
 *       <SwitchData> <LinearFDB> <Value LID="0x1">5</Value> ...
 *     <Links> <Link> <From> <NodeGUID/> <PortNum/> </From> <To> ...
 *
 * The linear report has <LinearFDB> in <Node> and <EgressPort> in <Value>.  The name of an
 * element and its parent's determine its meaning.  Groups for adaptive routing
 * (PortGroupElements, PortGroupFDB) share a LID evenly, unless AdaptiveRouting says that they
 * are not in use.  LIDs have 16 or 24 bits (CN5000), linear or hierarchical.
 *
 * expat finds the elements.  Document types are refused: no report has one, and entities
 * defined in one can expand to gigabytes.
 */

#include "io/readers/formats.h"

#include <expat.h>
#include <stdlib.h>
#include <string.h>

#include "core/resize.h"
#include "io/rate.h"
#include "io/readers/csv.h"
#include "io/readers/gather.h"
#include "io/readers/lft_row.h"

#define DEPTH_MAX 24		/* elements open at a time */
#define NAME_SIZE 40		/* bytes; longer names are not needed and become "?" */
#define TEXT_SIZE 256		/* bytes; longer texts are cut */
#define PARSE_MAX (1u << 30)	/* bytes per call: XML_Parse() counts in int */

#define MASK_PORTS 64		/* a group is a 64-bit mask: bit 0 is port 1 */
#define GROUPS_MAX 255

/* Bits of AdaptiveRouting of a switch, which is not written if it is 0. */
#define OPA_AR_ENABLE 0x8000u
#define OPA_AR_PAUSE 0x4000u
#define OPA_AR_LOST_ONLY 0x0080u	/* only where a route is lost */

struct lid_group {
	uint32_t lid, group;
};

struct opa_input {
	const struct sfab_reader_ctx *ctx;
	XML_Parser parser;
	struct sfab_scan place;			/* file and line of the element */
	struct sfab_err *err;
	int has_failed;
	char name[DEPTH_MAX][NAME_SIZE];	/* of the elements that are open */
	unsigned depth;
	char text[TEXT_SIZE];			/* directly in the innermost */
	size_t ntext;

	/* One of each kind is being read at a time. */
	struct sfab_gather gather;
	struct sfab_gather_node node;
	struct sfab_gather_port port;
	char width[8], width_tx[8], speed[16];
	struct sfab_gather_link link;
	uint64_t sm;

	int has_groups;
	unsigned adaptive;			/* bits; 0: not known */
	uint64_t id;				/* LID= or PortGroupNumber= of Value */
	int is_entry;				/* the Value belongs to LinearFDB */
	uint64_t mask[GROUPS_MAX];
	struct lid_group *group;		/* of the table, in the order of the file */
	uint32_t ngroups;
	struct sfab_lft_row row;
};

static const char *element_name(const struct opa_input *in)
{
	return in->name[in->depth - 1];
}

static int is_element(const struct opa_input *in, const char *name)
{
	return strcmp(element_name(in), name) == 0;
}

static int is_in(const struct opa_input *in, const char *parent)
{
	return strcmp(in->depth > 1 ? in->name[in->depth - 2] : "", parent) == 0;
}

/* Take @text as a number up to @max.  -1 with in->err: "bad WHAT". */
static int take_xml_number(struct opa_input *in, const char *what, const char *text,
			   uint64_t max, uint64_t *value)
{
	const struct sfab_csv_field f = { text, text + strlen(text) };

	return sfab_csv_field_expect_number(&f, &in->place, what, max, value, in->err);
}

/* Take LID= or PortGroupNumber= of a Value in one of the lists. */
static int start_value(struct opa_input *in, const char *const *attr)
{
	int is_group = is_in(in, "PortGroupElements"), is_entry = is_in(in, "LinearFDB");
	const char *wanted = is_group ? "PortGroupNumber" : "LID";

	if (!is_group && !is_entry && !is_in(in, "PortGroupFDB"))
		return 0;
	in->is_entry = is_entry;
	for (; attr[0]; attr += 2)
		if (strcmp(attr[0], wanted) == 0)
			return take_xml_number(in, wanted, attr[1],
					       is_group ? GROUPS_MAX - 1 : SFAB_LID_MAX,
					       &in->id);
	return sfab_scan_fail(&in->place, in->err, "a Value has no %s", wanted);
}

/* Clear what an element collects, where it begins. */
static int start_opa_element(struct opa_input *in, const char *const *attr)
{
	if (is_element(in, "Node")) {
		in->node = (struct sfab_gather_node) { .line = in->place.line };
		in->row.is_open = in->has_groups = 0;
		in->adaptive = 0;
	} else if (is_element(in, "PortInfo")) {
		in->port = (struct sfab_gather_port) { .guid = in->node.guid };
		in->port.line = in->place.line;
		in->width[0] = in->width_tx[0] = in->speed[0] = '\0';
	} else if (is_element(in, "LinearFDB")) {
		sfab_lft_row_start(&in->row, in->node.guid);
		if (in->node.nports)
			in->row.nports = in->node.nports;
		in->ngroups = 0;
		memset(in->mask, 0, sizeof(in->mask));
	} else if (is_element(in, "PortGroupFDB")) {
		in->has_groups = 1;
	} else if (is_element(in, "Link")) {
		in->link = (struct sfab_gather_link) { .line = in->place.line };
	} else if (is_element(in, "Value")) {
		return start_value(in, attr);
	}
	return 0;
}

static int take_unsigned(struct opa_input *in, unsigned max, unsigned *value)
{
	uint64_t n;

	if (take_xml_number(in, element_name(in), in->text, max, &n))
		return -1;
	*value = (unsigned) n;
	return 0;
}

/* Take a LID if the port has none yet: EndPortLID wins over LID where it has both. */
static int end_port_lid(struct opa_input *in)
{
	return in->port.lid ? 0 : take_unsigned(in, SFAB_LID_MAX, &in->port.lid);
}

static int end_port_state(struct opa_input *in)
{
	in->port.is_active = strcmp(in->text, "Active") == 0;
	return 0;
}

static int end_node_type(struct opa_input *in)
{
	in->node.kind = strcmp(in->text, "SW") == 0 ? SFAB_GATHER_SWITCH : SFAB_GATHER_HOST;
	return 0;
}

/* Add a port with its active rate: lanes may have failed since the link came up. */
static int end_port(struct opa_input *in)
{
	in->port.rate = sfab_rate_omnipath(in->width_tx, in->speed);
	if (!(in->port.rate > 0))
		in->port.rate = sfab_rate_omnipath(in->width, in->speed);
	return sfab_resize_append(&in->gather.port, &in->gather.nports, &in->port, sizeof(in->port),
				  in->err);
}

/* Give the ports of a mask, each with an equal share. */
static int give_mask_group(struct opa_input *in, uint32_t lid, uint64_t mask)
{
	const struct sfab_reader_ctx *ctx = in->ctx;
	double even[MASK_PORTS];
	uint8_t port[MASK_PORTS];
	unsigned n = 0;

	for (unsigned p = 1; p <= MASK_PORTS; p++)
		if (mask >> (p - 1) & 1) {
			even[n] = 1;
			port[n++] = (uint8_t) p;
		}
	if (!n)
		return 0;
	sfab_builder_set_adaptive(ctx->builder, SFAB_ADAPTIVE_GROUPS);
	return sfab_builder_add_group(ctx->builder, ctx->plane, in->row.guid, lid, port,
				      even, n, in->err);
}

/* Give the groups of the node, only where the table has a port, and not the switch's own. */
static int give_groups_of(struct opa_input *in)
{
	const struct sfab_reader_ctx *ctx = in->ctx;

	for (uint32_t i = 0; i < in->ngroups; i++) {
		const struct lid_group *g = &in->group[i];
		uint8_t port = sfab_builder_lft_port(ctx->builder, ctx->plane,
						     in->row.guid, g->lid);

		if (port && port != SFAB_PORT_NONE &&
		    give_mask_group(in, g->lid, in->mask[g->group]))
			return -1;
	}
	return 0;
}

/*
 * Give the table of a node and its groups, because their masks may come after the table that
 * uses them.  Groups of a switch that adapts may be missing: the linear report has none.
 */
static int end_node(struct opa_input *in)
{
	int adapts = (in->adaptive & (OPA_AR_ENABLE | OPA_AR_PAUSE | OPA_AR_LOST_ONLY)) ==
		     OPA_AR_ENABLE;

	if (adapts && !in->has_groups)
		sfab_builder_set_adaptive(in->ctx->builder, SFAB_ADAPTIVE_UNKNOWN);
	if (in->adaptive && !adapts)
		in->ngroups = 0;
	if (in->row.is_open &&
	    (sfab_lft_row_end(&in->row, 0, in->err) ||
	     give_groups_of(in)))
		return -1;
	if (!in->node.nports)
		return 0;	/* the linear report contains tables only */
	return sfab_resize_append(&in->gather.node, &in->gather.nnodes, &in->node, sizeof(in->node),
				  in->err);
}

/* Take a mask, which has a bit per port, or the group of a LID in a table. */
static int end_group_value(struct opa_input *in)
{
	struct lid_group entry = { .lid = (uint32_t) in->id };
	uint64_t group;

	if (is_in(in, "PortGroupElements"))
		return take_xml_number(in, "port mask", in->text, UINT64_MAX,
				       &in->mask[in->id]);
	if (take_xml_number(in, "port group", in->text, GROUPS_MAX, &group))
		return -1;
	if (group == GROUPS_MAX)	/* 255: none */
		return 0;
	entry.group = (uint32_t) group;
	return sfab_resize_append(&in->group, &in->ngroups, &entry, sizeof(entry), in->err);
}

/* Set the subnet manager if it is the master.  PortGUID comes before State, so it was kept. */
static int end_sm_state(struct opa_input *in)
{
	if (strcmp(in->text, "Master") == 0)
		sfab_builder_set_sm(in->ctx->builder, in->ctx->plane, in->sm);
	return 0;
}

/* What the end of an element does: a function, or its text goes to a member. */
static const struct rule {
	const char *parent, *name;
	int (*end)(struct opa_input *in);
	enum { GUID, UNSIGNED, TEXT } kind;
	size_t offset;
	unsigned max;			/* of numbers; of texts: bytes */
} rules[] = {
#define AT(member) offsetof(struct opa_input, member)
#define TEXT_AT(member) TEXT, AT(member), sizeof(((struct opa_input *) NULL)->member)
	{ "Nodes", "Node", .end = end_node },
	{ "LinearFDBs", "Node", .end = end_node },
	{ "Node", "PortInfo", .end = end_port },
	{ "SwitchInfo", "AdaptiveRouting", NULL, UNSIGNED, AT(adaptive), UINT16_MAX },
	{ "PortGroupElements", "Value", .end = end_group_value },
	{ "PortGroupFDB", "Value", .end = end_group_value },
	{ "Node", "NodeGUID", NULL, GUID, AT(node.guid), 0 },
	{ "Node", "NumPorts", NULL, UNSIGNED, AT(node.nports), SFAB_SWITCH_PORTS_MAX },
	{ "Node", "NodeDesc", NULL, TEXT_AT(node.desc) },
	{ "Node", "NodeType", .end = end_node_type },
	{ "PortInfo", "PortNum", NULL, UNSIGNED, AT(port.num), SFAB_SWITCH_PORTS_MAX },
	{ "PortInfo", "GUID", NULL, GUID, AT(port.port_guid), 0 },
	{ "PortInfo", "EndPortLID", NULL, UNSIGNED, AT(port.lid), SFAB_LID_MAX },
	{ "PortInfo", "LID", .end = end_port_lid },
	{ "PortInfo", "LMC", NULL, UNSIGNED, AT(port.lmc), 7 },
	{ "PortInfo", "PortState", .end = end_port_state },
	{ "PortInfo", "LinkWidthActive", NULL, TEXT_AT(width) },
	{ "PortInfo", "LinkWidthDowngradeTxActive", NULL, TEXT_AT(width_tx) },
	{ "PortInfo", "LinkSpeedActive", NULL, TEXT_AT(speed) },
	{ "From", "NodeGUID", NULL, GUID, AT(link.guid[0]), 0 },
	{ "From", "PortNum", NULL, UNSIGNED, AT(link.num[0]), SFAB_SWITCH_PORTS_MAX },
	{ "To", "NodeGUID", NULL, GUID, AT(link.guid[1]), 0 },
	{ "To", "PortNum", NULL, UNSIGNED, AT(link.num[1]), SFAB_SWITCH_PORTS_MAX },
	{ "SM", "PortGUID", NULL, GUID, AT(sm), 0 },
	{ "SM", "State", .end = end_sm_state },
#undef AT
#undef TEXT_AT
};

static int apply_rule(struct opa_input *in, const struct rule *r)
{
	void *to = (char *) in + r->offset;

	if (r->end)
		return r->end(in);
	if (r->kind == GUID)
		return take_xml_number(in, element_name(in), in->text, UINT64_MAX, to);
	if (r->kind == UNSIGNED)
		return take_unsigned(in, r->max, to);
	sfab_scan_copy(to, r->max, in->text, in->text + in->ntext);
	return 0;
}

static int end_opa_element(struct opa_input *in)
{
	if (in->is_entry && (is_element(in, "EgressPort") || is_element(in, "Value"))) {
		unsigned port;

		/* An entry of LinearFDB: the port, as text or in EgressPort. */
		in->is_entry = 0;
		if (take_unsigned(in, SFAB_PORT_NONE, &port))
			return -1;
		return sfab_lft_row_put(&in->row, (uint32_t) in->id, port, in->err);
	}
	if (is_element(in, "Link"))
		return sfab_resize_append(&in->gather.link, &in->gather.nlinks, &in->link,
					  sizeof(in->link), in->err);
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (is_element(in, rules[i].name) && is_in(in, rules[i].parent))
			return apply_rule(in, &rules[i]);
	return 0;
}

/* -- what expat calls ------------------------------------------------------- */

/* Stop the parser after the first error, which stays: expat may still call handlers afterwards. */
static void stop_after(struct opa_input *in, int failed)
{
	if (!failed || in->has_failed)
		return;
	in->has_failed = -1;
	XML_StopParser(in->parser, XML_FALSE);
}

static void note_line(struct opa_input *in)
{
	in->place.line = (unsigned) XML_GetCurrentLineNumber(in->parser);
}

static void XMLCALL on_start(void *to, const XML_Char *name, const XML_Char **attr)
{
	struct opa_input *in = to;

	if (in->has_failed)
		return;
	in->ntext = 0;
	if (in->depth == DEPTH_MAX) {
		stop_after(in, sfab_scan_fail(&in->place, in->err, "elements nested more than "
					      "%u deep", DEPTH_MAX));
		return;
	}
	strcpy(in->name[in->depth++], strlen(name) < NAME_SIZE ? name : "?");
	note_line(in);
	stop_after(in, start_opa_element(in, (const char *const *) attr));
}

/* Append a piece: expat gives long texts in pieces.  Beyond the limit they are cut. */
static void XMLCALL on_text(void *to, const XML_Char *text, int n)
{
	struct opa_input *in = to;
	size_t room = TEXT_SIZE - 1 - in->ntext;

	if ((size_t) n < room)
		room = (size_t) n;
	memcpy(in->text + in->ntext, text, room);
	in->ntext += room;
}

static void XMLCALL on_end(void *to, const XML_Char *name)
{
	struct opa_input *in = to;

	if (in->has_failed)
		return;
	note_line(in);
	in->text[in->ntext] = '\0';
	stop_after(in, end_opa_element(in));
	in->depth--;
	in->ntext = 0;
}

static void XMLCALL on_doctype(void *to, const XML_Char *name,
			       const XML_Char *system, const XML_Char *public_id,
			       int internal)
{
	struct opa_input *in = to;

	note_line(in);
	stop_after(in, sfab_scan_fail(&in->place, in->err, "bad XML (found a document "
				      "type, expected none)"));
}

/* Parse the text in pieces, since XML_Parse() takes an int and a text may have more than 2 GiB. */
static int parse_chunks(struct opa_input *in, const char *text, size_t size)
{
	enum XML_Status status;
	size_t n;

	do {
		n = size < PARSE_MAX ? size : PARSE_MAX;
		status = XML_Parse(in->parser, text, (int) n, n == size);
		text += n;
		size -= n;
	} while (size && status == XML_STATUS_OK);
	if (in->has_failed || status == XML_STATUS_OK)
		return in->has_failed;
	note_line(in);
	return sfab_scan_fail(&in->place, in->err, "bad XML (%s)",
			      XML_ErrorString(XML_GetErrorCode(in->parser)));
}

int sfab_opa_read(const struct sfab_reader_ctx *ctx, struct sfab_scan *s,
		  struct sfab_err *err)
{
	struct opa_input *in = calloc(1, sizeof(*in));
	int rc;

	if (!in || !(in->parser = XML_ParserCreate(NULL))) {
		free(in);
		return sfab_no_memory(err);
	}
	in->ctx = ctx;
	in->err = err;
	in->place.file = s->file;
	sfab_lft_row_init(&in->row, ctx, &in->place);
	XML_SetUserData(in->parser, in);
	XML_SetElementHandler(in->parser, on_start, on_end);
	XML_SetCharacterDataHandler(in->parser, on_text);
	XML_SetStartDoctypeDeclHandler(in->parser, on_doctype);
	sfab_builder_allow_wide_lids(ctx->builder, ctx->plane);
	rc = parse_chunks(in, s->next, (size_t) (s->eof - s->next)) ||
	     sfab_gather_give(&in->gather, ctx, err) ? -1 : 0;
	XML_ParserFree(in->parser);
	sfab_gather_free(&in->gather);
	free(in->group);
	free(in);
	return rc;
}
