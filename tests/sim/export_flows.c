/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * export_flows.c - the flows of a job with the max-min rates that we predict, as text for
 * another simulator
 *
 *     export_flows IOHOSTS GB/S HOSTS TRAFFIC FILE...
 *
 *     r RESOURCE BYTES/S                     capacity of what flows share
 *     f BYTES/S FROM TO RESOURCE RESOURCE... rate, end ports, and what is crossed
 *
 * TRAFFIC is one class; FILEs are a fabric and its tables without port groups.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/fabric/route.h"
#include "core/predict/flows.h"
#include "core/predict/predict.h"
#include "io/hostlist.h"
#include "io/readers/reader.h"

static void must(int ok, const struct sfab_err *err)
{
	if (ok)
		return;
	fprintf(stderr, "export_flows: %s\n", err->text);
	exit(1);
}

static struct sfab_fabric *import(const char *const *file, int n)
{
	struct sfab_err err = { SFAB_ENOMEM, "no memory" };
	struct sfab_builder *b = sfab_builder_create(SFAB_BUILD_STRICT);
	struct sfab_fabric *f;

	must(b && sfab_builder_add_plane(b, "", &err) == 0, &err);
	must(sfab_reader_import(b, 0, file, (uint32_t) n, NULL, NULL, &err) == 0, &err);
	f = sfab_builder_freeze(b, &err);
	must(f != NULL, &err);
	sfab_builder_destroy(b);
	return f;
}

static struct sfab_iosets *io_hosts(const struct sfab_fabric *f,
				    const char *list, double capacity)
{
	struct sfab_err err;
	struct sfab_names names;
	struct sfab_iosets *io;

	must(sfab_hostlist_expand(list, &names, &err) == 0, &err);
	struct sfab_ioset_spec job = {
		.name = "io",
		.map = SFAB_IOMAP_ALL,
		.nhosts = names.n,
		.host = (const char *const *) names.name,
		.capacity = capacity,
	};
	io = sfab_iosets_create(f, &job, 1, &err);
	must(io != NULL, &err);
	sfab_names_free(&names);
	return io;
}

static uint32_t *host_ids(const struct sfab_fabric *f, const char *list,
			  uint32_t *n)
{
	struct sfab_err err;
	struct sfab_names names;
	uint32_t *id;

	must(sfab_hostlist_expand(list, &names, &err) == 0, &err);
	id = calloc(names.n, sizeof(*id));
	for (*n = 0; *n < names.n; ++*n) {
		id[*n] = sfab_fabric_host(f, names.name[*n]);
		if (id[*n] == SFAB_NONE)
			sfab_fail(&err, SFAB_ENOENT, "no host %s", names.name[*n]);
		must(id[*n] != SFAB_NONE, &err);
	}
	sfab_names_free(&names);
	return id;
}

struct printer {
	const struct sfab_model *m;
	const double *level;	/* by resource: rate at which it became full */
	struct sfab_route r;
};

static double lower(double x, double y)
{
	return x < y ? x : y;
}

/* The max-min rate of the flow on the route, which crosses @io_res too. */
static double rate_of(const struct printer *p, uint32_t io_res)
{
	double rate = io_res != SFAB_NONE ? p->level[io_res] : INFINITY;

	for (uint32_t i = 0; i < p->r.n; i++)
		rate = lower(rate, p->level[p->r.hop[i].link]);
	return rate;
}

static int print_flow(void *ctx, uint32_t src, uint32_t dst, uint32_t io_res,
		      double weight)
{
	struct printer *p = ctx;

	(void) weight;
	if (sfab_route_ports(p->m->f, src, dst, &p->r) < 0 ||
	    p->r.status != SFAB_ROUTE_OK)
		return -1;
	printf("f %.17g %u %u", rate_of(p, io_res), src, dst);
	for (uint32_t i = 0; i < p->r.n; i++)
		printf(" %u", p->r.hop[i].link);
	if (io_res != SFAB_NONE)
		printf(" %u", io_res);
	putchar('\n');
	return 0;
}

static void print_all(const struct sfab_model *m, const struct sfab_job *job)
{
	struct sfab_err err;
	struct sfab_prediction sum;
	double *level = calloc(m->nres + 1u, sizeof(*level));
	struct printer p = { .m = m, .level = level };

	must(sfab_predict(m, job, 0, &sum, level, &err) == 0, &err);
	for (uint32_t e = 0; e < m->nres; e++)
		printf("r %u %.17g\n", e, 1.0 / m->inv_cap[e]);
	must(sfab_flows(m, job, &job->traffic->part[0], print_flow, &p, &err)
	     == 0, &err);
	sfab_route_clear(&p.r);
	free(level);
}

int main(int argc, char **argv)
{
	struct sfab_err err = { SFAB_EINVAL, "usage" };
	struct sfab_traffic traffic;
	struct sfab_job job = { .traffic = &traffic };

	must(argc > 5, &err);
	must(sfab_traffic_parse(argv[4], NULL, &traffic, &err) == 0, &err);
	struct sfab_fabric *f = import((const char *const *) argv + 5, argc - 5);
	struct sfab_iosets *io = io_hosts(f, argv[1], atof(argv[2]) * 1e9);
	struct sfab_model *m = sfab_model_create(f, io);
	uint32_t *host = host_ids(f, argv[3], &job.n);

	must(m != NULL, &err);
	job.host = host;
	print_all(m, &job);
	free(host);
	sfab_model_destroy(m);
	sfab_iosets_destroy(io);
	sfab_fabric_destroy(f);
	return 0;
}
