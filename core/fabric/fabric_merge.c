/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fabric_merge.c - feed several fabrics to one builder; see fabric_merge.h
 *
 * A host that is in several fabrics, by its name, becomes one host with ports in several
 * planes.  Fabrics are read through their public arrays, so all sources merge alike.
 */

#include "core/fabric/fabric_merge.h"

#include <stdio.h>

#include "core/fabric/builder.h"

struct merge {
	struct sfab_builder *b;
	const struct sfab_fabric *f;	/* the current one */
	uint32_t plane0;		/* planes of the fabrics before it */
	struct sfab_err *err;
};

/* Add a switch with its table and groups.  Its table is given in runs of LIDs without a gap. */
static int merge_one_switch(struct merge *m, const struct sfab_switch *sw)
{
	const struct sfab_plane *source = &m->f->planes[sw->plane];
	const uint8_t none = SFAB_PORT_NONE;
	uint32_t plane = m->plane0 + sw->plane, n;

	if (sfab_builder_add_switch(m->b, plane, sw->guid, sw->name, sw->nports,
				    sw->lid, m->err) < 0)
		return -1;
	/* Its groups are those of m->f: the engine's name must not count again. */
	sfab_builder_add_fact(m->b, plane, sw->guid, SFAB_SWITCH_GROUPS_READ);
	/* A table without entries must stay a table. */
	if (sw->has_lft && !source->nlids &&
	    sfab_builder_add_lft(m->b, plane, sw->guid, 0, &none, 1, m->err) < 0)
		return -1;
	for (uint32_t e = 0; sw->has_lft && (n = sfab_plane_run(source, e)) > 0; e += n)
		if (sfab_builder_add_lft(m->b, plane, sw->guid, source->lid[e], sw->lft + e, n,
					 m->err) < 0)
			return -1;
	for (uint32_t e = 0; sw->lft_group && e < source->nlids; e++) {
		const struct sfab_group *g;

		if (!sw->lft_group[e])
			continue;
		g = &sw->groups[sw->lft_group[e] - 1];
		if (sfab_builder_add_group(m->b, plane, sw->guid, source->lid[e],
					   g->port, g->share, g->nports, m->err) < 0)
			return -1;
	}
	return 0;
}

/*
 * Merge a link.  One-way links exist only inside hosts that forward.  All others have both
 * directions.
 */
static int merge_one_link(struct merge *m, uint32_t link)
{
	const struct sfab_fabric *f = m->f;
	const struct sfab_link *l = &f->links[link];
	uint32_t plane = sfab_link_plane(f, link);
	uint64_t from = sfab_link_from_guid(f, link);
	uint64_t to = sfab_link_to_guid(f, link);
	uint32_t reverse = l->kind == SFAB_LINK_EJECT ?
			f->ports[l->to].inject :
			f->switches[l->to].out[l->to_port];
	enum sfab_cable state = l->up ? SFAB_CABLE_UP : SFAB_CABLE_DOWN;

	/* A link is one-way if the port at its far end does not lead back. */
	if (reverse == SFAB_NONE || f->links[reverse].to_port != l->from_port ||
	    sfab_link_to_guid(f, reverse) != from)
		state = SFAB_CABLE_DIRECTED;
	return sfab_builder_add_link(m->b, m->plane0 + plane, from, l->from_port,
				     to, l->to_port, l->capacity, state, m->err);
}

/*
 * Add the planes of a fabric.  One without a name gets that of its fabric, with a number if
 * there are several.
 */
