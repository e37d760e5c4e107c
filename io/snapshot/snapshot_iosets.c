/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot_iosets.c - decode IO sets
 *
 * The rows become the arrays of a struct sfab_iosets that borrows them;
 * sfab_iosets_copy() checks what they say and keeps a copy.
 */

#include "io/snapshot/snapshot_decode.h"

#include <stdlib.h>
#include <string.h>

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

/* One member of all records of a section, of @size bytes at @offset; NULL with d->err. */
static void *load_column(struct sfab_decoder *d, enum sfab_section_id id, size_t offset,
			 size_t size)
{
	size_t n = d->n[id], stride = sfab_sections[id].stride;
	char *rows = sfab_decode_rows(d, id);
	/* One element more than needed: calloc(0) may return NULL. */
	char *column = calloc(n + 1, size);

	if (rows && !column)
		sfab_no_memory(d->err);
	for (size_t i = 0; rows && column && i < n; i++)
		memcpy(column + i * size, rows + i * stride + offset, size);
	if (!rows) {
		free(column);
		column = NULL;
	}
	free(rows);
	return column;
}
#define COLUMN(d, id, type, member) \
	load_column(d, id, offsetof(struct type, member), sizeof(((struct type *) NULL)->member))

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
	struct arrays a = {
		.ioport = COLUMN(d, SFAB_S_IO_PORTS, sfab_flat_ioport, port),
		.capacity = COLUMN(d, SFAB_S_IO_PORTS, sfab_flat_ioport, capacity),
		.member = COLUMN(d, SFAB_S_IO_MEMBERS, sfab_flat_member, ioport),
		.member_group = COLUMN(d, SFAB_S_IO_MEMBERS, sfab_flat_member, group),
		.client_group = COLUMN(d, SFAB_S_IO_CLIENTS, sfab_flat_client, group),
	};
	struct sfab_iosets unchecked = { 0 }, *io = NULL;

	if (a.ioport && a.capacity && a.member && a.member_group && a.client_group &&
	    load_sets(d, &a) == 0) {
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
