/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mix.h - what jobs send, and how many of them
 *
 * Written "SHARE:TRAFFIC,...", TRAFFIC as in a hint or "off":
 *
 *   0.5:mpi=1,0.3:io-write@scratch=0.4,0.2:off
 *
 * Shares are relative; they need not sum to 1.
 */
#ifndef SFAB_REPLAY_MIX_H
#define SFAB_REPLAY_MIX_H

#include <stdint.h>

#include "../../core/err.h"
#include "../../core/traffic.h"

enum job_class {
	JOB_MPI,
	JOB_NEIGHBOR,
	JOB_IO_WRITE,
	JOB_IO_READ,
	JOB_MIXED,		/* more than one class of traffic */
	JOB_SILENT,		/* none */
};
#define JOB_CLASSES 6
const char *job_class_name(enum job_class class);
enum job_class job_class_of(const struct sfab_traffic *t);

#define MIX_KINDS_MAX 16

struct mix {
	uint32_t n;
	struct {
		double upto;	/* sum of the shares so far / of all */
		struct sfab_traffic traffic;
	} kind[MIX_KINDS_MAX];
};

/* @shares: default share by class, NULL for the built-in ones. */
int mix_parse(struct mix *m, const char *text, const double *shares,
	      struct sfab_err *err);

/* The kind at @u, 0 <= u < 1. */
const struct sfab_traffic *mix_at(const struct mix *m, double u);

/* 1 if some kind does IO. */
int mix_has_io(const struct mix *m);

#endif
