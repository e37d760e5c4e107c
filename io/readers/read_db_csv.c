/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read_db_csv.c - topology from ibdiagnet2.db_csv
 *
 *     START_NODES
 *     NodeDesc,NumPorts,NodeType,...,NodeGUID,PortGUID,...
 *     "leaf1",36,2,...,0xb8599f0300000a01,...
 *     END_NODES
 *
 * Sections: NODES (type 1 host, 2 switch, 3 router), PORTS (port 0 of a switch has
 * its LID), LINKS (each cable once) and AR_INFO (is adaptive routing on, and what is
 * done beside; the groups are in ibdiagnet2.far).  Their order differs between versions, so
 * everything is collected first.  As in ibnetdiscover, only cabled end ports and
 * active links are used.
 */

#include "io/readers/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/resize.h"
#include "io/ar_traits.h"
#include "io/rate.h"
#include "io/readers/assemble.h"
#include "io/readers/columns.h"
#include "io/readers/db_csv.h"

#define LID_UNSET 0xFFFF	/* a port that no SM has configured yet */
#define STATE_ACTIVE 4		/* PortState (IBA 1.4, 14.2.5.6) */

struct db_csv_input {
	struct sfab_gather gather;
	struct asked_switch {	/* is adaptive routing on? */
		uint64_t guid;
		int adapts;
	} *asked;
	uint32_t nasked;
	uint32_t adapt, with[SFAB_AR_TRAITS];	/* switches */
	uint32_t partly;	/* switches that adapt for some packets only */
};

static const struct sfab_column node_columns[] = {
	{ "NodeDesc", 0 }, { "NumPorts", 0 }, { "NodeType", 0 },
	{ "NodeGUID", 0 }, { "VendorID", 1 }, { "DeviceID", 1 },
};

/* Types 0 to 3; 0 does not occur and counts as a host. */
static int take_node_row(void *to, const struct sfab_columns *c,
			 const struct sfab_scan *s,
			 const struct sfab_column_field *field,
			 struct sfab_err *err)
{
	static const enum sfab_gather_kind kinds[] = {
		SFAB_GATHER_HOST, SFAB_GATHER_HOST, SFAB_GATHER_SWITCH,
		SFAB_GATHER_ROUTER,
	};
	struct sfab_gather_node n = { .line = s->line };
	uint64_t nports, type, vendor = 0, device = 0;

	if (sfab_columns_number(c, s, field, 1, SFAB_SWITCH_PORTS_MAX,
				&nports, err) ||
	    sfab_columns_number(c, s, field, 2, 3, &type, err) ||
	    sfab_columns_number(c, s, field, 3, UINT64_MAX, &n.guid, err))
		return -1;
	sfab_scan_copy(n.desc, sizeof(n.desc), field[0].from, field[0].to);
	n.nports = (unsigned) nports;
	n.kind = kinds[type];
	sfab_field_number(&field[4], UINT32_MAX, &vendor);
	sfab_field_number(&field[5], UINT32_MAX, &device);
	n.vendor = (uint32_t) vendor;
	n.device = (uint32_t) device;
	return sfab_gather_node(&((struct db_csv_input *) to)->gather, &n, err);
}

enum { P_NODE, P_GUID, P_NUM, P_LID, P_LMC, P_WIDTH, P_SPEED, P_STATE };

static const struct sfab_column port_columns[] = {
	{ "NodeGuid", 0 }, { "PortGuid", 0 }, { "PortNum", 0 }, { "LID", 0 },
	{ "LMC", 1 }, { "LinkWidthActv", 0 }, { "LinkSpeedActv", 0 },
	{ "PortState", 1 },
};

