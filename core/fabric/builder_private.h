/* SPDX-License-Identifier: GPL-2.0-or-later */
/* builder_private.h - what the builder collects and freeze.c turns into a fabric */
#ifndef SFAB_BUILDER_PRIVATE_H
#define SFAB_BUILDER_PRIVATE_H

#define HASH_NONFATAL_OOM 1
#define uthash_nonfatal_oom(elt) ((elt)->unhashed = 1)
#include <uthash.h>

#include "core/fabric/builder.h"
#include "core/fabric/lid_pages.h"

struct built_origin {
	const char *file;	/* NULL: no source */
	unsigned line;
};

struct built_node_key {
	uint64_t guid;
	uint64_t plane;
};

struct built_node {			/* a switch, or a GUID that was named but not yet
				   defined */
	struct built_node_key key;
	int is_switch;
	unsigned facts;			/* enum sfab_switch_fact */
	const char *name;
	unsigned nports, lid;
	unsigned lmc;			/* of port 0 */
	int has_lmc;			/* a source gave it */
	struct built_origin origin;	/* of the switch */
	struct built_origin lft_origin;
	unsigned row_lid, row_line;	/* one entry and its line; 0: not known */
	int has_lft;
	struct sfab_lid_pages lft;	/* ports; groups + 1, 0: use the port */
	struct sfab_group *group;	/* all different */
	uint32_t ngroups;
	uint32_t id;			/* switch id, set by freeze */
	int unhashed;			/* set by uthash: out of memory, not in the hash */
	UT_hash_handle hh;
};

struct built_port_key {
	uint64_t node_guid;
	uint32_t plane, num;
};

struct built_port {
	struct built_port_key key;
	uint64_t port_guid;
	const char *desc, *host;
	unsigned lid, lmc;
	int is_router;
	int is_named;		/* the host name was given, not taken from desc */
	struct built_origin origin;
	uint32_t id;		/* end port id, set by freeze */
	int unhashed;
	int had_name;		/* 1: its host had the same name in the past */
	UT_hash_handle hh;
};

struct built_cable {			/* one direction */
	uint32_t plane;
	uint64_t guid, to_guid;
	unsigned num, to_num;
	double capacity;
	enum sfab_cable state;
	struct built_origin origin;
};

struct built_plane {
	struct sfab_plane result;	/* of the fabric; derived members are not set */
	int has_wide_lids;
	const uint8_t *marks;		/* by LID: enum lid_marks, set by freeze */
};

enum lid_marks {
	LID_OWNED = 1,		/* also those after the first LID of a switch, which are routed
				   but never used */
	LID_ROUTED = 2,		/* by any table; only while LMCs are not known */
};

struct sfab_builder {
	unsigned flags;
	int forget_unknown;
	uint64_t forgotten;		/* entries, counted by freeze */
	enum sfab_adaptive adaptive;
	uint64_t time;
	const char *source;
	struct built_origin origin;
	struct built_plane *plane;
	uint32_t nplanes;
	struct built_node *nodes;	/* hash, and a list that freeze sorts */
	struct built_port *eports;	/* hash, and a list that freeze sorts */
	struct built_cable *cable;
	uint32_t ncables;
	const struct sfab_fabric *past;
	struct sfab_arena mem;		/* nodes, end ports, their texts and groups; the fabric
					   takes it over */
	struct sfab_arena scratch;	/* marks */
};

/* Fail with "FILE:LINE: " before the text. */
int sfab_builder_fail(const struct built_origin *origin, struct sfab_err *err,
		      enum sfab_errcode code, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));

/* Return the file and line of the entry of @lid in the table of @n, as far as they are known. */
struct built_origin sfab_builder_entry_at(const struct built_node *n, unsigned lid);

/* Return the fabric's state, from sources, switches and engines (builder_adaptive.c). */
enum sfab_adaptive sfab_builder_adaptive_state(const struct sfab_builder *b);

/* Replace SFAB_LMC_UNKNOWN everywhere, and mark LIDs (lmc.c). */
int sfab_builder_find_lmcs(struct sfab_builder *b, struct sfab_err *err);

/* Name hosts by GUID if they share their description (builder_names.c). */
int sfab_builder_name_twins(struct sfab_builder *b, struct sfab_err *err);

/* Return the highest LID that @plane may have.  Pages of tables end there, too. */
unsigned sfab_builder_lid_max(const struct sfab_builder *b, uint32_t plane);

/*
 * Find or create the node of (plane, guid), for a call that concerns the @span LIDs from @lid
 * on.  NULL with *err: no such plane or LIDs, or no memory.
 */
struct built_node *sfab_builder_node(struct sfab_builder *b, uint32_t plane, uint64_t guid,
				     unsigned lid, unsigned span, struct sfab_err *err);

/* Find the node of (plane, guid), a switch or an end node.  NULL: not given yet. */
struct built_node *sfab_builder_find_node(const struct sfab_builder *b, uint32_t plane,
					  uint64_t guid);
/* Find end port @num of a node.  NULL: not given yet. */
struct built_port *sfab_builder_find_eport(const struct sfab_builder *b, uint32_t plane,
					   uint64_t guid, unsigned num);

#endif
