/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fidelity.c - how far a simulation can be trusted; see fidelity.h
 *
 * What is measured on a simulated fabric is worth as much as the simulation.  The unchanged
 * fabric is simulated as well, and its tables are compared with the real ones: where all
 * entries agree, OpenSM would do to the real fabric what it did here.
 */

#include "tools/whatif/fidelity.h"

#include <stdlib.h>

#include "tools/ui/printable.h"

struct agreement {
	uint64_t entries;	/* pairs of switch and end-port LID in both */
	uint64_t equal;		/* pairs with the same port */
};

/*
 * Count the table entries of a plane's switches for the LIDs of ports, and those equal in both
 * fabrics.  Ports that have no LID in one of the two are left out.  Where the LMC differs the
 * smaller one counts.
 */
static void count_agreement(const struct sfab_fabric *a, const struct sfab_fabric *b,
			    uint32_t plane, struct agreement *out)
{
	const struct sfab_plane *p = &a->planes[plane];

	for (uint32_t s = p->switch0; s < p->switch0 + p->nswitches; s++) {
		const struct sfab_switch *v = &a->switches[s], *w = &b->switches[s];

		if (!v->has_lft || !w->has_lft)
			continue;
		for (uint32_t i = 0; i < a->nports; i++) {
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

/*
 * Print how OpenSM routes a plane as it is, and changed.  With several planes, each has its own
 * lines and a name.
 */
static void print_plane(const struct sfab_plane *unchanged, const struct sfab_plane *changed,
			const struct agreement *g, const char *space, FILE *out)
{
	char *name = printable(*space ? unchanged->name : "", 0);

	fprintf(out, "%s%sas it is: OpenSM routes it with %s, %llu of %llu table "
		"entries as in the snapshot\n", name, space, unchanged->engine,
		(unsigned long long) g->equal, (unsigned long long) g->entries);
	if (changed)
		fprintf(out, "%s%schanged: OpenSM routes it with %s\n", name,
			space, changed->engine);
	free(name);
}

static void add_counts(struct json_object *o, const struct sfab_plane *unchanged,
		       const struct sfab_plane *changed, const struct agreement *g)
{
	json_add(o, "entries", json_object_new_uint64(g->entries));
	json_add(o, "entries_equal", json_object_new_uint64(g->equal));
	json_add(o, "engine_now", json_name(unchanged->engine));
	if (changed)
		json_add(o, "engine_then", json_name(changed->engine));
}

uint64_t fidelity_count_differing(const struct sfab_fabric *snapshot,
				  const struct sfab_fabric *unchanged)
{
	struct agreement all = { 0 };

	for (uint32_t i = 0; i < unchanged->nplanes; i++)
		count_agreement(snapshot, unchanged, i, &all);
	return all.entries - all.equal;
}

void fidelity_report(const struct sfab_fabric *snapshot, const struct sfab_fabric *unchanged,
		     const struct sfab_fabric *changed, struct answer *a)
{
	struct json_object *planes = json_object_new_array();
	struct agreement all = { 0 };

	for (uint32_t i = 0; i < unchanged->nplanes; i++) {
		const struct sfab_plane *t = changed ? &changed->planes[i] : NULL;
		struct json_object *o = json_object_new_object();
		struct agreement g = { 0 };

		count_agreement(snapshot, unchanged, i, &g);
		all.entries += g.entries;
		all.equal += g.equal;
		json_add(o, "plane", json_name(unchanged->planes[i].name));
		add_counts(o, &unchanged->planes[i], t, &g);
		json_object_array_add(planes, o);
		if (!a->options->json)
			print_plane(&unchanged->planes[i], t, &g,
				    unchanged->nplanes > 1 ? " " : "", a->out.file);
	}
	add_counts(a->reply.data, unchanged->planes, changed ? changed->planes : NULL, &all);
	json_add(a->reply.data, "planes", planes);
	if (!a->options->json)
		fputc('\n', a->out.file);
	/*
	 * Without a name of the engine OpenSM takes its default, and the tables may differ for
	 * that reason alone.
	 */
	for (uint32_t k = 0; k < snapshot->nplanes; k++)
		if (!*snapshot->planes[k].engine)
			reply_warning(&a->reply,
				      "the snapshot does not say which engine "
				      "made its tables: OpenSM's default is "
				      "assumed for the fabric as it is");
	if (all.equal < all.entries)
		reply_warning(&a->reply,
			      "%llu of %llu table entries differ from the "
			      "snapshot: its OpenSM has other options "
			      "(--base-option) or another version. What a change "
			      "does is the step from BASE, not from NOW",
			      (unsigned long long) (all.entries - all.equal),
			      (unsigned long long) all.entries);
}
