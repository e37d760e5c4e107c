/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nearest.h - which existing word a mistyped word was meant to be
 *
 * Distance: letters inserted, left out, changed or swapped with their neighbor.
 * A word cut short has distance 1 from every word that it begins.
 */
#ifndef SFAB_NEAREST_H
#define SFAB_NEAREST_H

#define SFAB_NEAREST_LENGTH 64

struct sfab_nearest {
	const char *word;	/* as typed, borrowed */
	const char *best;	/* nearest so far, borrowed; NULL: none */
	unsigned distance;
	char question[SFAB_NEAREST_LENGTH + 32];
};

/* Start a search for @word.  Words over SFAB_NEAREST_LENGTH bytes match no other word. */
struct sfab_nearest sfab_nearest_to(const char *word);

/* Compare with @candidate.  The first of equally near words stays.  O(length^2). */
void sfab_nearest_offer(struct sfab_nearest *s, const char *candidate);

/* " (did you mean 'BEST'?)", or "" if nothing is near; lives as long as @s. */
const char *sfab_nearest_question(struct sfab_nearest *s);

#endif
