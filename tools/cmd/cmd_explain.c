/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * cmd_explain.c - `sfabric explain JOBID`: why a job was placed where it was
 *
 * Uses the plugin's decision log.  If the snapshot of that time is available, it also uses the
 * tables: terms of the score, what other policies would have chosen, and with --verify whether
 * the score is reproduced.
 *
 * The pieces: declog reads the log, explain_reconstruct() rebuilds the machine as it was (who
 * ran, which nodes were free), and preview computes as for a new job.  So explain shows what
 * the model says today of a decision of then; --verify tells whether that is what the plugin
 * computed.
 */

#include "tools/explain/explain.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "place/request/reason.h"
#include "tools/cmd/cmd.h"
#include "tools/slurm/slurmfacts.h"
#include "tools/ui/moment.h"
#include "tools/ui/number.h"
#include "tools/ui/printable.h"
#include "tools/ui/status.h"

struct explain {
	struct options options;
	const char *log;		/* NULL: the conf's DecisionLog */
	uint64_t id;
	int verify, names_jobs;
};

static const struct option_row rows[] = {
	{ "log", "FILE", 1, "Decision log (default: DecisionLog of sfabric.conf)", KEEP_TEXT,
	  .offset = offsetof(struct explain, log) },
	{ "verify", NULL, 1, "Recompute score and certificate and compare; exit 3 if they differ",
	  KEEP_YES, .offset = offsetof(struct explain, verify) },
	{ "jobs", NULL, 1, "Name the other jobs on shared links, if PrivateData allows it",
	  KEEP_YES, .offset = offsetof(struct explain, names_jobs) },
	{ 0 }
};

static const struct option_group groups[] = { OPTIONS_OF_REPORT, { 0 } };

static error_t parse_explain_option(int key, char *arg, struct argp_state *state)
{
	struct explain *x = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		if (x->id || number_parse(arg, UINT32_MAX, &x->id) || !x->id)
			argp_error(state, "'%s' (expected one job id)", arg);
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "no JOBID");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/*
 * Read the whole log, because jobs that began before the decision may still have run.  On
 * success the caller frees @d.
 */
static int read_decisions(const struct explain *x, struct declog *d, struct sfab_err *err)
{
	struct sfab_conf *conf = NULL;
	const char *path = x->log;
	struct stat st;
	FILE *in;
	int rc = -1;

	if (!path) {
		conf = site_conf(&x->options, err);
		if (!conf)
			return -1;
		path = conf->decision_log;
	}
	in = *path ? fopen(path, "r") : NULL;
	/* The log is read twice, which a pipe or a device does not allow. */
	if (in && fstat(fileno(in), &st) == 0 &&
	    !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode))
		sfab_fail(err, SFAB_EINVAL, "%s: not a regular file", path);
	else if (in)
		rc = declog_read(d, in, path, x->id, err);
	else if (*path)
		sfab_fail(err, SFAB_EIO, "%s: %s (AdminComment of the job says it in "
			  "short: scontrol show job)", path, strerror(errno));
	else
		sfab_fail(err, SFAB_EINVAL, "no DecisionLog in sfabric.conf: name "
			  "the file with --log");
	if (in)
		fclose(in);
	sfab_conf_destroy(conf);
	return rc;
}

/* -- what the log says ------------------------------------------------------- */

/* Return the reason as a sentence; a word of a newer version is returned as it is. */
static const char *reason_sentence(const struct declog *d)
{
	int reason = declog_reason(d->start);

	return reason < 0 ? declog_text(d->start, "reason") :
			    sfab_reason_text((enum sfab_reason) reason);
}

/*
 * Return the field "learned": how many earlier runs the traffic was learned from, and what they
 * had in common.  NULL: it was not learned.
 */
static struct json_object *find_learned(const struct declog *d)
{
	struct json_object *learned = declog_object(d->start, "learned");

	return declog_count(learned, "runs") && declog_text(learned, "by") ? learned : NULL;
}

/* Return since when a requeued job waits, as its end line says; NULL: it does not wait. */
static const char *waiting_since(const struct declog *d)
{
	return declog_flag(d->end, "waits") ? declog_text(d->end, "time") : NULL;
}

/*
 * Copy the fields of the log into the JSON answer, under their own names.  A missing field is
 * null, so that all answers have the same keys.
 */
