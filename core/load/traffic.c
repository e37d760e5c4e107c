/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * traffic.c - parse and print traffic and hints; traffic.h has the grammar
 *
 * Hints are typed by users into a field that is also used for other things.  So text around a
 * hint is skipped, and a hint that is nearly right is an error with a reason: taking half of it
 * would place the job for other traffic than its user meant.
 */

#include "core/load/traffic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/is_digit.h"
#include "core/utf8.h"

/* Parts of the time, assumed for a job of which nothing is known. */
const double sfab_traffic_default_share[SFAB_NCLASSES] = {
	[SFAB_MPI] = 0.25,
	[SFAB_NEIGHBOR] = 0.25,
	[SFAB_IO_WRITE] = 0.05,
	[SFAB_IO_READ] = 0.02,
};

static const char class_name[SFAB_NCLASSES][12] = {
	[SFAB_MPI] = "mpi",
	[SFAB_NEIGHBOR] = "neighbor",
	[SFAB_IO_WRITE] = "io-write",
	[SFAB_IO_READ] = "io-read",
};

#define WORDS "mpi, alltoall, allreduce, ring, uniform, neighbor, io-write or io-read"
#define HINT "sfabric:"
#define OFF "off"
#define HINT_ENDS WHITE ",;"
#define WHITE " \t\n\v\f\r"
#define HINT_MAX 512		/* bytes; no sensible hint is longer */
#define SUM_SLACK 1e-9		/* so that 0.1 + 0.2 + 0.7 is not above 1 */

const char *sfab_class_name(enum sfab_class class)
{
	return class < SFAB_NCLASSES ? class_name[class] : "?";
}

const char *sfab_traffic_word(enum sfab_class class, enum sfab_mpi_pattern pattern)
{
	if (class != SFAB_MPI || pattern == SFAB_PATTERN_MIX)
		return sfab_class_name(class);
	return sfab_pattern_name((enum sfab_pattern) (pattern -
						      SFAB_PATTERN_ALLTOALL));
}

int sfab_class_is_io(enum sfab_class class)
{
	return class == SFAB_IO_WRITE || class == SFAB_IO_READ;
}

static double sum_part_shares(const struct sfab_traffic *t, int is_io)
{
	double sum = 0;

	for (uint32_t i = 0; i < t->nparts; i++)
		if (sfab_class_is_io(t->part[i].class) == is_io)
			sum += t->part[i].share;
	return sum;
}

double sfab_traffic_io_share(const struct sfab_traffic *t)
{
	return sum_part_shares(t, 1);
}

double sfab_traffic_net_share(const struct sfab_traffic *t)
{
	return sum_part_shares(t, 0);
}

double sfab_traffic_class_share(const struct sfab_traffic *t, enum sfab_class class)
{
	double sum = 0;

	for (uint32_t i = 0; i < t->nparts; i++)
		if (t->part[i].class == class)
			sum += t->part[i].share;
	return sum;
}

struct sfab_traffic_part *sfab_traffic_find_or_add(struct sfab_traffic *t,
						   const struct sfab_traffic_part *wanted)
{
	struct sfab_traffic_part *p = t->part;

	while (p < t->part + t->nparts && (p->class != wanted->class ||
					   p->pattern != wanted->pattern ||
					   strcmp(p->set, wanted->set) != 0))
		p++;
	if (p == t->part + SFAB_TRAFFIC_PARTS)
		return NULL;
	if (p == t->part + t->nparts) {
		*p = *wanted;
		p->share = 0;
		t->nparts++;
	}
	return p;
}

void sfab_traffic_mix(const struct sfab_traffic *t, const double site[SFAB_NPATTERNS],
		      double out[SFAB_NPATTERNS])
{
	double sum = 0;

	memset(out, 0, SFAB_NPATTERNS * sizeof(*out));
	for (uint32_t i = 0; i < t->nparts; i++) {
		const struct sfab_traffic_part *p = &t->part[i];

		if (p->class != SFAB_MPI)
			continue;
		if (p->pattern != SFAB_PATTERN_MIX)
			out[p->pattern - SFAB_PATTERN_ALLTOALL] += p->share;
		else
			for (int k = 0; k < SFAB_NPATTERNS; k++)
				out[k] += p->share * site[k];
	}
	for (int k = 0; k < SFAB_NPATTERNS; k++)
		sum += out[k];
	for (int k = 0; k < SFAB_NPATTERNS && sum > 0; k++)
		out[k] /= sum;
}

