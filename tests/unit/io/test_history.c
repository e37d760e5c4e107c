/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The history: what it learns from runs, which key it trusts, its file. */

#include "tests/unit/fixtures/sealed.h"
#include "tests/unit/fixtures/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "io/learn/history.h"
#include "io/little.h"
#include "tests/unit/fixtures/made.h"

#define DAY 86400u
#define NOW (20000u * DAY)

static struct sfab_history *h;
static struct sfab_learned l;

static void set_up(void)
{
	h = sfab_history_create(7);
	ck_assert_ptr_nonnull(h);
}

static void tear_down(void)
{
	sfab_history_destroy(h);
}

static struct sfab_history_facts job(uint32_t user, const char *name, uint32_t nodes)
{
	return (struct sfab_history_facts){ user, name, "acc", "part", nodes };
}

static struct sfab_traffic sends(const char *text)
{
	struct sfab_err err = { 0 };
	struct sfab_traffic t;

	ck_assert_msg(!sfab_traffic_parse(text, NULL, &t, &err), "%s", err.text);
	return t;
}

static void ran_so(struct sfab_history_facts facts, const char *text, double weight,
		   uint64_t end_s, int at_least)
{
	struct sfab_traffic t = sends(text);
	struct sfab_history_run run = { .sent = &t, .weight = weight, .end_s = end_s,
					.at_least = at_least };
	struct sfab_err err = { 0 };

	ck_assert_msg(!sfab_history_add(h, &facts, &run, &err), "%s", err.text);
}

static void ran(struct sfab_history_facts facts, const char *text, double weight,
		uint64_t end_s)
{
	ran_so(facts, text, weight, end_s, 0);
}

static int learned(struct sfab_history_facts facts, uint64_t now_s)
{
	return sfab_history_find(h, &facts, now_s, &l);
}

static const char *said(void)
{
	static char buf[300];

	return sfab_traffic_text(&l.traffic, buf, sizeof(buf));
}

START_TEST(third_run_is_trusted)
{
	ran(job(5, "run_01", 8), "io-write=0.4", 1, NOW);
	ran(job(5, "run_02", 8), "io-write=0.4", 1, NOW);
	ck_assert(!learned(job(5, "run_03", 8), NOW));
	ran(job(5, "run_03", 8), "io-write=0.4", 1, NOW);
	ck_assert(learned(job(5, "run_04", 8), NOW));
	ck_assert_int_eq(l.kind, SFAB_BY_NAME_NODES);
	ck_assert_uint_eq(l.runs, 3);
	ck_assert_uint_eq(l.last_s, NOW);
	ck_assert_str_eq(said(), "io-write=0.4");
	ck_assert(fabs(l.weight - 3) < 1e-9 && l.spread < 1e-9);
	ck_assert(!sfab_history_find(NULL, &(struct sfab_history_facts){ 0 }, NOW, &l));
}
END_TEST

/* Three users ran two names each, thrice. */
static void several_ran(void)
{
	static const char *const name[] = { "run_77", "tool", "solve" };

	for (int i = 0; i < 9; i++)
		ran(job(5 + (uint32_t) i % 3, name[(i + i / 3) % 3], 8), "mpi=0.3", 1, NOW);
	for (int i = 0; i < 2; i++)
		ran(job(5, "run_77", 8), "mpi=0.3", 1, NOW);
}

/* Which key answers, by what the new job has in common with runs of before. */
static const struct {
	uint32_t user;
	const char *name;
	uint32_t nodes;
	const char *account, *partition;
	int kind;		/* -1: none */
} keys[] = {
	{ 5, "run_9", 8, "acc", "part", SFAB_BY_NAME_NODES },
	{ 5, "run_", 8, NULL, NULL, SFAB_BY_NAME_NODES },
	{ 5, "run_9", 16, "acc", "part", SFAB_BY_NAME },
	{ 5, "run_9", 0, "other", "other", SFAB_BY_NAME },
	{ 5, "else", 8, "acc", "part", SFAB_BY_USER_ACCOUNT },
	{ 5, "12345", 8, "acc", "part", SFAB_BY_USER_ACCOUNT },
	{ 5, NULL, 8, "acc", "part", SFAB_BY_USER_ACCOUNT },
	{ 8, "run_9", 8, "acc", "part", SFAB_BY_ACCOUNT },
	{ 8, "run_9", 8, "other", "part", SFAB_BY_PARTITION },
	{ 8, "run_9", 8, "", "part", SFAB_BY_PARTITION },
	{ 8, "run_9", 8, "other", "other", -1 },
	{ 8, "run_9", 8, NULL, NULL, -1 },
	{ 5, "run", 8, "other", "other", -1 },
};

