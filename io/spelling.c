/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * spelling.c - mistyped words; see spelling.h
 *
 * Optimal string alignment: Damerau's edit distance without editing a part twice.  Words of
 * commands are short, so the quadratic table costs nothing.
 */

#include "io/spelling.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

struct sfab_spelling sfab_spelling_start(const char *word)
{
	/* one mistake, and one more for every four letters */
	return (struct sfab_spelling){
		.word = word, .distance = 2 + (unsigned) strlen(word) / 4,
	};
}

static unsigned smaller_distance(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

/*
 * Compute the optimal string alignment, three rows of the table at a time.  now[k] is the
 * distance of the first i letters of @a from the first k of @b.  A swap of neighbors looks two
 * rows back, hence the third row.
 */
static unsigned edit_distance(const char *a, size_t n, const char *b, size_t m)
{
	unsigned rows[3][SFAB_SPELLING_LENGTH + 1];

	for (size_t k = 0; k <= m; k++)
		rows[0][k] = (unsigned) k;
	for (size_t i = 1; i <= n; i++) {
		unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3];

		row[0] = (unsigned) i;
		for (size_t k = 1; k <= m; k++) {
			row[k] = smaller_distance(
			    smaller_distance(above[k], row[k - 1]) + 1,
			    above[k - 1] + (a[i - 1] != b[k - 1]));
			if (i > 1 && k > 1 && a[i - 1] == b[k - 2] &&
			    a[i - 2] == b[k - 1])
				row[k] = smaller_distance(
				    row[k], rows[(i + 1) % 3][k - 2] + 1);
		}
	}
	return rows[n % 3][m];
}

void sfab_spelling_offer(struct sfab_spelling *s, const char *candidate)
{
	size_t n = strlen(s->word), m = strlen(candidate);
	unsigned distance;

	if (!n || n > SFAB_SPELLING_LENGTH || m > SFAB_SPELLING_LENGTH)
		return;
	/* A word cut short is a better guess than its edit distance says. */
	if (strcasecmp(s->word, candidate) == 0)
		distance = 0;
	else if (n > 1 && strncmp(s->word, candidate, n) == 0)
		distance = 1;
	else
		distance = edit_distance(s->word, n, candidate, m);
	/* if no letter is left, it is another word */
	if (distance < s->distance && distance < m && distance < n + (n == 1)) {
		s->distance = distance;
		s->best = candidate;
	}
}

const char *sfab_spelling_question(struct sfab_spelling *s)
{
	if (s->best)
		snprintf(s->question, sizeof(s->question), " (did you mean '%s'?)", s->best);
	return s->question;
}
