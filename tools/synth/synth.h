/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * synth.h - make fabrics as netlists for ibsim
 *
 * A tree has two levels (leaves, spines) or three (leaves and middle switches in pods, and as
 * many groups of spines as a pod has middle switches):
 *
 *     spines     S1 S2 | S3 S4        group g: the spines of middle switch g
 *                 |  \    /  |
 *     middle     M1   M2   M3  M4     toplinks cables to each spine of the group
 *                 | \/ |    | \/ |
 *     leaves     L1   L2   L3   L4    links cables to each middle switch
 *                (pod 1)   (pod 2)
 *
 * Ports of a leaf: 1..leaf are its hosts, then come the uplinks in order of the switch above.
 * A host with several ports has as many of these in a row.  Ports of a switch above: the
 * switches below in order, then uplinks.  Hosts use the first ports of a leaf; fill says how
 * many.  IO hosts have the last numbers; the others are numbered along leaves and ports.  GUIDs
 * follow from the numbers.  Only place=random is random, and it repeats for the same seed.
 */
#ifndef SFAB_SYNTH_H
#define SFAB_SYNTH_H

#include <stdint.h>
#include <stdio.h>

#include "core/err.h"
#include "core/fabric/fabric.h"

#define SYNTH_WORD 16	/* bytes of a word in a specification, with NUL */

enum synth_layout {		/* of the IO hosts */
	SYNTH_LAST,	/* last host port of the first leaves */
	SYNTH_MOVED,	/* the same leaves, port 1, 2, ... of the leaf */
	SYNTH_PACKED,	/* all host ports of the first leaves */
	SYNTH_RANDOM,	/* anywhere, by seed */
};

enum synth_fill {
	SYNTH_EVEN,	/* all leaves alike; the first ones may have one more */
	SYNTH_FIRST,	/* leaf after leaf to the last port */
};

struct synth_spec {
	uint32_t hosts;			/* IO hosts included */
	uint32_t radix;			/* ports of every switch */
	uint32_t levels;		/* 2 or 3 */
	uint32_t leaf;			/* host ports of a leaf */
	uint32_t ports;			/* of a host, all on its leaf, in one block */
	uint32_t leaves;		/* in all */
	uint32_t taper;			/* host ports per uplink, for defaults only */
	uint32_t pods;			/* 3 levels; else 1 */
	uint32_t mids;			/* middle switches of a pod; 2 levels: 0 */
	uint32_t spines;		/* in all */
	uint32_t links;			/* cables from a leaf to each switch above */
	uint32_t toplinks;		/* cables from a middle switch to each spine above */
	uint32_t io;			/* IO hosts */
	uint32_t seed;			/* place=random */
	enum synth_layout layout;	/* key place */
	enum synth_fill fill;
	char speed[SYNTH_WORD];		/* "QDR" */
	char prefix[SYNTH_WORD];	/* of host names */
	char chip[SYNTH_WORD];		/* of switch names */
};

/* A named fabric: the text of its specification and its source. */
struct synth_named {
	const char *name, *text, *doc;
};
extern const struct synth_named synth_fabrics[];	/* ends with NULL */

/*
 * Read "NAME[:KEY=VALUE,...]": the named fabric with these keys changed.  Keys that neither
 * gives are derived from the others.  SFAB_EFORMAT: text that does not have that form.
 * SFAB_ENOENT: an unknown fabric or key.  SFAB_EINVAL: an impossible tree.
 */
int synth_parse(const char *text, struct synth_spec *spec, struct sfab_err *err);

/* Return the number of switches of the tree. */
uint32_t synth_nswitches(const struct synth_spec *spec);

/* Make the tree with all its cables, and no routes; the caller destroys it. */
struct sfab_fabric *synth_fabric(const struct synth_spec *spec);

/* Write the netlist of that fabric as ibnetdiscover prints it.  The caller checks ferror(@out). */
void synth_write_net(const struct synth_spec *spec, const struct sfab_fabric *f, FILE *out);
/* Write the IO hosts as a host list on one line; an empty line if there are none. */
void synth_write_io(const struct synth_spec *s, const struct sfab_fabric *f, FILE *out);
/* Write a node-name map of switches and hosts. */
void synth_write_map(const struct synth_spec *spec, const struct sfab_fabric *f, FILE *out);

#endif
