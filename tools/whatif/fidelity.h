/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fidelity.h - how far a simulation can be trusted */
#ifndef SFAB_FIDELITY_H
#define SFAB_FIDELITY_H

#include <stdint.h>

#include "core/fabric/fabric.h"
#include "tools/ui/answer.h"

/* Count the table entries that differ between @snapshot and @unchanged. */
uint64_t fidelity_count_differing(const struct sfab_fabric *snapshot,
				  const struct sfab_fabric *unchanged);

/*
 * Report which engines OpenSM used for the fabrics @unchanged and @changed (NULL: reported
 * elsewhere).  Also report how many table entries of @unchanged equal those of @snapshot, from
 * which it was made.
 */
void fidelity_report(const struct sfab_fabric *snapshot, const struct sfab_fabric *unchanged,
		     const struct sfab_fabric *changed, struct answer *a);

#endif
