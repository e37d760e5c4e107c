/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * index_lids.c - number the LIDs that exist, and find them
 *
 * An end port owns 2^lmc LIDs, a switch one.  The ranges are sorted by plane and LID;
 * two that overlap claim the same LID.  What follows may be a damaged snapshot: the
 * number of LIDs is bounded before memory is taken for them.
 */

#include "core/ascending.h"
#include "core/fabric/arrays.h"

#include <stdlib.h>
#include <string.h>

struct lid_range {
	uint32_t plane, lid, n;
	uint32_t owner;		/* switch, or the number of switches + end port */
};

/* Switches before end ports: an error names the latter. */
static int compare_ranges(const void *a, const void *b)
{
	const struct lid_range *x = a, *y = b;

	return sfab_ascending_keys((uint64_t[]){ x->plane, x->lid, x->owner },
				   (uint64_t[]){ y->plane, y->lid, y->owner }, 3);
}

/* Each range ends before the next and within its plane; counts LIDs by plane. */
static int check_ranges(const struct sfab_fabric *f, const struct lid_range *range,
			uint32_t n, struct sfab_err *err)
{
	struct sfab_plane *pl = (struct sfab_plane *) f->planes;
	uint32_t all = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct lid_range *x = &range[i], *before = x - 1;
		const char *name = x->owner < f->nswitches ?
				   f->switches[x->owner].name :
				   f->ports[x->owner - f->nswitches].desc;
		uint32_t end = pl[x->plane].lid_end;

		if (x->lid >= end || x->n > end - x->lid)
			return sfab_fail(err, SFAB_EFORMAT,
					 "%s: LID 0x%x (expected at most 0x%x)", name,
					 x->lid >= end ? x->lid : end,
					 end ? end - 1 : 0);
		if (i && before->plane == x->plane && before->lid + before->n > x->lid)
			return sfab_fail(err, SFAB_EFORMAT,
					 "%s: LID 0x%x belongs to another port", name,
					 x->lid);
		if (x->n > SFAB_LIDS_MAX - all)
			return sfab_fail(err, SFAB_ELIMIT,
					 "more LIDs than %u", SFAB_LIDS_MAX);
		all += x->n;
		pl[x->plane].nlids += x->n;
	}
	return 0;
}

/*
 * The entries of the LIDs of one plane, whose ranges begin with @x.  Entries
 * count up with LIDs, so the range of a port is one run of them.
 */
static int number_lids(struct sfab_fabric *f, struct sfab_plane *pl,
		       const struct lid_range *x)
{
	uint32_t *lid = sfab_arena_take(&f->mem, pl->nlids, sizeof(*lid));
	uint32_t *port = sfab_arena_take(&f->mem, pl->nlids, sizeof(*port));
	uint32_t *sw = sfab_arena_take(&f->mem, pl->nlids, sizeof(*sw));

	if (!lid || !port || !sw)
		return -1;
	for (uint32_t e = 0; e < pl->nlids; x++) {
		int is_switch = x->owner < f->nswitches;

		if (!is_switch)
			((struct sfab_port *) f->ports)[x->owner - f->nswitches].entry = e;
		for (uint32_t k = 0; k < x->n; k++, e++) {
			lid[e] = x->lid + k;
			sw[e] = is_switch ? x->owner : SFAB_NONE;
			port[e] = is_switch ? SFAB_NONE : x->owner - f->nswitches;
		}
	}
	pl->lid = lid;
	pl->lid_port = port;
	pl->lid_switch = sw;
	return 0;
}

int sfab_fabric_index_lids(struct sfab_fabric *f, struct sfab_err *err)
{
	struct lid_range *range;
	uint32_t n = 0, at = 0;
	int rc;

	for (uint32_t i = 0; i < f->nplanes; i++)
		if (f->planes[i].lid_end > SFAB_LID_MAX + 1u)
			return sfab_fail(err, SFAB_EFORMAT, "plane %u: LIDs up to "
					 "0x%x (expected at most 0x%x)", i,
					 f->planes[i].lid_end - 1, SFAB_LID_MAX);
	range = malloc((f->nswitches + (size_t) f->nports + 1) * sizeof(*range));
	if (!range)
		return sfab_no_memory(err);
	for (uint32_t i = 0; i < f->nswitches; i++) {
		const struct sfab_switch *sw = &f->switches[i];

		if (sw->lid)
			range[n++] = (struct lid_range){ sw->plane, sw->lid, 1, i };
	}
	for (uint32_t i = 0; i < f->nports; i++) {
		const struct sfab_port *p = &f->ports[i];

		if (p->lid)
			range[n++] = (struct lid_range){ p->plane, p->lid, 1u << p->lmc,
							 f->nswitches + i };
	}
	qsort(range, n, sizeof(*range), compare_ranges);
	rc = check_ranges(f, range, n, err);
	/* Ranges are sorted by plane, so each plane's are one run. */
	for (uint32_t i = 0; i < f->nplanes && rc == 0; i++) {
		if (number_lids(f, (struct sfab_plane *) &f->planes[i], range + at) < 0)
			rc = sfab_no_memory(err);
		while (at < n && range[at].plane == i)
			at++;
	}
	free(range);
	return rc;
}

/*
 * Tables have one byte for each LID that exists, so an entry is what they are
 * indexed by.
 */
uint32_t sfab_plane_entry(const struct sfab_plane *p, uint32_t lid)
{
	const uint32_t *at = bsearch(&lid, p->lid, p->nlids, sizeof(lid), sfab_ascending_u32);

	return at ? (uint32_t) (at - p->lid) : SFAB_NONE;
}

/*
 * LIDs ascend, so all that are left have no gap if the last is as far above the first as
 * there are more of them.  Most often they have none.
 */
uint32_t sfab_plane_run(const struct sfab_plane *p, uint32_t entry)
{
	uint32_t left = entry < p->nlids ? p->nlids - entry : 0, n = 1;

	if (!left || p->lid[p->nlids - 1] - p->lid[entry] == left - 1)
		return left;
	while (p->lid[entry + n] == p->lid[entry] + n)
		n++;
	return n;
}
