/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_history.c - the history: what it learns from runs, and which key it trusts */

#include "tests/unit/fixtures/unit.h"

#include <math.h>
#include <time.h>

#include "core/resize.h"
#include "io/learn/history_private.h"
#include "tests/unit/fixtures/fabrics.h"
#include "tests/unit/fixtures/past_runs.h"

#define NOW PAST_NOW
#define DAY 86400u
#define FORGOTTEN 256u		/* rows, when a history is full */

TEST(third_run_is_trusted)
{
	past_ran(learning_job(5, "run_01", 8), "io-write=0.4", 1, NOW);
	past_ran(learning_job(5, "run_02", 8), "io-write=0.4", 1, NOW);
	ck_assert(!past_learns(learning_job(5, "run_03", 8), NOW));
	past_ran(learning_job(5, "run_03", 8), "io-write=0.4", 1, NOW);
	ck_assert(past_learns(learning_job(5, "run_04", 8), NOW));
	ck_assert_int_eq(past_learned.kind, SFAB_BY_NAME_NODES);
	ck_assert_uint_eq(past_learned.runs, 3);
	ck_assert_uint_eq(past_learned.last_s, NOW);
	ck_assert_str_eq(past_said(), "io-write=0.4");
	ck_assert(fabs(past_learned.weight - 3) < 1e-9 && past_learned.spread < 1e-9);
	ck_assert(!sfab_history_find(NULL, &(struct sfab_history_facts){ 0 }, NOW,
				     &past_learned));
}

/* Let three users run jobs of three names, user 5 run_77 thrice. */
static void several_ran(void)
{
	static const char *const name[] = { "run_77", "tool", "solve" };

	for (int i = 0; i < 9; i++)
		past_ran(learning_job(5 + (uint32_t) i % 3, name[(i + i / 3) % 3], 8), "mpi=0.3", 1,
			 NOW);
	for (int i = 0; i < 2; i++)
		past_ran(learning_job(5, "run_77", 8), "mpi=0.3", 1, NOW);
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
	{ 5, "run", 8, "other", "other", SFAB_BY_NAME_NODES },
	{ 5, "runs", 8, "other", "other", -1 },
};

LOOP_TEST(most_special_key_answers, N(keys))
{
	struct sfab_history_facts facts = { keys[_i].user, keys[_i].name,
					    keys[_i].account, keys[_i].partition,
					    keys[_i].nodes };

	several_ran();
	ck_assert_int_eq(past_learns(facts, NOW), keys[_i].kind >= 0);
	if (keys[_i].kind >= 0)
		ck_assert_int_eq((int) past_learned.kind, keys[_i].kind);
}

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

LOOP_TEST(a_shared_key_wants_several, N(shared))
{
	char name[] = "prog-x";

	for (const char *p = shared[_i].runs; *p; p += p[2] ? 3 : 2) {
		name[5] = (char) (p[1] + 'A' - '1');
		past_ran(learning_job((uint32_t) *p, p[1] == '-' ? "77" : name, 8), "io-write=0.4",
			 1, NOW);
	}
	ck_assert_int_eq(past_learns((struct sfab_history_facts){ 1, "x", "acc", NULL, 8 }, NOW),
			 shared[_i].account);
	ck_assert_int_eq(past_learns((struct sfab_history_facts){ 1, "x", NULL, "part", 8 }, NOW),
			 shared[_i].partition);
	ck_assert_int_eq(past_learns((struct sfab_history_facts){ 'a', "x", "acc", NULL, 8 },
				     NOW) &&
			 past_learned.kind == SFAB_BY_USER_ACCOUNT, shared[_i].user_account);
}

/* One run in four does other work, each time another. */
TEST(other_work_now_and_then_changes_nothing)
{
	static const char *const other[] = { "io-read=0.6", "neighbor=0.3", "io-write=0.2" };

	for (int i = 0; i < 48; i++) {
		past_ran(learning_job(5, "a", 8), i % 4 == 3 ? other[i / 4 % 3] : "mpi=0.4", 1,
			 NOW);
		if (i >= 3) {
			ck_assert(past_learns(learning_job(5, "a", 8), NOW));
			ck_assert_str_eq(past_said(), "mpi=0.4");
		}
	}
	ck_assert_uint_eq(past_learned.runs, 36);
	ck_assert(fabs(past_learned.usual - 0.75) < 0.06 && past_learned.spread < 1e-6);
}

