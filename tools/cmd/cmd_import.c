/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_import.c - `sfabric import FILE... --output SNAP`: dump files to a snapshot
 *
 * Files are grouped in planes: those before the first --plane (or all) are one plane, those
 * after each --plane NAME another.
 */

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/fabric/builder.h"
#include "io/file.h"
#include "tools/cmd/cmd.h"
#include "tools/import/import.h"
#include "tools/site/site.h"
#include "tools/site/warnings.h"
#include "tools/ui/answer.h"

struct import {
	struct options options;		/* output: the snapshot */
	const char *snapshot;		/* the plane comes from there */
	const char *name_map, *nodes, *counters;
	const char *route;		/* engines; NULL: the files have tables */
	int is_partial;
	struct reply *reply;
	struct import_io io;
	double io_gbs;			/* --io-capacity, 0: not given */
	int io_servers;			/* 0: paced, 1: held, -1: not given */
	struct import_planes planes;
};

/* Begin a plane.  One without files yet is renamed instead, so that it does not stay empty. */
static void begin_plane(struct argp_state *state, const struct option_row *o, void *command,
			char *name)
{
	struct import *im = command;
	struct import_plane *p = &im->planes.plane[im->planes.n - 1];

	if (p->nfiles || *p->name) {
		if (im->planes.n == IMPORT_PLANES_MAX)
			argp_error(state, "more than %d planes", IMPORT_PLANES_MAX);
		p = &im->planes.plane[im->planes.n++];
	}
	p->name = name;
	p->engine = p->engine ? p->engine : "";
}

static void take_plane_engine(struct argp_state *state, const struct option_row *o, void *command,
			      char *name)
{
	struct import *im = command;

	options_keep_engines(state, o, &im->planes.plane[im->planes.n - 1].engine, name);
}

static const struct option_row rows[] = {
	{ "output", "SNAP", 1, "Snapshot to write; '-' is standard output", KEEP_TEXT,
	  .offset = offsetof(struct import, snapshot) },
	{ "io", "HOSTLIST", 1, "IO hosts, one set that every node uses (default: IoSet of "
	  "sfabric.conf)", KEEP_TEXT, .offset = offsetof(struct import, io.hosts) },
	{ "io-capacity", "GBS", 1, "GB/s of the server behind each IO host (default: its ports' "
	  "rate)", KEEP_NUMBER, .offset = offsetof(struct import, io_gbs), 1e-3, 1e6 },
	{ "io-servers", "paced|held", 1, "What servers do when asked to write more than they "
	  "can (default: paced)", KEEP_CHOICE, .offset = offsetof(struct import, io_servers), 0, 0,
	  "paced|held" },
	{ "node-name-map", "FILE", 1, "Node-name map of infiniband-diags (default: NodeNameMap "
	  "of sfabric.conf)", KEEP_TEXT, .offset = offsetof(struct import, name_map) },
	{ "conf", "FILE", 1, "Use this sfabric.conf (default: the one beside slurm.conf)",
	  KEEP_TEXT, .offset = offsetof(struct import, options.conf) },
	{ "plane", "NAME", 1, "The files that follow belong to another subnet, called NAME",
	  KEEP_CALL, .call = begin_plane },
	{ "engine", "NAME", 1, "Routing engine that made the tables of this plane (OpenSM's log "
	  "says which was really used)", KEEP_CALL, .call = take_plane_engine },
	{ "route", "ENGINE,...", 1, "For files without tables: let the real OpenSM route the "
	  "cables on ibsim, with the first of these engines that can", KEEP_CALL,
	  .offset = offsetof(struct import, route), .call = options_keep_engines },
	{ "counters", "FILE", 1, "Write the counters among the files as counters.snap; an "
	  "existing file is the earlier sample", KEEP_TEXT,
	  .offset = offsetof(struct import, counters) },
	{ "snapshot", "SNAP", 1, "Import only counters, for the fabric of this snapshot",
	  KEEP_TEXT, .offset = offsetof(struct import, options.snapshot) },
	{ "partial", NULL, 1, "Accept switches without a forwarding table; nothing is routed "
	  "through them", KEEP_YES, .offset = offsetof(struct import, is_partial) },
	{ "nodes", "HOSTLIST", 1, "Slurm's nodes: warn about nodes that are not on the fabric, "
	  "and about hosts that are neither node nor IO", KEEP_TEXT,
	  .offset = offsetof(struct import, nodes) },
	{ "json", NULL, 1, "Print what was written in JSON", KEEP_YES,
	  .offset = offsetof(struct import, options.json) },
	{ 0 }
};

