/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reroute.c - a changed fabric with OpenSM's tables; see reroute.h
 *
 * Tables and LIDs are those that ibsim holds in the end, by node GUID and port; all else is the
 * plan's.
 */

#include "tools/opensm/reroute.h"

#include <stdlib.h>
#include <string.h>

#include "tools/opensm/regroup.h"
#include "tools/opensm/simulate.h"
#include "tools/ui/xalloc.h"

/* Add the planes in the order of the plan's, so their numbers are equal in both fabrics. */
static struct sfab_builder *start_builder(const struct reroute_request *request,
					  struct sfab_err *err)
{
	const struct sfab_fabric *f = request->f;
	struct sfab_builder *b = xnonnull(sfab_builder_create(SFAB_BUILD_PARTIAL));
	/* The fabric says by which command it was made, and from what. */
	char *source = xstrfmt("%s: %s", request->command, f->source);

	sfab_builder_set_source(b, source);
	sfab_builder_set_time(b, f->time);
	sfab_builder_forget_unknown(b);
	free(source);
	for (uint32_t i = 0; i < f->nplanes; i++)
		if (sfab_builder_add_plane(b, f->planes[i].name, err) < 0) {
			sfab_builder_destroy(b);
			return NULL;
		}
	return b;
}

static int add_plan_switches(const struct cabling_plan *p, const struct simulation *sims,
			     struct sfab_builder *b, struct sfab_err *err)
{
	int rc = 0;

	for (uint32_t i = 0; rc == 0 && i < p->f->nswitches; i++) {
		const struct sfab_switch *s = &p->f->switches[i];
		const struct ibsim_lid *l = ibsim_lid_of(&sims[s->plane].lids, s->guid, 0);

		rc = sfab_builder_add_switch(b, s->plane, s->guid, s->name,
					     s->nports, l ? l->lid : 0, err);
	}
	return rc;
}

/* Add the end ports.  One that OpenSM did not reach keeps its place but gets no LID. */
static int add_plan_ports(const struct cabling_plan *p, const struct simulation *sims,
			  struct sfab_builder *b, struct sfab_err *err)
{
	int rc = 0;

	for (uint32_t i = 0; rc == 0 && i < p->f->nports; i++) {
		const struct sfab_port *port = &p->f->ports[i];
		const struct ibsim_lid *l =
			ibsim_lid_of(&sims[port->plane].lids, port->node_guid, port->num);

		rc = sfab_builder_add_port(b, port->plane, port->node_guid,
					   port->num, port->guid, port->desc,
					   p->f->hosts[port->host].name,
					   l ? l->lid : 0, l ? l->lmc : 0, err);
		if (rc == 0 && l)
			rc = regroup_port(p, i, l->lid, (uint8_t) l->lmc, b, err);
	}
	return rc;
}

/* Add the cables.  Those that are down stay in the fabric, marked as such. */
static int add_plan_cables(const struct cabling_plan *p, struct sfab_builder *b,
			   struct sfab_err *err)
{
	const struct sfab_fabric *f = p->f;
	int rc = 0;

	for (uint32_t i = 0; rc == 0 && i < f->nlinks; i++) {
		const struct sfab_link *l = &f->links[i];
		const struct sfab_switch *from = &f->switches[l->from];

		if (l->kind == SFAB_LINK_ISL)
			rc = sfab_builder_add_link(b, from->plane, from->guid, l->from_port,
						   f->switches[l->to].guid, l->to_port,
						   l->capacity, !p->down[i], err);
	}
	/* Both directions of an end port's cable. */
	for (uint32_t i = 0; rc == 0 && i < f->nports; i++) {
		const struct sfab_port *port = &f->ports[i];
		uint64_t sw;

		if (p->sw[i] == SFAB_NONE || port->inject == SFAB_NONE ||
		    port->eject == SFAB_NONE)
			continue;
		sw = f->switches[p->sw[i]].guid;
		rc = sfab_builder_add_link(b, port->plane, port->node_guid, port->num, sw,
					   p->sw_port[i], f->links[port->inject].capacity,
					   !p->down[port->inject], err);
		if (rc == 0)
			rc = sfab_builder_add_link(b, port->plane, sw, p->sw_port[i],
						   port->node_guid, port->num,
						   f->links[port->eject].capacity,
						   !p->down[port->eject], err);
	}
	return rc;
}

