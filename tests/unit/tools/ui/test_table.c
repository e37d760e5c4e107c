/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_table.c - one description of columns, three ways to print them */

#include <json-c/json.h>

#include "tests/unit/fixtures/unit.h"
#include "tools/ui/table.h"

static const struct column columns[] = {
	{ "name", "a name", COLUMN_TEXT, 0, SHOWN },
	{ "count", "a count", COLUMN_COUNT, 0, SHOWN },
	{ "share", "a share", COLUMN_NUMBER, 2, SHOWN },
	{ "guid", "a GUID", COLUMN_GUID, 0, SHOWN_IF_ASKED },
	{ "up", "yes or no", COLUMN_YES, 0, SHOWN },
	{ 0 }
};

static void add(struct table *t, const char *name, uint64_t count, double share)
{
	table_row(t);
	table_text(t, "name", name);
	table_count(t, "count", count);
	table_number(t, "share", share);
	table_guid(t, "guid", 0x0002c90200400118);
	table_yes(t, "up", count > 1);
}

static struct table *make(void)
{
	struct table *t = table_create(columns);

	add(t, "n10", 3, 0.125);
	add(t, "n2", 1, 2.0 / 3);
	add(t, "x\033|", 2, 1);
	table_row(t);
	table_text(t, "name", "empty");
	return t;
}

static void check_print(struct table *t, const struct table_view *view,
			const char *expect)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_int_eq(table_print(t, view, out, &unit_err), 0);
	fclose(out);
	ck_assert_str_eq(text, expect);
	free(text);
	table_destroy(t);
}

TEST(columns_are_aligned_in_text)
{
	struct table_view view = { 0 };

	check_print(make(), &view,
		    "NAME      COUNT SHARE UP\n"
		    "n10           3  0.12 yes\n"
		    "n2            1  0.67 no\n"
		    "x\\x1b|         2  1.00 yes\n"
		    "empty         -     - -\n");
}

TEST(a_format_names_columns_and_their_order)
{
	struct table_view view = { .format = "count,NAME", .noheader = 1 };

	check_print(make(), &view,
		    "    3 n10\n    1 n2\n    2 x\\x1b|\n    - empty\n");
}

TEST(parsable_rows_have_all_columns_and_digits)
{
	struct table_view view = { .style = TABLE_PARSABLE };

	check_print(make(), &view,
		    "NAME|COUNT|SHARE|GUID|UP\n"
		    "n10|3|0.125|0x0002c90200400118|yes\n"
		    "n2|1|0.666666667|0x0002c90200400118|no\n"
		    "x\\x1b\\x7c|2|1|0x0002c90200400118|yes\n"
		    "empty||||\n");
}

/* Shown in text as soon as one row has something there. */
TEST(a_column_is_shown_if_any_row_has_it)
{
	static const struct column two[] = {
		{ "fabric", "plane", COLUMN_TEXT, 0, SHOWN_IF_ANY },
		{ "n", "number", COLUMN_COUNT, 0, SHOWN },
		{ 0 }
	};
	struct table_view view = { 0 };

	for (int i = 0; i < 2; i++) {
		struct table *t = table_create(two);

		table_row(t);
		table_text(t, "fabric", i ? "ib0" : "");
		table_count(t, "n", 7);
		table_row(t);
		table_text(t, "fabric", "");
		check_print(t, &view, i ? "FABRIC N\nib0    7\n-      -\n" :
					  "N\n7\n-\n");
	}
}

TEST(a_list_has_a_line_for_each_cell)
{
	struct table_view view = { .style = TABLE_LIST, .format = "name,up" };
	struct table *t = make();

	table_top(t, 2);
	check_print(t, &view, "name  n10\nup    yes\n\nname  n2\nup    no\n");
}

TEST(a_table_without_rows_has_its_head)
{
	struct table_view view = { 0 };

	check_print(table_create(columns), &view, "NAME COUNT SHARE UP\n");
}

static const struct {
	const char *sort, *expect;
} sorts[] = {
	{ "name", "empty\nn2\nn10\nx\\x1b|\n" },	/* 2 before 10 */
	{ "-name", "x\\x1b|\nn10\nn2\nempty\n" },
	{ "count", "n2\nx\\x1b|\nn10\nempty\n" },	/* unset is last */
	{ "-count", "n10\nx\\x1b|\nn2\nempty\n" },
	{ "guid", "n10\nn2\nx\\x1b|\nempty\n" },	/* equal: as before */
	{ "-up,share", "n10\nx\\x1b|\nn2\nempty\n" },
};

LOOP_TEST(rows_are_sorted_and_unset_ones_last, N(sorts))
{
	struct table_view view = { .format = "name", .noheader = 1 };
	struct table *t = make();

	ck_assert_int_eq(table_sort(t, sorts[_i].sort, &unit_err), 0);
	check_print(t, &view, sorts[_i].expect);
}

static const struct {
	const char *format, *sort, *text;
} wrong[] = {
	{ "name,size", NULL, "'size'" },
	{ "name:2", NULL, "'name:2'" },
	{ "name,,up", NULL, "''" },
	{ NULL, "-", "''" },
	{ NULL, "names", "'names'" },
	{ NULL, "up,up,up,up,up,up,up,up,up", "more than 8" },
};

LOOP_TEST(an_unknown_column_is_refused_by_name, N(wrong))
{
	ck_assert_int_eq(table_check(columns, wrong[_i].format, wrong[_i].sort,
				     &unit_err), -1);
	ck_assert_int_eq(unit_err.code, SFAB_EINVAL);
	ck_assert_msg(strstr(unit_err.text, wrong[_i].text) != NULL, "%s", unit_err.text);
}

TEST(json_has_all_columns_by_name)
{
	struct table *t = make();
	struct json_object *rows = table_json(t);

	ck_assert_str_eq(json_object_to_json_string_ext(rows, 0),
			 "[{\"name\":\"n10\",\"count\":3,\"share\":0.125,"
			 "\"guid\":\"0x0002c90200400118\",\"up\":true},"
			 "{\"name\":\"n2\",\"count\":1,\"share\":0.666666667,"
			 "\"guid\":\"0x0002c90200400118\",\"up\":false},"
			 "{\"name\":\"x\\\\x1b|\",\"count\":2,\"share\":1,"
			 "\"guid\":\"0x0002c90200400118\",\"up\":true},"
			 "{\"name\":\"empty\",\"count\":null,\"share\":null,"
			 "\"guid\":null,\"up\":null}]");
	json_object_put(rows);
	table_destroy(t);
}

UNIT_MAIN("table")
