/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memo.h - what was made of the bytes at some place of an input
 *
 * One input after the other begins as the last one did, and what is slow to make of those bytes
 * is the same.  A memo is only of bytes with others behind them: at the end of an input zeros
 * would count as well.
 */
#ifndef SFAB_FUZZ_MEMO_H
#define SFAB_FUZZ_MEMO_H

#include <string.h>

#include "tests/fuzz/bytes.h"

#define MEMO_SLOTS 128
#define MEMO_BYTES 160

struct memo {
	size_t n;		/* bytes that it was made of, 0: empty */
	uint8_t bytes[MEMO_BYTES];
	void *thing;
};

/* Where a thing made of what @in holds now is, or would be kept. */
static inline struct memo *memo_at(struct memo *slots, const struct bytes *in)
{
	uint32_t hash = 0;

	for (size_t i = 0; i < 6 && i < in->nleft; i++)
		hash = hash * 31 + in->at[i];
	return &slots[hash % MEMO_SLOTS];
}

/* Take those bytes.  NULL: they are others, and nothing is taken. */
static inline void *memo_take(const struct memo *m, struct bytes *in)
{
	if (!m->n || in->nleft <= m->n || memcmp(m->bytes, in->at, m->n) != 0)
		return NULL;
	in->at += m->n;
	in->nleft -= m->n;
	return m->thing;
}

/* Keep @thing, made of what was taken since @from.  0: it cannot be kept. */
static inline int memo_keep(struct memo *m, const uint8_t *from,
			    const struct bytes *in, void *thing)
{
	size_t n = (size_t) (in->at - from);

	if (!in->nleft || n > sizeof(m->bytes))
		return 0;
	memcpy(m->bytes, from, n);
	m->n = n;
	m->thing = thing;
	return 1;
}

#endif
