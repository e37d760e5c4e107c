/* SPDX-License-Identifier: GPL-2.0-or-later */
/* short_name.c - names cut short; see short_name.h */

#include "tools/ui/short_name.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { RANK_NONE, RANK_INSIDE, RANK_LAST, RANK_WHOLE };

struct short_name short_name_of(const char *word)
{
	return (struct short_name) { .word = word };
}

/*
 * Does a word end at @c?  Labels are cut like this: between characters that are no letters or
 * digits.
 */
static int is_word_end(char c)
{
	return !c || (isascii(c) && !isalnum((unsigned char) c));
}

/* Rank where @word is in @name: all of it, its end, or inside.  The best place counts. */
static unsigned rank_of(const char *word, const char *name)
{
	size_t n = strlen(word);
	unsigned rank = RANK_NONE;

	if (!n)
		return RANK_NONE;
	if (strcmp(word, name) == 0)
		return RANK_WHOLE;
	for (const char *p = strstr(name, word); p; p = strstr(p + 1, word)) {
		if ((p > name && !is_word_end(p[-1])) || !is_word_end(p[n]))
			continue;
		if (!p[n])
			return RANK_LAST;
		rank = RANK_INSIDE;
	}
	return rank;
}

void short_name_offer(struct short_name *s, const char *name)
{
	unsigned rank = rank_of(s->word, name);

	if (!rank || rank < s->rank)
		return;
	if (rank > s->rank)
		s->n = 0;
	s->rank = rank;
	for (uint32_t i = 0; i < s->n && i < SHORT_NAME_SHOWN; i++)
		if (strcmp(s->names[i], name) == 0)
			return;
	if (s->n < SHORT_NAME_SHOWN)
		s->names[s->n] = name;
	s->n++;
}

int short_name_found(const struct short_name *s, const char **name, struct sfab_err *err)
{
	char list[300] = "";
	size_t n = 0;

	if (!s->n)
		return 0;
	*name = s->names[0];
	if (s->n == 1)
		return 1;
	for (uint32_t i = 0; i < s->n && i < SHORT_NAME_SHOWN; i++)
		n += (size_t) snprintf(list + n, sizeof(list) - n, "%s%.64s", i ? ", " : "",
				       s->names[i]);
	return sfab_fail(err, SFAB_EINVAL, "%.64s: several have this name: %s%s (expected "
			 "more of it)", s->word, list,
			 s->n > SHORT_NAME_SHOWN ? ", ..." : "");
}
