/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * audit_print.h - print what an audit found, as text or JSON
 */
#ifndef SFAB_TOOLS_AUDIT_PRINT_H
#define SFAB_TOOLS_AUDIT_PRINT_H

#include "core/audit/audit.h"
#include "tools/ui/answer.h"

/* A finding's name, RULE:OBJECT, printable; caller frees. */
char *audit_id(const struct sfab_finding *f);

/*
 * What @silence (ids or rules between semicolons) does not name: flags by
 * finding, caller frees; *@silent gets how many are named.
 */
uint8_t *audit_heard(const struct sfab_audit *a, const char *silence,
		     uint32_t *silent);

/*
 * data.io, data.uplinks, data.findings and data.silenced, or text: there findings
 * that say the same of several objects are one, unless @all.
 */
int audit_print(const struct sfab_model *m, const struct sfab_audit *found,
		const char *silence, int all, struct answer *a,
		struct sfab_err *err);

#endif
