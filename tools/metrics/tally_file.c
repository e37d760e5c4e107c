/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * tally_file.c - the totals between two runs, as JSON; see tally.h
 *
 * tally.h says what the totals are.  Everything is a number or a name, so the
 * file says itself what it is, and a human can read it.  Reading is strict: a
 * state of another kind, or with a member missing, is an error and stays as it
 * is.  Totals that begin again at 0 are worse than none.
 */

#include "tools/metrics/tally.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/file.h"
#include "tools/explain/declog.h"
#include "tools/ui/say.h"

#define STATE_MODE 0644	/* nothing secret: totals that are published anyway */
#define STATE_MAX (4u << 20)	/* bytes */
/* The number rises when old totals can no longer be read. */
#define STATE_KIND "sfabric decision totals 1"

/*
 * Single totals; what has several values is below.  All are uint64_t, read and
 * written by offset.
 */
static const struct {
	const char *key;
	size_t at;
} numbers[] = {
	{ "device", offsetof(struct decision_tally, place.device) },
	{ "inode", offsetof(struct decision_tally, place.inode) },
	{ "offset", offsetof(struct decision_tally, place.offset) },
	{ "head", offsetof(struct decision_tally, place.head) },
	{ "lines", offsetof(struct decision_tally, lines) },
	{ "bad", offsetof(struct decision_tally, bad) },
	{ "hint_errors", offsetof(struct decision_tally, hint_errors) },
	{ "policy_failures", offsetof(struct decision_tally, policy_failures) },
	{ "requeued", offsetof(struct decision_tally, requeued) },
	{ "running", offsetof(struct decision_tally, running) },
	{ "decided_s", offsetof(struct decision_tally, decided_s) },
	{ "fingerprint", offsetof(struct decision_tally, fingerprint) },
};
#define NUMBERS (sizeof(numbers) / sizeof(numbers[0]))

static const char *const sides[] = { [TALLY_OURS] = "sfabric", [TALLY_SLURMS] = "slurm" };

/*
 * Words and not numbers: the order of reasons may change from version to
 * version.
 */
static const char *reason_key(uint32_t i)
{
	return i == SFAB_NREASONS ? "unknown" : sfab_reason_word((enum sfab_reason) i);
}

/* -- writing ---------------------------------------------------------------- */

/* [3, 0, 17], one for each bucket or result. */
static struct json_object *counts_json(const uint64_t *count, uint32_t n)
{
	struct json_object *list = json_object_new_array();

	for (uint32_t i = 0; i < n; i++)
		json_object_array_add(list, json_object_new_uint64(count[i]));
	return list;
}

/* All buckets of the struct, also those that these bounds do not use. */
static struct json_object *histogram_json(const struct tally_histogram *h)
{
	struct json_object *o = json_object_new_object();

	json_object_object_add(o, "sum", json_object_new_double(h->sum));
	json_object_object_add(o, "count", counts_json(h->count, TALLY_BUCKETS_MAX + 1));
	return o;
}

/* Keys like "mpi sfabric" and "mpi slurm". */
static struct json_object *slowdowns_json(const struct decision_tally *t)
{
	struct json_object *o = json_object_new_object();

	for (int c = 0; c < SFAB_NCLASSES; c++)
		for (int k = TALLY_OURS; k <= TALLY_SLURMS; k++) {
			char *key = need_text("%s %s",
					      sfab_class_name((enum sfab_class) c),
					      sides[k]);

			json_object_object_add(o, key, histogram_json(&t->slowdown[c][k]));
			free(key);
		}
	return o;
}

static struct json_object *partitions_json(const struct decision_tally *t)
{
	struct json_object *list = json_object_new_array();

	for (uint32_t i = 0; i < t->npartitions; i++) {
		struct json_object *o = json_object_new_object();

		json_object_object_add(o, "name", json_object_new_string(t->partition[i].name));
		json_object_object_add(o, "starts", counts_json(t->partition[i].starts,
						  TALLY_NRESULTS));
		if (t->partition[i].trip)
			json_object_object_add(o, "governor", json_object_new_string(
				sfab_trip_word(t->partition[i].trip)));
		json_object_array_add(list, o);
	}
	return list;
}

/* The caller owns it. */
struct json_object *tally_json(const struct decision_tally *t)
{
	struct json_object *o = json_object_new_object();
	struct json_object *starts = json_object_new_object();

	json_object_object_add(o, "kind", json_object_new_string(STATE_KIND));
	for (size_t i = 0; i < NUMBERS; i++) {
		uint64_t value;

		memcpy(&value, (const char *) t + numbers[i].at, sizeof(value));
		json_object_object_add(o, numbers[i].key, json_object_new_uint64(value));
	}
	/* Reasons that never occurred are left out: a new version can add some. */
	for (uint32_t i = 0; i <= SFAB_NREASONS; i++)
		if (t->starts[i])
			json_object_object_add(starts, reason_key(i),
					       json_object_new_uint64(t->starts[i]));
	json_object_object_add(o, "starts", starts);
	json_object_object_add(o, "partitions", partitions_json(t));
	json_object_object_add(o, "search", histogram_json(&t->search));
	json_object_object_add(o, "slowdown", slowdowns_json(t));
	return o;
}

int tally_save(const struct decision_tally *t, const char *path, struct sfab_err *err)
{
	struct json_object *o = tally_json(t);
	const char *text = json_object_to_json_string_ext(o, JSON_C_TO_STRING_PRETTY);
	int rc = sfab_file_write(path, text, strlen(text), STATE_MODE, err);

	json_object_put(o);
	return rc;
}

