/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_snapshot_damage.c - no damage gets through: neither bytes that changed nor numbers that
 * are wrong under right checksums
 */

#include "core/fabric/route.h"
#include "tests/fuzz/reseal.h"
#include "tests/unit/fixtures/snapshots.h"
#include "tests/unit/fixtures/unit.h"

static void assert_damaged(const uint8_t *buf, size_t size, const char *what)
{
	struct sfab_err err = { 0 };

	ck_assert_ptr_null(sfab_snapshot_decode(buf, size, &err));
	ck_assert_int_eq(err.code, SFAB_EFORMAT);
	ck_assert_msg(strstr(err.text, what) != NULL, "\"%s\" says not \"%s\"",
		      err.text, what);
}

/* The last two shapes differ in their LIDs only: formats 2 and 3. */
static struct file small_file(uint32_t version)
{
	struct sfab_snapshot *s = unit_snapshot(
		&snapshot_shapes[version == SFAB_SNAPSHOT_WIDE ? NSHAPES - 1 :
				 NSHAPES - 2]);
	struct file f = encode_snapshot(s);

	unit_cleanup(f.buf, free);
	return f;
}

LOOP_TEST_FROM(every_changed_byte_is_found, SFAB_SNAPSHOT_VERSION, SFAB_SNAPSHOT_WIDE + 1)
{
	static const uint8_t masks[] = { 1, 2, 4, 8, 16, 32, 64, 128, 0xFF };
	struct file f = small_file((uint32_t) _i);

	for (size_t at = 0; at < f.size; at++)
		for (size_t m = 0; m < N(masks); m++) {
			f.buf[at] ^= masks[m];
			assert_damaged(f.buf, f.size, "");
			f.buf[at] ^= masks[m];
		}
}

LOOP_TEST_FROM(every_truncation_is_found, SFAB_SNAPSHOT_VERSION, SFAB_SNAPSHOT_WIDE + 1)
{
	struct file f = small_file((uint32_t) _i);
	uint8_t *longer;

	for (size_t size = 0; size < f.size; size++) {
		uint8_t *copy = malloc(size + 1);	/* for ASan's redzone */

		memcpy(copy, f.buf, size);
		assert_damaged(copy, size, "");
		free(copy);
	}
	longer = calloc(1, f.size + 8);
	memcpy(longer, f.buf, f.size);
	assert_damaged(longer, f.size + 8, "bytes (expected");
	free(longer);
}

/* Use what was decoded: every route, and encode it again. */
static void use(struct sfab_snapshot *s)
{
	const struct sfab_fabric *f = s->fabric;
	struct sfab_route r = { 0 };
	struct file file;

	for (uint32_t a = 0; a < f->nports; a++)
		for (uint32_t b = 0; b < f->nports; b++)
			ck_assert_int_eq(sfab_route_ports(f, a, b, &r), 0);
	sfab_route_clear(&r);
	file = encode_snapshot(s);
	free(file.buf);
}

/*
 * With checksums made right again each changed byte must be refused or give something that can
 * be used without harm.
 */
LOOP_TEST_FROM(resealed_changes_do_no_harm, SFAB_SNAPSHOT_VERSION, SFAB_SNAPSHOT_WIDE + 1)
{
	static const uint8_t masks[] = { 1, 2, 0x80, 0xFF };
	struct file f = small_file((uint32_t) _i);
	uint8_t *copy = malloc(f.size);
	struct sfab_snapshot *s;
	unsigned refused = 0;

	for (size_t at = 0; at < f.size; at++)
		for (size_t m = 0; m < N(masks); m++) {
			memcpy(copy, f.buf, f.size);
			copy[at] ^= masks[m];
			reseal(copy, f.size);
			s = sfab_snapshot_decode(copy, f.size, NULL);
			if (s)
				use(s);
			else
				refused++;
			sfab_snapshot_destroy(s);
		}
	ck_assert_uint_gt(refused, f.size);
	free(copy);
}

/* What one wrong field of one record gives, checksums being right. */
struct wrong_field {
	enum sfab_section_id section;
	int record;			/* -1: the last */
	unsigned at, bytes;
	uint64_t value;
	const char *error;
};

