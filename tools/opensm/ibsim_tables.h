/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ibsim_tables.h - the LIDs and forwarding tables that a simulated fabric holds
 *
 * OpenSM's own dump of the tables takes a third of its time and 80 bytes an entry.  ibsim's
 * console command "Dump" prints what OpenSM set, in a tenth of both.
 */
#ifndef SFAB_IBSIM_TABLES_H
#define SFAB_IBSIM_TABLES_H

#include "core/fabric/builder.h"

struct ibsim_lid {
	uint64_t guid;		/* of the node */
	unsigned num;		/* of its port; 0: a switch */
	uint32_t lid;		/* the first of 2^lmc */
	uint32_t lmc;
};

struct ibsim_lids {
	uint32_t n;
	struct ibsim_lid *list;	/* by GUID and number */
};

/*
 * Read the output of ibsim after "Dump" at @path, and add its tables to plane @plane of @b.
 * @lids gets the LIDs of all ports that OpenSM reached; the caller frees it.  Switches that it
 * did not reach have no table.  SFAB_EFORMAT with the line, also if the end is missing.
 */
int ibsim_tables_read(struct sfab_builder *b, uint32_t plane, const char *path,
		      struct ibsim_lids *lids, struct sfab_err *err);

/* Return the LID of a port, or NULL: OpenSM did not reach it. */
const struct ibsim_lid *ibsim_lid_of(const struct ibsim_lids *lids, uint64_t guid, unsigned num);

#endif
