/* SPDX-License-Identifier: GPL-2.0-or-later */
/* portkey.h - the order of all tables by port: node GUID, then port number */
#ifndef SFAB_PORTKEY_H
#define SFAB_PORTKEY_H

#include <stdint.h>

/* Compare ports by node GUID, then by port number: < 0, 0 or > 0, as qsort() expects. */
static inline int sfab_portkey_compare(uint64_t guid, unsigned port,
				       uint64_t other_guid, unsigned other_port)
{
	if (guid != other_guid)
		return guid < other_guid ? -1 : 1;
	return port < other_port ? -1 : port > other_port;
}

#endif
