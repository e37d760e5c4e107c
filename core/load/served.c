/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * served.c - what part of all IO the servers let through; see served.h
 *
 * Kind 2 x set is writes to a set, 2 x set + 1 reads from it.  asked[] by resource
 * exists only for kinds with a job, since most sets are idle most of the time.
 */

#include "core/load/served.h"

#include <stdlib.h>
#include <string.h>

static int is_read(uint32_t kind)
{
	return kind % 2;
}

int sfab_served_init(struct served *s, const struct sfab_model *m)
{
	uint32_t n = m->io ? 2 * m->io->nsets : 0;

	memset(s, 0, sizeof(*s));
	s->m = m;
	s->nkinds = n;
	s->asked = sfab_arena_take(&s->arena, n, sizeof(*s->asked));
	s->part = sfab_arena_take(&s->arena, n, sizeof(*s->part));
	s->beside = sfab_arena_take(&s->arena, n, sizeof(*s->beside));
	s->over = sfab_arena_take(&s->arena, n, 1);
	s->over_beside = sfab_arena_take(&s->arena, n, 1);
	s->active = sfab_arena_take(&s->arena, n, sizeof(*s->active));
	s->njobs = sfab_arena_take(&s->arena, n, sizeof(*s->njobs));
	if (s->arena.failed) {
		sfab_served_free(s);
		return -1;
	}
	for (uint32_t k = 0; k < s->nkinds; k++)
		s->part[k] = s->beside[k] = 1;
	return 0;
}

void sfab_served_free(struct served *s)
{
	for (uint32_t k = 0; s->asked && k < s->nkinds; k++)
		free(s->asked[k]);
	sfab_arena_free(&s->arena);
	memset(s, 0, sizeof(*s));
}

int sfab_served_join(struct served *s, uint32_t kind)
{
	uint32_t at = s->nactive;

	if (s->njobs[kind]++)
		return 0;
	s->asked[kind] = calloc(s->m->nres + 1u, sizeof(**s->asked));
	if (!s->asked[kind]) {
		s->njobs[kind] = 0;
		return -1;
	}
	/*
	 * active stays sorted, so sums over it do not depend on who asked
	 * first.
	 */
	for (; at && s->active[at - 1] > kind; at--)
		s->active[at] = s->active[at - 1];
	s->active[at] = kind;
	s->nactive++;
	return 0;
}

void sfab_served_leave(struct served *s, uint32_t kind)
{
	uint32_t at = 0;

	if (--s->njobs[kind])
		return;
	free(s->asked[kind]);
	s->asked[kind] = NULL;
	s->part[kind] = s->beside[kind] = 1;
	s->over[kind] = s->over_beside[kind] = 0;
	while (s->active[at] != kind)
		at++;
	for (s->nactive--; at < s->nactive; at++)
		s->active[at] = s->active[at + 1];
}

/* X/C of @res; @io is the demand of one more job, or NULL. */
static double resource_fullness(const struct sfab_model *m, const double *total,
				const struct sfab_load *io, uint32_t res)
{
	return (total[res] + (io ? io->v[res] : 0)) * m->inv_cap[res];
}

/*
 * X/C of IO port @i: the larger of its server and of the link of its port in
 * the direction of the data.
 */
static double port_fullness(const struct sfab_model *m, const double *total,
			    const struct sfab_load *io, uint32_t i, int read)
{
	const struct sfab_port *p = &m->f->ports[m->io->ioport[i]];
	uint32_t link = read ? p->inject : p->eject;
	double x = resource_fullness(m, total, io, m->f->nlinks + i), y = 0;

	if (link != SFAB_NONE)
		y = resource_fullness(m, total, io, link);
	return x > y ? x : y;
}

/*
 * Part of each kind that passes.  @over: the servers hold writes back and at least one
 * port is overloaded.
 */
static void find_parts(const struct served *s, const double *total,
		       const struct sfab_load *io, double *part, uint8_t *over)
{
	for (uint32_t a = 0; a < s->nactive; a++) {
		uint32_t kind = s->active[a];
		const struct sfab_ioset *set = &s->m->io->set[kind / 2];
		double asked = 0, passed = 0;

		over[kind] = 0;
		for (uint32_t i = 0; i < set->nmembers; i++) {
			double x = s->asked[kind][s->m->f->nlinks + set->member[i]];
			double full;

			if (!(x > 0))
				continue;
			full = port_fullness(s->m, total, io, set->member[i], is_read(kind));
			asked += x;
			passed += full > 1 ? x / full : x;
			over[kind] |= set->held && !is_read(kind) && full > 1 / SFAB_SERVED_ALL;
		}
		part[kind] = passed < asked * SFAB_SERVED_ALL ? passed / asked : 1;
	}
}

int sfab_served_find(struct served *s, const double *total)
{
	int changed = 0;

	find_parts(s, total, NULL, s->beside, s->over_beside);
	for (uint32_t i = 0; i < s->nactive; i++) {
		uint32_t k = s->active[i];

		changed |= s->part[k] != s->beside[k];
		s->part[k] = s->beside[k];
		s->over[k] = s->over_beside[k];
	}
	s->differs = 0;
	return changed;
}

double sfab_served_beside(struct served *s, const double *total,
			  const struct sfab_load *io)
{
	const struct sfab_model *m = s->m;
	double asked = 0, passed = 0;

	s->differs = 0;
	if (!io->ntouched)
		return 1;
	find_parts(s, total, io, s->beside, s->over_beside);
	for (uint32_t i = 0; i < s->nactive && !s->differs; i++) {
		uint32_t k = s->active[i];

		s->differs = s->part[k] != s->beside[k] ||
			     s->over[k] != s->over_beside[k];
	}
	for (uint32_t i = 0; m->io && i < m->io->nioports; i++) {
		const struct sfab_port *p = &m->f->ports[m->io->ioport[i]];
		double x = io->v[m->f->nlinks + i], full;

		if (!(x > 0))
			continue;
		/*
		 * The load does not say its direction: a load on the port's
		 * inject link means that it is read.
		 */
		full = port_fullness(m, total, io, i,
				     p->inject != SFAB_NONE && io->v[p->inject] > 0);
		asked += x;
		passed += full > 1 ? x / full : x;
	}
	return passed < asked * SFAB_SERVED_ALL ? passed / asked : 1;
}

int sfab_served_fills(const struct sfab_model *m, const double *total,
		      const struct sfab_load *io, uint32_t set)
{
	const struct sfab_ioset *s = &m->io->set[set];

	for (uint32_t i = 0; i < s->nmembers; i++)
		if (io->v[m->f->nlinks + s->member[i]] > 0 &&
		    port_fullness(m, total, io, s->member[i], 0) >
		    1 / SFAB_SERVED_ALL)
			return 1;
	return 0;
}
