/* SPDX-License-Identifier: GPL-2.0-or-later */
/* audit_print.h - print the findings of an audit, as text or JSON */
#ifndef SFAB_TOOLS_AUDIT_PRINT_H
#define SFAB_TOOLS_AUDIT_PRINT_H

#include "core/audit/audit.h"
#include "tools/ui/answer.h"

struct audit_view {
	const char *silence;	/* ids or rules with semicolons between them */
	int all;		/* text: each finding by itself, also without effect */
};

/*
 * Fills data.io, data.uplinks and data.findings, or prints text, which combines
 * findings of one rule that report the same for several objects.
 */
int audit_print(const struct sfab_model *m, const struct sfab_audit *found,
		const struct audit_view *view, struct answer *a);

#endif
