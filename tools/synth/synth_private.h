/* SPDX-License-Identifier: GPL-2.0-or-later */
/* synth_private.h - switches and their ports, while a fabric is wired */
#ifndef SFAB_SYNTH_PRIVATE_H
#define SFAB_SYNTH_PRIVATE_H

#include "tools/synth/synth.h"

struct tree_end {		/* what is plugged into a switch port */
	uint32_t sw;		/* switch, or UINT32_MAX */
	uint32_t host;		/* host, or UINT32_MAX */
	uint32_t port;		/* port number at the other end */
};

struct seat {			/* where a host is */
	uint32_t sw, port;
};

struct sfab_synth {
	struct sfab_synth_spec spec;
	uint32_t nmids, nswitches;
	struct tree_end *end;	/* [nswitches * radix], port 1 first */
	struct seat *seat;	/* [hosts] */
};

#endif
