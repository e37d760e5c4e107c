/* SPDX-License-Identifier: GPL-2.0-or-later */
/* certificate.c - what IO reaches, steps without conflict, links shared; see certificate.h */

#include "core/load/certificate.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "core/load/demand.h"
#include "core/load/jobs_private.h"
#include "core/load/stepper_private.h"

/*
 * Loads that differ by less count as equal.  The log keeps shares of CPUs and traffic in six
 * digits or more: whoever computes the certificate again must find the same order.
 */
#define SAME_LOAD (1 - 1e-4)

void sfab_certificate_set_patterns(const struct sfab_model *m,
				   const struct sfab_traffic *t,
				   struct sfab_certificate *out)
{
	double mix[SFAB_NPATTERNS];

	sfab_traffic_mix(t, m->mix, mix);
	mix[SFAB_RING] += sfab_traffic_class_share(t, SFAB_NEIGHBOR);
	out->npatterns = 0;
	for (int k = 0; k < SFAB_NPATTERNS; k++)
		if (mix[k] > 0 && k != SFAB_UNIFORM)
			out->pattern[out->npatterns++] = (enum sfab_pattern) k;
}

int sfab_certificate_set_steps(struct sfab_stepper *sp, uint32_t n, const uint32_t *host,
			       struct sfab_certificate *out, struct sfab_err *err)
{
	const struct sfab_collective c = { .n = n, .host = host, .share = 1 };

	if (sp->m->f->adaptive) {
		out->npatterns = 0;
		return 0;
	}
	out->has_steps = 1;
	if (out->npatterns && sfab_stepper_take(sp, &c, err) < 0)
		return -1;
	for (uint32_t i = 0; i < out->npatterns; i++)
		if (sfab_stepper_steps(sp, out->pattern[i], &out->steps[i], NULL,
				       err) < 0)
			return -1;
	return 0;
}

/* -- IO ---------------------------------------------------------------------- */

/*
 * Return the rate if all flows are as slow as the fullest resource, and the same without switch
 * links.
 */
static struct sfab_certificate_io rate_of_load(const struct sfab_model *m,
					       const struct sfab_load *l)
{
	double total = 0, ends = 0, links = 0;

	for (uint32_t i = 0; i < l->ntouched; i++) {
		uint32_t e = l->touched[i];
		double x = l->v[e] * m->inv_cap[e];

		if (e >= m->f->nlinks)	/* each byte passes one IO port */
			total += l->v[e];
		if (m->isl[e])
			links = fmax(links, x);
		else
			ends = fmax(ends, x);
	}
	if (!(total > 0) || !(ends > 0))
		return (struct sfab_certificate_io){ 0, 0 };
	return (struct sfab_certificate_io){ total / fmax(ends, links), total / ends };
}

int sfab_certificate_set_io(const struct sfab_model *m, const struct sfab_job *job,
			    struct sfab_certificate *out, struct sfab_err *err)
{
	struct sfab_load load;
	int rc = 0;

	if (sfab_load_init(&load, m->nres) < 0)
		return sfab_no_memory(err);
	for (uint32_t i = 0; i < job->traffic->nparts && rc == 0; i++) {
		const struct sfab_traffic_part *part = &job->traffic->part[i];
		struct sfab_job whole = { .n = job->n, .host = job->host };
		struct sfab_certificate_io x, *io = &out->io[part->class == SFAB_IO_READ];

		if (!sfab_class_is_io(part->class) || !(part->share > 0))
			continue;
		sfab_load_clear(&load);
		rc = sfab_demand_part(m, &whole, part, &load, err);
		x = rate_of_load(m, &load);
		/* If the job uses several sets, the one that gets the smallest part counts. */
		if (x.allowed > 0 &&
		    (!(io->allowed > 0) || x.rate * io->allowed < io->rate * x.allowed))
			*io = x;
	}
	sfab_load_free(&load);
	return rc;
}

/* -- shares ------------------------------------------------------------------ */

/*
 * Sum the job's loads by resource in js->scratch.  Loads are whole numbers, so a link carries
 * others exactly if the total exceeds this sum.
 */
