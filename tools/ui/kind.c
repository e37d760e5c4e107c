/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * kind.c - the option --kind; see kind.h
 *
 * The names are those of core, so that the option, the column "kind" and JSON
 * agree.
 */

#include "tools/ui/kind.h"

#include <string.h>

#include "core/fabric/fabric.h"
#include "tools/ui/spelling.h"

int kind_parse(struct argp_state *state, const char *text)
{
	for (int k = SFAB_LINK_ISL; k <= SFAB_LINK_INJECT; k++)
		if (strcmp(text, sfab_link_kind_name(k)) == 0)
			return k;
	argp_error(state, "kind '%s'%s (expected " KIND_CHOICES ")", text,
		   spelling_among(text, KIND_CHOICES));
	return -1;
}
