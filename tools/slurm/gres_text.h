/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gres_text.h - generic resources as sbatch and scontrol write them
 *
 *     gpu   gpu:2   gpu:a100:4(S:0-1)   disk:big:1K,gpu:2(IDX:0,1)
 *
 * A name, perhaps a type, a count (1 if it is not said; K, M, G, T by 1,024);
 * what is in brackets does not matter.
 */
#ifndef SFAB_GRES_TEXT_H
#define SFAB_GRES_TEXT_H

/* Can the list be read?  NULL is no list, and can. */
int devices_known(const char *list);

/*
 * Has a node with devices @all, of which @used are held, those that @wish names
 * free?  Any may be NULL: none.  @wish can be read.
 */
int gres_text_fits(const char *wish, const char *all, const char *used);

#endif
