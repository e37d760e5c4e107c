/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read_db_csv.c - topology from ibdiagnet2.db_csv; see formats.h
 *
 *     START_NODES
 *     NodeDesc,NumPorts,NodeType,...,NodeGUID,PortGUID,...
 *     "leaf1",36,2,...,0xb8599f0300000a01,...
 *     END_NODES
 *
 * Sections: NODES (type 1 host, 2 switch, 3 router), PORTS (port 0 of a switch has its LID),
 * LINKS (each cable once) and AR_INFO (is adaptive routing on, and what is done beside; the
 * groups are in ibdiagnet2.far).  Their order differs between versions, so everything is
 * collected first.  As in ibnetdiscover, only cabled end ports and active links are used.
 */

#include "io/readers/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/resize.h"
#include "io/ar_traits.h"
#include "io/rate.h"
#include "io/readers/csv.h"
#include "io/readers/gather.h"

#define LID_UNSET 0xFFFF	/* a port that no SM has configured yet */
#define STATE_ACTIVE 4		/* PortState (IBA 1.4, 14.2.5.6) */

struct db_csv_input {
	struct sfab_gather gather;
	struct asked_switch {	/* is adaptive routing on? */
		uint64_t guid;
		int adapts;
	} *switches;
	uint32_t nswitches;
	uint32_t nadapting, trait_switches[SFAB_AR_TRAITS];
	uint32_t npartly;	/* switches that adapt for some packets only */
};

enum { N_DESC, N_PORTS, N_TYPE, N_GUID, N_VENDOR, N_DEVICE };

static const struct sfab_csv_column node_columns[] = {
	[N_DESC] = SFAB_COLUMN("NodeDesc"),
	[N_PORTS] = SFAB_NUMBER("NumPorts", SFAB_SWITCH_PORTS_MAX),
	[N_TYPE] = SFAB_NUMBER("NodeType", 3), [N_GUID] = SFAB_NUMBER("NodeGUID", UINT64_MAX),
	[N_VENDOR] = { "VendorID", SFAB_CSV_OPTIONAL, UINT32_MAX, 0 },
	[N_DEVICE] = { "DeviceID", SFAB_CSV_OPTIONAL, UINT32_MAX, 0 },
};

/* Add a node, of type 0 to 3.  Type 0 does not occur, and counts as a host. */
static int take_node_row(void *ctx, const struct sfab_csv *csv, struct sfab_err *err)
{
	static const enum sfab_gather_kind kinds[] = {
		SFAB_GATHER_HOST, SFAB_GATHER_HOST, SFAB_GATHER_SWITCH,
		SFAB_GATHER_ROUTER,
	};
	struct sfab_gather *g = &((struct db_csv_input *) ctx)->gather;
	struct sfab_gather_node n = {
		.guid = csv->number[N_GUID], .kind = kinds[csv->number[N_TYPE]],
		.nports = (unsigned) csv->number[N_PORTS],
		.vendor = (uint32_t) csv->number[N_VENDOR],
		.device = (uint32_t) csv->number[N_DEVICE], .line = csv->row.line,
	};

	sfab_scan_copy(n.desc, sizeof(n.desc), csv->field[N_DESC].begin, csv->field[N_DESC].end);
	return sfab_resize_append(&g->node, &g->nnodes, &n, sizeof(n), err);
}

enum { P_NODE, P_GUID, P_NUM, P_LID, P_LMC, P_WIDTH, P_SPEED, P_STATE };

/*
 * GUID and LMC may be "N/A".  Then the GUID is 0 and the LMC unknown.  A port that is down has
 * no width and speed or "N/A".  Without a state it is active.
 */
static const struct sfab_csv_column port_columns[] = {
	[P_NODE] = SFAB_NUMBER("NodeGuid", UINT64_MAX),
	[P_GUID] = { "PortGuid", SFAB_CSV_PARTLY, UINT64_MAX, 0 },
	[P_NUM] = SFAB_NUMBER("PortNum", SFAB_SWITCH_PORTS_MAX),
	[P_LID] = SFAB_NUMBER("LID", LID_UNSET),
	[P_LMC] = { "LMC", SFAB_CSV_OPTIONAL, 7, SFAB_LMC_UNKNOWN },
	[P_WIDTH] = { "LinkWidthActv", SFAB_CSV_PARTLY, UINT32_MAX, 0 },
	[P_SPEED] = { "LinkSpeedActv", SFAB_CSV_PARTLY, UINT32_MAX, 0 },
	[P_STATE] = { "PortState", SFAB_CSV_OPTIONAL, UINT32_MAX, STATE_ACTIVE },
};

static int take_port_row(void *ctx, const struct sfab_csv *csv, struct sfab_err *err)
{
	struct sfab_gather *g = &((struct db_csv_input *) ctx)->gather;
	const uint64_t *n = csv->number;
	const struct sfab_gather_port p = {
		.guid = n[P_NODE], .port_guid = n[P_GUID], .num = (unsigned) n[P_NUM],
		.lid = n[P_LID] == LID_UNSET ? 0 : (unsigned) n[P_LID],
		.lmc = (unsigned) n[P_LMC], .rate = sfab_rate_ibdiagnet(n[P_WIDTH], n[P_SPEED]),
		.is_active = n[P_STATE] == STATE_ACTIVE, .line = csv->row.line,
	};

	return sfab_resize_append(&g->port, &g->nports, &p, sizeof(p), err);
}

static const struct sfab_csv_column link_columns[] = {
	SFAB_NUMBER("NodeGuid1", UINT64_MAX), SFAB_NUMBER("PortNum1", SFAB_SWITCH_PORTS_MAX),
	SFAB_NUMBER("NodeGuid2", UINT64_MAX), SFAB_NUMBER("PortNum2", SFAB_SWITCH_PORTS_MAX),
};

