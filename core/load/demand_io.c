/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * demand_io.c - what the IO of a job asks of every resource
 *
 * If each client talks to every member of the set in its plane, and no client
 * is its own server, the sums by leaf are the same for all members and are made
 * once.  Otherwise they are made for each member.
 */

#include "core/load/demand_private.h"

/* Port of a client on a rail, or SFAB_NONE if it does no IO there. */
static uint32_t client_port(const struct demand *d, uint32_t rail, uint32_t i)
{
	return d->members[i] ? demand_rail_src(d, rail, i) : SFAB_NONE;
}

static void demand_write(struct demand *d, uint32_t set, uint32_t rail)
{
	const struct sfab_ioset *s = &d->m->io->set[set];
	const struct sfab_port *ports = d->m->f->ports;

	for (uint32_t k = 0; k < s->nmembers; k++) {
		uint32_t server = d->m->io->ioport[s->member[k]];
		double all = 0;

		if (ports[server].plane != d->m->rail_plane[rail])
			continue;
		/* Sum by leaf what the clients send to it. */
		sfab_demand_leaves_clear(d);
		for (uint32_t i = 0; i < d->job->n; i++) {
			uint32_t port = client_port(d, rail, i);
			double x;

			if (port == SFAB_NONE || !sfab_model_uses(d->m, set, d->job->host[i],
								  ports[port].leaf, k))
				continue;
			x = demand_asks(d, i, port) / d->members[i];
			sfab_demand_leaf_add(d, ports[port].leaf, x);
			all += x;
		}
		if (!(all > 0))
			continue;
		sfab_load_add(d->load, d->m->f->nlinks + s->member[k], all);
		sfab_demand_fan_in(d, server, 1, SFAB_NONE, 0);
	}
	for (uint32_t i = 0; i < d->job->n; i++) {
		uint32_t port = client_port(d, rail, i);

		if (port != SFAB_NONE)
			demand_inject(d, port, demand_asks(d, i, port));
	}
}

static void demand_each(struct demand *d, enum sfab_class class, uint32_t set,
			uint32_t rail)
{
	const struct sfab_ioset *s = &d->m->io->set[set];
	const struct sfab_port *ports = d->m->f->ports;

	for (uint32_t i = 0; i < d->job->n; i++) {
		uint32_t src = demand_rail_src(d, rail, i);

		d->members[i] = src == SFAB_NONE ? 0 :
			sfab_model_members(d->m, set, d->job->host[i], ports[src].leaf,
					   d->m->rail_plane[rail]);
	}
	if (class == SFAB_IO_WRITE) {
		demand_write(d, set, rail);
		return;
	}
	for (uint32_t i = 0; i < d->job->n; i++) {
		uint32_t client = client_port(d, rail, i);
		double x;

		if (client == SFAB_NONE)
			continue;
		/* What the members send to it, summed by the members' leaves. */
		x = demand_asks(d, i, client) / d->members[i];
		sfab_demand_leaves_clear(d);
		for (uint32_t k = 0; k < s->nmembers; k++) {
			const struct sfab_port *p = &ports[d->m->io->ioport[s->member[k]]];

			if (p->plane != d->m->rail_plane[rail] ||
			    !sfab_model_uses(d->m, set, d->job->host[i], ports[client].leaf, k))
				continue;
			sfab_demand_leaf_add(d, p->leaf, x);
			sfab_load_add(d->load, p->inject, x);
			sfab_load_add(d->load, d->m->f->nlinks + s->member[k], x);
		}
		sfab_demand_fan_in(d, client, 1, SFAB_NONE, 0);
	}
}

/* -- every client to every member ---------------------------------------- */

static int is_uniform_set(const struct demand *d, uint32_t set)
{
	if (d->m->io->set[set].map != SFAB_IOMAP_ALL)
		return 0;
	for (uint32_t i = 0; i < d->job->n; i++)
		if (d->m->io_host[d->job->host[i]])
			return 0;
	return 1;
}

/*
 * Port of member @k if it is cabled and in the plane of the rail, or SFAB_NONE.
 */
