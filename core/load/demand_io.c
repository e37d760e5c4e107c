/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * demand_io.c - the load that a job's IO asks for on every resource; see demand_private.h
 *
 * Clients that talk to the same members of the set are taken together: then the sums by leaf
 * are the same for all of these members, and are made once.  In a set without a client map that
 * is all clients but those that are servers.  These differ from each other in one member each:
 * what they write is summed member by member.
 */

#include "core/load/demand_private.h"

static uint32_t client_leaf(const struct demand *d, uint32_t rail, uint32_t i)
{
	return d->m->f->ports[sfab_demand_src_port(d, rail, i)].leaf;
}

/* Do clients @a and @b talk to the same members? */
static int is_same_group(const struct demand *d, uint32_t set, uint32_t rail, uint32_t a,
			 uint32_t b)
{
	const struct sfab_ioset *s = &d->m->io->set[set];
	uint32_t x = d->job->host[a], y = d->job->host[b];

	if (a == b)
		return 1;
	/* A host is never its own server. */
	if (d->m->io_host[x] || d->m->io_host[y])
		return 0;
	if (s->map == SFAB_IOMAP_GROUP)
		return s->client_group[x] == s->client_group[y];
	return s->map == SFAB_IOMAP_ALL || client_leaf(d, rail, a) == client_leaf(d, rail, b);
}

/* Move the first of the untaken clients, and those that talk to the same members, to d->client. */
static void take_same_clients(struct demand *d, uint32_t set, uint32_t rail)
{
	const struct sfab_ioset *s = &d->m->io->set[set];
	uint32_t first = d->untaken[0], n = 0;

	d->nclients = d->nmembers = 0;
	for (uint32_t k = 0; k < d->nuntaken; k++) {
		uint32_t i = d->untaken[k];

		if (is_same_group(d, set, rail, first, i))
			d->client[d->nclients++] = i;
		else
			d->untaken[n++] = i;
	}
	d->nuntaken = n;
	for (uint32_t k = 0; k < s->nmembers; k++) {
		const struct sfab_port *p = &d->m->f->ports[d->m->io->ioport[s->member[k]]];

		if (p->plane == d->m->rail_plane[rail] &&
		    sfab_model_uses(d->m, set, d->job->host[first],
				    client_leaf(d, rail, first), k))
			d->member[d->nmembers++] = s->member[k];
	}
}

/* Load the clients' own links and sum their demand by leaf.  Return the total, bytes/s. */
static double add_client_demand(struct demand *d, enum sfab_class class, uint32_t rail)
{
	double all = 0;

	sfab_demand_leaves_clear(d);
	for (uint32_t i = 0; i < d->nclients; i++) {
		uint32_t port = sfab_demand_src_port(d, rail, d->client[i]);
		const struct sfab_port *p = &d->m->f->ports[port];
		double x = sfab_demand_port_rate(d, d->client[i], port);

		all += x;
		if (class == SFAB_IO_WRITE && !d->ends_only)
			sfab_demand_leaf_add(d, p->leaf, x);
		if (class == SFAB_IO_WRITE || d->ends_only)
			sfab_load_add(d->load, class == SFAB_IO_WRITE ?
				      p->inject : p->eject, x);
	}
	return all;
}

/* Add @x, bytes/s, to each member and its own link.  Of reads, count the members by leaf. */
static void add_member_demand(struct demand *d, enum sfab_class class, double x)
{
	for (uint32_t k = 0; k < d->nmembers; k++) {
		const struct sfab_port *p = &d->m->f->ports[d->m->io->ioport[d->member[k]]];

		sfab_load_add(d->load, d->m->f->nlinks + d->member[k], x);
		if (class == SFAB_IO_READ) {
			if (!d->ends_only)
				sfab_demand_leaf_add(d, p->leaf, 1);
			sfab_load_add(d->load, p->inject, x);
		} else if (d->ends_only) {
			sfab_load_add(d->load, p->eject, x);
		}
	}
}