static int take_link_row(void *ctx, const struct sfab_csv *csv, struct sfab_err *err)
{
	struct sfab_gather *g = &((struct db_csv_input *) ctx)->gather;
	const uint64_t *n = csv->number;
	const struct sfab_gather_link l = {
		.guid = { n[0], n[2] }, .num = { (unsigned) n[1], (unsigned) n[3] },
		.line = csv->row.line,
	};

	return sfab_resize_append(&g->link, &g->nlinks, &l, sizeof(l), err);
}

enum { AR_GUID, AR_ENABLED, AR_TRAITS, AR_BY_SL = AR_TRAITS + SFAB_AR_TRAITS, AR_SLS,
       AR_BY_TRANSPORT, AR_NO_TRANSPORTS };
#define AR_NOT_TOLD 2

/* "e" is 1 if adaptive routing is on; "N/A" if the switch did not answer. */
static const struct sfab_csv_column adaptive_columns[] = {
	[AR_GUID] = SFAB_NUMBER("NodeGUID", UINT64_MAX),
	[AR_ENABLED] = { "e", SFAB_CSV_PARTLY, 1, AR_NOT_TOLD },
	[AR_TRAITS + SFAB_AR_HBF] = { "by_sl_hbf_en", SFAB_CSV_OPTIONAL, 1, 0 },
	[AR_TRAITS + SFAB_AR_SHIELD] = { "fr_enabled", SFAB_CSV_OPTIONAL, 1, 0 },
	[AR_TRAITS + SFAB_AR_PFRN] = { "pfrn_enabled", SFAB_CSV_OPTIONAL, 1, 0 },
	[AR_BY_SL] = { "by_sl_en", SFAB_CSV_OPTIONAL, 1, 0 },
	[AR_SLS] = { "enable_by_sl_mask", SFAB_CSV_OPTIONAL, SFAB_AR_ALL_LEVELS, 0 },
	[AR_BY_TRANSPORT] = { "by_transp_cap", SFAB_CSV_OPTIONAL, 1, 1 },
	[AR_NO_TRANSPORTS] = { "by_transport_disable", SFAB_CSV_OPTIONAL, UINT8_MAX, 0 },
};

static int take_adaptive_row(void *ctx, const struct sfab_csv *csv, struct sfab_err *err)
{
	struct db_csv_input *in = ctx;
	const uint64_t *n = csv->number;
	int adapts = n[AR_ENABLED] == 1;
	/* traffic that keeps to the static ports, though ibdiagnet2.far says otherwise */
	int partly = (n[AR_BY_SL] && n[AR_SLS] != SFAB_AR_ALL_LEVELS) ||
		     (n[AR_BY_TRANSPORT] && n[AR_NO_TRANSPORTS] & SFAB_AR_DATA_TRANSPORTS);
	const struct asked_switch asked = { n[AR_GUID], adapts };

	if (n[AR_ENABLED] == AR_NOT_TOLD)
		return 0;
	in->nadapting += adapts;
	in->npartly += adapts && partly;
	for (unsigned i = 0; adapts && i < SFAB_AR_TRAITS; i++)
		in->trait_switches[i] += n[AR_TRAITS + i] != 0;
	return sfab_resize_append(&in->switches, &in->nswitches, &asked, sizeof(asked), err);
}

#define AT_LINKS 2
#define COLUMNS(table) table, sizeof(table) / sizeof(table[0])

/* Some versions write LINKS only to ibdiagnet2.lst and ibdiagnet2.ibnetdiscover. */
static const struct sfab_csv_table sections[] = {
	{ "NODES", COLUMNS(node_columns), 0, take_node_row },
	{ "PORTS", COLUMNS(port_columns), 0, take_port_row },
	[AT_LINKS] = { "LINKS", COLUMNS(link_columns), 0, take_link_row },
	{ "AR_INFO", COLUMNS(adaptive_columns), 1, take_adaptive_row },
	{ NULL, NULL, 0, 0, NULL },
};

static void remark_adaptive(const struct db_csv_input *in, struct sfab_remark *remark)
{
	char traits[SFAB_AR_TRAITS_SIZE], partly[80] = "";

	sfab_ar_traits_text(in->trait_switches, in->nadapting, traits);
	if (in->npartly)
		snprintf(partly, sizeof(partly), "%s%u switches adapt for some service levels "
			 "or transports only", *traits ? "; " : "", (unsigned) in->npartly);
	snprintf(remark->text, sizeof(remark->text), "%s%s", traits, partly);
}

int sfab_db_csv_read(const struct sfab_reader_ctx *ctx, struct sfab_scan *s,
		     struct sfab_err *err)
{
	struct sfab_csv_table table[sizeof(sections) / sizeof(sections[0])];
	struct db_csv_input in = { 0 };
	int rc;

	memcpy(table, sections, sizeof(table));
	table[AT_LINKS].is_optional = ctx->has_cables;
	rc = sfab_csv_sections(s, table, &in, err) ||
	     sfab_gather_give(&in.gather, ctx, err) ? -1 : 0;
	for (uint32_t i = 0; i < in.nswitches && !rc; i++)
		sfab_builder_add_fact(ctx->builder, ctx->plane, in.switches[i].guid,
				      in.switches[i].adapts ? SFAB_SWITCH_ADAPTS :
							      SFAB_SWITCH_ADAPTS_NOT);
	if (!rc && in.npartly)
		sfab_builder_set_adaptive(ctx->builder, SFAB_ADAPTIVE_UNKNOWN);
	if (!rc && ctx->remark)
		remark_adaptive(&in, ctx->remark);
	free(in.switches);
	sfab_gather_free(&in.gather);
	return rc;
}
