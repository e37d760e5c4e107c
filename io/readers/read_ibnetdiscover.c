/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read_ibnetdiscover.c - topology as ibnetdiscover(8) prints it; see formats.h
 *
 *     Switch  36 "S-f4521403001165a0"  # "ib5" enhanced port 0 lid 128 lmc 0
 *     [1]     "H-24be05ffff980030"[1](24be05ffff980031)  # "n1 mlx4_0" lid 105 4xQDR
 *     Ca      2 "H-24be05ffff980030"   # "n1 mlx4_0"
 *     [1](24be05ffff980031)  "S-f4521403001165a0"[1]  # lid 105 lmc 0 "ib5" lid 128 4xQDR
 *
 * A port line belongs to the node line above it and describes the link that leaves the port.
 * Descriptions may contain quotes and '#': they end at the last quote of their line.
 */

#include "io/readers/formats.h"

#include <stdio.h>

#include "io/rate.h"
#include "io/readers/gather.h"
#include "io/scan.h"

#define DESC_SIZE 256	/* IBA: 64 bytes; with a node-name map any length */
#define LID_UNSET 0xFFFF	/* a port that no SM has configured yet */

enum kind {
	KIND_NONE = 0,
	KIND_SWITCH = 'S',
	KIND_CA = 'H',
	KIND_ROUTER = 'R',
};

struct listed_node {
	enum kind kind;
	uint64_t guid;
	uint32_t nports;
	char desc[DESC_SIZE];
};

struct ibnetdiscover_input {
	const struct sfab_reader_ctx *ctx;
	struct sfab_scan *s;
	struct listed_node node; /* that the next port lines belong to */
	uint64_t vendor, device; /* of the next node line; 0: not given */
};

/* One port line. */
struct listed_cable {
	struct sfab_end_port from;	/* of a switch: its number */
	enum kind to_kind;
	uint64_t to_guid;
	uint32_t to_num;
	double rate;
};

/* Lines whose content is also found elsewhere. */
static const char *const ignored[] = {
	"#", "sysimgguid=", "switchguid=", "caguid=",
	"rtguid=", "Chassis ", "Hostname: ", "Non-Chassis Nodes",
};

/* Take "S-f4521403001165a0", with the quotes.  The letter tells the kind of the node. */
static int take_id(struct sfab_scan *s, enum kind *kind, uint64_t *guid)
{
	struct sfab_scan start = *s;

	*kind = sfab_scan_take(s, "\"S-") ? KIND_SWITCH :
		sfab_scan_take(s, "\"H-") ? KIND_CA :
		sfab_scan_take(s, "\"R-") ? KIND_ROUTER : KIND_NONE;
	if (*kind != KIND_NONE && sfab_scan_hex(s, UINT64_MAX, guid) &&
	    sfab_scan_take(s, "\""))
		return 1;
	*s = start;
	return 0;
}

/* Parse "[1]" or, with -g, "[1][ext 5]". */
static int parse_port_number(struct sfab_scan *s, uint32_t max, uint32_t *num,
			     struct sfab_err *err)
{
	struct sfab_scan start = *s;
	char expected[32];

	if (sfab_scan_take(s, "[") && sfab_scan_dec(s, max, num) && *num &&
	    sfab_scan_take(s, "]") && (!sfab_scan_take(s, "[ext ") || sfab_scan_past(s, "]")))
		return 0;
	snprintf(expected, sizeof(expected), "[1]-[%u]", (unsigned) max);
	return sfab_scan_expect(&start, err, "port number", expected);
}

/* Take a LID, or 0 if there is none: then the scan does not move.  LID_UNSET becomes 0. */
static int take_lid(struct sfab_scan *s, uint32_t *lid)
{
	struct sfab_scan start = *s;

	if (!sfab_scan_dec(s, LID_UNSET, lid))
		return 0;
	if (*lid == LID_UNSET)
		*lid = 0;
	if (*lid <= SFAB_IB_LID_MAX)
		return 1;
	*s = start;
	return 0;
}

/* Parse what all node lines have: ports, id and description. */
static int parse_node_line(struct ibnetdiscover_input *in, enum kind kind,
			   struct sfab_err *err)
{
	struct listed_node *n = &in->node;
	struct sfab_scan *s = in->s, start;
	const char *from;

