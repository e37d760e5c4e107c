/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * audit_since.c - compare an audit with an earlier one; see audit_since.h
 *
 * Findings are compared by their id.  The earlier audit is a file of ours, but
 * a file: it is parsed as text from anybody.  Ids that are not there now are
 * gone; severities or numbers that differ are changed.
 */

#include "tools/audit/audit_since.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "io/readers/reader.h"
#include "tools/audit/audit_print.h"
#include "tools/ui/printable.h"
#include "tools/ui/say.h"

#define SIZE_MOST (256 << 20)	/* bytes of a file of JSON */
#define CHANGE_LEAST 0.1	/* relative: counters move a little every day */

/* A finding of the file. */
struct then_finding {
	char *id, *severity;
	double number;
	int seen;		/* it is there now, too */
	UT_hash_handle hh;
};

/* A string of an object, or NULL. */
static const char *text_at(struct json_object *o, const char *key)
{
	struct json_object *value;

	return json_object_object_get_ex(o, key, &value) &&
	       json_object_is_type(value, json_type_string) ?
	       json_object_get_string(value) : NULL;
}

/*
 * 0: not a finding.  Of two with one id the first counts.  Silenced ones are
 * left out, so a rule that is heard again is new.
 */
static int take_then_finding(struct audit_since *s, struct json_object *o)
{
	const char *id = text_at(o, "id"), *severity = text_at(o, "severity");
	struct json_object *value;
	struct then_finding *f;

	if (!id || !severity)
		return 0;
	HASH_FIND_STR(s->then, id, f);
	if (f || (json_object_object_get_ex(o, "silenced", &value) &&
		  json_object_get_boolean(value)))
		return 1;
	f = need(1, sizeof(*f));
	f->id = need_copy(id);
	f->severity = need_copy(severity);
	if (json_object_object_get_ex(o, "number", &value))
		f->number = json_object_get_double(value);
	HASH_ADD_KEYPTR(hh, s->then, f->id, strlen(f->id), f);
	return 1;
}

/*
 * 1: the whole list was read.  One entry that is no finding spoils the file: a
 * comparison with half of it would call the rest new.
 */
static int take_findings(struct audit_since *s, struct json_object *all)
{
	struct json_object *data, *list;

	if (!json_object_object_get_ex(all, "data", &data) ||
	    !json_object_object_get_ex(data, "findings", &list) ||
	    !json_object_is_type(list, json_type_array))
		return 0;
	for (size_t i = 0; i < json_object_array_length(list); i++)
		if (!take_then_finding(s, json_object_array_get_idx(list, i)))
			return 0;
	return 1;
}

int audit_since_read(struct audit_since *s, const char *path,
		     struct sfab_err *err)
{
	struct json_object *all;
	char *text;
	size_t size;
	int good;

	memset(s, 0, sizeof(*s));
	if (sfab_text_read(path, SIZE_MOST, &text, &size, err) != 0)
		return -1;
	all = json_tokener_parse(text);
	free(text);
	good = all && take_findings(s, all);
	json_object_put(all);
	if (good)
		return 0;
	audit_since_free(s);
	return sfab_fail(err, SFAB_EFORMAT, "%s: no findings (expected what "
			 "sfabric audit --json prints)", path);
}

void audit_since_free(struct audit_since *s)
{
	struct then_finding *f, *next;

	HASH_ITER(hh, s->then, f, next) {
		HASH_DEL(s->then, f);
		free(f->id);
		free(f->severity);
		free(f);
	}
	free(s->is_new);
	free(s->changed);
	memset(s, 0, sizeof(*s));
}

/*
 * Names of severities are sorted by the enum, not by letters.  1: it was less
 * severe before.  A word that is no severity is not.
 */
static int is_graver(const struct then_finding *then,
		     const struct sfab_finding *now)
{
	for (int s = SFAB_NOTE; s < (int) now->severity; s++)
		if (strcmp(then->severity,
			   sfab_severity_name((enum sfab_severity) s)) == 0)
			return 1;
	return 0;
}

