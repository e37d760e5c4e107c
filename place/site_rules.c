/* SPDX-License-Identifier: GPL-2.0-or-later */
/* site_rules.c - what the site says of a job: modes, hints, trips; see place_private.h */

#include "place/place_private.h"

/*
 * Return what is known of the site.  Modes come from the newest sfabric.conf, which may be
 * newer than the generation: Mode=off must not wait for the loader.
 */
static struct sfab_intent_site site_of(const struct sfab_place *p)
{
	struct sfab_intent_site site = { 0 };

	if (p->generation)
		site = sfab_jobload_site(p->generation);
	if (p->modes)
		site.modes = p->modes;
	return site;
}

struct sfab_intent_site sfab_place_site(struct sfab_place *p, const char *partition)
{
	struct sfab_intent_site site = site_of(p);

	if (p->governor.governing == SFAB_GOVERNOR_ON)
		site.trip = sfab_governor_trip(&p->governor, partition);
	return site;
}

void sfab_place_log_trip(const struct sfab_place *p, const struct sfab_trip_state *state)
{
	char line[320];

	if (state)
		sfab_say(p->o.log, SFAB_LOG_ERROR, "%s",
			 sfab_governor_line(&p->governor, state, line, sizeof(line)));
}

enum sfab_hint sfab_place_hint(const struct sfab_place *p, const char *comment,
			       const char *network, struct sfab_traffic *t,
			       struct sfab_err *err)
{
	struct sfab_intent_site site = site_of(p);

	return sfab_intent_hint(&site, comment, network, t, err);
}
