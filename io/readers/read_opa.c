/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read_opa.c - Omni-Path: XML of `opareport -o snapshot -r` and `-o linear -x`
 *
 *     <Snapshot ... routes="1"> <Nodes>
 *      <Node> <NodeDesc>leaf1</NodeDesc> <NodeGUID>0x0...</NodeGUID>
 *       <NodeType>SW</NodeType> <NumPorts>48</NumPorts>
 *       <PortInfo> <PortNum>1</PortNum> <PortState>Active</PortState> ...
 *       <SwitchInfo> <AdaptiveRouting>0x9230</AdaptiveRouting> ...
 *       <SwitchData> <LinearFDB> <Value LID="0x1">5</Value> ...
 *     <Links> <Link> <From> <NodeGUID/> <PortNum/> </From> <To> ...
 *
 * The linear report has <LinearFDB> in <Node> and <EgressPort> in <Value>.  The
 * name of an element and its parent's determine its meaning.  Groups for adaptive
 * routing (PortGroupElements, PortGroupFDB) share a LID evenly, unless AdaptiveRouting
 * says that they are not in use.  LIDs have 16 or 24 bits (CN5000), linear or hierarchical.
 */

#include "io/readers/formats.h"

#include <stdlib.h>
#include <string.h>

#include "core/resize.h"
#include "io/rate.h"
#include "io/readers/assemble.h"
#include "io/readers/lft_row.h"
#include "io/readers/xml.h"

#define MASK_PORTS 64		/* a group is a 64-bit mask: bit 0 is port 1 */
#define GROUPS_MAX 255

/* AdaptiveRouting of a switch.  It is not written if it is 0. */
#define OPA_AR_ENABLE 0x8000u
#define OPA_AR_PAUSE 0x4000u
#define OPA_AR_LOST_ONLY 0x0080u	/* only where a route is lost */

struct lid_group {
	uint32_t lid, group;
};

/*
 * One element of each kind is being read at a time: the current node, its
 * current port, the current link.
 */
struct opa_input {
	const struct sfab_reader_ctx *ctx;
	struct sfab_gather gather;
	char desc[SFAB_XML_TEXT];
	struct sfab_gather_node node;
	struct sfab_gather_port port;
	char width[8], width_tx[8], speed[16];
	struct sfab_gather_link link;
	uint64_t sm;

	int has_table, has_groups;
	unsigned adaptive;		/* bits; 0: not known */
	uint64_t id;			/* LID= or PortGroupNumber= of Value */
	int is_entry;			/* the Value belongs to LinearFDB */
	uint64_t mask[GROUPS_MAX];
	struct lid_group *group;	/* of the table, in the order of the file */
	uint32_t ngroups;
	struct sfab_lft_row row;
};

static int is_list(const char *name)
{
	return strcmp(name, "LinearFDB") == 0 ||
	       strcmp(name, "PortGroupFDB") == 0 ||
	       strcmp(name, "PortGroupElements") == 0;
}

/* What an element collects is cleared where it begins. */
static int start_opa_element(void *to, struct sfab_xml *x)
{
	struct opa_input *in = to;

	if (strcmp(x->name, "Node") == 0) {
		in->node = (struct sfab_gather_node) { .desc = in->desc };
		in->node.line = x->at.line;
		in->desc[0] = '\0';
		in->has_table = in->has_groups = 0;
		in->adaptive = 0;
	} else if (strcmp(x->name, "PortInfo") == 0) {
		in->port = (struct sfab_gather_port) { .guid = in->node.guid };
		in->port.line = x->at.line;
		in->width[0] = in->width_tx[0] = in->speed[0] = '\0';
	} else if (strcmp(x->name, "LinearFDB") == 0) {
		sfab_lft_row_start(&in->row, in->ctx, &x->at, in->node.guid);
		if (in->node.nports)
			in->row.nports = in->node.nports;
		in->ngroups = 0;
		memset(in->mask, 0, sizeof(in->mask));
		in->has_table = 1;
	} else if (strcmp(x->name, "PortGroupFDB") == 0) {
		in->has_groups = 1;
	} else if (strcmp(x->name, "Link") == 0) {
		in->link = (struct sfab_gather_link) { .line = x->at.line };
	} else if (strcmp(x->name, "Value") == 0 && is_list(x->parent)) {
		int is_group = strcmp(x->parent, "PortGroupElements") == 0;
		const char *wanted = is_group ? "PortGroupNumber" : "LID";

		in->is_entry = strcmp(x->parent, "LinearFDB") == 0;
		for (const char *const *a = x->attr; a[0]; a += 2)
			if (strcmp(a[0], wanted) == 0)
				return sfab_xml_number(x, wanted, a[1],
						       is_group ? GROUPS_MAX - 1
								: SFAB_LID_MAX,
						       &in->id);
		return sfab_scan_fail(&x->at, x->err, "a Value has no %s",
				      wanted);
	}
	return 0;
}