static void count_shared_links(struct sfab_jobs *js, const struct loaded_job *j,
			       struct sfab_certificate *out)
{
	struct sfab_load *job_load = &js->scratch;

	for (uint32_t i = 0; i < j->nuses; i++)
		if (js->m->isl[j->use[i].res])
			sfab_load_add(job_load, j->use[i].res, j->use[i].rate);
	out->links = job_load->ntouched;
	for (uint32_t i = 0; i < job_load->ntouched; i++) {
		uint32_t e = job_load->touched[i];
		double fill = js->demand[e] * js->m->inv_cap[e];

		if (!(js->demand[e] > job_load->v[e]))
			continue;
		out->shared_links++;
		if (fill * SAME_LOAD > out->worst_fill ||
		    (fill > out->worst_fill * SAME_LOAD && e < out->worst_link)) {
			out->worst_fill = fill;
			out->worst_link = e;
		}
	}
}

/* Add the loads of all uses in a list to their jobs. */
static void add_shared_rates(const struct job_use_list *l)
{
	for (uint32_t k = 0; k < l->n; k++)
		l->use[k]->part->job->shared_rate += l->use[k]->rate;
}

/*
 * Other jobs are found by all uses of all jobs, which are sequential in memory, or by the lists
 * of the job's links, whose entries are scattered: one of these costs as much as eight
 * sequential ones (measured with 500 jobs on 4,341 hosts).
 */
#define JUMP_COST 8

/* Set the load of each other job on the links in js->scratch. */
static void sum_shared_rates(const struct sfab_jobs *js, struct loaded_job *j)
{
	const struct sfab_load *job_load = &js->scratch;
	struct loaded_job *x, *next;
	uint64_t jumps = 0;

	for (uint32_t i = 0; i < job_load->ntouched; i++)
		jumps += js->list[job_load->touched[i]].n +
			 js->list[js->m->nres + job_load->touched[i]].n;
	HASH_ITER(hh, js->jobs, x, next) {
		x->shared_rate = 0;
		if (x->suspended || jumps * JUMP_COST <= js->nuses)
			continue;
		for (uint32_t i = 0; i < x->nuses; i++)
			if (job_load->v[x->use[i].res] > 0)
				x->shared_rate += x->use[i].rate;
	}
	if (jumps * JUMP_COST <= js->nuses)
		for (uint32_t i = 0; i < job_load->ntouched; i++) {
			add_shared_rates(&js->list[job_load->touched[i]]);
			add_shared_rates(&js->list[js->m->nres + job_load->touched[i]]);
		}
	j->shared_rate = 0;
}

/* Find the job with the largest shared load, of equal ones that of the lowest id.  NULL: none. */
static struct loaded_job *find_largest_sharer(const struct sfab_jobs *js)
{
	struct loaded_job *j, *next, *top = NULL;
	double max = 0;

	HASH_ITER(hh, js->jobs, j, next)
		max = j->shared_rate > max ? j->shared_rate : max;
	HASH_ITER(hh, js->jobs, j, next)
		if (j->shared_rate > 0 && j->shared_rate >= max * SAME_LOAD &&
		    (!top || j->id < top->id))
			top = j;
	return top;
}

int sfab_certificate_set_shares(struct sfab_jobs *js, uint64_t id,
				struct sfab_certificate *out, struct sfab_err *err)
{
	struct loaded_job *j = sfab_jobs_find(js, id), *x, *next;

	out->links = out->running = out->shared_links = out->sharing = 0;
	out->nids = 0;
	out->worst_link = SFAB_NONE;
	out->worst_fill = 0;
	if (!j || j->suspended)
		return sfab_fail(err, SFAB_EINVAL, "job %llu does not run",
				 (unsigned long long) id);
	count_shared_links(js, j, out);
	sum_shared_rates(js, j);
	sfab_load_clear(&js->scratch);
	HASH_ITER(hh, js->jobs, x, next) {
		out->running += !x->suspended && x != j;
		out->sharing += x->shared_rate > 0;
	}
	while (out->nids < SFAB_CERTIFICATE_IDS && (x = find_largest_sharer(js))) {
		out->id[out->nids++] = x->id;
		x->shared_rate = 0;
	}
	return 0;
}

