/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz.h - what every fuzz target is
 *
 * A target is one file fuzz_NAME.c with this function; run.sh finds it by that
 * name.  It is linked with libFuzzer (run.sh), or with replay.c, which gives it
 * the files of corpus/NAME in `make check`.  It aborts when something is wrong.
 */
#ifndef SFAB_FUZZ_H
#define SFAB_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#endif