START_TEST(most_special_key_answers)
{
	struct sfab_history_facts facts = { keys[_i].user, keys[_i].name,
					    keys[_i].account, keys[_i].partition,
					    keys[_i].nodes };

	several_ran();
	ck_assert_int_eq(learned(facts, NOW), keys[_i].kind >= 0);
	if (keys[_i].kind >= 0)
		ck_assert_int_eq((int) l.kind, keys[_i].kind);
}
END_TEST

/* Whose runs make a key trusted: letters are users, digits are names. */
static const struct {
	const char *runs;
	int account, partition, user_account;
} shared[] = {
	{ "a1 a1 a1 a1 a1 a1", 0, 0, 0 },	/* one writer is no partition */
	{ "a1 a2 a3 a1 a2 a3", 0, 0, 1 },	/* one user, several programs */
	{ "a1 b1 c1 a1 b1 c1", 0, 0, 0 },	/* several users, one program */
	{ "a1 b2 a1 b2 a3 b3", 0, 0, 0 },	/* two users */
	{ "a1 b2 c3", 1, 1, 0 },
	{ "a1 a2 a3 b1 c2", 1, 1, 1 },
	{ "a- b- c- a- b- c-", 0, 0, 0 },	/* no names */
	/* of late one user alone: the others are too long ago */
	{ "b2 c3 a1 a2 a1 a2 a1 a2 a1 a2 a1 a2 a1 a2", 0, 0, 0 },
};

START_TEST(a_shared_key_wants_several)
{
	char name[] = "prog-x";

	for (const char *p = shared[_i].runs; *p; p += p[2] ? 3 : 2) {
		name[5] = (char) (p[1] + 'A' - '1');
		ran(job((uint32_t) *p, p[1] == '-' ? "77" : name, 8), "io-write=0.4", 1, NOW);
	}
	ck_assert_int_eq(learned((struct sfab_history_facts){ 1, "x", "acc", NULL, 8 }, NOW),
			 shared[_i].account);
	ck_assert_int_eq(learned((struct sfab_history_facts){ 1, "x", NULL, "part", 8 }, NOW),
			 shared[_i].partition);
	ck_assert_int_eq(learned((struct sfab_history_facts){ 'a', "x", "acc", NULL, 8 }, NOW) &&
			 l.kind == SFAB_BY_USER_ACCOUNT, shared[_i].user_account);
}
END_TEST

/* One run in four does other work, each time another. */
START_TEST(other_work_now_and_then_changes_nothing)
{
	static const char *const other[] = { "io-read=0.6", "neighbor=0.3", "io-write=0.2" };

	for (int i = 0; i < 48; i++) {
		ran(job(5, "a", 8), i % 4 == 3 ? other[i / 4 % 3] : "mpi=0.4", 1, NOW);
		if (i >= 3) {
			ck_assert(learned(job(5, "a", 8), NOW));
			ck_assert_str_eq(said(), "mpi=0.4");
		}
	}
	ck_assert_uint_eq(l.runs, 36);
	ck_assert(fabs(l.usual - 0.75) < 0.06 && l.spread < 1e-6);
}
END_TEST

/* Half of the runs each: nobody knows which comes next. */
START_TEST(two_works_by_turns_are_not_trusted)
{
	for (int i = 0; i < 20; i++)
		ran(job(5, "a", 8), i % 2 ? "mpi=0.4" : "io-write=0.4", 1, NOW);
	ck_assert(!learned(job(5, "a", 8), NOW));
}
END_TEST

/* Full servers hide what is asked for: small letters are runs that met them. */
static const struct {
	const char *runs;		/* tenths of io-write */
	double learned;
} hidden[] = {
	{ "c d b", 0.4 },		/* the most that passed */
	{ "D D D a b", 0.4 },		/* they do not move what is known */
	{ "a b D", 0.4 },		/* nothing but bounds before */
	{ "a b D D a a a a a a a", 0.4 },
	{ "B B B d", 0.25 },		/* it must have been more */
};

