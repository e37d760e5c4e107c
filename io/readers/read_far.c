/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read_far.c - tables with adaptive routing, ibdiagnet2.far; see formats.h
 *
 *     Switch 0xb8599f0300000a01
 *     Groups Definition:
 *     Group  SubGroup  WHBF  Ports
 *     -----------------------------
 *     1      0         0     33,34,35
 *     LFT Definition:
 *     LID     StaticPort  LidState  Group
 *     -----------------------------
 *     0x0001  33          Free      1
 *     0x0002  1           Static    0
 *
 * If the state is Static, a LID uses the static port.  Otherwise the switch chooses, and we
 * share the LID evenly over the first sub-group that has ports (the other sub-groups serve when
 * these are busy).  Ports and states may be separated by '|' or by blanks.
 *
 * A switch may have several tables (private LFTs), as for dragonfly+: the service level and the
 * port of a packet decide which one routes it.  The file does not say how, so only the first
 * one is read, and the fabric is one whose routes are not known.
 */

#include "io/readers/formats.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/readers/lft_row.h"
#include "io/scan.h"

#define GROUPS_MAX 4096		/* a switch has 2,048 at most */

struct port_group {
	unsigned n;		/* 0: not defined */
	uint8_t port[SFAB_SWITCH_PORTS_MAX];
};

enum part { PART_NONE, PART_GROUPS, PART_LFT, PART_PRIVATE };

struct far_tables {
	enum part part;
	int has_lft, has_private;
	uint32_t nprivate;			/* switches with several tables */
	uint32_t longest;			/* entries in the longest table so far */
	struct sfab_lft_row row;
	uint16_t group[SFAB_IB_LID_MAX + 1];	/* by LID; 0: static */
	unsigned line[SFAB_IB_LID_MAX + 1];	/* that said so */
	struct port_group groups[GROUPS_MAX];	/* by group + 1 */
	double even[SFAB_SWITCH_PORTS_MAX];	/* 1.0 each */
};

/*
 * Give the ports of a LID, with equal shares: what the switch chooses is known to nobody.  Port
 * 0 in the table is the switch itself.
 */
static int give_far_group(struct far_tables *t, uint32_t lid,
			  struct sfab_err *err)
{
	const struct port_group *g = &t->groups[t->group[lid]];

	if (t->row.port[lid] == 0)
		return 0;	/* the switch's own LID */
	if (!g->n)
		return sfab_fail(err, SFAB_EFORMAT, "%s:%u: switch 0x%016llx: "
				 "LID 0x%x uses group %u (expected one that is "
				 "defined and has ports)", t->row.ctx->file,
				 t->line[lid], (unsigned long long) t->row.guid,
				 (unsigned) lid, (unsigned) t->group[lid] - 1);
	sfab_builder_set_adaptive(t->row.ctx->builder, SFAB_ADAPTIVE_GROUPS);
	return sfab_builder_add_group(t->row.ctx->builder, t->row.ctx->plane, t->row.guid, lid,
				      g->port, t->even, g->n, err);
}

/*
 * Give the table of a switch and then its groups, which may be defined after the table that
 * uses them.
 */
static int end_switch(struct far_tables *t, struct sfab_err *err)
{
	if (!t->row.is_open)
		return 0;
	if (!t->has_lft)
		return sfab_scan_fail(t->row.s, err, "the table of switch "
				      "0x%016llx is missing (expected \"LFT "
				      "Definition:\")",
				      (unsigned long long) t->row.guid);
	if (t->row.n > t->longest)
		t->longest = t->row.n;
	if (sfab_lft_row_end(&t->row, 0, err))
		return -1;
	sfab_builder_add_fact(t->row.ctx->builder, t->row.ctx->plane, t->row.guid,
			      SFAB_SWITCH_GROUPS_READ);
	for (uint32_t lid = 0; lid < t->row.n; lid++)
		if (t->group[lid] && give_far_group(t, lid, err))
			return -1;
	return 0;
}

