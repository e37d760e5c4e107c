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

struct sfab_learned_file *sfab_learned_use(struct sfab_learned_file *l)
{
	if (l)
		l->users++;
	return l;
}

void sfab_learned_drop(struct sfab_learned_file *l)
{
	if (!l || --l->users)
		return;
	sfab_history_destroy(l->history);
	sfab_found_destroy(l->found);
	free(l);
}

void sfab_learned_files_reset(struct sfab_learned_files *l)
{
	memset(&l->history_file, 0, sizeof(l->history_file));
	memset(&l->found_file, 0, sizeof(l->found_file));
}

void sfab_learned_files_clear(struct sfab_learned_files *l)
{
	sfab_learned_drop(l->history);
	sfab_learned_drop(l->found);
	l->history = l->found = NULL;
}

/*
 * The content of a file, in place of what *@at was.  Takes over @h and @found; if both
 * are NULL, nothing is learned.  1 if that is new, 0, or -1: no memory.
 */
static int take_content(struct sfab_learned_file **at, struct sfab_history *h,
			struct sfab_found *found, struct sfab_err *err)
{
	struct sfab_learned_file *file = NULL;

	if (h || found) {
		file = malloc(sizeof(*file));
		if (!file) {
			sfab_history_destroy(h);
			sfab_found_destroy(found);
			return sfab_no_memory(err);
		}
		*file = (struct sfab_learned_file){ h, found, 1 };
	} else if (!*at) {
		return 0;
	}
	sfab_learned_drop(*at);
	*at = file;
	return 1;
}

int sfab_learned_read_history(struct sfab_learned_files *l, const char *path,
			      const struct sfab_fabric *f,
			      const struct sfab_trust *trust, struct sfab_err *err)
{
	struct sfab_err why = { 0 };
	struct sfab_history *h;

	if (!*path)
		return take_content(&l->history, NULL, NULL, err);
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
	return take_content(&l->history, h, NULL, err);
}

int sfab_learned_read_found(struct sfab_learned_files *l, const char *path,
			    const struct sfab_trust *trust, struct sfab_err *err)
{
	struct sfab_err why = { 0 };
	struct sfab_found *found;

	if (!*path || !sfab_watch_changed(&l->found_file, path))
		return 0;
	found = sfab_found_load(path, trust, &why);
	if (!found && why.code != SFAB_ENOENT) {
		*err = why;
		return -1;
	}
	return take_content(&l->found, NULL, found, err);
}

/* Nothing changes in the file when its content grows old: the loader must look. */
uint64_t sfab_learned_next(const struct sfab_learned_files *l, uint64_t now_s)
{
	uint64_t end_s = l->found ?
			 l->found->found->time_ms / 1000 + SFAB_FOUND_OLD_S : 0;

	return end_s >= now_s && l->found ? end_s + 1 : UINT64_MAX;
}
