/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import_counters.c - counter files of other programs; see import_counters.h
 *
 * The file that is written holds the counters themselves and the rates since
 * the sample before.  So import has to be run again and again, as by a timer,
 * and the first run gives counters without rates.
 */

#include "tools/import/import_counters.h"

#include "io/counters/count_files.h"
#include "io/counters/counters.h"

/* A file that cannot be read as counters was not a sample. */
static int write_counters(const char *path, struct sfab_counters *now,
			  struct answer *a, struct sfab_err *err)
{
	struct sfab_counters *before = sfab_counters_load(path, NULL, NULL);
	int rc;

	sfab_counters_follow(now, before, 0);
	rc = sfab_counters_save(now, path, 0644, err);
	if (rc == 0) {
		struct json_object *data = a->report.data;

		json_add(data, "counters", json_name(path));
		json_add(data, "ports_counted", json_object_new_uint64(now->n));
		if (!a->options->json)
			fprintf(a->out.file, "%s: counters of %u ports%s\n",
				path, now->n,
				!before ? ", the first sample" : "");
	}
	sfab_counters_destroy(before);
	return rc;
}

/* The time is that of the newest file, because rates are differences over time. */
int import_counters(const char *path, const struct import_files *files,
		    const struct sfab_fabric *f, struct answer *a,
		    struct sfab_err *err)
{
	struct sfab_counters *now = NULL;
	struct sfab_counts c;
	int rc = -1;

	if (sfab_counts_init(&c, f, err) != 0)
		return -1;
	c.time_ms = 1000 * files->time;
	if (sfab_counts_read(&c, files->file, files->n, err) == 0)
		now = sfab_counts_take(&c, err);
	if (now && c.unknown)
		report_warning(&a->report, "counters of %llu ports without a link, "
			       "for example 0x%016llx port %u",
			       (unsigned long long) c.unknown,
			       (unsigned long long) c.unknown_guid, c.unknown_port);
	if (now)
		rc = write_counters(path, now, a, err);
	sfab_counters_destroy(now);
	sfab_counts_free(&c);
	return rc;
}
