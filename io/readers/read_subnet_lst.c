/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read_subnet_lst.c - topology as OpenSM writes it after each heavy sweep; see formats.h
 *
 *     { CA Ports:01 SystemGUID:... NodeGUID:... PortGUID:... VenID:... DevID:...
 *       Rev:... {n1 mlx4_0} LID:0035 PN:01 } { SW-SM Ports:24 ... PN:0D }
 *       PHY=4x LOG=ACT SPD=10
 *
 * One line per link and direction, from the first node to the second.  Numbers are hexadecimal.
 * "-SM" marks the node of the subnet manager.  VenID and DevID of the second node are garbage
 * (byte order) and ignored.  The file has no LMC: the builder derives it.
 */

#include "io/readers/formats.h"

#include <stdio.h>
#include <string.h>

#include "io/rate.h"
#include "io/readers/gather.h"
#include "io/scan.h"

#define DESC_SIZE 256
#define LID_UNSET 0xFFFF	/* a port that no SM has configured yet */
#define MELLANOX 0x2C9u
#define QUANTUM_2 0xD2F2u	/* this one and later are as fast as NDR */

struct listed_end {
	char type[8];			/* "SW", "CA", "Rt" */
	int is_sm;
	uint64_t guid, port_guid;
	uint64_t nports, num, lid;
	uint64_t vendor, device;	/* 0: not known */
	char desc[DESC_SIZE];
};

static int is_switch_end(const struct listed_end *e)
{
	return strcmp(e->type, "SW") == 0;
}

/* Parse the type.  "-SM" after it marks the node where the subnet manager runs. */
static int parse_node_type(struct sfab_scan *s, struct listed_end *e,
			   struct sfab_err *err)
{
	static const char *const types[] = { "SW", "CA", "Rt" };
	size_t i;

	if (sfab_scan_take(s, "{ "))
		for (i = 0; i < sizeof(types) / sizeof(types[0]); i++)
			if (sfab_scan_take(s, types[i])) {
				strcpy(e->type, types[i]);
				e->is_sm = sfab_scan_take(s, "-SM");
				return 0;
			}
	return sfab_scan_expect(s, err, "node", "{ SW, { CA or { Rt");
}

/*
 * Go to the next word of the node that begins with @key and take @key.  Unknown words before it
 * are skipped: versions of OpenSM differ in them.
 */
static int take_node_key(struct sfab_scan *s, const char *key)
{
	for (;;) {
		sfab_scan_blanks(s);
		if (sfab_scan_take(s, key))
			return 1;
		if (s->pos == s->end || *s->pos == '{' || *s->pos == '}')
			return 0;
		while (s->pos < s->end && *s->pos != ' ')
			s->pos++;
	}
}

/* Take a number of @min..@max. */
static int take_hex(struct sfab_scan *s, uint64_t min, uint64_t max,
		    uint64_t *value)
{
	struct sfab_scan start = *s;

	if (sfab_scan_hex(s, max, value) && *value >= min)
		return 1;
	*s = start;
	return 0;
}

static int parse_guid(struct sfab_scan *s, const char *key, uint64_t *guid,
		      struct sfab_err *err)
{
	if (take_node_key(s, key) && sfab_scan_hex(s, UINT64_MAX, guid))
		return 0;
	return sfab_scan_expect(s, err, key, "a GUID");
}

/*
 * Parse vendor and device.  What cannot be read does not matter: a switch without a device id
 * counts as one that cannot adapt.  OpenSM writes the 16 bits of a device as C738 or as
 * C7380000.
 */
static void parse_device(struct sfab_scan *s, struct listed_end *e)
{
	e->vendor = e->device = 0;
	if (!take_node_key(s, "VenID:") || !take_hex(s, 0, UINT32_MAX, &e->vendor) ||
	    !take_node_key(s, "DevID:") || !take_hex(s, 0, UINT32_MAX, &e->device))
		return;
	if (e->device > 0xFFFF)
		e->device >>= 16;
}

/*
 * Parse one of the two nodes of a line, "{ TYPE Ports:... {TEXT} LID:HEX PN:HEX } ".  A
 * description ends at the first "} LID:".
 */
static int parse_link_end(struct sfab_scan *s, struct listed_end *e,
			  struct sfab_err *err)
{
	const char *from;

	if (parse_node_type(s, e, err))
		return -1;
	if (!take_node_key(s, "Ports:") ||
	    !take_hex(s, 1, SFAB_SWITCH_PORTS_MAX, &e->nports))
		return sfab_scan_expect(s, err, "Ports:", "hexadecimal 1-FE");
	if (parse_guid(s, "NodeGUID:", &e->guid, err) ||
	    parse_guid(s, "PortGUID:", &e->port_guid, err))
		return -1;
	parse_device(s, e);
	if (!take_node_key(s, "{"))
		return sfab_scan_expect(s, err, "description", "{TEXT}");
	from = s->pos;
	if (!sfab_scan_past(s, "} LID:"))
		return sfab_scan_expect(s, err, "description",
					"{TEXT} LID:HEX");
	sfab_scan_copy(e->desc, sizeof(e->desc), from,
		       s->pos - strlen("} LID:"));
	if (take_hex(s, LID_UNSET, LID_UNSET, &e->lid))
		e->lid = 0;
	else if (!take_hex(s, 0, SFAB_IB_LID_MAX, &e->lid))
		return sfab_scan_expect(s, err, "LID", "hexadecimal 0-BFFF");
	if (!sfab_scan_take(s, " PN:") ||
	    !take_hex(s, 1, e->nports, &e->num))
		return sfab_scan_expect(s, err, "port number",
					"PN: from 1 to the number in Ports:");
	if (!sfab_scan_take(s, " } "))
		return sfab_scan_expect(s, err, "node", "}");
	return 0;
}

