/* SPDX-License-Identifier: GPL-2.0-or-later */
/* labels.h - names of rows, short enough */
#ifndef SFAB_LABELS_H
#define SFAB_LABELS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Remove the words that all of @label[0 .. @n - 1] share at the end, and then at the beginning,
 * if the longest has more than @max characters: "MF0;SPINE-07:MQM9700/U1" becomes "SPINE-07".
 * Names that are still too long stay as they are.  Return the length of the longest, in
 * characters.
 */
size_t labels_shorten(char **label, uint32_t n, size_t max);
void labels_free(char **label, uint32_t n);
size_t labels_length(const char *text);		/* in characters of UTF-8 */

#endif