static int add_fabric(struct merge *m, const char *name)
{
	const struct sfab_fabric *f = m->f;
	int rc = 0;

	for (uint32_t i = 0; i < f->nplanes; i++) {
		const struct sfab_plane *p = &f->planes[i];
		char plane_name[100];
		int id;

		snprintf(plane_name, sizeof(plane_name), "%.80s", *p->name ? p->name : name);
		if (!*p->name && f->nplanes > 1)
			snprintf(plane_name, sizeof(plane_name), "%.80s.%u", name, i + 1);
		id = sfab_builder_add_plane(m->b, plane_name, m->err);
		if (id < 0)
			return -1;
		sfab_builder_set_engine(m->b, (uint32_t) id, p->engine);
		sfab_builder_set_engines_asked(m->b, (uint32_t) id, p->asked);
		sfab_builder_set_sm(m->b, (uint32_t) id, p->sm_guid);
		if (p->lid_end > SFAB_IB_LID_MAX + 1u)
			sfab_builder_allow_wide_lids(m->b, (uint32_t) id);
	}
	for (uint32_t i = 0; i < f->nswitches && rc == 0; i++)
		rc = merge_one_switch(m, &f->switches[i]);
	/* The host's name decides which ports come together. */
	for (uint32_t i = 0; i < f->nports && rc == 0; i++) {
		const struct sfab_port *p = &f->ports[i];

		rc = sfab_builder_add_port(m->b, m->plane0 + p->plane, p->node_guid, p->num,
					   p->guid, p->desc, f->hosts[p->host].name, p->lid,
					   p->lmc, m->err);
	}
	for (uint32_t i = 0; i < f->nlinks && rc == 0; i++)
		rc = merge_one_link(m, i);
	sfab_builder_set_adaptive(m->b, f->adaptive);
	return rc;
}

/*
 * Refuse one fabric under two names, which would double the ports of all its hosts.  The first
 * port is enough to notice.
 */
static int check_fabrics(const struct sfab_fabric *const *f,
			 const char *const *name, uint32_t n,
			 struct sfab_err *err)
{
	uint32_t planes = 0;

	for (uint32_t i = 0; i < n; i++) {
		planes += f[i]->nplanes;
		for (uint32_t k = 0; k < i; k++) {
			uint64_t guid = f[k]->nports ? f[k]->ports[0].guid : 0;

			if (guid && sfab_fabric_port_by_guid(f[i], guid) != SFAB_NONE)
				return sfab_fail(err, SFAB_EFORMAT, "port 0x%016llx is in "
						 "fabric %.60s and in fabric %.60s",
						 (unsigned long long) guid, name[k], name[i]);
		}
	}
	if (planes > SFAB_MERGE_MAX)
		return sfab_fail(err, SFAB_ELIMIT, "%u planes (expected at most "
				 "%d)", planes, SFAB_MERGE_MAX);
	return 0;
}

struct sfab_fabric *sfab_fabric_merge(const struct sfab_fabric *const *f,
				      const char *const *name, uint32_t n,
				      struct sfab_err *err)
{
	struct merge m = { .err = err };
	struct sfab_fabric *merged = NULL;
	/* The whole is as old as its oldest part. */
	uint64_t oldest = UINT64_MAX;
	int rc = check_fabrics(f, name, n, err);

	/* Switches without a table are fine: each fabric was accepted when it was made. */
	m.b = rc == 0 ? sfab_builder_create(SFAB_BUILD_PARTIAL) : NULL;
	if (rc == 0 && !m.b)
		rc = sfab_no_memory(err);
	if (m.b)
		/* Tables of a snapshot may have entries for LIDs that nobody owns. */
		sfab_builder_forget_unknown(m.b);
	for (uint32_t i = 0; i < n && rc == 0; i++) {
		m.f = f[i];
		rc = add_fabric(&m, name[i]);
		m.plane0 += f[i]->nplanes;
		oldest = f[i]->time < oldest ? f[i]->time : oldest;
	}
	if (rc == 0) {
		sfab_builder_set_time(m.b, oldest);
		sfab_builder_set_source(m.b, "several fabrics");
		merged = sfab_builder_freeze(m.b, err);
	}
	sfab_builder_destroy(m.b);
	/* Keep the role "other"; the builder cannot know it. */
	for (uint32_t i = 0; i < n && merged; i++)
		for (uint32_t h = 0; h < f[i]->nhosts; h++) {
			uint32_t host = sfab_fabric_host(merged, f[i]->hosts[h].name);

			if (host != SFAB_NONE && f[i]->hosts[h].role == SFAB_HOST_OTHER)
				sfab_fabric_set_role(merged, host, SFAB_HOST_OTHER);
		}
	return merged;
}
