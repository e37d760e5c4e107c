/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_found_traffic.c - traffic.snap: written, read again, refused when spoilt; when it counts. */

#include "tests/unit/fixtures/damage.h"
#include "tests/unit/fixtures/past_runs.h"
#include "tests/unit/fixtures/unit.h"

#include "io/learn/found_traffic.h"
#include "io/learn/learn_file.h"
#include "io/little.h"

#define NOW 1700000000u

static struct sfab_found *f;

static void set_up(void)
{
	f = sfab_found_create(2);
	ck_assert_ptr_nonnull(f);
	f->time_ms = NOW * 1000ull;
	f->fingerprint = 0x1234;
	f->followed = 0.75;
	f->job[0] = (struct sfab_found_job){
		.id = 7, .samples = 3, .start_s = NOW - 90, .time_s = NOW,
		.residual = 0.125, .confidence = 0.75, .flags = SFAB_FOUND_MISFIT,
		.latest = past_sends("mpi=0.25+io-write@fs=0.5"),
		.mean = past_sends("mpi=0.125+io-write@fs=0.25") };
	f->job[1] = (struct sfab_found_job){ .id = 70000, .time_s = NOW,
					     .confidence = 1 };
}

static void tear_down(void)
{
	sfab_found_destroy(f);
}

static uint8_t *encoded(size_t *size)
{
	uint8_t *buf;

	unit_must(!sfab_found_encode(f, &buf, size, &unit_err));
	return buf;
}

TEST(what_is_written_is_read)
{
	const char *path = unit_path(SFAB_FOUND_NAME);
	struct sfab_found *again;

	unit_must(!sfab_found_save(f, path, 0644, &unit_err));
	again = sfab_found_load(path, NULL, &unit_err);
	unit_must(again != NULL);
	ck_assert(again->n == 2 && again->time_ms == f->time_ms &&
		  again->fingerprint == 0x1234 && again->followed == 0.75);
	ck_assert_mem_eq(again->job, f->job, 2 * sizeof(*f->job));
	ck_assert_ptr_eq(sfab_found_job(again, 70000), &again->job[1]);
	ck_assert_ptr_null(sfab_found_job(again, 8));
	ck_assert_ptr_null(sfab_found_job(NULL, 7));
	sfab_found_destroy(again);
}

TEST(old_and_unsure_does_not_count)
{
	ck_assert(sfab_found_is_usable(f, &f->job[0], NOW + SFAB_FOUND_OLD_S));
	ck_assert(!sfab_found_is_usable(f, &f->job[0], NOW + SFAB_FOUND_OLD_S + 1));
	f->job[0].time_s = NOW - 100;
	ck_assert(!sfab_found_is_usable(f, &f->job[0], NOW + SFAB_FOUND_OLD_S - 50));
	f->job[1].confidence = 0;
	ck_assert(!sfab_found_is_usable(f, &f->job[1], NOW));
	f->job[1].flags = SFAB_FOUND_ALIKE;
	ck_assert(sfab_found_is_usable(f, &f->job[1], NOW));
}

/* What was expected gives way as confidence grows; no step at any point. */
static const struct {
	double confidence;
	unsigned flags;
	const char *expected, *believed;
} beliefs[] = {
	{ 0, 0, "mpi=0.4+io-read=0.1", "mpi=0.4+io-read=0.1" },
	{ 0.25, 0, "mpi=0.4+io-read=0.1", "io-write@fs=0.125+io-read=0.075+mpi=0.3625" },
	{ 0.75, 0, "mpi=0.4", "mpi=0.2875+io-write@fs=0.375" },
	{ 1, 0, "mpi=0.4+io-read=0.1", "mpi=0.25+io-write@fs=0.5" },
	{ 0.2, SFAB_FOUND_ALIKE, "io-read=1", "mpi=0.25+io-write@fs=0.5" },
};

LOOP_TEST(confidence_weighs_what_was_found, N(beliefs))
{
	struct sfab_traffic t = past_sends(beliefs[_i].expected);
	struct sfab_traffic want = past_sends(beliefs[_i].believed);

	f->job[0].confidence = beliefs[_i].confidence;
	f->job[0].flags = beliefs[_i].flags;
	sfab_found_believe(&f->job[0], &f->job[0].latest, &t);
	ck_assert_uint_eq(t.nparts, want.nparts);
	for (uint32_t i = 0; i < t.nparts; i++)
		for (uint32_t k = 0; k < want.nparts; k++)
			if (t.part[i].class == want.part[k].class)
				ck_assert_double_eq_tol(t.part[i].share, want.part[k].share,
							1e-12);
}

