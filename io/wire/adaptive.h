/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * adaptive.h - what a switch tells about adaptive routing
 *
 * The questions are NVIDIA's vendor-specific attributes of subnet management.  Their layouts
 * are those of ib_types.h of NVIDIA's OpenSM (GPL 2 or BSD), and for 0xff20, 0xff21 and 0xff23
 * also of nvsdm.h and of mstflint.
 *
 * Number of questions:
 *
 *     1                    a switch that does not know them, or does not adapt
 *     2                    any other switch, and in addition
 *     1 per 16 LIDs        its table
 *     1 per 2 sub-groups   its groups in use
 *     1 per 4 ports        the map of its private tables, if it has such
 *
 * If the table is known from the last sweep, the static table (1 per 64 LIDs) and an eighth of
 * the table are asked for instead.  A change that the static table does not show is then seen
 * up to seven sweeps later.  Only the entry of a LID tells whether it is static, and which
 * group it uses.  Blocks of 64 LIDs that nobody has are not asked for.
 *
 * Only the first of the private tables is read.  Which one routes a packet depends on the port
 * by which it came in and on its service level.  Routes of a fabric (fabric.h) depend on
 * neither, so the routes of such a fabric count as not known.
 *
 * A switch may lie, change while it is asked, or mean something else than we read: we had no
 * such switch to try this.  So an answer that contradicts another is not used.  In particular
 * the port of each LID for static traffic must be in the LID's group; it tells whether the
 * first bit of a group is port 0 or port 1.
 */
#ifndef SFAB_ADAPTIVE_H
#define SFAB_ADAPTIVE_H

#include <stdint.h>

#include "core/fabric/fabric.h"
#include "io/ar_traits.h"
#include "io/wire/wire.h"

#define SFAB_AR_GROUPS 4096u	/* 12 bits of an entry */

struct sfab_ar_group {
	uint8_t n;					/* 0: not in use */
	uint8_t port[SFAB_SWITCH_PORTS_MAX + 1];	/* ascending */
};

struct sfab_ar_tables {		/* 1.2 MB */
	unsigned traits;			/* bits, by enum sfab_ar_trait */
	uint32_t nlids;				/* entries, from LID 0 */
	uint8_t port[SFAB_IB_LID_MAX + 1];	/* SFAB_PORT_NONE: no route */
	uint16_t group[SFAB_IB_LID_MAX + 1];	/* 1 + its group; 0: static */
	struct sfab_ar_group groups[SFAB_AR_GROUPS];
	char reason[128];			/* what is not clear; "": nothing */
};

/* A switch's table in the last sweep.  All but entry is zero before the first one. */
struct sfab_ar_past {
	uint32_t *entry;	/* of all LIDs of the switch, as they came; owned by the caller */
	uint32_t nlids;		/* number of entries; 0: none are known */
	uint64_t static_hash;	/* hash of its static table */
	unsigned turn;		/* the part that is asked for next */
};

/*
 * Ask the switch @node through @channel, and update @past (NULL: ask for everything).  @t is
 * complete after SFAB_AR_ON.  After SFAB_AR_MUTE and SFAB_AR_UNCLEAR t->reason is a clause
 * whose subject is the switch, and @t has no entries, or those of the first of several tables.
 */
enum sfab_ar_answer sfab_adaptive_read(const struct sfab_smp_channel *channel,
				       const struct sfab_wire_node *node,
				       struct sfab_ar_past *past, struct sfab_ar_tables *t);

#endif
