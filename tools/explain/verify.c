/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * verify.c - is the score of a decision reproduced?  See explain.h
 *
 * The score is computed again on the machine as the log has it.  If a term differs, the log is
 * incomplete, or program or settings have changed since.  The certificate of now is written as
 * the plugin would log it.  Then both are JSON, and values are the same if their texts are.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "place/decision.h"
#include "place/log/logline.h"
#include "tools/explain/explain.h"
#include "tools/ui/xalloc.h"

#define DIGITS 1e-5		/* relative; the log has six digits */

static const struct column term_columns[] = {
	{ "name", "term of the score", COLUMN_TEXT, 0, SHOWN },
	{ "logged", "when the job was placed", COLUMN_NUMBER, 6, SHOWN },
	{ "now", "recomputed", COLUMN_NUMBER, 6, SHOWN },
	{ "same", "to the digits of the log", COLUMN_YES, 0, SHOWN },
	{ 0 }
};

/*
 * Are they equal but for rounding?  The 1 is for terms near zero, whose relative difference
 * says nothing.
 */
static int is_close(double a, double b)
{
	return fabs(a - b) <= DIGITS * (1 + fabs(a));
}

static int add_term_row(struct table *t, const char *name, double logged,
			double computed)
{
	table_row(t);
	table_text(t, "name", name);
	table_number(t, "logged", logged);
	table_number(t, "now", computed);
	table_yes(t, "same", is_close(logged, computed));
	return is_close(logged, computed);
}

/* Compare the terms, the total that was computed from them, and the leaves. */
struct table *explain_verify_terms(struct json_object *start, const struct sfab_score *computed,
				   int *is_same)
{
	struct json_object *score = declog_object(start, "score");
	struct json_object *terms = declog_object(score, "terms");
	struct table *t = table_create(term_columns);

	*is_same = 1;
	for (int i = 0; i < SFAB_NTERMS; i++) {
		const char *name = sfab_term_name(i);

		*is_same &= add_term_row(t, name, declog_number(terms, name, 0), computed->term[i]);
	}
	*is_same &= add_term_row(t, "total", declog_number(score, "total", 0), computed->total);
	*is_same &= add_term_row(t, "leaves", (double) declog_count(start, "leaves"),
				 computed->leaves);
	return t;
}

/* -- the certificate -------------------------------------------------------- */

static const struct column certificate_columns[] = {
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

/* Return the value as JSON text, valid until the next call for it; NULL: no value. */
static const char *certificate_value_text(struct json_object *value)
{
	if (json_object_is_type(value, json_type_string))
		return json_object_get_string(value);
	return value ? json_object_to_json_string_ext(value,
						      JSON_C_TO_STRING_PLAIN) :
		       NULL;
}

/*
 * Add a row for the value of @key in both objects, unless both lack it.  Return 1 if it is the
 * same.  @is_shown 0: the row says only that.  Ids of jobs may be private, so they are compared
 * but not shown.
 */
static int add_value_row(struct table *t, const char *name, struct json_object *logged,
			 struct json_object *computed, const char *key, int is_shown)
{
	const char *logged_text = certificate_value_text(json_object_object_get(logged, key));
	const char *computed_text = certificate_value_text(json_object_object_get(computed, key));
	int is_same = logged_text && computed_text && strcmp(logged_text, computed_text) == 0;

	if (!logged_text && !computed_text)
		return 1;
	table_row(t);
	table_text(t, "name", name);
	if (logged_text && is_shown)
		table_text(t, "logged", logged_text);
	if (computed_text && is_shown)
		table_text(t, "now", computed_text);
	table_yes(t, "same", is_same);
	return is_same;
}

static int add_step_rows(struct table *t, struct json_object *logged,
			 struct json_object *computed)
{
	int is_same = 1;

	for (int k = 0; k < SFAB_NPATTERNS; k++) {
		const char *pattern = sfab_pattern_name((enum sfab_pattern) k);
		struct json_object *logged_steps = json_object_object_get(logged, pattern);
		struct json_object *computed_steps = json_object_object_get(computed, pattern);

		for (size_t i = 0; i < sizeof(step_keys) / sizeof(step_keys[0]); i++) {
			char *name = xstrfmt("%s.%s", pattern, step_keys[i]);

			is_same &= add_value_row(t, name, logged_steps, computed_steps,
						 step_keys[i], 1);
			free(name);
		}
	}
	return is_same;
}

/*
 * Compare the certificate in the log with the new one.  The plugin's own writer writes that, so
 * that rounding is the same.
 */
struct table *explain_verify_certificate(struct json_object *logged,
					 const struct sfab_certificate *computed,
					 const struct sfab_fabric *f, int shows_ids,
					 int *is_same)
{
	const struct sfab_decision none = { 0 };
	const struct sfab_logline what = { .event = "start", .decision = &none,
					   .certificate = computed, .f = f };
	char *text = xcalloc(SFAB_LOGLINE_MAX, 1);
	struct json_object *line, *certificate;
	struct table *t = table_create(certificate_columns);

	line = json_tokener_parse(sfab_logline_json(&what, text, SFAB_LOGLINE_MAX));
	certificate = json_object_object_get(line, "certificate");
	free(text);
	*is_same = 1;
	for (size_t i = 0; i < sizeof(share_keys) / sizeof(share_keys[0]); i++)
		*is_same &= add_value_row(t, share_keys[i], logged, certificate, share_keys[i], 1);
	*is_same &= add_value_row(t, "jobs", logged, certificate, "jobs", shows_ids);
	/* The plugin logs no steps for large jobs. */
	if (json_object_object_get(logged, "steps"))
		*is_same &= add_step_rows(t, json_object_object_get(logged, "steps"),
					  json_object_object_get(certificate, "steps"));
	json_object_put(line);
	return t;
}
