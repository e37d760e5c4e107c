/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ibsim_tables.h - the forwarding tables that a simulated fabric holds
 *
 * OpenSM's own dump of the tables takes a third of its time and 80 bytes an entry.
 * ibsim's console command "Dump" prints what OpenSM set, in a tenth of both.
 */
#ifndef SFAB_WHATIF_IBSIM_TABLES_H
#define SFAB_WHATIF_IBSIM_TABLES_H

#include <stdint.h>

#include "core/err.h"
#include "core/fabric/builder.h"

/*
 * Give the tables in @path, the output of ibsim after "Dump", to plane @plane of
 * @b, which has the switches.  SFAB_EFORMAT with the line, also if the end is
 * missing.
 */
int ibsim_tables_read(struct sfab_builder *b, uint32_t plane, const char *path,
		      struct sfab_err *err);

#endif
