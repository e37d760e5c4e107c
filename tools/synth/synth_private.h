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
	uint8_t *is_io;		/* [leaves * leaf]: IO hosts by leaf and port */
};

void sfab_synth_join(struct sfab_synth *t, uint32_t a, uint32_t a_port,
		     uint32_t b, uint32_t b_port);

/* @n cables from each of @nlow switches to each of @nhigh, block by block. */
void sfab_synth_join_layers(struct sfab_synth *t, uint32_t low, uint32_t nlow,
			    uint32_t low_port, uint32_t high, uint32_t nhigh,
			    uint32_t high_port, uint32_t n);

/* Sizes of the dimensions of a torus: their number, or 0 if @text is not AxBx... */
uint32_t sfab_synth_dims(const char *text, uint32_t size[SFAB_SYNTH_DIMS]);

/*
 * Wire the switches of a fabric without levels, whose hosts are seated.  -1 with
 * *err: SFAB_ENOMEM, or SFAB_EINVAL if no random graph was found.
 */
int sfab_synth_wire_torus(struct sfab_synth *t);
int sfab_synth_wire_dragonfly(struct sfab_synth *t);
int sfab_synth_wire_dragonfly_plus(struct sfab_synth *t);
int sfab_synth_wire_random(struct sfab_synth *t, struct sfab_err *err);

#endif
