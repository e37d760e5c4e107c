/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spelling.h - which existing word a mistyped word was meant to be
 *
 * Distance: letters inserted, left out, changed or swapped with their neighbor.
 * A word cut short has distance 1 from every word that it begins.
 */
#ifndef SFAB_SPELLING_H
#define SFAB_SPELLING_H

struct spelling {
	const char *word;	/* as typed, borrowed */
	const char *best;	/* nearest so far, borrowed; NULL: none */
	unsigned distance;
};

/* Words over 64 bytes match no other word. */
struct spelling spelling_of(const char *word);

/* The first of equally near words stays.  O(length^2). */
void spelling_offer(struct spelling *s, const char *candidate);

/* " (did you mean 'BEST'?)", or "" if nothing is near; caller frees. */
char *spelling_question(const struct spelling *s);

/* The same for the words of @list, with '|' between them; caller frees. */
char *spelling_among(const char *word, const char *list);

#endif
