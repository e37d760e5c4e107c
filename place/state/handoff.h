/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * handoff.h - what our threads and the asking thread hand to each other
 *
 *     conffile - modes ----------> asking thread   the newest modes of sfabric.conf
 *     loader --- new_generation -> asking thread
 *     loader <-- retired_chain --- asking thread   generations that it no longer uses
 *     loader --- expiry_s -------> asking thread   until when to trust the newest
 *
 * The asking thread puts a generation back that lacks too many recent events, and the loader
 * brings it up to date.  All fields are atomic; neither side ever waits for the other.
 */
#ifndef SFAB_PLACE_HANDOFF_H
#define SFAB_PLACE_HANDOFF_H

#include <stdatomic.h>
#include <stdint.h>

#include "place/state/generation.h"

#define SFAB_FOREVER INT64_MAX	/* for expiry_s */
#define SFAB_MODES_KEPT 16	/* confs that the asking thread has not seen, at most */

struct sfab_handoff {
	/*
	 * The newest sfabric.conf, for its modes and its governor.  The asking thread, the
	 * thread that read it and the loader share the struct without a lock.  So only two
	 * fields of it ever change: nodes, by the loader, and older, by whoever owns the chain.
	 */
	_Atomic(struct sfab_conf *) modes;
	_Atomic(struct sfab_generation *) new_generation;
	_Atomic(struct sfab_generation *) retired_chain;	/* a chain by ->next */
	_Atomic int64_t expiry_s;				/* since 1970; 0: use no snapshot */
};

/*
 * For conffile.h: publish the newest conf.  Those that were never taken stay, as a chain by
 * ->older: the governor must see each mode that an admin wrote, also while no job is pending.
 * Of more than SFAB_MODES_KEPT the oldest are dropped.
 */
static inline void sfab_handoff_publish_modes(struct sfab_handoff *handoff, struct sfab_conf *modes)
{
	struct sfab_conf *m = modes;

	modes->older = atomic_exchange(&handoff->modes, NULL);
	for (int kept = 0; m->older && kept < SFAB_MODES_KEPT; kept++)
		m = m->older;
	sfab_conf_destroy(m->older);
	m->older = NULL;
	atomic_store(&handoff->modes, modes);
}

/* For the asking thread: take the chain of new confs, and own it.  NULL: nothing new. */
static inline struct sfab_conf *sfab_handoff_adopt_modes(struct sfab_handoff *handoff)
{
	if (!atomic_load(&handoff->modes))
		return NULL;
	return atomic_exchange(&handoff->modes, NULL);
}

/*
 * For the loader: offer @gen (NULL: nothing) to the asking thread.  Return the generation that
 * was offered before and never taken, or NULL.
 */
static inline struct sfab_generation *sfab_handoff_publish(
	struct sfab_handoff *handoff, struct sfab_generation *gen)
{
	return atomic_exchange(&handoff->new_generation, gen);
}

/* For the loader: take all generations handed back, as a chain. */
static inline struct sfab_generation *sfab_handoff_collect(struct sfab_handoff *handoff)
{
	return atomic_exchange(&handoff->retired_chain, NULL);
}

/* For the asking thread: take the new generation.  NULL: nothing new. */
static inline struct sfab_generation *sfab_handoff_adopt(struct sfab_handoff *handoff)
{
	if (!atomic_load(&handoff->new_generation))
		return NULL;
	return atomic_exchange(&handoff->new_generation, NULL);
}

/* For the asking thread: give back @gen, just taken.  -1: there is a newer one; keep @gen. */
static inline int sfab_handoff_put_back(struct sfab_handoff *handoff, struct sfab_generation *gen)
{
	struct sfab_generation *none = NULL;

	return atomic_compare_exchange_strong(&handoff->new_generation, &none, gen) ? 0 : -1;
}

/* For the asking thread: hand back a generation that is no longer in use. */
static inline void sfab_handoff_retire(struct sfab_handoff *handoff, struct sfab_generation *gen)
{
	struct sfab_generation *head = atomic_load(&handoff->retired_chain);

	do
		gen->next = head;
	while (!atomic_compare_exchange_weak(&handoff->retired_chain, &head, gen));
}

#endif
