/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spine.h - which switches a human calls spines
 *
 * Those without hosts.  The aggregation node that a SHARP switch has inside is
 * an end port to the subnet manager and thus to the core, but no host to us.
 */
#ifndef SFAB_SPINE_H
#define SFAB_SPINE_H

#include <stdint.h>

#include "../core/fabric.h"

/* 1 if no host but SHARP nodes is cabled to switch @sw.  O(ports). */
int spine_is(const struct sfab_fabric *f, uint32_t sw);

#endif
