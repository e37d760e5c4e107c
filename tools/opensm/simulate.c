/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * simulate.c - the real OpenSM on a simulated fabric; see simulate.h
 *
 *     folder/net          the netlist       --> ibsim
 *     folder/guid2lid     the LIDs of now  \
 *     folder/opensm.conf  options           --> opensm -o
 *     folder/osm.log, ibsim.out         --> readers
 */

#include "tools/opensm/simulate.h"

#include <glob.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "io/readers/formats.h"
#include "tools/opensm/daemon.h"
#include "tools/ui/output.h"
#include "tools/ui/say.h"
#include "tools/ui/xalloc.h"

#define SECONDS_MAX 660	/* generous, for a loaded machine: what takes longer hangs */
#define AT_ONCE_MAX 8		/* an OpenSM takes up to 1 GB of memory */

/* One run: a plane of one plan.  All zero: the slot is free. */
struct sim_slot {
	struct simulation *sim;
	char *folder;
	struct daemon ibsim, opensm;
};

/* Write the netlist, all at one speed: the fabric that is read back has its own speeds again. */
static void write_net(const struct simulation *sim, FILE *out)
{
	cabling_plan_netlist(&sim->rerouting->plan, sim->plane, NETLIST_GUIDS, "QDR", out);
}

/* Does OpenSM keep this LID?  It replaces those that InfiniBand does not have (Omni-Path). */
static int has_opensm_lid(uint32_t lid, unsigned lmc)
{
	return lid && lid + (1u << lmc) <= SFAB_IB_LID_MAX + 1u;
}

/*
 * Write lines "0xGUID 0xFIRST 0xLAST".  OpenSM keeps these LIDs where they do not collide, as a
 * real one does after a restart.
 */
static void write_lids(const struct simulation *sim, FILE *out)
{
	const struct sfab_fabric *f = sim->rerouting->plan.f;

	for (uint32_t i = 0; i < f->nswitches; i++) {
		const struct sfab_switch *sw = &f->switches[i];

		if (sw->plane == sim->plane && has_opensm_lid(sw->lid, 0))
			fprintf(out, "0x%016" PRIx64 " 0x%04x 0x%04x\n", sw->guid, sw->lid,
				sw->lid);
	}
	for (uint32_t i = 0; i < f->nports; i++) {
		const struct sfab_port *port = &f->ports[i];

		if (port->plane == sim->plane && has_opensm_lid(port->lid, port->lmc))
			fprintf(out, "0x%016" PRIx64 " 0x%04x 0x%04x\n",
				cabling_plan_port_guid(port),
				port->lid, port->lid + (1u << port->lmc) - 1);
	}
}

/*
 * Write OpenSM's options in the order of their precedence: it takes the last of equal keys.
 * The LMC is the largest of any port, since OpenSM has one for the whole fabric.
 */
static void write_opensm_conf(const struct simulation *sim, FILE *out)
{
	const struct sfab_fabric *f = sim->rerouting->plan.f;
	const struct sfab_plane *pl = &f->planes[sim->plane];
	const struct changes *lists[] = { sim->rerouting->request->base, sim->rerouting->changes };
	const char *engine = *pl->asked ? pl->asked : pl->engine;
	unsigned lmc = 0;

	for (uint32_t k = 0; k < f->nports; k++)
		if (f->ports[k].plane == sim->plane && f->ports[k].lmc > lmc)
			lmc = f->ports[k].lmc;
	fprintf(out, "force_log_flush TRUE\nlmc %u\n", lmc);
	if (*engine && sfab_plane_engines_are_names(engine))
		fprintf(out, "routing_engine %s\n", engine);
	for (int i = 0; i < 2; i++) {
		char *lines = changes_conf(lists[i], "\n", "io.guids");

		fprintf(out, "%s\n", lines);
		free(lines);
	}
}

/* Write the ports that serve IO: one GUID per line. */
static void write_io_guids(const struct simulation *sim, FILE *out)
{
	const struct sfab_iosets *io = sim->rerouting->request->io;

	for (uint32_t i = 0; io && i < io->nioports; i++)
		fprintf(out, "0x%016" PRIx64 "\n",
			cabling_plan_port_guid(&sim->rerouting->plan.f->ports[io->ioport[i]]));
}