static const struct option_group groups[] = { { options_common, .order = 2 }, { 0 } };

/* Check the options together, when all are known. */
static void check_import_options(const struct import *im, struct argp_state *state)
{
	for (uint32_t i = 0; i < im->planes.n; i++)
		if (!im->planes.plane[i].nfiles)
			argp_error(state, "no files (expected ibnetdiscover and "
				   "OpenSM's dumps; plane '%s' has none)",
				   im->planes.plane[i].name);
	for (uint32_t i = 0; im->route && i < im->planes.n; i++)
		if (*im->planes.plane[i].engine)
			argp_error(state, "--engine describes tables in the files: "
				   "not with --route");
	if (im->options.snapshot && (im->snapshot || !im->counters))
		argp_error(state, "--snapshot is for --counters without "
			   "--output");
	if (!im->snapshot && !im->options.snapshot)
		argp_error(state, "--output SNAP is missing");
	if (im->options.json && im->snapshot && strcmp(im->snapshot, "-") == 0)
		argp_error(state, "--json and --output - both write to standard "
			   "output");
	if (im->io_gbs > 0 && !im->io.hosts)
		argp_error(state, "--io-capacity is for --io");
	if (im->io_servers >= 0 && !im->io.hosts)
		argp_error(state, "--io-servers is for --io");
}

