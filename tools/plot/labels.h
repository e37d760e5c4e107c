/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * labels.h - names of rows, printable and short enough
 */
#ifndef SFAB_PLOT_LABELS_H
#define SFAB_PLOT_LABELS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Printable copies of @name[0 .. @n - 1].  If the longest has more than @most
 * characters, words that all names share at the end, and then at the beginning,
 * are removed: "MF0;SPINE-07:MQM9700/U1" becomes "SPINE-07".  Names that are
 * still too long stay as they are.  *@longest is the length of the longest, in
 * characters.
 */
char **labels_make(char *const *name, uint32_t n, size_t most, size_t *longest);
void labels_free(char **label, uint32_t n);

#endif
