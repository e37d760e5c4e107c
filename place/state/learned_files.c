/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * learned_files.c - History and FoundTraffic, read and shared; see learned_files.h
 *
 * Reading a file anew replaces its content here; generations that were made from the old
 * one share it until they are destroyed.
 */

#include "place/state/learned_files.h"

#include <string.h>

void sfab_learned_files_reset(struct sfab_learned_files *l)
{
	memset(&l->history_file, 0, sizeof(l->history_file));
	memset(&l->found_file, 0, sizeof(l->found_file));
}

void sfab_learned_files_clear(struct sfab_learned_files *l)
{
	sfab_history_destroy(l->history);
	sfab_found_destroy(l->found);
	l->history = NULL;
	l->found = NULL;
}

/* In place of what was known; NULL: nothing was learned.  1 if that is new. */
static int take_history(struct sfab_learned_files *l, struct sfab_history *h)
{
	int is_new = h || l->history;

	sfab_history_destroy(l->history);
	l->history = h;
	return is_new;
}

int sfab_learned_read_history(struct sfab_learned_files *l, const char *path,
			      const struct sfab_fabric *f,
			      const struct sfab_trust *trust, struct sfab_err *err)
{
	struct sfab_err why = { 0 };
	struct sfab_history *h;

	if (!*path)
		return take_history(l, NULL);
	/* Without a fabric not even looked at: it would count as seen and unchanged. */
	if (!f || !sfab_watch_changed(&l->history_file, path))
		return 0;
	h = sfab_history_load(path, trust, &why);
	if (!h && why.code != SFAB_ENOENT) {
		*err = why;
		return -1;
	}
	if (h && !sfab_history_is_of(h, f)) {
		sfab_history_destroy(h);
		return sfab_fail(err, SFAB_ESTALE, "%s: the history is of another "
				 "fabric: not used", path);
	}
	return take_history(l, h);
}

int sfab_learned_read_found(struct sfab_learned_files *l, const char *path,
			    const struct sfab_trust *trust, struct sfab_err *err)
{
	struct sfab_err why = { 0 };
	struct sfab_found *found;
	int is_new;

	if (!*path || !sfab_watch_changed(&l->found_file, path))
		return 0;
	found = sfab_found_load(path, trust, &why);
	if (!found && why.code != SFAB_ENOENT) {
		*err = why;
		return -1;
	}
	is_new = found || l->found;
	sfab_found_destroy(l->found);
	l->found = found;
	return is_new;
}

/* Nothing changes in the file when its content grows old: the loader must look. */
uint64_t sfab_learned_next(const struct sfab_learned_files *l, uint64_t now_s)
{
	uint64_t end_s = l->found ?
			 l->found->time_ms / 1000 + SFAB_FOUND_OLD_S : 0;

	return end_s >= now_s && l->found ? end_s + 1 : UINT64_MAX;
}
