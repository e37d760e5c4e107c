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
#include <string.h>

#include "place/state/generation.h"
#include "tools/preview/preview.h"
#include "tools/site/hosts.h"
#include "tools/slurm/hint.h"
#include "tools/slurm/job_ask.h"
#include "tools/ui/printable.h"
#include "tools/ui/say.h"

/* What the plugin decides. */
struct outcome {
	const struct sfab_decision *d;	/* the service's */
	enum sfab_reason reason;
	char waits[200];	/* why it cannot start now; "": the reason says */
	uint32_t n;
	uint32_t *host;		/* [n] NULL: not known */
};

/*
 * Hosts of the chosen nodes.  A node that the fabric does not have is counted
 * and left out, since the score is about hosts.
 */
static void take_decided_nodes(struct outcome *o, struct preview_context *p,
			       struct report *r)
{
	uint32_t lost = 0;

	o->host = need(o->d->n, sizeof(*o->host));
	for (uint32_t i = 0; i < p->cluster.nodes.n; i++) {
		uint32_t host = sfab_place_host(p->place, i);

		if (!sfab_decision_has(o->d, i))
			continue;
		if (host == SFAB_NONE)
			lost++;
		else
			o->host[o->n++] = host;
	}
	if (lost)
		report_warning(r, "%u of the nodes are not in the snapshot and "
			       "not shown", lost);
}

/*
 * --traffic takes the place of the job's comment, as if the user had written the
 * hint.
 */
static int ask_place_service(struct outcome *o, const struct sbatch *s,
			     const char *traffic, struct preview_context *p,
			     struct report *r, struct sfab_err *err)
{
	struct job_ask job;
	char *comment = NULL;
	const struct sfab_decision *d;

	if (job_ask_make(&job, s, &p->cluster, r, err) != 0)
		return -1;
	if (traffic)
		job.ask.comment = comment = need_text("sfabric:%s", traffic);
	o->d = d = sfab_place_ask(p->place, &job.ask);
	memcpy(o->waits, job.waits, sizeof(o->waits));
	o->reason = *job.waits ? SFAB_STOCK_FEW_NODES : d->reason;
	/*
	 * The service determines a job's traffic last, and not for every job.  Where it
	 * stopped earlier, the traffic is found again here, so that it can be shown.
	 */
	if (!d->traffic.nparts && d->reason != SFAB_STOCK_NO_TRAFFIC) {
		preview_context_intent(p, &job.ask, r);
	} else {
		p->traffic = d->traffic;
		hint_warn_decided(d, sfab_place_generation(p->place)->policy_cache, r);
	}
	/* Nodes that were found and then not taken are no answer: Slurm has others. */
	if (d->n && d->reason != SFAB_STOCK_CONTIGUOUS && d->reason != SFAB_STOCK_SWITCHES)
		take_decided_nodes(o, p, r);
	/*
	 * What follows is measured for the service's own request, with its free
	 * hosts.
	 */
	preview_context_take(p, o->host, o->n);
	/* Too few, or of a range all that there are: Slurm may find more. */
	if (!*o->waits && (o->reason == SFAB_STOCK_FEW_NODES ||
			   (o->reason == SFAB_STOCK_NO_CHOICE && d->n < job.ask.req_nodes)))
		job_ask_warn_few(&job);
	free(comment);
	job_ask_free(&job);
	return 0;
}

/*
 * In observe mode the plugin has decided but Slurm does not listen, so the text
 * says what it would take.
 */
static void say_decision(const struct outcome *o, struct answer *a)
{
	const char *why = *o->waits ? o->waits : sfab_reason_text(o->reason);

	if (a->options->json) {
		struct json_object *data = a->report.data;
		struct json_object *d = json_object_new_object();

		json_add(d, "by", json_object_new_string(
			o->reason == SFAB_PLACED ? "sfabric" : "slurm"));
		json_add(d, "mode", json_object_new_string(sfab_mode_name(o->d->mode)));
		json_add(d, "reason", json_object_new_string(sfab_reason_word(o->reason)));
		json_add(d, "text", json_name(why));
		json_add(data, "decision", d);
	} else {
		/* Names of licenses and reservations are in it. */
		char *text = printable(why, 0);
		FILE *out = a->out.file;

		if (o->reason == SFAB_PLACED)
			fprintf(out, "The plugin places this job.\n");
		else if (o->reason == SFAB_STOCK_OBSERVE)
			fprintf(out,
				"Slurm places this job itself: %s. The plugin "
				"would take:\n", text);
		else if (o->reason == SFAB_STOCK_FEW_NODES)
			fprintf(out, "The job cannot start now: %s.\n", text);
		else
			fprintf(out, "Slurm places this job itself: %s.\n", text);
		free(text);
	}
}

/* Nodes without a choice get a score and predictions too, but no search to report. */
static int say_nodes(const struct outcome *o, const struct sbatch *job,
		     struct preview_context *p, struct answer *a, struct sfab_err *err)
{
	const struct sfab_decision *d = o->d;
	struct preview v;
	int rc;

	if (preview_given(p, o->host, o->n, &v, err) != 0)
		return -1;
	p->cores = sbatch_cores(job, o->n);
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

int place_slurm(const struct sbatch *job, const char *traffic, struct preview_context *p,
		struct answer *a, struct sfab_err *err)
{
	struct outcome o = { 0 };
	int rc = ask_place_service(&o, job, traffic, p, &a->report, err);

	if (rc == 0) {
		say_decision(&o, a);
		if (o.n)
			rc = say_nodes(&o, job, p, a, err);
		else if (a->options->json) {
			struct json_object *data = a->report.data;
			char sends[1024];

			/* Nodes are not known: fields that need them are left out. */
			sfab_traffic_text(&p->traffic, sends, sizeof(sends));
			json_add(data, "traffic", json_name(sends));
			json_add(data, "nodes", json_object_new_string(""));
			json_add(data, "node_list", json_object_new_array());
		}
	}
	free(o.host);
	return rc;
}
