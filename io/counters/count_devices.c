/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * count_devices.c - ports as hosts name them: "mlx5_0", port 1; see count_files.h
 *
 * What runs on a host knows its adapters by the names of the kernel.  The fabric knows GUIDs,
 * and descriptions that the host gave to its adapters.
 */

#include "io/counters/count_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/is_digit.h"

/* Find the host of that name, without the port and then without the domain of an address. */
static uint32_t find_count_host(const struct sfab_fabric *f, const char *name)
{
	static const char *const end[] = { "", ":", ".:" };
	uint32_t host = SFAB_NONE;

	for (size_t i = 0; i < sizeof(end) / sizeof(end[0]) && host == SFAB_NONE; i++) {
		char part[256];
		size_t n = strcspn(name, end[i]);

		snprintf(part, sizeof(part), "%.*s", (int) (n < 255 ? n : 255), name);
		host = sfab_fabric_host(f, part);
	}
	return host;
}

/*
 * Is @p port @num of @device?  Descriptions end with the device ("n1 mlx5_0"), or number the
 * adapters from 1 ("n1 HCA-1").  If they say neither, an only port is that of the first device;
 * later ones may be of another network.
 */
static int is_device(const struct sfab_port *p, const char *device, unsigned num, int is_only)
{
	const char *word = strrchr(p->desc, ' '), *digits = device + strlen(device);
	unsigned long index;
	char number[24];

	word = word ? word + 1 : "";
	while (digits > device && sfab_is_digit(digits[-1]))
		digits--;
	index = strtoul(digits, NULL, 10);
	snprintf(number, sizeof(number), "HCA-%lu", index + 1);
	if (strcmp(word, device) == 0 || strcmp(word, number) == 0)
		return p->num == num;
	return is_only && index == 0 && p->num == num && strncmp(word, "HCA-", 4) != 0;
}

const struct sfab_port *sfab_counts_device(const struct sfab_counts *c, const char *host,
					   const char *device, unsigned num)
{
	uint32_t h = find_count_host(c->f, host);
	const struct sfab_port *found = NULL;

	if (h == SFAB_NONE)
		return NULL;
	for (uint32_t i = 0; i < c->f->hosts[h].nports; i++) {
		const struct sfab_port *p = &c->f->ports[c->f->hosts[h].port0 + i];

		if (!is_device(p, device, num, c->f->hosts[h].nports == 1))
			continue;
		if (found)
			return NULL;
		found = p;
	}
	return found;
}

int sfab_counts_add_device(struct sfab_counts *c, const char *host, const char *device,
			   const struct sfab_counter *row, struct sfab_err *err)
{
	const struct sfab_port *p = sfab_counts_device(c, host, device, row->port);
	struct sfab_counter known = *row;

	if (p) {
		known.guid = p->node_guid;
		return sfab_counts_add(c, &known, err);
	}
	if (row->xmit_words) {
		c->nunmatched++;
		snprintf(c->unmatched_name, sizeof(c->unmatched_name), "%.40s %.30s port %u",
			 host, device, row->port);
	}
	return 0;
}
