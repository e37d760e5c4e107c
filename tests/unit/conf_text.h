/* SPDX-License-Identifier: GPL-2.0-or-later */
/* conf_text.h - sfabric.conf from text and back, for unit tests */
#ifndef SFAB_TEST_CONF_TEXT_H
#define SFAB_TEST_CONF_TEXT_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/conf.h"

static inline struct sfab_conf *parse(const char *text, struct sfab_err *err)
{
	return sfab_conf_parse(text, strlen(text), "c", err);
}

static inline struct sfab_conf *parse_well(const char *text)
{
	struct sfab_err err = { 0 };
	struct sfab_conf *c = parse(text, &err);

	ck_assert_msg(c != NULL, "%s", err.text);
	return c;
}

/* Remembers what sfab_conf_each() tells of one key. */
struct shown {
	const char *key;
	char value[200], origin[200];
};

static inline void remember(void *ctx, const char *key, const char *value,
		     const char *origin, const char *doc)
{
	struct shown *shown = ctx;

	ck_assert_uint_gt(strlen(doc), 10);
	if (strcmp(key, shown->key) != 0)
		return;
	snprintf(shown->value, sizeof(shown->value), "%s", value);
	snprintf(shown->origin, sizeof(shown->origin), "%s", origin);
}

/* Write the conf as a file that gives it again. */
static inline void write_line(void *ctx, const char *key, const char *value,
		       const char *origin, const char *doc)
{
	if (*value)
		fprintf(ctx, "%s=%s\n", key, value);
}

static inline char *write_conf(const struct sfab_conf *c)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	sfab_conf_each(c, write_line, out);
	fclose(out);
	return text;
}

#endif
