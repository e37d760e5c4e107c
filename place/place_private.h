/* SPDX-License-Identifier: GPL-2.0-or-later */
/* place_private.h - the service's own state, for the files that include this */
#ifndef SFAB_PLACE_PRIVATE_H
#define SFAB_PLACE_PRIVATE_H

#include "core/load/certificate.h"
#include "place/decision.h"
#include "place/log/logline.h"
#include "place/log/logring.h"
#include "place/log/say_log.h"
#include "place/nodes.h"
#include "place/place.h"
#include "place/request/decision_cache.h"
#include "place/request/request.h"
#include "place/request/watchdog.h"
#include "place/running.h"
#include "place/state/event_queue.h"
#include "place/state/governor.h"
#include "place/state/handoff.h"
#include "place/state/jobload.h"
#include "place/state/loader.h"

#define SFAB_RECENT 64	/* changes a question applies to a new generation, at most */

struct sfab_place {
	struct sfab_place_options o;		/* conf_path is owned */

	/* shared with our threads */
	struct sfab_handoff handoff;
	struct sfab_event_queue event_queue;
	struct sfab_loader *loader;		/* NULL: sfab_place_use_snapshot() */
	struct sfab_logring *ring;
	struct sfab_watchdog watchdog;

	/* for the asking thread alone; the loader has nodes and jobs of its own */
	struct sfab_generation *generation;	/* NULL: none yet */
	struct sfab_conf *modes;		/* of the newest conf; NULL: generation's */
	struct sfab_governor governor;
	struct sfab_nodes nodes;
	struct sfab_running running;
	struct sfab_decision_cache decisions;
	struct sfab_scratch scratch;
	struct sfab_decision uncached_answer;	/* for answers that are not cached */
	int is_ready;				/* memory for all of these was allocated */
	int generation_fits;			/* generation has these nodes, and their jobs */
	int is_reported_again;			/* jobs not reported in this round have ended */
	uint64_t round;				/* counts how often all jobs were reported */
	uint32_t nchanged;			/* jobs that differed in this round */
	int has_searched;			/* scratch.rq belongs to a search */
	uint64_t events;			/* number of events so far */
	uint64_t base_serial;			/* serial that a generation must be made for */
	uint64_t serial;			/* of the last event */
	uint32_t recent_jobs[SFAB_RECENT];	/* jobs that the last events were about */
	int has_threads;			/* our threads run: report events to the loader */
	struct sfab_place_counts counts;

	/* about the job that began last */
	struct sfab_decision begin_decision;	/* the decision about it; n 0 */
	struct sfab_certificate certificate;	/* valid if is_certified */
	int is_certified;
	struct sfab_stock stock;		/* what Slurm's own nodes mean for it */
	struct sfab_ranks ranks;		/* the order of its nodes (scratch.rank) */
	int may_comment;			/* its AdminComment may be touched */
	int gets_comment;			/* it gets a part in AdminComment */

	int is_failure_logged;			/* a failed search was logged in this generation */
	char line[SFAB_LOGLINE_MAX];
};

/* Take the next generation and the newest modes into use, if there are any. */
void sfab_place_adopt(struct sfab_place *p);

/* Return the site's conf, IO sets and history, and the trip of @partition (governor.h). */
struct sfab_intent_site sfab_place_site(struct sfab_place *p, const char *partition);

/* Log that partition @partition just tripped; NULL: none did. */
void sfab_place_log_trip(const struct sfab_place *p, const struct sfab_trip_state *state);

/* Recompute the loads of all running jobs in the generation. */
void sfab_place_reload(struct sfab_place *p);
/* Remove the loads of all running jobs from the generation. */
void sfab_place_unload(struct sfab_place *p);
/* Recompute the loads of jobs that changed since the loader prepared the generation. */
void sfab_place_catch_up(struct sfab_place *p);
/* Forget the jobs that were not reported since the node table was set again. */
void sfab_place_sweep(struct sfab_place *p);
/* Report everything to the loader, if it lost events and takes them again. */
void sfab_place_report_anew(struct sfab_place *p);

/*
 * Set p->certificate if the job that began last, @job (NULL: not known), runs where it was
 * placed.  Call it when its load is in the generation.
 */
void sfab_place_certify(struct sfab_place *p, const struct sfab_running_job *job);

/* Set p->ranks and p->scratch.rank for the job that begins, by p->begin_decision. */
void sfab_place_order_ranks(struct sfab_place *p, const struct sfab_place_run *run);

/*
 * Set p->stock for the job that begins, by p->begin_decision.  Call it when its load is not in
 * the generation yet.  O(one score).
 */
void sfab_place_score_stock(struct sfab_place *p, const struct sfab_place_run *run);

/* Count that a job started, ended or moved: earlier answers are stale. */
static inline void sfab_place_count_event(struct sfab_place *p)
{
	p->events++;
}

/* Read the hint in comment, else the one in network.  WRONG: *err says why. */
enum sfab_hint sfab_place_hint(const struct sfab_place *p, const char *comment,
			       const char *network, struct sfab_traffic *t,
			       struct sfab_err *err);

#endif
