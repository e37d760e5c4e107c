/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_columns.c - the columns of the matrix; see job_columns.h
 *
 * A class's column is the result of sfab_demand() for a share of 1.  The column of an IO port
 * is the sum of the flows to or from that port.  Shifts count the job's hosts in order of their
 * ids, as class neighbor does, which is the shift by 1.
 */

#include "core/estimate/job_columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ascending.h"
#include "core/fabric/route.h"
#include "core/load/demand.h"
#include "core/load/measured.h"
#include "core/predict/flows.h"
#include "core/resize.h"

/* Data that waits for this part of the time always waits; SFAB_FULL_WAIT: sometimes. */
#define ALWAYS_WAITS 0.9
/* Two columns whose entries differ by less than this part are one. */
#define SAME_COLUMN 1e-6
#define SINGLE_HOSTS 6u		/* with fewer hosts no pattern can be told from noise */

/*
 * Does the new column, whose entries begin at @start, equal an earlier one of its job?  The
 * scratch load holds the new column.
 */
static int is_known_pattern(struct job_columns *cols, uint32_t block, uint32_t start)
{
	for (uint32_t c = block; c < cols->n; c++) {
		uint32_t n = cols->first[c + 1] - cols->first[c], nsame = 0;

		if (n != cols->nentries - start)
			continue;
		for (uint32_t nz = cols->first[c]; nz < cols->first[c + 1]; nz++)
			cols->load.v[cols->row[nz]] -= cols->a[nz];
		for (uint32_t nz = start; nz < cols->nentries; nz++)
			nsame += cols->load.v[cols->row[nz]] <= SAME_COLUMN * cols->a[nz] &&
				 cols->load.v[cols->row[nz]] >= -SAME_COLUMN * cols->a[nz];
		for (uint32_t nz = cols->first[c]; nz < cols->first[c + 1]; nz++)
			cols->load.v[cols->row[nz]] += cols->a[nz];
		if (nsame == n)
			return 1;
	}
	return 0;
}

/*
 * Append the scratch load, times @part / E, as column @col, unless it loads no measured link or
 * equals another column of the job.  Clear the scratch load.
 */
static int append_column(struct job_columns *cols, struct job_column col, double part)
{
	uint32_t start = cols->nentries;

	if (sfab_resize_one_more(&cols->col, cols->n, sizeof(*cols->col)) < 0 ||
	    sfab_resize_one_more(&cols->first, cols->n + 1u, sizeof(*cols->first)) < 0)
		return -1;
	for (uint32_t i = 0; i < cols->load.ntouched; i++) {
		uint32_t e = cols->load.touched[i];

		cols->load.v[e] *= part / col.ends;
		if (e >= cols->m->f->nlinks || !(cols->rate[e] >= 0) || !(cols->load.v[e] > 0))
			continue;
		if (cols->nentries == UINT32_MAX ||
		    sfab_resize_one_more(&cols->row, cols->nentries, sizeof(*cols->row)) < 0 ||
		    sfab_resize_one_more(&cols->a, cols->nentries, sizeof(*cols->a)) < 0)
			return -1;
		cols->row[cols->nentries] = e;
		cols->a[cols->nentries++] = cols->load.v[e];
	}
	if (cols->nentries == start || is_known_pattern(cols, cols->block[col.job], start)) {
		cols->nentries = start;
	} else {
		cols->col[cols->n++] = col;
		cols->first[cols->n] = cols->nentries;
	}
	sfab_load_clear(&cols->load);
	return 0;
}

struct sfab_traffic_part sfab_job_column_part(const struct job_columns *cols,
					      const struct job_column *col)
{
	struct sfab_traffic_part p = { .class = (enum sfab_class) col->class };

	if (sfab_class_is_io(p.class) && col->set)
		snprintf(p.set, sizeof(p.set), "%s", cols->m->io->set[col->set].name);
	return p;
}

/* -- the kinds of column ---------------------------------------------------- */

