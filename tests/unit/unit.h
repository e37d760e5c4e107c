/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * unit.h - the same main() for every unit test: UNIT_MAIN("noun", list)
 *
 * The program runs all its tests, or those that its first argument names:
 *
 *     test_hash                       all
 *     test_hash published_values      one test, all of its vectors
 *     test_hash published_values:2    one vector of it (_i is 2)
 */
#ifndef SFAB_TEST_UNIT_H
#define SFAB_TEST_UNIT_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct unit_choice {
	const char *name;	/* "TEST" or "TEST:VECTOR", NULL: all tests */
	int found;
};

static inline struct unit_choice *unit_choice(void)
{
	static struct unit_choice choice;

	return &choice;
}

/*
 * Is @test to run?  Then *@from .. *@to becomes the vector that was asked for,
 * where there is one.
 */
static inline int unit_wants(const char *test, int *from, int *to)
{
	struct unit_choice *c = unit_choice();
	size_t n = strlen(test);
	int vector;

	if (!c->name)
		return 1;
	if (strncmp(c->name, test, n) != 0 ||
	    (c->name[n] != '\0' && c->name[n] != ':'))
		return 0;
	if (c->name[n] == ':') {
		vector = atoi(c->name + n + 1);
		if (vector < *from || vector >= *to)
			return 0;
		*from = vector;
		*to = vector + 1;
	}
	c->found = 1;
	return 1;
}

#undef tcase_add_loop_test
#define tcase_add_loop_test(tc, test, first, end)                      \
	do {                                                           \
		int unit_from = (int) (first), unit_to = (int) (end);  \
                                                                       \
		if (unit_wants(#test, &unit_from, &unit_to))           \
			tcase_add_loop_test_raise_signal(              \
				tc, test, 0, unit_from, unit_to);      \
	} while (0)

#undef tcase_add_test
#define tcase_add_test(tc, test) tcase_add_loop_test(tc, test, 0, 1)

/* @list: void (*)(TCase *) that adds the tests of the file. */
#define UNIT_MAIN(noun, list)                                          \
	int main(int argc, char **argv)                                \
	{                                                              \
		Suite *s = suite_create(noun);                         \
		TCase *tc = tcase_create(noun);                        \
		SRunner *sr = srunner_create(s);                       \
		int failed;                                            \
                                                                       \
		unit_choice()->name = argc > 1 ? argv[1] : NULL;       \
		tcase_set_timeout(tc, 120);                            \
		list(tc);                                              \
		suite_add_tcase(s, tc);                                \
		if (argc > 1 && !unit_choice()->found) {               \
			fprintf(stderr, "%s: no test %s\n", argv[0],   \
				argv[1]);                              \
			return 2;                                      \
		}                                                      \
		srunner_set_tap(sr, "-");                              \
		srunner_run_all(sr, CK_SILENT);                        \
		failed = srunner_ntests_failed(sr);                    \
		srunner_free(sr);                                      \
		return failed ? EXIT_FAILURE : EXIT_SUCCESS;           \
	}

#endif
