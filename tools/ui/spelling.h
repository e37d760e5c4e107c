/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spelling.h - which of the words that exist a mistyped one was meant to be
 *
 * Distance: letters inserted, left out, changed or swapped with their
 * neighbor; a cut word is one away from what it begins.
 */
#ifndef SFAB_SPELLING_H
#define SFAB_SPELLING_H

struct spelling {
	const char *word;	/* as typed, borrowed */
	const char *best;	/* nearest so far, borrowed; NULL: none is near */
	unsigned distance;
};

/* Words over 64 bytes are like no other. */
struct spelling spelling_of(const char *word);

/* The first of equally near ones stays.  O(length^2). */
void spelling_offer(struct spelling *s, const char *candidate);

/* " (did you mean 'BEST'?)", or "" if nothing is near; caller frees. */
char *spelling_question(const struct spelling *s);

#endif
