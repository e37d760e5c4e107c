/* SPDX-License-Identifier: GPL-2.0-or-later */
/* edits.c - take a snapshot apart, change it, put it together; see edits.h */

#include "tests/fuzz/edits.h"

#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/reseal.h"
#include "tests/fuzz/trees.h"

#define ROOM 8192	/* bytes that a section may come to */

/* The sections of a snapshot, each in a place of its own. */
struct parts {
	uint8_t head[SFAB_SNAPSHOT_DATA];
	size_t n[SFAB_NSECTIONS];
	uint8_t at[SFAB_NSECTIONS][ROOM];
};

static uint32_t format_of(const struct parts *p)
{
	return sfab_little_get32(p->head + SFAB_AT_VERSION);
}

static struct parts *take_apart(unsigned tree)
{
	struct sfab_snapshot *s = fuzz_tree(tree);
	struct parts *p = calloc(1, sizeof(*p));
	uint8_t *buf;
	size_t size;

	fuzz_check(p && sfab_snapshot_encode(s, &buf, &size, NULL) >= 0);
	memcpy(p->head, buf, sizeof(p->head));
	for (int i = 0; i < SFAB_NSECTIONS; i++) {
		const uint8_t *e = buf + SFAB_AT_TABLE + i * SFAB_ENTRY_SIZE;

		p->n[i] = sfab_little_get64(e + SFAB_ENTRY_LENGTH);
		fuzz_check(p->n[i] <= ROOM);
		memcpy(p->at[i], buf + sfab_little_get64(e + SFAB_ENTRY_OFFSET), p->n[i]);
	}
	free(buf);
	sfab_snapshot_destroy(s);
	return p;
}

/* The parts of each tree are made once. */
static const struct parts *parts_of(unsigned tree)
{
	static struct parts *known[FUZZ_TREES];

	if (!known[tree])
		known[tree] = take_apart(tree);
	return known[tree];
}

static struct sfab_snapshot *put_together(const struct parts *p)
{
	static uint8_t buf[SFAB_SNAPSHOT_DATA + SFAB_NSECTIONS * (ROOM + 8)];
	size_t at = SFAB_SNAPSHOT_DATA;
	struct sfab_err err = { 0 };
	struct sfab_snapshot *s;

	memcpy(buf, p->head, sizeof(p->head));
	for (int i = 0; i < SFAB_NSECTIONS; i++) {
		uint8_t *e = buf + SFAB_AT_TABLE + i * SFAB_ENTRY_SIZE;

		sfab_little_put64(e + SFAB_ENTRY_OFFSET, at);
		sfab_little_put64(e + SFAB_ENTRY_LENGTH, p->n[i]);
		memset(buf + at, 0, p->n[i] + 8);
		memcpy(buf + at, p->at[i], p->n[i]);
		at += p->n[i] + (-p->n[i] & 7);
	}
	reseal(buf, at);
	s = sfab_snapshot_decode(buf, at, &err);
	fuzz_check(s || err.text[0]);
	return s;
}

/* -- changes ---------------------------------------------------------------- */

static void repeat(uint8_t *all, size_t *n, size_t record, size_t k)
{
	if (*n + record > ROOM)
		return;
	memmove(all + (k + 1) * record, all + k * record, *n - k * record);
	*n += record;
}

static void leave_out(uint8_t *all, size_t *n, size_t record, size_t k)
{
	*n -= record;
	memmove(all + k * record, all + (k + 1) * record, *n - k * record);
}

static void swap(uint8_t *a, uint8_t *b, size_t record)
{
	while (record--) {
		uint8_t x = a[record];

		a[record] = b[record];
		b[record] = x;
	}
}

static uint64_t get_value(const uint8_t *at, size_t size)
{
	uint64_t v = 0;

	for (size_t i = 0; i < size; i++)
		v |= (uint64_t) at[i] << (8 * i);
	return v;
}

static void put_value(uint8_t *at, size_t size, uint64_t v)
{
	for (size_t i = 0; i < size; i++)
		at[i] = (uint8_t) (v >> (8 * i));
}

static uint64_t odd_number(struct bytes *in)
{
	static const double odd[] = {
		0.0, -0.0, 1.0, -1.0, 0.5, 0.25, 5e-324, 1e-300, 1e-30, 1e-3,
		1e6, 4e9, 1.25e10, 1e12, 1e15, 1e30, 1e300, 1.7e308,
	};
	double x = odd[take_below(in, sizeof(odd) / sizeof(odd[0]))];
	uint64_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static uint64_t count_records(const struct parts *p, struct bytes *in)
{
	unsigned id = take_below(in, SFAB_NSECTIONS);

	return p->n[id] / sfab_snapshot_record_size(&sfab_sections[id], format_of(p));
}

/* Another value for a field that holds @v; @other: the same of another record. */
static uint64_t new_value(const struct parts *p, struct bytes *in, int type,
			  uint64_t v, uint64_t other)
{
	unsigned how = take_below(in, 8);

	if (type == SFAB_F_F64 && how < 5)
		return odd_number(in);
	switch (how) {
	case 0:
		return v + 1;
	case 1:
		return v - 1;
	case 2:
		return count_records(p, in);
	case 3:
		return ~UINT64_C(0);
	case 4:
		return v ^ UINT64_C(1) << take_below(in, 64);
	case 5:
		return other;
	case 6:
		return take16(in);
	default:
		return take8(in);
	}
}

static void change_field(struct parts *p, struct bytes *in, unsigned id,
			 size_t k, size_t other)
{
	const struct sfab_field *field = sfab_sections[id].fields;
	size_t record = sfab_snapshot_record_size(&sfab_sections[id], format_of(p)), at = 0, size;
	unsigned n = 0, which;

	while (field[n].type != SFAB_F_END)
		n++;
	which = take_below(in, n);
	for (unsigned i = 0; i < which; i++)
		at += sfab_section_field_size(&field[i], format_of(p));
	size = sfab_section_field_size(&field[which], format_of(p));
	put_value(p->at[id] + k * record + at, size,
		  new_value(p, in, field[which].type,
			    get_value(p->at[id] + k * record + at, size),
			    get_value(p->at[id] + other * record + at, size)));
}

/* A record, or a byte of a section that is bytes. */
static void change(struct parts *p, struct bytes *in)
{
	unsigned id = take_below(in, SFAB_NSECTIONS), how = take8(in) % 8;
	size_t record = sfab_snapshot_record_size(&sfab_sections[id], format_of(p));
	uint32_t n = (uint32_t) (p->n[id] / record), k, other;

	if (!n)
		return;
	k = take_below(in, n);
	other = how >= 2 && how < 5 ? take_below(in, n) : k;
	if (how == 0)
		repeat(p->at[id], &p->n[id], record, k);
	else if (how == 1)
		leave_out(p->at[id], &p->n[id], record, k);
	else if (how == 2)
		swap(p->at[id] + k * record, p->at[id] + other * record, record);
	else if (sfab_sections[id].fields)
		change_field(p, in, id, k, other);
	else
		p->at[id][k] = take8(in);
}

struct sfab_snapshot *fuzz_edited(struct bytes *in)
{
	static struct parts p;
	const struct parts *from = parts_of(take_below(in, FUZZ_TREES));
	unsigned edits = take_below(in, FUZZ_EDITS + 1);

	memcpy(p.head, from->head, sizeof(p.head));
	memcpy(p.n, from->n, sizeof(p.n));
	for (int i = 0; i < SFAB_NSECTIONS; i++)
		memcpy(p.at[i], from->at[i], from->n[i]);
	while (edits--)
		change(&p, in);
	return put_together(&p);
}