static void add_log_json(const struct explain *x, const struct declog *d, struct json_object *data)
{
	static const char *const texts[] = { "time", "partition", "mode",
		"reason", "traffic", "source", "hint_error", "policy",
		"fingerprint" };
	static const char *const orders[] = { "name", "leaf", "found" };
	struct json_object *ranks = declog_object(d->start, "ranks"), *order = NULL;
	uint64_t epoch = declog_count(d->start, "epoch");

	json_add(data, "job", json_object_new_uint64(x->id));
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		json_add(data, texts[i], json_name(declog_text(d->start, texts[i])));
	json_add(data, "why", json_name(reason_sentence(d)));
	json_add(data, "ran_on", json_name(declog_text(d->start, "nodes")));
	json_add(data, "epoch", epoch ? json_object_new_uint64(epoch) : NULL);
	json_add(data, "waits_since", json_name(waiting_since(d)));
	json_add(data, "running", json_object_new_uint64(declog_others(d)));
	json_add(data, "decided", json_object_get(json_object_object_get(d->start, "score")));
	json_add(data, "learned", json_object_get(find_learned(d)));
	/* null unless the plugin ordered the ranks. */
	if (ranks)
		order = json_object_new_object();
	for (size_t i = 0; order && i < sizeof(orders) / sizeof(orders[0]); i++)
		json_add(order, orders[i],
			 json_object_new_double(declog_number(ranks, orders[i], 0)));
	json_add(data, "ranks", order);
}

/* Print a text of the log after @prefix, safe for a terminal; "-" if there is none. */
static void print_log_text(FILE *out, const char *prefix, const char *text)
{
	char *safe = printable(text ? text : "-", 0);

	fprintf(out, "%s%s", prefix, safe);
	free(safe);
}

/*
 * Print where the assumed traffic came from: "its traffic, mpi=0.4, was learned from 12 runs of
 * user 1001, name cfd", or "..., is from its hint".
 */
static void print_traffic_source(FILE *out, const struct declog *d)
{
	struct json_object *s = d->start, *learned = find_learned(d);
	const char *source = declog_text(s, "source");

	if (!source)
		return;
	print_log_text(out, "its traffic, ", declog_text(s, "traffic"));
	if (learned) {
		/* Like "user+name+nodes", "account" or "partition" (io/learn). */
		const char *key = declog_text(learned, "by");
		int is_users = strncmp(key, "user", 4) == 0;

		fprintf(out, ", was learned from %" PRIu64 " runs of ",
			declog_count(learned, "runs"));
		/* Whose runs they were, by the facts of the job's own line. */
		if (is_users)
			fprintf(out, "user %" PRIu64, declog_count(s, "user"));
		if (strstr(key, "+name"))
			print_log_text(out, ", name ", declog_text(s, "name"));
		if (strstr(key, "+nodes"))
			fprintf(out, ", %" PRIu64 " nodes", declog_count(s, "n"));
		if (strstr(key, "account"))
			print_log_text(out, is_users ? ", account " : "account ",
				       declog_text(s, "account"));
		if (strcmp(key, "partition") == 0)
			print_log_text(out, "partition ", declog_text(s, "partition"));
	} else {
		print_log_text(out, ", is from its ", source);
	}
	fputc('\n', out);
}

/*
 * Print what was predicted when the job began, for its nodes and for those that Slurm would
 * have taken: were its nodes to blame?
 */
static void print_start_prediction(FILE *out, const struct declog *d)
{
	int is_elsewhere = declog_text(d->start, "chosen") != NULL;
	double found = declog_number(d->start, "slowdown", 0);
	double slurm = declog_number(declog_object(d->start, "stock"), "slowdown", 0);
	double predicted = is_elsewhere ? slurm : found;
	const char *required = declog_text(d->start, "required");
	uint32_t nhosts = required ? 4 * (uint32_t) strlen(required) : 0;
	uint8_t *host = declog_hosts(d->start, "required", nhosts);
	unsigned nrequired = 0;

	for (uint32_t h = 0; host && h < nhosts; h++)
		nrequired += host[h];
	free(host);
	if (!(predicted > 0))
		return;
	fprintf(out, "predicted at its start: %.2f times as long as on an ideal fabric", predicted);
	if (is_elsewhere)
		fprintf(out, ", on the nodes that the search found %.2f", found);
	else if (slurm > 0)
		fprintf(out, ", on Slurm's own nodes %.2f", slurm);
	fputc('\n', out);
	if (nrequired)
		fprintf(out, "%u of its nodes were asked for by name (-w): these could not be "
			"others\n", nrequired);
}

