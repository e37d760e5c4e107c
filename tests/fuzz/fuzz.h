/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz.h - what every fuzz target is
 *
 * A target is one file fuzz_NAME.c with this function; run.sh finds it by that name.  It is
 * linked with libFuzzer (run.sh), or with replay.c, which gives it the files of corpus/NAME in
 * `make check`.  It aborts when something is wrong.
 *
 * It brings stddef.h, stdint.h, stdlib.h and string.h.
 */
#ifndef SFAB_FUZZ_H
#define SFAB_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_check(int fine)
{
	if (!fine)
		abort();
}

/* The input and a NUL, in a block that ends there.  Caller frees. */
static inline void *fuzz_copy(const uint8_t *data, size_t size)
{
	char *copy = malloc(size + 1);

	fuzz_check(copy != NULL);
	if (size)
		memcpy(copy, data, size);
	copy[size] = '\0';
	return copy;
}

#endif
