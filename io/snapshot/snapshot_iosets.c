/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot_iosets.c - decode IO sets
 *
 * The rows become the arrays of a struct sfab_iosets that borrows them;
 * sfab_iosets_copy() checks what they say and keeps a copy.
 */

#include "io/snapshot/snapshot_decode.h"

#include <stdlib.h>

/*
 * The arrays of an unchecked struct sfab_iosets.  All from calloc(), and freed
 * in one place.
 */
struct arrays {
	struct sfab_ioset *set;
	uint32_t *ioport;
	double *capacity;
	uint32_t *member, *member_group, *client_group;
};

/* One element more than needed: calloc(0) may return NULL. */
static int load_ioports(struct sfab_decoder *d, struct arrays *a)
{
	size_t n = d->n[SFAB_S_IO_PORTS], i;
	struct sfab_flat_ioport *rows = sfab_decode_rows(d, SFAB_S_IO_PORTS);

	a->ioport = calloc(n + 1, sizeof(*a->ioport));
	a->capacity = calloc(n + 1, sizeof(*a->capacity));
	if (!rows || !a->ioport || !a->capacity) {
		free(rows);
		return rows ? sfab_no_memory(d->err) : -1;
	}
	for (i = 0; i < n; i++) {
		a->ioport[i] = rows[i].port;
		a->capacity[i] = rows[i].capacity;
	}
	free(rows);
	return 0;
}

static int load_members(struct sfab_decoder *d, struct arrays *a)
{
	size_t n = d->n[SFAB_S_IO_MEMBERS], i;
	struct sfab_flat_member *rows = sfab_decode_rows(d, SFAB_S_IO_MEMBERS);

	a->member = calloc(n + 1, sizeof(*a->member));
	a->member_group = calloc(n + 1, sizeof(*a->member_group));
	if (!rows || !a->member || !a->member_group) {
		free(rows);
		return rows ? sfab_no_memory(d->err) : -1;
	}
	for (i = 0; i < n; i++) {
		a->member[i] = rows[i].ioport;
		a->member_group[i] = rows[i].group;
	}
	free(rows);
	return 0;
}

/* Sets take consecutive parts of the members, and likewise of the clients. */
static int load_sets(struct sfab_decoder *d, struct arrays *a)
{
	size_t n = d->n[SFAB_S_IO_SETS], member = 0, client = 0, i;
	struct sfab_flat_ioset *rows = sfab_decode_rows(d, SFAB_S_IO_SETS);

	a->set = calloc(n + 1, sizeof(*a->set));
	for (i = 0; rows && a->set && i < n; i++) {
		a->set[i] = (struct sfab_ioset){
			.name = rows[i].name,
			.map = (enum sfab_iomap) (rows[i].map & ~SFAB_FLAT_HELD),
			.held = (rows[i].map & SFAB_FLAT_HELD) != 0,
			.nmembers = rows[i].nmembers,
			.ngroups = rows[i].ngroups,
			.member = a->member + member,
			.member_group = a->member_group + member,
			.client_group = a->client_group + client,
		};
		member += rows[i].nmembers;
		client += rows[i].ngroups ? d->f->nhosts : 0;
		/*
		 * Checked after each set, so the pointers of the next are
		 * within the arrays.
		 */
		if (member > d->n[SFAB_S_IO_MEMBERS] ||
		    client > d->n[SFAB_S_IO_CLIENTS])
			break;
	}
	free(rows);
	if (!rows || !a->set)
		return rows ? sfab_no_memory(d->err) : -1;
	if (i < n || member != d->n[SFAB_S_IO_MEMBERS] ||
	    client != d->n[SFAB_S_IO_CLIENTS])
		return sfab_fail(d->err, SFAB_EFORMAT, "numbers of members or "
				 "clients of the IO sets differ from sections "
				 "IOMEMBER and IOCLIENT");
	return 0;
}

struct sfab_iosets *sfab_decode_iosets(struct sfab_decoder *d)
{
	struct arrays a = { 0 };
	struct sfab_iosets unchecked = { 0 }, *io = NULL;

	/* a row of a client is its group */
	a.client_group = sfab_decode_rows(d, SFAB_S_IO_CLIENTS);
	if (a.client_group && load_ioports(d, &a) == 0 &&
	    load_members(d, &a) == 0 && load_sets(d, &a) == 0) {
		unchecked.nsets = (uint32_t) d->n[SFAB_S_IO_SETS];
		unchecked.nioports = (uint32_t) d->n[SFAB_S_IO_PORTS];
		unchecked.set = a.set;
		unchecked.ioport = a.ioport;
		unchecked.capacity = a.capacity;
		io = sfab_iosets_copy(d->f, &unchecked, d->err);
	}
	free(a.set);
	free(a.ioport);
	free(a.capacity);
	free(a.member);
	free(a.member_group);
	free(a.client_group);
	return io;
}