START_TEST(full_servers_hide_and_do_not_lower)
{
	char text[] = "io-write=0.0+mpi=0.1";

	for (const char *p = hidden[_i].runs; *p; p += p[1] ? 2 : 1) {
		text[11] = (char) ('0' + (*p | 0x20) - 'a' + 1);
		ran_so(job(5, "a", 8), text, 1, NOW, *p >= 'a');
	}
	ck_assert(learned(job(5, "a", 8), NOW));
	ck_assert_msg(fabs(l.traffic.part[0].share - hidden[_i].learned) < 1e-9, "%s",
		      said());
}
END_TEST

/* Shares that vary within a class are one work. */
START_TEST(a_range_of_shares_is_one_work)
{
	static const char *const sent[] = { "mpi=0.25", "mpi=0.35", "mpi=0.45", "mpi=0.3" };

	for (int i = 0; i < 12; i++)
		ran(job(5, "a", 8), sent[i % 4], 1, NOW);
	ck_assert(learned(job(5, "a", 8), NOW));
	ck_assert(l.runs == 12 && fabs(l.traffic.part[0].share - 0.3375) < 1e-9);
}
END_TEST

/* Runs with nothing in common: the next key that is steady answers. */
START_TEST(spread_is_not_trusted)
{
	ran(job(5, "a", 8), "mpi=0.8", 1, NOW);
	ran(job(5, "a", 8), "io-write=0.8", 1, NOW);
	ran(job(5, "a", 8), "io-read=0.8", 1, NOW);
	ck_assert(!learned(job(5, "a", 8), NOW));
	for (uint32_t i = 0; i < 40; i++)
		ran(job(6 + i % 3, &"b\0c\0d"[i / 3 % 3 * 2], 4), "mpi=0.5", 1, NOW);
	ck_assert(learned(job(5, "a", 8), NOW));
	ck_assert_int_eq(l.kind, SFAB_BY_ACCOUNT);
}
END_TEST

START_TEST(mean_and_spread_by_hand)
{
	ran(job(5, "a", 8), "mpi=0.2+io-write=0.3", 1, NOW);
	ran(job(5, "a", 8), "mpi=0.4+io-write=0.3", 1, NOW);
	ran(job(5, "a", 8), "mpi=0.3+io-write=0.3", 1, NOW);
	ck_assert(learned(job(5, "a", 8), NOW));
	ck_assert(fabs(l.traffic.part[0].share - 0.3) < 1e-12);
	ck_assert(fabs(l.traffic.part[1].share - 0.3) < 1e-12);
	/* the variance of 0.2, 0.4, 0.3 is 0.02 / 3 */
	ck_assert(fabs(l.spread - sqrt(0.02 / 3)) < 1e-12);
	ran(job(5, "a", 8), "mpi=0.9", 0, NOW);		/* weighs nothing */
	ck_assert(learned(job(5, "a", 8), NOW) && l.runs == 3);
}
END_TEST

START_TEST(age_takes_weight_and_trust)
{
	for (int i = 0; i < 3; i++)
		ran(job(5, "a", 8), "mpi=0.2", 1, NOW);
	ck_assert(learned(job(5, "a", 8), NOW + 30 * DAY));
	ck_assert(fabs(l.weight - 1.5) < 1e-9);
	ck_assert(learned(job(5, "a", 8), NOW + 60 * DAY));
	ck_assert(!learned(job(5, "a", 8), NOW + 61 * DAY));
	/* A new run counts more than what is left of the old ones. */
	ran(job(5, "a", 8), "mpi=0.3", 1, NOW + 90 * DAY);
	ck_assert(learned(job(5, "a", 8), NOW + 90 * DAY));
	ck_assert(fabs(l.traffic.part[0].share - (3 * 0.2 / 8 + 0.3) / (1 + 3.0 / 8)) < 1e-9);
	/* A clock that went back is no age. */
	ck_assert(learned(job(5, "a", 8), NOW));
}
END_TEST

