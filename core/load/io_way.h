/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * io_way.h - the links by which hosts write to IO sets, whoever writes
 *
 * Suppose that all compute hosts write at once, as much as the servers take.  The
 * fullness X/C of each switch-to-switch link is its way.  Where the tables send IO
 * by few links, those have a high way and the others 0: jobs that talk among
 * themselves can keep off them before anybody writes.  Where IO goes by all links,
 * the ways are all alike and prefer nothing.
 *
 * A leaf's hosts write by the map of its first compute host.  Only writes count:
 * data that is read comes by as many links as there are readers.
 */
#ifndef SFAB_IO_WAY_H
#define SFAB_IO_WAY_H

#include "core/load/model.h"

#define SFAB_IO_WAY_VIEWS 8	/* leaves from which a host is looked at */

struct sfab_io_way {
	double *link;	/* by link: X/C if all hosts write, 0..1 */
	double *host;	/* by host: the fullest of these on its ways from other leaves,
			   in the mean */
};

/*
 * Both stay NULL without IO sets.  -1: out of memory.
 * O(IO ports x leaves x hops + hosts x SFAB_IO_WAY_VIEWS x hops).
 */
int sfab_io_way_init(struct sfab_io_way *way, const struct sfab_model *m);
void sfab_io_way_free(struct sfab_io_way *way);

#endif