/* GUID and LMC may be "N/A".  Then the GUID is 0 and the LMC unknown. */
static int take_port_row(void *to, const struct sfab_columns *c,
			 const struct sfab_scan *s,
			 const struct sfab_column_field *field,
			 struct sfab_err *err)
{
	struct sfab_gather_port p = { .line = s->line };
	uint64_t num, lid, lmc = SFAB_LMC_UNKNOWN;
	uint64_t width = 0, speed = 0, state = STATE_ACTIVE;

	if (sfab_columns_number(c, s, field, P_NODE, UINT64_MAX, &p.guid, err) ||
	    sfab_columns_number(c, s, field, P_NUM, SFAB_SWITCH_PORTS_MAX, &num,
				err) ||
	    sfab_columns_number(c, s, field, P_LID, LID_UNSET, &lid, err))
		return -1;
	sfab_field_number(&field[P_GUID], UINT64_MAX, &p.port_guid);
	sfab_field_number(&field[P_LMC], 7, &lmc);
	p.num = (unsigned) num;
	p.lid = lid == LID_UNSET ? 0 : (unsigned) lid;
	p.lmc = (unsigned) lmc;
	/*
	 * A port that is down has no numbers or "N/A".  Without a state it is
	 * active.
	 */
	sfab_field_number(&field[P_WIDTH], UINT32_MAX, &width);
	sfab_field_number(&field[P_SPEED], UINT32_MAX, &speed);
	sfab_field_number(&field[P_STATE], UINT32_MAX, &state);
	p.rate = sfab_rate_ibdiagnet(width, speed);
	p.active = state == STATE_ACTIVE;
	return sfab_gather_port(&((struct db_csv_input *) to)->gather, &p, err);
}

static const struct sfab_column link_columns[] = {
	{ "NodeGuid1", 0 }, { "PortNum1", 0 }, { "NodeGuid2", 0 },
	{ "PortNum2", 0 },
};

/* Four columns: node and port, twice. */
static int take_link(void *to, const struct sfab_columns *c,
		     const struct sfab_scan *s,
		     const struct sfab_column_field *field,
		     struct sfab_err *err)
{
	struct sfab_gather_link l = { .line = s->line };
	uint64_t num;

	for (unsigned i = 0; i < 2; i++) {
		if (sfab_columns_number(c, s, field, 2 * i, UINT64_MAX,
					&l.guid[i], err) ||
		    sfab_columns_number(c, s, field, 2 * i + 1,
					SFAB_SWITCH_PORTS_MAX, &num, err))
			return -1;
		l.num[i] = (unsigned) num;
	}
	return sfab_gather_link(&((struct db_csv_input *) to)->gather, &l, err);
}

enum { AR_BY_SL = 2 + SFAB_AR_TRAITS, AR_SLS, AR_BY_TRANSPORT, AR_NO_TRANSPORTS };

static const struct sfab_column adaptive_columns[] = {
	{ "NodeGUID", 0 }, { "e", 0 },
	[2 + SFAB_AR_HBF] = { "by_sl_hbf_en", 1 },
	[2 + SFAB_AR_SHIELD] = { "fr_enabled", 1 },
	[2 + SFAB_AR_PFRN] = { "pfrn_enabled", 1 },
	[AR_BY_SL] = { "by_sl_en", 1 }, [AR_SLS] = { "enable_by_sl_mask", 1 },
	[AR_BY_TRANSPORT] = { "by_transp_cap", 1 },
	[AR_NO_TRANSPORTS] = { "by_transport_disable", 1 },
};

/* Traffic that keeps to the static ports, though ibdiagnet2.far says otherwise? */
static int adapts_partly(const struct sfab_column_field *field)
{
	uint64_t by_sl = 0, levels = 0, by_transport = 1, disabled = 0;

	sfab_field_number(&field[AR_BY_SL], 1, &by_sl);
	sfab_field_number(&field[AR_SLS], SFAB_AR_ALL_LEVELS, &levels);
	sfab_field_number(&field[AR_BY_TRANSPORT], 1, &by_transport);
	sfab_field_number(&field[AR_NO_TRANSPORTS], UINT8_MAX, &disabled);
	return (by_sl && levels != SFAB_AR_ALL_LEVELS) ||
	       (by_transport && disabled & SFAB_AR_DATA_TRANSPORTS);
}

