/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * io_mixing.h - do hosts talk to each other over the links by which they write?
 *
 * IO hosts on different ports get more, but then the routes between compute hosts
 * share links with writes.  If jobs write more than the servers take, and the
 * servers hold data back in the switches, such links fill up with it.  This
 * congestion tree then slows everything that crosses them.
 */
#ifndef SFAB_IO_MIXING_H
#define SFAB_IO_MIXING_H

#include <stdint.h>

#include "core/audit/io_moves.h"

#define SFAB_MIXING_LEAVES 64	/* sources that are looked at, evenly spread */

/*
 * Part (0..1) of the routes between compute hosts on different leaves that cross a
 * switch-to-switch link on the way of writes from any compute host to set @set; 0 if
 * there are no such routes.  @moves (NULL: none) are IO hosts that swap ports with
 * compute hosts before, on the present tables.  -1: SFAB_ENOMEM.
 * O((members + hosts) x leaves x hops).
 */
int sfab_io_mixing(const struct sfab_model *m, uint32_t set,
		   const struct sfab_moves *moves, double *part, struct sfab_err *err);

#endif
