/* SPDX-License-Identifier: GPL-2.0-or-later */
/* planner.c - all that a placement is asked of; see planner.h */

#include "planner.h"

#include <stdlib.h>
#include <string.h>

#include "joblist.h"
#include "say.h"
#include "set.h"

enum { KEY_TRAFFIC = 0x400, KEY_JOBS, KEY_AVAILABLE, KEY_MAX_STEPS, KEY_SEED };

static const struct argp_option rows[] = {
	{ "traffic", KEY_TRAFFIC, "CLASS[@SET][=SHARE][+...]", 0,
	  "What the job sends: mpi, neighbor, io-write, io-read (else "
	  "DefaultTraffic of sfabric.conf)", 0 },
	{ "jobs", KEY_JOBS, "FILE", 0,
	  "Running jobs, lines of ID HOSTLIST [TRAFFIC]", 0 },
	{ "available", KEY_AVAILABLE, "HOSTLIST", 0,
	  "Hosts that may be used (default: compute hosts without a job)", 0 },
	{ "exclude", 'x', "HOSTLIST", 0, "Hosts that may not be used", 0 },
	{ "max-steps", KEY_MAX_STEPS, "N", 0,
	  "Bound of the search (else MaxSteps of sfabric.conf)", 0 },
	{ "seed", KEY_SEED, "N", 0,
	  "Start of the search's random choices (default 0)", 0 },
	{ 0 }
};

static error_t parse_option(int key, char *arg, struct argp_state *state)
{
	struct planner_options *o = state->input;

	switch (key) {
	case KEY_TRAFFIC:
		o->traffic = arg;
		return 0;
	case KEY_JOBS:
		o->jobs = arg;
		return 0;
	case KEY_AVAILABLE:
		o->available = arg;
		return 0;
	case 'x':
		o->exclude = arg;
		return 0;
	case KEY_MAX_STEPS:
		o->max_steps = (uint32_t) options_count(state, "max-steps",
							arg, 1, UINT32_MAX);
		return 0;
	case KEY_SEED:
		o->seed = options_count(state, "seed", arg, 0, UINT64_MAX);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp planner_argp = { .options = rows, .parser = parse_option };

static int make_parts(struct planner *p, struct sfab_err *err)
{
	p->model = sfab_model_create(p->site.f, p->site.io);
	if (p->model)
		p->jobs = sfab_jobs_create(p->model);
	if (p->jobs)
		p->scorer = sfab_scorer_create(p->model);
	if (!p->scorer)
		return sfab_fail(err, SFAB_ENOMEM, "out of memory");
	return 0;
}

static int read_traffic(struct planner *p, const struct planner_options *o,
			struct sfab_err *err)
{
	const struct sfab_conf *conf = p->site.conf;

	p->traffic = conf->default_traffic;
	if (!o->traffic)
		return 0;
	return sfab_traffic_parse(o->traffic, conf->share, &p->traffic, err);
}

/* Hosts that may be used, jobs' hosts (in @busy) among them only if named. */
static int find_available(struct planner *p, const struct planner_options *o,
			  const uint8_t *busy, struct sfab_err *err)
{
	const struct sfab_fabric *f = p->site.f;
	uint8_t *excluded = NULL;
	uint32_t n;

	if (o->exclude && !(excluded = set_hosts(f, o->exclude, &n, err)))
		return -1;
	if (o->available)
		p->avail = set_hosts(f, o->available, &n, err);
	else
		p->avail = need(f->nhosts, sizeof(*p->avail));
	for (uint32_t h = 0; p->avail && h < f->nhosts; h++) {
		if (!o->available)
			p->avail[h] = !busy[h] && site_role(&p->site, h) ==
						  SFAB_HOST_COMPUTE;
		if (excluded && excluded[h])
			p->avail[h] = 0;
		p->navail += p->avail[h];
	}
	free(excluded);
	return p->avail ? 0 : -1;
}

static int read_state(struct planner *p, const struct planner_options *o,
		      struct sfab_err *err)
{
	uint8_t *busy = need(p->site.f->nhosts, sizeof(*busy));
	int rc = 0;

	if (o->jobs)
		rc = joblist_read(o->jobs, &p->site, p->jobs, busy, err);
	if (rc == 0)
		rc = find_available(p, o, busy, err);
	free(busy);
	return rc;
}

int planner_open(struct planner *p, const struct planner_options *o,
		 struct report *r, struct sfab_err *err)
{
	memset(p, 0, sizeof(*p));
	if (site_open(&p->site, &o->options, r, err) != 0)
		return -1;
	if (make_parts(p, err) != 0 || read_traffic(p, o, err) != 0 ||
	    read_state(p, o, err) != 0) {
		planner_close(p);
		return -1;
	}
	p->request = (struct sfab_request) {
		.avail = p->avail,
		.traffic = &p->traffic,
		.weights = p->site.conf->weights,
		.max_steps = o->max_steps ? o->max_steps :
			     p->site.conf->max_steps,
		.seed = o->seed,
	};
	return 0;
}

void planner_close(struct planner *p)
{
	sfab_scorer_destroy(p->scorer);
	sfab_jobs_destroy(p->jobs);
	sfab_model_destroy(p->model);
	free(p->avail);
	site_close(&p->site);
	memset(p, 0, sizeof(*p));
}