	n->kind = KIND_NONE;
	sfab_scan_blanks(s);
	start = *s;
	if (!sfab_scan_dec(s, SFAB_SWITCH_PORTS_MAX, &n->nports) || !n->nports)
		return sfab_scan_expect(&start, err, "port count", "1-254");
	sfab_scan_blanks(s);
	if (!take_id(s, &n->kind, &n->guid) || n->kind != kind)
		return sfab_scan_expect(s, err, "node id", "\"S-GUID\" of a "
					"Switch, \"H-\" of a Ca, \"R-\" of an Rt");
	/* From the first to the last quote of the line. */
	if (!sfab_scan_past(s, "\""))
		return sfab_scan_expect(s, err, "description", "# \"TEXT\"");
	from = s->pos;
	if (!sfab_scan_past_last(s, "\""))
		return sfab_scan_expect(s, err, "description", "# \"TEXT\"");
	sfab_scan_copy(n->desc, sizeof(n->desc), from, s->pos - 1);
	return 0;
}

/* Parse a switch.  The LMC is optional here, and without it the builder infers it. */
static int parse_switch(struct ibnetdiscover_input *in, struct sfab_err *err)
{
	const struct sfab_reader_ctx *ctx = in->ctx;
	const struct listed_node *n = &in->node;
	uint32_t lid, lmc;

	if (parse_node_line(in, KIND_SWITCH, err))
		return -1;
	if (!sfab_scan_past(in->s, " lid ") || !take_lid(in->s, &lid))
		return sfab_scan_expect(in->s, err, "switch LID", "lid 0-49151");
	sfab_builder_set_origin(ctx->builder, ctx->file, in->s->line);
	if (sfab_builder_add_switch(ctx->builder, ctx->plane, n->guid,
				    sfab_namemap_name(ctx->map, n->guid, n->desc),
				    n->nports, lid, err))
		return -1;
	if (sfab_scan_take(in->s, " lmc ") && sfab_scan_dec(in->s, 7, &lmc))
		sfab_builder_set_switch_lmc(ctx->builder, ctx->plane, n->guid, lmc);
	sfab_builder_set_device(ctx->builder, ctx->plane, n->guid, (uint32_t) in->vendor,
				(uint32_t) in->device);
	return 0;
}

/* Parse a host's own LID, which its line has after "#", before that of the other end. */
static int parse_own_lid(struct sfab_scan *s, struct sfab_end_port *p,
			 struct sfab_err *err)
{
	if (!sfab_scan_past(s, "# lid ") || !take_lid(s, &p->lid))
		return sfab_scan_expect(s, err, "LID", "# lid 0-49151");
	if (!sfab_scan_take(s, " lmc ") || !sfab_scan_dec(s, 7, &p->lmc))
		return sfab_scan_expect(s, err, "LMC", "lmc 0-7");
	return 0;
}

/* Is the cable not part of the fabric, since it connects hosts with each other? */
static int is_outside(const struct ibnetdiscover_input *in,
		      const struct listed_cable *c)
{
	return in->node.kind != KIND_SWITCH && c->to_kind != KIND_SWITCH;
}

/*
 * Parse both ends.  A switch's line has no port GUID and no LID of its own, which are in the
 * node line.
 */
static int parse_ends(struct ibnetdiscover_input *in, struct listed_cable *c,
		      struct sfab_err *err)
{
	struct sfab_scan *s = in->s;
	struct sfab_scan start;
	uint32_t lid;
	char text[16];