static error_t parse_import_option(int key, char *arg, struct argp_state *state)
{
	struct import *im = state->input;
	struct sfab_err err = { 0 };

	switch (key) {
	case ARGP_KEY_ARG:
		if (import_plane_add(&im->planes.plane[im->planes.n - 1], arg, &err) != 0)
			argp_error(state, "%s", err.text);
		return 0;
	case ARGP_KEY_END:
		im->io.capacity = SFAB_GB * im->io_gbs;
		im->io.holds_writes = im->io_servers > 0;
		check_import_options(im, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct command_line usage = {
	.options = rows, .groups = groups, .common = offsetof(struct import, options),
	.parse = parse_import_option, .args = "FILE...", .flags = ARGP_IN_ORDER,
	.doc = "Read the files of a fabric and write a snapshot of it.\vFormats are detected: "
	       "ibnetdiscover, dump files of OpenSM, dump_fts, ibroute, ibdiagnet, opareport, "
	       "descriptions of static routes; plain or gzipped; the man page lists them. A "
	       "fabric needs its links and its tables.",
};

/*
 * Make the IO sets of @f; with --route in the fabric that OpenSM made of it, which takes its
 * place.  Names of IO hosts that no cable has are reported before OpenSM takes its time, and
 * not again.
 */
static struct sfab_iosets *make_iosets(const struct import *im, const struct sfab_conf *conf,
				       struct sfab_fabric **f, struct sfab_err *err)
{
	struct sfab_iosets *io = import_iosets(&im->io, conf, *f, im->reply, err);
	struct reply quiet;

	if (!io || !im->route)
		return io;
	sfab_iosets_destroy(io);
	*f = import_route_take(*f, im->route, im->reply, err);
	if (!*f)
		return NULL;
	sfab_conf_set_adaptive(conf, *f);
	reply_init(&quiet, "import");
	quiet.is_quiet = 1;
	io = import_iosets(&im->io, conf, *f, &quiet, err);
	reply_free(&quiet);
	return io;
}

/* Make a snapshot of the fabric and its IO sets; NULL with *err. */
static struct sfab_snapshot *make_import_snapshot(struct import *im,
						  const struct sfab_conf *conf,
						  struct sfab_err *err)
{
	const char *path = im->name_map ? im->name_map : conf->node_name_map;
	struct sfab_namemap *map = NULL;
	struct sfab_fabric *f;
	struct sfab_iosets *io;

	if (path && *path) {
		map = sfab_namemap_load(path, err);
		if (!map)
			return NULL;
	}
	/* With --route cables are enough: tables come from the simulated OpenSM. */
	f = import_read(&im->planes, im->route ? SFAB_BUILD_UNROUTED :
			im->is_partial ? SFAB_BUILD_PARTIAL : SFAB_BUILD_STRICT,
			map, im->reply, err);
	sfab_namemap_destroy(map);
	if (!f)
		return NULL;
	sfab_conf_set_adaptive(conf, f);
	io = make_iosets(im, conf, &f, err);
	if (!io) {
		sfab_fabric_destroy(f);
		return NULL;
	}
	return sfab_snapshot_take(f, io, err);
}

static int write_import_snapshot(const char *path, const struct sfab_snapshot *s, FILE *out,
				 struct sfab_err *err)
{
	uint8_t *bytes;
	size_t size;

	if (strcmp(path, "-") != 0)
		return sfab_snapshot_save(s, path, SFAB_FILE_USUAL_MODE, err);
	if (sfab_snapshot_encode(s, &bytes, &size, err) != 0)
		return -1;
	fwrite(bytes, 1, size, out);	/* answer_run() sees whether it failed */
	free(bytes);
	return 0;
}

/* Report what was written, as text or JSON, and warn if there is no IO set. */
static void report_import(const struct import *im, const struct sfab_snapshot *s,
			  struct answer *a)
{
	const struct sfab_fabric *f = s->fabric;
	struct json_object *data = a->reply.data;
	uint32_t sets = s->iosets ? s->iosets->nsets : 0;

	reply_snapshot(&a->reply, s);
	json_add(data, "snapshot", json_name(im->snapshot));
	json_add(data, "planes", json_object_new_uint64(f->nplanes));
	json_add(data, "switches", json_object_new_uint64(f->nswitches));
	json_add(data, "hosts", json_object_new_uint64(f->nhosts));
	json_add(data, "ports", json_object_new_uint64(f->nports));
	json_add(data, "links", json_object_new_uint64(f->nlinks));
	json_add(data, "io_sets", json_object_new_uint64(sets));
	if (!a->options->json && strcmp(im->snapshot, "-") != 0)
		fprintf(a->out.file, "%s: %u switches, %u hosts, %u links, "
			"%u IO sets\n", im->snapshot, f->nswitches, f->nhosts,
			f->nlinks, sets);
	if (!sets)
		reply_warning(&a->reply, "no IO set: io-write and io-read cannot "
			      "be used (--io HOSTLIST, or IoSet in sfabric.conf)");
}

/*
 * Make or load a snapshot, then write the counters, which refer to it, and last the snapshot
 * itself.  Warnings about the fabric come after it was written.
 */
static int run_import(void *ctx, struct answer *a, struct sfab_err *err)
{
	struct import *im = ctx;
	struct sfab_conf *conf;
	struct sfab_snapshot *s;
	int rc;

	im->reply = &a->reply;
	conf = site_conf(&im->options, err);
	s = !conf ? NULL :
	    im->options.snapshot ? sfab_snapshot_load(im->options.snapshot, NULL, err) :
				   make_import_snapshot(im, conf, err);
	rc = s ? 0 : -1;
	/* A first try with cables alone must not be a dead end. */
	if (conf && !s && im->planes.n == 1 && im->snapshot && !im->route)
		import_route_offer((const char *const *) im->planes.plane[0].file,
				   im->planes.plane[0].nfiles, im->snapshot, err);
	if (rc == 0 && im->counters)
		rc = import_counters(im->counters, &im->planes, s->fabric, a, err);
	if (rc == 0 && im->snapshot) {
		rc = write_import_snapshot(im->snapshot, s, a->out.file, err);
		if (rc == 0) {
			report_import(im, s, a);
			warnings_of_fabric(&a->reply, s->fabric);
			warnings_of_iosets(&a->reply, s->fabric, s->iosets);
			if (!im->io.hosts)
				warnings_of_counted_io(&a->reply, conf, s->fabric, s->iosets,
						       im->counters);
			if (im->nodes)
				rc = warnings_of_nodes(&a->reply, s->fabric, s->iosets, im->nodes,
						       err);
		}
	}
	sfab_snapshot_destroy(s);
	sfab_conf_destroy(conf);
	return rc;
}

int cmd_import(int argc, char **argv)
{
	struct import im = {
		.io_servers = -1,
		.planes = { .n = 1, .plane[0] = { .name = "", .engine = "" } },
	};
	int status;

	options_parse(&usage, argc, argv, &im);
	status = answer_run("import", &im.options, run_import, &im);
	import_planes_free(&im.planes);
	return status;
}
