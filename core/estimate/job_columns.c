/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_columns.c - the columns of the matrix; see job_columns.h
 *
 * A class's column is what sfab_demand() says of a share of 1.  The column of an IO
 * port is made of the flows to or from that port.  Shifts count the job's hosts in order
 * of their ids, as class neighbor does, which is the shift by 1.
 */

#include "core/estimate/job_columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"
#include "core/fabric/route.h"
#include "core/load/measured.h"
#include "core/predict/flows.h"
#include "core/resize.h"

/* Of the time: data always waits, where SFAB_FULL_WAIT says that it sometimes does. */
#define ALWAYS_WAITS 0.9
/* Two columns whose entries differ by less than this part are one. */
#define SAME_COLUMN 1e-6
#define SINGLE_HOSTS 6u		/* fewer have no pattern to tell from noise */

/* Is the column from @at on the same as an earlier one of its job? */
static int is_known_pattern(struct job_columns *c, uint32_t block, uint32_t at)
{
	for (uint32_t k = block; k < c->n; k++) {
		uint32_t n = c->first[k + 1] - c->first[k], i = 0;

		if (n != c->used - at)
			continue;
		for (uint32_t e = c->first[k]; e < c->first[k + 1]; e++)
			c->load.v[c->row[e]] -= c->a[e];
		for (uint32_t e = at; e < c->used; e++)
			i += c->load.v[c->row[e]] <= SAME_COLUMN * c->a[e] &&
			     c->load.v[c->row[e]] >= -SAME_COLUMN * c->a[e];
		for (uint32_t e = c->first[k]; e < c->first[k + 1]; e++)
			c->load.v[c->row[e]] += c->a[e];
		if (i == n)
			return 1;
	}
	return 0;
}

/*
 * The scratch load becomes a column, times @part / E, unless it loads nothing that is
 * measured, or what another column of the job does.
 */
static int take_column(struct job_columns *c, struct job_column of, double part)
{
	uint32_t at = c->used;

	if (sfab_one_more(&c->of, c->n, sizeof(*c->of)) < 0 ||
	    sfab_one_more(&c->first, c->n + 1u, sizeof(*c->first)) < 0)
		return -1;
	for (uint32_t i = 0; i < c->load.ntouched; i++) {
		uint32_t r = c->load.touched[i];

		c->load.v[r] *= part / of.ends;
		if (r >= c->m->f->nlinks || !(c->rate[r] >= 0) || !(c->load.v[r] > 0))
			continue;
		if (c->used == UINT32_MAX ||
		    sfab_one_more(&c->row, c->used, sizeof(*c->row)) < 0 ||
		    sfab_one_more(&c->a, c->used, sizeof(*c->a)) < 0)
			return -1;
		c->row[c->used] = r;
		c->a[c->used++] = c->load.v[r];
	}
	if (c->used == at || is_known_pattern(c, c->block[of.job], at)) {
		c->used = at;
	} else {
		c->of[c->n++] = of;
		c->first[c->n] = c->used;
	}
	sfab_load_clear(&c->load);
	return 0;
}

struct sfab_traffic_part sfab_job_column_part(const struct job_columns *c,
					      const struct job_column *k)
{
	struct sfab_traffic_part p = { .class = (enum sfab_class) k->class };

	if (sfab_class_is_io(p.class) && k->set)
		snprintf(p.set, sizeof(p.set), "%s", c->m->io->set[k->set].name);
	return p;
}

/* -- the kinds of column ---------------------------------------------------- */

static int class_column(struct job_columns *c, const struct sfab_estimate_job *job,
			struct job_column of)
{
	const struct sfab_job spec = { .n = job->n, .host = job->host, .cpus = job->cpus };
	const struct sfab_traffic_part part = sfab_job_column_part(c, &of);
	int io = sfab_class_is_io(part.class);

	if (sfab_demand_part(c->m, &spec, &part, &c->load, NULL) < 0)
		return -1;
	of.ends = 1;
	for (uint32_t i = 0; io && i < c->load.ntouched; i++) {
		uint32_t r = c->load.touched[i];

		if (!c->m->isl[r])
			of.ends = fmax(of.ends, c->load.v[r] * c->m->inv_cap[r]);
	}
	if (io)
		c->ends[2 * of.set + (of.class == SFAB_IO_READ)] = of.ends;
	return take_column(c, of, job->part);
}

static int other_column(struct job_columns *c, const struct sfab_estimate_job *job,
			uint32_t at)
{
	const struct sfab_fabric *f = c->m->f;

	for (uint32_t i = 0; i < job->n; i++) {
		const struct sfab_host *h = &f->hosts[job->host[i]];

		for (uint32_t p = h->port0; p < h->port0 + h->nports; p++) {
			double x = f->ports[p].rate * c->cpus[job->host[i]];

			if (!sfab_port_is_cabled(&f->ports[p]))
				continue;
			sfab_load_add(&c->load, f->ports[p].inject, x);
			sfab_load_add(&c->load, f->ports[p].eject, x);
		}
	}
	return take_column(c, (struct job_column){ .job = at, .kind = SENDS_OTHER,
					       .class = SFAB_MPI, .ends = 1 }, job->part);
}

