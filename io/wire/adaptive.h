/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * adaptive.h - what a switch tells about adaptive routing
 *
 * The questions are NVIDIA's vendor-specific attributes of subnet management.  Their
 * layouts are those of ib_types.h of NVIDIA's OpenSM (GPL 2 or BSD), for 0xff20, 0xff21
 * and 0xff23 also of nvsdm.h and of mstflint.
 *
 * A switch that does not know them costs one question; one that does not adapt, too.
 * The others cost another one, their table (16 LIDs per question), their groups in use
 * (two sub-groups per question) and, if they have private tables, the map of these
 * (four ports per question).  If the table is known from the last sweep, they cost their
 * static table (64 LIDs per question) and an eighth of it instead: what changes the rest
 * and nothing else is seen up to seven sweeps later.  Less does not do: only its entry
 * says whether a LID is static, and by which group it goes.  LIDs that nobody has are not
 * asked for, where 64 in a row are free.
 *
 * Only the first of the private tables is read.  Which one routes a packet follows from the
 * port that it came in by and its service level, and routes of a fabric (fabric.h) depend
 * on neither: so such a fabric is one whose routes are not known.
 *
 * A switch may lie, change while it is asked, or mean something else than we read:
 * no switch was there to try it.  So an answer that contradicts another is not used.
 * In particular the port of each LID for static traffic must be in the LID's group: the
 * first bit of a group is port 0, or else port 1.
 */
#ifndef SFAB_ADAPTIVE_H
#define SFAB_ADAPTIVE_H

#include <stdint.h>

#include "core/fabric/fabric.h"
#include "io/ar_traits.h"
#include "io/wire/wire.h"

#define SFAB_AR_GROUPS 4096u	/* 12 bits of an entry */

struct sfab_ar_group {
	uint8_t n;		/* 0: not in use */
	uint8_t port[SFAB_SWITCH_PORTS_MAX + 1];	/* ascending */
};

struct sfab_ar_tables {		/* 1.2 MB */
	unsigned traits;	/* bits, by enum sfab_ar_trait */
	uint32_t nlids;		/* entries, from LID 0 */
	uint8_t port[SFAB_IB_LID_MAX + 1];	/* SFAB_PORT_NONE: no route */
	uint16_t group[SFAB_IB_LID_MAX + 1];	/* 1 + its group; 0: static */
	struct sfab_ar_group groups[SFAB_AR_GROUPS];
	char why[128];		/* what is not clear; "": nothing */
};

/* A switch's table in the last sweep.  Begins as zeros, but for ->entry. */
struct sfab_ar_past {
	uint32_t *entry;	/* as they came, room for all LIDs of the switch; the caller's */
	uint32_t nlids;		/* entries; 0: none are known */
	uint64_t plain;		/* hash of its static table */
	unsigned turn;		/* the part that is asked for next */
};

/*
 * Ask the switch @node through @channel.  @past is renewed; NULL: ask for
 * all.  @t is complete after SFAB_AR_ON.  After SFAB_AR_MUTE and SFAB_AR_UNCLEAR ->why is
 * one clause, whose subject is the switch; then ->nlids is 0, or the rest is the first of
 * several tables.
 */
enum sfab_ar_answer sfab_adaptive_read(const struct sfab_smp_channel *channel,
				       const struct sfab_wire_node *node,
				       struct sfab_ar_past *past, struct sfab_ar_tables *t);

#endif
