/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * audit_since.h - what an audit finds that an earlier one did not
 *
 * The earlier one is a file of `sfabric audit --json`.  Findings are compared by
 * id.  One has changed if its severity is another, or its number by a tenth.
 * Silenced findings count as absent, then and now.
 */
#ifndef SFAB_AUDIT_SINCE_H
#define SFAB_AUDIT_SINCE_H

#include "core/audit/audit.h"
#include "tools/ui/json.h"

struct then_finding;		/* private */

struct changed_finding {
	uint32_t now;			/* index in the audit */
	const struct then_finding *then;
};

struct audit_since {
	struct then_finding *then;	/* by id */
	uint8_t *is_new;		/* [findings of now] */
	struct changed_finding *changed;	/* [nchanged] */
	uint32_t nnew, nchanged, ngone, same;
	int is_worse;	/* something new or graver that is more than a note */
};

/* SFAB_EFORMAT: not an audit; SFAB_EIO.  On failure nothing is left to free. */
int audit_since_read(struct audit_since *s, const char *path,
		     struct sfab_err *err);
/* @heard: flags of findings that are not silenced.  O(findings). */
void audit_since_compare(struct audit_since *s, const struct sfab_audit *now,
			 const uint8_t *heard);
void audit_since_free(struct audit_since *s);

/* Lines for what is gone or changed, and the sums. */
void audit_since_print(const struct audit_since *s, const struct sfab_audit *now,
		       FILE *out);
struct json_object *audit_since_json(const struct audit_since *s,
				     const struct sfab_audit *now);

#endif
