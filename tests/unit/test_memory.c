/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_memory.c - imports that run out of memory at each allocation in turn
 *
 * Linked with --wrap: the allocation number fail_at, counted from the start of
 * the import, returns NULL.  A leak or a use of NULL shows in a build with
 * sanitizers.
 */

#include <stdlib.h>
#include <string.h>

#include "texts.h"
#include "unit.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t n);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
char *__wrap_strdup(const char *text);
char *__wrap_strndup(const char *text, size_t n);

static long left = -1;		/* allocations that succeed; -1: all */

static int fails(void)
{
	return left >= 0 && left-- == 0;
}

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
	return fails() ? NULL : __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
	return fails() ? NULL : __real_realloc(p, size);
}

char *__wrap_strdup(const char *text)
{
	return fails() ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t n)
{
	return fails() ? NULL : __real_strndup(text, n);
}

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
	struct sfab_reader_ctx ctx = { .b = b, .file = name };

	return r->read(&ctx, text, strlen(text), err);
}

static struct sfab_fabric *import(int pair, struct sfab_err *err)
{
	struct sfab_builder *b = sfab_builder_create(SFAB_BUILD_STRICT);
	struct sfab_fabric *f = NULL;

	if (!b) {
		sfab_fail(err, SFAB_ENOMEM, "no memory");
		return NULL;
	}
	if (sfab_builder_plane(b, "", err) == 0 &&
	    !read_text(b, pairs[pair].topology, "topology", err) &&
	    !read_text(b, pairs[pair].tables, "tables", err))
		f = sfab_builder_freeze(b, err);
	sfab_builder_destroy(b);
	return f;
}

START_TEST(each_allocation_fails_once)
{
	struct sfab_fabric *whole = import(_i, NULL), *f;
	long fail_at, failures = 0;
	int reached = 1;

	ck_assert_ptr_nonnull(whole);
	for (fail_at = 0; reached; fail_at++) {
		struct sfab_err err = { 0 };

		left = fail_at;
		f = import(_i, &err);
		reached = left < 0;
		left = -1;
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
END_TEST

static void tests(TCase *tc)
{
	tcase_add_loop_test(tc, each_allocation_fails_once, 0, 2);
}

UNIT_MAIN("memory", tests)
