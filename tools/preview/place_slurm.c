/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place_slurm.c - what the plugin would decide, and Slurm's answer to it
 *
 * The nodes are known for a job that the plugin places, or that has no choice.
 * For a job that it leaves to Slurm, only --verify knows them.
 *
 * The order is that of the answer: ask the service what the plugin would do,
 * ask sbatch if wanted, then show the nodes with their score.
 */

#include "tools/preview/place_slurm.h"

#include <stdlib.h>
#include <string.h>

#include "place/state/generation.h"
#include "tools/command.h"
#include "tools/preview/outcome.h"
#include "tools/preview/preview.h"
#include "tools/site/hosts.h"
#include "tools/slurm/hint.h"
#include "tools/slurm/job_ask.h"
#include "tools/ui/say.h"

/*
 * Hosts of the chosen nodes.  A node that the fabric does not have is counted
 * and left out, since the score is about hosts.
 */
static void take_decided_nodes(struct outcome *o, struct preview_context *p,
			       const struct sfab_decision *d, struct report *r)
{
	uint32_t lost = 0;

	o->host = need(d->n, sizeof(*o->host));
	for (uint32_t i = 0; i < p->cluster.nodes.n; i++) {
		uint32_t host = sfab_place_host(p->place, i);

		if (!sfab_decision_has(d, i))
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
 * The service determines a job's traffic last, and not for every job.  Where it
 * stopped earlier, the traffic is found again here, so that it can be shown.
 */
static void take_traffic(struct preview_context *p, const struct sfab_ask *ask,
			 const struct sfab_decision *d, struct report *r)
{
	if (!d->traffic.nparts && d->reason != SFAB_STOCK_NO_TRAFFIC) {
		preview_context_intent(p, ask, r);
		return;
	}
	p->traffic = d->traffic;
	hint_warn_decided(d, sfab_place_generation(p->place)->policy_cache, r);
}

/* Nodes that were found and then not taken are no answer: Slurm has others. */
static int has_answer(const struct sfab_decision *d)
{
	return d->n && d->reason != SFAB_STOCK_CONTIGUOUS &&
	       d->reason != SFAB_STOCK_SWITCHES;
}

/* Too few, or of a range all that there are: Slurm may find more. */
static int is_short_of_nodes(const struct outcome *o, const struct sfab_decision *d,
			     const struct sfab_ask *ask)
{
	return !*o->waits && (o->reason == SFAB_STOCK_FEW_NODES ||
			      (o->reason == SFAB_STOCK_NO_CHOICE && d->n < ask->req_nodes));
}

/*
 * --traffic takes the place of the job's comment, as if the user had written the
 * hint.
 */
static int ask_place_service(struct outcome *o, const struct place_slurm *ps,
			     struct preview_context *p, struct report *r,
			     struct sfab_err *err)
{
	struct job_ask job;
	char *comment = NULL;
	const struct sfab_decision *d;

	if (job_ask_make(&job, ps->job, &p->cluster, r, err) != 0)
		return -1;
	if (ps->traffic)
		job.ask.comment = comment = need_text("sfabric:%s", ps->traffic);
	d = sfab_place_ask(p->place, &job.ask);
	memcpy(o->waits, job.waits, sizeof(o->waits));
	o->mode = d->mode;
	o->reason = *job.waits ? SFAB_STOCK_FEW_NODES : d->reason;
	o->ours = d->reason == SFAB_PLACED || d->reason == SFAB_STOCK_NO_CHOICE;
	o->steps = d->steps;
	take_traffic(p, &job.ask, d, r);
	if (has_answer(d)) {
		o->score = d->score;
		o->most = d->most;
		o->most_lost = d->most_lost;
		o->scored = d->scored;
		take_decided_nodes(o, p, d, r);
	}
	/*
	 * What follows is measured for the service's own request, with its free
	 * hosts.
	 */
	preview_context_take(p, o->host, o->n);
	if (is_short_of_nodes(o, d, &job.ask))
		job_ask_warn_few(ps->job, &p->cluster, job.partition, r);
	free(comment);
	job_ask_free(&job);
	return 0;
}

/*
 * Is @list the same set of hosts?  A name that the fabric lacks makes the list
 * no set at all.
 */
static int is_same_host_set(const struct preview_context *p, const struct outcome *o,
			    const char *list)
{
	uint32_t n, k = 0;
	uint8_t *flags = hosts_flags(p->site.f, list, &n, NULL);

	for (uint32_t i = 0; flags && i < o->n; i++)
		k += flags[o->host[i]];
	free(flags);
	return flags != NULL && n == o->n && k == n;
}

/* For too few nodes the preview is right if Slurm does not start the job now. */
static int verify_by_sbatch(struct outcome *o, const struct place_slurm *ps,
			    const struct preview_context *p, struct sfab_err *err)
{
	int now;
	uint32_t n;
	char **word = job_options_words(ps->given, &n);
	int rc;

	if (ps->traffic) {
		word = need_more(word, n, sizeof(*word));
		word[n++] = need_text("--comment=sfabric:%s", ps->traffic);
	}
	rc = verify_ask(&o->verify, word, n, ps->given->path, err);
	for (uint32_t i = 0; i < n; i++)
		free(word[i]);
	free(word);
	if (rc != 0)
		return -1;
	o->verified = 1;
	now = o->verify.nodes && verify_starts_now(&o->verify);
	if (o->ours)
		o->same = now && is_same_host_set(p, o, o->verify.nodes);
	else if (o->reason == SFAB_STOCK_FEW_NODES)
		o->same = !now;
	else
		o->same = -1;
	return 0;
}

/*
 * Slurm places the job, so its choice is what we can preview.  They count as
 * free for the comparison with other policies, which may then choose them as
 * well.
 */
static void take_slurms_nodes(struct outcome *o, struct preview_context *p)
{
	uint32_t n;
	uint8_t *flags;

	if (o->ours || o->host || !o->verified || !o->verify.nodes)
		return;
	flags = hosts_flags(p->site.f, o->verify.nodes, &n, NULL);
	if (!flags)
		return;
	o->n = n;
	o->host = hosts_ids(p->site.f, flags, n);
	for (uint32_t i = 0; i < n; i++) {
		p->navail += !p->avail[o->host[i]];
		p->avail[o->host[i]] = 1;
	}
	free(flags);
}

/* Nodes that Slurm chose get a score and predictions too, but no search to report. */
static int say_nodes(const struct outcome *o, const struct sbatch *job,
		     struct preview_context *p, struct answer *a, struct sfab_err *err)
{
	struct preview v;
	int rc;

	if (preview_given(p, o->host, o->n, &v, err) != 0)
		return -1;
	p->cores = sbatch_cores(job, o->n);
	v.name = o->ours || o->scored ? "sfabric" : "slurm";
	if (o->scored) {
		v.choice.score = o->score;
		v.choice.most = o->most;
		v.choice.most_lost = o->most_lost;
		v.advice = advice_find(p, &v.choice);
		report_search(&a->report, "default", p->request.seed, o->steps);
	}
	rc = preview_answer(p, &v, preview_plain, o->scored ? PREVIEW_PLAIN : 0,
			    a, err);
	preview_clear(&v);
	return rc;
}

int place_slurm(const struct place_slurm *ps, struct preview_context *p,
		struct answer *a, struct sfab_err *err)
{
	struct outcome o = { 0 };
	int rc = ask_place_service(&o, ps, p, &a->report, err);

	if (rc == 0 && ps->verify)
		rc = verify_by_sbatch(&o, ps, p, err);
	if (rc == 0) {
		take_slurms_nodes(&o, p);
		outcome_say_decision(&o, a);
		if (o.n)
			rc = say_nodes(&o, ps->job, p, a, err);
		else if (a->options->json) {
			struct json_object *data = a->report.data;
			char traffic[1024];

			/*
			 * Nodes are not known: fields that need them are left
			 * out.
			 */
			sfab_traffic_text(&p->traffic, traffic,
					  sizeof(traffic));
			json_add(data, "traffic", json_name(traffic));
			json_add(data, "nodes", json_object_new_string(""));
			json_add(data, "node_list", json_object_new_array());
		}
	}
	if (rc == 0) {
		outcome_say_verify(&o, a);
		if (o.verified && o.same == 0)
			rc = STATUS_FOUND;
	}
	outcome_free(&o);
	return rc;
}
