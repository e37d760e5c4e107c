/* SPDX-License-Identifier: GPL-2.0-or-later */
/* read_any.h - run a reader on any bytes and freeze what comes of it */
#ifndef SFAB_FUZZ_READ_ANY_H
#define SFAB_FUZZ_READ_ANY_H

#include "io/readers/reader.h"
#include "tests/fuzz/fuzz.h"

#define FUZZ_INPUT "input"	/* name of what is read */

/* The fabric of tests/unit/fixtures/texts.h: see below.  The caller destroys it. */
struct sfab_fabric *fuzz_fabric(void);

/* Abort unless @err says something, with the name of the input before it. */
void fuzz_check_error(const struct sfab_err *err);

/*
 * Give the bytes to the reader called @name.  Readers of tables find a topology of three
 * switches (GUIDs a01, a02, b01) and four hosts (LIDs 4-7), as in tests/unit/fixtures/texts.h.
 * Aborts if an error text does not begin with the name of the input.  Returns 0.
 */
int fuzz_read_any(const char *name, const uint8_t *data, size_t size);

#endif
