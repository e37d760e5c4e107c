/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * nodedesc.h - node description of an end port -> name of its host
 *
 * Usually the first word ("c001 HCA-1"), so that the HCAs of a host belong together.  Some
 * descriptions name no host: SHARP aggregation nodes, factory defaults, "localhost", blanks,
 * and text that looks like the GUID of a nameless node.  Each such node counts as a host of its
 * own, named by its GUID.  So do several nodes with the same description, which the builder
 * detects.
 */
#ifndef SFAB_NODEDESC_H
#define SFAB_NODEDESC_H

#include <stdint.h>

#define SFAB_NODEDESC_HOST_SIZE 20	/* "0x", 16 digits, NUL */

/*
 * Return the name of the host, written into @buf.  NULL: it is the first word of the
 * description, the default of sfab_builder_add_port().
 */
const char *sfab_nodedesc_host(const char *desc, uint64_t node_guid,
			       char buf[SFAB_NODEDESC_HOST_SIZE]);

#endif
