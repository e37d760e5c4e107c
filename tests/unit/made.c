/* SPDX-License-Identifier: GPL-2.0-or-later */
/* made.c - small fabrics for unit tests; see made.h */

#include "tests/unit/made.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>

static const double even[64] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
				 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };

static unsigned host_lid(const struct made *m, unsigned host)
{
	return ((host - 1) << m->lmc) + (1u << m->lmc);
}

static unsigned switch_lid(const struct made *m, unsigned k)
{
	return ((m->leaves * m->hosts + 1) << m->lmc) + k;
}

static void cable(struct sfab_builder *b, unsigned plane, uint64_t guid,
		  unsigned num, uint64_t to, unsigned to_num)
{
	struct sfab_err err;

	ck_assert_msg(sfab_builder_link(b, plane, guid, num, to, to_num,
					MADE_CAPACITY, 1, &err) == 0, "%s", err.text);
	ck_assert_msg(sfab_builder_link(b, plane, to, to_num, guid, num,
					MADE_CAPACITY, 1, &err) == 0, "%s", err.text);
}

static void add_nodes(const struct made *m, struct sfab_builder *b, unsigned plane)
{
	char name[32];
	struct sfab_err err;

	for (unsigned l = 0; l < m->leaves; l++) {
		snprintf(name, sizeof(name), "leaf%u", l + 1);
		ck_assert(sfab_builder_switch(b, plane, 0x100 + l, name,
					      m->hosts + m->spines,
					      switch_lid(m, l), &err) == 0);
	}
	for (unsigned s = 0; s < m->spines; s++) {
		snprintf(name, sizeof(name), "spine%u", s + 1);
		ck_assert(sfab_builder_switch(b, plane, 0x200 + s, name, m->leaves,
					      switch_lid(m, m->leaves + s), &err) == 0);
	}
	for (unsigned h = 1; h <= m->leaves * m->hosts; h++) {
		snprintf(name, sizeof(name), "n%u HCA-%u", h, plane + 1);
		ck_assert_msg(sfab_builder_port(b, plane, 0x1000 + 16 * h + plane, 1,
						0x1000 + 16 * h + plane + 1, name,
						NULL, host_lid(m, h), m->lmc,
						&err) == 0, "%s", err.text);
	}
}

static void add_cables(const struct made *m, struct sfab_builder *b, unsigned plane)
{
	for (unsigned h = 1; h <= m->leaves * m->hosts; h++)
		cable(b, plane, 0x1000 + 16 * h + plane, 1,
		      0x100 + (h - 1) / m->hosts, 1 + (h - 1) % m->hosts);
	for (unsigned l = 0; l < m->leaves; l++)
		for (unsigned s = 0; s < m->spines; s++)
			cable(b, plane, 0x100 + l, m->hosts + 1 + s, 0x200 + s, l + 1);
}

static void set_entry(struct sfab_builder *b, unsigned plane, uint64_t guid,
		      unsigned lid, unsigned port)
{
	uint8_t entry = (uint8_t) port;
	struct sfab_err err;

	ck_assert_msg(sfab_builder_lft(b, plane, guid, lid, &entry, 1, &err) == 0,
		      "%s", err.text);
}

static void add_up(const struct made *m, struct sfab_builder *b, unsigned plane,
		   unsigned l, unsigned lid)
{
	uint8_t up[64];
	struct sfab_err err;

	for (unsigned s = 0; s < m->spines; s++)
		up[s] = (uint8_t) (m->hosts + 1 + s);
	if (m->grouped)
		ck_assert(sfab_builder_group(b, plane, 0x100 + l, lid, up, even,
					     m->spines, &err) == 0);
	else
		set_entry(b, plane, 0x100 + l, lid,
			  up[m->same_spine ? 0 : lid % m->spines]);
}

static void add_tables(const struct made *m, struct sfab_builder *b, unsigned plane)
{
	for (unsigned h = 1; h <= m->leaves * m->hosts; h++)
		for (unsigned k = 0; k < 1u << m->lmc; k++) {
			unsigned lid = host_lid(m, h) + k, at = (h - 1) / m->hosts;

			for (unsigned l = 0; l < m->leaves && m->spines; l++)
				if (l != at)
					add_up(m, b, plane, l, lid);
			set_entry(b, plane, 0x100 + at, lid, 1 + (h - 1) % m->hosts);
			for (unsigned s = 0; s < m->spines; s++)
				set_entry(b, plane, 0x200 + s, lid, at + 1);
		}
}

struct sfab_builder *made_builder(const struct made *m)
{
	struct sfab_builder *b = sfab_builder_create(SFAB_BUILD_STRICT);
	unsigned planes = m->planes ? m->planes : 1;
	char name[16];

	ck_assert_ptr_nonnull(b);
	for (unsigned p = 0; p < planes; p++) {
		snprintf(name, sizeof(name), "plane%u", p + 1);
		ck_assert_int_eq(sfab_builder_plane(b, name, NULL), (int) p);
		add_nodes(m, b, p);
		add_cables(m, b, p);
		add_tables(m, b, p);
	}
	if (m->grouped)
		sfab_builder_adaptive(b);
	return b;
}

struct sfab_fabric *made_fabric(const struct made *m)
{
	struct sfab_builder *b = made_builder(m);
	struct sfab_err err = { 0 };
	struct sfab_fabric *f = sfab_builder_freeze(b, &err);

	ck_assert_msg(f != NULL, "%s", err.text);
	sfab_builder_destroy(b);
	return f;
}

struct sfab_fabric *made_small(void)
{
	struct made m = { .leaves = 2, .spines = 2, .hosts = 2 };

	return made_fabric(&m);
}

static int chance(unsigned in)
{
	return random() % in == 0;
}

void made_spoil(struct sfab_fabric *f, unsigned seed)
{
	srandom(seed);
	for (uint32_t i = 0; i < f->nswitches; i++) {
		const struct sfab_switch *sw = &f->switches[i];
		uint8_t *lft = (uint8_t *) sw->lft;

		for (uint32_t lid = 1; lid < f->planes[sw->plane].nlids; lid++) {
			if (chance(8))
				lft[lid] = (uint8_t) (random() % (sw->nports + 2));
			if (chance(16))
				lft[lid] = SFAB_PORT_NONE;
		}
	}
	for (uint32_t i = 0; i < f->nlinks; i++)
		if (chance(32))
			((struct sfab_link *) f->links)[i].up = 0;
}
