/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * collector.c - sweep the subnets, write the results; see collector.h
 *
 * A sweep reads topology and tables and writes fabric.snap and fabric.alive.  Then it reads the
 * counters and writes counters.snap, which is therefore the last file.
 */

#include "tools/collect/collector.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "io/clock.h"
#include "io/conf/conf_guess.h"
#include "io/snapshot/alive.h"
#include "tools/ui/say.h"
#include "tools/ui/xalloc.h"

#define MODE 0644	/* slurmctld may run as another user */

struct collector {
	const struct collect_options *o;
	const struct sfab_conf *conf;
	struct sfab_namemap *map;
	struct sfab_wire *wire[COLLECT_PLANES];
	struct sfab_counters *counters;	/* of the last sweep */
	struct sfab_snapshot *snap;	/* of the last sweep, or the file's */
	struct collect_paths path;
};

static void set_path(char *buf, const char *folder, const char *name, const char *conf_path)
{
	if (folder)
		snprintf(buf, PATH_MAX, "%s/%s", folder, name);
	else
		snprintf(buf, PATH_MAX, "%s", conf_path);
}

void collect_paths_find(struct collect_paths *p, const char *folder,
			const struct sfab_conf *conf)
{
	set_path(p->snapshot, folder, "fabric.snap", conf->snapshot);
	set_path(p->counters, folder, SFAB_COUNTERS_NAME, conf->counters);
	sfab_alive_path(folder ? NULL : conf->alive, p->snapshot, p->alive, PATH_MAX);
}

/*
 * Read a hexadecimal number.  It is never printed: whoever has the M_Key can reconfigure the
 * subnet.
 */
static int read_m_key_file(const char *path, uint64_t *key, struct sfab_err *err)
{
	FILE *file = fopen(path, "r");
	struct stat st;
	int n;

	if (!file || fstat(fileno(file), &st) < 0) {
		n = errno;
		if (file)
			fclose(file);
		return sfab_fail(err, SFAB_EIO, "%s: %s", path, strerror(n));
	}
	n = st.st_mode & (S_IRWXG | S_IRWXO) ? -1 :
	    fscanf(file, " 0x%16" SCNx64 " ", key) == 1 && getc(file) == EOF && *key;
	fclose(file);
	if (n < 0)
		return sfab_fail(err, SFAB_EIO, "%s: group or others may use it (expected "
				 "mode 0600)", path);
	return n ? 0 : sfab_fail(err, SFAB_EFORMAT, "%s: no M_Key (expected 0x and 1 to 16 "
				 "digits, not 0)", path);
}

struct collector *collector_open(const struct collect_options *o,
				 const struct sfab_conf *conf,
				 struct sfab_err *err)
{
	struct collector *c = xcalloc(1, sizeof(*c));
	const char *map = o->name_map ? o->name_map : conf->node_name_map;
	struct sfab_err stale = { 0 };
	uint64_t m_key = 0;
	int rc = 0;

	c->o = o;
	c->conf = conf;
	collect_paths_find(&c->path, o->folder, conf);
	if (o->m_key_file)
		rc = read_m_key_file(o->m_key_file, &m_key, err);
	/* No map is fine: names are then those of node descriptions. */
	if (rc == 0 && map && *map) {
		c->map = sfab_namemap_load(map, err);
		rc = c->map ? 0 : -1;
	}
	for (uint32_t i = 0; i < o->nplanes && rc == 0; i++) {
		struct sfab_wire_options wire = o->wire[i];

		wire.mkey = m_key;
		c->wire[i] = sfab_wire_open(&wire, err);
		rc = c->wire[i] ? 0 : -1;
	}
	if (rc != 0) {
		collector_close(c);
		return NULL;
	}
	/* If two nodes claim one name, the node that had it in the last snapshot keeps it. */
	c->snap = sfab_snapshot_load(c->path.snapshot, NULL, NULL);
	/* Rates continue from the last file; a bad one is no reason to stop. */
	c->counters = sfab_counters_load(c->path.counters, NULL, &stale);
	if (!c->counters && stale.code != SFAB_ENOENT)
		say("%s (rates start over)", stale.text);
	return c;
}

void collector_close(struct collector *c)
{
	if (!c)
		return;
	for (uint32_t i = 0; i < c->o->nplanes; i++)
		sfab_wire_close(c->wire[i]);
	sfab_counters_destroy(c->counters);
	sfab_snapshot_destroy(c->snap);
	sfab_namemap_destroy(c->map);
	free(c);
}

char *collector_lacks(const struct sfab_sweep *s)
{
	const struct {
		uint32_t n;
		const char *what;
	} lack[] = {
		{ s->tableless, "switches without a complete table" },
		{ s->silent, "cabled ports whose other end does not answer" },
		{ s->missed, "ports that did not report counters" },
		{ s->io_missing, "hosts of IO sets that are missing" },
		{ s->stuck, "ports with XmitWait at its maximum" },
	};
	char *text = xstrdup("");

	for (size_t i = 0; i < sizeof(lack) / sizeof(lack[0]); i++)
		if (lack[i].n)
			xjoin(&text, ", ", "%u %s", lack[i].n, lack[i].what);
	return text;
}

/*
 * Build the fabric of what answered.  The builder accepts partial input, and the caller decides
 * whether to write it.  If one plane does not answer, nothing is written: half a machine is no
 * snapshot.
 */
