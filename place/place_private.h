/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * place_private.h - the service's own state; for place.c, ask.c, events.c,
 * pending.c and comment.c
 */
#ifndef SFAB_PLACE_PRIVATE_H
#define SFAB_PLACE_PRIVATE_H

#include "place/log/logline.h"
#include "place/log/logring.h"
#include "place/place.h"
#include "place/request/decision_cache.h"
#include "place/request/request.h"
#include "place/request/watchdog.h"
#include "place/state/event_queue.h"
#include "place/state/handoff.h"
#include "place/state/jobload.h"
#include "place/state/loader.h"
#include "place/state/nodes.h"
#include "place/state/pending_queue.h"
#include "place/state/running.h"

#define SFAB_RECENT 64	/* changes that a question mends in a new world, at most */

struct sfab_place {
	struct sfab_place_options o;
	char *conf_path;

	/* shared with our threads */
	struct sfab_feed feed;
	struct sfab_news news;
	struct sfab_loader *loader;	/* NULL: sfab_place_take() */
	struct sfab_logring *ring;
	struct sfab_watchdog watchdog;

	/* the asking thread's; the loader has a copy of nodes and jobs (event_queue.h) */
	struct sfab_world *world;	/* NULL: none yet */
	struct sfab_conf *modes;	/* of the newest conf; NULL: the world's */
	struct sfab_nodes nodes;
	struct sfab_running running;
	struct sfab_answers answers;
	struct sfab_waits waits;
	struct sfab_scratch scratch;
	struct sfab_jobload_room room;
	double *asked;		/* [nodes] */
	struct sfab_decision aside;	/* for answers that nobody comes back to */
	int ready;		/* there is memory for all of these */
	int fits;		/* world is for these nodes, and has their jobs */
	int retold;		/* those of another round run no more */
	uint64_t round;		/* of telling all jobs */
	uint32_t changed;	/* jobs that were others in this round */
	int searched;		/* scratch.rq is that of a search */
	uint64_t events;
	uint64_t made_for;	/* serial that a world must be made for */
	uint64_t serial;	/* of the last news, */
	uint32_t recent[SFAB_RECENT];	/* and which jobs they were about */
	int tells;		/* our threads run: the loader gets news */
	struct sfab_place_counts counts;
	struct sfab_decision begun;	/* of the job that began last; n 0 */
	int comments;		/* its AdminComment may be looked at */
	int comment;		/* it gets a part in AdminComment */
	int failed;		/* a failed search was told in this world */
	char line[SFAB_LOGLINE_MAX];
};

/* Take the next world and the newest modes into use, if there are any. */
void sfab_place_adopt(struct sfab_place *p);

/* Put the loads of all running jobs on the fabric again, or take them off. */
void sfab_place_reload(struct sfab_place *p);
void sfab_place_unload(struct sfab_place *p);
/* The same for a world that the loader made ready: only what changed since. */
void sfab_place_catch_up(struct sfab_place *p);
/* The same nodes were told again: forget the jobs that were not. */
void sfab_place_sweep(struct sfab_place *p);
/* The loader lost track and has come back: tell it all. */
void sfab_place_tell_anew(struct sfab_place *p);

/* The pending jobs but @id, for looking ahead; borrowed until the next call. */
const struct sfab_queue *sfab_place_queue(struct sfab_place *p, uint32_t id);

/* Something started, ended or moved: earlier answers no longer hold. */
static inline void sfab_place_event(struct sfab_place *p)
{
	p->events++;
}

/* The hint in comment, else in network.  WRONG: *err says why. */
enum sfab_hint sfab_place_hint(const struct sfab_place *p, const char *comment,
			       const char *network, struct sfab_traffic *t,
			       struct sfab_err *err);

#endif