/* The last runs count, however many there were. */
START_TEST(a_program_that_changes_is_learned_anew)
{
	for (int i = 0; i < 1000; i++)
		ran(job(5, "a", 8), "mpi=0.5", 1, NOW);
	for (int i = 0; i < 16; i++)
		ran(job(5, "a", 8), "io-write=0.5", 1, NOW);
	ck_assert(learned(job(5, "a", 8), NOW));
	ck_assert_uint_eq(l.runs, 16);
	ck_assert_uint_eq(l.traffic.nparts, 1);
	ck_assert_int_eq(l.traffic.part[0].class, SFAB_IO_WRITE);
	ck_assert(l.traffic.part[0].share > 0.49);
}
END_TEST

START_TEST(sets_are_kept_apart)
{
	for (int i = 0; i < 3; i++)
		ran(job(5, "a", 8), "io-write@home=0.1+io-write@scratch=0.4+io-read=0.2",
		    1, NOW);
	ck_assert(learned(job(5, "a", 8), NOW));
	ck_assert_str_eq(said(), "io-write@home=0.1+io-write@scratch=0.4+io-read=0.2");
}
END_TEST

START_TEST(a_job_that_sends_nothing_is_learned_too)
{
	for (int i = 0; i < 3; i++)
		ran(job(5, "a", 8), "mpi=0.001", 1, NOW);
	ck_assert(learned(job(5, "a", 8), NOW));
	ck_assert_uint_eq(l.traffic.nparts, 0);
}
END_TEST

START_TEST(forget_by_facts)
{
	static const struct sfab_history_facts any = { .user = SFAB_NONE };
	struct sfab_history_facts which = any;

	ran(job(5, "a", 8), "mpi=0.5", 1, NOW);		/* 5 rows */
	ran(job(5, "b", 8), "mpi=0.5", 1, NOW);		/* 2 more */
	ran(job(6, "a", 4), "mpi=0.5", 1, NOW);		/* 3 more */
	ck_assert_uint_eq(sfab_history_count(h), 10);
	which.name = "c";
	ck_assert_uint_eq(sfab_history_forget(h, &which), 0);
	which.name = "b1";
	ck_assert_uint_eq(sfab_history_forget(h, &which), 2);
	which.name = NULL;
	which.user = 6;
	ck_assert_uint_eq(sfab_history_forget(h, &which), 3);
	which.user = SFAB_NONE;
	which.account = "acc";
	ck_assert_uint_eq(sfab_history_forget(h, &which), 2);
	ck_assert_uint_eq(sfab_history_forget(h, &any), 3);
	ck_assert_uint_eq(sfab_history_count(h), 0);
}
END_TEST

static void no_names(void *ctx, const struct sfab_history_row *row)
{
	ck_assert(row->hashed && !row->key.user && !row->key.nodes);
	ck_assert(!row->key.name && !row->key.account && !row->key.partition);
	++*(int *) ctx;
}

static int holds(const uint8_t *buf, size_t size, const char *text)
{
	for (size_t i = 0; i + strlen(text) <= size; i++)
		if (memcmp(buf + i, text, strlen(text)) == 0)
			return 1;
	return 0;
}

START_TEST(hidden_names_are_found_and_gone)
{
	struct sfab_history_facts which = job(5, "secret", 8);
	struct sfab_err err = { 0 };
	uint8_t *buf;
	size_t size;
	int n = 0;

	ran(which, "mpi=0.5", 1, NOW);
	ran(which, "mpi=0.5", 1, NOW);
	sfab_history_hide(h);
	ran(which, "mpi=0.5", 1, NOW);
	ran(job(5, "secrecy", 8), "mpi=0.5", 1, NOW);
	ck_assert(learned(which, NOW) && l.runs == 3);
	sfab_history_each(h, NOW, no_names, &n);
	ck_assert_int_eq(n, 7);
	ck_assert(!sfab_history_encode(h, &buf, &size, &err));
	ck_assert(!holds(buf, size, "secre") && !holds(buf, size, "acc"));
	free(buf);
	ck_assert_uint_eq(sfab_history_forget(h, &which), 5);
}
END_TEST

