/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reply.c - the envelope of every --json answer; see reply.h
 *
 * All commands have the same keys of "meta".  doc/schema/ has the shape of each answer.
 */

#include "tools/ui/reply.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tools/config.h"
#include "tools/ui/json.h"
#include "tools/ui/say.h"
#include "tools/ui/xalloc.h"

void reply_init(struct reply *r, const char *command)
{
	/*
	 * These are null until reply_snapshot() and reply_search() know better, so that each
	 * answer has the same keys.
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
	json_add(r->meta, "schema", json_object_new_int(REPLY_SCHEMA));
	json_add(r->meta, "command", json_object_new_string(command));
	json_add(r->meta, "version", json_object_new_string(PACKAGE_VERSION));
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		json_add(r->meta, keys[i], NULL);
}

void reply_free(struct reply *r)
{
	json_object_put(r->root);
	memset(r, 0, sizeof(*r));
}

/*
 * Add what the snapshot is: names and engines of its planes, its time and fingerprint.  "/"
 * separates names or engines that differ.  For example "ftree" if all planes were routed by
 * that engine, "ftree/updn" if the second was not.  Only neighbors are compared.
 */
void reply_snapshot(struct reply *r, const struct sfab_snapshot *s)
{
	const struct sfab_fabric *f = s->fabric;
	char *names = xstrdup(f->planes[0].name), *engines = xstrdup(f->planes[0].engine);

	for (const struct sfab_plane *p = f->planes + 1; p < f->planes + f->nplanes; p++) {
		if (strcmp(p->name, p[-1].name) != 0)
			xjoin(&names, "", "/%s", p->name);
		if (strcmp(p->engine, p[-1].engine) != 0)
			xjoin(&engines, "", "/%s", p->engine);
	}
	json_add(r->meta, "fabric", json_name(names));
	json_add(r->meta, "epoch",
		 f->time ? json_object_new_uint64(f->time) : NULL);
	json_add(r->meta, "fingerprint", json_guid(s->fingerprint));
	json_add(r->meta, "engine", json_name(engines));
	free(names);
	free(engines);
}

void reply_search(struct reply *r, const char *policy, uint64_t seed,
		  uint32_t steps)
{
	json_add(r->meta, "policy", json_name(policy));
	json_add(r->meta, "seed", json_object_new_uint64(seed));
	json_add(r->meta, "steps", json_object_new_uint64(steps));
}

void reply_warning(struct reply *r, const char *fmt, ...)
{
	va_list ap;
	char *text;

	va_start(ap, fmt);
	text = xvstrfmt(fmt, ap);
	va_end(ap);
	if (!r->is_quiet)
		say("warning: %s", text);
	json_object_array_add(r->warnings, json_name(text));
	free(text);
}

void reply_error(struct reply *r, const struct sfab_err *err)
{
	say("%s", err->text);
	json_object_array_add(r->errors, json_name(err->text));
}

void reply_print(const struct reply *r, FILE *out)
{
	/* Slashes stay as they are, or each path would be full of backslashes. */
	fprintf(out, "%s\n",
		json_object_to_json_string_ext(r->root,
					       JSON_C_TO_STRING_PRETTY |
					       JSON_C_TO_STRING_SPACED |
					       JSON_C_TO_STRING_NOSLASHESCAPE));
}
