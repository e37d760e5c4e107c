/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nodedesc.h - node description of an end port -> name of its host
 *
 * Usually the first word ("c001 HCA-1"), so that the HCAs of a host come
 * together.  SHARP aggregation nodes, descriptions as the factory sets them,
 * "localhost", blanks and what looks like the GUID of a node name no host: there each
 * node stands for itself, by its GUID.  So it does where a description is that of
 * several nodes, which the builder finds out.
 */
#ifndef SFAB_NODEDESC_H
#define SFAB_NODEDESC_H

#include <stddef.h>
#include <stdint.h>

#define SFAB_NODEDESC_HOST_SIZE 20	/* "0x", 16 digits, NUL */

/*
 * NULL: the first word will do (what sfab_builder_port() takes).  Else the
 * name, written into @buf.
 */
const char *sfab_nodedesc_host(const char *desc, uint64_t node_guid,
			       char buf[SFAB_NODEDESC_HOST_SIZE]);

#endif
