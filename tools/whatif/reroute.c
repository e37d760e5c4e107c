/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * reroute.c - a plan as a fabric with OpenSM's tables; see reroute.h
 *
 * OpenSM's output is read as a separate fabric, whose nodes have GUIDs for
 * names.  Its tables and LIDs are then copied, by node GUID and port, to those
 * of the plan.
 */

#include "tools/whatif/reroute.h"

#include <stdlib.h>
#include <string.h>

#include "tools/ui/say.h"
#include "tools/whatif/regroup.h"

static struct sfab_fabric *freeze_builder(struct sfab_builder *b, int rc,
					  struct sfab_err *err)
{
	struct sfab_fabric *f = rc == 0 ? sfab_builder_freeze(b, err) : NULL;

	sfab_builder_destroy(b);
	return f;
}

/*
 * Planes are made in the order of the plan's, so their numbers are equal in
 * both fabrics.
 */
static struct sfab_builder *start_builder(const struct plan *p, unsigned flags,
					  struct sfab_err *err)
{
	struct sfab_builder *b = sfab_builder_create(flags);

	if (!b) {
		sfab_no_memory(err);
		return NULL;
	}
	for (uint32_t i = 0; i < p->f->nplanes; i++)
		if (sfab_builder_plane(b, p->f->planes[i].name, err) < 0) {
			sfab_builder_destroy(b);
			return NULL;
		}
	return b;
}

/*
 * The switch in the simulated fabric, whose planes are the plan's, or NULL.
 * Switches of a plane are sorted by GUID.
 */
static const struct sfab_switch *
find_simulated_switch(const struct sfab_fabric *sim,
		      const struct sfab_switch *s)
{
	const struct sfab_plane *p = &sim->planes[s->plane];
	uint32_t low = p->switch0, high = low + p->nswitches;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (sim->switches[mid].guid == s->guid)
			return &sim->switches[mid];
		if (sim->switches[mid].guid < s->guid)
			low = mid + 1;
		else
			high = mid;
	}
	return NULL;
}

/* Switches of the plan get the tables and LIDs that OpenSM gave them. */
static int give_switches(const struct plan *p, const struct sfab_fabric *sim,
			 struct sfab_builder *b, struct sfab_err *err)
{
	int rc = 0;

	for (uint32_t i = 0; rc == 0 && i < p->f->nswitches; i++) {
		const struct sfab_switch *s = &p->f->switches[i];
		const struct sfab_switch *t = find_simulated_switch(sim, s);

		rc = sfab_builder_switch(b, s->plane, s->guid, s->name,
					 s->nports, t ? t->lid : 0, err);
		if (rc == 0 && t && t->has_lft)
			rc = sfab_builder_table(b, s->plane, s->guid,
						&sim->planes[t->plane], t->lft,
						err);
	}
	return rc;
}

/* By plane, node and number: port GUIDs differ there (cabling_plan.h). */
static int compare_sim_ports(const void *a, const void *b)
{
	const struct sfab_port *x = *(const struct sfab_port *const *) a;
	const struct sfab_port *y = *(const struct sfab_port *const *) b;

	if (x->plane != y->plane)
		return x->plane < y->plane ? -1 : 1;
	if (x->node_guid != y->node_guid)
		return x->node_guid < y->node_guid ? -1 : 1;
	return x->num < y->num ? -1 : x->num > y->num;
}

/* A port that OpenSM did not reach keeps its place but gets no LID. */
static int give_ports(const struct plan *p, const struct sfab_fabric *sim,
		      struct sfab_builder *b, struct sfab_err *err)
{
	const struct sfab_port **index = need(sim->nports + 1, sizeof(*index));
	int rc = 0;

	for (uint32_t i = 0; i < sim->nports; i++)
		index[i] = &sim->ports[i];
	qsort(index, sim->nports, sizeof(*index), compare_sim_ports);
	for (uint32_t i = 0; rc == 0 && i < p->f->nports; i++) {
		const struct sfab_port *port = &p->f->ports[i];
		const struct sfab_port **at =
			bsearch(&port, index, sim->nports, sizeof(*index),
				compare_sim_ports);

		rc = sfab_builder_port(b, port->plane, port->node_guid,
				       port->num, port->guid, port->desc,
				       p->f->hosts[port->host].name,
				       at ? (*at)->lid : 0,
				       at ? (*at)->lmc : 0, err);
		if (rc == 0 && at)
			rc = regroup_port(p, i, (*at)->lid, (*at)->lmc, b, err);
	}
	free(index);
	return rc;
}

