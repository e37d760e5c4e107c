/* SPDX-License-Identifier: GPL-2.0-or-later */
/* opensm_conf.h - what an audit wants of opensm.conf */
#ifndef SFAB_OPENSM_CONF_H
#define SFAB_OPENSM_CONF_H

#include "core/audit/audit.h"

/*
 * The engines that it asks for, "ftree,updn", to *@engine: the caller frees them; NULL:
 * none.  How it sets up lanes to *@lanes, but for ->io.  -1 if it cannot be read, or says
 * neither.
 */
int opensm_conf_read(const char *path, char **engine, struct sfab_lanes *lanes,
		     struct sfab_err *err);

#endif
