/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * learned_files.c - History and FoundTraffic, read and shared; see learned_files.h
 *
 * A file is content behind a reference count.  Reading a new one replaces the
 * content here; generations that were made from the old one keep it until they are
 * destroyed.
 */

#include "place/state/learned_files.h"

#include <stdlib.h>
#include <string.h>

struct sfab_shared_history *sfab_shared_history_use(struct sfab_shared_history *h)
{
	if (h)
		h->users++;
	return h;
}

struct sfab_shared_found *sfab_shared_found_use(struct sfab_shared_found *f)
{
	if (f)
		f->users++;
	return f;
}

void sfab_shared_history_drop(struct sfab_shared_history *h)
{
	if (!h || --h->users)
		return;
	sfab_history_destroy(h->history);
	free(h);
}

void sfab_shared_found_drop(struct sfab_shared_found *f)
{
	if (!f || --f->users)
		return;
	sfab_found_destroy(f->found);
	free(f);
}

void sfab_learned_files_reset(struct sfab_learned_files *l)
{
	memset(&l->history_file, 0, sizeof(l->history_file));
	memset(&l->found_file, 0, sizeof(l->found_file));
}

void sfab_learned_files_clear(struct sfab_learned_files *l)
{
	sfab_shared_history_drop(l->history);
	sfab_shared_found_drop(l->found);
	l->history = NULL;
	l->found = NULL;
}

/* Takes over @h, which may be NULL: nothing is learned then.  1, or -1: no memory. */
static int take_history(struct sfab_learned_files *l, struct sfab_history *h,
			struct sfab_err *err)
{
	struct sfab_shared_history *shared = NULL;

	if (h) {
		shared = calloc(1, sizeof(*shared));
		if (!shared) {
			sfab_history_destroy(h);
			return sfab_no_memory(err);
		}
		shared->history = h;
		shared->users = 1;
	}
	sfab_shared_history_drop(l->history);
	l->history = shared;
	return 1;
}

int sfab_learned_read_history(struct sfab_learned_files *l, const char *path,
			      const struct sfab_fabric *f,
			      const struct sfab_trust *trust, struct sfab_err *err)
{
	struct sfab_err why = { 0 };
	struct sfab_history *h;

	if (!*path)
		return l->history ? take_history(l, NULL, err) : 0;
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
	return h || l->history ? take_history(l, h, err) : 0;
}

int sfab_learned_read_found(struct sfab_learned_files *l, const char *path,
			    const struct sfab_trust *trust, struct sfab_err *err)
{
	struct sfab_shared_found *shared = NULL;
	struct sfab_err why = { 0 };
	struct sfab_found *found;

	if (!*path || !sfab_watch_changed(&l->found_file, path))
		return 0;
	found = sfab_found_load(path, trust, &why);
	if (!found && why.code != SFAB_ENOENT) {
		*err = why;
		return -1;
	}
	if (!found && !l->found)
		return 0;
	if (found) {
		shared = calloc(1, sizeof(*shared));
		if (!shared) {
			sfab_found_destroy(found);
			return sfab_no_memory(err);
		}
		shared->found = found;
		shared->users = 1;
	}
	sfab_shared_found_drop(l->found);
	l->found = shared;
	return 1;
}

/* Nothing changes in the file when its content grows old: the loader must look. */
uint64_t sfab_learned_next(const struct sfab_learned_files *l, uint64_t now_s)
{
	uint64_t end_s = l->found ?
			 l->found->found->time_ms / 1000 + SFAB_FOUND_OLD_S : 0;

	return end_s >= now_s && l->found ? end_s + 1 : UINT64_MAX;
}
