/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * roles.h - what each host is, and who says so
 *
 * The first of these that says something counts:
 *
 *     io-set     it has a port in an IO set
 *     Role       Role lines of sfabric.conf, or --compute
 *     script     sfabric.lua
 *     fabric     a switch's own node; the host of the subnet manager
 *     Slurm      slurm.conf: its nodes are compute nodes, other hosts are not
 *     name       a word in the host's name: login, oss, mgmt ...
 *     default    compute
 *
 * The plugin needs neither Slurm's nodes nor names: Slurm tells it which nodes a job may have.
 * So these two change what commands choose from, and nothing in the model.
 */
#ifndef SFAB_ROLES_H
#define SFAB_ROLES_H

#include <stdint.h>

#include "core/load/ioset.h"
#include "io/conf/conf.h"

enum role {
	ROLE_COMPUTE, ROLE_LOGIN, ROLE_IO, ROLE_MANAGEMENT, ROLE_ROUTER,
	ROLE_SHARP, ROLE_OTHER,
};
#define NROLES 7

enum role_source {
	BY_DEFAULT, BY_NAME, BY_SLURM, BY_FABRIC, BY_SCRIPT, BY_CONF, BY_IO_SET,
};

/* "compute", "io", ...; constant. */
const char *role_name(enum role role);
/* -1: no role has that name. */
int role_find(const char *name);
const char *role_source_name(enum role_source source);

struct roles {
	uint8_t *role;		/* [hosts] enum role */
	uint8_t *source;	/* [hosts] enum role_source */
	uint32_t nnamed;	/* hosts that are not compute by their name alone */
	uint32_t named_host;	/* one of them */
};

/* What the roles are found from; all borrowed. */
struct role_facts {
	const struct sfab_fabric *f;	/* with the roles of conf and script */
	const uint8_t *snapshot_role;	/* [hosts] without conf and script */
	const struct sfab_iosets *io;	/* NULL: none */
	const struct sfab_conf *conf;
	int has_script;
	const char *nodes;		/* Slurm's, a hostlist; NULL: not known */
};

/*
 * Find the role of each host.  Slurm's nodes are ignored if fewer than half of them are hosts
 * of the fabric: slurm.conf is then another cluster's.  A word that is in the names of more
 * than half of the hosts says nothing.  O(hosts log hosts).
 */
void roles_find(struct roles *r, const struct role_facts *facts);
void roles_free(struct roles *r);		/* twice is fine */

/*
 * The nodes in slurm.conf as a hostlist, or NULL: there is no such file, or it cannot be read.
 * Look at $SLURM_CONF, else where Slurm looks.  Caller frees.
 */
char *roles_slurm_nodes(void);

#endif