/* Half of the runs each: nobody knows which comes next. */
TEST(two_works_by_turns_are_not_trusted)
{
	for (int i = 0; i < 20; i++)
		past_ran(learning_job(5, "a", 8), i % 2 ? "mpi=0.4" : "io-write=0.4", 1, NOW);
	ck_assert(!past_learns(learning_job(5, "a", 8), NOW));
}

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

LOOP_TEST(full_servers_hide_and_do_not_lower, N(hidden))
{
	char text[] = "io-write=0.0+mpi=0.1";

	for (const char *p = hidden[_i].runs; *p; p += p[1] ? 2 : 1) {
		text[11] = (char) ('0' + (*p | 0x20) - 'a' + 1);
		past_ran_so(learning_job(5, "a", 8), text, 1, NOW, *p >= 'a');
	}
	ck_assert(past_learns(learning_job(5, "a", 8), NOW));
	ck_assert_msg(fabs(past_learned.traffic.part[0].share -
			   hidden[_i].learned) < 1e-9, "%s",
		      past_said());
}

/* Shares that vary within a class are one work. */
TEST(a_range_of_shares_is_one_work)
{
	static const char *const sent[] = { "mpi=0.25", "mpi=0.35", "mpi=0.45", "mpi=0.3" };

	for (int i = 0; i < 12; i++)
		past_ran(learning_job(5, "a", 8), sent[i % 4], 1, NOW);
	ck_assert(past_learns(learning_job(5, "a", 8), NOW));
	ck_assert(past_learned.runs == 12);
	ck_assert(fabs(past_learned.traffic.part[0].share - 0.3375) < 1e-9);
}

/* Runs with nothing in common: the next key that is steady answers. */
TEST(spread_is_not_trusted)
{
	past_ran(learning_job(5, "a", 8), "mpi=0.8", 1, NOW);
	past_ran(learning_job(5, "a", 8), "io-write=0.8", 1, NOW);
	past_ran(learning_job(5, "a", 8), "io-read=0.8", 1, NOW);
	ck_assert(!past_learns(learning_job(5, "a", 8), NOW));
	for (uint32_t i = 0; i < 40; i++)
		past_ran(learning_job(6 + i % 3, &"b\0c\0d"[i / 3 % 3 * 2], 4), "mpi=0.5", 1, NOW);
	ck_assert(past_learns(learning_job(5, "a", 8), NOW));
	ck_assert_int_eq(past_learned.kind, SFAB_BY_ACCOUNT);
}

TEST(mean_and_spread_by_hand)
{
	past_ran(learning_job(5, "a", 8), "mpi=0.2+io-write=0.3", 1, NOW);
	past_ran(learning_job(5, "a", 8), "mpi=0.4+io-write=0.3", 1, NOW);
	past_ran(learning_job(5, "a", 8), "mpi=0.3+io-write=0.3", 1, NOW);
	ck_assert(past_learns(learning_job(5, "a", 8), NOW));
	ck_assert(fabs(past_learned.traffic.part[0].share - 0.3) < 1e-12);
	ck_assert(fabs(past_learned.traffic.part[1].share - 0.3) < 1e-12);
	/* the variance of 0.2, 0.4, 0.3 is 0.02 / 3 */
	ck_assert(fabs(past_learned.spread - sqrt(0.02 / 3)) < 1e-12);
	past_ran(learning_job(5, "a", 8), "mpi=0.9", 0, NOW);		/* weighs nothing */
	ck_assert(past_learns(learning_job(5, "a", 8), NOW) && past_learned.runs == 3);
}

