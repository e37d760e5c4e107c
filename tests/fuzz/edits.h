/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * edits.h - a small fabric whose snapshot was changed record by record
 *
 * Offsets, lengths and checksums are right again, so that the decoder looks at what the records
 * say.
 */
#ifndef SFAB_FUZZ_EDITS_H
#define SFAB_FUZZ_EDITS_H

#include "io/snapshot/snapshot.h"
#include "tests/fuzz/bytes.h"

/*
 * The tree that the first byte of @in names, with as many changes as the second one says (at
 * most FUZZ_EDITS).  NULL: the decoder refuses it, and said why.
 */
#define FUZZ_EDITS 12
struct sfab_snapshot *fuzz_edited(struct bytes *in);

#endif