START_TEST(full_history_forgets_the_lightest)
{
	char name[40];

	for (uint32_t i = 0; i < 9000; i++) {
		snprintf(name, sizeof(name), "%u_", i);
		ran(job(i, name, 8), "mpi=0.5", i == 4000 ? 0.1 : 1, NOW + i);
	}
	ck_assert_uint_eq(sfab_history_count(h), SFAB_HISTORY_ROWS);
	for (int i = 0; i < 3; i++)
		ran(job(8999, "8999_", 8), "mpi=0.5", 1, NOW + 9000);
	ck_assert(learned(job(8999, "8999_1", 8), NOW + 9000));
	ck_assert_int_eq(l.kind, SFAB_BY_NAME_NODES);
	for (int i = 0; i < 3; i++)
		ran(job(4000, "4000_", 8), "mpi=0.5", 1, NOW + 9000);
	ck_assert(learned(job(4000, "4000_", 8), NOW + 9000));
	ck_assert_uint_eq(l.runs, 3);		/* it was forgotten */
}
END_TEST

START_TEST(history_knows_its_fabric)
{
	struct made shape = { .leaves = 4, .spines = 2, .hosts = 10 };
	struct sfab_fabric *f = made_fabric(&shape), *more, *few;

	shape.hosts = 11;
	more = made_fabric(&shape);
	shape.leaves = shape.hosts = 2;
	few = made_fabric(&shape);
	ck_assert(sfab_history_is_of(h, f) && sfab_history_is_of(h, few));
	sfab_history_adopt(h, f);
	ck_assert(sfab_history_is_of(h, f));
	ck_assert(sfab_history_is_of(h, more));
	ck_assert(!sfab_history_is_of(h, few));
	sfab_history_adopt(h, few);
	ck_assert(sfab_history_is_of(h, few));
	sfab_fabric_destroy(f);
	sfab_fabric_destroy(more);
	sfab_fabric_destroy(few);
}
END_TEST

static uint8_t *example(size_t *size)
{
	struct sfab_err err = { 0 };
	uint8_t *buf;

	for (int i = 0; i < 3; i++)
		ran(job(5, "run_1", 8), "io-write@fs=0.25", 1, NOW);
	ck_assert_msg(!sfab_history_encode(h, &buf, size, &err), "%s", err.text);
	return buf;
}

START_TEST(what_is_written_is_read_again)
{
	char folder[] = "/tmp/sfabric-history.XXXXXX", path[80];
	struct sfab_err err = { 0 };
	size_t size, n;
	uint8_t *buf = example(&size), *again;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/" SFAB_HISTORY_NAME, folder);
	ck_assert_msg(!sfab_history_save(h, path, 0600, &err), "%s", err.text);
	sfab_history_destroy(h);
	h = sfab_history_load(path, NULL, &err);
	ck_assert_msg(h != NULL, "%s", err.text);
	ck_assert(learned(job(5, "run_2", 8), NOW) && l.kind == SFAB_BY_NAME_NODES);
	ck_assert_str_eq(said(), "io-write@fs=0.25");
	ck_assert(!sfab_history_encode(h, &again, &n, &err));
	ck_assert_uint_eq(n, size);
	ck_assert_mem_eq(buf, again, n);
	free(again);
	free(buf);
	unlink(path);
	rmdir(folder);
}
END_TEST

#define SETS (64 + 128 + 8 * SFAB_HISTORY_ADDED)
#define ROW(i) (SETS + 64 + (i) * 432)

/* The places that doc/learn-format.md tells. */
START_TEST(numbers_stand_where_the_format_says)
{
	size_t size;
	uint8_t *buf = example(&size);

	ck_assert_uint_eq(size, ROW(5));
	ck_assert_mem_eq(buf, "SFABHIST\3\0\0\0\5\0\0\0\7\0\0\0\0\0\0\0", 24);
	ck_assert_uint_eq(sfab_get32(buf + 40), 1);
	ck_assert_str_eq((char *) buf + SETS, "fs");
	ck_assert_mem_eq(buf + ROW(0) + 8, "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x08\x40", 16);
	ck_assert_uint_eq(sfab_get64(buf + ROW(0) + 24), NOW);
	ck_assert_uint_eq(sfab_get32(buf + ROW(0) + 32), 5);
	ck_assert_uint_eq(sfab_get32(buf + ROW(0) + 36), 8);
	ck_assert(buf[ROW(0) + 40] && buf[ROW(0) + 42] && !buf[ROW(0) + 43]);
	ck_assert(buf[ROW(0) + 52] && buf[ROW(0) + 54] && !buf[ROW(0) + 55]);
	ck_assert_str_eq((char *) buf + ROW(0) + 64, "run_");
	ck_assert_mem_eq(buf + ROW(0) + 128, "\3\0\0\0\1\0\0\0\0\0\0\0\0\0\x08\x40", 16);
	ck_assert_mem_eq(buf + ROW(0) + 152, "\2\1\0\0\0\0\0\0\0\0\0\0\0\0\xd0\x3f", 16);
	ck_assert_uint_eq(sfab_get32(buf + ROW(0) + 280), 0);
	ck_assert_str_eq((char *) buf + ROW(4) + 64, "part");
	free(buf);
}
END_TEST

