/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell.c - command lines for the user to paste; see shell.h */

#include "tools/ui/shell.h"

#include <stdlib.h>
#include <string.h>

#include "tools/ui/printable.h"
#include "tools/ui/xalloc.h"

/* What no shell gives a meaning to.  '~' is not among them, nor is anything above ASCII. */
#define PLAIN "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ" \
	"0123456789@%_+=:,./-"

char *shell_word(const char *text)
{
	char *safe = printable(text, 0), *word, *out;

	if (*safe && strspn(safe, PLAIN) == strlen(safe))
		return safe;
	word = out = xcalloc(4 * strlen(safe) + 3, 1);
	*out++ = '\'';
	for (const char *p = safe; *p; p++) {
		/*
		 * Inside of single quotes nothing can be escaped: close them, a quote, open
		 * them.
		 */
		if (*p == '\'') {
			memcpy(out, "'\\''", 4);
			out += 4;
		} else {
			*out++ = *p;
		}
	}
	*out = '\'';
	free(safe);
	return word;
}
