/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * labels.c - names of rows, short enough; see labels.h
 *
 * Only whole words are cut, between characters that are no letters or digits: of leaf-101 and
 * leaf-102 remains "101", not "1".  Separators are ASCII, so a cut never splits a character of
 * UTF-8.
 */

#include "tools/plot/labels.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Count all bytes but 10xxxxxx, which continue a character. */
size_t labels_length(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += (unsigned char) *text >> 6 != 2;
	return n;
}

static size_t find_longest(char *const *label, uint32_t n)
{
	size_t longest = 0;

	for (uint32_t i = 0; i < n; i++) {
		size_t size = labels_length(label[i]);

		longest = size > longest ? size : longest;
	}
	return longest;
}

/* Return the @k-th byte of a text, from its beginning or its end. */
static char byte_at(const char *text, size_t k, int from_end)
{
	return text[from_end ? strlen(text) - 1 - k : k];
}

/*
 * Count the bytes of the words that all labels begin with, or end with, including the separator
 * between them and the rest; 0 if nothing of the first label would remain.
 */
static size_t common_part(char *const *label, uint32_t n, int from_end)
{
	size_t size = strlen(label[0]), same = size;

	for (uint32_t i = 1; i < n; i++) {
		size_t other = strlen(label[i]), k = 0;

		while (k < same && k < other &&
		       byte_at(label[0], k, from_end) ==
			       byte_at(label[i], k, from_end))
			k++;
		same = k;
	}
	if (same == size)
		return 0;
	for (; same > 0; same--) {
		char c = byte_at(label[0], same - 1, from_end);

		if (isascii(c) && !isalnum(c))
			break;
	}
	return same;
}

/*
 * Cut the part that all names share, as it says nothing.  No name may become empty: if one is
 * nothing but the shared part, all keep it.
 */
static void cut_part(char **label, uint32_t n, int from_end)
{
	size_t part = common_part(label, n, from_end);

	for (uint32_t i = 0; i < n; i++)
		if (strlen(label[i]) == part)
			return;
	for (uint32_t i = 0; i < n; i++) {
		size_t rest = strlen(label[i]) - part;

		if (!from_end)
			memmove(label[i], label[i] + part, rest);
		label[i][rest] = '\0';
	}
}

size_t labels_shorten(char **label, uint32_t n, size_t max)
{
	if (n > 1 && find_longest(label, n) > max) {
		cut_part(label, n, 1);
		cut_part(label, n, 0);
	}
	return find_longest(label, n);
}

void labels_free(char **label, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		free(label[i]);
	free(label);
}