/* Write the files of the folder that the two programs read; see the head of this file. */
static int write_folder_files(const struct sim_slot *s, struct sfab_err *err)
{
	static const struct {
		const char *name;
		void (*write)(const struct simulation *sim, FILE *out);
	} files[] = {
		{ "net", write_net }, { "guid2lid", write_lids }, { "io.guids", write_io_guids },
		{ "opensm.conf", write_opensm_conf },
	};
	int rc = 0;

	for (int i = 0; rc == 0 && i < 4; i++) {
		char *path = xstrfmt("%s/%s", s->folder, files[i].name);
		struct output o;

		rc = output_open(&o, path, err);
		if (rc == 0) {
			files[i].write(s->sim, o.file);
			rc = output_close(&o, err);
		}
		free(path);
	}
	return rc;
}

/*
 * ibsim allocates tables of fixed size at start.  -N (nodes), -S (switches) and -P (ports) are
 * upper bounds with some to spare: switches have at most 256 ports, adapters four.  -L, the
 * size of a forwarding table, is 49151 (0xBFFF), the last unicast LID.
 */
#define IBSIM "exec env IBSIM_SOCKNAME=%s ibsim -s -N %u -S %u -P %" PRIu64 " -L 49151 -M 1024 net"

/*
 * ibsim prints "ready" before its socket exists.  Abstract sockets are listed in
 * /proc/net/unix, with "@" for the leading NUL.
 *
 * All of OpenSM's files go to the private folder.  Without the flag 0x40 of -D it dumps no
 * tables, which would take it longer than routing: ibsim has them.  -n is how many of its
 * queries may be under way at once.
 */
#define OPENSM "until grep -q @%s:ctl /proc/net/unix; do sleep 0.02; done\n" \
	"export IBSIM_SOCKNAME=%s SIM_HOST=H-%016" PRIx64 " OSM_TMP_DIR=\"$PWD\" " \
	"OSM_CACHE_DIR=\"$PWD\"\n" \
	"exec env LD_PRELOAD=%s opensm -o -F opensm.conf -P partitions.conf -f osm.log " \
	"--dump_files_dir \"$PWD\" -D 0x03 -n 64 </dev/null"

/* A star stands for the folder of the architecture, as x86_64-linux-gnu on Debian. */
#define UMAD "/usr/{lib/*,lib64,lib,local/lib}/umad2sim/libumad2sim.so"

/* Start ibsim and OpenSM, which runs on end port @port. */
static int start_programs(struct sim_slot *s, const struct sfab_port *port, struct sfab_err *err)
{
	const struct sfab_fabric *f = s->sim->rerouting->plan.f;
	char *socket, *ibsim, *opensm;
	glob_t umad;
	int rc = -1;

	if (glob(UMAD, GLOB_BRACE, NULL, &umad) != 0)
		return sfab_fail(err, SFAB_ENOENT, "libumad2sim.so is not "
				 "installed (it comes with ibsim; Debian: "
				 "ibsim-utils)");
	/*
	 * The six random letters of the folder make the name unique for this run, so that
	 * several can run at once.
	 */
	socket = xstrfmt("sfabric-%ld-%s", (long) getpid(), s->folder + strlen(s->folder) - 6);
	ibsim = xstrfmt(IBSIM, socket, f->nports + f->nswitches + 16, f->nswitches + 16,
			UINT64_C(256) * f->nswitches + UINT64_C(4) * f->nports + 64);
	opensm = xstrfmt(OPENSM, socket, socket, port->node_guid, umad.gl_pathv[0]);
	if (daemon_start(&s->ibsim, "ibsim", ibsim, s->folder, err) == 0)
		rc = daemon_start(&s->opensm, "opensm", opensm, s->folder, err);
	free(opensm);
	free(ibsim);
	free(socket);
	globfree(&umad);
	return rc;
}

