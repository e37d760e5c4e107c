/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf_private.h - shared by the files of the conf reader
 *
 *   conf.c         text -> settings -> struct sfab_conf
 *   conf_option.c  Key=Value; see option.h
 *   conf_table.c   the keys
 *   conf_kinds.c   the kinds of value: parse and print
 *   conf_role.c    roles of hosts
 *   conf_ioset.c   the IoSet record, which has a table of its own
 *   conf_guess.c   IO servers for IoSet=auto; see conf_guess.h
 */
#ifndef SFAB_CONF_PRIVATE_H
#define SFAB_CONF_PRIVATE_H

#include "io/conf/conf.h"
#include "io/option.h"

extern const struct sfab_option sfab_conf_options[];
extern const struct sfab_option sfab_ioset_options[];	/* of an IoSet line */

extern const struct sfab_value_kind
	sfab_kind_traffic,	/* struct sfab_traffic; uses the conf's shares */
	sfab_kind_mix,		/* double[SFAB_NPATTERNS] */
	sfab_kind_weights,	/* double[SFAB_NTERMS] */
	sfab_kind_ids,		/* char *: "ID;ID", each line adds to it */
	sfab_kind_fabrics,	/* struct sfab_conf_pairs */
	sfab_kind_partitions,	/* struct sfab_conf_pairs */
	sfab_kind_roles,	/* struct sfab_conf_pairs */
	sfab_kind_ioset;	/* parse: base struct sfab_conf; print: the set */

/* Free what @set owns, not itself. */
void sfab_conf_ioset_free(struct sfab_conf_ioset *set);

/* Print a text, for kinds that are texts. */
void sfab_conf_print_text(const struct sfab_option *o, const void *base, FILE *out);

/* Add a copy of a pair.  -1: no memory. */
int sfab_conf_add_pair(struct sfab_conf_pairs *list, const char *name, const char *value,
		       struct sfab_err *err);
void sfab_conf_free_pairs(struct sfab_conf_pairs *list);
/* Return the value of the pair called @name, or NULL. */
const char *sfab_conf_find_pair(const struct sfab_conf_pairs *list, const char *name);
/* Parse a list of pairs, for kinds that are such lists. */
int sfab_conf_parse_pairs(const struct sfab_option *o, void *base, const char *text,
			  struct sfab_err *err);
/* Print a list of pairs, for kinds whose fields are struct sfab_conf_pairs. */
void sfab_conf_print_pairs(const struct sfab_option *o, const void *base, FILE *out);

#endif
