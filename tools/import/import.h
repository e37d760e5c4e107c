/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * import.h - the parts of `sfabric import`
 *
 * Files are grouped in planes: those before the first --plane (or all) are one plane, those
 * after each --plane NAME another.
 */
#ifndef SFAB_IMPORT_H
#define SFAB_IMPORT_H

#include <stdint.h>

#include "core/err.h"
#include "core/fabric/fabric.h"
#include "core/load/ioset.h"
#include "io/conf/conf.h"
#include "io/namemap.h"
#include "tools/ui/answer.h"

/* -- the files, and the fabric in them (import_read.c) -------------------------- */

#define IMPORT_PLANES_MAX 32

struct import_plane {
	const char *name, *engine;	/* "": none */
	char **file;			/* [nfiles]; import_read() drops those left out */
	uint8_t *in_folder;		/* by file */
	uint32_t nfiles;
	char *skipped;			/* names of files left out of folders; NULL: none */
	uint32_t nskipped;
};

struct import_planes {
	uint32_t n;
	struct import_plane plane[IMPORT_PLANES_MAX];
};

/*
 * Add a file to a plane, or the files in a folder that ibdiagnet, OpenSM or UFM wrote.
 * SFAB_ENOENT: @path cannot be read, or has no such file.  SFAB_EINVAL: several folders below
 * it have such files; *err names them.
 */
int import_plane_add(struct import_plane *p, const char *path, struct sfab_err *err);

/*
 * Read all files into one fabric.  @flags: SFAB_BUILD_*.  @map may be NULL.  A file that is
 * left out is a warning in @r and is removed from @planes.  NULL with *err.
 */
struct sfab_fabric *import_read(struct import_planes *planes, unsigned flags,
				const struct sfab_namemap *map, struct reply *r,
				struct sfab_err *err);

/* Free the lists of files, not @planes itself. */
void import_planes_free(struct import_planes *planes);

/* -- IO sets (import_io.c) ------------------------------------------------------ */

struct import_io {		/* --io */
	const char *hosts;	/* hostlist; NULL: the sets of sfabric.conf */
	double capacity;	/* bytes/s per host, 0: port rate */
	int holds_writes;	/* 1: servers that are full delay writes (held), 0: paced */
};

/*
 * Make the IO sets of --io or of the conf.  Servers that are not in the fabric, or have no
 * cable, are left out with a warning.  NULL with *err if a set has none left.
 */
struct sfab_iosets *import_iosets(const struct import_io *o, const struct sfab_conf *conf,
				  const struct sfab_fabric *f, struct reply *r,
				  struct sfab_err *err);

/* -- cables without tables (import_route.c) ------------------------------------- */

/*
 * Return the fabric @f, which is consumed, with the tables that the real OpenSM computes for it
 * on a simulated fabric (tools/opensm/reroute.h).  @engines: "ftree,updn" tries both in turn,
 * and then min-hop.  LIDs in the files are offered to OpenSM.  Each plane records the engine
 * that was used and those requested.  If one gives up, @reply has OpenSM's reason.  NULL with
 * *err.
 */
struct sfab_fabric *import_route_take(struct sfab_fabric *f, const char *engines,
				      struct reply *reply, struct sfab_err *err);

/*
 * Suggest in *err, after a failed import, the command that computes tables, if none of the
 * files contains any.  @snapshot is the file that was to be written.
 */
void import_route_offer(const char *const *files, uint32_t n,
			const char *snapshot, struct sfab_err *err);

/* -- counters (import_counters.c) ----------------------------------------------- */

/*
 * Write to @path what the files count for the ports of @f.  Rates are the differences to the
 * counters that @path held before.  Warn about ports without a link, ports that were reset, and
 * ports that are no longer in the files.
 */
int import_counters(const char *path, const struct import_planes *planes,
		    const struct sfab_fabric *f, struct answer *a, struct sfab_err *err);

#endif
