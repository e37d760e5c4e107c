/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fidelity.h - how far a simulation can be trusted */
#ifndef SFAB_FIDELITY_H
#define SFAB_FIDELITY_H

#include <stdint.h>

#include "core/fabric/fabric.h"
#include "tools/ui/answer.h"

/* Count the table entries that differ between @snapshot and @now. */
uint64_t fidelity_count_differing(const struct sfab_fabric *snapshot,
				  const struct sfab_fabric *now);

/*
 * Report which engines OpenSM used for the unchanged fabric @now and the changed one, @then
 * (NULL: reported elsewhere).  Also report how many table entries of @now equal those of
 * @snapshot, from which it was made.
 */
void fidelity_report(const struct sfab_fabric *snapshot, const struct sfab_fabric *now,
		     const struct sfab_fabric *then, struct answer *a);

#endif
