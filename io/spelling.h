/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spelling.h - which existing word a mistyped word was meant to be
 *
 * Distance: letters inserted, left out, changed or swapped with their neighbor.  A word cut
 * short has distance 1 from every word that it begins.
 */
#ifndef SFAB_SPELLING_H
#define SFAB_SPELLING_H

#define SFAB_SPELLING_LENGTH 64

struct sfab_spelling {
	const char *word;	/* as typed, borrowed */
	const char *best;	/* nearest so far, borrowed; NULL: none */
	unsigned distance;
	char question[SFAB_SPELLING_LENGTH + 32];
};

/* Start a search for @word.  Words over SFAB_SPELLING_LENGTH bytes match no other word. */
struct sfab_spelling sfab_spelling_start(const char *word);

/* Compare with @candidate.  The first of equally near words stays.  O(length^2). */
void sfab_spelling_offer(struct sfab_spelling *s, const char *candidate);

/* Return " (did you mean 'BEST'?)", or "" if nothing is near.  It lives as long as @s. */
const char *sfab_spelling_question(struct sfab_spelling *s);

#endif
