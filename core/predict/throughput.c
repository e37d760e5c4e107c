/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * throughput.c - slowdown by max-min over individual flows; see throughput.h
 *
 * Flows from hosts of one leaf to one destination share their whole path except the first link,
 * and the first link never limits a flow that asks for its part of it.  These flows get the
 * same fraction of their demand, so one bundle represents them: n hosts on k leaves need n x k
 * bundles instead of n x n.
 *
 * The bundles of the running jobs stay in the list.  Those of the job in question are appended,
 * and removed again.
 */

#include "core/predict/throughput.h"

#include <stdlib.h>

#include "core/predict/flows.h"
#include "core/predict/maxmin.h"

struct sfab_throughput {
	const struct sfab_model *m;
	double *cpus;		/* by host: CPUs held / CPUs, of the current job */
	struct sfab_bundles flows;	/* their amount is their demand, bytes/s */
};

struct sfab_throughput *sfab_throughput_create(const struct sfab_model *m)
{
	struct sfab_throughput *t = calloc(1, sizeof(*t));

	if (!t)
		return NULL;
	t->m = m;
	t->cpus = calloc(m->f->nhosts + 1u, sizeof(*t->cpus));
	if (t->cpus)
		return t;
	sfab_throughput_destroy(t);
	return NULL;
}

void sfab_throughput_destroy(struct sfab_throughput *t)
{
	if (!t)
		return;
	sfab_bundles_free(&t->flows);
	free(t->cpus);
	free(t);
}

struct flow_walk {
	struct sfab_throughput *t;
	const struct sfab_traffic_part *part;
};

/* Add a fan as one bundle of the demand of all its senders; see the head of this file. */
static int add_job_fan(void *ctx, const struct sfab_senders *senders, uint32_t except,
		       uint32_t dst, uint32_t io_res, double weight)
{
	struct flow_walk *w = ctx;
	const struct sfab_fabric *f = w->t->m->f;
	int is_read = w->part->class == SFAB_IO_READ;
	double demand = 0;

	for (uint32_t i = 0; i < senders->n; i++) {
		const struct sfab_port *client = &f->ports[is_read ? dst : senders->port[i]];

		if (i != except && sfab_bundles_can_send(f, senders->port[i]))
			demand += weight * (w->part->share * client->rate *
					    w->t->cpus[client->host]);
	}
	return demand > 0 ? sfab_bundles_add(&w->t->flows, w->t->m, senders->port[0], dst, io_res,
					     is_read, demand) : 0;
}

/* Append the bundles of @job; none of them if it fails. */
int sfab_throughput_add(struct sfab_throughput *t, const struct sfab_job *job,
			struct sfab_err *err)
{
	const struct sfab_traffic *traffic = job->traffic;
	struct flow_walk w = { .t = t };
	uint32_t running = t->flows.n;
	int rc = 0;

	for (uint32_t i = 0; i < job->n; i++)
		t->cpus[job->host[i]] = job->cpus ? job->cpus[i] : 1;
	for (uint32_t i = 0; i < traffic->nparts && rc == 0; i++) {
		w.part = &traffic->part[i];
		if (w.part->share > 0)
			rc = sfab_flows_fan(t->m, job, w.part, add_job_fan, &w, err);
	}
	if (rc < 0 && t->flows.nhops >= SFAB_BUNDLE_HOPS_MAX)
		sfab_bundles_failed(&t->flows, err);
	if (rc < 0)
		sfab_bundles_cut(&t->flows, running);
	return rc;
}

/* Set *@sum to the rates of the bundles from @job_first on, if only those from @first on send. */
static int fill_and_sum(struct sfab_throughput *t, uint32_t first, uint32_t job_first,
			int ends_only, double *sum, struct sfab_err *err)
{
	struct sfab_bundles b = t->flows;	/* borrows its arrays */
	double *rate = calloc(b.n + 1u, sizeof(*rate));
	int rc = rate ? 0 : sfab_no_memory(err);

	b.n -= first;
	if (b.n) {
		b.first += first;
		b.amount += first;
	}
	*sum = 0;
	/* Nobody gets more than it asks for. */
	if (rc == 0 && b.n)
		rc = sfab_maxmin(t->m, ends_only, &b, 1, rate, NULL, err);
	for (uint32_t i = job_first - first; rc == 0 && i < b.n; i++)
		*sum += rate[i];
	free(rate);
	return rc;
}

int sfab_throughput_beside(struct sfab_throughput *t, const struct sfab_job *job,
			   double *rate, double *slowdown, struct sfab_err *err)
{
	uint32_t running = t->flows.n;
	double ideal = 0;
	int rc = sfab_throughput_add(t, job, err), has_io = 0;

	for (uint32_t i = 0; i < job->traffic->nparts; i++)
		has_io |= job->traffic->part[i].share > 0 &&
			  sfab_class_is_io(job->traffic->part[i].class);
	if (rc == 0)
		rc = fill_and_sum(t, 0, running, 0, rate, err);
	/* Only IO shares its ends with other jobs. */
	if (rc == 0 && slowdown)
		rc = fill_and_sum(t, has_io ? 0 : running, running, 1, &ideal, err);
	if (rc == 0 && slowdown)
		*slowdown = *rate > 0 && ideal > *rate ? ideal / *rate : 1;
	sfab_bundles_cut(&t->flows, running);
	return rc;
}
