/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_whatif.c - `sfabric whatif`: try a change with the real OpenSM before moving any cable
 *
 * The unchanged fabric is routed too: the base.  Where its tables are those of the snapshot,
 * now and then differ only by the change.  Where they are not, the base is measured as well,
 * and the change is the step from there.
 *
 * The steps: let OpenSM route the fabric as it is and changed (a plan of cables and OpenSM's
 * options) on ibsim, measure both, print the difference.  tools/whatif/ has a file for each.
 * Nothing touches the real fabric.
 */

#include <stddef.h>
#include <string.h>

#include "tools/cmd/cmd.h"
#include "tools/opensm/reroute.h"
#include "tools/site/warnings.h"
#include "tools/whatif/compare.h"
#include "tools/whatif/fidelity.h"
#include "tools/whatif/suggest.h"

#define JOB_NODES 64		/* of the job to predict IO for, by default */

struct whatif {
	struct options options;
	struct changes base, changes;
	int io_guids, io_order;
	const char *snapshot;		/* snapshot to write; NULL: none */
	uint32_t nodes;
	int suggest;			/* search for changes that help IO */
};

static void add_change(struct argp_state *state, const struct option_row *o, void *changes,
		       char *text)
{
	changes_add(changes, o->name, text);
}

static void add_engine(struct argp_state *state, const struct option_row *o, void *changes,
		       char *text)
{
	const char *engines;

	options_keep_engines(state, o, &engines, text);
	changes_add(changes, o->name, engines);
}

/*
 * Add KEY=VALUE.  Refuse a newline or '#' in it, which could add other lines to the opensm.conf
 * that we write.
 */
static void add_option(struct argp_state *state, const struct option_row *o, void *changes,
		       char *text)
{
	const char *equals = strchr(text, '=');

	if (!equals || equals == text || !equals[1] || strpbrk(text, "\n\r\t #") != NULL)
		argp_error(state, "'%s' (expected KEY=VALUE of opensm.conf)", text);
	changes_add(changes, o->name, text);
}

static const struct option_row rows[] = {
	{ "move", "HOST=SWITCH:PORT", 1, "Plug a host in elsewhere; several moves may swap hosts",
	  KEEP_CALL, .offset = offsetof(struct whatif, changes), .call = add_change },
	{ "down", "SWITCH[:PORT]", 1, "A switch, or the cable at this port, is down", KEEP_CALL,
	  .offset = offsetof(struct whatif, changes), .call = add_change },
	{ "engine", "NAME[,...]", 1, "Another routing engine", KEEP_CALL,
	  .offset = offsetof(struct whatif, changes), .call = add_engine },
	{ "opensm-option", "KEY=VALUE", 1, "A line of opensm.conf, such as port_shifting=TRUE",
	  KEEP_CALL,
	  .offset = offsetof(struct whatif, changes), .call = add_option },
	{ "io-guid-file", "auto", 1, "Tell OpenSM the ports of the IO sets", KEEP_CHOICE,
	  .offset = offsetof(struct whatif, io_guids), 1, 0, "auto" },
	{ "io-order", "auto", 1, "Have OpenSM route the ports of the IO sets first "
	  "(guid_routing_order_file)",
	  KEEP_CHOICE, .offset = offsetof(struct whatif, io_order), 1, 0, "auto" },
	{ "suggest", "io", 1, "Search for positions of IO hosts and options of OpenSM that fix "
	  "what audit finds about IO",
	  KEEP_CHOICE, .offset = offsetof(struct whatif, suggest), 1, 0, "io" },
	{ "base-option", "KEY=VALUE", 2, "A line of the opensm.conf in use: applies to both "
	  "routings", KEEP_CALL, .offset = offsetof(struct whatif, base), .call = add_option },
	{ "nodes", "N", 2, "Nodes of the job to predict IO for (64)", KEEP_COUNT,
	  .offset = offsetof(struct whatif, nodes), 1, 1000000, .letter = 'N' },
	{ "output", "SNAP", 2, "Write the changed fabric as a snapshot", KEEP_TEXT,
	  .offset = offsetof(struct whatif, snapshot) },
	{ "json", NULL, 2, "Print JSON", KEEP_YES,
	  .offset = offsetof(struct whatif, options.json) },
	{ 0 }
};

static const struct option_group groups[] = {
	{ options_table, "Table:", .order = 3 },
	{ options_source, "Fabric:", .order = 4 },
	{ options_common, .order = 5 }, { 0 }
};

static error_t parse_whatif_option(int key, char *arg, struct argp_state *state)
{
	struct whatif *w = state->input;

	if (key != ARGP_KEY_END)
		return ARGP_ERR_UNKNOWN;
	if (w->io_guids)
		changes_add(&w->changes, "io-guid-file", "auto");
	if (w->io_order)
		changes_add(&w->changes, "io-order", "auto");
	/* Routing takes seconds to minutes: contradictions are found before. */
	if (w->suggest && (w->changes.n || w->snapshot))
		argp_error(state, "--suggest searches for changes: not with others, and "
			   "--output goes with the command of one that it found");
	if (!w->suggest && !w->changes.n && !w->options.helpformat)
		argp_error(state, "no change (expected --move, --down, --engine, "
			   "--opensm-option, --io-guid-file, --io-order, "
			   "--suggest)");
	return 0;
}