int sfab_certificate_set_candidate_shares(struct sfab_jobs *js, const struct sfab_job *job,
					  struct sfab_certificate *out, struct sfab_err *err)
{
	uint64_t id = UINT64_MAX;	/* no job of Slurm has it */
	int rc;

	while (sfab_jobs_has(js, id))
		id--;
	if (sfab_jobs_add(js, id, job, err) < 0)
		return -1;
	rc = sfab_certificate_set_shares(js, id, out, err);
	sfab_jobs_remove(js, id);
	return rc;
}

/* -- in words ---------------------------------------------------------------- */

/* Append the next part of the sentence, after a comma unless it is the first. */
__attribute__((format(printf, 2, 3))) static void
append_part(char *buf, const char *fmt, ...)
{
	size_t n = strlen(buf);
	va_list ap;

	if (n)
		snprintf(buf + n, SFAB_CERTIFICATE_TEXT - n, ", ");
	n = strlen(buf);
	va_start(ap, fmt);
	vsnprintf(buf + n, SFAB_CERTIFICATE_TEXT - n, fmt, ap);
	va_end(ap);
}

/* Append "IO alone 48.5 of 55 GB/s".  Reads and writes are one if they get the same. */
static void append_io(char *buf, const struct sfab_certificate *c)
{
	const struct sfab_certificate_io *w = &c->io[0], *r = &c->io[1];
	char text[2][64];

	for (int i = 0; i < 2; i++)
		snprintf(text[i], sizeof(text[i]), "alone %.10g of %.10g GB/s",
			 round(c->io[i].rate / 1e8) / 10, round(c->io[i].allowed / 1e8) / 10);
	if (w->allowed > 0 && r->allowed > 0 && strcmp(text[0], text[1]) != 0)
		append_part(buf, "%s %s, %s %s", sfab_class_name(SFAB_IO_WRITE), text[0],
			    sfab_class_name(SFAB_IO_READ), text[1]);
	else if (w->allowed > 0 || r->allowed > 0)
		append_part(buf, "IO %s", w->allowed > 0 ? text[0] : text[1]);
}

/* Append "92 of 140 sampled of 521 steps clear", summed over the patterns. */
static void append_steps(char *buf, const struct sfab_certificate *c)
{
	uint32_t total = 0, sampled = 0, clear = 0;
	char total_text[40] = "";

	for (uint32_t i = 0; i < c->npatterns; i++) {
		total += c->steps[i].nsteps;
		sampled += c->steps[i].nsampled;
		clear += c->steps[i].nsampled - c->steps[i].conflicts;
	}
	if (!total)
		return;
	if (sampled < total)
		snprintf(total_text, sizeof(total_text), " sampled of %" PRIu32, total);
	append_part(buf, "%" PRIu32 " of %" PRIu32 "%s step%s clear",
		    clear, sampled, total_text, total == 1 ? "" : "s");
}

char *sfab_certificate_text(const struct sfab_certificate *c, char buf[SFAB_CERTIFICATE_TEXT])
{
	const char *jobs = c->running == 1 ? "job" : "jobs";
	uint64_t lost = 0;

	for (uint32_t i = 0; i < c->npatterns; i++)
		lost += c->steps[i].lost;
	buf[0] = '\0';
	append_io(buf, c);
	if (c->links)
		append_steps(buf, c);
	if (!c->links)
		append_part(buf, "uses no switch link");
	else if (!c->running)
		append_part(buf, "shares no switch link at its start (no other job runs)");
	else if (!c->sharing)
		append_part(buf, "shares no switch link with %" PRIu32 " running %s "
			    "at its start", c->running, jobs);
	else
		append_part(buf, "shares %" PRIu32 " switch link%s with %" PRIu32
			    " of %" PRIu32 " running %s at its start", c->shared_links,
			    c->shared_links == 1 ? "" : "s", c->sharing,
			    c->running, jobs);
	/* A pair that cannot talk has no conflict, which is no merit. */
	if (lost)
		append_part(buf, "%" PRIu64 " pairs in these steps have no route",
			    lost);
	return buf;
}
