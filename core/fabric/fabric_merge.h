/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fabric_merge.h - join several fabrics of one cluster: rails, a storage fabric
 *
 * Planes are numbered in the order given.  Hosts of the same name become one host with ports in
 * several planes.
 */
#ifndef SFAB_FABRIC_MERGE_H
#define SFAB_FABRIC_MERGE_H

#include <stdint.h>

#include "core/err.h"
#include "core/fabric/fabric.h"

#define SFAB_MERGE_MAX 64	/* total number of planes */

/*
 * Merge @n fabrics.  @name[i] names the planes of @f[i] that have no name ("a", or "a.1", "a.2"
 * if there are several).  The time is that of the oldest fabric.  NULL with *err: SFAB_ELIMIT,
 * SFAB_EFORMAT (a port GUID is in two fabrics: one was given twice), SFAB_ENOMEM.  The caller
 * destroys the result.  O(size of all tables).
 */
struct sfab_fabric *sfab_fabric_merge(const struct sfab_fabric *const *f,
				      const char *const *name, uint32_t n,
				      struct sfab_err *err);

#endif
