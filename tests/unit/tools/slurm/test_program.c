/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_program.c - what other programs print, and how they fail */

#include "tests/unit/fixtures/unit.h"
#include <sys/resource.h>

#include "tools/slurm/program.h"

static char *text;
static struct sfab_err err;

static int shell(const char *script)
{
	char *argv[] = { "sh", "-c", (char *) script, NULL };

	err.text[0] = '\0';
	free(text);
	return program_output(argv, 0, &text, &err);
}

TEST(output)
{
	ck_assert_int_eq(shell("echo one; echo noise >&2; echo two"), 0);
	ck_assert_str_eq(text, "one\ntwo\n");
	ck_assert_int_eq(shell("cat"), 0);	/* standard input is empty */
	ck_assert_str_eq(text, "");
}

TEST(much_output)
{
	ck_assert_int_eq(shell("yes 1234567 | head -n 100000; "
			       "yes noise | head -n 100000 >&2"), 0);
	ck_assert_uint_eq(strlen(text), 800000);
}

#ifdef __SANITIZE_ADDRESS__
#define HAS_LIMIT 0	/* it needs address space of its own */
#else
#define HAS_LIMIT !getenv("SFAB_VALGRIND")
#endif

/* What cannot be read is no empty answer: that would be a cluster without jobs. */
LOOP_TEST(more_output_than_memory, HAS_LIMIT)
{
	const struct rlimit memory = { .rlim_cur = 96 << 20, .rlim_max = 96 << 20 };

	ck_assert_int_eq(setrlimit(RLIMIT_AS, &memory), 0);
	ck_assert_int_eq(shell("head -c 100000000 /dev/zero | tr '\\0' x"), -1);
	ck_assert_int_eq(err.code, SFAB_EIO);
	ck_assert_str_eq(err.text, "sh: its output cannot be read: Cannot allocate memory");
	ck_assert_ptr_null(text);
}

TEST(failure)
{
	ck_assert_int_eq(shell("echo half; echo no luck >&2; exit 7"), -1);
	ck_assert_int_eq(err.code, SFAB_EIO);
	ck_assert_str_eq(err.text, "sh: exit 7: no luck");
	ck_assert_ptr_null(text);
	ck_assert_int_eq(shell("kill -9 $$"), -1);
	ck_assert_str_eq(err.text, "sh: ended by signal 9");
}

/* Not under valgrind, where posix_spawn() cannot tell that exec failed. */
LOOP_TEST(no_such_program, !getenv("SFAB_VALGRIND"))
{
	char *argv[] = { "/no/such/program", NULL };

	ck_assert_int_eq(program_output(argv, 0, &text, &err), -1);
	ck_assert_int_eq(err.code, SFAB_ENOENT);
	ck_assert_ptr_nonnull(strstr(err.text, "/no/such/program: cannot be"));
}

UNIT_MAIN("program")
