/* SPDX-License-Identifier: GPL-2.0-or-later */
/* audit.c - all checks, a file audit_*.c for each subject; see audit.h */

#include "core/audit/audit_private.h"
#include "core/ascending.h"

#include <stdlib.h>
#include <string.h>

/* Compare findings: the worst first, then in the order of rules, then of objects. */
static int compare_finding(const void *a, const void *b)
{
	const struct sfab_finding *x = a, *y = b;
	int c = sfab_ascending_keys((uint64_t[]){ y->severity, x->rule },
				    (uint64_t[]){ x->severity, y->rule }, 2);

	return c ? c : sfab_fabric_name_cmp(x->object, y->object);
}

/* Run the checks until one fails.  The rates come first, since the check of IO needs them. */
int sfab_audit(const struct sfab_audit_options *ask, struct sfab_audit *out,
	       struct sfab_err *err)
{
	static int (*const look[])(struct auditing *) = {
		sfab_audit_list_rates, sfab_audit_io, sfab_audit_engine, sfab_audit_routes,
		sfab_audit_links, sfab_audit_spines, sfab_audit_static, sfab_audit_hosts,
		sfab_audit_followed, sfab_audit_lanes,
	};
	struct auditing a = {
		.ask = ask, .m = ask->m, .f = ask->m->f, .out = out, .err = err,
	};
	size_t n = ask->only_rates ? 1 : sizeof(look) / sizeof(look[0]);
	int rc = 0;

	memset(out, 0, sizeof(*out));
	for (size_t i = 0; i < n && rc == 0; i++)
		rc = look[i](&a) < 0 || a.failed ? -1 : 0;
	if (rc < 0) {
		free(a.spare.move);
		sfab_audit_free(out);
	}
	if (out->n)
		qsort(out->finding, out->n, sizeof(*out->finding), compare_finding);
	sfab_route_clear(&a.route);
	sfab_arena_free(&a.arena);
	return rc;
}