/* 75 % of the bytes are where the tables of snapshot 0x1234 say. */
TEST(strays_are_of_one_snapshot)
{
	ck_assert(!sfab_found_strays(f, 0x1234, 75) && sfab_found_strays(f, 0x1234, 76));
	ck_assert(!sfab_found_strays(f, 0x1235, 76) && !sfab_found_strays(NULL, 0x1234, 100));
	f->followed = -1;
	ck_assert(!sfab_found_strays(f, 0x1234, 100));
}

#define ROW(i) (64 + 8 + 64 + (i) * 240)

/* The offsets that doc/learn-format.md gives. */
TEST(numbers_stand_where_the_format_says)
{
	size_t size;
	uint8_t *buf = encoded(&size);

	ck_assert_uint_eq(size, ROW(2));
	ck_assert_mem_eq(buf, "SFABTRAF\3\0\0\0\2\0\0\0", 16);
	ck_assert_uint_eq(sfab_little_get64(buf + 16), NOW * 1000ull);
	ck_assert_uint_eq(sfab_little_get64(buf + 24), 0x1234);
	ck_assert_mem_eq(buf + 64 + 6, "\xe8\x3f", 2);		/* 0.75 */
	ck_assert_str_eq((char *) buf + 72, "fs");
	ck_assert_mem_eq(buf + ROW(0), "\7\0\0\0\1\2\0\0\3\0\0\0\0\0\0\0", 16);
	ck_assert_uint_eq(sfab_little_get64(buf + ROW(0) + 16), NOW - 90);
	ck_assert_uint_eq(sfab_little_get64(buf + ROW(0) + 24), NOW);
	ck_assert_mem_eq(buf + ROW(0) + 38, "\xc0\x3f", 2);	/* 0.125 */
	ck_assert_mem_eq(buf + ROW(0) + 46, "\xe8\x3f", 2);	/* 0.75 */
	ck_assert_mem_eq(buf + ROW(0) + 64, "\2\1\0\0\0\0\0\0\0\0\0\0\0\0\xe0\x3f", 16);
	ck_assert_mem_eq(buf + ROW(0) + 176 + 14, "\xd0\x3f", 2);	/* 0.25 */
	free(buf);
}

static int accepts_found(const uint8_t *buf, size_t size, struct sfab_err *err)
{
	struct sfab_found *read = sfab_found_decode(buf, size, err);
	int accepted = read != NULL;

	sfab_found_destroy(read);
	return accepted;
}

static const struct damage_format format = { accepts_found, LEARN_HEADER };

static const struct damage_byte spoilt[] = {
	{ 3, 'X', "not found traffic" },
	{ 8, 9, "found traffic of format 9" },
	{ 12, 1, "found traffic: 616 bytes (expected" },
	{ 15, 1, "found traffic: 16777218 rows (expected at most" },
	{ 63, 1, "found traffic: reserved bytes" },
	{ 71, 0x41, "found traffic: " },
	{ 72, 0, "found traffic: name 0 of an IO set" },
	{ ROW(0) + 4, 16, "found traffic: row 0: 2 parts, flags 0x10" },
	{ ROW(0) + 5, 9, "found traffic: row 0: 9 parts" },
	{ ROW(0) + 6, 1, "found traffic: row 0: 2 parts" },
	{ ROW(0) + 12, 4, "found traffic: row 0: 2 parts" },	/* exact ones of 3 samples */
	{ ROW(0) + 39, 0xbf, "found traffic: row 0: residual" },
	{ ROW(1) + 47, 0x7f, "found traffic: row 1: residual" },
	{ ROW(0) + 48, 9, "found traffic: row 0: part 0 is no traffic (class 9" },
	{ ROW(0) + 49, 1, "found traffic: row 0: part 0 is no traffic" },	/* mpi has no set */
	{ ROW(0) + 62, 0xe8, "found traffic: row 0: shares sum to 1.25" },
	{ ROW(0) + 176 + 15, 0x40, "found traffic: row 0: mean shares" },
	{ ROW(0) + 176 + 16, 1, "found traffic: row 0: mean shares" },
	{ ROW(1) + 2, 0, NULL },	/* 4464: another job */
	{ ROW(0) + 3, 1, "found traffic: row 1: job 70000 twice or out of order" },
};

LOOP_TEST(spoilt_traffic_is_refused, N(spoilt))
{
	size_t size;
	uint8_t *buf = encoded(&size);

	damage_check_byte(&format, buf, size, &spoilt[_i]);
	free(buf);
}

TEST(damage_and_cuts_are_refused)
{
	size_t size;
	uint8_t *buf = encoded(&size);

	damage_check_all(&format, buf, size);
	free(buf);
}

UNIT_MAIN_WITH("found", set_up, tear_down)
