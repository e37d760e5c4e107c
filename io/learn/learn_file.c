/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * learn_file.c - header, names of IO sets and parts of traffic; see learn_file.h
 *
 * Two formats differ in their rows and in some bytes behind the header.  What they share is
 * here and in rowfile.c, so that both refuse the same damage.
 */

#include "io/learn/learn_file.h"

#include <stdio.h>
#include <string.h>

#include "io/record.h"

#define SUM_SLACK 1e-9		/* of shares that sum to 1 */

/* -- names of IO sets ------------------------------------------------------- */

/*
 * Return the number of a set, 0 for "", or LEARN_SETS + 1: not there.  0 is also what an unused
 * byte has, so "" needs no entry.
 */
static uint32_t find_set(const struct learn_sets *s, const char *name)
{
	if (!*name)
		return 0;
	for (uint32_t i = 0; i < s->n; i++)
		if (strcmp(s->name[i], name) == 0)
			return i + 1;
	return LEARN_SETS + 1;
}

int sfab_learn_sets_add(struct learn_sets *s, const struct sfab_traffic *t,
			struct sfab_err *err)
{
	for (uint32_t i = 0; i < t->nparts; i++) {
		if (find_set(s, t->part[i].set) <= LEARN_SETS)
			continue;
		if (s->n == LEARN_SETS)
			return sfab_fail(err, SFAB_ELIMIT,
					 "more than %u IO sets in learned traffic",
					 LEARN_SETS);
		snprintf(s->name[s->n++], SFAB_NAME_SIZE, "%s", t->part[i].set);
	}
	return 0;
}

/* Require zeros up to the end, so that equal names have equal bytes. */
int sfab_learn_is_text(const char *text)
{
	size_t n = strnlen(text, SFAB_NAME_SIZE);

	for (size_t i = n; i < SFAB_NAME_SIZE; i++)
		if (text[i])
			return 0;
	return n < SFAB_NAME_SIZE;
}

/* -- parts ------------------------------------------------------------------ */

static const struct sfab_field part_fields[] = {
	SFAB_FIELD(SFAB_F_U8, learn_part, class), SFAB_FIELD(SFAB_F_U8, learn_part, set),
	SFAB_FIELD_ZERO(6), SFAB_FIELD(SFAB_F_F64, learn_part, share), SFAB_FIELD_END
};

struct learn_part sfab_learn_make_part(const struct learn_sets *s,
				       const struct sfab_traffic_part *p)
{
	return (struct learn_part){ (uint8_t) p->class, (uint8_t) find_set(s, p->set),
				    p->share };
}

void sfab_learn_traffic(const struct learn_sets *s, const struct learn_part *part,
			uint32_t n, double min, struct sfab_traffic *t)
{
	memset(t, 0, sizeof(*t));
	for (uint32_t i = 0; i < n; i++) {
		struct sfab_traffic_part *p = &t->part[t->nparts];

		if (part[i].share < min)
			continue;
		p->class = (enum sfab_class) part[i].class;
		p->share = part[i].share;
		if (part[i].set)
			memcpy(p->set, s->name[part[i].set - 1], sizeof(p->set));
		t->nparts++;
	}
}

void sfab_learn_put_parts(uint8_t *p, const struct learn_part *part, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		sfab_record_put(part_fields, &part[i], p + i * LEARN_PART);
}

/* Read and check one part; only IO has a set. */
static int get_part(const uint8_t *p, const struct learn_sets *s, struct learn_part *part)
{
	if (sfab_record_get(part_fields, p, part) < 0 || part->class >= SFAB_NCLASSES ||
	    part->set > s->n ||
	    (part->set && !sfab_class_is_io((enum sfab_class) part->class)))
		return -1;
	return part->share >= 0 && part->share <= 1 ? 0 : -1;	/* NaN fails */
}

int sfab_learn_get_parts(const uint8_t *p, const struct learn_sets *s,
			 struct learn_part *part, uint32_t n,
			 const struct sfab_rowfile *f, uint32_t i, struct sfab_err *err)
{
	static const uint8_t none[LEARN_PART];
	double sum = 0;

	for (uint32_t k = 0; k < SFAB_TRAFFIC_PARTS; k++, p += LEARN_PART) {
		if (k >= n ? memcmp(p, none, LEARN_PART) != 0 :
			     get_part(p, s, &part[k]) < 0)
			return sfab_fail(err, SFAB_EFORMAT, "%s: row %u: part %u is no "
					 "traffic (class %u, set %u, share %g)", f->what,
					 i, k, p[0], p[1], sfab_little_get_f64(p + 8));
		sum += k < n ? part[k].share : 0;
	}
	if (sum > 1 + SUM_SLACK)
		return sfab_fail(err, SFAB_EFORMAT, "%s: row %u: shares sum to %g "
				 "(expected at most 1)", f->what, i, sum);
	return 0;
}

/* -- the file --------------------------------------------------------------- */

int sfab_learn_open(const struct sfab_rowfile *f, const uint8_t *buf, size_t size,
		    struct learn_sets *s, struct sfab_err *err)
{
	static const uint8_t zeros[LEARN_HEADER - LEARN_AT_ZERO];
	const uint8_t *name = buf + LEARN_HEADER + f->extra;
	uint32_t n;

	if (sfab_rowfile_check(f, buf, size, err) < 0)
		return -1;
	n = sfab_little_get32(buf + SFAB_ROWS_AT_NAMES);
	if (memcmp(buf + LEARN_AT_ZERO, zeros, sizeof(zeros)) != 0)
		return sfab_fail(err, SFAB_EFORMAT, "%s: reserved bytes of the header "
				 "are not 0", f->what);
	s->n = 0;
	/* The names before one are in @s already, so a name that is there twice is found. */
	for (; s->n < n; s->n++, name += SFAB_NAME_SIZE) {
		memcpy(s->name[s->n], name, SFAB_NAME_SIZE);
		if (*s->name[s->n] && sfab_learn_is_text(s->name[s->n]) &&
		    find_set(s, s->name[s->n]) > LEARN_SETS)
			continue;
		return sfab_fail(err, SFAB_EFORMAT, "%s: name %u of an IO set is not "
				 "one (expected a new one of 1 to %u bytes)", f->what,
				 s->n, SFAB_NAME_SIZE - 1);
	}
	return 0;
}
