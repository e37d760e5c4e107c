/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * history_added.c - which runs are in a history: see history_private.h
 *
 * The same output of sacct may be read twice, and a run may be counted by ports and by
 * sacct.  A run is a job id and its begin: a requeued job runs more than once.
 *
 * Hashes are in a ring: the newest replaces the oldest.  A run that is older
 * than all of them would be counted again, which a window of 12 runs soon
 * forgets.
 */

#include "io/learn/history_private.h"

#include <string.h>

#include "io/hash.h"

int sfab_history_knows(struct sfab_history *h, const struct sfab_history_run *run)
{
	uint8_t bytes[24];
	uint64_t hash;

	/* Without an id a run cannot be told from others, so it is taken as new. */
	if (!run->job)
		return 0;
	/* With the salt, like keys. */
	sfab_put64(bytes, h->salt);
	sfab_put64(bytes + 8, run->job);
	sfab_put64(bytes + 16, run->start_s);
	hash = sfab_hash64(bytes, sizeof(bytes)) | 1;	/* never 0 */
	for (uint32_t i = 0; i < SFAB_HISTORY_ADDED && h->added[i]; i++)
		if (h->added[i] == hash)
			return 1;
	h->added[h->nadded % SFAB_HISTORY_ADDED] = hash;
	h->nadded++;
	return 0;
}

void sfab_history_forget_runs(struct sfab_history *h)
{
	memset(h->added, 0, sizeof(h->added));
	h->nadded = 0;
}