static int is_traffic_word(const char *word, const char *text, size_t n)
{
	return strlen(word) == n && memcmp(word, text, n) == 0;
}

/* Set @p to the class and pattern that the @n bytes at @text name.  0: they name none. */
static int find_word(const char *text, size_t n, struct sfab_traffic_part *p)
{
	memset(p, 0, sizeof(*p));
	for (int c = 0; c < SFAB_NCLASSES; c++)
		if (is_traffic_word(class_name[c], text, n)) {
			p->class = (enum sfab_class) c;
			return 1;
		}
	p->class = SFAB_MPI;
	for (int k = 0; k < SFAB_NPATTERNS; k++) {
		p->pattern = (enum sfab_mpi_pattern) (SFAB_PATTERN_ALLTOALL + k);
		if (is_traffic_word(sfab_traffic_word(p->class, p->pattern), text, n))
			return 1;
	}
	return 0;
}

/* A printable quotation of a user's text for a message, cut if long. */
struct quote {
	char text[65];
};

static struct quote quote_text(const char *text, size_t n)
{
	struct quote q;

	sfab_utf8_clean(q.text, sizeof(q.text), text, n);
	return q;
}

static int parse_share(const char *text, size_t n, double *share,
		       struct sfab_err *err)
{
	char buf[32], *end;

	if (n > 0 && n < sizeof(buf)) {
		memcpy(buf, text, n);
		buf[n] = '\0';
		*share = strtod(buf, &end);
		if (*end == '\0' && *share >= 0 && *share <= 1)
			return 0;
	}
	return sfab_fail(err, SFAB_EFORMAT,
			 "share %s (expected a number from 0 to 1)",
			 quote_text(text, n).text);
}

/* Explain a comma in a part of @n bytes: a decimal comma, or a separator. */
static int refuse_comma(const char *text, size_t n, const char *comma,
			struct sfab_err *err)
{
	const char *end = text + n;

	if (comma > text && sfab_is_digit(comma[-1]) && comma + 1 < end &&
	    sfab_is_digit(comma[1]))
		return sfab_fail(
		    err, SFAB_EFORMAT,
		    "traffic %s: a comma in a share (expected a decimal point: 0.5)",
		    quote_text(text, n).text);
	return sfab_fail(err, SFAB_EFORMAT,
			 "traffic %s: a comma (expected + between classes)",
			 quote_text(text, n).text);
}

/* Parse one CLASS[@SET][=SHARE] of @n bytes.  Set *@given to whether it has a share. */
static int parse_part(const char *text, size_t n, const double *shares,
		      struct sfab_traffic_part *p, int *given,
		      struct sfab_err *err)
{
	const char *equals = memchr(text, '=', n);
	size_t name_and_set = equals ? (size_t) (equals - text) : n;
	const char *at_sign = memchr(text, '@', name_and_set), *comma = memchr(text, ',', n);
	size_t name = at_sign ? (size_t) (at_sign - text) : name_and_set;
	size_t set = at_sign ? name_and_set - name - 1 : 0;

	if (comma)
		return refuse_comma(text, n, comma, err);
	if (!find_word(text, name, p))
		return sfab_fail(err, SFAB_EFORMAT,
				 "traffic class %s (expected " WORDS ")",
				 quote_text(text, name).text);
	p->share = shares[p->class];
	*given = equals != NULL;
	if (at_sign && !sfab_class_is_io(p->class))
		return sfab_fail(err, SFAB_EFORMAT,
				 "traffic %s@%s: only io-write and io-read have an IO set",
				 sfab_traffic_word(p->class, p->pattern),
				 quote_text(at_sign + 1, set).text);
	if (at_sign && (set == 0 || set > SFAB_SET_NAME_MAX))
		return sfab_fail(err, SFAB_EFORMAT,
				 "IO set name of %zu bytes (expected 1-%d)", set,
				 SFAB_SET_NAME_MAX);
	if (at_sign)
		memcpy(p->set, at_sign + 1, set);
	if (equals && parse_share(equals + 1, n - name_and_set - 1, &p->share, err) < 0)
		return -1;
	return 0;
}

/*
 * Fit the shares.  Explicit ones must sum to at most 1, and defaulted ones are scaled down to
 * the rest.
 */