static int accepts_history(const uint8_t *buf, size_t size, struct sfab_err *err)
{
	struct sfab_history *read = sfab_history_decode(buf, size, err);
	int accepted = read != NULL;

	sfab_history_destroy(read);
	return accepted;
}

static const struct sealed_format format = { accepts_history, sfab_history_seal };

static const struct sealed_byte spoilt[] = {
	{ 0, 'X', "not a history" },
	{ 8, 4, "a history of format 4" },
	{ 8, 2, "a history of format 2" },
	{ 12, 4, "a history: 67952 bytes (expected" },
	{ 14, 1, "a history: 65541 rows and 1 IO sets (expected at most" },
	{ 41, 1, "a history: 5 rows and 257 IO sets" },
	{ 24, 2, "a history: unknown flags 0x2" },
	{ 44, 1, "a history: reserved bytes" },
	{ 64 + 128 + 8, 1, "a history: run 1 follows none" },
	{ SETS, 0, "a history: name 0 of an IO set" },
	{ SETS + 63, 'x', "a history: name 0 of an IO set" },
	{ ROW(0) + 8, 5, "a history: row 0: kind 5" },
	{ ROW(0) + 9, 2, "a history: row 0: kind 0, hashed 2" },
	{ ROW(0) + 9, 1, "a history: row 0: weight 3, or its name is not one" },
	{ ROW(0) + 10, 1, "a history: row 0: kind 0" },
	{ ROW(0) + 23, 0xff, "a history: row 0: weight" },
	{ ROW(0) + 64, 0, "a history: row 0: weight 3, or its name is not one" },
	{ ROW(0) + 127, 'x', "a history: row 0: weight 3, or its name is not one" },
	{ ROW(1) + 8, 4, "a history: row 2: its key is there twice or out of order" },
	{ ROW(0) + 132, 9, "a history: row 0: 9 parts" },
	{ ROW(0) + 133, 2, "a history: row 0: 1 parts, at least 2" },
	{ ROW(0) + 134, 1, "a history: row 0: 1 parts" },
	{ ROW(0) + 143, 0xff, "a history: row 0: weight" },
	{ ROW(0) + 151, 0xff, "a history: row 0: weight 3, variance" },
	{ ROW(0) + 152, 4, "a history: row 0: part 0 is no traffic (class 4" },
	{ ROW(0) + 152, 0, "a history: row 0: part 0 is no traffic" },
	{ ROW(0) + 153, 2, "a history: row 0: part 0 is no traffic" },
	{ ROW(0) + 154, 1, "a history: row 0: part 0 is no traffic" },
	{ ROW(0) + 167, 0x7f, "a history: row 0: part 0 is no traffic" },
	{ ROW(0) + 167, 0xbf, "a history: row 0: part 0 is no traffic" },
	{ ROW(0) + 170, 1, "a history: row 0: part 1 is no traffic" },
	{ ROW(0) + 284, 9, "a history: row 0: 9 parts" },
	{ ROW(0) + 295, 0xff, "a history: row 0: weight" },
};

START_TEST(spoilt_history_is_refused)
{
	size_t size;
	uint8_t *buf = example(&size);

	sealed_check_byte(&format, buf, size, &spoilt[_i]);
	free(buf);
}
END_TEST

START_TEST(damage_and_cuts_are_refused)
{
	size_t size;
	uint8_t *buf = example(&size);

	sealed_check_damage(&format, buf, size);
	free(buf);
}
END_TEST

