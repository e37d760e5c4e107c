/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mix.h - what jobs send, and how many jobs send it
 *
 * Written "SHARE:TRAFFIC[:NAME[:SENSITIVITY]],...".  TRAFFIC is as in a hint, or "off" for jobs
 * that send nothing and say so:
 *
 *   0.5:mpi=1,0.3:io-write@scratch=0.4:dump,0.2:mpi=0.6:fluent:0.3
 *
 * Shares are relative; they need not sum to 1.  NAME is the jobs' name, for sfabric.lua.  Where
 * the fabric is S times as slow, a job of SENSITIVITY s (0..1, default 1) takes 1 + s (S - 1)
 * times as long: s is the fraction of its time that it waits for the network.
 */
#ifndef SFAB_REPLAY_MIX_H
#define SFAB_REPLAY_MIX_H

#include <stdint.h>

#include "core/err.h"
#include "core/load/traffic.h"

/* The kind of a job by what it sends: one class of traffic (enum sfab_class), or one of these. */
enum {
	JOB_MIXED = SFAB_NCLASSES,	/* more than one */
	JOB_SILENT,			/* none */
	JOB_CLASSES,
};
const char *mix_class_name(unsigned class);
unsigned mix_class_of(const struct sfab_traffic *t);

#define MIX_KINDS_MAX 16

#define MIX_NAME_MAX 31		/* bytes */
#define MIX_SILENT "mpi=0"	/* the hint of a job that sends nothing */

struct mix_kind {
	double share_end;		/* sum of the shares up to this kind, as a part of all */
	struct sfab_traffic traffic;
	char name[MIX_NAME_MAX + 1];	/* "": none */
	double sensitivity;
};

struct mix {
	uint32_t n;
	struct mix_kind kind[MIX_KINDS_MAX];
};

/* Parse a mix.  @shares: default share by class; NULL: the built-in shares. */
int mix_parse(struct mix *m, const char *text, const double *shares, struct sfab_err *err);

/* Return the kind at @u, 0 <= u < 1: each kind has its share of that range. */
const struct mix_kind *mix_at(const struct mix *m, double u);

/* Does any kind do IO? */
int mix_has_io(const struct mix *m);

#endif
