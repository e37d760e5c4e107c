/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hosts.h - hosts of a fabric: host lists <-> flags and ids */
#ifndef SFAB_HOSTS_H
#define SFAB_HOSTS_H

#include <stdint.h>

#include "../core/err.h"
#include "../core/fabric.h"

/*
 * Flags by host id ([nhosts], caller frees) of a hostlist; *@n gets how many.
 * A name given twice counts once.  NULL with *err.
 */
uint8_t *hosts_flags(const struct sfab_fabric *f, const char *hostlist,
		     uint32_t *n, struct sfab_err *err);

/* Ids of flagged hosts, ascending; @n of them.  Caller frees. */
uint32_t *hosts_ids(const struct sfab_fabric *f, const uint8_t *flags,
		    uint32_t n);

/* Names of hosts as one hostlist; caller frees. */
char *hosts_fold(const struct sfab_fabric *f, const uint32_t *host, uint32_t n);

#endif