/* Read a file of the folder; "" if it cannot be read.  Caller frees. */
static char *read_folder_file(const struct sim_slot *s, const char *name)
{
	char *path = xstrfmt("%s/%s", s->folder, name), *text;
	size_t size;

	if (sfab_reader_read_text(path, 0, &text, &size, NULL) != 0)
		text = xstrdup("");
	free(path);
	return text;
}

/*
 * Copy to @found the last line of @text with @word, from the word on: what the program said in
 * the end.  "" if there is none.
 */
static void find_last(const char *text, const char *word, char *found, size_t size)
{
	*found = '\0';
	for (; (text = strstr(text, word)); text++)
		snprintf(found, size, "%.*s", (int) strcspn(text, "\n"), text);
}

/*
 * Fail if OpenSM refused an option or an engine, or did not bring the subnet up.  It continues
 * with its defaults when it does not understand an option.
 */
static int check_log(const struct rerouting *r, const char *log, const char *out,
		     struct sfab_err *err)
{
	const struct {
		const char *text, *word, *hint;
	} refused[] = {
		{ out, "Unrecognized token", "" },
		{ out, "-E- ", "" },
		{ log, "cannot find or setup routing engine",
		  " (--base-option routing_engine=NAME names another)" },
	};
	int is_named = changes_engines(r->request->base) || changes_engines(r->changes);
	char found[300];

	/*
	 * A refused option or engine is the user's error, anything else OpenSM's.  "-E-" and
	 * "Unrecognized token" are from OpenSM's parser of options, which warns and goes on.
	 */
	for (int i = 0; i < 3; i++) {
		find_last(refused[i].text, refused[i].word, found, sizeof(found));
		if (*found)
			return sfab_fail(err, SFAB_EINVAL, "opensm: %s%s", found,
					 is_named ? "" : refused[i].hint);
	}
	if (strstr(log, "SUBNET UP"))
		return 0;
	find_last(log, "ERR ", found, sizeof(found));
	return sfab_fail(err, SFAB_EIO, "opensm: the simulated subnet did not "
			 "come up (%s)", found);
}

/*
 * Keep the error before "ucast_mgr_route: ftree: cannot build lid matrices", or that line: the
 * log goes with the folder.  @log is cut into lines.
 */
static void keep_reason(char *log, char *reason, size_t size)
{
	const char *error = NULL;
	char *rest;

	for (char *line = strtok_r(log, "\r\n", &rest); line;
	     line = strtok_r(NULL, "\r\n", &rest)) {
		const char *message = strstr(line, " -> ");
		int is_end = message && strstr(message, "ucast_mgr_route: ") &&
			     strstr(message, ": cannot ");

		if (message && (strstr(message, ": ERR ") || (is_end && !error)))
			error = message + strlen(" -> ");
		if (is_end) {
			snprintf(reason, size, "%s", error);
			return;
		}
	}
}

/* Read what OpenSM logged.  Its log names the engine that was used. */
static int read_opensm_log(const struct sim_slot *s, struct sfab_err *err)
{
	char *log = read_folder_file(s, "osm.log"), *out = read_folder_file(s, "opensm.out");
	struct sfab_reader_ctx ctx = {
		.builder = s->sim->rerouting->b, .plane = s->sim->plane, .file = "osm.log",
	};
	struct sfab_scan scan;
	int rc = check_log(s->sim->rerouting, log, out, err);

	if (rc == 0) {
		sfab_scan_init(&scan, ctx.file, log, strlen(log));
		rc = sfab_opensm_log_read(&ctx, &scan, err);
		keep_reason(log, s->sim->gave_up, sizeof(s->sim->gave_up));
	}
	free(log);
	free(out);
	return rc;
}

/* Start a run.  After a failure end_simulation() frees what was made. */
static int start_simulation(struct sim_slot *s, struct sfab_err *err)
{
	const struct cabling_plan *p = &s->sim->rerouting->plan;
	uint32_t port = cabling_plan_sm_port(p, s->sim->plane);

	if (port == SFAB_NONE)
		return sfab_fail(err, SFAB_EINVAL, "no host has a cable that works: "
				 "there is nowhere to run OpenSM");
	s->folder = daemon_folder_make(err);
	if (!s->folder || write_folder_files(s, err) != 0)
		return -1;
	return start_programs(s, &p->f->ports[port], err);
}

