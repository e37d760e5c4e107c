/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jobload.c - what a running job sends in a world; see jobload.h */

#include "jobload.h"

#include <stdlib.h>
#include <string.h>

int sfab_jobload_room(struct sfab_jobload_room *room, uint32_t nodes)
{
	room->host = calloc(nodes + 1u, sizeof(*room->host));
	room->cpus = calloc(nodes + 1u, sizeof(*room->cpus));
	return room->host && room->cpus ? 0 : -1;
}

void sfab_jobload_room_free(struct sfab_jobload_room *room)
{
	free(room->host);
	free(room->cpus);
	memset(room, 0, sizeof(*room));
}

int sfab_world_lacks(const struct sfab_world *w, const struct sfab_traffic *t)
{
	for (uint32_t i = 0; i < t->nparts; i++) {
		const struct sfab_traffic_part *part = &t->part[i];

		if (!sfab_class_is_io(part->class))
			continue;
		if (!w->io || !w->io->nsets ||
		    (*part->set && sfab_iosets_find(w->io, part->set) == SFAB_NONE))
			return (int) i;
	}
	return -1;
}

struct sfab_script_job sfab_job_of(const struct sfab_place_who *who,
				   const char *partition, uint32_t nodes,
				   uint64_t limit_s)
{
	return (struct sfab_script_job){
		.partition = partition, .account = who->account,
		.qos = who->qos, .name = who->name, .user = who->user,
		.nodes = nodes, .minutes = (uint32_t) (limit_s / 60),
	};
}

static void drop_lacking(const struct sfab_world *w, struct sfab_traffic *out)
{
	int lost;

	while ((lost = sfab_world_lacks(w, out)) >= 0) {
		uint32_t after = --out->nparts - (uint32_t) lost;

		memmove(&out->part[lost], &out->part[lost + 1],
			after * sizeof(out->part[0]));
	}
}

const struct sfab_script_answer *sfab_world_traffic(struct sfab_world *w,
						    struct sfab_script_job job,
						    enum sfab_hint hint,
						    const struct sfab_traffic *own,
						    struct sfab_traffic *out)
{
	const struct sfab_script_answer *said;
	char text[512];

	if (hint == SFAB_HINT_TRAFFIC)
		job.hint = sfab_traffic_text(own, text, sizeof(text));
	said = sfab_rules_ask(hint == SFAB_HINT_OFF ? NULL : w->rules, &job);
	if (said->says & SFAB_SAYS_TRAFFIC)
		*out = said->traffic;
	else
		*out = hint == SFAB_HINT_TRAFFIC ? *own :
						   w->conf->default_traffic;
	drop_lacking(w, out);
	return said;
}

/* List the job's hosts with the part of their CPUs that it holds. */
static uint32_t list_hosts(const struct sfab_nodes *nodes,
			   const struct sfab_running_job *job,
			   struct sfab_jobload_room *room)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < job->n; i++) {
		uint32_t node = job->node[i], host = nodes->host[node];
		double all = nodes->cpus[node], held = job->cpus[i];

		if (host == SFAB_NONE)
			continue;
		room->host[n] = host;
		room->cpus[n++] = all > 0 && held < all ? held / all : 1;
	}
	return n;
}

struct sfab_spec sfab_jobload_spec(struct sfab_world *w,
				   const struct sfab_nodes *nodes,
				   const struct sfab_running_job *job,
				   struct sfab_jobload_room *room,
				   struct sfab_traffic *traffic)
{
	sfab_world_traffic(w, sfab_job_of(&job->who, job->partition, job->n,
					  job->limit_s),
			   job->hint, &job->traffic, traffic);
	return (struct sfab_spec){
		.n = list_hosts(nodes, job, room), .host = room->host,
		.cpus = room->cpus, .traffic = traffic,
	};
}

void sfab_jobload_add(struct sfab_world *w, const struct sfab_nodes *nodes,
		      const struct sfab_running_job *job,
		      struct sfab_jobload_room *room)
{
	struct sfab_traffic traffic;
	struct sfab_spec spec = sfab_jobload_spec(w, nodes, job, room, &traffic);

	if (!spec.n)
		return;
	sfab_jobs_add(w->jobs, job->id, &spec, NULL);
	sfab_jobs_set_times(w->jobs, job->id, job->start_s, job->limit_s);
	if (job->flags & SFAB_RUN_SUSPENDED)
		sfab_jobs_suspend(w->jobs, job->id);
}
