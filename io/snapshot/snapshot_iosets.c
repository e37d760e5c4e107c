/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * snapshot_iosets.c - decode IO sets
 *
 * The rows become the arrays of a struct sfab_iosets that borrows them;
 * sfab_iosets_copy() checks what they say and keeps a copy.
 */

#include "io/snapshot/snapshot_decode.h"

#include <string.h>

/* One member of all records of a section, of @size bytes at @offset; NULL with d->err. */
static void *load_column(struct sfab_decoder *d, enum sfab_section_id id, size_t offset,
			 size_t size)
{
	size_t n = d->n[id], stride = sfab_sections[id].stride;
	const char *rows = sfab_decode_rows(d, &d->scratch, id);
	char *column = rows ? sfab_arena_take(&d->scratch, n, size) : NULL;

	if (rows && !column)
		sfab_no_memory(d->err);
	for (size_t i = 0; column && i < n; i++)
		memcpy(column + i * size, rows + i * stride + offset, size);
	return column;
}
#define COLUMN(d, id, type, member) \
	load_column(d, id, offsetof(struct type, member), sizeof(((struct type *) NULL)->member))

/* Sets take consecutive parts of the members, and likewise of the clients. */
static struct sfab_ioset *load_sets(struct sfab_decoder *d)
{
	const struct sfab_flat_ioset *rows = sfab_decode_rows(d, &d->scratch, SFAB_S_IO_SETS);
	const uint32_t *member = COLUMN(d, SFAB_S_IO_MEMBERS, sfab_flat_member, ioport);
	const uint32_t *group = COLUMN(d, SFAB_S_IO_MEMBERS, sfab_flat_member, group);
	const uint32_t *client = COLUMN(d, SFAB_S_IO_CLIENTS, sfab_flat_client, group);
	size_t n = d->n[SFAB_S_IO_SETS], members = d->n[SFAB_S_IO_MEMBERS];
	size_t clients = d->n[SFAB_S_IO_CLIENTS], i;
	struct sfab_ioset *set = sfab_arena_take(&d->scratch, n, sizeof(*set));

	if (!set)
		sfab_no_memory(d->err);
	if (!rows || !member || !group || !client || !set)
		return NULL;
	for (i = 0; i < n; i++) {
		uint32_t hosts = rows[i].ngroups ? d->f->nhosts : 0;

		/* So the pointers of the next set are within the arrays. */
		if (rows[i].nmembers > members || hosts > clients)
			break;
		set[i] = (struct sfab_ioset){
			.name = rows[i].name,
			.map = (enum sfab_iomap) (rows[i].map & ~SFAB_FLAT_HELD),
			.held = (rows[i].map & SFAB_FLAT_HELD) != 0,
			.nmembers = rows[i].nmembers,
			.ngroups = rows[i].ngroups,
			.member = member,
			.member_group = group,
			.client_group = client,
		};
		member += rows[i].nmembers;
		group += rows[i].nmembers;
		client += hosts;
		members -= rows[i].nmembers;
		clients -= hosts;
	}
	if (i == n && !members && !clients)
		return set;
	sfab_fail(d->err, SFAB_EFORMAT, "numbers of members or clients of the IO sets differ "
		  "from sections IOMEMBER and IOCLIENT");
	return NULL;
}

struct sfab_iosets *sfab_decode_iosets(struct sfab_decoder *d)
{
	const struct sfab_iosets unchecked = {
		.nsets = (uint32_t) d->n[SFAB_S_IO_SETS],
		.nioports = (uint32_t) d->n[SFAB_S_IO_PORTS],
		.set = load_sets(d),
		.ioport = COLUMN(d, SFAB_S_IO_PORTS, sfab_flat_ioport, port),
		.capacity = COLUMN(d, SFAB_S_IO_PORTS, sfab_flat_ioport, capacity),
	};

	if (!unchecked.set || !unchecked.ioport || !unchecked.capacity)
		return NULL;
	return sfab_iosets_copy(d->f, &unchecked, d->err);
}