/*
 * Return the engines that were requested: OpenSM's log names only those that it tried, and its
 * own last resort, min-hop.
 */
static const char *requested_engines(const struct rerouting *r, uint32_t plane)
{
	const struct sfab_plane *p = &r->plan.f->planes[plane];
	const char *found = changes_engines(r->changes);

	if (!found)
		found = changes_engines(r->request->base);
	return found ? found : *p->asked ? p->asked : p->engine;
}

/* Make the fabric of a run.  The builder has the tables and the engines of all planes. */
static struct sfab_fabric *finish_fabric(const struct simulation *sims, struct sfab_err *err)
{
	const struct cabling_plan *p = &sims->rerouting->plan;
	struct sfab_builder *b = sims->rerouting->b;
	struct sfab_fabric *f = NULL;

	for (uint32_t k = 0; k < p->f->nplanes; k++)
		if (*sims[k].gave_up)	/* an engine */
			sfab_builder_set_engines_asked(b, k, requested_engines(sims->rerouting, k));
	if (add_plan_switches(p, sims, b, err) == 0) {
		regroup_begin(p, b);
		if (add_plan_ports(p, sims, b, err) == 0 && add_plan_cables(p, b, err) == 0)
			f = sfab_builder_freeze(b, err);
	}
	/*
	 * Roles (compute, IO, ...) are decisions of the site, so they come from the plan's
	 * fabric and not from the simulated one.
	 */
	for (uint32_t h = 0; f && h < f->nhosts; h++)
		sfab_fabric_set_role(f, h, p->f->hosts[h].role);
	return f;
}

/*
 * Collect the results of one run, whose planes are at @sims.  One plane that failed makes the
 * run fail: a fabric with half of its tables would only look like one.
 */
static void finish_rerouting(struct rerouting *r, const struct simulation *sims)
{
	uint32_t nplanes = sims->rerouting->plan.f->nplanes, i = 0;

	while (i < nplanes && sims[i].err.code == SFAB_OK)
		i++;
	if (i < nplanes)
		r->err = sims[i].err;
	for (uint32_t k = 0; k < nplanes && !*r->gave_up; k++)
		memcpy(r->gave_up, sims[k].gave_up, sizeof(r->gave_up));
	r->f = i < nplanes ? NULL : finish_fabric(sims, &r->err);
}

/* Prepare a run.  All planes share one builder; they are numbered, so they do not meet. */
static int start_rerouting(struct rerouting *r, const struct reroute_request *request,
			   struct sfab_err *err)
{
	r->request = request;
	r->b = start_builder(request, err);
	if (!r->b || cabling_plan_init(&r->plan, request->f, err) != 0 ||
	    changes_apply(r->changes, &r->plan, err) != 0)
		return -1;
	if (changes_have_guids(r->changes) && !(request->io && request->io->nioports))
		return sfab_fail(err, SFAB_EINVAL, "no IO set is known (IoSet "
				 "of sfabric.conf)");
	return 0;
}

int reroute(const struct reroute_request *request, struct rerouting *list, uint32_t n,
	    struct sfab_err *err)
{
	uint32_t nplanes = request->f->nplanes;
	struct simulation *sims = xcalloc((size_t) n * nplanes, sizeof(*sims));
	int rc = 0;

	for (uint32_t i = 0; rc == 0 && i < n; i++)
		rc = start_rerouting(&list[i], request, err);
	for (uint32_t i = 0; i < n * nplanes; i++)
		sims[i] = (struct simulation) {
			.rerouting = &list[i / nplanes], .plane = i % nplanes };
	if (rc == 0)
		rc = simulate(sims, n * nplanes, err);
	for (uint32_t i = 0; i < n; i++) {
		if (rc == 0)
			finish_rerouting(&list[i], &sims[i * nplanes]);
		sfab_builder_destroy(list[i].b);
		cabling_plan_free(&list[i].plan);
	}
	for (uint32_t i = 0; i < n * nplanes; i++)
		free(sims[i].lids.list);
	free(sims);
	return rc;
}
