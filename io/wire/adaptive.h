/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * adaptive.h - what a switch tells about adaptive routing
 *
 * The questions are NVIDIA's vendor-specific attributes of subnet management: 0xff20,
 * 0xff21 and 0xff23 as in its nvsdm.h and in mstflint, states of LIDs and 0xff14 as in the
 * headers of ibdiagnet.
 *
 * A switch that does not know them costs one question; one that does not adapt, too.
 * The others cost their table (16 LIDs per question), their groups in use (two
 * sub-groups per question) and, if they can have private tables, the map of these
 * (four ports per question).  If the table is known from the last sweep, they cost their
 * static table (64 LIDs per question) and an eighth of it instead: what changes the rest
 * and nothing else is seen up to seven sweeps later.
 *
 * A switch may lie, change while it is asked, or mean something else than we read:
 * no switch was there to try it.  So an answer that contradicts another is not used.
 * In particular the port of each LID for static traffic must be in the LID's group.
 */
#ifndef SFAB_ADAPTIVE_H
#define SFAB_ADAPTIVE_H

#include <stdint.h>

#include "core/fabric/fabric.h"
#include "io/wire/discover.h"
#include "io/wire/wire.h"

#define SFAB_AR_GROUPS 4096u	/* 12 bits of an entry */

struct sfab_ar_group {
	uint8_t n;		/* 0: not in use */
	uint8_t port[SFAB_SWITCH_PORTS_MAX];	/* ascending */
};

struct sfab_ar_tables {		/* 1.2 MB */
	uint32_t nlids;		/* entries, from LID 0 */
	uint8_t port[SFAB_IB_LID_MAX + 1];	/* SFAB_PORT_NONE: no route */
	uint16_t group[SFAB_IB_LID_MAX + 1];	/* 1 + its group; 0: static */
	struct sfab_ar_group groups[SFAB_AR_GROUPS];
	char why[128];
};

/* A switch's table in the last sweep.  Begins as zeros, but for ->entry. */
struct sfab_ar_past {
	uint32_t *entry;	/* as they came, room for all LIDs of the switch; the caller's */
	uint32_t nlids;		/* entries; 0: none are known */
	uint64_t plain;		/* hash of its static table */
	unsigned turn;		/* the part that is asked for next */
};

/*
 * Ask the switch @node at the end of @to through @door.  @past is renewed; NULL: ask for
 * all.  @t is complete after SFAB_AR_ON; of it, only ->why is of use after SFAB_AR_MUTE
 * and SFAB_AR_UNCLEAR: one clause, whose subject is the switch.
 */
enum sfab_ar_answer sfab_ar_read(const struct sfab_smp_door *door,
				 const struct sfab_smp_path *to,
				 const struct sfab_wire_node *node,
				 struct sfab_ar_past *past, struct sfab_ar_tables *t);

#endif