/* Parse the number of an element into an unsigned. */
static int take_unsigned(struct sfab_xml *x, unsigned max, unsigned *value)
{
	uint64_t n;

	if (sfab_xml_number(x, x->name, x->text, max, &n))
		return -1;
	*value = (unsigned) n;
	return 0;
}

/* EndPortLID wins over LID where a port has both. */
static int end_port_lid(struct opa_input *in, struct sfab_xml *x)
{
	return in->port.lid ? 0 : take_unsigned(x, SFAB_LID_MAX, &in->port.lid);
}

static int end_port_state(struct opa_input *in, struct sfab_xml *x)
{
	in->port.active = strcmp(x->text, "Active") == 0;
	return 0;
}

static int end_node_type(struct opa_input *in, struct sfab_xml *x)
{
	in->node.kind = strcmp(x->text, "SW") == 0 ? SFAB_GATHER_SWITCH : SFAB_GATHER_HOST;
	return 0;
}

/* The active rate: lanes may have failed since the link came up. */
static int end_port(struct opa_input *in, struct sfab_xml *x)
{
	in->port.rate = sfab_rate_omnipath(in->width_tx, in->speed);
	if (!(in->port.rate > 0))
		in->port.rate = sfab_rate_omnipath(in->width, in->speed);
	return sfab_gather_port(&in->gather, &in->port, x->err);
}

/* The ports of a mask, each with an equal share. */
static int give_mask_group(struct opa_input *in, uint32_t lid, uint64_t mask,
			   struct sfab_err *err)
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
	sfab_builder_adaptive(ctx->b, SFAB_ADAPTIVE_GROUPS);
	return sfab_builder_group(ctx->b, ctx->plane, in->row.guid, lid, port,
				  even, n, err);
}

/* Only where the table has a port, and not the switch's own. */
static int give_groups_of(struct opa_input *in, struct sfab_err *err)
{
	const struct sfab_reader_ctx *ctx = in->ctx;

	for (uint32_t i = 0; i < in->ngroups; i++) {
		const struct lid_group *g = &in->group[i];
		uint8_t port = sfab_builder_port_of(ctx->b, ctx->plane,
						    in->row.guid, g->lid);

		if (port && port != SFAB_PORT_NONE &&
		    give_mask_group(in, g->lid, in->mask[g->group], err))
			return -1;
	}
	return 0;
}

/*
 * Groups of a switch that adapts may be missing: the linear report has none.  They are
 * given at </Node>, because the masks of groups may come after the table that uses
 * them.
 */
static int end_node(struct opa_input *in, struct sfab_xml *x)
{
	int adapts = (in->adaptive & (OPA_AR_ENABLE | OPA_AR_PAUSE | OPA_AR_LOST_ONLY)) ==
		     OPA_AR_ENABLE;

	if (adapts && !in->has_groups)
		sfab_builder_adaptive(in->ctx->b, SFAB_ADAPTIVE_UNKNOWN);
	if (in->adaptive && !adapts)
		in->ngroups = 0;
	if (in->has_table &&
	    (sfab_lft_row_end(&in->row, in->ctx, in->row.n, x->err) ||
	     give_groups_of(in, x->err)))
		return -1;
	if (!in->node.nports)
		return 0;	/* the linear report contains tables only */
	return sfab_gather_node(&in->gather, &in->node, x->err);
}

