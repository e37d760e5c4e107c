/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_memory.c - imports that run out of memory at each allocation in turn
 *
 * A leak or a use of NULL shows in a build with sanitizers.
 */

#include "tests/unit/fixtures/allocations.h"
#include "tests/unit/fixtures/texts.h"
#include "tests/unit/fixtures/unit.h"

static const struct {
	const char *topology, *tables;
} pairs[] = {
	{ text_ibnetdiscover, text_lfts },
	{ text_subnet_lst, text_fdbs },
};

static int read_text(struct sfab_builder *b, const char *text,
		     const char *name, struct sfab_err *err)
{
	const struct sfab_reader *r = sfab_reader_detect(text, strlen(text));
	struct sfab_reader_ctx ctx = { .builder = b, .file = name };

	return texts_read(r, &ctx, text, strlen(text), err);
}

static struct sfab_fabric *import(int pair, struct sfab_err *err)
{
	struct sfab_builder *b = sfab_builder_create(SFAB_BUILD_STRICT);
	struct sfab_fabric *f = NULL;

	if (!b) {
		sfab_fail(err, SFAB_ENOMEM, "no memory");
		return NULL;
	}
	if (sfab_builder_add_plane(b, "", err) == 0 &&
	    !read_text(b, pairs[pair].topology, "topology", err) &&
	    !read_text(b, pairs[pair].tables, "tables", err))
		f = sfab_builder_freeze(b, err);
	sfab_builder_destroy(b);
	return f;
}

LOOP_TEST(each_allocation_fails_once, 2)
{
	struct sfab_fabric *whole = import(_i, NULL), *f;
	long fail_at, failures = 0;
	int reached = 1;

	ck_assert_ptr_nonnull(whole);
	for (fail_at = 0; reached; fail_at++) {
		struct sfab_err err = { 0 };

		allocations_left = fail_at;
		f = import(_i, &err);
		reached = allocations_left < 0;
		allocations_left = -1;
		if (f)	/* only a place for error texts was lost */
			texts_check_same(whole, f);
		else
			ck_assert_int_eq(err.code, SFAB_ENOMEM);
		failures += f == NULL;
		sfab_fabric_destroy(f);
	}
	ck_assert_int_gt(failures, 50);
	sfab_fabric_destroy(whole);
}

UNIT_MAIN("memory")
