/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * report.c - the envelope of every --json answer; see report.h
 *
 * All commands have the same keys of "meta".  doc/schema/ has the shape of each answer.
 */

#include "tools/ui/report.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tools/config.h"
#include "tools/ui/json.h"
#include "tools/ui/say.h"

void report_init(struct report *r, const char *command)
{
	/*
	 * These are null until report_snapshot() and report_search() know
	 * better, so that each answer has the same keys.
	 */
	static const char *const keys[] = {
		"fabric", "epoch", "fingerprint", "engine", "policy", "seed",
		"steps",
	};

	r->root = json_object_new_object();
	r->meta = json_object_new_object();
	r->data = json_object_new_object();
	r->warnings = json_object_new_array();
	r->errors = json_object_new_array();
	json_add(r->root, "meta", r->meta);
	json_add(r->root, "data", r->data);
	json_add(r->root, "warnings", r->warnings);
	json_add(r->root, "errors", r->errors);
	json_add(r->meta, "schema", json_object_new_int(REPORT_SCHEMA));
	json_add(r->meta, "command", json_object_new_string(command));
	json_add(r->meta, "version", json_object_new_string(PACKAGE_VERSION));
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		json_add(r->meta, keys[i], NULL);
}

void report_free(struct report *r)
{
	json_object_put(r->root);
	memset(r, 0, sizeof(*r));
}

/*
 * Names and engines of all planes; "/" separates those that differ.  For example
 * "ftree" if all planes were routed by that engine, "ftree/updn" if the second
 * was not.  Only neighbors are compared.
 */
void report_snapshot(struct report *r, const struct sfab_snapshot *s)
{
	const struct sfab_fabric *f = s->fabric;
	char *names = need_copy(f->planes[0].name), *engines = need_copy(f->planes[0].engine);

	for (const struct sfab_plane *p = f->planes + 1; p < f->planes + f->nplanes; p++) {
		if (strcmp(p->name, p[-1].name) != 0)
			need_joined(&names, "", "/%s", p->name);
		if (strcmp(p->engine, p[-1].engine) != 0)
			need_joined(&engines, "", "/%s", p->engine);
	}
	json_add(r->meta, "fabric", json_name(names));
	json_add(r->meta, "epoch",
		 f->time ? json_object_new_uint64(f->time) : NULL);
	json_add(r->meta, "fingerprint", json_guid(s->fingerprint));
	json_add(r->meta, "engine", json_name(engines));
	free(names);
	free(engines);
}

void report_search(struct report *r, const char *policy, uint64_t seed,
		   uint32_t steps)
{
	json_add(r->meta, "policy", json_name(policy));
	json_add(r->meta, "seed", json_object_new_uint64(seed));
	json_add(r->meta, "steps", json_object_new_uint64(steps));
}

void report_warning(struct report *r, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = need_text_of(fmt, ap);
	va_end(ap);
	if (!r->is_quiet)
		say("warning: %s", text);
	json_object_array_add(r->warnings, json_name(text));
	free(text);
}

void report_error(struct report *r, const struct sfab_err *err)
{
	say("%s", err->text);
	json_object_array_add(r->errors, json_name(err->text));
}

void report_print(const struct report *r, FILE *out)
{
	/*
	 * Slashes stay as they are, or each path would be full of backslashes.
	 */
	fprintf(out, "%s\n",
		json_object_to_json_string_ext(r->root,
					       JSON_C_TO_STRING_PRETTY |
					       JSON_C_TO_STRING_SPACED |
					       JSON_C_TO_STRING_NOSLASHESCAPE));
}
