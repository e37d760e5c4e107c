/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_sacct_rows.c - rows of sacct in which users wrote */

#include "tests/unit/fixtures/unit.h"

#include "tools/slurm/sacct_rows.h"

#define M "m0123456789abcdef"
#define T "1700000000" M
#define OWN "77|1000|4||3600|1700003600" M "||"
#define ROW(own, account, partition, name) \
	T "|" own "|" T "|" account "|" T "|" partition "|" T "|" name "|" T "\n"
#define STEP ROW("77.0||4|8|1800|Unknown|ic/ofed=8|ic/ofed=9", "acc", "", "a.out")

#define HEAD "JobIDRaw|UID|NNodes|NTasks|ElapsedRaw|End|TRESUsageInTot|TRESUsageOutTot|" \
	"Account|Partition|JobName\n"
#define CLEAN "77|1000|4||3600|1700003600|||"

/* Rows as a user would forge them: without the mark, or with that of yesterday. */
#define PLAIN \
	"1700000000|78|0|4||3600|1700003600|||1700000000|a|1700000000|p|1700000000|n|1700000000\n"
#define OLD \
	"1700000000m0|78|0|4||3600|1|||1700000000m0|a|1700000000m0|p|1700000000m0|n|1700000000m0\n"

static const struct {
	const char *answer, *rows;
} cases[] = {
	{ "", "" },
	{ ROW(OWN, "acc", "main", "cfd") STEP, CLEAN "acc|main|cfd\n"
	  "77.0||4|8|1800|Unknown|ic/ofed=8|ic/ofed=9|acc||a.out\n" },
	{ ROW(OWN, "", "", ""), CLEAN "||\n" },
	/* bars, newlines and digits in names */
	{ ROW(OWN, "a|b", "main", "c|d"), CLEAN "a?b|main|c?d\n" },
	{ ROW(OWN, "acc", "main", "a\nb") STEP, CLEAN "acc|main|a?b\n"
	  "77.0||4|8|1800|Unknown|ic/ofed=8|ic/ofed=9|acc||a.out\n" },
	{ ROW(OWN, "acc", "main", "x|1700000000"), CLEAN "acc|main|x?1700000000\n" },
	/* rows in names and in accounts that no database checks */
	{ ROW(OWN, "acc", "main", "x\n901|1001|16||3600|1|fs/lustre=9|fs/lustre=9|v|main|cfd"),
	  CLEAN "acc|main|x?901?1001?16??3600?1?fs/lustre=9?fs/lustre=9?v?main?cfd\n" },
	{ ROW(OWN, "acc", "main", "x|1700000000\n78|0|4||1|1|||a|b|c"),
	  CLEAN "acc|main|x?1700000000?78?0?4??1?1???a?b?c\n" },
	{ ROW(OWN, "q\n1|2", "main", "n"), CLEAN "q?1?2|main|n\n" },
	/* what is no row of ours is left out, with its neighbors kept */
	{ PLAIN ROW(OWN, "acc", "main", "n") OLD, CLEAN "acc|main|n\n" },
	{ "Unknown|7|1|4||3600|Unknown|||Unknown|a|Unknown|p|Unknown|n|Unknown\n" STEP,
	  "77.0||4|8|1800|Unknown|ic/ofed=8|ic/ofed=9|acc||a.out\n" },
	{ ROW("77|1000|4||36\n00|1||", "acc", "main", "n") STEP,
	  "77.0||4|8|1800|Unknown|ic/ofed=8|ic/ofed=9|acc||a.out\n" },
};

LOOP_TEST(what_users_write_is_one_field, N(cases))
{
	char *rows = sacct_rows_make(cases[_i].answer, M, &unit_err);

	unit_must(rows != NULL);
	ck_assert(strncmp(rows, HEAD, strlen(HEAD)) == 0);
	ck_assert_str_eq(rows + strlen(HEAD), cases[_i].rows);
	free(rows);
}

/* A Slurm that prints other rows is an error, not a machine without jobs. */
LOOP_TEST(no_row_is_an_error, 4)
{
	static const char *const none[] = { PLAIN, OLD, "JobIDRaw|UID\n", "x" };
	struct sfab_err err = { 0 };

	ck_assert_ptr_null(sacct_rows_make(none[_i], M, &err));
	ck_assert_msg(strncmp(err.text, "sacct: no row as asked for", 26) == 0, "%s", err.text);
}

/* Cut anywhere, it has one row or none. */
TEST(a_cut_answer_has_no_other_rows)
{
	static const char answer[] = ROW(OWN, "acc", "main", "n");

	for (size_t n = 0; n < sizeof(answer); n++) {
		struct sfab_err err = { 0 };
		char *cut = strndup(answer, n), *rows = sacct_rows_make(cut, M, &err);

		if (rows)
			ck_assert(strcmp(rows, HEAD) == 0 ||
				  strcmp(rows, HEAD CLEAN "acc|main|n\n") == 0);
		free(rows);
		free(cut);
	}
}

UNIT_MAIN("sacct rows")
