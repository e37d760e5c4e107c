/* SPDX-License-Identifier: GPL-2.0-or-later */
/* audit_site.h - audit the fabric of a site, and print the findings as text or JSON */
#ifndef SFAB_AUDIT_SITE_H
#define SFAB_AUDIT_SITE_H

#include "core/audit/audit.h"
#include "tools/ui/answer.h"

/* The options of `sfabric audit`.  Only @options must be set; 0 and NULL mean "not given". */
struct audit_request {
	struct options options;
	const char *engine, *opensm_conf;
	const char *counters, *found;	/* paths; NULL: those of the conf, if they exist */
	int may_lack_counters;		/* 1: go on without @counters if they cannot be read */
	uint32_t block, io_level;
};

/*
 * Audit the fabric and print the findings.  Return STATUS_FOUND if one that is not silenced is
 * a warning or worse, else STATUS_FINE; -1 with *err.  With -v each finding is printed by
 * itself, also one without effect.
 */
int audit_site(const struct audit_request *w, struct answer *a, struct sfab_err *err);

/* Return "RULE:OBJECT", stable from audit to audit: the key of AuditSilence.  Caller frees. */
char *audit_finding_id(const struct sfab_finding *f);

/*
 * Fill data.io, data.uplinks and data.findings of the JSON answer, or print text.  Part of
 * audit_site().  Text combines findings of one rule that report the same for several objects,
 * unless @lists_all is set.  @unsilenced: flags by finding.
 */
void audit_print(const struct sfab_model *m, const struct sfab_audit *found,
		 const uint8_t *unsilenced, int lists_all, struct answer *a);

#endif