/* -- single IO ports -------------------------------------------------------- */

struct io_flow {
	uint32_t port, src, dst;	/* the port first, to sort by it */
};

struct io_flows {
	struct job_columns *c;
	int write;
	uint32_t n;
	struct io_flow *flow;
};

static int keep_flow(void *ctx, uint32_t src, uint32_t dst, uint32_t io_res,
		     double weight)
{
	struct io_flows *w = ctx;

	if (!w->c->picked[2 * (io_res - w->c->m->f->nlinks) + !w->write])
		return 0;
	if (sfab_one_more(&w->flow, w->n, sizeof(*w->flow)) < 0)
		return -1;
	w->flow[w->n++] = (struct io_flow){ io_res - w->c->m->f->nlinks, src, dst };
	return 0;
}

/* What the classes do not explain on the link to or from an IO port. */
static double port_excess(const struct job_columns *c, uint32_t i, int read)
{
	const struct sfab_port *p = &c->m->f->ports[c->m->io->ioport[i]];

	return !c->left || !sfab_port_is_cabled(p) ? 0 : c->left[read ? p->inject : p->eject];
}

/*
 * Where there are many IO ports, the ones with most that the classes do not explain have
 * columns: a few that serve a job carry more than their part.
 */
static void pick_ports(struct job_columns *c, uint32_t nports, int read)
{
	for (uint32_t n = 0; n < nports && n < SFAB_ESTIMATE_PORTS; n++) {
		uint32_t most = SFAB_NONE;

		for (uint32_t i = 0; i < nports; i++)
			if (!c->picked[2 * i + read] &&
			    (most == SFAB_NONE || port_excess(c, i, read) >
						  port_excess(c, most, read)))
				most = i;
		c->picked[2 * most + read] = 1;
	}
}

/* Columns for IO of class of.class with each port of set of.set. */
static int port_columns(struct job_columns *c, const struct sfab_estimate_job *job,
			struct job_column of)
{
	struct io_flows w = { .c = c, .write = of.class == SFAB_IO_WRITE };
	const struct sfab_traffic_part part = sfab_job_column_part(c, &of);
	const struct sfab_job spec = { .n = job->n, .host = job->host };
	const struct sfab_fabric *f = c->m->f;
	struct sfab_route r = { 0 };
	int rc = sfab_flows(c->m, &spec, &part, keep_flow, &w, NULL);

	of.ends = c->ends[2 * of.set + !w.write];
	if (w.n)
		qsort(w.flow, w.n, sizeof(*w.flow), sfab_ascending_u32);
	for (uint32_t i = 0; rc == 0 && i < w.n; i++) {
		const struct io_flow *flow = &w.flow[i];
		const struct sfab_port *client = &f->ports[w.write ? flow->src : flow->dst];
		double x = client->rate * c->cpus[client->host];

		rc = sfab_route_ports(f, flow->src, flow->dst, &r);
		for (uint32_t k = 0; rc == 0 && r.status == SFAB_ROUTE_OK && k < r.n; k++)
			sfab_load_add(&c->load, r.hop[k].link, x * r.hop[k].share);
		of.port = flow->port;
		if (rc == 0 && (i + 1 == w.n || w.flow[i + 1].port != of.port))
			rc = take_column(c, of, job->part);
	}
	sfab_route_clear(&r);
	free(w.flow);
	return rc;
}

/* -- single shifts ---------------------------------------------------------- */

/* Half of what host @from sends goes to host @to. */
static int load_half(struct job_columns *c, uint32_t from, uint32_t to,
		     struct sfab_route *r)
{
	const struct sfab_model *m = c->m;

	for (uint32_t rail = 0; rail < m->nrails; rail++) {
		uint32_t src = m->rail_src[(size_t) rail * m->f->nhosts + from];
		uint32_t dst = m->rail_dst[(size_t) rail * m->f->nhosts + to];

		if (src == SFAB_NONE || dst == SFAB_NONE)
			continue;
		if (sfab_route_ports(m->f, src, dst, r) < 0)
			return -1;
		for (uint32_t i = 0; r->status == SFAB_ROUTE_OK && i < r->n; i++)
			sfab_load_add(&c->load, r->hop[i].link, m->f->ports[src].rate *
				      c->cpus[from] / 2 * r->hop[i].share);
	}
	return 0;
}

