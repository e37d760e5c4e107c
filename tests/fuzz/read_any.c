/* SPDX-License-Identifier: GPL-2.0-or-later */
/* read_any.c - builder, reader, freeze; see read_any.h */

#include "tests/fuzz/read_any.h"


#include <stdio.h>

#define RATE 4e9

static void cable(struct sfab_builder *b, uint64_t from, unsigned num,
		  uint64_t to, unsigned to_num)
{
	sfab_builder_add_link(b, 0, from, num, to, to_num, RATE, 1, NULL);
	sfab_builder_add_link(b, 0, to, to_num, from, num, RATE, 1, NULL);
}

static void add_topology(struct sfab_builder *b)
{
	char name[8];

	sfab_builder_add_switch(b, 0, 0xa01, "leaf1", 4, 1, NULL);
	sfab_builder_add_switch(b, 0, 0xa02, "leaf2", 4, 2, NULL);
	sfab_builder_add_switch(b, 0, 0xb01, "spine1", 4, 3, NULL);
	cable(b, 0xa01, 4, 0xb01, 1);
	cable(b, 0xa02, 4, 0xb01, 2);
	for (unsigned i = 0; i < 4; i++) {
		snprintf(name, sizeof(name), "n%u", i + 1);
		sfab_builder_add_port(b, 0, 0xc01 + i, 1, 0xc11 + i, name, NULL,
				      4 + i, 0, NULL);
		cable(b, 0xc01 + i, 1, 0xa01 + i / 2, i % 2 + 1);
	}
}

struct sfab_fabric *fuzz_fabric(void)
{
	struct sfab_builder *b = sfab_builder_create(SFAB_BUILD_PARTIAL);
	struct sfab_fabric *f;

	fuzz_check(b && sfab_builder_add_plane(b, "", NULL) == 0);
	add_topology(b);
	f = sfab_builder_freeze(b, NULL);
	fuzz_check(f != NULL);
	sfab_builder_destroy(b);
	return f;
}

static const struct sfab_reader *find_reader(const char *name)
{
	const struct sfab_reader *r;

	for (r = sfab_readers; r->name; r++)
		if (strcmp(r->name, name) == 0)
			return r;
	fuzz_check(0);
	return NULL;
}

void fuzz_check_error(const struct sfab_err *err)
{
	fuzz_check(err->code != SFAB_OK && err->text[0] != '\0');
	fuzz_check(err->code != SFAB_EFORMAT ||
		   strncmp(err->text, FUZZ_INPUT ":", sizeof(FUZZ_INPUT)) == 0);
}

static void freeze(struct sfab_builder *b)
{
	struct sfab_err err = { 0 };
	struct sfab_fabric *f = sfab_builder_freeze(b, &err);

	fuzz_check(f || (err.code != SFAB_OK && err.text[0] != '\0'));
	sfab_fabric_destroy(f);
}

int fuzz_read_any(const char *name, const uint8_t *data, size_t size)
{
	const struct sfab_reader *r = find_reader(name);
	struct sfab_reader_ctx ctx = { .file = FUZZ_INPUT };
	struct sfab_err err = { 0 };
	char *text = fuzz_copy(data, size);
	struct sfab_scan s;

	ctx.builder = sfab_builder_create(SFAB_BUILD_PARTIAL);
	fuzz_check(ctx.builder && sfab_builder_add_plane(ctx.builder, "", NULL) == 0);
	sfab_reader_detect(text, size);
	if (r->brings == SFAB_BRINGS_TABLES)
		add_topology(ctx.builder);
	sfab_scan_init(&s, ctx.file, text, size);
	if (r->read(&ctx, &s, &err))
		fuzz_check_error(&err);
	else
		freeze(ctx.builder);
	sfab_builder_destroy(ctx.builder);
	free(text);
	return 0;
}
