/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * make_learned.c - what sfabric learn would write
 *
 *     make_learned run HISTORY SNAPSHOT USER NAME PARTITION NODES TRAFFIC
 *         adds one run that just ended
 *     make_learned found FILE SNAPSHOT JOB TRAFFIC
 *         a traffic.snap of now with one job
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "io/learn/found_traffic.h"
#include "io/learn/history.h"
#include "io/snapshot/snapshot.h"

static void end_with(const struct sfab_err *err)
{
	fprintf(stderr, "make_learned: %s\n", err->text);
	exit(1);
}

static struct sfab_traffic traffic_of(const char *text)
{
	struct sfab_err err = { 0 };
	struct sfab_traffic t;

	if (sfab_traffic_parse(text, NULL, &t, &err) < 0)
		end_with(&err);
	return t;
}

static int add_run(char **word, const struct sfab_snapshot *snap)
{
	const struct sfab_history_facts job = {
		.user = (uint32_t) strtoul(word[0], NULL, 10), .name = word[1],
		.partition = word[2],
		.nodes = (uint32_t) strtoul(word[3], NULL, 10),
	};
	struct sfab_traffic sent = traffic_of(word[4]);
	struct sfab_err err = { 0 };
	struct sfab_history *h = sfab_history_load(word[-2], NULL, NULL);

	if (!h)
		h = sfab_history_create(7);
	sfab_history_adopt(h, snap->fabric);
	const struct sfab_history_run ran = { .sent = &sent, .weight = 1,
					      .end_s = (uint64_t) time(NULL) };

	if (sfab_history_add(h, &job, &ran, &err) < 0 ||
	    sfab_history_save(h, word[-2], 0600, &err) < 0)
		end_with(&err);
	sfab_history_destroy(h);
	return 0;
}

static int find_job(char **word, const struct sfab_snapshot *snap)
{
	struct sfab_found *found = sfab_found_create(1);
	struct sfab_err err = { 0 };

	found->time_ms = (uint64_t) time(NULL) * 1000;
	found->fingerprint = snap->fingerprint;
	found->job[0] = (struct sfab_found_job) {
		.id = (uint32_t) strtoul(word[0], NULL, 10), .samples = 3,
		.start_s = (uint64_t) time(NULL), .time_s = (uint64_t) time(NULL),
		.confidence = 0.9,
	};
	found->job[0].latest = found->job[0].mean = traffic_of(word[1]);
	if (sfab_found_save(found, word[-2], 0600, &err) < 0)
		end_with(&err);
	sfab_found_destroy(found);
	return 0;
}

int main(int argc, char **argv)
{
	struct sfab_err err = { 0 };
	struct sfab_snapshot *snap;
	int rc = 2;

	if (argc < 6)
		return 2;
	snap = sfab_snapshot_load(argv[3], NULL, &err);
	if (!snap)
		end_with(&err);
	if (strcmp(argv[1], "run") == 0 && argc == 9)
		rc = add_run(argv + 4, snap);
	else if (strcmp(argv[1], "found") == 0 && argc == 6)
		rc = find_job(argv + 4, snap);
	sfab_snapshot_destroy(snap);
	return rc;
}
