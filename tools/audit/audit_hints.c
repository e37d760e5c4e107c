/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * audit_hints.c - what jobs said against what was found of them; see
 * audit_hints.h
 *
 * A hint is what the user wrote into --comment: "sfabric:mpi=0.4".  The
 * decision log has it as the traffic of the job's start line.  traffic.snap has
 * what counters saw of the same job.  If they differ by more than
 * SFAB_FOUND_DIFFERS, the audit has a finding for that job.
 *
 * Only running jobs are compared: traffic.snap has no others.
 */

#include "tools/audit/audit_hints.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "io/learn/found.h"
#include "tools/explain/declog.h"
#include "tools/ui/say.h"

/*
 * The last start of each job of @found, or NULL: [found->n], caller frees.  A
 * job that was requeued started more than once.  The log is read once, and of
 * each job only one line is kept.
 */
static struct json_object **last_starts(FILE *in, const struct sfab_found *found)
{
	struct json_object **start = need(found->n + 1u, sizeof(*start)), *line;
	uint64_t number = 0, bad = 0;

	while ((line = declog_next(in, &number, &bad)) != NULL) {
		uint64_t id = declog_count(line, "job");
		const char *event = declog_text(line, "event");
		const struct sfab_found_job *j =
		    id <= UINT32_MAX ? sfab_found_job(found, (uint32_t) id) : NULL;

		if (!j || !event || strcmp(event, "start") != 0) {
			json_object_put(line);
			continue;
		}
		if (start[j - found->job])
			json_object_put(start[j - found->job]);
		start[j - found->job] = line;
	}
	return start;
}

/*
 * "mpi=0.4+io-write=0.1", in whole percent: more digits would pretend that
 * counters see them.  Caller frees.
 */
static char *rounded_traffic(struct sfab_traffic t)
{
	char buf[1000];

	for (uint32_t i = 0; i < t.nparts; i++)
		t.part[i].share = round(t.part[i].share * 100) / 100;
	return need_copy(t.nparts ? sfab_traffic_text(&t, buf, sizeof(buf)) : "nothing");
}

/* The hint owns its texts; audit_hints_free() frees them. */
static void add_wrong_hint(struct audit_hints *h, const struct sfab_found_job *j,
			   struct json_object *start, const struct sfab_traffic *told)
{
	const char *name = declog_text(start, "name");

	h->hint[h->n++] = (struct sfab_audit_hint){
		.job = j->id, .user = (uint32_t) declog_count(start, "user"),
		.name = need_copy(name ? name : ""), .told = rounded_traffic(*told),
		.found = rounded_traffic(j->mean), .samples = j->samples,
		.distance = sfab_found_distance(j, told),
	};
}

/*
 * At least two samples, so that one bad reading accuses nobody.
 * sfab_found_counts() asks whether it is young.
 */
static void compare_hints(struct audit_hints *h, const struct sfab_found *found,
			  FILE *log)
{
	struct json_object **start = last_starts(log, found);
	uint64_t now_s = (uint64_t) time(NULL);
	struct sfab_traffic told;

	h->hint = need(found->n + 1u, sizeof(*h->hint));
	for (uint32_t i = 0; i < found->n; i++) {
		const struct sfab_found_job *j = &found->job[i];

		const char *source = start[i] ? declog_text(start[i], "source") : NULL;
		const char *text = start[i] ? declog_text(start[i], "traffic") : NULL;

		if (source && text && strcmp(source, "hint") == 0 &&
		    sfab_traffic_parse(text, NULL, &told, NULL) == 0 &&
		    j->samples > 1 && sfab_found_counts(found, j, now_s) &&
		    j->confidence >= SFAB_FOUND_SURE && sfab_found_differs(j, &told))
			add_wrong_hint(h, j, start[i], &told);
		if (start[i])
			json_object_put(start[i]);
	}
	free(start);
}

/* NULL: none, with *err unless the file is not there. */
static FILE *open_hint_log(const char *path, struct sfab_err *err)
{
	FILE *in = *path ? fopen(path, "r") : NULL;
	struct stat st;

	/* A FIFO would have no end. */
	if (in && fstat(fileno(in), &st) == 0 && !S_ISREG(st.st_mode)) {
		sfab_fail(err, SFAB_EINVAL, "%s: not a regular file", path);
		fclose(in);
		return NULL;
	}
	if (!in && *path && errno != ENOENT)
		sfab_fail(err, SFAB_EIO, "%s: %s", path, strerror(errno));
	return in;
}

/*
 * No file of found traffic is fine: nothing is learned at this site.  A log
 * that is missing is fine as well.
 */
int audit_hints_read(struct audit_hints *h, const char *found_path, const char *log_path,
		     uint64_t fingerprint, struct sfab_err *err)
{
	struct sfab_err why = { 0 };
	struct sfab_found *found = sfab_found_load(found_path, NULL, &why);
	FILE *log;

	memset(h, 0, sizeof(*h));
	h->followed = found && found->fingerprint == fingerprint ? found->followed : -1;
	if (!found && why.code == SFAB_ENOENT)
		return 0;
	if (!found) {
		*err = why;
		return -1;
	}
	why.code = 0;
	log = open_hint_log(log_path, &why);
	if (log) {
		compare_hints(h, found, log);
		fclose(log);
	}
	sfab_found_destroy(found);
	if (why.code)
		*err = why;
	return why.code ? -1 : 0;
}

void audit_hints_free(struct audit_hints *h)
{
	for (uint32_t i = 0; i < h->n; i++) {
		free((char *) h->hint[i].name);
		free((char *) h->hint[i].told);
		free((char *) h->hint[i].found);
	}
	free(h->hint);
	memset(h, 0, sizeof(*h));
}