/* Begin a new switch, which ends the one before.  Groups are numbered by switch. */
static int start_switch(struct far_tables *t, struct sfab_err *err)
{
	if (end_switch(t, err))
		return -1;
	sfab_scan_blanks(t->row.s);
	if (sfab_lft_row_take_switch(&t->row, err))
		return -1;
	memset(t->group, 0, sizeof(t->group));
	memset(t->groups, 0, sizeof(t->groups));
	t->has_lft = t->has_private = 0;
	t->part = PART_NONE;
	return 0;
}

/* Begin a part of a switch.  All LFTs but the first are skipped. */
static int start_part(struct far_tables *t, enum part part,
		      struct sfab_err *err)
{
	if (!t->row.is_open)
		return sfab_scan_expect(t->row.s, err, "line", "\"Switch 0xGUID\"");
	if (part == PART_LFT && t->has_lft) {
		part = PART_PRIVATE;
		t->nprivate += !t->has_private;
		t->has_private = 1;
	}
	t->has_lft |= part == PART_LFT;
	t->part = part;
	return 0;
}

/* Skip blanks, with at most one '|' among them. */
static void skip_separator(struct sfab_scan *s)
{
	sfab_scan_blanks(s);
	if (sfab_scan_take(s, "|"))
		sfab_scan_blanks(s);
}

/* Take ports up to those that the switch has, separated by commas and blanks. */
static int take_ports(struct far_tables *t, struct port_group *g,
		      struct sfab_err *err)
{
	struct sfab_scan *s = t->row.s;
	uint32_t port;

	g->n = 0;
	while (s->pos < s->end) {
		if (!sfab_scan_dec(s, t->row.nports < SFAB_SWITCH_PORTS_MAX ?
				   t->row.nports : SFAB_SWITCH_PORTS_MAX,
				   &port) || port == 0 ||
		    g->n == SFAB_SWITCH_PORTS_MAX)
			return sfab_scan_expect(s, err, "port of a group",
						"ports that the switch has");
		g->port[g->n++] = (uint8_t) port;
		sfab_scan_take(s, ",");
		sfab_scan_blanks(s);
	}
	return 0;
}

/* Parse "GROUP SUBGROUP WHBF [PORT,...]". */
static int parse_group(struct far_tables *t, struct sfab_err *err)
{
	struct sfab_scan *s = t->row.s;
	struct port_group g, *known;
	uint32_t id, sub, whbf;

	if (!sfab_scan_dec(s, GROUPS_MAX - 2, &id))
		return sfab_scan_expect(s, err, "group", "0-4094");
	skip_separator(s);
	if (!sfab_scan_dec(s, 255, &sub))
		return sfab_scan_expect(s, err, "sub-group", "0-255");
	skip_separator(s);
	if (!sfab_scan_dec(s, UINT32_MAX, &whbf))
		return sfab_scan_expect(s, err, "WHBF", "a number");
	skip_separator(s);
	if (take_ports(t, &g, err))
		return -1;
	/* Only the first sub-group of a group that has a row is kept. */
	known = &t->groups[id + 1];
	if (!known->n)
		*known = g;
	return 0;
}

static const char *const free_states[] = { "Free", "Bounded", "HBF" };

