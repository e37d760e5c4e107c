/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * noise.h - what a terminal puts around the output of a command that was logged
 *
 * Byte order mark, the login's banner and prompts before it, prompts behind it.
 */
#ifndef SFAB_NOISE_H
#define SFAB_NOISE_H

#include <stddef.h>

/* Bytes of a byte order mark at the beginning. */
size_t sfab_noise_mark(const char *text, size_t size);

/* How much of @text is left without the prompts at its end.  O(their lines). */
size_t sfab_noise_end(const char *text, size_t size);

#endif