static const struct command_line usage = {
	.options = rows, .groups = groups, .common = offsetof(struct whatif, options),
	.parse = parse_whatif_option, .args = "",
	.doc = "Try a change of cables or routing with the real OpenSM on a simulated fabric, "
	       "or search for one.",
};

/* The fabrics that are routed: as it is, and as it would be. */
struct whatif_trial {
	struct site site;
	struct sfab_fabric *rerouted, *changed;
	int differs;		/* the rerouted one from the snapshot */
	/* of the snapshot, of the changed fabric, and of the rerouted one if it differs */
	struct routing_facts facts[3];
};

/*
 * Route the fabric with and without the changes, each on ibsim by an OpenSM of its own.  Both
 * run at once if there are two processors.  run_whatif() frees what was made.
 */
static int route_both(struct whatif_trial *t, const struct whatif *w,
		      struct sfab_err *err)
{
	const struct site *site = &t->site;
	const struct reroute_request ask = { site->f, site->io, &w->base, "sfabric whatif" };
	struct rerouting both[2] = { { .changes = &changes_none }, { .changes = &w->changes } };

	if (reroute(&ask, both, 2, err) != 0)
		return -1;
	t->rerouted = both[0].f;
	t->changed = both[1].f;
	if (!t->rerouted)
		*err = both[0].err;
	else if (!t->changed)
		*err = both[1].err;
	if (!t->rerouted || !t->changed)
		return -1;
	t->differs = fidelity_count_differing(site->f, t->rerouted) > 0;
	return 0;
}

/*
 * Warn if OpenSM did not take the first engine that was asked for.  A later engine of the
 * user's list is no fallback.  A fallback is what OpenSM takes if all that were asked for fail;
 * its figures are then not what the user wanted to know.
 */
static void warnings_of_change_engine(struct reply *r, const struct sfab_plane *plane)
{
	if (!sfab_plane_fell_back(plane))
		return;
	if (sfab_plane_asked_for(plane))
		reply_warning(r, "the changed fabric is routed by %s, the %s engine of "
			      "%s: those before it gave up", plane->engine,
			      warnings_engine_ordinal(plane), plane->asked);
	else
		reply_warning(r, "OpenSM fell back to %s on the changed fabric "
			      "(asked for %s)", plane->engine, plane->asked);
}

/* Save the changed fabric with the IO sets.  The snapshot takes over both, also if it fails. */
static int save_changed(struct whatif_trial *t, const char *path, struct sfab_err *err)
{
	struct sfab_iosets *io = sfab_iosets_copy(t->changed, t->site.io, err);
	struct sfab_snapshot *s = io ? sfab_snapshot_take(t->changed, io, err) : NULL;
	int rc = s ? sfab_snapshot_save(s, path, SFAB_FILE_USUAL_MODE, err) : -1;

	if (io)
		t->changed = NULL;
	sfab_snapshot_destroy(s);
	return rc;
}

/* Route both fabrics, say how far the simulation can be trusted, and then compare them. */
static int try_change(struct whatif_trial *t, const struct whatif *w, struct answer *a,
		      struct sfab_err *err)
{
	uint32_t lost = 0;
	int rc = route_both(t, w, err);
	const struct sfab_fabric *const f[] = { t->site.f, t->changed, t->rerouted };

	/* Find the same figures of all fabrics. */
	for (int i = 0; rc == 0 && i < 2 + t->differs; i++)
		rc = routing_facts_find(&t->facts[i], f[i], t->site.io, w->nodes, err);
	if (rc != 0)
		return -1;
	fidelity_report(t->site.f, t->rerouted, t->changed, a);
	/* OpenSM gives no LID to a port that it does not reach. */
	for (uint32_t i = 0; i < t->rerouted->nports; i++)
		lost += t->rerouted->ports[i].lid && !t->changed->ports[i].lid;
	if (lost)
		reply_warning(&a->reply, "%u end ports are cut off by the change", lost);
	for (uint32_t i = 0; i < t->changed->nplanes; i++)
		warnings_of_change_engine(&a->reply, &t->changed->planes[i]);
	rc = answer_table(a, "compared",
			  compare_routings(&t->facts[0], t->differs ? &t->facts[2] : NULL,
					   &t->facts[1]), err);
	return rc != 0 || !w->snapshot ? rc : save_changed(t, w->snapshot, err);
}

static int run_whatif(void *ctx, struct answer *a, struct sfab_err *err)
{
	const struct whatif *w = ctx;
	struct whatif_trial t = { .changed = NULL };
	int rc = site_open(&t.site, &w->options, &a->reply, err);

	if (rc == 0)
		rc = w->suggest ? suggest(&t.site, &w->base, w->nodes, a, err) :
				  try_change(&t, w, a, err);
	for (int i = 0; i < 3; i++)
		routing_facts_free(&t.facts[i]);
	sfab_fabric_destroy(t.rerouted);
	sfab_fabric_destroy(t.changed);
	site_close(&t.site);
	return rc;
}

int cmd_whatif(int argc, char **argv)
{
	struct whatif w = { .nodes = JOB_NODES };
	int status;

	options_parse(&usage, argc, argv, &w);
	options_columns(&w.options, w.suggest ? suggest_columns : compare_columns, NULL);
	status = answer_run("whatif", &w.options, run_whatif, &w);
	changes_free(&w.base);
	changes_free(&w.changes);
	return status;
}