static uint32_t member_port(const struct demand *d, uint32_t set, uint32_t rail,
			    uint32_t k)
{
	uint32_t i = d->m->io->set[set].member[k], port = d->m->io->ioport[i];

	return d->m->io_cabled[i] &&
	       d->m->f->ports[port].plane == d->m->rail_plane[rail] ? port : SFAB_NONE;
}

/*
 * Load the clients' own links and sum their demand by leaf; returns the total.
 */
static double demand_clients(struct demand *d, enum sfab_class class, uint32_t rail)
{
	double all = 0;

	sfab_demand_leaves_clear(d);
	for (uint32_t i = 0; i < d->job->n; i++) {
		uint32_t port = demand_rail_src(d, rail, i);
		const struct sfab_port *p = &d->m->f->ports[port];
		double x;

		if (port == SFAB_NONE)
			continue;
		x = demand_asks(d, i, port);
		all += x;
		if (class == SFAB_IO_WRITE && !d->ends)
			sfab_demand_leaf_add(d, p->leaf, x);
		if (class == SFAB_IO_WRITE || d->ends)
			sfab_load_add(d->load, class == SFAB_IO_WRITE ?
				      p->inject : p->eject, x);
	}
	return all;
}

/*
 * Add @x to the own links of each member; when reading, count members by leaf.
 */
static void demand_members(struct demand *d, enum sfab_class class, uint32_t set,
			   uint32_t rail, double x)
{
	const struct sfab_ioset *s = &d->m->io->set[set];

	for (uint32_t k = 0; k < s->nmembers; k++) {
		uint32_t port = member_port(d, set, rail, k);
		const struct sfab_port *p = &d->m->f->ports[port];

		if (port == SFAB_NONE)
			continue;
		sfab_load_add(d->load, d->m->f->nlinks + s->member[k], x);
		if (class == SFAB_IO_READ) {
			if (!d->ends)
				sfab_demand_leaf_add(d, p->leaf, 1);
			sfab_load_add(d->load, p->inject, x);
		} else if (d->ends) {
			sfab_load_add(d->load, p->eject, x);
		}
	}
}

static void demand_all(struct demand *d, enum sfab_class class, uint32_t set,
		       uint32_t rail)
{
	const struct sfab_ioset *s = &d->m->io->set[set];
	const struct sfab_job *job = d->job;
	uint32_t n = 0, port;
	double all;

	for (uint32_t k = 0; k < s->nmembers; k++)
		n += member_port(d, set, rail, k) != SFAB_NONE;
	all = n ? demand_clients(d, class, rail) : 0;
	if (!(all > 0))
		return;
	demand_members(d, class, set, rail, all / n);
	if (d->ends)
		return;
	if (class == SFAB_IO_WRITE) {
		/* From the clients' leaves to each member. */
		sfab_demand_announce(d, rail, s->nmembers, s->member, d->m->io->ioport);
		for (uint32_t k = 0; k < s->nmembers; k++)
			if ((port = member_port(d, set, rail, k)) != SFAB_NONE)
				sfab_demand_fan_in(d, port, 1.0 / n, SFAB_NONE, 0);
		return;
	}
	/* From the members' leaves to each client, in proportion to members per leaf. */
	sfab_demand_announce(d, rail, job->n, job->host,
			     d->m->rail_src + (size_t) rail * d->m->f->nhosts);
	for (uint32_t i = 0; i < job->n; i++)
		if ((port = demand_rail_src(d, rail, i)) != SFAB_NONE)
			sfab_demand_fan_in(d, port, demand_asks(d, i, port) * (1.0 / n),
					   SFAB_NONE, 0);
}

int sfab_demand_part_io(struct demand *d, const struct sfab_traffic_part *part,
			struct sfab_err *err)
{
	uint32_t set;
	int plain;

	if (sfab_model_set(d->m, part, &set, err) < 0)
		return -1;
	/*
	 * The slow way is right for every set; the fast one gives the same
	 * loads.
	 */
	plain = is_uniform_set(d, set);
	for (uint32_t rail = 0; rail < d->m->nrails; rail++)
		if (plain)
			demand_all(d, part->class, set, rail);
		else
			demand_each(d, part->class, set, rail);
	return 0;
}