/* From 2 on: the shift by 1 is a class. */
static int shift_columns(struct job_columns *c, const struct sfab_estimate_job *job,
			 uint32_t at)
{
	struct job_column of = { .job = at, .kind = SENDS_SHIFT, .class = SFAB_MPI,
				 .ends = 1 };
	uint32_t *h = malloc((job->n + 1u) * sizeof(*h));
	struct sfab_route r = { 0 };
	uint32_t n = job->n;
	int rc = h ? 0 : -1;

	if (rc == 0) {
		memcpy(h, job->host, n * sizeof(*h));
		qsort(h, n, sizeof(*h), sfab_ascending_u32);
	}
	for (of.port = 2; rc == 0 && of.port <= n / 2; of.port++) {
		for (uint32_t i = 0; rc == 0 && i < n; i++) {
			rc = load_half(c, h[i], h[(i + of.port) % n], &r);
			if (rc == 0)
				rc = load_half(c, h[i], h[(i + n - of.port) % n], &r);
		}
		if (rc == 0)
			rc = take_column(c, of, job->part);
	}
	sfab_route_clear(&r);
	free(h);
	return rc;
}

/* -- all -------------------------------------------------------------------- */

static int job_columns(struct job_columns *c, const struct sfab_estimate_job *job,
		       uint32_t at, int single)
{
	uint32_t nsets = c->m->io ? c->m->io->nsets : 0;
	int rc = 0;

	for (uint32_t i = 0; i < job->n; i++)
		c->cpus[job->host[i]] = job->cpus ? job->cpus[i] : 1;
	for (uint8_t class = SFAB_MPI; rc == 0 && class <= SFAB_NEIGHBOR; class++)
		rc = class_column(c, job, (struct job_column){ .job = at, .class = class });
	for (uint8_t class = SFAB_IO_WRITE; class <= SFAB_IO_READ; class++)
		for (uint32_t s = 0; rc == 0 && s < nsets; s++)
			rc = class_column(c, job, (struct job_column){
					  .job = at, .class = class, .set = s });
	if (rc == 0)
		rc = other_column(c, job, at);
	if (single == SINGLE_NONE || job->n < SINGLE_HOSTS)
		return rc;
	for (uint32_t s = 0; s < nsets; s++)
		for (uint8_t class = SFAB_IO_WRITE; rc == 0 && class <= SFAB_IO_READ; class++)
			rc = port_columns(c, job, (struct job_column){
				.job = at, .kind = SENDS_PORT, .class = class, .set = s });
	if (rc == 0 && single == SINGLE_ALL && job->n <= 2 * SFAB_ESTIMATE_SHIFTS)
		rc = shift_columns(c, job, at);
	return rc;
}

int sfab_job_columns_create(struct job_columns *c, const struct sfab_estimate_job *job,
			    uint32_t njobs, const uint8_t *single, struct sfab_err *err)
{
	const struct sfab_iosets *io = c->m->io;
	uint32_t nports = io ? io->nioports : 0;
	int rc;

	c->njobs = njobs;
	c->block = sfab_arena_take(&c->arena, njobs + 1u, sizeof(*c->block));
	c->ends = sfab_arena_take(&c->arena, io ? 2u * io->nsets : 0, sizeof(*c->ends));
	c->cpus = sfab_arena_take(&c->arena, c->m->f->nhosts, sizeof(*c->cpus));
	c->picked = sfab_arena_take(&c->arena, 2 * (size_t) nports, sizeof(*c->picked));
	rc = c->arena.failed || sfab_load_init(&c->load, c->m->nres) < 0 ||
	     sfab_one_more(&c->first, 0, sizeof(*c->first)) < 0 ? -1 : 0;
	if (rc == 0) {
		c->first[0] = 0;
		pick_ports(c, nports, 0);
		pick_ports(c, nports, 1);
	}
	for (uint32_t i = 0; rc == 0 && i < njobs; i++) {
		c->block[i] = c->n;
		rc = job_columns(c, &job[i], i, single[i]);
	}
	if (rc < 0) {
		sfab_job_columns_destroy(c);
		return sfab_no_memory(err);
	}
	c->block[njobs] = c->n;
	return 0;
}

double sfab_job_column_square(const struct job_columns *c, uint32_t i, const double *sigma)
{
	double sum = 0;

	for (uint32_t e = c->first[i]; e < c->first[i + 1]; e++) {
		double z = c->a[e] / sigma[c->row[e]];

		sum += z * z;
	}
	return sum;
}

double sfab_mean_error(const struct job_columns *c, uint32_t e)
{
	return c->count && c->count[e] > 1 ? 1 / sqrt(c->count[e]) : 1;
}

int sfab_is_full_link(const struct job_columns *c, uint32_t e)
{
	return c->m->isl[e] && (c->rate[e] >= SFAB_FULL_RATE * c->m->f->links[e].capacity ||
				(c->wait && c->wait[e] >= ALWAYS_WAITS));
}

void sfab_job_columns_destroy(struct job_columns *c)
{
	free(c->of);
	free(c->first);
	free(c->row);
	free(c->a);
	sfab_load_free(&c->load);
	sfab_arena_free(&c->arena);
	memset(c, 0, sizeof(*c));
}
