/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * link_values.c - the quantity to draw, by link; see link_values.h
 *
 * Sources differ in what they know: routes between sets have no waiting, jobs no destination
 * LIDs, counters no routes.  So each source first refuses quantities that it does not have; the
 * message names both.
 */

#include "tools/plot/link_values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/fabric/route.h"
#include "core/predict/flows.h"
#include "tools/site/hostset.h"
#include "tools/site/linkload.h"

/* The names are those of --value, as in LINK_VALUE_CHOICES. */
static const struct {
	const char *name, *unit;
} values[NLINK_VALUES] = {
	[VALUE_ROUTES] = { "routes", "routes" },
	[VALUE_DLIDS] = { "dlids", "dlids" },
	[VALUE_LOAD] = { "load", "GB/s" },
	[VALUE_PERCENT] = { "percent", "% of capacity" },
	[VALUE_WAIT] = { "wait", "% waiting" },
};

const char *link_value_unit(enum link_value value)
{
	return values[value].unit;
}

const char *link_value_name(enum link_value value)
{
	return values[value].name;
}

/* Return -1 with a reason like "value wait: not available for sets". */
static int refuse_value(enum link_value value, const char *source, struct sfab_err *err)
{
	return sfab_fail(err, SFAB_EINVAL, "value %s: not available for %s",
			 values[value].name, source);
}

double link_value_in_unit(enum link_value value, double bytes, const struct sfab_link *l)
{
	return value == VALUE_PERCENT ? 100 * bytes / l->capacity : bytes / SFAB_GB;
}

static void scale_bytes(const struct sfab_fabric *f, enum link_value value, double *out)
{
	for (uint32_t i = 0; i < f->nlinks; i++)
		out[i] = link_value_in_unit(value, out[i], &f->links[i]);
}

int link_values_of_sets(const struct site *site, const char *from, const char *to,
			enum link_value value, double *out, struct reply *r, struct sfab_err *err)
{
	uint8_t *src = value == VALUE_WAIT ? NULL : hostset_ports(site, from, err);
	uint8_t *dst = src ? hostset_ports(site, to, err) : NULL;
	struct linkload l;
	int rc = value == VALUE_WAIT ? refuse_value(value, "sets", err) :
		 dst ? linkload_count(site->f, src, dst, &l, err) : -1;

	if (rc == 0) {
		for (uint32_t i = 0; i < site->f->nlinks; i++)
			out[i] = value == VALUE_ROUTES ? l.routes[i] :
				 value == VALUE_DLIDS ? l.dlids[i] : l.bytes[i];
		if (value == VALUE_LOAD || value == VALUE_PERCENT)
			scale_bytes(site->f, value, out);
		/* Warn about routes that do not arrive: no cell has them. */
		linkload_warn(&l, r);
		linkload_free(&l);
	}
	free(src);
	free(dst);
	return rc;
}

/* What add_pair_routes() adds to. */
struct pair_routes {
	const struct sfab_fabric *f;
	struct sfab_route route;
	double *out;
};

/*
 * Count the links of a pair's route by their shares, for sfab_flows().  @weight is not used: a
 * pair is one route, however much it sends.  A route that adaptive switches share counts on
 * each port by its share.
 */
static int add_pair_routes(void *ctx, uint32_t src, uint32_t dst, uint32_t io_res, double weight)
{
	struct pair_routes *routes = ctx;

	if (sfab_route_ports(routes->f, src, dst, &routes->route) != 0)
		return -1;
	if (routes->route.status != SFAB_ROUTE_OK)
		return 0;
	for (uint32_t i = 0; i < routes->route.n; i++)
		routes->out[routes->route.hop[i].link] += routes->route.hop[i].share;
	return 0;
}

/*
 * Add the routes or the demand of a job to the links.  Routes are counted pair by pair; loads
 * are known for each job already.  The demand of a job is what it would send if nothing
 * hindered it.
 */
static int add_job_value(const struct preview_context *p, const struct joblist_job *job,
			 enum link_value value, double *out, struct sfab_err *err)
{
	if (job->suspended)
		return 0;
	if (value == VALUE_ROUTES) {
		struct pair_routes routes = { .f = p->site.f, .out = out };
		struct sfab_job spec = joblist_spec(job);
		int rc = 0;

		for (uint32_t i = 0; i < job->traffic.nparts && rc == 0; i++)
			rc = sfab_flows(p->model, &spec, &job->traffic.part[i],
					add_pair_routes, &routes, err);
		sfab_route_clear(&routes.route);
		return rc;
	}
	sfab_jobs_add_demand(p->jobs, job->id, p->site.f->nlinks, out);
	return 0;
}

int link_values_of_jobs(const struct preview_context *p, const struct joblist_job *job,
			enum link_value value, double *out, struct sfab_err *err)
{
	const struct sfab_fabric *f = p->site.f;
	int rc = 0;

	if (value == VALUE_DLIDS || value == VALUE_WAIT)
		return refuse_value(value, "jobs", err);
	memset(out, 0, f->nlinks * sizeof(*out));
	for (uint32_t i = 0; i < p->list.n && rc == 0; i++)
		if (!job || job == &p->list.job[i])
			rc = add_job_value(p, &p->list.job[i], value, out, err);
	if (rc == 0 && value != VALUE_ROUTES)
		scale_bytes(f, value, out);
	return rc;
}

int link_values_measured(const struct sfab_measured *ms, enum link_value value,
			 double *out, struct sfab_err *err)
{
	const struct sfab_fabric *f = ms->f;

	if (value == VALUE_ROUTES || value == VALUE_DLIDS)
		return refuse_value(value, "counters", err);
	for (uint32_t i = 0; i < f->nlinks; i++)
		/* Below 0 means unknown, which a map shows as unused. */
		out[i] = value == VALUE_WAIT ? fmax(100 * ms->wait[i], 0) :
					       fmax(ms->rate[i], 0);
	if (value != VALUE_WAIT)
		scale_bytes(f, value, out);
	return 0;
}
