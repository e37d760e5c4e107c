/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pager.h - long answers one screen at a time, as git shows them
 *
 * Only on a terminal, and only what does not fit on it.  The program is
 * $SFABRIC_PAGER, else $PAGER, else less; an empty name or "cat" means none.
 * $LESS defaults to FRX, so that colors are shown.
 */
#ifndef SFAB_PAGER_H
#define SFAB_PAGER_H

#include <stddef.h>

/* Is standard output a terminal on which a pager can run? */
int pager_wanted(void);

/*
 * Show @text.  0 when the reader has left the pager; -1: it fits on the screen,
 * or the pager cannot be run, so that the caller has to print it.
 */
int pager_show(const char *text, size_t size);

#endif
