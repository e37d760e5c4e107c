/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fidelity.h - how far a simulation is to be believed
 */
#ifndef SFAB_WHATIF_FIDELITY_H
#define SFAB_WHATIF_FIDELITY_H

#include "core/fabric/fabric.h"
#include "tools/ui/answer.h"

/*
 * Say by which engines OpenSM routed the unchanged fabric @now and the changed
 * one, @then (NULL: that is said elsewhere), and how many table entries of
 * @now are those of the @snapshot, which it was made from.
 */
void agree(const struct sfab_fabric *snapshot, const struct sfab_fabric *now,
	   const struct sfab_fabric *then, struct answer *a);

#endif
