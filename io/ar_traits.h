/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ar_traits.h - what switches that adapt do beside choosing ports by load */
#ifndef SFAB_AR_TRAITS_H
#define SFAB_AR_TRAITS_H

#include <stdint.h>

enum sfab_ar_trait {
	SFAB_AR_HBF,		/* chooses by a hash of the packet's header */
	SFAB_AR_SHIELD,		/* leaves a port that fails before its tables change */
	SFAB_AR_PFRN,		/* tells other switches of links that failed */
	SFAB_AR_TRAITS
};

/* Masks of a switch that adapts for all packets; others may keep to the static ports. */
#define SFAB_AR_ALL_LEVELS 0xFFFFu	/* a bit for each service level */
#define SFAB_AR_DATA_TRANSPORTS 0xEu	/* bits of RC, UC and DC; bit 0 is UD */

#define SFAB_AR_TRAITS_SIZE 80	/* bytes that fit all texts */

/*
 * Write "HBF on 54, SHIELD on 54 of 54 switches" into @text, and return it: trait i is on
 * @switches[i] of @n switches.  "": no switch has any.
 */
char *sfab_ar_traits_text(const uint32_t switches[SFAB_AR_TRAITS], uint32_t n,
			  char text[SFAB_AR_TRAITS_SIZE]);

#endif
