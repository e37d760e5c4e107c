/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hint.c - texts that were meant as hints; see hint.h
 *
 * A text without a hint is no error: comments are used for other things.  But
 * "--comment=io-write" does nothing, and nobody says so to the user, so a command that sees
 * such a text asks whether a hint was meant.
 */

#include "tools/slurm/hint.h"

#include <stdlib.h>
#include <string.h>

#include "core/load/traffic.h"
#include "io/spelling.h"
#include "place/decision.h"
#include "tools/ui/reply.h"
#include "tools/ui/xalloc.h"

#define PREFIX "sfabric"
#define SEPARATORS " \t\r\n,;"

/* Warn of a text that is traffic without the prefix, or has a prefix that is almost right. */
static void warnings_of_text(const char *option, const char *text, struct reply *r)
{
	char *copy = xstrdup(text), *rest = copy, *token;
	struct sfab_traffic traffic;
	struct sfab_err err;

	if (sfab_traffic_parse(text, NULL, &traffic, &err) == 0)
		reply_warning(r, "--%s: %s is not a hint (did you mean " PREFIX
			      ":%s?)", option, text, text);
	while ((token = strsep(&rest, SEPARATORS)) != NULL) {
		char *colon = strchr(token, ':');
		struct sfab_spelling spelling;

		if (!colon)
			continue;
		/* "sfabirc:io-write" */
		*colon = '\0';
		spelling = sfab_spelling_start(token);
		sfab_spelling_offer(&spelling, PREFIX);
		if (spelling.best)
			reply_warning(r, "--%s: %s: is not a hint (did you mean " PREFIX
				      ":%s?)", option, token, colon + 1);
	}
	free(copy);
}

/* Warn of a text that is almost a hint.  The decision itself tells about a right or a wrong one. */
void hint_warn(const char *comment, const char *network, struct reply *r)
{
	struct sfab_traffic traffic;
	struct sfab_err err;

	if (sfab_hint_parse(comment, NULL, &traffic, &err) != SFAB_HINT_NONE ||
	    sfab_hint_parse(network, NULL, &traffic, &err) != SFAB_HINT_NONE)
		return;
	if (comment)
		warnings_of_text("comment", comment, r);
	if (network)
		warnings_of_text("network", network, r);
}

void hint_warn_decided(const struct sfab_decision *d,
		       const struct sfab_script_cache *script_cache,
		       struct reply *r)
{
	if (d->hint == SFAB_HINT_WRONG)
		reply_warning(r, "the hint is wrong: %s", d->hint_text);
	if (script_cache && d->says & SFAB_SAYS_FAILED)
		reply_warning(r, "%s: the job is placed without the script",
			      script_cache->wrong.text);
}
