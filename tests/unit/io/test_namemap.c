/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_namemap.c - node-name maps as admins write them */

#include "io/namemap.h"
#include "tests/unit/fixtures/unit.h"

static struct sfab_namemap *parse(const char *text, struct sfab_err *err)
{
	return sfab_namemap_parse(text, strlen(text), "map", err);
}

static const struct {
	const char *text, *name;	/* of GUID 0x2c903; NULL: not in it */
} vectors[] = {
	{ "0x2c903 \"leaf one\"\n", "leaf one" },
	{ "0x000000000002C903\t\"leaf\"\n", "leaf" },
	{ "2c903 \"leaf\"\n", "leaf" },
	{ "H-000000000002c903 n1\n", "n1" },
	{ "S-000000000002c903 leaf 1 of 3  \n", "leaf 1 of 3" },
	{ "  0x2c903   \"leaf\"   # the first\n", "leaf" },
	{ "# 0x2c903 \"leaf\"\n", NULL },
	{ "\n\n \t\n", NULL },
	{ "", NULL },
	{ "0x1 \"a\"\n0x2c903 \"b\"\n0x2c904 \"c\"", "b" },
	{ "0x2c904 \"c\"\n0x2c903 \"b\"\n0x1 \"a\"\n", "b" },
	{ "0x2c903 \"b\"\r\n0x1 \"a\"\r\n", "b" },
	{ "0x2c903 \"b\"\n0x2c903 \"b\"\n", "b" },
	{ "0x2c903 \"b\" c \"d\"\n", "b" },
	{ "0xffffffffffffffff \"x\"\n0x2c903 b\n", "b" },
};

LOOP_TEST(lookup, N(vectors))
{
	struct sfab_namemap *m = parse(vectors[_i].text, &unit_err);
	const char *expected = vectors[_i].name;

	unit_must(m != NULL);
	ck_assert_str_eq(sfab_namemap_name(m, 0x2c903, "as given"),
			 expected ? expected : "as given");
	ck_assert_str_eq(sfab_namemap_name(m, 0x2c905, "as given"), "as given");
	sfab_namemap_destroy(m);
}

static const struct {
	const char *text, *error;
} wrong_vectors[] = {
	{ "leaf1 \"leaf1\"\n",
	  "map:1: bad GUID (found \"leaf1\", expected 0xGUID \"name\")" },
	{ "0x1 a\n\n0xzz b\n",
	  "map:3: bad GUID (found \"0xzz\", expected 0xGUID \"name\")" },
	{ "0x12345678901234567 \"a\"\n",
	  "map:1: bad GUID (found \"0x12345678901234567\", expected 0xGUID \"name\")" },
	{ "0x1",
	  "map:1: bad GUID (found \"0x1\", expected 0xGUID \"name\")" },
	{ "0x1 \n",
	  "map:1: bad name (found the end of the line, expected 0xGUID \"name\")" },
	{ "0x1 \"\"\n",
	  "map:1: bad name (found \"\"\"\", expected 0xGUID \"name\")" },
	{ "0x1 \"a\n0x2 \"b\"\n",
	  "map:1: bad name (found \"\"a\", expected a closing quote)" },
	{ "0x1 \"a\"\n0x2 \"b\"\n0x1 \"c\"\n",
	  "map:3: duplicate GUID 0x0000000000000001 (found \"c\", line 1 has \"a\")" },
};

LOOP_TEST(wrong, N(wrong_vectors))
{
	ck_assert_ptr_null(parse(wrong_vectors[_i].text, &unit_err));
	ck_assert_int_eq(unit_err.code, SFAB_EFORMAT);
	ck_assert_str_eq(unit_err.text, wrong_vectors[_i].error);
}

/* In no order. */
TEST(many)
{
	enum { COUNT = 5000 };
	char *text = malloc(COUNT * 32), name[16];
	struct sfab_namemap *m;
	size_t n = 0;

	ck_assert_ptr_nonnull(text);
	for (unsigned i = 0; i < COUNT; i++)
		n += (size_t) snprintf(text + n, 32, "0x%x \"n%u\"\n",
				       i * 7919u % COUNT, i * 7919u % COUNT);
	m = sfab_namemap_parse(text, n, "map", &unit_err);
	unit_must(m != NULL);
	for (unsigned i = 0; i < COUNT; i++) {
		snprintf(name, sizeof(name), "n%u", i);
		ck_assert_str_eq(sfab_namemap_name(m, i, ""), name);
	}
	sfab_namemap_destroy(m);
	free(text);
}

TEST(no_map)
{
	ck_assert_str_eq(sfab_namemap_name(NULL, 1, "as given"), "as given");
	sfab_namemap_destroy(NULL);
}

UNIT_MAIN("namemap")