/*
 * ngone begins as the number of all earlier ones; each that is seen is taken
 * off.
 */
static void compare_finding(struct audit_since *s, const struct sfab_audit *a,
			    uint32_t i)
{
	const struct sfab_finding *now = &a->finding[i];
	char *id = audit_finding_id(now);
	struct then_finding *then;
	double most;

	HASH_FIND_STR(s->then, id, then);
	free(id);
	if (!then) {
		s->is_new[i] = 1;
		s->nnew++;
		s->is_worse |= now->severity > SFAB_NOTE;
		return;
	}
	s->ngone -= !then->seen;
	then->seen = 1;
	most = fmax(fabs(then->number), fabs(now->number));
	if (strcmp(then->severity, sfab_severity_name(now->severity)) == 0 &&
	    !(fabs(then->number - now->number) > CHANGE_LEAST * most)) {
		s->same++;
		return;
	}
	s->is_worse |= is_graver(then, now);
	s->changed = need_more(s->changed, s->nchanged, sizeof(*s->changed));
	s->changed[s->nchanged++] = (struct changed_finding) { i, then };
}

void audit_since_compare(struct audit_since *s, const struct sfab_audit *now,
			 const uint8_t *heard)
{
	s->is_new = need(now->n, sizeof(*s->is_new));
	s->ngone = HASH_COUNT(s->then);
	for (uint32_t i = 0; i < now->n; i++)
		if (heard[i])
			compare_finding(s, now, i);
}

/*
 * Lines "gone ID" and "changed ID: 12 to 18 links, note to warning", then the
 * counts.
 */
void audit_since_print(const struct audit_since *s, const struct sfab_audit *now,
		       FILE *out)
{
	for (const struct then_finding *f = s->then; f; f = f->hh.next) {
		/* An id of the file, which anybody may have written. */
		char *id = f->seen ? NULL : printable(f->id, 0);

		if (id)
			fprintf(out, "gone      %s\n", id);
		free(id);
	}
	for (uint32_t i = 0; i < s->nchanged; i++) {
		const struct sfab_finding *f = &now->finding[s->changed[i].now];
		const struct then_finding *then = s->changed[i].then;
		char *id = audit_finding_id(f), *was = printable(then->severity, 0);

		fprintf(out, "changed   %s: %.6g to %.6g %s", id, then->number,
			f->number, f->unit);
		if (strcmp(then->severity, sfab_severity_name(f->severity)) != 0)
			fprintf(out, ", %s to %s", was,
				sfab_severity_name(f->severity));
		fputc('\n', out);
		free(was);
		free(id);
	}
	fprintf(out, "%snew: %u, gone: %u, changed: %u, as before: %u\n",
		s->ngone || s->nchanged ? "\n" : "", s->nnew, s->ngone,
		s->nchanged, s->same);
}

/* Only ids of new ones: the findings themselves are beside it. */
struct json_object *audit_since_json(const struct audit_since *s,
				     const struct sfab_audit *now)
{
	struct json_object *o = json_object_new_object();
	struct json_object *added = json_object_new_array();
	struct json_object *gone = json_object_new_array();
	struct json_object *changed = json_object_new_array();

	for (uint32_t i = 0; i < now->n; i++)
		if (s->is_new[i]) {
			char *id = audit_finding_id(&now->finding[i]);

			json_object_array_add(added, json_object_new_string(id));
			free(id);
		}
	for (const struct then_finding *f = s->then; f; f = f->hh.next)
		if (!f->seen)
			json_object_array_add(gone, json_name(f->id));
	for (uint32_t i = 0; i < s->nchanged; i++) {
		const struct then_finding *then = s->changed[i].then;
		struct json_object *one = json_object_new_object();

		json_add(one, "id", json_name(then->id));
		json_add(one, "number_then", json_number(then->number));
		json_add(one, "severity_then", json_name(then->severity));
		json_object_array_add(changed, one);
	}
	json_add(o, "new", added);
	json_add(o, "gone", gone);
	json_add(o, "changed", changed);
	json_add(o, "same", json_object_new_uint64(s->same));
	return o;
}
