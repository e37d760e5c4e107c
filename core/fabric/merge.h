/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * merge.h - several fabrics of one cluster as one: rails, a storage fabric
 *
 * The planes follow each other in the order given; hosts of the same name are
 * one host with ports in several planes.
 */
#ifndef SFAB_MERGE_H
#define SFAB_MERGE_H

#include <stdint.h>

#include "core/err.h"
#include "core/fabric/fabric.h"

#define SFAB_MERGE_MAX 64	/* planes in all */

/*
 * @name[i] names the planes of @f[i] that have no name ("a", or "a.1", "a.2"
 * if there are several).  The time is that of the oldest.  NULL with *err:
 * SFAB_ELIMIT, SFAB_EFORMAT (a port GUID in two of them: one fabric twice),
 * SFAB_ENOMEM.  O(size of all tables); caller destroys.
 */
struct sfab_fabric *sfab_fabric_merge(const struct sfab_fabric *const *f,
				      const char *const *name, uint32_t n,
				      struct sfab_err *err);

#endif
