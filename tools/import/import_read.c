/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import_read.c - files of planes to a fabric; see import.h */

#include "tools/import/import.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/fabric/builder.h"
#include "io/readers/reader.h"
#include "tools/ui/say.h"

#define SKIPPED_NAMED 4		/* files of folders in a warning */
#define LARGE_INPUT (32 << 20)	/* bytes; less is read in a moment */

struct noting {
	struct report *report;
	struct import_plane *plane;
};

/* A folder has files for others too: one warning for all of them. */
static void note_file_warning(void *ctx, uint32_t file, int left_out,
			      const char *text)
{
	struct noting *n = ctx;
	struct import_plane *p = n->plane;
	char *path = p->file[file];

	if (!left_out || !p->in_folder[file])
		report_warning(n->report, "%s: %s", path, text);
	else if (p->nskipped++ < SKIPPED_NAMED)
		need_joined(&p->skipped, ", ", "%s", path);
	if (!left_out)
		return;
	free(path);
	p->file[file] = NULL;
}

/* Files that were left out are not named in the snapshot's source. */
static int read_planes(struct import_planes *planes, struct sfab_builder *b,
		       const struct sfab_namemap *map, struct report *r,
		       struct sfab_err *err)
{
	for (uint32_t i = 0; i < planes->n; i++) {
		struct import_plane *p = &planes->plane[i];
		struct noting noting = { r, p };
		const struct sfab_import_notes notes = {note_file_warning,
							&noting};
		int plane = sfab_builder_plane(b, p->name, err), rc;
		uint32_t kept = 0;

		if (plane < 0)
			return -1;
		rc = sfab_import(b, (uint32_t) plane, (const char *const *) p->file,
				 p->nfiles, map, &notes, err);
		for (uint32_t k = 0; k < p->nfiles; k++)
			if (p->file[k])
				p->file[kept++] = p->file[k];
		p->nfiles = kept;
		if (p->nskipped > SKIPPED_NAMED)
			need_joined(&p->skipped, "", " and %u more",
				    p->nskipped - SKIPPED_NAMED);
		if (p->nskipped)
			report_warning(r, "skipped, empty or of unknown format: %s",
				       p->skipped);
		if (rc != 0)
			return -1;
		if (*p->engine)		/* has priority over a log */
			sfab_builder_engine(b, (uint32_t) plane, p->engine);
	}
	return 0;
}

/*
 * The files that were read.  Dumps say no time themselves, so the time of the snapshot is
 * that of its newest file.
 */
static void set_source(struct sfab_builder *b, const struct import_planes *planes)
{
	char *source = need_copy("");
	uint64_t time = 0;

	for (uint32_t i = 0; i < planes->n; i++)
		for (uint32_t k = 0; k < planes->plane[i].nfiles; k++) {
			const char *file = planes->plane[i].file[k];
			struct stat st;

			need_joined(&source, " ", "%s", basename(file));
			if (stat(file, &st) == 0 && (uint64_t) st.st_mtime > time)
				time = (uint64_t) st.st_mtime;
		}
	sfab_builder_source(b, source);
	sfab_builder_time(b, time);
	free(source);
}

struct sfab_fabric *import_read(struct import_planes *planes, unsigned flags,
				const struct sfab_namemap *map, struct report *r,
				struct sfab_err *err)
{
	struct sfab_builder *b = sfab_builder_create(flags);
	struct sfab_fabric *f = NULL;
	uint64_t bytes = 0;
	struct stat st;

	for (uint32_t i = 0; i < planes->n; i++)
		for (uint32_t k = 0; k < planes->plane[i].nfiles; k++)
			if (stat(planes->plane[i].file[k], &st) == 0)
				bytes += (uint64_t) st.st_size;
	if (bytes >= LARGE_INPUT)
		say_progress("reading %llu MB", (unsigned long long) (bytes >> 20));
	if (!b) {
		sfab_no_memory(err);
	} else if (read_planes(planes, b, map, r, err) == 0) {
		set_source(b, planes);
		f = sfab_builder_freeze(b, err);
	}
	say_progress_done();
	if (f && sfab_builder_forgotten(b))
		report_warning(r, "%llu table entries are left out: no port has their LIDs",
			       (unsigned long long) sfab_builder_forgotten(b));
	sfab_builder_destroy(b);
	return f;
}

void import_planes_free(struct import_planes *planes)
{
	for (uint32_t i = 0; i < planes->n; i++) {
		struct import_plane *p = &planes->plane[i];

		for (uint32_t k = 0; k < p->nfiles; k++)
			free(p->file[k]);
		free(p->file);
		free(p->in_folder);
		free(p->skipped);
	}
}