/* Masks have a bit per port; tables have a group per LID. */
static int end_group_value(struct opa_input *in, struct sfab_xml *x)
{
	uint64_t group;

	if (strcmp(x->parent, "PortGroupElements") == 0)
		return sfab_xml_number(x, "port mask", x->text, UINT64_MAX,
				       &in->mask[in->id]);
	if (sfab_xml_number(x, "port group", x->text, GROUPS_MAX, &group))
		return -1;
	if (group == GROUPS_MAX)	/* 255: none */
		return 0;
	if (sfab_one_more(&in->group, in->ngroups, sizeof(*in->group)) < 0)
		return sfab_no_memory(x->err);
	in->group[in->ngroups++] = (struct lid_group){ (uint32_t) in->id, (uint32_t) group };
	return 0;
}

/* PortGUID comes before State, so it is kept until the master is known. */
static int end_sm_state(struct opa_input *in, struct sfab_xml *x)
{
	if (strcmp(x->text, "Master") == 0)
		sfab_builder_sm(in->ctx->b, in->ctx->plane, in->sm);
	return 0;
}

/* What the end of an element does: a function, or its text goes to a member. */
static const struct rule {
	const char *parent, *name;
	int (*end)(struct opa_input *in, struct sfab_xml *x);
	enum { GUID, UNSIGNED, TEXT } is;
	size_t at;
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
	{ "Node", "NodeDesc", NULL, TEXT_AT(desc) },
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

static int apply_rule(struct opa_input *in, const struct rule *r, struct sfab_xml *x)
{
	void *to = (char *) in + r->at;

	if (r->end)
		return r->end(in, x);
	if (r->is == GUID)
		return sfab_xml_number(x, x->name, x->text, UINT64_MAX, to);
	if (r->is == UNSIGNED)
		return take_unsigned(x, r->max, to);
	sfab_scan_copy(to, r->max, x->text, x->text + x->ntext);
	return 0;
}

static int end_opa_element(void *to, struct sfab_xml *x)
{
	struct opa_input *in = to;

	if (in->is_entry && (strcmp(x->name, "EgressPort") == 0 ||
			     strcmp(x->name, "Value") == 0)) {
		unsigned port;

		/* An entry of LinearFDB: the port, as text or in EgressPort. */
		in->is_entry = 0;
		if (take_unsigned(x, SFAB_PORT_NONE, &port))
			return -1;
		return sfab_lft_row_put(&in->row, &x->at, (uint32_t) in->id,
					port, x->err);
	}
	if (strcmp(x->name, "Link") == 0)
		return sfab_gather_link(&in->gather, &in->link, x->err);
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (strcmp(rules[i].name, x->name) == 0 &&
		    strcmp(rules[i].parent, x->parent) == 0)
			return apply_rule(in, &rules[i], x);
	return 0;
}

int sfab_opa_read(const struct sfab_reader_ctx *ctx, struct sfab_scan *s,
		  struct sfab_err *err)
{
	struct opa_input *in = calloc(1, sizeof(*in));
	int failed;

	if (!in)
		return sfab_no_memory(err);
	in->ctx = ctx;
	sfab_builder_wide_lids(ctx->b, ctx->plane);
	failed = sfab_xml_read(s, start_opa_element, end_opa_element, in, err) ||
		 sfab_gather_give(&in->gather, ctx, err);
	sfab_gather_free(&in->gather);
	free(in->group);
	free(in);
	return failed ? -1 : 0;
}

/* Does a line of the head have the tag? */
static int has_tag(struct sfab_scan *s, const char *tag)
{
	while (sfab_scan_line(s))
		if (sfab_scan_past(s, tag))
			return 1;
	return 0;
}

int sfab_opa_snapshot_detect(struct sfab_scan *s)
{
	return has_tag(s, "<Snapshot ");
}

int sfab_opa_linear_xml_detect(struct sfab_scan *s)
{
	return has_tag(s, "<LinearFDBs>");
}
