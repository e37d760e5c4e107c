/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hosts.h - hosts of a fabric: host lists <-> flags and ids */
#ifndef SFAB_HOSTS_H
#define SFAB_HOSTS_H

#include <stdint.h>

#include "core/err.h"
#include "core/fabric/fabric.h"

/* The host of that name, or SFAB_NONE with *err (SFAB_ENOENT) that suggests the nearest name. */
uint32_t hosts_find(const struct sfab_fabric *f, const char *name, struct sfab_err *err);

/*
 * Flags by host id ([nhosts], caller frees) of a hostlist; *@n is how many.  A name given twice
 * counts once.  NULL with *err.
 */
uint8_t *hosts_flags(const struct sfab_fabric *f, const char *hostlist,
		     uint32_t *n, struct sfab_err *err);

/* As hosts_flags(), but a name that is no host of the fabric is counted and not an error. */
struct hosts_unknown {
	uint32_t names;		/* in the list */
	uint32_t n;		/* names of no host */
	char name[256];		/* the first one */
};
uint8_t *hosts_known(const struct sfab_fabric *f, const char *hostlist,
		     struct hosts_unknown *unknown, struct sfab_err *err);

/* Ids of the flagged hosts, ascending; @n of them.  Caller frees. */
uint32_t *hosts_ids(const struct sfab_fabric *f, const uint8_t *flags, uint32_t n);

/* Write the ids of hosts whose @key (by host) is @k to @host, ascending.  Return how many. */
uint32_t hosts_of_key(const struct sfab_fabric *f, const uint32_t *key, uint32_t k, uint32_t *host);

/* Names of hosts as one hostlist; caller frees. */
char *hosts_fold(const struct sfab_fabric *f, const uint32_t *host, uint32_t n);

/*
 * How many leaf switches these hosts are on: with their first cabled ports, as placement
 * counts, or with all ports.  Hosts that are not cabled are on none.  O(leaves + ports).
 */
enum hosts_ports { HOSTS_FIRST_PORTS, HOSTS_ALL_PORTS };
uint32_t hosts_leaves(const struct sfab_fabric *f, const uint32_t *host, uint32_t n,
		      enum hosts_ports ports);

#endif
