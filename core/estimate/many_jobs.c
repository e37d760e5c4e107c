/* SPDX-License-Identifier: GPL-2.0-or-later */
/* many_jobs.c - more jobs than can be solved for; see many_jobs.h */

#include "core/estimate/many_jobs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"
#include "core/estimate/found_traffic.h"

/* Less is no class of a job, as for jobs with columns. */
#define ALONE_MIN 0.03
/* What a host sends besides IO, such as to a login node, is not told apart. */
#define ALONE_SURE 0.75

struct crowd_rank {
	double load;		/* hosts, as far as they are in the rates */
	int many;		/* of several hosts */
	uint32_t job;
};

static int compare_rank(const void *a, const void *b)
{
	const struct crowd_rank *x = a, *y = b;

	if (x->many != y->many)
		return y->many - x->many;
	if (x->load != y->load)
		return x->load > y->load ? -1 : 1;
	return x->job < y->job ? -1 : x->job > y->job;
}

uint32_t sfab_pick_jobs(const struct sfab_estimate_job *job, uint32_t n, uint32_t most,
			uint32_t *picked)
{
	struct crowd_rank *rank = calloc(n + 1u, sizeof(*rank));
	uint32_t count = 0;

	if (!rank)
		return SFAB_NONE;
	for (uint32_t i = 0; i < n; i++)
		rank[i] = (struct crowd_rank){ job[i].n * job[i].part, job[i].n > 1, i };
	qsort(rank, n, sizeof(*rank), compare_rank);
	for (uint32_t i = 0; i < n; i++)
		if (rank[i].load > 0 && job[rank[i].job].n <= most) {
			most -= job[rank[i].job].n;
			picked[count++] = rank[i].job;
		}
	free(rank);
	qsort(picked, count, sizeof(*picked), sfab_ascending_u32);
	return count;
}

int sfab_estimate_alone(const struct sfab_model *m, const struct sfab_estimate_job *job,
			const double *rate, const uint32_t *alone,
			struct sfab_estimate *out)
{
	const struct sfab_fabric *f = m->f;
	const struct sfab_host *h;
	double sent = 0, got = 0, most = 0;

	memset(out, 0, sizeof(*out));
	if (job->n != 1 || !(job->part > 0) || alone[job->host[0]] != 1 || !m->io ||
	    m->io->nsets != 1)
		return -1;
	h = &f->hosts[job->host[0]];
	for (uint32_t i = h->port0; i < h->port0 + h->nports; i++) {
		const struct sfab_port *p = &f->ports[i];

		if (!sfab_port_is_cabled(p))
			continue;
		if (!(rate[p->inject] >= 0) || !(rate[p->eject] >= 0))
			return -1;
		sent += rate[p->inject];
		got += rate[p->eject];
		most += p->rate * job->part;
	}
	if (!(most > 0))
		return -1;
	out->passed.nparts = 2;
	out->passed.part[0].class = SFAB_IO_WRITE;
	out->passed.part[0].share = fmin(sent / most, 1);
	out->passed.part[1].class = SFAB_IO_READ;
	out->passed.part[1].share = fmin(got / most, 1);
	sfab_tidy_found(&out->passed, ALONE_MIN);
	out->confidence = ALONE_SURE;
	return 0;
}
