/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verify_certificate.c - is the certificate of a decision reproduced?  See
 * explain.h
 *
 * The certificate of now is written as the plugin would log it.  Then both are
 * JSON, and values are the same if their texts are.
 */

#include <stdlib.h>
#include <string.h>

#include "place/log/logline.h"
#include "tools/explain/explain.h"
#include "tools/ui/say.h"

enum { W_NAME, W_LOGGED, W_NOW, W_SAME };

static const struct column columns[] = {
	{ "name", "part of the certificate", COLUMN_TEXT, 0, SHOWN },
	{ "logged", "when the job was placed", COLUMN_TEXT, 0, SHOWN },
	{ "now", "recomputed", COLUMN_TEXT, 0, SHOWN },
	{ "same", "character for character", COLUMN_YES, 0, SHOWN },
	{ 0 }
};

/* Keys as the log has them. */
static const char *const share_keys[] = {
	"io-write", "io-read", "links", "running", "shared_links", "sharing", "fullest",
};

static const char *const step_keys[] = {
	"total", "looked", "conflicts", "lost", "worst", "worst_step", "link",
};

/*
 * As the log would have it; the caller owns it.  Through the plugin's own
 * writer, so that rounding is the same.
 */
static struct json_object *write_as_logged(const struct sfab_certificate *c,
					   const struct sfab_fabric *f)
{
	const struct sfab_decision none = { 0 };
	const struct sfab_logline what = { .event = "start", .decision = &none,
					   .certificate = c, .f = f };
	char *text = need(SFAB_LOGLINE_MAX, 1);
	struct json_object *line, *found = NULL;

	line = json_tokener_parse(sfab_logline_json(&what, text,
						    SFAB_LOGLINE_MAX));
	json_object_object_get_ex(line, "certificate", &found);
	found = json_object_get(found);
	json_object_put(line);
	free(text);
	return found;
}

/* NULL if @object is no object, or has no such key. */
static struct json_object *value_at(struct json_object *object, const char *key)
{
	struct json_object *value = NULL;

	if (json_object_is_type(object, json_type_object))
		json_object_object_get_ex(object, key, &value);
	return value;
}

/* Borrowed until the value's next text; NULL: no value. */
static const char *certificate_value_text(struct json_object *value)
{
	if (json_object_is_type(value, json_type_string))
		return json_object_get_string(value);
	return value ? json_object_to_json_string_ext(value,
						      JSON_C_TO_STRING_PLAIN) :
		       NULL;
}

/*
 * A row, unless both lack the value.  @is_shown 0: only whether it is the same.
 * Ids of jobs may be private, so they are compared but not shown.
 */
static int compare_values(struct table *t, const char *name,
			  struct json_object *logged, struct json_object *now,
			  int is_shown)
{
	const char *was = certificate_value_text(logged), *is = certificate_value_text(now);
	int same = was && is && strcmp(was, is) == 0;

	if (!was && !is)
		return 1;
	table_row(t);
	table_text(t, W_NAME, name);
	if (was && is_shown)
		table_text(t, W_LOGGED, was);
	if (is && is_shown)
		table_text(t, W_NOW, is);
	table_yes(t, W_SAME, same);
	return same;
}

static int compare_pattern(struct table *t, const char *pattern,
			   struct json_object *logged, struct json_object *now)
{
	int same = 1;

	for (size_t i = 0; i < sizeof(step_keys) / sizeof(step_keys[0]); i++) {
		char *name = need_text("%s.%s", pattern, step_keys[i]);

		same &= compare_values(t, name, value_at(logged, step_keys[i]),
				       value_at(now, step_keys[i]), 1);
		free(name);
	}
	return same;
}

static int compare_steps(struct table *t, struct json_object *logged,
			 struct json_object *now)
{
	int same = 1;

	for (int k = 0; k < SFAB_NPATTERNS; k++) {
		const char *pattern = sfab_pattern_name((enum sfab_pattern) k);

		same &= compare_pattern(t, pattern, value_at(logged, pattern),
					value_at(now, pattern));
	}
	return same;
}

struct table *verify_certificate(struct json_object *logged,
				 const struct sfab_certificate *now,
				 const struct sfab_fabric *f, int names,
				 int *same)
{
	struct json_object *computed = write_as_logged(now, f);
	struct table *t = table_create(columns);

	*same = 1;
	for (size_t i = 0; i < sizeof(share_keys) / sizeof(share_keys[0]); i++)
		*same &= compare_values(t, share_keys[i],
					value_at(logged, share_keys[i]),
					value_at(computed, share_keys[i]), 1);
	*same &= compare_values(t, "jobs", value_at(logged, "jobs"),
				value_at(computed, "jobs"), names);
	/* The plugin leaves the steps of large jobs to us. */
	if (value_at(logged, "steps"))
		*same &= compare_steps(t, value_at(logged, "steps"),
				       value_at(computed, "steps"));
	json_object_put(computed);
	return t;
}
