/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * mads.h - a subnet whose agents lie, in place of libibumad
 *
 * mads.c has the few functions of libibumad that send and receive; whoever is linked with it
 * asks this subnet, through the real libibmad.  It is a tree of two levels with right answers,
 * but for what the lies say.  An answer is there at once, and so is the news that there will be
 * none.
 */
#ifndef SFAB_FUZZ_MADS_H
#define SFAB_FUZZ_MADS_H

#include "tests/fuzz/bytes.h"

/* Make it by the first byte of @in and the lies, of five bytes each, after it. */
void mads_begin(struct bytes *in);

/* From now on lies of the second sweep hold as well; counters have moved on. */
void mads_next(void);

#endif
