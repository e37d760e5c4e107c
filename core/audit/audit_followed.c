/* SPDX-License-Identifier: GPL-2.0-or-later */
/* audit_followed.c - do the measured bytes follow the tables?  The caller compared them */

#include "core/audit/audit_private.h"

#include <stdio.h>

/* A note while it is as it should be: it is the figure that one wants to see. */
int sfab_audit_followed(struct auditing *a)
{
	int bad = a->ask->followed < a->ask->followed_least;
	double percent = 100 * a->ask->followed;
	struct sfab_finding *f;

	if (!a->ask->followed_known)
		return 0;
	f = sfab_audit_add(a, SFAB_RULE_STRAYS, bad ? SFAB_CRITICAL : SFAB_NOTE, percent, "fabric");
	snprintf(f->what, sizeof(f->what), "%.0f %% of the measured bytes are where the tables "
		 "say", percent);
	if (!bad)
		f->remedy[0] = '\0';
	return 0;
}