/* A run of @job that began at @start_s: was it added? */
static int adds_run(uint64_t job_id, uint64_t start_s)
{
	struct sfab_traffic t = sends("mpi=0.4");
	struct sfab_history_facts facts = job(5, "run_1", 8);
	struct sfab_history_run run = { .sent = &t, .weight = 1, .end_s = NOW, .job = job_id,
					.start_s = start_s };
	int rc = sfab_history_add(h, &facts, &run, NULL);

	ck_assert_int_ge(rc, 0);
	return !rc;
}

static void reload_history(void)
{
	struct sfab_history *old = h;
	struct sfab_err err = { 0 };
	uint8_t *buf;
	size_t n;

	ck_assert(!sfab_history_encode(old, &buf, &n, &err));
	h = sfab_history_decode(buf, n, &err);
	ck_assert_msg(h != NULL, "%s", err.text);
	sfab_history_destroy(old);
	free(buf);
}

START_TEST(a_run_counts_once)
{
	struct sfab_history_facts facts = job(5, "run_2", 8), all = { .user = SFAB_NONE };

	ck_assert(adds_run(1, NOW) && adds_run(2, NOW) && adds_run(1, NOW + 9));
	ck_assert(!adds_run(1, NOW) && !adds_run(1, NOW + 9));
	ck_assert(adds_run(0, NOW) && adds_run(0, NOW));	/* job not known */
	reload_history();
	ck_assert(!adds_run(2, NOW) && adds_run(3, NOW));
	ck_assert(sfab_history_find(h, &facts, NOW, &l) && l.runs == 6);
	sfab_history_forget(h, &all);
	ck_assert(adds_run(2, NOW));
}
END_TEST

START_TEST(the_last_runs_are_remembered)
{
	for (uint32_t i = 1; i <= SFAB_HISTORY_ADDED + 5; i++)
		ck_assert(adds_run(i, NOW));
	reload_history();
	ck_assert(!adds_run(6, NOW) && !adds_run(SFAB_HISTORY_ADDED + 5, NOW));
	ck_assert(adds_run(5, NOW) && adds_run(6, NOW));	/* 5 takes the place of 6 */
}
END_TEST

static void list(TCase *tc)
{
	tcase_add_checked_fixture(tc, set_up, tear_down);
	tcase_add_test(tc, third_run_is_trusted);
	tcase_add_test(tc, a_run_counts_once);
	tcase_add_test(tc, the_last_runs_are_remembered);
	tcase_add_loop_test(tc, most_special_key_answers, 0,
			    sizeof(keys) / sizeof(keys[0]));
	tcase_add_loop_test(tc, a_shared_key_wants_several, 0,
			    sizeof(shared) / sizeof(shared[0]));
	tcase_add_test(tc, other_work_now_and_then_changes_nothing);
	tcase_add_test(tc, two_works_by_turns_are_not_trusted);
	tcase_add_loop_test(tc, full_servers_hide_and_do_not_lower, 0,
			    sizeof(hidden) / sizeof(hidden[0]));
	tcase_add_test(tc, a_range_of_shares_is_one_work);
	tcase_add_test(tc, spread_is_not_trusted);
	tcase_add_test(tc, mean_and_spread_by_hand);
	tcase_add_test(tc, age_takes_weight_and_trust);
	tcase_add_test(tc, a_program_that_changes_is_learned_anew);
	tcase_add_test(tc, sets_are_kept_apart);
	tcase_add_test(tc, a_job_that_sends_nothing_is_learned_too);
	tcase_add_test(tc, forget_by_facts);
	tcase_add_test(tc, hidden_names_are_found_and_gone);
	tcase_add_test(tc, full_history_forgets_the_lightest);
	tcase_add_test(tc, history_knows_its_fabric);
	tcase_add_test(tc, what_is_written_is_read_again);
	tcase_add_test(tc, numbers_stand_where_the_format_says);
	tcase_add_loop_test(tc, spoilt_history_is_refused, 0,
			    sizeof(spoilt) / sizeof(spoilt[0]));
	tcase_add_test(tc, damage_and_cuts_are_refused);
}

UNIT_MAIN("history", list)