	if (parse_port_number(s, in->node.nports, &c->from.num, err))
		return -1;
	start = *s;
	if (in->node.kind != KIND_SWITCH &&
	    (!sfab_scan_take(s, "(") || !sfab_scan_hex(s, UINT64_MAX, &c->from.guid) ||
	     !sfab_scan_take(s, ")")))
		return sfab_scan_expect(&start, err, "port GUID", "(GUID)");
	sfab_scan_blanks(s);
	if (!take_id(s, &c->to_kind, &c->to_guid))
		return sfab_scan_expect(s, err, "node id",
					"\"S-GUID\", \"H-GUID\" or \"R-GUID\"");
	if (parse_port_number(s, SFAB_SWITCH_PORTS_MAX, &c->to_num, err))
		return -1;
	if (is_outside(in, c))
		return 0;
	if (in->node.kind != KIND_SWITCH && parse_own_lid(s, &c->from, err))
		return -1;
	/* ... lid 128 4xQDR, after the description of the other end. */
	if (!sfab_scan_past_last(s, "\"") || !sfab_scan_take(s, " lid ") ||
	    !take_lid(s, &lid))
		return sfab_scan_expect(s, err, "LID of the other end",
					"# \"TEXT\" lid 0-49151");
	sfab_scan_blanks(s);
	start = *s;
	if (!sfab_scan_word(s, text, sizeof(text)) ||
	    !(c->rate = sfab_rate_text(text)))
		return sfab_scan_expect(&start, err, "link rate",
					"width and speed, e.g. 4xHDR");
	return 0;
}

/*
 * Parse a cable, which is there twice, at both nodes: each line gives one direction, and each
 * line of a host an end port.
 */
static int parse_port_line(struct ibnetdiscover_input *in, struct sfab_err *err)
{
	const struct sfab_reader_ctx *ctx = in->ctx;
	const struct listed_node *n = &in->node;
	struct listed_cable c = {
		.from = { .node = n->guid, .desc = n->desc, .is_router = n->kind == KIND_ROUTER },
	};

	if (n->kind == KIND_NONE)
		return sfab_scan_expect(in->s, err, "line",
					"Switch, Ca or Rt before its ports");
	if (parse_ends(in, &c, err))
		return -1;
	if (is_outside(in, &c))
		return 0;
	sfab_builder_set_origin(ctx->builder, ctx->file, in->s->line);
	if (n->kind != KIND_SWITCH && sfab_gather_give_port(ctx, &c.from, err))
		return -1;
	return sfab_builder_add_link(ctx->builder, ctx->plane, n->guid, c.from.num, c.to_guid,
				     c.to_num, c.rate, 1, err);
}

/*
 * Take "vendid=0x2c9" or "devid=0xd2f0", before the node line.  Without a number the switch
 * counts as one that cannot adapt.
 */
static int take_device_line(struct ibnetdiscover_input *in)
{
	uint64_t *number = sfab_scan_take(in->s, "vendid=") ? &in->vendor :
		       sfab_scan_take(in->s, "devid=") ? &in->device : NULL;

	if (!number)
		return 0;
	if (!sfab_scan_take(in->s, "0x") || !sfab_scan_hex(in->s, UINT32_MAX, number))
		*number = 0;
	return 1;
}

/*
 * Parse a line by its first word.  Vendor and device stand before the node line that they
 * belong to, so they end with it.
 */
static int parse_netdiscover_line(struct ibnetdiscover_input *in,
				  struct sfab_err *err)
{
	struct sfab_scan *s = in->s;
	enum kind kind;
	int rc;

	if (s->pos == s->end)
		return 0;
	for (size_t i = 0; i < sizeof(ignored) / sizeof(ignored[0]); i++)
		if (sfab_scan_take(s, ignored[i]))
			return 0;
	if (take_device_line(in))
		return 0;
	if (*s->pos == '[')
		return parse_port_line(in, err);
	kind = sfab_scan_take(s, "Switch") ? KIND_SWITCH : sfab_scan_take(s, "Ca") ? KIND_CA :
	       sfab_scan_take(s, "Rt") ? KIND_ROUTER : KIND_NONE;
	if (kind == KIND_NONE)
		return sfab_scan_expect(s, err, "line", "Switch, Ca, Rt or [PORT]");
	rc = kind == KIND_SWITCH ? parse_switch(in, err) : parse_node_line(in, kind, err);
	in->vendor = in->device = 0;
	return rc;
}

int sfab_ibnetdiscover_read(const struct sfab_reader_ctx *ctx, struct sfab_scan *s,
			    struct sfab_err *err)
{
	struct ibnetdiscover_input in = { .ctx = ctx, .s = s };

	while (sfab_scan_line(s))
		if (parse_netdiscover_line(&in, err))
			return -1;
	return sfab_scan_finish(s, err);
}
