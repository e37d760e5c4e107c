/* SPDX-License-Identifier: GPL-2.0-or-later */
/* audit_site.h - audit the fabric of a site, and print the findings as text or JSON */
#ifndef SFAB_AUDIT_SITE_H
#define SFAB_AUDIT_SITE_H

#include "core/audit/audit.h"
#include "tools/ui/answer.h"

/* What the options of `sfabric audit` say; all but the first may be 0. */
struct audit_request {
	struct options options;
	const char *engine, *opensm_conf;
	const char *counters, *found;	/* NULL: those of the conf, if they are there */
	int may_lack_counters;		/* also those that are named */
	uint32_t block, io_level;
};

/*
 * STATUS_FOUND for warnings and worse that are not silenced; -1 with *err.  -v: each finding
 * by itself, also without effect.
 */
int audit_site(const struct audit_request *w, struct answer *a, struct sfab_err *err);

/* "RULE:OBJECT", stable from audit to audit: the key of AuditSilence.  Caller frees. */
char *audit_finding_id(const struct sfab_finding *f);

/*
 * Part of it: fills data.io, data.uplinks and data.findings, or prints text, which combines
 * findings of one rule that report the same for several objects, unless @all is set.
 * @unsilenced [found->n]: not silenced.
 */
void audit_print(const struct sfab_model *m, const struct sfab_audit *found,
		 const uint8_t *unsilenced, int all, struct answer *a);

#endif
