/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot.c - snapshots as objects and as files; see snapshot.h
 *
 * A snapshot owns a fabric and its IO sets.  Its fingerprint is that of the bytes, so two
 * programs that read the same fabric agree about it; that is why taking a fabric encodes it
 * once, even if nothing is written.
 */

#include "io/snapshot/snapshot.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sfab_snapshot_destroy(struct sfab_snapshot *s)
{
	if (!s)
		return;
	sfab_iosets_destroy(s->iosets);
	sfab_fabric_destroy(s->fabric);
	free(s);
}

struct sfab_snapshot *sfab_snapshot_take(struct sfab_fabric *f,
					 struct sfab_iosets *io,
					 struct sfab_err *err)
{
	struct sfab_snapshot *s = calloc(1, sizeof(*s));

	if (!s) {
		sfab_iosets_destroy(io);
		sfab_fabric_destroy(f);
		sfab_no_memory(err);
		return NULL;
	}
	s->fabric = f;
	s->iosets = io;
	if (sfab_snapshot_hash(f, io, &s->fingerprint, err) < 0) {
		sfab_snapshot_destroy(s);
		return NULL;
	}
	return s;
}

int sfab_snapshot_save(const struct sfab_snapshot *s, const char *path,
		       unsigned mode, struct sfab_err *err)
{
	return sfab_file_encode(path, mode, sfab_snapshot_encode, s, err);
}

static void packing_path(const char *snapshot, char *buf)
{
	snprintf(buf, PATH_MAX, "%s.packing", snapshot);
}

/* Ignore a file of the packing that is missing, too long or not trusted. */
struct sfab_snapshot *sfab_snapshot_load(const char *path,
					 const struct sfab_trust *trust,
					 struct sfab_err *err)
{
	struct sfab_snapshot *s = sfab_file_decode(path, trust, sfab_snapshot_size,
						   sfab_snapshot_decode, err);
	struct sfab_trust small = trust ? *trust : (struct sfab_trust){ 0 };
	char packing[PATH_MAX];
	uint8_t *buf;
	size_t size;

	if (!s)
		return NULL;
	small.max_size = sizeof(s->packing) - 1;
	packing_path(path, packing);
	if (sfab_file_read(packing, &small, &buf, &size, NULL) < 0)
		return s;
	memcpy(s->packing, buf, size);
	free(buf);
	return s;
}

int sfab_snapshot_keep_packing(const char *snapshot, const char *text, struct sfab_err *err)
{
	char path[PATH_MAX];

	packing_path(snapshot, path);
	return sfab_file_write(path, text, strlen(text), 0644, err);
}
