/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * classes.h - port classes: end ports to which the leaves send by the same uplink
 *
 * From a leaf two destinations meet on an uplink exactly if the leaf sends both up
 * by it.  Many engines make nearly the same choice on all leaves (by the number of a
 * port on its leaf, or by LIDs in turn), so that it is one of the destination:
 *
 *	                 n1 n2 n3   n4 n5 n6   n7 n8 n9
 *	leaf 1 sends by   .  .  .    a  b  c    a  b  c
 *	leaf 2            x  y  z    .  .  .    x  y  z	classes: n1 n4 n7,
 *	leaf 3            r  s  t    r  s  t    .  .  .	n2 n5 n8, n3 n6 n9
 *
 * A job on the same classes of each of its leaves has one destination of each other
 * leaf on an uplink, and jobs on other classes of the same leaves share no link with
 * it.  Classes are learned from the tables alone: two ports are of one class where
 * most leaves, of those that both are up from, send both by the same uplink.  A few
 * leaves that do otherwise, as where a cable is gone, change no class.
 *
 * Level 1 is the uplink of the leaf.  Where ways go up further, level 2 is that of
 * the switch above it, as seen from leaves outside of the pod (the switches that are
 * reached without it); its classes lie within those of level 1, and so on.  Up is
 * away from the leaves, of which a switch with less than a quarter of the hosts of
 * the fullest is none (a spine may have a host); what goes up comes down as far.
 *
 * A level has no classes where ways do not go up (a torus) or are shared over ports,
 * and where leaves do not agree (random tables): if, over all pairs of a leaf and an
 * end port, at most SFAB_CLASSES_AGREE are by the uplink that the leaf has for the
 * port's class.  A class of ports on one leaf alone is none.
 */
#ifndef SFAB_CLASSES_H
#define SFAB_CLASSES_H

#include <stdint.h>

#include "core/err.h"
#include "core/load/model.h"

#define SFAB_CLASS_LEVELS 4
#define SFAB_CLASSES_AGREE 0.6
#define SFAB_CLASS_VOTERS 256	/* leaves that are asked, evenly spread */

struct sfab_port_class {
	uint32_t plane, level;	/* level from 1 */
	uint32_t within;	/* class of the level below, SFAB_NONE at level 1 */
	uint32_t nports, nleaves;	/* how many end ports, on how many leaves */
	double agree;		/* of the pairs leaf and port, those by its uplink */
};

struct sfab_class_level {	/* of a plane */
	uint32_t plane, level;
	uint32_t class0, nclasses;	/* consecutive; 0: it has none */
	double agree;		/* over all its ports, of a class or not */
};

struct sfab_classes {
	uint32_t nports;
	uint32_t nlevels;	/* by plane, then level: those that have ways up */
	struct sfab_class_level *level;
	uint32_t nclasses;	/* by plane, level, then first port by leaf */
	struct sfab_port_class *class;
	uint32_t *of;		/* [(level - 1) * nports + port], or SFAB_NONE */
};

/*
 * Learn the classes of all planes of @m, of which nothing is kept.  Deterministic.
 * O(ports x leaves asked x uplinks), and one way for each port and leaf asked.
 * NULL: SFAB_ENOMEM.
 */
struct sfab_classes *sfab_classes_learn(const struct sfab_model *m,
					struct sfab_err *err);
void sfab_classes_destroy(struct sfab_classes *c);	/* NULL is fine */

/* Class of end port @port at @level (from 1), or SFAB_NONE. */
static inline uint32_t sfab_class_of(const struct sfab_classes *c, uint32_t level,
				     uint32_t port)
{
	return level > SFAB_CLASS_LEVELS ? SFAB_NONE :
	       c->of[(uint64_t) (level - 1) * c->nports + port];
}

#endif