/* Append the column of a class and set, and keep its E for the columns of single ports. */
static int add_class_column(struct job_columns *cols, const struct sfab_estimate_job *job,
			    struct job_column col)
{
	const struct sfab_job spec = { .n = job->n, .host = job->host, .cpus = job->cpus };
	const struct sfab_traffic_part part = sfab_job_column_part(cols, &col);
	int is_io = sfab_class_is_io(part.class);

	if (sfab_demand_part(cols->m, &spec, &part, &cols->load, NULL) < 0)
		return -1;
	col.ends = 1;
	for (uint32_t i = 0; is_io && i < cols->load.ntouched; i++) {
		uint32_t e = cols->load.touched[i];

		if (!cols->m->isl[e])
			col.ends = fmax(col.ends, cols->load.v[e] * cols->m->inv_cap[e]);
	}
	if (is_io)
		cols->ends[2 * col.set + (col.class == SFAB_IO_READ)] = col.ends;
	return append_column(cols, col, job->part);
}

/* Append the column "other" of job @index: its own links alone. */
static int add_other_column(struct job_columns *cols, const struct sfab_estimate_job *job,
			    uint32_t index)
{
	const struct sfab_fabric *f = cols->m->f;

	for (uint32_t i = 0; i < job->n; i++) {
		const struct sfab_host *h = &f->hosts[job->host[i]];

		for (uint32_t p = h->port0; p < h->port0 + h->nports; p++) {
			double x = f->ports[p].rate * cols->cpus[job->host[i]];

			if (!sfab_port_is_cabled(&f->ports[p]))
				continue;
			sfab_load_add(&cols->load, f->ports[p].inject, x);
			sfab_load_add(&cols->load, f->ports[p].eject, x);
		}
	}
	return append_column(cols, (struct job_column){ .job = index, .kind = SENDS_OTHER,
					       .class = SFAB_MPI, .ends = 1 }, job->part);
}

/* -- single IO ports -------------------------------------------------------- */

struct io_flow {
	uint32_t port, serial;	/* IO port; place in the order of sfab_flows() */
	uint32_t src, dst;
};

struct io_flows {
	struct job_columns *cols;
	int is_write;
	uint32_t n;
	struct io_flow *flow;
};

/* Keep a flow whose IO port was picked. */
static int keep_flow(void *ctx, uint32_t src, uint32_t dst, uint32_t io_res,
		     double weight)
{
	struct io_flows *w = ctx;

	if (!w->cols->picked[2 * (io_res - w->cols->m->f->nlinks) + !w->is_write])
		return 0;
	if (sfab_resize_one_more(&w->flow, w->n, sizeof(*w->flow)) < 0)
		return -1;
	w->flow[w->n] = (struct io_flow){ io_res - w->cols->m->f->nlinks, w->n, src, dst };
	w->n++;
	return 0;
}

/*
 * Compare by port, then in the order of sfab_flows(), which decides how the sum of a port's
 * loads is rounded.
 */
static int compare_io_flows(const void *a, const void *b)
{
	const struct io_flow *x = a, *y = b;
	int c = sfab_ascending_u32(&x->port, &y->port);

	return c ? c : sfab_ascending_u32(&x->serial, &y->serial);
}

/* Return the rate that no job explains on the link to or from an IO port. */
static double port_excess(const struct job_columns *cols, uint32_t i, int read)
{
	const struct sfab_port *p = &cols->m->f->ports[cols->m->io->ioport[i]];

	return !cols->residual || !sfab_port_is_cabled(p) ? 0 :
	       cols->residual[read ? p->inject : p->eject];
}

/*
 * Pick the IO ports that get columns.  Of many these are the ones with the largest unexplained
 * rate: the few that serve a job carry more than their part.
 */
static void pick_ports(struct job_columns *cols, uint32_t nports, int read)
{
	for (uint32_t n = 0; n < nports && n < SFAB_ESTIMATE_PORTS_MAX; n++) {
		uint32_t max = SFAB_NONE;

		for (uint32_t i = 0; i < nports; i++)
			if (!cols->picked[2 * i + read] &&
			    (max == SFAB_NONE || port_excess(cols, i, read) >
						  port_excess(cols, max, read)))
				max = i;
		cols->picked[2 * max + read] = 1;
	}
}

