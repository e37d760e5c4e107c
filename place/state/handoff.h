/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * handoff.h - what our threads and the asking thread hand to each other
 *
 *     conffile - modes --> asking thread       the newest modes of sfabric.conf
 *     loader --- next ---> asking thread       a new world
 *     loader <-- retired - asking thread       worlds it no longer uses
 *     loader --- until --> asking thread       how long to trust the newest
 *
 * The asking thread puts a world back that lacks too many recent events; the
 * loader takes it back too, to bring it up to date.  All fields are atomic;
 * neither side ever waits for the other.
 */
#ifndef SFAB_PLACE_HANDOFF_H
#define SFAB_PLACE_HANDOFF_H

#include <stdatomic.h>
#include <stdint.h>

#include "place/state/generation.h"

#define SFAB_FOREVER INT64_MAX

struct sfab_feed {
	_Atomic(struct sfab_conf *) modes;	/* sfab_conf_modes() */
	_Atomic(struct sfab_world *) next;
	_Atomic(struct sfab_world *) retired;	/* a chain by ->next */
	_Atomic int64_t until;	/* seconds since 1970; 0: use no snapshot */
};

/* For conffile.h.  Returns an older conf that was never taken. */
static inline struct sfab_conf *sfab_feed_publish_modes(struct sfab_feed *feed,
							struct sfab_conf *modes)
{
	return atomic_exchange(&feed->modes, modes);
}

/* For the asking thread, which must destroy them.  NULL: nothing new. */
static inline struct sfab_conf *sfab_feed_adopt_modes(struct sfab_feed *feed)
{
	if (!atomic_load(&feed->modes))
		return NULL;
	return atomic_exchange(&feed->modes, NULL);
}

/*
 * For the loader.  Returns an older world that was never taken; with @w NULL this
 * takes that world back.
 */
static inline struct sfab_world *sfab_feed_publish(struct sfab_feed *feed,
						   struct sfab_world *w)
{
	return atomic_exchange(&feed->next, w);
}

/* All worlds handed back, as a chain. */
static inline struct sfab_world *sfab_feed_collect(struct sfab_feed *feed)
{
	return atomic_exchange(&feed->retired, NULL);
}

/* For the asking thread.  NULL: nothing new. */
static inline struct sfab_world *sfab_feed_adopt(struct sfab_feed *feed)
{
	if (!atomic_load(&feed->next))
		return NULL;
	return atomic_exchange(&feed->next, NULL);
}

/* @w is not ready.  -1: there is a newer one, @w is still the caller's. */
static inline int sfab_feed_put_back(struct sfab_feed *feed, struct sfab_world *w)
{
	struct sfab_world *none = NULL;

	return atomic_compare_exchange_strong(&feed->next, &none, w) ? 0 : -1;
}

static inline void sfab_feed_retire(struct sfab_feed *feed, struct sfab_world *w)
{
	struct sfab_world *head = atomic_load(&feed->retired);

	do
		w->next = head;
	while (!atomic_compare_exchange_weak(&feed->retired, &head, w));
}

#endif
