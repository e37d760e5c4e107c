/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapfiles.c - snapshot files, read and confirmed; see snapfiles.h
 *
 * Routes are trusted until MaxSnapshotAge after they were last confirmed.  Two things confirm:
 * writing the same content again, and fabric.alive beside it, a small file with the fingerprint
 * of the snapshot that it speaks of.  With several fabrics all must be confirmed, and the one
 * that was confirmed first decides.
 */

#include "place/state/snapfiles.h"

#include <stdio.h>
#include <string.h>

#include "core/fabric/fabric_merge.h"

#define PATH_SIZE 4096

static const char *path_of(const struct sfab_conf *c, uint32_t i)
{
	return c->fabrics.n ? c->fabrics.pair[i].value : c->snapshot;
}

static uint32_t count_of(const struct sfab_conf *c)
{
	return c->fabrics.n ? c->fabrics.n : 1;
}

const char *sfab_snapfiles_name(const struct sfab_conf *c, char *buf, size_t size)
{
	size_t n;

	if (!c->fabrics.n)
		return c->snapshot;
	n = (size_t) snprintf(buf, size, "fabrics");
	for (uint32_t i = 0; i < c->fabrics.n && n < size; i++)
		n += (size_t) snprintf(buf + n, size - n, "%s %s",
				       i ? "," : "", c->fabrics.pair[i].name);
	return buf;
}

void sfab_snapfiles_reset(struct sfab_snapfiles *s, const struct sfab_conf *c)
{
	uint32_t n = count_of(c);

	if (n != s->n)
		memset(s, 0, sizeof(*s));
	s->n = n;
	for (uint32_t i = 0; i < n; i++) {
		memset(&s->file[i].snap, 0, sizeof(s->file[i].snap));
		memset(&s->file[i].alive, 0, sizeof(s->file[i].alive));
	}
}

int sfab_snapfiles_check(struct sfab_snapfiles *s, const struct sfab_conf *c)
{
	int changed = 0;

	for (uint32_t i = 0; i < s->n; i++)
		changed |= sfab_watch_check(&s->file[i].snap, path_of(c, i));
	return changed;
}

/* Make one fabric with the planes of all parts, which stay the caller's.  NULL with *err. */
static struct sfab_snapshot *merge_snapshots(const struct sfab_conf *c,
					     struct sfab_snapshot *const *part,
					     uint32_t n, struct sfab_err *err)
{
	const struct sfab_fabric *f[SFAB_CONF_FABRICS];
	const char *name[SFAB_CONF_FABRICS];
	struct sfab_fabric *merged;

	for (uint32_t i = 0; i < n; i++) {
		f[i] = part[i]->fabric;
		name[i] = c->fabrics.pair[i].name;
	}
	merged = sfab_fabric_merge(f, name, n, err);
	return merged ? sfab_snapshot_take(merged, NULL, err) : NULL;
}

struct sfab_snapshot *sfab_snapfiles_load(struct sfab_snapfiles *s,
					  const struct sfab_conf *c,
					  const struct sfab_trust *trust,
					  struct sfab_err *err)
{
	struct sfab_snapshot *part[SFAB_CONF_FABRICS] = { NULL }, *merged = NULL;
	struct sfab_trust bounded = trust ? *trust : (struct sfab_trust){ 0 };
	uint32_t n = count_of(c), nread = 0;

	bounded.max_size = (size_t) c->max_snapshot_mb << 20;
	while (nread < n) {
		part[nread] = sfab_snapshot_load(path_of(c, nread), &bounded, err);
		if (!part[nread])
			break;
		nread++;
	}
	if (nread == n)
		merged = c->fabrics.n ? merge_snapshots(c, part, n, err) : part[0];
	/* If reading failed, the fabric in use stays, with its fingerprints. */
	if (merged && s) {
		/* The files now match the fabric in use. */
		for (uint32_t i = 0; i < s->n; i++) {
			struct sfab_snapfile *file = &s->file[i];
			int64_t made = (int64_t) part[i]->fabric->time;

			/* The same content written again confirms it, but never an older time. */
			if (file->fingerprint != part[i]->fingerprint ||
			    made > file->confirmed_s)
				file->confirmed_s = made;
			file->fingerprint = part[i]->fingerprint;
		}
	}
	for (uint32_t i = 0; i < nread; i++)
		if (part[i] != merged)
			sfab_snapshot_destroy(part[i]);
	return merged;
}

/* Read fabric.alive if it changed.  A missing file is no error: nothing confirms then. */
static void read_confirmation(struct sfab_snapfile *file, const char *path,
			      const struct sfab_trust *trust)
{
	struct sfab_err err = { 0 };

	if (!sfab_watch_check(&file->alive, path))
		return;
	if (sfab_alive_load(path, trust, &file->confirmation, &err) &&
	    err.code != SFAB_ENOENT)
		file->alive_err = err;
	else
		file->alive_err.code = SFAB_OK;
}

int sfab_snapfiles_confirm(struct sfab_snapfiles *s, const struct sfab_conf *c,
			   const struct sfab_trust *trust, int64_t now_s,
			   int64_t *confirmed_s, struct sfab_err *err)
{
	char path[PATH_SIZE];
	int rc = 0;

	*confirmed_s = INT64_MAX;
	for (uint32_t i = 0; i < s->n; i++) {
		struct sfab_snapfile *file = &s->file[i];
		int64_t time;

		read_confirmation(file, sfab_alive_path(c->fabrics.n ? NULL : c->alive,
							path_of(c, i), path, sizeof(path)),
				  trust);
		/* A time in the future means a wrong clock and counts as now. */
		time = file->confirmation.time < (uint64_t) now_s ?
			       (int64_t) file->confirmation.time : now_s;
		if (file->confirmation.fingerprint == file->fingerprint &&
		    time > file->confirmed_s)
			file->confirmed_s = time;
		if (file->confirmed_s > now_s)
			file->confirmed_s = now_s;
		if (file->confirmed_s < *confirmed_s)
			*confirmed_s = file->confirmed_s;
		if (file->alive_err.code && !rc) {
			*err = file->alive_err;
			rc = -1;
		}
	}
	return rc;
}