/* Append columns for IO of class col.class with each picked port of set col.set. */
static int add_port_columns(struct job_columns *cols, const struct sfab_estimate_job *job,
			    struct job_column col)
{
	struct io_flows w = { .cols = cols, .is_write = col.class == SFAB_IO_WRITE };
	const struct sfab_traffic_part part = sfab_job_column_part(cols, &col);
	const struct sfab_job spec = { .n = job->n, .host = job->host };
	const struct sfab_fabric *f = cols->m->f;
	struct sfab_route r = { 0 };
	int rc = sfab_flows(cols->m, &spec, &part, keep_flow, &w, NULL);

	col.ends = cols->ends[2 * col.set + !w.is_write];
	if (w.n)
		qsort(w.flow, w.n, sizeof(*w.flow), compare_io_flows);
	for (uint32_t i = 0; rc == 0 && i < w.n; i++) {
		const struct io_flow *flow = &w.flow[i];
		const struct sfab_port *client = &f->ports[w.is_write ? flow->src : flow->dst];
		double x = client->rate * cols->cpus[client->host];

		rc = sfab_route_ports(f, flow->src, flow->dst, &r);
		for (uint32_t k = 0; rc == 0 && r.status == SFAB_ROUTE_OK && k < r.n; k++)
			sfab_load_add(&cols->load, r.hop[k].link, x * r.hop[k].share);
		col.port = flow->port;
		if (rc == 0 && (i + 1 == w.n || w.flow[i + 1].port != col.port))
			rc = append_column(cols, col, job->part);
	}
	sfab_route_clear(&r);
	free(w.flow);
	return rc;
}

/* -- single shifts ---------------------------------------------------------- */

/* Load the route of half of the traffic of host @from, which goes to host @to. */
static int load_half(struct job_columns *cols, uint32_t from, uint32_t to,
		     struct sfab_route *r)
{
	const struct sfab_model *m = cols->m;

	for (uint32_t rail = 0; rail < m->nrails; rail++) {
		uint32_t src = m->rail_src[(size_t) rail * m->f->nhosts + from];
		uint32_t dst = m->rail_dst[(size_t) rail * m->f->nhosts + to];

		if (src == SFAB_NONE || dst == SFAB_NONE)
			continue;
		if (sfab_route_ports(m->f, src, dst, r) < 0)
			return -1;
		for (uint32_t i = 0; r->status == SFAB_ROUTE_OK && i < r->n; i++)
			sfab_load_add(&cols->load, r->hop[i].link, m->f->ports[src].rate *
				      cols->cpus[from] / 2 * r->hop[i].share);
	}
	return 0;
}

/* Append columns of shifts from 2 on: the shift by 1 is a class. */
static int add_shift_columns(struct job_columns *cols, const struct sfab_estimate_job *job,
			     uint32_t index)
{
	struct job_column col = { .job = index, .kind = SENDS_SHIFT, .class = SFAB_MPI,
				 .ends = 1 };
	uint32_t *h = malloc((job->n + 1u) * sizeof(*h));
	struct sfab_route r = { 0 };
	uint32_t n = job->n;
	int rc = h ? 0 : -1;

	if (rc == 0) {
		memcpy(h, job->host, n * sizeof(*h));
		qsort(h, n, sizeof(*h), sfab_ascending_u32);
	}
	for (col.port = 2; rc == 0 && col.port <= n / 2; col.port++) {
		for (uint32_t i = 0; rc == 0 && i < n; i++) {
			rc = load_half(cols, h[i], h[(i + col.port) % n], &r);
			if (rc == 0)
				rc = load_half(cols, h[i], h[(i + n - col.port) % n], &r);
		}
		if (rc == 0)
			rc = append_column(cols, col, job->part);
	}
	sfab_route_clear(&r);
	free(h);
	return rc;
}

/* -- all -------------------------------------------------------------------- */

