/* SPDX-License-Identifier: GPL-2.0-or-later */
/* snapshots.h - snapshots to write, read and damage in unit tests */
#ifndef SFAB_TEST_SNAPSHOTS_H
#define SFAB_TEST_SNAPSHOTS_H

#include "io/snapshot.h"
#include "tests/unit/made.h"

/* Shapes that between them have planes, LMC, groups; the last has all. */
#define NSHAPES 7
extern const struct made snapshot_shapes[NSHAPES];

/* What sfab_snapshot_take() gives; a failure fails the test. */
struct sfab_snapshot *take_snapshot(struct sfab_fabric *f,
				    struct sfab_iosets *io);

/* Of a made fabric, with an IO set of each map. */
struct sfab_snapshot *made_snapshot(const struct made *m);

/*
 * What regular fabrics lack: a down link, unequal speeds, a host without a
 * cable, a switch without table and LID, names that need care.
 */
struct sfab_snapshot *odd_snapshot(void);

struct file {
	uint8_t *buf;		/* caller frees */
	size_t size;
};
struct file encode_snapshot(const struct sfab_snapshot *s);

#endif