TEST(age_takes_weight_and_trust)
{
	for (int i = 0; i < 3; i++)
		past_ran(learning_job(5, "a", 8), "mpi=0.2", 1, NOW);
	ck_assert(past_learns(learning_job(5, "a", 8), NOW + 30 * DAY));
	ck_assert(fabs(past_learned.weight - 1.5) < 1e-9);
	ck_assert(past_learns(learning_job(5, "a", 8), NOW + 60 * DAY));
	ck_assert(!past_learns(learning_job(5, "a", 8), NOW + 61 * DAY));
	/* A new run counts more than what is left of the old ones. */
	past_ran(learning_job(5, "a", 8), "mpi=0.3", 1, NOW + 90 * DAY);
	ck_assert(past_learns(learning_job(5, "a", 8), NOW + 90 * DAY));
	ck_assert(fabs(past_learned.traffic.part[0].share -
		       (3 * 0.2 / 8 + 0.3) / (1 + 3.0 / 8)) < 1e-9);
	/* A clock that went back is no age. */
	ck_assert(past_learns(learning_job(5, "a", 8), NOW));
}

/* The last runs count, however many there were. */
TEST(a_changed_program_is_learned_again)
{
	for (int i = 0; i < 1000; i++)
		past_ran(learning_job(5, "a", 8), "mpi=0.5", 1, NOW);
	for (int i = 0; i < 16; i++)
		past_ran(learning_job(5, "a", 8), "io-write=0.5", 1, NOW);
	ck_assert(past_learns(learning_job(5, "a", 8), NOW));
	ck_assert_uint_eq(past_learned.runs, 16);
	ck_assert_uint_eq(past_learned.traffic.nparts, 1);
	ck_assert_int_eq(past_learned.traffic.part[0].class, SFAB_IO_WRITE);
	ck_assert(past_learned.traffic.part[0].share > 0.49);
}

/* Three runs of new work, after nothing but the old, are enough. */
static const char *const changes[][2] = {
	{ "mpi=0.5", "io-write=0.5" },
	{ "io-write=0.05", "io-write=0.5" },
	{ "mpi=0.3", "mpi=0.05" },
	{ "mpi=0.3", "mpi=0" },
};

LOOP_TEST(a_program_that_changes_is_followed, N(changes))
{
	for (int i = 0; i < 50; i++)
		past_ran(learning_job(5, "a", 8), i == 40 ? "neighbor=0.9" : changes[_i][0], 1,
			 NOW);
	for (int i = 0; i < 3; i++)
		past_ran(learning_job(5, "a", 8), changes[_i][1], 1, NOW);
	ck_assert(past_learns(learning_job(5, "a", 8), NOW));
	ck_assert_uint_eq(past_learned.runs, 3);
	if (past_sends(changes[_i][1]).part[0].share > 0)
		ck_assert_str_eq(past_said(), changes[_i][1]);
	else
		ck_assert_uint_eq(past_learned.traffic.nparts, 0);
	/* and it stays so */
	past_ran(learning_job(5, "a", 8), changes[_i][0], 1, NOW);
	ck_assert(!past_learns(learning_job(5, "a", 8), NOW) || past_learned.runs == 3);
}

/* Each run sends a tenth more, or less, than the one before: what is learned follows. */
LOOP_TEST(steady_growth_is_followed, 2)
{
	double x = _i ? 0.8 : 0.1;

	for (int i = 0; i < 16; i++) {
		char text[20];

		snprintf(text, sizeof(text), "mpi=%.4f", x);
		past_ran(learning_job(5, "a", 8), text, 1, NOW);
		x *= _i ? 1 / 1.12 : 1.12;
		if (i < 6)
			continue;
		ck_assert(past_learns(learning_job(5, "a", 8), NOW));
		ck_assert_msg(fabs(past_learned.traffic.part[0].share - x) < 0.25 * x, "run %d: "
			      "%s of %.4f", i, past_said(), x);
	}
}

/* Names of one program, and one that is another. */
static const struct {
	const char *ran, *next;
	int same;
} names[] = {
	{ "job1.sh", "job2.sh", 1 },
	{ "job1.sh", "job", 1 },
	{ "T300K", "T310K", 1 },
	{ "T300K", "T", 1 },
	{ "x_20261120_1", "x_20261121_17", 1 },
	{ "x_2026-11-20_08:15", "x_2026-11-21", 1 },
	{ "md_10ns", "md_500ps.slurm", 1 },
	{ "cfd-2.5mm-a", "cfd-0.25mm-a", 1 },
	{ "eps1e-3", "eps2.5E+4", 1 },
	{ "run.1.SH", "run", 1 },
	{ "h2o_64", "h2o_128", 1 },
	{ "a_3_b", "a_4_b", 1 },
	{ "cfd-2.5mm-a", "cfd-2.5mm-b", 0 },
	{ "a_b", "ab", 0 },
	{ "train7Bx", "train7By", 0 },
	{ "20261120.sh", "20261120.sh", 0 },	/* no name */
	{ "T300Kelvin", "T300Katze", 0 },
};

