/* SPDX-License-Identifier: GPL-2.0-or-later */
/* audit_print.h - print the findings of an audit, as text or JSON */
#ifndef SFAB_TOOLS_AUDIT_PRINT_H
#define SFAB_TOOLS_AUDIT_PRINT_H

#include "core/audit/audit.h"
#include "tools/ui/answer.h"

/*
 * Fills data.io, data.uplinks, data.findings and data.silenced, or prints text.
 * Unless @all is set, text combines findings that report the same for several
 * objects.
 */
int audit_print(const struct sfab_model *m, const struct sfab_audit *found,
		const char *silence, int all, struct answer *a,
		struct sfab_err *err);

#endif
