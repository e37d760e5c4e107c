/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_synth.c - `sfabric synth`: a made-up fabric, for simulators and tests
 *
 * The fabric is written as a netlist in the format of ibnetdiscover and ibsim; routing it is
 * OpenSM's work.  tools/synth/ builds it.  No snapshot, conf or Slurm is involved, so this
 * command has no site.
 */
#include "tools/synth/synth.h"

#include <stddef.h>
#include <string.h>

#include "tools/cmd/cmd.h"
#include "tools/ui/answer.h"
#include "tools/ui/output.h"

struct request {
	struct options options;
	const char *spec, *io_output, *map_output;
	const char *netlist;	/* --output, unless it is of --list */
	int lists_names;	/* --list */
};

static const struct option_row rows[] = {
	{ "io-output", "FILE", 0, "Write the host list of the IO hosts to FILE", KEEP_TEXT,
	  .offset = offsetof(struct request, io_output) },
	{ "map-output", "FILE", 0, "Write a node-name map to FILE", KEEP_TEXT,
	  .offset = offsetof(struct request, map_output) },
	{ "list", NULL, 0, "List the fabrics that have a name", KEEP_YES,
	  .offset = offsetof(struct request, lists_names) },
	{ 0 }
};

static const struct option_group groups[] = {
	{ options_table, "Table of --list:", .order = 2 },
	{ options_output, .order = 2 },
	{ 0 }
};

/* Take SPEC, and require --output: a netlist on a terminal helps nobody, and "-" can ask for it. */
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
		if (!rq->lists_names && !rq->options.helpformat) {
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
	       "chip.",
};

static const struct column columns[] = {
	{ "name", "What to write as SPEC", COLUMN_TEXT, 0, SHOWN },
	{ "hosts", "Hosts, including IO hosts", COLUMN_COUNT, 0, SHOWN },
	{ "switches", "Switches", COLUMN_COUNT, 0, SHOWN },
	{ "io", "IO hosts", COLUMN_COUNT, 0, SHOWN },
	{ "spec", "The same, written with keys of 'tree'", COLUMN_TEXT, 0, SHOWN_IF_ASKED },
	{ "doc", "What it is", COLUMN_TEXT, 0, SHOWN },
	{ 0 }
};

/*
 * List the named fabrics, in rows like "wolf 640 54 24 ...".  Numbers of a row are empty where
 * the keys decide them.  -o spec shows how a named fabric is written with keys, to begin one's
 * own with.
 */
static int run_list(void *ctx, struct answer *a, struct sfab_err *err)
{
	struct table *t = table_create(columns);
	struct synth_spec spec;

	for (const struct synth_named *row = synth_fabrics; row->name; row++) {
		table_row(t);
		table_text(t, "name", row->name);
		table_text(t, "spec", row->text);
		table_text(t, "doc", row->doc);
		if (synth_parse(row->name, &spec, NULL))
			continue;	/* 'tree' alone describes no fabric */
		table_count(t, "hosts", spec.hosts);
		table_count(t, "switches", synth_nswitches(&spec));
		table_count(t, "io", spec.io);
	}
	return answer_table(a, "fabrics", t, err);
}

typedef void (*write_fn)(const struct synth_spec *spec, const struct sfab_fabric *f,
			 FILE *out);

/* Write a file; @path NULL: not requested.  Each file is complete or not there (output.h). */
static int write_synth_part(const struct synth_spec *spec, const struct sfab_fabric *f,
			    write_fn write, const char *path, struct sfab_err *err)
{
	struct output o;
	int rc;

	if (!path)
		return 0;
	if (output_open(&o, path, err))
		return -1;
	write(spec, f, o.file);
	rc = output_close(&o, err);
	output_drop(&o);
	return rc;
}

/* Make the fabric and write its files; the JSON answer says what was made. */
static int run_spec(void *ctx, struct answer *a, struct sfab_err *err)
{
	const struct request *rq = ctx;
	struct synth_spec spec;
	struct sfab_fabric *f;
	int rc = -1;

	if (synth_parse(rq->spec, &spec, err))
		return sfab_fail_prefix(err, "%s", rq->spec);
	f = synth_fabric(&spec);
	if (!write_synth_part(&spec, f, synth_write_net, rq->netlist, err) &&
	    !write_synth_part(&spec, f, synth_write_io, rq->io_output, err) &&
	    !write_synth_part(&spec, f, synth_write_map, rq->map_output, err))
		rc = STATUS_FINE;
	sfab_fabric_destroy(f);
	json_add(a->reply.data, "hosts", json_object_new_uint64(spec.hosts));
	json_add(a->reply.data, "io", json_object_new_uint64(spec.io));
	json_add(a->reply.data, "leaves", json_object_new_uint64(spec.leaves));
	json_add(a->reply.data, "spines", json_object_new_uint64(spec.spines));
	json_add(a->reply.data, "switches",
		 json_object_new_uint64(synth_nswitches(&spec)));
	return rc;
}

int cmd_synth(int argc, char **argv)
{
	struct request rq = { 0 };

	options_parse(&usage, argc, argv, &rq);
	options_columns(&rq.options, columns, NULL);
	if (rq.lists_names)
		return answer_run("synth", &rq.options, run_list, &rq);
	rq.netlist = rq.options.output;
	rq.options.output = NULL;
	return answer_run("synth", &rq.options, run_spec, &rq);
}