static int fit_shares(struct sfab_traffic *t, const int *given,
		      struct sfab_err *err)
{
	double fixed = 0, loose = 0;

	for (uint32_t i = 0; i < t->nparts; i++)
		*(given[i] ? &fixed : &loose) += t->part[i].share;
	if (fixed > 1 + SUM_SLACK)
		return sfab_fail(err, SFAB_EFORMAT,
				 "shares sum to %g (expected at most 1)", fixed);
	if (fixed + loose <= 1 + SUM_SLACK)
		return 0;
	for (uint32_t i = 0; i < t->nparts; i++)
		if (!given[i])
			t->part[i].share *= (1 - fixed) / loose;
	return 0;
}

int sfab_traffic_parse(const char *text, const double *shares,
		       struct sfab_traffic *t, struct sfab_err *err)
{
	int given[SFAB_TRAFFIC_PARTS];
	struct sfab_traffic out = { 0 };

	if (!shares)
		shares = sfab_traffic_default_share;
	for (;;) {
		size_t n = strcspn(text, "+");

		if (out.nparts == SFAB_TRAFFIC_PARTS)
			return sfab_fail(err, SFAB_EFORMAT,
					 "more than %d traffic classes",
					 SFAB_TRAFFIC_PARTS);
		if (parse_part(text, n, shares, &out.part[out.nparts],
			       &given[out.nparts], err) < 0)
			return -1;
		out.nparts++;
		if (text[n] == '\0')
			break;
		text += n + 1;
	}
	if (fit_shares(&out, given, err) < 0)
		return -1;
	*t = out;
	return 0;
}

/*
 * Write shares with ten digits, so that one that was typed is printed as it was.  The text can
 * serve as a key: equal traffic has equal text.
 */
char *sfab_traffic_text(const struct sfab_traffic *t, char *buf, size_t size)
{
	size_t length = 0;

	if (size)
		buf[0] = '\0';
	for (uint32_t i = 0; i < t->nparts && length < size; i++) {
		const struct sfab_traffic_part *p = &t->part[i];

		length += (size_t) snprintf(buf + length, size - length, "%s%s%s%s=%.10g",
					    i ? "+" : "",
					    sfab_traffic_word(p->class, p->pattern),
					    p->set[0] ? "@" : "", p->set, p->share);
	}
	return buf;
}

/* Does traffic continue after the comma at @comma: "0,5", "mpi,io-write"? */
static int is_traffic_after(const char *hint, const char *comma)
{
	const char *next = comma + 1;
	struct sfab_traffic_part p;

	if (sfab_is_digit(*next) && memchr(hint, '=', (size_t) (comma - hint)))
		return 1;
	return find_word(next, strcspn(next, "=@+" HINT_ENDS), &p);
}

/*
 * Count the bytes of the hint at @hint.  A comma ends it, except in 0,5 and between classes:
 * these must be rejected as a whole, not accepted in part.
 */
static size_t hint_length(const char *hint)
{
	size_t n = strcspn(hint, HINT_ENDS);

	if (n == strlen(OFF) && !strncmp(hint, OFF, n))
		return n;
	while (n && hint[n] == ',' && is_traffic_after(hint, hint + n))
		n += 1 + strcspn(hint + n + 1, HINT_ENDS);
	return n;
}

enum sfab_hint sfab_hint_parse(const char *text, const double *shares,
			       struct sfab_traffic *t, struct sfab_err *err)
{
	const char *hint = text ? strstr(text, HINT) : NULL;
	char token[HINT_MAX];
	size_t n;

	while (hint && hint != text && !strchr(HINT_ENDS, hint[-1]))
		hint = strstr(hint + 1, HINT);
	if (!hint)
		return SFAB_HINT_NONE;
	hint += strlen(HINT);
	n = hint_length(hint);
	if (n >= sizeof(token)) {
		sfab_fail(err, SFAB_EFORMAT, "hint of %zu bytes (expected at most %d)",
			  n, HINT_MAX - 1);
		return SFAB_HINT_WRONG;
	}
	memcpy(token, hint, n);
	token[n] = '\0';
	if (strcmp(token, OFF) == 0)
		return SFAB_HINT_OFF;
	return sfab_traffic_parse(token, shares, t, err) < 0 ? SFAB_HINT_WRONG
							     : SFAB_HINT_TRAFFIC;
}