static void end_simulation(struct sim_slot *s)
{
	daemon_end(&s->opensm);
	daemon_end(&s->ibsim);
	daemon_folder_remove(s->folder);
	memset(s, 0, sizeof(*s));
}

/*
 * Advance one run.  1: routed and read.  0: not yet.  The two programs take turns: ibsim gets
 * ready, OpenSM routes and ends, ibsim prints the tables and ends.
 */
static int poll_simulation(struct sim_slot *s, struct sfab_err *err)
{
	int rc = s->opensm.pid ? daemon_poll(&s->opensm, SECONDS_MAX, err) : 0;
	char *path, *log;

	/* OpenSM has a log as soon as it begins, and begins when ibsim is ready. */
	if (rc < 0 && s->opensm.pid) {
		log = read_folder_file(s, "osm.log");
		if (!*log)
			sfab_fail(err, SFAB_EIO, "ibsim: not ready after %u seconds", SECONDS_MAX);
		free(log);
	}
	if (rc > 0)
		rc = read_opensm_log(s, err) != 0 ? -1 :
			daemon_send(&s->ibsim, "Dump\nQuit\n", err);
	if (rc < 0)
		return -1;
	rc = daemon_poll(&s->ibsim, SECONDS_MAX, err);
	if (rc <= 0)
		return rc;
	if (s->opensm.pid)
		return sfab_fail(err, SFAB_EIO, "ibsim: ended before OpenSM");
	path = xstrfmt("%s/ibsim.out", s->folder);
	rc = ibsim_tables_read(s->sim->rerouting->b, s->sim->plane, path, &s->sim->lids, err);
	free(path);
	return rc == 0 ? 1 : -1;
}

/*
 * Start the next run of @list in a slot without one, or poll the run of the slot.  *@remaining
 * counts the runs that are not done.  -1 with *err: the error stops all runs.
 */
static int advance_slot(struct sim_slot *s, struct simulation *list, uint32_t n,
			uint32_t *next, uint32_t *remaining, struct sfab_err *err)
{
	int rc;

	if (!s->sim && *next == n)
		return 0;
	if (!s->sim) {
		s->sim = &list[(*next)++];
		rc = start_simulation(s, &s->sim->err);
	} else {
		rc = poll_simulation(s, &s->sim->err);
	}
	if (rc == 0)
		return 0;
	/* These errors do not depend on the routing engine: try no other. */
	if (rc < 0 && (s->sim->err.code == SFAB_ENOENT ||
		       s->sim->err.code == SFAB_ENOMEM)) {
		*err = s->sim->err;
		return -1;
	}
	end_simulation(s);
	(*remaining)--;
	return 0;
}

uint32_t simulate_at_once(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	if (n < 1)
		return 1;
	return n < AT_ONCE_MAX ? (uint32_t) n : AT_ONCE_MAX;
}

int simulate(struct simulation *list, uint32_t n, struct sfab_err *err)
{
	struct sim_slot slot[AT_ONCE_MAX] = { { .sim = NULL } };
	uint32_t next = 0, remaining = n, slots = simulate_at_once();
	time_t began = time(NULL), last = began;
	int rc = 0;

	daemon_signals_catch();
	while (rc == 0 && remaining) {
		time_t now;

		for (uint32_t i = 0; rc == 0 && i < slots; i++)
			rc = advance_slot(&slot[i], list, n, &next, &remaining, err);
		if (rc == 0 && remaining)
			rc = daemon_pause(err);
		/* Once a second; quick runs show nothing. */
		now = time(NULL);
		if (now == last)
			continue;
		last = now;
		say_progress("OpenSM on ibsim, %u of %u, %ld s", n - remaining, n,
			     (long) (now - began));
	}
	say_progress_done();
	for (uint32_t i = 0; i < slots; i++)
		end_simulation(&slot[i]);
	daemon_signals_restore();
	return rc;
}
