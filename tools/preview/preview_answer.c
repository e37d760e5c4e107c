/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * preview_answer.c - a preview next to other policies' choices; see preview.h
 *
 * The other policies get the same request, so their hosts come from the same
 * free ones.  A policy that fails ends the answer: a table with a gap would
 * look like a result.
 */

#include "tools/preview/preview.h"

#include "tools/ui/answer.h"

const enum sfab_policy preview_plain[PREVIEW_PLAIN] = {
	SFAB_POLICY_CONTIGUOUS, SFAB_POLICY_TREE, SFAB_POLICY_SPREAD,
	SFAB_POLICY_RANDOM,
};

int preview_answer(struct preview_context *p, const struct preview *v,
		   const enum sfab_policy *policy, uint32_t n,
		   struct answer *a, struct sfab_err *err)
{
	struct preview other[SFAB_NPOLICIES] = { 0 };
	int rc = 0;

	for (uint32_t i = 0; i < n && rc == 0; i++) {
		rc = preview_policy(p, &p->request, policy[i], &other[i], err);
		if (rc == 0 && v->in_steps)
			rc = preview_steps(p, &other[i], err);
		if (policy[i] == SFAB_POLICY_SFABRIC)
			report_search(&a->report, "default", p->request.seed,
				      other[i].choice.steps);
	}
	if (rc == 0 && a->options->json)
		preview_json(p, v, other, n, a->report.data);
	else if (rc == 0)
		rc = preview_text(p, v, other, n, a->out.file, err);
	for (uint32_t i = 0; i < n; i++)
		preview_clear(&other[i]);
	return rc;
}
