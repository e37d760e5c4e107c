/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place_slurm.c - what the plugin would decide
 *
 * The nodes are known for a job that the plugin places, or that has no choice.
 *
 * The order is that of the answer: ask the service what the plugin would do, then show
 * the nodes with their score.
 */

#include "tools/preview/place_slurm.h"

#include <stdlib.h>

#include "place/state/generation.h"
#include "tools/preview/preview.h"
#include "tools/site/hosts.h"
#include "tools/slurm/hint.h"
#include "tools/slurm/job_ask.h"
#include "tools/ui/printable.h"
#include "tools/ui/say.h"

/*
 * Hosts of the chosen nodes ([*@n], caller frees).  A node that the fabric does not have
 * is left out with a warning, since the score is about hosts.
 */
static uint32_t *decided_hosts(const struct preview_context *p,
			       const struct sfab_decision *d, uint32_t *n, struct report *r)
{
	uint32_t *hosts = need(d->n, sizeof(*hosts));

	*n = 0;
	for (uint32_t i = 0; i < p->cluster.nodes.n; i++) {
		uint32_t host = sfab_place_host(p->place, i);

		if (sfab_decision_has(d, i) && host != SFAB_NONE)
			hosts[(*n)++] = host;
	}
	if (*n < d->n)
		report_warning(r, "%u of the nodes are not in the snapshot and "
			       "not shown", d->n - *n);
	return hosts;
}

/*
 * In observe mode the plugin has decided but Slurm does not listen, so the text
 * says what it would take.
 */
static void say_decision(const struct sfab_decision *d, enum sfab_reason reason,
			 const char *why, struct answer *a)
{
	if (a->options->json) {
		struct json_object *said = json_object_new_object();

		json_add(said, "by", json_object_new_string(
			reason == SFAB_PLACED ? "sfabric" : "slurm"));
		json_add(said, "mode", json_object_new_string(sfab_mode_name(d->mode)));
		json_add(said, "reason", json_object_new_string(sfab_reason_word(reason)));
		json_add(said, "text", json_name(why));
		json_add(a->report.data, "decision", said);
	} else {
		/* Names of licenses and reservations are in it. */
		char *text = printable(why, 0);
		FILE *out = a->out.file;

		if (reason == SFAB_PLACED)
			fprintf(out, "The plugin places this job.\n");
		else if (reason == SFAB_STOCK_OBSERVE)
			fprintf(out,
				"Slurm places this job itself: %s. The plugin "
				"would take:\n", text);
		else if (reason == SFAB_STOCK_FEW_NODES)
			fprintf(out, "The job cannot start now: %s.\n", text);
		else
			fprintf(out, "Slurm places this job itself: %s.\n", text);
		free(text);
	}
}

/* Nodes without a choice get a score and predictions too, but no search to report. */
static int say_nodes(const struct sfab_decision *d, const uint32_t *host, uint32_t n,
		     struct preview_context *p, struct answer *a, struct sfab_err *err)
{
	struct preview v;
	int rc;

	if (preview_given(p, host, n, &v, err) != 0)
		return -1;
	v.name = d->reason == SFAB_PLACED || d->reason == SFAB_STOCK_NO_CHOICE || d->scored ?
		 "sfabric" : "slurm";
	if (d->scored) {
		v.choice.score = d->score;
		v.choice.most = d->most;
		v.choice.most_lost = d->most_lost;
		v.advice = advice_find(p, &v.choice);
		report_search(&a->report, "default", p->request.seed, d->steps);
	}
	rc = preview_answer(p, &v, d->scored ? SFAB_POLICY_CONTIGUOUS : SFAB_NPOLICIES, a, err);
	preview_clear(&v);
	return rc;
}

/* Nodes are not known: fields that need them are left out. */
static void fill_without_nodes(const struct preview_context *p, struct json_object *data)
{
	char traffic[1024];

	sfab_traffic_text(&p->traffic, traffic, sizeof(traffic));
	json_add(data, "traffic", json_name(traffic));
	json_add(data, "nodes", json_object_new_string(""));
	json_add(data, "node_list", json_object_new_array());
}

static int answer_job(const struct job_ask *job, struct preview_context *p,
		      struct answer *a, struct sfab_err *err)
{
	const struct sfab_decision *d = sfab_place_ask(p->place, &job->ask);
	enum sfab_reason reason = *job->waits ? SFAB_STOCK_FEW_NODES : d->reason;
	uint32_t *host = NULL, n = 0;
	int rc = 0;

	/*
	 * The service determines a job's traffic last, and not for every job.  Where it
	 * stopped earlier, the traffic is found again here, so that it can be shown.
	 */
	if (!d->traffic.nparts && d->reason != SFAB_STOCK_NO_TRAFFIC) {
		preview_context_intent(p, &job->ask, &a->report);
	} else {
		p->traffic = d->traffic;
		hint_warn_decided(d, sfab_place_generation(p->place)->policy_cache,
				  &a->report);
	}
	/* Nodes that were found and then not taken are no answer: Slurm has others. */
	if (d->n && d->reason != SFAB_STOCK_CONTIGUOUS && d->reason != SFAB_STOCK_SWITCHES)
		host = decided_hosts(p, d, &n, &a->report);
	/*
	 * What follows is measured for the service's own request, with its free
	 * hosts.
	 */
	preview_context_take(p, host, n);
	p->cores = sbatch_cores(job->given, n);
	/* Too few, or of a range all that there are: Slurm may find more. */
	if (!*job->waits && (reason == SFAB_STOCK_FEW_NODES ||
			     (reason == SFAB_STOCK_NO_CHOICE && d->n < job->ask.req_nodes)))
		job_ask_warn_few(job);
	say_decision(d, reason, *job->waits ? job->waits : sfab_reason_text(reason), a);
	if (n)
		rc = say_nodes(d, host, n, p, a, err);
	else if (a->options->json)
		fill_without_nodes(p, a->report.data);
	free(host);
	return rc;
}

/*
 * --traffic takes the place of the job's comment, as if the user had written the
 * hint.
 */
int place_slurm(const struct sbatch *given, const char *traffic, struct preview_context *p,
		struct answer *a, struct sfab_err *err)
{
	struct job_ask job;
	char *comment = traffic ? need_text("sfabric:%s", traffic) : NULL;
	int rc = job_ask_make(&job, given, &p->cluster, &a->report, err);

	if (rc == 0) {
		if (comment)
			job.ask.comment = comment;
		rc = answer_job(&job, p, a, err);
		job_ask_free(&job);
	}
	free(comment);
	return rc;
}
