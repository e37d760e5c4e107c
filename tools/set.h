/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * set.h - what the user calls a set of hosts -> flags
 *
 * A SET is, in this order: a role ("all", "compute", "io"), the name of an IO
 * set, or a hostlist as Slurm writes it.
 */
#ifndef SFAB_SET_H
#define SFAB_SET_H

#include <stdint.h>

#include "../core/err.h"
#include "site.h"

/*
 * Flags by end port id ([nports], caller frees) of all ports of the SET's
 * hosts ("all": the nodes inside SHARP switches too); of an IO set only its
 * member ports.  NULL with *err: a host is not in
 * the fabric, the set is empty or cannot be read.
 */
uint8_t *set_ports(const struct site *site, const char *text,
		   struct sfab_err *err);

/*
 * Flags by host id ([nhosts], caller frees) of a hostlist; *@n gets how many.
 * A name given twice counts once.  NULL with *err.
 */
uint8_t *set_hosts(const struct sfab_fabric *f, const char *hostlist,
		   uint32_t *n, struct sfab_err *err);

/* Names of flagged hosts as one hostlist; caller frees. */
char *set_fold(const struct sfab_fabric *f, const uint8_t *hosts);
char *set_fold_ids(const struct sfab_fabric *f, const uint32_t *host,
		   uint32_t n);

#endif