/* Parse "0xLID PORT STATE [GROUP]".  Only the state Static lets the table decide. */
static int parse_far_entry(struct far_tables *t, struct sfab_err *err)
{
	struct sfab_scan *s = t->row.s;
	uint32_t port, group;
	uint64_t lid;
	int is_static, is_known;

	if (!sfab_scan_take(s, "0x") || !sfab_scan_hex(s, SFAB_IB_LID_MAX, &lid))
		return sfab_scan_expect(s, err, "LID", "0x0-0xBFFF");
	skip_separator(s);
	if (!sfab_scan_dec(s, SFAB_PORT_NONE, &port))
		return sfab_scan_expect(s, err, "port", "0-254");
	skip_separator(s);
	is_static = sfab_scan_take(s, "Static");
	is_known = is_static;
	for (size_t i = 0; !is_known && i < sizeof(free_states) / sizeof(free_states[0]); i++)
		is_known = sfab_scan_take(s, free_states[i]);
	if (!is_known)
		return sfab_scan_expect(s, err, "state of the LID",
					"Static, Free, Bounded or HBF");
	skip_separator(s);
	if (sfab_lft_row_put(&t->row, (uint32_t) lid, port, err))
		return -1;
	if (is_static || port == SFAB_PORT_NONE)
		return 0;
	if (!sfab_scan_dec(s, GROUPS_MAX - 2, &group))
		return sfab_scan_expect(s, err, "group", "0-4094");
	t->group[lid] = (uint16_t) (group + 1);
	t->line[lid] = s->line;
	return 0;
}

static int parse_far_line(struct far_tables *t, struct sfab_err *err)
{
	struct sfab_scan *s = t->row.s;

	sfab_scan_blanks(s);
	if (sfab_scan_take(s, "Switch "))
		return start_switch(t, err);
	if (sfab_scan_take(s, "Groups Definition:"))
		return start_part(t, PART_GROUPS, err);
	if (sfab_scan_take(s, "LFT Definition:"))
		return start_part(t, PART_LFT, err);
	if (s->pos == s->end || *s->pos < '0' || *s->pos > '9')
		return 0; /* headings, settings of the switch */
	if (t->part == PART_GROUPS)
		return parse_group(t, err);
	if (t->part == PART_LFT)
		return parse_far_entry(t, err);
	return 0;
}

/* Read all tables.  Only the last can be cut: those before it were followed by another switch. */
static int read_far_tables(struct far_tables *t, struct sfab_err *err)
{
	const struct sfab_reader_ctx *ctx = t->row.ctx;

	while (sfab_scan_line(t->row.s))
		if (parse_far_line(t, err))
			return -1;
	if (end_switch(t, err))
		return -1;
	/* Which table carries which traffic is not known: what follows only observes. */
	if (t->nprivate) {
		sfab_builder_set_adaptive(ctx->builder, SFAB_ADAPTIVE_UNKNOWN);
		if (ctx->remark)
			snprintf(ctx->remark->text, sizeof(ctx->remark->text),
				 "%u switches have several tables (private LFTs): only the "
				 "first of each is used, and the plugin only observes",
				 (unsigned) t->nprivate);
	}
	if (t->row.n < t->longest)
		return sfab_scan_fail(t->row.s, err, "the table of switch "
				      "0x%016llx ends early (found %u LIDs, "
				      "expected %u as elsewhere)",
				      (unsigned long long) t->row.guid,
				      (unsigned) t->row.n,
				      (unsigned) t->longest);
	return sfab_scan_finish(t->row.s, err);
}

int sfab_far_read(const struct sfab_reader_ctx *ctx, struct sfab_scan *s,
		  struct sfab_err *err)
{
	struct far_tables *t = calloc(1, sizeof(*t));
	int rc;

	if (!t)
		return sfab_no_memory(err);
	sfab_lft_row_init(&t->row, ctx, s);
	for (unsigned i = 0; i < SFAB_SWITCH_PORTS_MAX; i++)
		t->even[i] = 1.0;
	rc = read_far_tables(t, err);
	free(t);
	return rc;
}

/* Look for "Switch 0x", then before another switch for one of the two headings. */
int sfab_far_detect(struct sfab_scan *s)
{
	int named = 0;

	while (sfab_scan_line(s)) {
		sfab_scan_blanks(s);
		if (named && (sfab_scan_take(s, "Groups Definition:") ||
			      sfab_scan_take(s, "LFT Definition:")))
			return 1;
		named |= sfab_scan_take(s, "Switch 0x");
	}
	return 0;
}
