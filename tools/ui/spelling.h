/* SPDX-License-Identifier: GPL-2.0-or-later */
/* spelling.h - the question whether another word was meant; see io/nearest.h */
#ifndef SFAB_SPELLING_H
#define SFAB_SPELLING_H

#include "io/nearest.h"

/* " (did you mean 'BEST'?)", or "" if nothing is near; caller frees. */
char *spelling_question(const struct sfab_nearest *s);

/* The same for the words of @list, with '|' between them; caller frees. */
char *spelling_among(const char *word, const char *list);

#endif
