/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_elf.c - symbols of this very program, and damaged copies of it */

#include <elf.h>
#include <link.h>
#include <unistd.h>

#include "io/file.h"
#include "tests/unit/fixtures/unit.h"
#include "tools/check/elf.h"

__attribute__((visibility("default"))) const unsigned elf_mark = 0x5fab1234;
__attribute__((visibility("default"))) unsigned elf_no_bytes[4];

static struct sfab_err err;
static uint8_t *self;
static size_t self_size;

static void set_up(void)
{
	ck_assert_int_eq(sfab_file_read("/proc/self/exe", NULL, &self,
					&self_size, &err), 0);
}

static void tear_down(void)
{
	free(self);
}

/* sfab_elf_open() of @size bytes at @bytes, through a file. */
static struct sfab_elf *open_bytes(const uint8_t *bytes, size_t size)
{
	char path[] = "/tmp/sfab-elf-XXXXXX";
	int fd = mkstemp(path);
	struct sfab_elf *e;

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write(fd, bytes, size), (ssize_t) size);
	close(fd);
	err.text[0] = '\0';
	e = sfab_elf_open(path, &err);
	unlink(path);
	return e;
}

struct seen {
	int unlink;		/* of the C library, with a version */
	int gmon_start;		/* asked for by the start code, has none */
};

static void look(void *ctx, const char *symbol)
{
	struct seen *seen = ctx;

	seen->unlink |= strcmp(symbol, "unlink") == 0;
	seen->gmon_start |= strcmp(symbol, "__gmon_start__") == 0;
}

/* Call everything: nothing may be read outside the file. */
static void use(const struct sfab_elf *e)
{
	unsigned mark;
	struct seen seen;

	sfab_elf_defines(e, "no_such_symbol");
	sfab_elf_object(e, "elf_mark", &mark, sizeof(mark));
	sfab_elf_each_undefined(e, look, &seen);
}

TEST(own_symbols)
{
	struct sfab_elf *e = sfab_elf_open("/proc/self/exe", &err);
	unsigned mark = 0;
	struct seen seen = { 0 };

	ck_assert_ptr_nonnull(e);
	ck_assert(sfab_elf_defines(e, "elf_mark"));
	ck_assert(!sfab_elf_defines(e, "elf_mar"));
	ck_assert(!sfab_elf_defines(e, "malloc"));
	ck_assert_uint_eq(sfab_elf_object(e, "elf_mark", &mark, sizeof(mark)), 4);
	ck_assert_uint_eq(mark, elf_mark);
	ck_assert_uint_eq(sfab_elf_object(e, "elf_mark", &mark, 2), 2);
	ck_assert_uint_eq(sfab_elf_object(e, "elf_no_bytes", &mark, 4), 0);
	ck_assert_uint_eq(sfab_elf_object(e, "no_such_symbol", &mark, 4), 0);
	sfab_elf_each_undefined(e, look, &seen);
	ck_assert(seen.gmon_start);
	ck_assert(!seen.unlink);
	sfab_elf_close(e);
}

TEST(not_elf)
{
	ck_assert_ptr_null(sfab_elf_open("/no/such/file", &err));
	ck_assert_int_eq(err.code, SFAB_ENOENT);
	ck_assert_ptr_null(open_bytes((const uint8_t *) "#!/bin/sh\n", 10));
	ck_assert_int_eq(err.code, SFAB_EFORMAT);
	ck_assert_ptr_nonnull(strstr(err.text, ": no program or shared object"));
	ck_assert_ptr_null(open_bytes(self, 5));
	self[EI_CLASS] ^= 3;
	ck_assert_ptr_null(open_bytes(self, self_size));
}

LOOP_TEST(truncated, 16)
{
	struct sfab_elf *e = open_bytes(self, self_size * (size_t) _i / 16);

	ck_assert_ptr_null(e);
	ck_assert_int_eq(err.code, SFAB_EFORMAT);
}

/* Bytes of the section table at random: an error, or answers without a crash. */
LOOP_TEST(damaged, 200)
{
	const ElfW(Ehdr) *h = (const void *) self;
	size_t span = h->e_shnum * sizeof(ElfW(Shdr));
	struct sfab_elf *e;

	srandom((unsigned) _i);
	for (int k = 0; k < 8; k++)
		self[h->e_shoff + (size_t) random() % span] =
			(uint8_t) random();
	e = open_bytes(self, self_size);
	if (e)
		use(e);
	sfab_elf_close(e);
}

UNIT_MAIN_WITH("elf", set_up, tear_down)
