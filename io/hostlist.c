/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hostlist.c - expand and fold host lists
 *
 * Expanding walks a term from left to right and keeps the name so far in a buffer.  At a
 * bracket group it continues once for each number.  Every walk ends in a name, so the work is
 * bounded by SFAB_HOSTLIST_MAX names.
 *
 *     n[1-2]-ib[0,1]   n -> n1 -> n1-ib -> n1-ib0
 *                                      `-> n1-ib1
 *                       `-> n2 -> ...
 */

#include "io/hostlist.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/fabric/fabric.h"
#include "core/resize.h"

#define DIGITS_MAX 18	/* any number of 18 digits fits into 64 bits */
#define SEPARATORS ", \t\r\n"

struct expander {
	const char *text;	/* the whole list, for error texts */
	struct sfab_names *out;
	struct sfab_err *err;
	char name[SFAB_HOSTNAME_MAX + 1];
};

struct range {
	uint64_t lo, hi;
	int width;		/* digits of lo: numbers are padded to it */
};

void sfab_names_free(struct sfab_names *names)
{
	uint32_t i;

	for (i = 0; i < names->n; i++)
		free(names->name[i]);
	free(names->name);
	names->name = NULL;
	names->n = 0;
}

static int fail_at(struct expander *e, enum sfab_errcode code, const char *at,
		   const char *what)
{
	return sfab_fail(e->err, code, "host list \"%.120s\": %s at \"%.40s\"",
			 e->text, what, at);
}

/*
 * Read the digits at @pos, and return the position after them.  Digits beyond DIGITS_MAX are
 * counted and not added up, because the caller refuses such a number.
 */
static const char *read_digits(const char *pos, uint64_t *value, int *digits)
{
	*value = 0;
	*digits = 0;
	while (isdigit((unsigned char) *pos)) {
		if (++*digits <= DIGITS_MAX)
			*value = *value * 10 + (uint64_t) (*pos - '0');
		pos++;
	}
	return pos;
}

/* Read "3" or "01-16" at @pos, and return the position after it.  NULL with e->err. */
static const char *read_range(struct expander *e, const char *pos,
			      struct range *r)
{
	const char *start = pos;
	int digits;

	pos = read_digits(pos, &r->lo, &r->width);
	r->hi = r->lo;
	digits = r->width;
	if (digits && *pos == '-')
		pos = read_digits(pos + 1, &r->hi, &digits);
	if (r->width > DIGITS_MAX || digits > DIGITS_MAX)
		fail_at(e, SFAB_ELIMIT, start, "a number of more than 18 digits");
	else if (!digits)
		fail_at(e, SFAB_EFORMAT, pos, "no number (expected 3 or 01-16)");
	else if (r->hi < r->lo)
		fail_at(e, SFAB_EFORMAT, start, "a range that runs backwards");
	else if (r->hi - r->lo >= SFAB_HOSTLIST_MAX)
		fail_at(e, SFAB_ELIMIT, start, "too large a range");
	else if (*pos != ',' && *pos != ']')
		fail_at(e, SFAB_EFORMAT, pos,
			"no end of the range (expected ',' or ']')");
	else
		return pos;
	return NULL;
}

static int expand_from(struct expander *e, const char *p, const char *end,
		       size_t len);

/* Expand the bracket group at @pos: each number of it continues the name of e->name[0..len). */
static int expand_group(struct expander *e, const char *pos, const char *end,
			size_t len)
{
	const char *close = memchr(pos, ']', (size_t) (end - pos));
	struct range r;

	if (!close)
		return fail_at(e, SFAB_EFORMAT, pos, "'[' without ']'");
	do {
		const char *rest = close + 1;
		char number[DIGITS_MAX + 1];
		uint64_t i;
		size_t n;

		pos = read_range(e, pos + 1, &r);
		if (!pos)
			return -1;
		/* Append each number of r to the name so far and continue at rest. */
		for (i = r.lo; i <= r.hi; i++) {
			n = (size_t) snprintf(number, sizeof(number),
					      "%0*" PRIu64, r.width, i);
			if (len + n > SFAB_HOSTNAME_MAX)
				return fail_at(e, SFAB_ELIMIT, rest,
					       "too long a name");
			memcpy(e->name + len, number, n);
			if (expand_from(e, rest, end, len + n) < 0)
				return -1;
		}
	} while (*pos == ',');
	return 0;
}

/* Continue at @pos, in a term that ends at @end, with e->name[0..len) so far. */
static int expand_from(struct expander *e, const char *pos, const char *end,
		       size_t len)
{
	struct sfab_names *out;

	for (; pos < end && *pos != '['; pos++) {
		if (*pos == ']')
			return fail_at(e, SFAB_EFORMAT, pos, "']' without '['");
		if (len == SFAB_HOSTNAME_MAX)
			return fail_at(e, SFAB_ELIMIT, pos, "too long a name");
		e->name[len++] = *pos;
	}
	if (pos < end)
		return expand_group(e, pos, end, len);
	out = e->out;
	if (out->n == SFAB_HOSTLIST_MAX)
		return sfab_fail(e->err, SFAB_ELIMIT,
				 "host list \"%.120s\": more than %u names",
				 e->text, SFAB_HOSTLIST_MAX);
	if (sfab_resize_one_more(&out->name, out->n, sizeof(*out->name)) < 0)
		return sfab_no_memory(e->err);
	out->name[out->n] = strndup(e->name, len);
	if (!out->name[out->n])
		return sfab_no_memory(e->err);
	out->n++;
	return 0;
}

