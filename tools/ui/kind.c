/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kind.c - the option --kind; see kind.h
 *
 * The names are those of core, so that the option, the column "kind" and JSON
 * agree; KIND_CHOICES has them in the order of enum sfab_link_kind.
 */

#include "tools/ui/kind.h"

#include "core/fabric/fabric.h"
#include "tools/ui/options.h"

int kind_parse(struct argp_state *state, const char *text)
{
	return SFAB_LINK_ISL + (int) options_choice(state, "kind", text,
						    KIND_CHOICES, KIND_CHOICES);
}