/* Append all columns of job @index.  @single: enum single_columns. */
static int add_job_columns(struct job_columns *cols, const struct sfab_estimate_job *job,
			   uint32_t index, int single)
{
	uint32_t nsets = cols->m->io ? cols->m->io->nsets : 0;
	int rc = 0;

	for (uint32_t i = 0; i < job->n; i++)
		cols->cpus[job->host[i]] = job->cpus ? job->cpus[i] : 1;
	for (uint8_t class = SFAB_MPI; rc == 0 && class <= SFAB_NEIGHBOR; class++)
		rc = add_class_column(cols, job, (struct job_column){ .job = index,
								     .class = class });
	for (uint8_t class = SFAB_IO_WRITE; class <= SFAB_IO_READ; class++)
		for (uint32_t s = 0; rc == 0 && s < nsets; s++)
			rc = add_class_column(cols, job, (struct job_column){
					      .job = index, .class = class, .set = s });
	if (rc == 0)
		rc = add_other_column(cols, job, index);
	if (single == SINGLE_NONE || job->n < SINGLE_HOSTS)
		return rc;
	for (uint32_t s = 0; s < nsets; s++)
		for (uint8_t class = SFAB_IO_WRITE; rc == 0 && class <= SFAB_IO_READ; class++)
			rc = add_port_columns(cols, job, (struct job_column){
				.job = index, .kind = SENDS_PORT, .class = class, .set = s });
	if (rc == 0 && single == SINGLE_ALL && job->n <= 2 * SFAB_ESTIMATE_SHIFTS_MAX)
		rc = add_shift_columns(cols, job, index);
	return rc;
}

int sfab_job_columns_create(struct job_columns *cols, const struct sfab_estimate_job *job,
			    uint32_t njobs, const uint8_t *single, struct sfab_err *err)
{
	const struct sfab_iosets *io = cols->m->io;
	uint32_t nports = io ? io->nioports : 0;
	int rc;

	cols->njobs = njobs;
	cols->block = sfab_arena_take(&cols->arena, njobs + 1u, sizeof(*cols->block));
	cols->ends = sfab_arena_take(&cols->arena, io ? 2u * io->nsets : 0, sizeof(*cols->ends));
	cols->cpus = sfab_arena_take(&cols->arena, cols->m->f->nhosts, sizeof(*cols->cpus));
	cols->picked = sfab_arena_take(&cols->arena, 2 * (size_t) nports, sizeof(*cols->picked));
	rc = cols->arena.failed || sfab_load_init(&cols->load, cols->m->nres) < 0 ||
	     sfab_resize_one_more(&cols->first, 0, sizeof(*cols->first)) < 0 ? -1 : 0;
	if (rc == 0) {
		cols->first[0] = 0;
		pick_ports(cols, nports, 0);
		pick_ports(cols, nports, 1);
	}
	for (uint32_t i = 0; rc == 0 && i < njobs; i++) {
		cols->block[i] = cols->n;
		rc = add_job_columns(cols, &job[i], i, single[i]);
	}
	if (rc < 0) {
		sfab_job_columns_destroy(cols);
		return sfab_no_memory(err);
	}
	cols->block[njobs] = cols->n;
	return 0;
}

double sfab_job_column_square(const struct job_columns *cols, uint32_t i, const double *sigma)
{
	double sum = 0;

	for (uint32_t nz = cols->first[i]; nz < cols->first[i + 1]; nz++) {
		double z = cols->a[nz] / sigma[cols->row[nz]];

		sum += z * z;
	}
	return sum;
}

double sfab_job_columns_mean_error(const struct job_columns *cols, uint32_t e)
{
	return cols->count && cols->count[e] > 1 ? 1 / sqrt(cols->count[e]) : 1;
}

int sfab_job_columns_link_is_full(const struct job_columns *cols, uint32_t e)
{
	return cols->m->isl[e] &&
	       (cols->rate[e] >= SFAB_FULL_RATE * cols->m->f->links[e].capacity ||
		(cols->wait && cols->wait[e] >= ALWAYS_WAITS));
}

void sfab_job_columns_destroy(struct job_columns *cols)
{
	free(cols->col);
	free(cols->first);
	free(cols->row);
	free(cols->a);
	sfab_load_free(&cols->load);
	sfab_arena_free(&cols->arena);
	memset(cols, 0, sizeof(*cols));
}