/*
 * Print the answer as text.  Lines about what does not apply are left out:
 *
 *     job 333: its nodes were chosen by their routes
 *     began 2026-05-04T12:00:01Z in partition batch, mode on; 41 other jobs ran
 *     on n[1-64]
 *     predicted at its start: 1.04 times as long as on an ideal fabric, on Slurm's own
 *     nodes 1.30
 */
static void print_log(const struct explain *x, const struct declog *d, FILE *out)
{
	struct json_object *s = d->start, *ranks = declog_object(s, "ranks");
	uint64_t fingerprint = declog_fingerprint(s);
	const char *since = waiting_since(d);
	uint64_t epoch = declog_count(s, "epoch");
	char snapshot_time[MOMENT_TEXT] = "";

	fprintf(out, "job %" PRIu64, x->id);
	/* A job that waits again may never have started there. */
	print_log_text(out, ": ", since && declog_reason(s) == SFAB_PLACED ?
		       "its nodes were chosen by their routes" : reason_sentence(d));
	print_log_text(out, since ? "\nchosen " : "\nbegan ", declog_text(s, "time"));
	print_log_text(out, " in partition ", declog_text(s, "partition"));
	print_log_text(out, ", mode ", declog_text(s, "mode"));
	fprintf(out, "; %u other job%s ran", declog_others(d), declog_others(d) == 1 ? "" : "s");
	print_log_text(out, "\non ", declog_text(s, "nodes"));
	if (since)
		print_log_text(out, "\nrequeued, or never started; waits since ", since);
	if (epoch)
		moment_text((double) epoch, snapshot_time);
	if (fingerprint)
		fprintf(out, "\nby snapshot 0x%016" PRIx64 "%s%s\n", fingerprint,
			*snapshot_time ? " of " : "", snapshot_time);
	else
		fputs("\nwithout a snapshot\n", out);
	print_traffic_source(out, d);
	print_start_prediction(out, d);
	/* The order in which its nodes took ranks, unless it was Slurm's. */
	if (ranks)
		fprintf(out, "ranks by routes: its steps take %.3f times as long as "
			"without conflicts; by name %.3f, leaf by leaf %.3f\n",
			declog_number(ranks, "found", 0), declog_number(ranks, "name", 0),
			declog_number(ranks, "leaf", 0));
	if (declog_text(s, "hint_error")) {
		print_log_text(
		    out, "its hint is wrong: ", declog_text(s, "hint_error"));
		fputc('\n', out);
	}
	if (declog_text(s, "policy")) {
		print_log_text(out, "sfabric.lua: ", declog_text(s, "policy"));
		fputs(", so it was ignored\n", out);
	}
}

/* -- what the tables say ------------------------------------------------------ */

/* What --verify compared: the score, then the certificate. */
struct verification {
	struct table *tables[2];	/* certificate NULL: not in the log */
	int is_same[2];
};

/*
 * Answer with two tables of what the log has, what was computed, and whether they agree.
 * Destroy them.  Return STATUS_FOUND if a term or the certificate differs.
 */
static int answer_verification(const struct verification *both, struct answer *a)
{
	static const char *const names[2] = { "score", "certificate" };
	int is_same = both->is_same[0] && both->is_same[1];

	if (a->options->json) {
		struct json_object *verify = json_object_new_object();

		json_add(verify, "same", json_object_new_boolean(is_same));
		json_add(verify, "terms", table_take_json(both->tables[0]));
		json_add(verify, "certificate",
			 both->tables[1] ? table_take_json(both->tables[1]) : NULL);
		json_add(a->reply.data, "verify", verify);
	}
	for (int i = 0; !a->options->json && i < 2; i++) {
		if (!both->tables[i]) {
			fprintf(a->out.file, "\nThe log has no %s.\n", names[i]);
			break;
		}
		fprintf(a->out.file, "\nRecomputed: %s %s\n", both->is_same[i] ? "the same" :
			"a different", names[i]);
		table_take_print(both->tables[i], a->out.file);
	}
	return is_same ? STATUS_FINE : STATUS_FOUND;
}

/*
 * Answer with the score that the job had as it ran, and the alternatives.  With --verify also
 * with the comparison, whose status is the command's.
 */
static int answer_choice(const struct explain *x, const struct declog *d,
			 struct preview_context *p, struct preview *v, struct answer *a,
			 struct sfab_err *err)
{
	struct json_object *certificate = json_object_object_get(d->start, "certificate");
	int is_scored = declog_object(declog_object(d->start, "score"), "terms") != NULL;
	struct verification both = { .is_same = { 1, 1 } };

