/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cmd_audit.c - `sfabric audit`: what is wrong with the fabric and its routes */

#include <stddef.h>

#include "tools/audit/audit_site.h"
#include "tools/cmd/cmd.h"

static const struct option_row rows[] = {
	{ "block", "N", 1, "Predict IO for jobs on N neighbors (default: the hosts of a leaf)",
	  KEEP_COUNT, .offset = offsetof(struct audit_request, block), 1, UINT32_MAX },
	{ "engine", "NAME[,...]", 1, "Routing engine that OpenSM is configured to use", KEEP_CALL,
	  .offset = offsetof(struct audit_request, engine), .call = options_keep_engines },
	{ "opensm-conf", "FILE", 1, "The same, from routing_engine in opensm.conf; also whether "
	  "it has lanes", KEEP_TEXT, .offset = offsetof(struct audit_request, opensm_conf) },
	{ "io-sl", "SL", 1, "Service level of IO, with --opensm-conf (0)", KEEP_COUNT,
	  .offset = offsetof(struct audit_request, io_level), 0, 15 },
	{ "counters", "FILE", 1, "Errors and discards (default: Counters of sfabric.conf, if "
	  "the file exists)", KEEP_TEXT, .offset = offsetof(struct audit_request, counters) },
	{ "found", "FILE", 1, "What counters found of running jobs (default: FoundTraffic of "
	  "sfabric.conf, if the file exists)", KEEP_TEXT,
	  .offset = offsetof(struct audit_request, found) },
	{ 0 }
};

static const struct option_group groups[] = { OPTIONS_OF_REPORT, { 0 } };

static error_t parse_audit_option(int key, char *arg, struct argp_state *state)
{
	struct audit_request *request = state->input;

	if (key == ARGP_KEY_END && request->engine && request->opensm_conf)
		argp_error(state, "--engine or --opensm-conf, not both");
	return ARGP_ERR_UNKNOWN;
}

static const struct command_line usage = {
	.options = rows, .groups = groups, .common = offsetof(struct audit_request, options),
	.parse = parse_audit_option,
	.doc = "Find what is wrong with a fabric and its routes, and what would help.",
};

static int run_audit(void *ctx, struct answer *a, struct sfab_err *err)
{
	return audit_site(ctx, a, err);
}

int cmd_audit(int argc, char **argv)
{
	struct audit_request request = { 0 };

	options_parse(&usage, argc, argv, &request);
	return answer_run("audit", &request.options, run_audit, &request);
}