static const struct wrong_field wrong_fields[] = {
	{ SFAB_S_EPOCH, 0, 8, 4, 9999, "EPOCH, record 0: text outside section NOTES" },
	{ SFAB_S_FABRIC, 0, 0, 1, 3, "flag or role" },
	{ SFAB_S_PLANES, 0, 4, 4, 0xC001, "LIDs up to 0xc000 (expected at most 0xbfff)" },
	{ SFAB_S_PLANES, 0, 4, 4, 0x4000, "switch leaf1: table too short" },
	{ SFAB_S_SWITCHES, 1, 0, 8, 1, "out of order, or duplicate GUID" },
	{ SFAB_S_SWITCHES, 1, 8, 4, 0xFFFFFFFF, "text outside section NAMES" },
	{ SFAB_S_SWITCHES, 1, 12, 4, 7, "no such plane" },
	{ SFAB_S_SWITCHES, 1, 16, 2, 0xFFFF, "LID 0xffff (expected at most" },
	{ SFAB_S_SWITCHES, 1, 18, 1, 255, "255 ports (expected at most 254)" },
	{ SFAB_S_SWITCHES, 0, 18, 1, 1, "a port above 1" },
	{ SFAB_S_SWITCHES, 1, 19, 1, 2, "flag or role" },
	{ SFAB_S_SWITCHES, -1, 19, 1, 0, "more than the switches have" },
	{ SFAB_S_HOSTS, 1, 0, 4, 0, "host n3: out of order" },
	{ SFAB_S_HOSTS, 1, 4, 4, 4, "flag or role" },
	{ SFAB_S_PORTS, 1, 20, 4, 99, "host, plane or LMC out of range" },
	{ SFAB_S_PORTS, 1, 20, 4, 1, "out of order" },
	{ SFAB_S_PORTS, 2, 24, 4, 2, "host, plane or LMC out of range" },
	{ SFAB_S_PORTS, 0, 28, 2, 0xFFFF, "LID 0xffff" },
	{ SFAB_S_PORTS, 0, 28, 2, 4, "belongs to another port" },
	{ SFAB_S_PORTS, 0, 30, 1, 8, "host, plane or LMC out of range" },
	{ SFAB_S_LINKS, 0, 0, 8, 0x7FF8000000000000,
	  "link 0: capacity nan GB/s (expected 0.001 to 1e+06 GB/s)" },
	{ SFAB_S_LINKS, 0, 0, 8, 0x7FF0000000000000, "capacity inf" },
	{ SFAB_S_LINKS, 0, 0, 8, 0xBFF0000000000000, "capacity -1e-09" },
	{ SFAB_S_LINKS, 0, 0, 8, 0, "capacity 0 GB/s" },
	{ SFAB_S_LINKS, 0, 0, 8, 1, "link 0: capacity 0 GB/s" },	/* denormal */
	{ SFAB_S_LINKS, 3, 0, 8, 0x39B4484BFEEBC2A0, "link 3: capacity 1e-39 GB/s" },
	{ SFAB_S_LINKS, 0, 0, 8, 0x412E847FFFFFFFFF, "capacity 0.001 GB/s" },
	{ SFAB_S_LINKS, 0, 0, 8, 0x430C6BF526340001, "capacity 1e+06 GB/s" },
	{ SFAB_S_LINKS, 0, 0, 8, 0x7E37E43C8800759C, "capacity 1e+291 GB/s" },
	{ SFAB_S_LINKS, 0, 8, 4, 99, "link 0: ends or ports out of range" },
	{ SFAB_S_LINKS, 0, 12, 4, 99, "link 0: ends or ports out of range" },
	{ SFAB_S_LINKS, 0, 16, 1, 0, "link 0: ends or ports out of range" },
	{ SFAB_S_LINKS, 0, 16, 1, 200, "link 0: ends or ports out of range" },
	{ SFAB_S_LINKS, 0, 16, 1, 3, "link 1: out of order" },
	{ SFAB_S_LINKS, 1, 16, 1, 1, "leaf1 port 1: two links" },
	{ SFAB_S_LINKS, 1, 12, 4, 0, "two links lead to it" },
	{ SFAB_S_LINKS, 0, 18, 1, 3, "link 0: ends or ports out of range" },
	{ SFAB_S_LINKS, 0, 19, 1, 2, "flag or role" },
	{ SFAB_S_TABLES, 1, 0, 1, 9, "a port above" },
	{ SFAB_S_GROUPS, 0, 0, 4, 99, "switch out of range or order" },
	{ SFAB_S_GROUPS, 1, 0, 4, 9, "switch out of range or order" },
	{ SFAB_S_GROUPS, 0, 4, 4, 0, "a group of 0 ports" },
	{ SFAB_S_GROUPS, 0, 4, 4, 3, "shares of a group sum to 1.5" },
	{ SFAB_S_GROUPS, -1, 4, 4, 99, "a group of 99 ports" },
	{ SFAB_S_GROUPS, -1, 4, 4, 1, "shares of a group sum to 0.5" },
	{ SFAB_S_GROUP_PORTS, 0, 0, 8, 0x7FF8000000000000, "with share" },
	{ SFAB_S_GROUP_PORTS, 0, 0, 8, 0xBFE0000000000000, "with share -0.5" },
	{ SFAB_S_GROUP_PORTS, 0, 8, 1, 0, "group port 0" },
	{ SFAB_S_GROUP_PORTS, 0, 8, 1, 200, "group port 200" },
	{ SFAB_S_GROUP_LIDS, 0, 0, 4, 99, "section GRPLIDS: switch 99" },
	{ SFAB_S_GROUP_LIDS, 0, 4, 2, 0x999, "LID 0x999 uses group" },
	{ SFAB_S_GROUP_LIDS, 0, 6, 2, 99, "uses group 99 of" },
	{ SFAB_S_IO_PORTS, 0, 0, 8, 0xBFE0000000000000, "capacity -5e-10 GB/s" },
	{ SFAB_S_IO_PORTS, 0, 0, 8, 0x7FF8000000000000, "capacity nan" },
	{ SFAB_S_IO_PORTS, 0, 0, 8, 0x39B4484BFEEBC2A0,
	  "IO port 0: capacity 1e-39 GB/s (expected 0.001 to 1e+06 GB/s)" },
	{ SFAB_S_IO_PORTS, 0, 0, 8, 0x7E37E43C8800759C, "capacity 1e+291" },
	{ SFAB_S_IO_PORTS, 0, 8, 4, 99, "IO ports: out of range" },
	{ SFAB_S_IO_PORTS, 1, 8, 4, 0, "IO ports: out of range or order" },
	{ SFAB_S_IO_SETS, 0, 4, 4, 3, "map 3 with 0 groups" },
	{ SFAB_S_IO_SETS, 0, 4, 4, 1, "map 1 with 0 groups" },
	{ SFAB_S_IO_SETS, 0, 8, 4, 0xFFFFFFFF, "numbers of members" },
	{ SFAB_S_IO_SETS, 0, 8, 4, 0, "numbers of members" },
	{ SFAB_S_IO_SETS, 0, 12, 4, 1, "numbers of members or clients" },
	{ SFAB_S_IO_SETS, 2, 12, 4, 0, "numbers of members or clients" },
	{ SFAB_S_IO_SETS, 2, 12, 4, 1, "is in group 1 of 1" },
	{ SFAB_S_IO_MEMBERS, 0, 0, 4, 99, "members missing, out of range" },
	{ SFAB_S_IO_MEMBERS, 1, 0, 4, 0, "members missing, out of range" },
	{ SFAB_S_IO_MEMBERS, -1, 4, 4, 2, "is in group 2 of 2" },
	{ SFAB_S_IO_CLIENTS, 1, 0, 4, 2, "host 1 is in group 2 of 2" },
	{ SFAB_S_NAMES, -1, 0, 1, 'x', "NAMES: the last text has no end" },
};