/* "e" is 1 if adaptive routing is on; "N/A" if the switch did not answer. */
static int take_adaptive(void *to, const struct sfab_columns *c,
			 const struct sfab_scan *s,
			 const struct sfab_column_field *field,
			 struct sfab_err *err)
{
	struct db_csv_input *in = to;
	uint64_t guid, enabled, does;

	if (sfab_columns_number(c, s, field, 0, UINT64_MAX, &guid, err))
		return -1;
	if (!sfab_field_number(&field[1], 1, &enabled))
		return 0;
	if (sfab_one_more(&in->asked, in->nasked, sizeof(*in->asked)) < 0)
		return sfab_no_memory(err);
	in->asked[in->nasked++] = (struct asked_switch) { guid, enabled != 0 };
	in->adapt += enabled != 0;
	in->partly += enabled && adapts_partly(field);
	for (unsigned i = 0; enabled && i < SFAB_AR_TRAITS; i++)
		in->with[i] += sfab_field_number(&field[2 + i], 1, &does) && does;
	return 0;
}

#define AT_LINKS 2
#define COLUMNS(table) table, sizeof(table) / sizeof(table[0])

/* Some versions write LINKS only to ibdiagnet2.lst and ibdiagnet2.ibnetdiscover. */
static const struct sfab_db_section sections[] = {
	{ "NODES", COLUMNS(node_columns), 0, take_node_row },
	{ "PORTS", COLUMNS(port_columns), 0, take_port_row },
	[AT_LINKS] = { "LINKS", COLUMNS(link_columns), 0, take_link },
	{ "AR_INFO", COLUMNS(adaptive_columns), 1, take_adaptive },
	{ NULL, NULL, 0, 0, NULL },
};

static void remark_adaptive(const struct db_csv_input *in, struct sfab_remark *remark)
{
	char traits[SFAB_AR_TRAITS_SIZE], partly[80] = "";

	sfab_ar_traits_text(in->with, in->adapt, traits);
	if (in->partly)
		snprintf(partly, sizeof(partly), "%s%u switches adapt for some service levels "
			 "or transports only", *traits ? "; " : "", (unsigned) in->partly);
	snprintf(remark->text, sizeof(remark->text), "%s%s", traits, partly);
}

int sfab_db_csv_read(const struct sfab_reader_ctx *ctx, struct sfab_scan *s,
		     struct sfab_err *err)
{
	struct sfab_db_section table[sizeof(sections) / sizeof(sections[0])];
	struct db_csv_input in = { 0 };
	int failed;

	memcpy(table, sections, sizeof(table));
	table[AT_LINKS].is_optional = ctx->has_cables;
	failed = sfab_db_csv_sections(s, table, &in, err) ||
		 sfab_gather_give(&in.gather, ctx, err);
	for (uint32_t i = 0; i < in.nasked && !failed; i++)
		sfab_builder_tell(ctx->b, ctx->plane, in.asked[i].guid, in.asked[i].adapts ?
				  SFAB_SWITCH_ADAPTS : SFAB_SWITCH_ADAPTS_NOT);
	if (!failed && in.partly)
		sfab_builder_adaptive(ctx->b, SFAB_ADAPTIVE_UNKNOWN);
	if (!failed && ctx->remark)
		remark_adaptive(&in, ctx->remark);
	free(in.asked);
	sfab_gather_free(&in.gather);
	return failed ? -1 : 0;
}

int sfab_db_csv_detect(struct sfab_scan *s)
{
	while (sfab_scan_line(s)) {
		if (sfab_scan_take(s, "START_"))
			return 1;
		if (s->at < s->end && *s->at != '#')
			return 0;
	}
	return 0;
}