static struct sfab_fabric *build_swept_fabric(struct collector *c,
					      struct sfab_sweep *s,
					      struct sfab_err *err)
{
	struct sfab_builder *b = xnonnull(sfab_builder_create(SFAB_BUILD_PARTIAL));
	struct sfab_fabric *f = NULL;
	int rc = 0;

	sfab_builder_forget_unknown(b);
	sfab_builder_set_past(b, c->snap ? c->snap->fabric : NULL);
	for (uint32_t i = 0; rc >= 0 && i < c->o->nplanes; i++) {
		const char *ca = c->o->wire[i].ca;
		int plane = sfab_builder_add_plane(b, ca ? ca : "", err);

		if (plane >= 0 && *c->o->engine)
			sfab_builder_set_engine(b, (uint32_t) plane, c->o->engine);
		rc = plane < 0 ? -1 : sfab_collect_fabric(c->wire[i], b, (uint32_t) plane, c->map,
							  s, err);
	}
	if (rc >= 0) {
		char *lacks = collector_lacks(s);
		char *text = xstrfmt("collect%s%s", s->tableless || s->silent ?
				     ", partial: " : "", s->tableless || s->silent ?
				     lacks : "");

		sfab_builder_set_source(b, text);
		sfab_builder_set_time(b, (uint64_t) time(NULL));
		free(lacks);
		free(text);
		f = sfab_builder_freeze(b, err);
	}
	sfab_builder_destroy(b);
	return f;
}

/*
 * Write the snapshot, then fabric.alive, which must not confirm one that does not exist yet.
 * Both replace the old file by rename, so readers see the old or the new one.
 */
static int write_fabric(const struct collector *c, struct sfab_err *err)
{
	struct sfab_alive alive = {
		.fingerprint = c->snap->fingerprint,
		.sm_guid = c->snap->fabric->planes[0].sm_guid,
		.time = (uint64_t) time(NULL),
	};

	if (sfab_snapshot_save(c->snap, c->path.snapshot, MODE, err) < 0)
		return -1;
	return sfab_alive_save(&alive, c->path.alive, MODE, err);
}

/* Count the MADs (management datagrams) that were sent: what a sweep costs the fabric. */
static uint64_t count_sent_mads(const struct collector *c)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < c->o->nplanes; i++)
		n += sfab_wire_mads(c->wire[i]);
	return n;
}

/*
 * Find the IO sets, with the set "auto".  A server that counters showed once stays in it,
 * because servers are quiet between jobs.
 */
static struct sfab_iosets *find_collected_io(const struct collector *c,
					     const struct sfab_fabric *f,
					     uint32_t *missing, struct sfab_err *err)
{
	uint32_t unknown;
	struct sfab_measured *ms = sfab_conf_finds_io(c->conf) && c->counters ?
				   sfab_counters_measure(c->counters, f, &unknown) : NULL;
	const struct sfab_io_facts facts = {
		.nodes = c->conf->nodes, .rate = ms ? ms->rate : NULL,
		.last_sets = c->snap ? c->snap->iosets : NULL,
		.last_fabric = c->snap ? c->snap->fabric : NULL,
	};
	struct sfab_iosets *io = sfab_conf_iosets(c->conf, f, &facts, missing, err);

	sfab_measured_destroy(ms);
	return io;
}

/*
 * Read topology and tables, and write them; c->snap is then the new one.  The counters come
 * after them, as they take longer, and after a change the new tables should not wait.
 */
static int sweep_subnets(struct collector *c, const volatile sig_atomic_t *stop,
			 struct sfab_sweep *s, struct sfab_err *err)
{
	struct sfab_counters *counters;
	struct sfab_fabric *f = build_swept_fabric(c, s, err);
	struct sfab_iosets *io;

	if (!f)
		return -1;
	sfab_conf_set_adaptive(c->conf, f);
	io = find_collected_io(c, f, &s->io_missing, err);
	if (!io) {
		sfab_fabric_destroy(f);
		return -1;
	}
	sfab_snapshot_destroy(c->snap);
	c->snap = sfab_snapshot_take(f, io, err);
	if (!c->snap)
		return -1;
	if (s->tableless && !c->o->partial)
		return sfab_fail(err, SFAB_EIO, "%u of %u switches did not send "
				 "their complete table: %s is kept (--partial writes "
				 "what was read)", s->tableless, s->switches,
				 c->path.snapshot);
	if (*stop)
		return 0;
	if (write_fabric(c, err) < 0)
		return -1;
	counters = sfab_collect_counters(c->wire, c->o->nplanes, c->counters,
					 c->o->clear_wait, s, err);
	if (!counters)
		return -1;
	counters->half_life_s = c->o->half_life_s;
	/* Rates and shares are smoothed with those of the last sweep. */
	sfab_counters_follow(counters, c->counters, c->o->tick_s);
	sfab_counters_destroy(c->counters);
	c->counters = counters;
	if (*stop)
		return 0;
	return sfab_counters_save(c->counters, c->path.counters, MODE, err);
}

/* After an error @r->snap may be the new snapshot that was not written. */
int collector_sweep(struct collector *c, const volatile sig_atomic_t *stop,
		    struct collect_result *r, struct sfab_err *err)
{
	int64_t begin = sfab_clock_monotonic_ns();
	uint64_t first_mads = count_sent_mads(c);
	int rc;

	memset(r, 0, sizeof(*r));
	rc = sweep_subnets(c, stop, &r->count, err);
	r->snap = c->snap;
	r->path = &c->path;
	r->mads = count_sent_mads(c) - first_mads;
	r->seconds = (double) (sfab_clock_monotonic_ns() - begin) / 1e9;
	return rc;
}
