/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import_counters.c - counter files of other programs; see import.h
 *
 * The file that is written holds the counters themselves and the rates since the sample before.
 * So import has to be run again and again, as by a timer, and the first run gives counters
 * without rates.
 */

#include "tools/import/import.h"

#include "io/clock.h"
#include "io/counters/count_files.h"

/* Count the ports that have a rate in the sample before and none now: their counters were reset. */
static uint32_t count_resets(const struct sfab_counters *current,
			     const struct sfab_counters *previous)
{
	uint32_t n = 0;

	for (uint32_t i = 0; previous && i < current->n; i++) {
		const struct sfab_counter *c = &current->row[i], *old;

		old = sfab_counters_find(previous, c->guid, c->port);
		n += old && old->time_ms < c->time_ms && c->flags & SFAB_COUNTER_NO_RATE;
	}
	return n;
}

static void warn_of_counts(const struct sfab_counts *c, uint32_t silent, uint32_t resets,
			   struct reply *r)
{
	if (c->nunknown)
		reply_warning(r, "counters of %llu ports without a link, for example "
			      "0x%016llx port %u", (unsigned long long) c->nunknown,
			      (unsigned long long) c->unknown_guid, c->unknown_port);
	if (c->nunmatched)
		reply_warning(r, "counters of %llu ports that no host of the fabric has, or "
			      "several, for example %s", (unsigned long long) c->nunmatched,
			      c->unmatched_name);
	if (silent)
		reply_warning(r, "%u ports of the previous sample are not in the files: "
			      "their counters stay as they were", silent);
	if (resets)
		reply_warning(r, "%u ports were reset since the previous sample: their rates "
			      "begin again with the next one", resets);
}

/* Save @c to the file at @path as counters, with rates since the sample that it holds. */
static int save_counts(const char *path, struct sfab_counts *c, struct answer *a,
		       struct sfab_err *err)
{
	/* A file that cannot be read as counters was not a sample. */
	struct sfab_counters *previous = sfab_counters_load(path, NULL, NULL), *current = NULL;
	uint64_t unknown = c->nunknown;
	uint32_t ncounted = c->n;
	int rc = 0;

	/*
	 * Ports of the previous sample that the files do not have keep their rows, whose time
	 * tells how old they are.  Rows of ports that the fabric no longer has end.
	 */
	if (previous) {
		c->is_log = 1;	/* of two rows of a port the newer counts */
		c->time_ms = c->now_ms;
	}
	for (uint32_t i = 0; rc == 0 && previous && i < previous->n; i++)
		rc = sfab_counts_add(c, &previous->row[i], err) < 0 ? -1 : 0;
	c->nunknown = unknown;
	if (rc == 0)
		current = sfab_counts_take(c, err);
	rc = -1;
	if (current) {
		current->missed = current->n - ncounted;
		sfab_counters_follow(current, previous, 0);
		warn_of_counts(c, current->missed, count_resets(current, previous), &a->reply);
		rc = sfab_counters_save(current, path, 0644, err);
	}
	if (rc == 0) {
		json_add(a->reply.data, "counters", json_name(path));
		json_add(a->reply.data, "ports_counted", json_object_new_uint64(ncounted));
		if (!a->options->json)
			fprintf(a->out.file, "%s: counters of %u ports%s\n", path, ncounted,
				previous ? "" : ", the first sample");
	}
	sfab_counters_destroy(current);
	sfab_counters_destroy(previous);
	return rc;
}

/*
 * Read the counters.  Files of other kinds (topology, tables) are skipped: they are in the same
 * list.
 */
static int read_counts(struct sfab_counts *c, const struct import_planes *planes,
		       struct sfab_err *err)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < planes->n; i++) {
		const struct import_plane *p = &planes->plane[i];

		for (uint32_t k = 0; k < p->nfiles; k++, n++)
			if (sfab_counts_read(c, p->file[k], err) < 0)
				return -1;
	}
	if (c->n || c->nunknown || c->nunmatched)
		return 0;
	return sfab_fail(err, SFAB_EFORMAT, "%s: no counters in %s (expected "
			 "e.g. ibdiagnet2.db_csv, output of perfquery)",
			 planes->plane[0].file[0], n == 1 ? "this file" : "these files");
}

int import_counters(const char *path, const struct import_planes *planes,
		    const struct sfab_fabric *f, struct answer *a, struct sfab_err *err)
{
	struct sfab_counts c;
	int rc;

	if (sfab_counts_init(&c, f, err) != 0)
		return -1;
	c.now_ms = sfab_clock_realtime_ms();
	rc = read_counts(&c, planes, err);
	if (rc == 0)
		rc = save_counts(path, &c, a, err);
	sfab_counts_free(&c);
	return rc;
}
