/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * noise.c - terminals' logs; see noise.h
 *
 * Dumps are often made with script(1) or copied out of ssh.  Such a file has a prompt, the
 * command and messages of the terminal before and after the output.
 */

#include "io/readers/noise.h"

#include <string.h>

#define TAIL_LINES 20	/* checked from the end */

struct noise_line {
	const char *text;
	size_t size;
};

/* Is it a line that script(1), ssh or the shell writes at the end? */
static int is_noise(const struct noise_line *line)
{
	static const char *const phrase[] = {
		"Script done", "Connection to ", "logout", "exit",
	};
	size_t word = 0;

	for (size_t i = 0; i < sizeof(phrase) / sizeof(phrase[0]); i++) {
		size_t n = strlen(phrase[i]);

		if (line->size >= n && memcmp(line->text, phrase[i], n) == 0)
			return 1;
	}
	/* "[root@sm1 ~]# exit", "sm1:~ # ", "bash-5.1$ " */
	while (word < line->size && line->text[word] != ' ' && line->text[word] != '\t')
		word++;
	if (!memchr(line->text, '@', word) && !memmem(line->text, word, ":~", 2) &&
	    !memmem(line->text, word, ":/", 2) && !memmem(line->text, word, "bash-", 5))
		return 0;
	for (size_t k = 0; k < line->size && line->text[k] != '\t'; k++)
		if (strchr("#$%>", line->text[k]) &&
		    (k + 1 == line->size || line->text[k + 1] == ' '))
			return k + 1 >= word;
	return 0;
}

size_t sfab_noise_mark(const char *text, size_t size)
{
	return size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
}

/* Drop empty lines only together with noise after them. */
size_t sfab_noise_end(const char *text, size_t size)
{
	size_t kept = size;

	for (unsigned i = 0; size && i < TAIL_LINES; i++) {
		struct noise_line l;
		size_t end = size && text[size - 1] == '\n' ? size - 1 : size,
		       start = end;

		/* The last line of @size bytes, without its newline. */
		while (start && text[start - 1] != '\n')
			start--;
		while (end > start &&
		       (text[end - 1] == '\r' || text[end - 1] == '\0'))
			end--;
		l.text = text + start;
		l.size = end - start;
		if (l.size && !is_noise(&l))
			break;
		size = (size_t) (l.text - text);
		if (l.size)
			kept = size;
	}
	return kept;
}
