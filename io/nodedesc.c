/* SPDX-License-Identifier: GPL-2.0-or-later */
/* nodedesc.c - descriptions that name no host; see nodedesc.h */

#include "nodedesc.h"

#include <stdio.h>
#include <string.h>

/* Anywhere in the description. */
static const char *const factory[] = {
	"Aggregation Node",
	"Mellanox Technologies",
};

/* The first word, as a machine has it that nobody named. */
static const char *const nameless[] = {
	"localhost",
	"localhost.localdomain",
	"(none)",
};

static int names_host(const char *desc)
{
	size_t len = strcspn(desc, " \t"), i;

	for (i = 0; i < sizeof(factory) / sizeof(factory[0]); i++)
		if (strstr(desc, factory[i]))
			return 0;
	for (i = 0; i < sizeof(nameless) / sizeof(nameless[0]); i++)
		if (strlen(nameless[i]) == len &&
		    strncmp(desc, nameless[i], len) == 0)
			return 0;
	return 1;
}

const char *sfab_nodedesc_host(const char *desc, uint64_t node_guid,
			       char buf[SFAB_NODEDESC_HOST_SIZE])
{
	if (names_host(desc))
		return NULL;
	snprintf(buf, SFAB_NODEDESC_HOST_SIZE, "0x%016llx",
		 (unsigned long long) node_guid);
	return buf;
}
