/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * gres_text.h - generic resources as sbatch and scontrol write them
 *
 *     gpu   gpu:2   gpu:a100:4(S:0-1)   disk:big:1K,gpu:2(IDX:0,1)
 *
 * A name, an optional type, a count (default 1; K, M, G, T are powers of 1,024).  Text in
 * parentheses is ignored.
 */
#ifndef SFAB_GRES_TEXT_H
#define SFAB_GRES_TEXT_H

#include <stddef.h>
#include <stdint.h>

/* Can the list be read?  NULL is an empty list. */
int gres_text_is_valid(const char *list);

/*
 * Are the devices that @wanted names free on a node with devices @all, of which @used are held?
 * Any may be NULL: none.  @wanted must be readable.
 */
int gres_text_fits(const char *wanted, const char *all, const char *used);

/* Is there any device in the list?  NULL has none. */
int gres_text_has_any(const char *list);

/*
 * Divide @times the devices of @list evenly among @nodes nodes, and write the share of each as
 * a list.  -1: they do not divide, or @text of @size bytes is too short.
 */
int gres_text_share(const char *list, uint32_t times, uint32_t nodes, char *text, size_t size);

#endif
