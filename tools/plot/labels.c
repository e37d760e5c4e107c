/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * labels.c - names of rows, printable and short enough; see labels.h
 *
 * Only whole words are cut, between characters that are no letters or digits:
 * of leaf-101 and leaf-102 remains "101", not "1".  Separators are ASCII, so a
 * cut never splits a character of UTF-8.
 */

#include "tools/plot/labels.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ui/printable.h"
#include "tools/ui/say.h"

/* In characters: bytes 10xxxxxx continue a UTF-8 character and do not count. */
static size_t find_longest(char *const *label, uint32_t n)
{
	size_t longest = 0;

	for (uint32_t i = 0; i < n; i++) {
		const char *text = label[i];
		size_t size = 0;

		for (; *text; text++)
			size += (unsigned char) *text >> 6 != 2;
		longest = size > longest ? size : longest;
	}
	return longest;
}

static int is_separator(char c)
{
	return isascii(c) && !isalnum(c);
}

/*
 * Bytes of the words that end all labels, including the separator before them;
 * 0 if nothing of the first label would remain.
 */
static size_t common_tail(char *const *label, uint32_t n)
{
	const char *first = label[0];
	size_t size = strlen(first), same = size;

	for (uint32_t i = 1; i < n; i++) {
		size_t other = strlen(label[i]), k = 0;

		while (k < same && k < other &&
		       first[size - 1 - k] == label[i][other - 1 - k])
			k++;
		same = k;
	}
	if (same == size)
		return 0;
	while (same > 0 && !is_separator(first[size - same]))
		same--;
	return same;
}

/*
 * Bytes of the words that begin all labels, including the separator after them.
 */
static size_t common_head(char *const *label, uint32_t n)
{
	const char *first = label[0];
	size_t size = strlen(first), same = size;

	for (uint32_t i = 1; i < n; i++) {
		size_t k = 0;

		while (k < same && first[k] == label[i][k])
			k++;
		same = k;
	}
	if (same == size)
		return 0;
	while (same > 0 && !is_separator(first[same - 1]))
		same--;
	return same;
}

/* No name may become empty.  If one is nothing but the tail, all keep it. */
static void cut_tails(char **label, uint32_t n)
{
	size_t tail = common_tail(label, n);

	for (uint32_t i = 0; i < n; i++)
		if (strlen(label[i]) == tail)
			return;
	for (uint32_t i = 0; i < n; i++)
		label[i][strlen(label[i]) - tail] = '\0';
}

/* What all names begin with says nothing; but no name may become empty. */
static void cut_heads(char **label, uint32_t n)
{
	size_t head = common_head(label, n);

	for (uint32_t i = 0; i < n; i++)
		if (strlen(label[i]) == head)
			return;
	for (uint32_t i = 0; i < n; i++)
		memmove(label[i], label[i] + head, strlen(label[i] + head) + 1);
}

char **labels_make(char *const *name, uint32_t n, size_t most, size_t *longest)
{
	char **label = need(n, sizeof(*label));

	for (uint32_t i = 0; i < n; i++)
		label[i] = printable(name[i], 0);
	if (n > 1 && find_longest(label, n) > most) {
		cut_tails(label, n);
		cut_heads(label, n);
	}
	*longest = find_longest(label, n);
	return label;
}

void labels_free(char **label, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		free(label[i]);
	free(label);
}