/* Find the end of the term at @p: a separator outside brackets, or the end of the text. */
static const char *term_end(const char *p)
{
	size_t n;

	for (;;) {
		n = strcspn(p, SEPARATORS "[");
		p += n;
		if (*p != '[')
			return p;
		p += strcspn(p, "]");
	}
}

int sfab_hostlist_expand(const char *text, struct sfab_names *out,
			 struct sfab_err *err)
{
	*out = (struct sfab_names){ 0 };
	return sfab_hostlist_append(text, out, err);
}

int sfab_hostlist_append(const char *text, struct sfab_names *out,
			 struct sfab_err *err)
{
	struct expander e = { .text = text, .out = out, .err = err };
	const char *pos = text, *end;

	for (;;) {
		pos += strspn(pos, SEPARATORS);
		if (!*pos)
			return 0;
		end = term_end(pos);
		if (expand_from(&e, pos, end, 0) < 0) {
			sfab_names_free(out);
			return -1;
		}
		pos = end;
	}
}

/* A name split into its prefix and the number at its end. */
struct numbered_name {
	const char *name;
	size_t prefix;		/* bytes before the number */
	int width;		/* digits, 0: no number at the end */
	uint64_t number;
};

/* Split the number off the end of a name: its width counts leading zeros. */
static struct numbered_name split_number(const char *name)
{
	struct numbered_name s = { .name = name, .prefix = strlen(name) };

	while (s.prefix && s.width < DIGITS_MAX &&
	       isdigit((unsigned char) name[s.prefix - 1])) {
		s.prefix--;
		s.width++;
	}
	read_digits(name + s.prefix, &s.number, &s.width);
	return s;
}

/* Write the numbers of names[0..n), which share a prefix, as "1-3,7". */
static void fold_numbers(FILE *out, const char *const *name, uint32_t n)
{
	struct numbered_name first, last, next;
	uint32_t i = 0;

	while (i < n) {
		first = last = split_number(name[i++]);
		while (i < n) {
			char digits[DIGITS_MAX + 2];

			next = split_number(name[i]);
			/* Does next extend the range that began at first and has reached last? */
			if (next.number != last.number + 1)
				break;
			snprintf(digits, sizeof(digits), "%0*" PRIu64, first.width,
				 next.number);
			if (strcmp(digits, next.name + next.prefix) != 0)
				break;
			last = next;
			i++;
		}
		fputs(first.name + first.prefix, out);
		if (last.name != first.name)
			fprintf(out, "-%s", last.name + last.prefix);
		if (i < n)
			fputc(',', out);
	}
}

/* Fold runs of names with the same prefix, which are next to each other after sorting. */
static void fold_sorted(FILE *out, const char *const *name, uint32_t n)
{
	struct numbered_name first, next;
	uint32_t i, start = 0;

	while (start < n) {
		first = split_number(name[start]);
		for (i = start + 1; i < n; i++) {
			next = split_number(name[i]);
			/* Two names without a number have no prefix in common. */
			if (!first.width || !next.width || first.prefix != next.prefix ||
			    memcmp(first.name, next.name, first.prefix) != 0)
				break;
		}
		if (start)
			fputc(',', out);
		if (i == start + 1) {
			fputs(name[start], out);
		} else {
			fprintf(out, "%.*s[", (int) first.prefix, first.name);
			fold_numbers(out, name + start, i - start);
			fputc(']', out);
		}
		start = i;
	}
}

static int compare_names(const void *a, const void *b)
{
	return sfab_fabric_name_cmp(*(const char *const *) a, *(const char *const *) b);
}

char *sfab_hostlist_fold(const char *const *name, uint32_t n)
{
	const char **sorted = malloc((n + 1) * sizeof(*sorted));
	uint32_t kept = 0;
	char *text = NULL;
	size_t size;
	FILE *out;

	if (!sorted)
		return NULL;
	if (n) {
		memcpy(sorted, name, n * sizeof(*sorted));
		qsort(sorted, n, sizeof(*sorted), compare_names);
	}
	for (uint32_t i = 0; i < n; i++)
		if (!kept || strcmp(sorted[kept - 1], sorted[i]) != 0)
			sorted[kept++] = sorted[i];
	out = open_memstream(&text, &size);
	if (out) {
		fold_sorted(out, sorted, kept);
		if (fclose(out) != 0) {
			free(text);
			text = NULL;
		}
	}
	free(sorted);
	return text;
}
