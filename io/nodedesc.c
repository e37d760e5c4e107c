/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nodedesc.c - descriptions that name no host; see nodedesc.h
 *
 * A host is named by the first word of its description, which is what its driver was told: "n1
 * mlx5_0".  Where it was told nothing there is a factory's text or a word that many machines
 * have, and then the GUID takes its place.
 */

#include "io/nodedesc.h"

#include <stdio.h>
#include <string.h>

/* Factory defaults and SHARP nodes; anywhere in the description. */
static const char *const factory[] = {
	"Aggregation Node",
	"Mellanox Technologies",
};

/* First words of machines that were never named; "<unknown>" is OpenSM's. */
static const char *const nameless[] = {
	"<unknown>",
	"localhost",
	"localhost.localdomain",
	"(none)",
};

/* Is it blank, the GUID, the factory's text or a word that says nothing? */
static int names_no_host(const char *desc)
{
	size_t len, i;

	desc += strspn(desc, " \t");
	len = strcspn(desc, " \t");
	/* A host with a GUID's name would be confused with a nameless one of that GUID. */
	if (!len || (len == 18 && strncmp(desc, "0x", 2) == 0 &&
		     strspn(desc + 2, "0123456789abcdef") == 16))
		return 1;
	for (i = 0; i < sizeof(factory) / sizeof(factory[0]); i++)
		if (strstr(desc, factory[i]))
			return 1;
	for (i = 0; i < sizeof(nameless) / sizeof(nameless[0]); i++)
		if (strlen(nameless[i]) == len &&
		    strncmp(desc, nameless[i], len) == 0)
			return 1;
	return 0;
}

const char *sfab_nodedesc_host(const char *desc, uint64_t node_guid,
			       char buf[SFAB_NODEDESC_HOST_SIZE])
{
	if (!names_no_host(desc))
		return NULL;
	snprintf(buf, SFAB_NODEDESC_HOST_SIZE, "0x%016llx",
		 (unsigned long long) node_guid);
	return buf;
}