/* Cables that are down stay in the fabric, marked as such. */
static int give_cables(const struct plan *p, struct sfab_builder *b, struct sfab_err *err)
{
	const struct sfab_fabric *f = p->f;
	int rc = 0;

	for (uint32_t i = 0; rc == 0 && i < f->nlinks; i++) {
		const struct sfab_link *l = &f->links[i];
		const struct sfab_switch *from = &f->switches[l->from];

		if (l->kind == SFAB_LINK_ISL)
			rc = sfab_builder_link(b, from->plane, from->guid, l->from_port,
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
		rc = sfab_builder_link(b, port->plane, port->node_guid, port->num, sw,
				       p->sw_port[i], f->links[port->inject].capacity,
				       !p->down[port->inject], err);
		if (rc == 0)
			rc = sfab_builder_link(b, port->plane, sw, p->sw_port[i],
					       port->node_guid, port->num,
					       f->links[port->eject].capacity,
					       !p->down[port->eject], err);
	}
	return rc;
}

/*
 * The engines that were requested: OpenSM's log names only those that it tried, and
 * its own last resort, min-hop.
 */
static const char *requested_engines(const struct rerouting *r, uint32_t plane)
{
	static const char key[] = "routing_engine=";
	const struct sfab_plane *p = &r->plan->f->planes[plane];
	const char *found = *p->asked ? p->asked : p->engine;

	for (uint32_t i = 0; i < r->how->noptions; i++)
		if (strncmp(r->how->option[i], key, sizeof(key) - 1) == 0)
			found = r->how->option[i] + sizeof(key) - 1;
	return found;
}

static struct sfab_fabric *merge_rerouting(const struct rerouting *r,
					   const struct sfab_fabric *sim,
					   struct sfab_err *err)
{
	const struct plan *p = r->plan;
	struct sfab_builder *b = start_builder(p, SFAB_BUILD_PARTIAL, err);
	struct sfab_fabric *f;
	int rc;
	char *source;

	if (!b)
		return NULL;
	source = need_text("%s: %s", r->by, p->f->source);
	for (uint32_t k = 0; k < p->f->nplanes; k++) {
		sfab_builder_engine(b, k, sim->planes[k].engine);
		if (*sim->planes[k].asked)	/* an engine gave up */
			sfab_builder_asked(b, k, requested_engines(r, k));
		sfab_builder_sm(b, k, sim->planes[k].sm_guid);
	}
	/* The fabric says by which command it was made, and from what. */
	sfab_builder_source(b, source);
	sfab_builder_time(b, p->f->time);
	sfab_builder_forget_unknown(b);
	free(source);
	rc = give_switches(p, sim, b, err);
	regroup_begin(p, b);
	if (rc == 0)
		rc = give_ports(p, sim, b, err);
	if (rc == 0)
		rc = give_cables(p, b, err);
	/*
	 * Roles (compute, IO, ...) are decisions of the site, so they come from
	 * the plan's fabric and not from the simulated one.
	 */
	f = freeze_builder(b, rc, err);
	for (uint32_t h = 0; f && h < f->nhosts; h++)
		sfab_fabric_set_role(f, h, p->f->hosts[h].role);
	return f;
}

/*
 * The results of one run, whose planes are at @sims.  One plane that failed
 * makes the run fail: a fabric with half of its tables would only look like
 * one.
 */
static void finish_rerouting(struct rerouting *r, const struct simulation *sims)
{
	uint32_t nplanes = r->plan->f->nplanes, i = 0;
	struct sfab_fabric *sim;

	while (i < nplanes && sims[i].err.code == SFAB_OK)
		i++;
	if (i < nplanes)
		r->err = sims[i].err;
	for (uint32_t k = 0; k < nplanes && !*r->gave_up; k++)
		memcpy(r->gave_up, sims[k].gave_up, sizeof(r->gave_up));
	sim = freeze_builder(sims[0].b, i < nplanes ? -1 : 0, &r->err);
	r->f = sim ? merge_rerouting(r, sim, &r->err) : NULL;
	sfab_fabric_destroy(sim);
}

int reroute(struct rerouting *list, uint32_t n, struct sfab_err *err)
{
	uint32_t nplanes = n ? list->plan->f->nplanes : 0;
	struct simulation *sims = need((size_t) n * nplanes + 1, sizeof(*sims));
	int rc = 0;

	/*
	 * All planes of a run share one builder; they are numbered, so they do
	 * not meet.
	 */
	for (uint32_t i = 0, k = 0; i < n; i++) {
		struct sfab_builder *b = start_builder(list[i].plan,
						       SFAB_BUILD_UNROUTED, err);

		if (!b) {
			rc = -1;
			break;
		}
		for (uint32_t p = 0; p < list[i].plan->f->nplanes; p++)
			sims[k++] = (struct simulation) {
				list[i].plan, list[i].how, p, b,
				{ .code = SFAB_OK }, "",
			};
	}
	if (rc == 0)
		rc = simulate(sims, n * nplanes, err);
	for (uint32_t i = 0; i < n; i++) {
		if (rc == 0)
			finish_rerouting(&list[i], &sims[i * nplanes]);
		else
			sfab_builder_destroy(sims[i * nplanes].b);
	}
	free(sims);
	return rc;
}

/*
 * Entries of switches for the LIDs of ports, in both.  Ports that have no LID in one of
 * the two are left out.  Where the LMC differs the smaller one counts.
 */
void reroute_compare(const struct sfab_fabric *a, const struct sfab_fabric *b,
		     uint32_t plane, struct agreement *out)
{
	const struct sfab_plane *p = &a->planes[plane];

	memset(out, 0, sizeof(*out));
	for (uint32_t s = p->switch0; s < p->switch0 + p->nswitches; s++) {
		const struct sfab_switch *v = &a->switches[s], *w = &b->switches[s];

		for (uint32_t i = 0; v->has_lft && w->has_lft && i < a->nports; i++) {
			const struct sfab_port *x = &a->ports[i], *y = &b->ports[i];
			unsigned lmc = x->lmc < y->lmc ? x->lmc : y->lmc;

			if (x->plane != plane || !x->lid || !y->lid)
				continue;
			for (unsigned k = 0; k < 1u << lmc; k++)
				out->equal += v->lft[x->entry + k] == w->lft[y->entry + k];
			out->entries += 1u << lmc;
		}
	}
}
