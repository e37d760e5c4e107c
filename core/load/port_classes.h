/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * port_classes.h - port classes: end ports that the leaves reach over the same uplink
 *
 * At a leaf, two destinations share an uplink exactly if the leaf sends both out of that
 * uplink.  Many routing engines choose nearly alike on all leaves (by the port's number on its
 * leaf, or by LIDs in turn).  The choice is then a property of the destination:
 *
 * 	                 n1 n2 n3   n4 n5 n6   n7 n8 n9
 * 	leaf 1 sends by   .  .  .    a  b  c    a  b  c
 * 	leaf 2            x  y  z    .  .  .    x  y  z	classes: n1 n4 n7,
 * 	leaf 3            r  s  t    r  s  t    .  .  .	n2 n5 n8, n3 n6 n9
 *
 * If a job uses the same classes on each of its leaves, every uplink carries one destination of
 * each other leaf.  Jobs on other classes of the same leaves share no link with it.  Classes
 * are learned from the tables alone.  Two ports are in one class if most leaves send both over
 * the same uplink; only leaves that both ports are up from count.  A few leaves that differ,
 * for example because a cable is missing, do not change a class.
 *
 * A switch with less than a quarter of the hosts of the fullest leaf does not count as a leaf
 * here (a spine may have a host).  There are no classes where routes do not go up (a torus),
 * where they are split over port groups, and where leaves do not agree (random tables).  Leaves
 * do not agree if, over all pairs of a leaf and an end port, at most SFAB_CLASSES_AGREE of them
 * use the uplink that the leaf has for the port's class.  Ports on a single leaf never form a
 * class.
 */
#ifndef SFAB_PORT_CLASSES_H
#define SFAB_PORT_CLASSES_H

#include <stdint.h>

#include "core/err.h"
#include "core/load/model.h"

#define SFAB_CLASSES_AGREE 0.6
#define SFAB_CLASS_VOTERS 256	/* leaves that vote, evenly spread */

struct sfab_port_class {
	uint32_t plane;
	uint32_t nports, nleaves;	/* number of end ports, and of leaves that they are on */
	double agreement;		/* part of its (leaf, port) pairs that use its uplink */
};

struct sfab_port_classes {
	uint32_t nports;
	uint32_t nclasses;		/* by plane, then first port in leaf order */
	struct sfab_port_class *class;
	uint32_t *class_of;		/* [nports] class of an end port, or SFAB_NONE */
	double *agreement;		/* by plane: this part over all its ports, in a class or
					   not; -1: no leaf sends up by single ports */
	struct sfab_arena arena;	/* holds all arrays above */
};

/*
 * Learn the classes of all planes of @m, to which no reference is kept.  O(ports x voting
 * leaves x uplinks), plus one route for each port and voting leaf.  NULL: SFAB_ENOMEM.
 */
struct sfab_port_classes *sfab_port_classes_learn(const struct sfab_model *m,
						  struct sfab_err *err);
void sfab_port_classes_destroy(struct sfab_port_classes *c);	/* NULL is fine */

#endif