LOOP_TEST(numbers_make_no_other_name, N(names))
{
	for (int i = 0; i < 3; i++)
		past_ran(learning_job(5, names[_i].ran, 8), "mpi=0.4", 1, NOW);
	ck_assert_int_eq(past_learns(learning_job(5, names[_i].next, 8), NOW), names[_i].same);
}

/*
 * As many partitions as a history holds; number 3 is light, number 5 old, and those up to
 * FORGOTTEN are older than the rest.
 */
static struct history_row *row_of_key(uint32_t i)
{
	struct history_row *r = calloc(1, sizeof(*r));

	ck_assert_ptr_nonnull(r);
	r->kind = SFAB_BY_PARTITION;
	r->key = i;
	r->weight = i == 3 ? 0.1 : 1;
	r->last_s = NOW - (i == 5 ? 90 * DAY : i >= FORGOTTEN ? 0 : 30 * DAY);
	return r;
}

static void fill_history(void)
{
	struct sfab_history *h = past_history;

	for (; h->n < SFAB_HISTORY_ROWS_MAX; h->n++) {
		ck_assert(!sfab_resize_one_more(&h->row, h->n, sizeof(*h->row)));
		h->row[h->n] = row_of_key(h->n);
	}
}

/* 20,000 jobs with names of their own end, each with four new rows of a full history. */
TEST(a_full_history_takes_many_runs)
{
	char name[20], account[20];
	clock_t begin;

	fill_history();
	begin = clock();
	for (uint32_t i = 0; i < 20000; i++) {
		struct sfab_history_facts facts = { i, name, account, "part", 8 };

		/* in letters: digits do not count */
		for (int k = 0; k < 15; k++)
			name[k] = (char) ('a' + (i >> k & 1));
		name[15] = '\0';
		snprintf(account, sizeof(account), "acc%u", i);
		past_ran(facts, "mpi=0.4", 1, NOW);
	}
	/* as it was it took 3.5 MB of memory moved for each row: 70 s */
	ck_assert_double_le((double) (clock() - begin) / CLOCKS_PER_SEC,
			    getenv("SFAB_VALGRIND") ? 60 : 10);
	ck_assert_uint_le(sfab_history_count(past_history), SFAB_HISTORY_ROWS_MAX);
	ck_assert_uint_gt(sfab_history_count(past_history), SFAB_HISTORY_ROWS_MAX - FORGOTTEN - 4);
}

TEST(sets_are_kept_apart)
{
	for (int i = 0; i < 3; i++)
		past_ran(learning_job(5, "a", 8),
			 "io-write@home=0.1+io-write@scratch=0.4+io-read=0.2",
		    1, NOW);
	ck_assert(past_learns(learning_job(5, "a", 8), NOW));
	ck_assert_str_eq(past_said(), "io-write@home=0.1+io-write@scratch=0.4+io-read=0.2");
}

TEST(a_job_that_sends_nothing_is_learned_too)
{
	for (int i = 0; i < 3; i++)
		past_ran(learning_job(5, "a", 8), "mpi=0.001", 1, NOW);
	ck_assert(past_learns(learning_job(5, "a", 8), NOW));
	ck_assert_uint_eq(past_learned.traffic.nparts, 0);
}

