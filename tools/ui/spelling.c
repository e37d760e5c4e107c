/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spelling.c - see spelling.h */

#include "tools/ui/spelling.h"

#include <stdlib.h>
#include <string.h>

#include "tools/ui/say.h"

char *spelling_question(const struct sfab_nearest *s)
{
	return s->best ? need_text(" (did you mean '%s'?)", s->best) :
			 need_copy("");
}

char *spelling_among(const char *word, const char *list)
{
	struct sfab_nearest spelling = sfab_nearest_to(word);
	char *words = need_copy(list), *rest = words, *one, *question;

	while ((one = strsep(&rest, "|")))
		sfab_nearest_offer(&spelling, one);
	question = spelling_question(&spelling);
	free(words);
	return question;
}
