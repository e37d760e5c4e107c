/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_audit.c - `sfabric audit`: what is wrong with the fabric and its routes
 *
 * This file reads the options and opens what they name.  core/audit finds,
 * audit_print.c prints.  What is missing makes the audit smaller, not wrong: without
 * counters it looks at no errors.
 */

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/learn/found.h"
#include "tools/audit/audit_print.h"
#include "tools/audit/opensm_conf.h"
#include "tools/command.h"
#include "tools/site/io_line.h"
#include "tools/site/link_counters.h"
#include "tools/site/site.h"
#include "tools/ui/say.h"

struct audit {
	struct options options;
	const char *engine;
	const char *opensm_conf;
	const char *counters;
	const char *found;
	uint32_t block, io_level;
};

static const struct option_row rows[] = {
	{ "block", "N", 1, "Predict IO for jobs on N neighbors (default: the hosts of a leaf)",
	  KEEP_COUNT, .at = offsetof(struct audit, block), 1, UINT32_MAX },
	{ "engine", "NAME[,...]", 1, "Routing engine that OpenSM is configured to use", KEEP_CALL,
	  .at = offsetof(struct audit, engine), .call = options_keep_engines },
	{ "opensm-conf", "FILE", 1, "The same, from routing_engine in opensm.conf; also whether "
	  "it has lanes", KEEP_TEXT, .at = offsetof(struct audit, opensm_conf) },
	{ "io-sl", "SL", 1, "Service level of IO, with --opensm-conf (0)", KEEP_COUNT,
	  .at = offsetof(struct audit, io_level), 0, 15 },
	{ "counters", "FILE", 1, "Errors and discards (default: Counters of sfabric.conf, if "
	  "the file exists)", KEEP_TEXT, .at = offsetof(struct audit, counters) },
	{ "found", "FILE", 1, "What counters found of running jobs (default: FoundTraffic of "
	  "sfabric.conf, if the file exists)", KEEP_TEXT, .at = offsetof(struct audit, found) },
	{ 0 }
};

static const struct option_group groups[] = { OPTIONS_OF_REPORT, { 0 } };

static error_t parse_audit_option(int key, char *arg, struct argp_state *state)
{
	struct audit *a = state->input;

	if (key == ARGP_KEY_END && a->engine && a->opensm_conf)
		argp_error(state, "--engine or --opensm-conf, not both");
	return ARGP_ERR_UNKNOWN;
}

static const struct command_line usage = {
	.options = rows, .groups = groups, .common = offsetof(struct audit, options),
	.parse = parse_audit_option,
	.doc = "Find what is wrong with a fabric and its routes, and what would help.",
};

/* What was opened for the audit. */
struct opened {
	struct site site;
	struct sfab_model *model;
	struct link_counters counters;
	char *engine;
	struct sfab_lanes lanes;
	struct sfab_audit_ask ask;
};

/*
 * What the user named must exist; that of the conf may be missing, or wrong.  It counts
 * for the snapshot with which it was found out.
 */
static int read_followed(struct opened *o, const struct audit *a, struct report *r,
			 struct sfab_err *err)
{
	const struct sfab_conf *conf = o->site.conf;
	struct sfab_found *found = sfab_found_load(a->found ? a->found : conf->found_traffic,
						   NULL, err);

	if (!found && a->found)
		return -1;
	if (!found && err->code != SFAB_ENOENT)
		report_warning(r, "%s", err->text);
	if (found && o->site.snapshot && found->fingerprint == o->site.snapshot->fingerprint) {
		o->ask.followed_known = found->followed >= 0;
		o->ask.followed = found->followed;
	}
	o->ask.followed_least = conf->min_followed / 100.0;
	sfab_found_destroy(found);
	return 0;
}

/*
 * Opens what the options name. run_audit() closes everything, also after a failure.
 */
static int open_all(struct opened *o, const struct audit *a, struct report *r,
		    struct sfab_err *err)
{
	if (site_open(&o->site, &a->options, r, err) != 0)
		return -1;
	/*
	 * Before the model: who is compute and who is IO decides what is
	 * checked.
	 */
	site_apply_roles(&o->site);
	o->model = site_model(&o->site);
	if (!o->model)
		return sfab_no_memory(err);
	o->ask.m = o->model;
	o->ask.block = a->block;
	if (a->engine)
		o->engine = need_copy(a->engine);
	if (a->opensm_conf &&
	    opensm_conf_read(a->opensm_conf, &o->engine, &o->lanes, err) != 0)
		return -1;
	o->lanes.io = a->io_level;
	o->ask.lanes = a->opensm_conf ? &o->lanes : NULL;
	o->ask.engine = o->engine;
	if (read_followed(o, a, r, err) != 0)
		return -1;
	if (!o->site.io || !o->site.io->nsets)
		report_warning(r, "the snapshot has no IO set: IO is not checked");
	/*
	 * Counters that the user named must exist; those of the conf may be
	 * missing.
	 */
	if (!a->counters && access(o->site.conf->counters, F_OK) != 0)
		return 0;
	/*
	 * Wrong counters of the conf are a warning, so that routes are audited
	 * all the same.
	 */
	if (link_counters_read(&o->counters, a->counters, &o->site, err) != 0) {
		if (a->counters)
			return -1;
		report_warning(r, "%s", err->text);
		return 0;
	}
	o->ask.events = o->counters.events;
	return 0;
}

/* Frees everything that open_all() may have opened before it failed. */
static int run_audit(void *ctx, struct answer *answer, struct sfab_err *err)
{
	const struct audit *a = ctx;
	struct opened o = { 0 };
	struct sfab_audit found;
	int rc = open_all(&o, a, &answer->report, err);

	if (rc == 0)
		warn_of_found_io(&answer->report, &(struct io_line_facts){
			o.site.conf, o.site.f, o.site.io,
			o.counters.measured ? o.counters.measured->rate : NULL });
	if (rc == 0)
		rc = sfab_audit(&o.ask, &found, err);
	if (rc == 0) {
		const struct audit_view view = {
			.silence = o.site.conf->audit_silence,
			.all = a->options.verbose,
		};

		rc = audit_print(o.model, &found, &view, answer, err);
		sfab_audit_free(&found);
	}
	sfab_model_destroy(o.model);
	link_counters_free(&o.counters);
	free(o.engine);
	site_close(&o.site);
	return rc;
}

int cmd_audit(int argc, char **argv)
{
	struct audit a = { 0 };

	options_parse(&usage, argc, argv, &a);
	return answer_run("audit", &a.options, run_audit, &a);
}