/* The same for what format 3 has otherwise. */
static const struct wrong_field wide_fields[] = {
	{ SFAB_S_PLANES, 0, 4, 4, 0xF00001,
	  "plane 0: LIDs up to 0xf00000 (expected at most 0xefffff)" },
	{ SFAB_S_PLANES, 0, 4, 4, 0xEFFFFF, "LID 0xefffff (expected at most 0xeffffe)" },
	{ SFAB_S_PLANES, 0, 4, 4, 0, "(expected at most 0x0)" },
	{ SFAB_S_SWITCHES, 1, 16, 4, 0xFFFFFF, "LID 0xffffff (expected at most 0xefffff)" },
	{ SFAB_S_SWITCHES, 1, 16, 4, 0xFFFFFFFF, "LID 0xffffffff (expected at most" },
	{ SFAB_S_SWITCHES, 1, 16, 4, 0, "more than the switches have" },
	{ SFAB_S_PORTS, 0, 28, 4, 0xF00000, "LID 0xf00000" },
	{ SFAB_S_PORTS, 0, 28, 4, 0xEFFFFF, "LID 0xf00000" },
	{ SFAB_S_PORTS, 0, 28, 4, 0x4003, "belongs to another port" },
	{ SFAB_S_PORTS, 0, 32, 1, 8, "host, plane or LMC out of range" },
	{ SFAB_S_TABLES, 1, 0, 1, 9, "a port above" },
	{ SFAB_S_GROUP_LIDS, 0, 4, 4, 0x999999, "LID 0x999999 uses group" },
	{ SFAB_S_GROUP_LIDS, 0, 4, 4, 0, "LID 0x0 uses group" },
	{ SFAB_S_GROUP_LIDS, 0, 8, 2, 99, "uses group 99 of" },
};