/* Add the demand of the clients in d->client, which all talk to the same members. */
static void add_group_demand(struct demand *d, enum sfab_class class, uint32_t rail)
{
	double part = 1.0 / d->nmembers, all = add_client_demand(d, class, rail);

	if (!(all > 0))
		return;
	add_member_demand(d, class, all / d->nmembers);
	if (d->ends_only)
		return;
	if (class == SFAB_IO_WRITE) {
		/* From the clients' leaves to each member. */
		for (uint32_t k = 0; k < d->nmembers; k++)
			sfab_demand_fan_in(d, d->m->io->ioport[d->member[k]], part,
					   SFAB_NONE, 0);
		return;
	}
	/* From the members' leaves to each client, in proportion to members per leaf. */
	for (uint32_t i = 0; i < d->nclients; i++) {
		uint32_t port = sfab_demand_src_port(d, rail, d->client[i]);

		sfab_demand_fan_in(d, port, sfab_demand_port_rate(d, d->client[i], port) * part,
				   SFAB_NONE, 0);
	}
}

/* Sum by leaf what clients that are servers write to member @k.  Return the total, bytes/s. */
static double sum_server_writes(struct demand *d, uint32_t set, uint32_t rail, uint32_t k)
{
	double all = 0;

	sfab_demand_leaves_clear(d);
	for (uint32_t i = 0; i < d->nclients; i++) {
		uint32_t c = d->client[i], port = sfab_demand_src_port(d, rail, c);
		uint32_t leaf = d->m->f->ports[port].leaf;
		double x;

		if (!d->nservers[i] || !sfab_model_uses(d->m, set, d->job->host[c], leaf, k))
			continue;
		x = sfab_demand_port_rate(d, c, port) / d->nservers[i];
		sfab_demand_leaf_add(d, leaf, x);
		all += x;
	}
	return all;
}

/* Add the writes of the clients that are servers. */
static void add_server_writes(struct demand *d, uint32_t set, uint32_t rail)
{
	const struct sfab_ioset *s = &d->m->io->set[set];

	/* Count the members that each client that is a server writes to, and load its own link. */
	for (uint32_t i = 0; i < d->nclients; i++) {
		uint32_t c = d->client[i], port = sfab_demand_src_port(d, rail, c);
		const struct sfab_port *p = &d->m->f->ports[port];

		d->nservers[i] = sfab_model_count_members(d->m, set, d->job->host[c], p->leaf,
							  d->m->rail_plane[rail]);
		if (d->nservers[i])
			sfab_load_add(d->load, p->inject, sfab_demand_port_rate(d, c, port));
	}
	for (uint32_t k = 0; k < s->nmembers && d->nclients; k++) {
		uint32_t to = d->m->io->ioport[s->member[k]];
		double all = d->m->f->ports[to].plane == d->m->rail_plane[rail] ?
				     sum_server_writes(d, set, rail, k) : 0;

		if (!(all > 0))
			continue;
		sfab_load_add(d->load, d->m->f->nlinks + s->member[k], all);
		if (d->ends_only)
			sfab_load_add(d->load, d->m->f->ports[to].eject, all);
		else
			sfab_demand_fan_in(d, to, 1, SFAB_NONE, 0);
	}
}

int sfab_demand_part_io(struct demand *d, const struct sfab_traffic_part *part,
			struct sfab_err *err)
{
	uint32_t set;

	if (sfab_model_find_set(d->m, part, &set, err) < 0)
		return -1;
	for (uint32_t rail = 0; rail < d->m->nrails; rail++) {
		d->nuntaken = d->nclients = 0;
		for (uint32_t i = 0; i < d->job->n; i++)
			if (sfab_demand_src_port(d, rail, i) == SFAB_NONE)
				continue;
			else if (part->class == SFAB_IO_WRITE && d->m->io_host[d->job->host[i]])
				d->client[d->nclients++] = i;
			else
				d->untaken[d->nuntaken++] = i;
		add_server_writes(d, set, rail);
		while (d->nuntaken) {
			take_same_clients(d, set, rail);
			if (d->nmembers)
				add_group_demand(d, part->class, rail);
		}
	}
	return 0;
}
