/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * noise.h - what a terminal adds around the output of a logged command
 *
 * Byte order mark, login banner and prompts before it, prompts after it.
 */
#ifndef SFAB_NOISE_H
#define SFAB_NOISE_H

#include <stddef.h>

/* Return the length in bytes of a byte order mark at the beginning; 0: none. */
size_t sfab_noise_mark(const char *text, size_t size);

/* Return the length of @text without the prompts at its end.  O(their lines). */
size_t sfab_noise_end(const char *text, size_t size);

#endif
