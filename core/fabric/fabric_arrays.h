/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fabric_arrays.h - how to construct a fabric from its arrays; for the builder and the snapshot
 * decoder only
 *
 * Whoever constructs a fabric allocates in mem and fills in what cannot be derived, in the
 * order that fabric.h prescribes:
 *
 *   counts     nplanes, nswitches, nhosts, nports, nlinks; adaptive, time, source
 *   planes     name, sm_guid, engine, asked, lid_end
 *   switches   guid, name, plane, lid, nports, has_lft, lft, lft_group, groups
 *   hosts      name, role
 *   ports      guid, node_guid, desc, host, plane, lid, lmc, num
 *   links      everything
 *
 * Tables and groups need the entries of LIDs, so they come last: they are made between
 * sfab_fabric_index_nodes() and sfab_fabric_index(), which check everything and derive the
 * rest.
 */
#ifndef SFAB_FABRIC_ARRAYS_H
#define SFAB_FABRIC_ARRAYS_H

#include "core/fabric/fabric.h"

/* Create an empty fabric.  NULL: out of memory. */
struct sfab_fabric *sfab_fabric_create(void);

/*
 * Check planes, switches, hosts and ports, also their order, and number the LIDs.  SFAB_EFORMAT
 * with the object's name, SFAB_ENOMEM.
 */
int sfab_fabric_index_nodes(struct sfab_fabric *f, struct sfab_err *err);

/* Compare for qsort(): links of switches by switch and port, then inject links. */
int sfab_fabric_link_cmp(const void *a, const void *b);

/*
 * Check the links and derive everything else.  Errors are those of sfab_fabric_index_nodes().
 * Table entries are not checked: a route reports an entry whose port does not exist as a dead
 * end.
 */
int sfab_fabric_index(struct sfab_fabric *f, struct sfab_err *err);

#endif
