/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * short_name.h - names cut short as pictures do it
 *
 * Pictures leave out words that all names share: "SSPINE1-01" stands for
 * "MF0;ufm:MQM8700/SSPINE1-01".  A short name is some whole words of the full one.  Its last
 * words win over words inside.
 */
#ifndef SFAB_SHORT_NAME_H
#define SFAB_SHORT_NAME_H

#include <stdint.h>

#include "core/err.h"

#define SHORT_NAME_SHOWN 4	/* full names in an error */

struct short_name {
	const char *word;			/* as typed, borrowed */
	unsigned rank;				/* of those found; 0: none */
	uint32_t n;				/* different names of that rank */
	const char *names[SHORT_NAME_SHOWN];	/* borrowed */
};

/* Begin a search for the full name of @word, which is borrowed. */
struct short_name short_name_of(const char *word);

/* Offer a full name.  Names that are equal count as one.  O(length^2). */
void short_name_offer(struct short_name *s, const char *name);

/*
 * The result: 1 with the full name; 0: no name has these words; SFAB_EINVAL: several have, and
 * *err names them.
 */
int short_name_found(const struct short_name *s, const char **name, struct sfab_err *err);

#endif
