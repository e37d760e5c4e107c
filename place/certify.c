/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * certify.c - the certificate of a job that begins on the nodes chosen for it; see
 * place_private.h
 *
 * Three facts by the tables alone: what its IO reaches, which steps of its collectives have no
 * conflict, and which running jobs load a switch link that it loads too.  All are computed
 * after the job's load was added, once, for log and AdminComment.
 */

#include "place/place_private.h"

#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"

/*
 * The steps of larger jobs are left to the commands, which have the time: they take a third of
 * the search's time with 64 of 640 hosts, 0.4 of it with 128 of 4,341, and 0.6 with 512 (make
 * bench-speed).
 */
#define STEPS_HOSTS_MAX 128

void sfab_place_certify(struct sfab_place *p, const struct sfab_running_job *job)
{
	struct sfab_traffic traffic;
	struct sfab_job spec;

	p->is_certified = 0;
	if (!job || !p->generation || !p->is_ready || !p->generation_fits ||
	    p->begin_decision.reason != SFAB_PLACED)
		return;
	memset(&p->certificate, 0, sizeof(p->certificate));
	/* Without memory there is no certificate, and nothing else is lost. */
	spec = sfab_jobload_spec(p->generation, &p->nodes, job, &p->scratch, &traffic);
	if (sfab_certificate_set_io(p->generation->model, &spec, &p->certificate, NULL) < 0)
		return;
	if (spec.n <= STEPS_HOSTS_MAX) {
		/* Ranks go by host id, as in every command, whatever Slurm's node index is. */
		qsort(p->scratch.job_host, spec.n, sizeof(*p->scratch.job_host),
		      sfab_ascending_u32);
		sfab_certificate_set_patterns(p->generation->model, spec.traffic, &p->certificate);
		if (sfab_certificate_set_steps(p->generation->stepper, spec.n, spec.host,
					       &p->certificate, NULL) < 0)
			return;
	}
	p->is_certified = sfab_certificate_set_shares(p->generation->jobs, job->id,
						      &p->certificate, NULL) == 0;
}
