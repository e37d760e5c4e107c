/* SPDX-License-Identifier: GPL-2.0-or-later */
/* unit.h - the same main() for every unit test: UNIT_MAIN("noun", tcase...) */
#ifndef SFAB_TEST_UNIT_H
#define SFAB_TEST_UNIT_H

#include <check.h>
#include <stdlib.h>

/* @list: void (*)(TCase *) that adds the tests of the file. */
#define UNIT_MAIN(noun, list)                                          \
	int main(void)                                                 \
	{                                                              \
		Suite *s = suite_create(noun);                         \
		TCase *tc = tcase_create(noun);                        \
		SRunner *sr = srunner_create(s);                       \
		int failed;                                            \
                                                                       \
		tcase_set_timeout(tc, 120);                            \
		list(tc);                                              \
		suite_add_tcase(s, tc);                                \
		srunner_set_tap(sr, "-");                              \
		srunner_run_all(sr, CK_SILENT);                        \
		failed = srunner_ntests_failed(sr);                    \
		srunner_free(sr);                                      \
		return failed ? EXIT_FAILURE : EXIT_SUCCESS;           \
	}

#endif