TEST(forget_by_facts)
{
	static const struct sfab_history_facts any = { .user = SFAB_NONE };
	struct sfab_history_facts which = any;

	past_ran(learning_job(5, "a", 8), "mpi=0.5", 1, NOW);		/* 5 rows */
	past_ran(learning_job(5, "b", 8), "mpi=0.5", 1, NOW);		/* 2 more */
	past_ran(learning_job(6, "a", 4), "mpi=0.5", 1, NOW);		/* 3 more */
	ck_assert_uint_eq(sfab_history_count(past_history), 10);
	which.name = "c";
	ck_assert_uint_eq(sfab_history_forget(past_history, &which), 0);
	which.name = "b1";
	ck_assert_uint_eq(sfab_history_forget(past_history, &which), 2);
	which.name = NULL;
	which.user = 6;
	ck_assert_uint_eq(sfab_history_forget(past_history, &which), 3);
	which.user = SFAB_NONE;
	which.account = "acc";
	ck_assert_uint_eq(sfab_history_forget(past_history, &which), 2);
	ck_assert_uint_eq(sfab_history_forget(past_history, &any), 3);
	ck_assert_uint_eq(sfab_history_count(past_history), 0);
}

static int holds(const uint8_t *buf, size_t size, const char *text)
{
	for (size_t i = 0; i + strlen(text) <= size; i++)
		if (memcmp(buf + i, text, strlen(text)) == 0)
			return 1;
	return 0;
}

TEST(hidden_names_are_found_and_gone)
{
	struct sfab_history_facts which = learning_job(5, "secret", 8);
	uint8_t *buf;
	size_t size;

	past_ran(which, "mpi=0.5", 1, NOW);
	past_ran(which, "mpi=0.5", 1, NOW);
	sfab_history_hide_names(past_history);
	past_ran(which, "mpi=0.5", 1, NOW);
	past_ran(learning_job(5, "secrecy", 8), "mpi=0.5", 1, NOW);
	ck_assert(past_learns(which, NOW) && past_learned.runs == 3);
	ck_assert_uint_eq(sfab_history_count(past_history), 7);
	for (uint32_t i = 0; i < 7; i++) {
		struct sfab_history_row row = sfab_history_row(past_history, i, NOW);

		ck_assert(row.hashed && !row.key.user && !row.key.nodes);
		ck_assert(!row.key.name && !row.key.account && !row.key.partition);
	}
	ck_assert(!sfab_history_encode(past_history, &buf, &size, &unit_err));
	ck_assert(!holds(buf, size, "secre") && !holds(buf, size, "acc"));
	free(buf);
	ck_assert_uint_eq(sfab_history_forget(past_history, &which), 5);
}

static int has_key(uint64_t key)
{
	for (uint32_t i = 0; i < past_history->n; i++)
		if (past_history->row[i]->key == key)
			return 1;
	return 0;
}

TEST(full_history_forgets_the_lightest)
{
	static const struct sfab_history_facts two_keys = { 5, "a", NULL, NULL, 8 };

	fill_history();
	for (int i = 0; i < 3; i++)
		past_ran(two_keys, "mpi=0.5", 1, NOW);
	/* two new rows before the others, and the lightest gone at once */
	ck_assert_uint_eq(sfab_history_count(past_history), SFAB_HISTORY_ROWS_MAX - FORGOTTEN + 2);
	ck_assert(!has_key(3) && !has_key(5) && !has_key(FORGOTTEN - 1));
	for (uint32_t i = 2; i < past_history->n; i++)
		ck_assert_uint_eq(past_history->row[i]->key, FORGOTTEN + i - 2);
	ck_assert(past_learns(two_keys, NOW));
	ck_assert_int_eq(past_learned.kind, SFAB_BY_NAME_NODES);
	ck_assert_uint_eq(past_learned.runs, 3);
}

TEST(history_knows_its_fabric)
{
	struct clos shape = { .leaves = 4, .spines = 2, .hosts = 10 };
	struct sfab_fabric *f = unit_fabric(&shape), *more, *few;

	shape.hosts = 11;
	more = unit_fabric(&shape);
	shape.leaves = shape.hosts = 2;
	few = unit_fabric(&shape);
	ck_assert(sfab_history_knows(past_history, f) && sfab_history_knows(past_history, few));
	sfab_history_adopt(past_history, f);
	ck_assert(sfab_history_knows(past_history, f));
	ck_assert(sfab_history_knows(past_history, more));
	ck_assert(!sfab_history_knows(past_history, few));
	sfab_history_adopt(past_history, few);
	ck_assert(sfab_history_knows(past_history, few));
}

UNIT_MAIN_WITH("history", past_set_up, past_tear_down)
