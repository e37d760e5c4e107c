/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hostlist.c - expand and fold host lists
 *
 * Expanding walks a term from left to right and keeps the name so far in a buffer.
 * At a bracket group it continues once for each number.  Every walk ends in a name,
 * so the work is bounded by SFAB_HOSTLIST_MAX names.
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
 * Read digits at @p: their value and count; returns the position after them.  More than
 * DIGITS_MAX are counted but not added up; the caller refuses them.
 */
static const char *read_digits(const char *p, uint64_t *value, int *digits)
{
	*value = 0;
	*digits = 0;
	while (isdigit((unsigned char) *p)) {
		if (++*digits <= DIGITS_MAX)
			*value = *value * 10 + (uint64_t) (*p - '0');
		p++;
	}
	return p;
}

/* Read "3" or "01-16" at @p; returns the position after it, or NULL with e->err. */
static const char *read_range(struct expander *e, const char *p,
			      struct range *r)
{
	const char *start = p;
	int digits;

	p = read_digits(p, &r->lo, &r->width);
	r->hi = r->lo;
	digits = r->width;
	if (digits && *p == '-')
		p = read_digits(p + 1, &r->hi, &digits);
	if (r->width > DIGITS_MAX || digits > DIGITS_MAX)
		fail_at(e, SFAB_ELIMIT, start, "a number of more than 18 digits");
	else if (!digits)
		fail_at(e, SFAB_EFORMAT, p, "no number (expected 3 or 01-16)");
	else if (r->hi < r->lo)
		fail_at(e, SFAB_EFORMAT, start, "a range that runs backwards");
	else if (r->hi - r->lo >= SFAB_HOSTLIST_MAX)
		fail_at(e, SFAB_ELIMIT, start, "too large a range");
	else if (*p != ',' && *p != ']')
		fail_at(e, SFAB_EFORMAT, p,
			"no end of the range (expected ',' or ']')");
	else
		return p;
	return NULL;
}

static int expand_from(struct expander *e, const char *p, const char *end,
		       size_t len);

/* Expand the bracket group at @p. */
static int expand_group(struct expander *e, const char *p, const char *end,
			size_t len)
{
	const char *close = memchr(p, ']', (size_t) (end - p));
	struct range r;

	if (!close)
		return fail_at(e, SFAB_EFORMAT, p, "'[' without ']'");
	do {
		const char *rest = close + 1;
		char number[DIGITS_MAX + 1];
		uint64_t i;
		size_t n;

		p = read_range(e, p + 1, &r);
		if (!p)
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
	} while (*p == ',');
	return 0;
}

/* Continue at @p, in a term that ends at @end, with e->name[0..len) so far. */
static int expand_from(struct expander *e, const char *p, const char *end,
		       size_t len)
{
	struct sfab_names *out;

	for (; p < end && *p != '['; p++) {
		if (*p == ']')
			return fail_at(e, SFAB_EFORMAT, p, "']' without '['");
		if (len == SFAB_HOSTNAME_MAX)
			return fail_at(e, SFAB_ELIMIT, p, "too long a name");
		e->name[len++] = *p;
	}
	if (p < end)
		return expand_group(e, p, end, len);
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
	const char *p = text, *end;

	for (;;) {
		p += strspn(p, SEPARATORS);
		if (!*p)
			return 0;
		end = term_end(p);
		if (expand_from(&e, p, end, 0) < 0) {
			sfab_names_free(out);
			return -1;
		}
		p = end;
	}
}

/* A name split into its prefix and the number at its end. */
struct split {
	const char *name;
	size_t prefix;		/* bytes before the number */
	int width;		/* digits, 0: no number at the end */
	uint64_t number;
};

/* Split the number off the end of a name: its width counts leading zeros. */
static struct split split_name(const char *name)
{
	struct split s = { .name = name, .prefix = strlen(name) };

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
	struct split lo, hi, next;
	uint32_t i = 0;

	while (i < n) {
		lo = hi = split_name(name[i++]);
		while (i < n) {
			char digits[DIGITS_MAX + 2];

			next = split_name(name[i]);
			/* Does next extend a range that began at lo and has reached hi? */
			if (next.number != hi.number + 1)
				break;
			snprintf(digits, sizeof(digits), "%0*" PRIu64, lo.width,
				 next.number);
			if (strcmp(digits, next.name + next.prefix) != 0)
				break;
			hi = next;
			i++;
		}
		fputs(lo.name + lo.prefix, out);
		if (hi.name != lo.name)
			fprintf(out, "-%s", hi.name + hi.prefix);
		if (i < n)
			fputc(',', out);
	}
}

/* Fold runs of names with the same prefix and width, which are next to each other after sorting. */
static void fold_sorted(FILE *out, const char *const *name, uint32_t n)
{
	struct split first, next;
	uint32_t i, start = 0;

	while (start < n) {
		first = split_name(name[start]);
		for (i = start + 1; i < n; i++) {
			next = split_name(name[i]);
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
