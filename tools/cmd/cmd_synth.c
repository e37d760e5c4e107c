/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_synth.c - `sfabric synth`: a made-up fabric, for simulators and tests
 *
 * The fabric is written as a netlist in the format of ibnetdiscover and ibsim;
 * routing it is OpenSM's work.  tools/synth/ builds it.  No snapshot, conf or
 * Slurm is involved, so this command has no site and prints by itself.
 */
#include "tools/synth/synth.h"

#include <stddef.h>
#include <string.h>

#include "tools/command.h"
#include "tools/ui/json.h"
#include "tools/ui/options.h"
#include "tools/ui/output.h"
#include "tools/ui/say.h"

struct request {
	struct options options;
	const char *spec, *io_output, *map_output;
	int list;	/* --list: names only */
};

static const struct option_row rows[] = {
	{ "io-output", "FILE", 0, "Write the host list of the IO hosts to FILE", KEEP_TEXT,
	  .at = offsetof(struct request, io_output) },
	{ "map-output", "FILE", 0, "Write a node-name map to FILE", KEEP_TEXT,
	  .at = offsetof(struct request, map_output) },
	{ "list", NULL, 0, "List the fabrics that have a name", KEEP_YES,
	  .at = offsetof(struct request, list) },
	{ 0 }
};

static const struct option_group groups[] = {
	{ options_table, "Table of --list:", .order = 2 },
	{ options_output, .order = 2 },
	{ 0 }
};

/*
 * --output is required: a netlist on a terminal helps nobody, and "-" can ask
 * for it.
 */
static error_t parse_synth_option(int key, char *arg, struct argp_state *state)
{
	struct request *rq = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		if (rq->spec)
			argp_error(state, "one SPEC, not also %s", arg);
		rq->spec = arg;
		return 0;
	case ARGP_KEY_END:
		if (!rq->list && !rq->options.helpformat) {
			const char *output = rq->options.output;

			if (!rq->spec)
				argp_error(state,
					   "no SPEC (--list names some)");
			if (!output)
				argp_error(state, "--output FILE is missing");
			if (rq->options.json && output &&
			    strcmp(output, "-") == 0)
				argp_error(state, "--json and --output - both "
						  "write to standard output");
		}
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct command_line usage = {
	.options = rows, .groups = groups, .common = offsetof(struct request, options),
	.parse = parse_synth_option, .args = "SPEC --output NETLIST\n--list",
	.doc = "Write a fabric as a netlist that ibsim can simulate.\vSPEC is NAME or "
	       "NAME:KEY=VALUE,...; NAME is one of --list or 'tree', which takes everything "
	       "from the keys: hosts, radix, levels (2, 3), leaf (host ports of a leaf), ports "
	       "(of a host), leaves, taper, pods, mids (of a pod), spines, links, toplinks, io, "
	       "place (last, moved, packed, random), fill (even, first), seed, speed, prefix, "
	       "chip. Of the other shapes see sfabric-synth(1).",
};

enum { NAME, HOSTS, SWITCHES, IO, SPEC, DOC };
static const struct column columns[] = {
	[NAME] = { "name", "What to write as SPEC", COLUMN_TEXT, 0, SHOWN },
	[HOSTS] = { "hosts", "Hosts, including IO hosts", COLUMN_COUNT, 0, SHOWN },
	[SWITCHES] = { "switches", "Switches", COLUMN_COUNT, 0, SHOWN },
	[IO] = { "io", "IO hosts", COLUMN_COUNT, 0, SHOWN },
	[SPEC] = { "spec", "The same, written with keys of 'tree'", COLUMN_TEXT, 0,
		   SHOWN_IF_ASKED },
	[DOC] = { "doc", "What it is", COLUMN_TEXT, 0, SHOWN },
	{ 0 }
};

/* JSON in the envelope of all commands. */
static int print_synth_list(const struct request *rq, const struct table *t,
			    FILE *out, struct sfab_err *err)
{
	struct report report;

	if (!rq->options.json)
		return table_print(t, &rq->options.view, out, err);
	report_init(&report, "synth");
	json_add(report.data, "fabrics", table_json(t));
	report_print(&report, out);
	report_free(&report);
	return 0;
}

/*
 * Numbers of a row are empty where the keys decide them.  A row like "wolf 640
 * 54 24 ..."; -o spec shows how a named fabric is written with keys, to begin
 * one's own with.
 */
static int run_list(const struct request *rq, struct sfab_err *err)
{
	struct output o;
	struct table *t;
	int rc;
	const struct sfab_synth_named *row = sfab_synth_fabrics;
	struct sfab_synth_spec spec;

	if (output_open(&o, rq->options.output, err))
		return -1;
	t = table_create(columns);
	for (; row->name; row++) {
		table_row(t);
		table_text(t, NAME, row->name);
		table_text(t, SPEC, row->text);
		table_text(t, DOC, row->doc);
		if (sfab_synth_parse(row->name, &spec, NULL))
			continue;	/* 'tree' alone describes no fabric */
		table_count(t, HOSTS, spec.hosts);
		table_count(t, SWITCHES, sfab_synth_nswitches(&spec));
		table_count(t, IO, spec.io);
	}
	rc = print_synth_list(rq, t, o.file, err);
	table_destroy(t);
	if (rc == 0)
		rc = output_close(&o, err);
	output_drop(&o);
	return rc;
}

typedef void (*write_fn)(const struct sfab_synth *t, FILE *out);

/* @path NULL: not requested.  Each file is complete or not there (output.h). */
static int write_synth_part(const struct sfab_synth *t, write_fn write,
			    const char *path, struct sfab_err *err)
{
	struct output o;
	int rc;

	if (!path)
		return 0;
	if (output_open(&o, path, err))
		return -1;
	write(t, o.file);
	rc = output_close(&o, err);
	output_drop(&o);
	return rc;
}

static int run_spec(const struct request *rq, struct sfab_err *err)
{
	struct sfab_synth_spec spec;
	struct sfab_synth *t;
	int rc;

	if (sfab_synth_parse(rq->spec, &spec, err))
		return sfab_fail_prefix(err, "%s", rq->spec);
	t = sfab_synth_create(&spec, err);
	if (!t)
		return -1;
	rc = write_synth_part(t, sfab_synth_write_net, rq->options.output,
			      err) ||
		     write_synth_part(t, sfab_synth_write_io, rq->io_output,
				      err) ||
		     write_synth_part(t, sfab_synth_write_map, rq->map_output,
				      err)
		 ? -1
		 : 0;
	sfab_synth_destroy(t);
	if (rc == 0 && rq->options.json) {
		struct report report;

		/* Prints what was made, for scripts. */
		report_init(&report, "synth");
		json_add(report.data, "hosts",
			 json_object_new_uint64(spec.hosts));
		json_add(report.data, "io", json_object_new_uint64(spec.io));
		json_add(report.data, "leaves",
			 json_object_new_uint64(spec.leaves));
		json_add(report.data, "spines",
			 json_object_new_uint64(spec.spines));
		json_add(report.data, "switches",
			 json_object_new_uint64(sfab_synth_nswitches(&spec)));
		report_print(&report, stdout);
		report_free(&report);
	}
	return rc;
}

int cmd_synth(int argc, char **argv)
{
	struct request rq = { 0 };
	struct sfab_err err;
	int rc;

	options_parse(&usage, argc, argv, &rq);
	if (rq.options.helpformat) {
		table_help(columns, stdout);
		return STATUS_FINE;
	}
	rc = rq.list ? run_list(&rq, &err) : run_spec(&rq, &err);
	return rc ? say_error(&err) : STATUS_FINE;
}