/* -- reading ---------------------------------------------------------------- */

/* -1: it is no whole number.  Strings of digits are not accepted. */
static int read_number(struct json_object *o, uint64_t *n)
{
	if (!json_object_is_type(o, json_type_int))
		return -1;
	*n = json_object_get_uint64(o);
	return 0;
}

/*
 * NULL also if @o is no object, which all readers below take as a wrong type.
 */
static struct json_object *member_of(struct json_object *o, const char *key)
{
	struct json_object *value = NULL;

	if (json_object_is_type(o, json_type_object))
		json_object_object_get_ex(o, key, &value);
	return value;
}

/* Exactly @n: with other bounds the counts would be of other buckets. */
static int read_counts(struct json_object *list, uint64_t *count, uint32_t n)
{
	if (!json_object_is_type(list, json_type_array) ||
	    json_object_array_length(list) != n)
		return -1;
	for (uint32_t i = 0; i < n; i++)
		if (read_number(json_object_array_get_idx(list, i), &count[i]) != 0)
			return -1;
	return 0;
}

/* A sum that is no number would make every later sum one, too. */
static int read_histogram(struct json_object *o, struct tally_histogram *h)
{
	struct json_object *sum = member_of(o, "sum");

	if (!json_object_is_type(sum, json_type_double))
		return -1;
	h->sum = json_object_get_double(sum);
	return isfinite(h->sum) ? read_counts(member_of(o, "count"), h->count,
					      TALLY_BUCKETS_MAX + 1) : -1;
}

/* As slowdowns_json() writes them: all have to be there. */
static int read_slowdowns(struct json_object *o, struct decision_tally *t)
{
	int rc = 0;

	for (int c = 0; rc == 0 && c < SFAB_NCLASSES; c++)
		for (int k = TALLY_OURS; rc == 0 && k <= TALLY_SLURMS; k++) {
			char *key = need_text("%s %s",
					      sfab_class_name((enum sfab_class) c),
					      sides[k]);

			rc = read_histogram(member_of(o, key), &t->slowdown[c][k]);
			free(key);
		}
	return rc;
}

/*
 * SIZE_MAX: not a list.  Rows are added as they are read, so that tally_free()
 * frees them after an error.
 */
static int read_partitions(struct json_object *list, struct decision_tally *t)
{
	size_t n = json_object_is_type(list, json_type_array) ?
			   json_object_array_length(list) : SIZE_MAX;

	if (n > TALLY_PARTITIONS_MAX)
		return -1;
	for (size_t i = 0; i < n; i++) {
		struct json_object *o = json_object_array_get_idx(list, i);
		struct json_object *name = member_of(o, "name");
		struct tally_partition *p;

		if (!json_object_is_type(name, json_type_string))
			return -1;
		t->partition = need_more(t->partition, t->npartitions,
					 sizeof(*t->partition));
		p = &t->partition[t->npartitions++];
		*p = (struct tally_partition) {
			.name = need_copy(json_object_get_string(name)),
			.trip = sfab_trip_find(declog_text(o, "governor")),
		};
		if (read_counts(member_of(o, "starts"), p->starts, TALLY_NRESULTS) != 0)
			return -1;
	}
	return 0;
}

/* A reason that this version does not know is lost. */
static int read_starts(struct json_object *o, struct decision_tally *t)
{
	if (!json_object_is_type(o, json_type_object))
		return -1;
	for (uint32_t i = 0; i <= SFAB_NREASONS; i++) {
		struct json_object *value = member_of(o, reason_key(i));

		if (value && read_number(value, &t->starts[i]) != 0)
			return -1;
	}
	return 0;
}

/* -1 leaves @t partly filled: the caller frees it. */
static int read_state(struct decision_tally *t, struct json_object *o)
{
	struct json_object *kind = member_of(o, "kind");

	if (!json_object_is_type(kind, json_type_string) ||
	    strcmp(json_object_get_string(kind), STATE_KIND) != 0)
		return -1;
	for (size_t i = 0; i < NUMBERS; i++) {
		uint64_t value;

		if (read_number(member_of(o, numbers[i].key), &value) != 0)
			return -1;
		memcpy((char *) t + numbers[i].at, &value, sizeof(value));
	}
	return read_starts(member_of(o, "starts"), t) ||
			       read_partitions(member_of(o, "partitions"), t) ||
			       read_histogram(member_of(o, "search"), &t->search) ||
			       read_slowdowns(member_of(o, "slowdown"), t) ?
		       -1 : 0;
}

int tally_of_json(struct decision_tally *t, struct json_object *o)
{
	memset(t, 0, sizeof(*t));
	if (read_state(t, o) == 0)
		return 0;
	tally_free(t);
	return -1;
}

int tally_load(struct decision_tally *t, const char *path, struct sfab_err *err)
{
	const struct sfab_trust any = { .max_size = STATE_MAX };
	struct sfab_err why = { 0 };
	struct json_object *o;
	uint8_t *buf;
	size_t size;
	int rc;

	memset(t, 0, sizeof(*t));
	if (sfab_file_read(path, &any, &buf, &size, &why) != 0) {
		*err = why;
		return why.code == SFAB_ENOENT ? 0 : -1;
	}
	o = json_tokener_parse((const char *) buf);
	/* An administrator may make the file first, to give it an owner. */
	rc = size == 0 ? 0 : tally_of_json(t, o);
	json_object_put(o);
	free(buf);
	if (rc != 0)
		sfab_fail(err, SFAB_EFORMAT, "%s: not a state of sfabric metrics: it is "
			  "left as it is (remove it to begin again)", path);
	return rc;
}