/* Parse "KEY=WORD". */
static int parse_state_word(struct sfab_scan *s, const char *key, char *buf,
			    size_t size, struct sfab_err *err)
{
	sfab_scan_blanks(s);
	if (sfab_scan_take(s, key) && sfab_scan_word(s, buf, size))
		return 0;
	return sfab_scan_expect(s, err, "link state",
				"PHY=WIDTH LOG=STATE SPD=SPEED");
}

/*
 * Parse rate and state.  A link that is down may have no rate: it gets that of one lane of SDR,
 * and is not used.
 */
static int parse_state(struct sfab_scan *s, double *rate, int *up,
		       struct sfab_err *err)
{
	char phy[8], log[8], spd[8];

	if (parse_state_word(s, "PHY=", phy, sizeof(phy), err) ||
	    parse_state_word(s, "LOG=", log, sizeof(log), err) ||
	    parse_state_word(s, "SPD=", spd, sizeof(spd), err))
		return -1;
	*up = strcmp(log, "ACT") == 0;
	*rate = sfab_rate_width(phy) * sfab_rate_lane_gbps(spd);
	if (*rate > 0)
		return 0;
	if (*up)
		return sfab_scan_fail(s, err, "bad link rate (found PHY=%s "
				      "SPD=%s, expected e.g. PHY=4x SPD=50; "
				      "ibnetdiscover may know more)", phy, spd);
	*rate = sfab_rate_lane("SDR");
	return 0;
}

/* Add the node.  The file has no LMC: the builder derives it from the distance of LIDs. */
static int add_end_node(const struct sfab_reader_ctx *ctx,
			const struct listed_end *e, struct sfab_err *err)
{
	const struct sfab_end_port end = {
		.node = e->guid, .guid = e->port_guid, .desc = e->desc,
		.num = (unsigned) e->num, .lid = (unsigned) e->lid, .lmc = SFAB_LMC_UNKNOWN,
		.is_router = strcmp(e->type, "Rt") == 0,
	};

	if (e->is_sm)
		sfab_builder_set_sm(ctx->builder, ctx->plane, e->port_guid);
	if (is_switch_end(e)) {
		if (sfab_builder_add_switch(ctx->builder, ctx->plane, e->guid,
					    sfab_namemap_name(ctx->map, e->guid, e->desc),
					    (unsigned) e->nports, (unsigned) e->lid,
					    err) < 0)
			return -1;
		sfab_builder_set_device(ctx->builder, ctx->plane, e->guid,
					(uint32_t) e->vendor, (uint32_t) e->device);
		return 0;
	}
	return sfab_gather_give_port(ctx, &end, err);
}

/*
 * Parse a cable, and add the node where it begins.  The line of the other direction adds the
 * node at the other end.
 */
static int parse_subnet_line(const struct sfab_reader_ctx *ctx,
			     struct sfab_scan *s, struct sfab_err *err)
{
	struct listed_end from, to;
	double rate;
	int up;

	if (s->pos == s->end)
		return 0;
	if (parse_link_end(s, &from, err) || parse_link_end(s, &to, err) ||
	    parse_state(s, &rate, &up, err))
		return -1;
	if (!is_switch_end(&from) && !is_switch_end(&to))
		return 0;	/* hosts cabled to each other */
	sfab_builder_set_origin(ctx->builder, ctx->file, s->line);
	if (add_end_node(ctx, &from, err))
		return -1;
	/* OpenSM 3.3.23 knows no speed above HDR: it writes that of one lane of SDR. */
	if (up && ctx->remark && is_switch_end(&from) && from.vendor == MELLANOX &&
	    from.device >= QUANTUM_2 && rate <= 4 * sfab_rate_lane("SDR"))
		snprintf(ctx->remark->text, sizeof(ctx->remark->text),
			 "SPD=2.5 at a Quantum-2 or later: OpenSM that does not know NDR "
			 "writes this. ibnetdiscover's file has the right speed");
	return sfab_builder_add_link(ctx->builder, ctx->plane, from.guid,
				     (unsigned) from.num, to.guid,
				     (unsigned) to.num, rate, up, err);
}

int sfab_subnet_lst_read(const struct sfab_reader_ctx *ctx, struct sfab_scan *s,
			 struct sfab_err *err)
{
	while (sfab_scan_line(s))
		if (parse_subnet_line(ctx, s, err))
			return -1;
	return sfab_scan_finish(s, err);
}