static void put(uint8_t *at, uint64_t value, unsigned bytes)
{
	for (; bytes--; value >>= 8)
		*at++ = (uint8_t) value;
}

static void check_wrong_field(const struct wrong_field *w, uint32_t version)
{
	struct file f = small_file(version);
	const uint8_t *entry = f.buf + SFAB_AT_TABLE + w->section * SFAB_ENTRY_SIZE;
	size_t record = sfab_snapshot_record_size(&sfab_sections[w->section], version);
	size_t length = sfab_little_get64(entry + SFAB_ENTRY_LENGTH);
	size_t i = w->record < 0 ? length / record - 1 : (size_t) w->record;

	ck_assert_uint_lt(i, length / record);
	put(f.buf + sfab_little_get64(entry + SFAB_ENTRY_OFFSET) + i * record + w->at,
	    w->value, w->bytes);
	reseal(f.buf, f.size);
	assert_damaged(f.buf, f.size, w->error);
}

LOOP_TEST(wrong_fields_are_refused, N(wrong_fields))
{
	check_wrong_field(&wrong_fields[_i], SFAB_SNAPSHOT_VERSION);
}

LOOP_TEST(wrong_wide_fields_are_refused, N(wide_fields))
{
	check_wrong_field(&wide_fields[_i], SFAB_SNAPSHOT_WIDE);
}

/* A newline anywhere in the notes: in the source, or the file is refused. */
TEST(engines_are_names)
{
	struct sfab_snapshot *made = odd_snapshot();
	const uint8_t *entry;
	uint8_t *notes;
	size_t length, refused = 0;
	const char *engine;
	struct file f;

	f = encode_snapshot(made);
	entry = f.buf + SFAB_AT_TABLE + SFAB_S_NOTES * SFAB_ENTRY_SIZE;
	notes = f.buf + sfab_little_get64(entry + SFAB_ENTRY_OFFSET);
	length = sfab_little_get64(entry + SFAB_ENTRY_LENGTH);
	for (size_t at = 0; at < length; at++) {
		uint8_t was = notes[at];
		struct sfab_err err = { 0 };
		struct sfab_snapshot *s;

		if (!was)
			continue;
		notes[at] = '\n';
		reseal(f.buf, f.size);
		s = sfab_snapshot_decode(f.buf, f.size, &err);
		notes[at] = was;
		if (s) {
			engine = s->fabric->planes[0].engine;
			ck_assert_msg(sfab_plane_engines_are_names(engine), "%s", engine);
		} else {
			refused++;
			ck_assert_str_eq(err.text, "plane 0: bad routing engine (expected "
					 "letters, digits, _ and -)");
		}
		sfab_snapshot_destroy(s);
	}
	ck_assert_uint_eq(refused, strlen("ftree") + strlen("ftree,updn"));
	free(f.buf);
}

TEST(headers_are_checked)
{
	struct file f = small_file(SFAB_SNAPSHOT_VERSION);

	f.buf[SFAB_AT_VERSION] = SFAB_SNAPSHOT_WIDE + 1;
	assert_damaged(f.buf, f.size, "snapshot format 4 (expected 2 or 3");
	f.buf[SFAB_AT_VERSION] = SFAB_SNAPSHOT_VERSION;
	f.buf[SFAB_AT_TABLE]++;
	reseal(f.buf, f.size);
	assert_damaged(f.buf, f.size, "section EPOCH: not where it should be");
	f.buf[SFAB_AT_TABLE]--;
	put(f.buf + SFAB_AT_TABLE + SFAB_ENTRY_LENGTH, UINT64_MAX, 8);
	reseal(f.buf, f.size);
	assert_damaged(f.buf, f.size, "section EPOCH: not where it should be");
	put(f.buf + SFAB_AT_TABLE + SFAB_ENTRY_LENGTH, 13, 8);
	reseal(f.buf, f.size);
	assert_damaged(f.buf, f.size, "section EPOCH: 13 bytes (expected rec");
	assert_damaged((const uint8_t *) "", 0, "not a snapshot");
}

UNIT_MAIN("snapshot_damage")