	v->name = is_scored ? "sfabric" : "slurm";
	/* The contiguous policy is shown only if the log has the hosts that were free. */
	if (preview_answer(p, v, p->navail ? SFAB_POLICY_CONTIGUOUS : SFAB_NPOLICIES, a,
			   err) != 0)
		return -1;
	if (!x->verify)
		return STATUS_FINE;
	if (!is_scored)
		return sfab_fail(err, SFAB_ENOENT, "job %" PRIu64 ": no score "
				 "in the log: no search was made", x->id);
	/*
	 * Both are functions of snapshot, running jobs and nodes, so they must be reproduced,
	 * but for the digits that the log rounds.
	 */
	both.tables[0] = explain_verify_terms(d->start, &v->choice.score, &both.is_same[0]);
	if (certificate)
		both.tables[1] = explain_verify_certificate(certificate, &v->certificate, p->site.f,
							    x->names_jobs,
							    &both.is_same[1]);
	return answer_verification(&both, a);
}

/*
 * Answer with what the tables say, for which the snapshot of the decision is needed.  @p gets
 * its running jobs from the log.
 */
static int answer_from_tables(const struct explain *x, struct declog *d,
			      struct preview_context *p, struct answer *a, struct sfab_err *err)
{
	struct preview v;
	int status;

	p->hides_ids = !x->names_jobs;
	if (explain_reconstruct(p, d, &v, &a->reply, err) != 0)
		return -1;
	if (!a->options->json)
		fputc('\n', a->out.file);
	status = answer_choice(x, d, p, &v, a, err);
	preview_clear(&v);
	return status;
}

/* Check that this user may see ids of others' jobs. */
static int check_private_data(struct sfab_err *err)
{
	struct slurmfacts facts;
	int hides;

	if (getuid() == 0)
		return 0;
	if (slurmfacts_ask(&facts, err) != 0)
		return sfab_fail_prefix(err, "--jobs: cannot find out whether jobs "
					"are private");
	hides = slurmfacts_hides_jobs(&facts);
	slurmfacts_free(&facts);
	return hides ? sfab_fail(err, SFAB_EINVAL, "--jobs: others' jobs are private "
				 "(PrivateData=jobs)") : 0;
}

/* Show what the log says, and what the tables say if their snapshot is available. */
static int explain_job(const struct explain *x, struct declog *d,
		       struct answer *a, struct sfab_err *err)
{
	uint64_t fingerprint = declog_fingerprint(d->start);
	struct preview_context p = { 0 };
	int status;

	/* Check this before anything is printed. */
	if (x->names_jobs && check_private_data(err) != 0)
		return -1;
	if (a->options->json)
		add_log_json(x, d, a->reply.data);
	else
		print_log(x, d, a->out.file);
	if (!fingerprint)
		return x->verify ? sfab_fail(err, SFAB_ENOENT, "job %" PRIu64
			": no snapshot was in use", x->id) : STATUS_FINE;
	if (site_open(&p.site, &x->options, &a->reply, err) != 0)
		return -1;
	/* Other tables would give other links: better none than wrong ones. */
	if (p.site.snapshot->fingerprint == fingerprint) {
		status = answer_from_tables(x, d, &p, a, err);
	} else if (x->verify) {
		status = sfab_fail(err, SFAB_EINVAL, "the snapshot is not that of "
				   "the decision (found 0x%016" PRIx64 ", expected "
				   "0x%016" PRIx64 "): --snapshot",
				   p.site.snapshot->fingerprint, fingerprint);
	} else {
		reply_warning(&a->reply, "the snapshot is not that of the "
			      "decision: no links, no alternatives");
		status = STATUS_FINE;
	}
	preview_context_close(&p);
	return status;
}

static int run_explain(void *ctx, struct answer *a, struct sfab_err *err)
{
	const struct explain *x = ctx;
	struct declog d;
	int status = read_decisions(x, &d, err);

	if (status != 0)
		return -1;
	status = explain_job(x, &d, a, err);
	declog_free(&d);
	return status;
}

static const struct command_line usage = {
	.options = rows, .groups = groups, .common = offsetof(struct explain, options),
	.parse = parse_explain_option, .args = "JOBID",
	.doc = "Explain where the plugin put a job, by its decision log.",
};

int cmd_explain(int argc, char **argv)
{
	struct explain x = { 0 };

	options_parse(&usage, argc, argv, &x);
	return answer_run("explain", &x.options, run_explain, &x);
}
