/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ask.c - the answer to "where should this job run?"; see place.h
 *
 *     the job's kind -> snapshot -> mode -> hint -> traffic -> usable nodes ->
 *     an earlier answer to the same question, or a search
 *
 * The stages are in the order of their cost, because slurmctld asks about every pending job in
 * every cycle and most questions end early.  The arrays by node are filled (ask->look) only for
 * a job that may be placed.
 *
 * Every answer with which a job may begin is kept under the job's id, also those that leave it
 * to Slurm: sfab_place_begin() takes the reason for the log from there.  A placement is
 * answered again without a search only if nothing happened in between (p->events) and the
 * question is the same (sfab_request_key()), so the cache can never return nodes that a fresh
 * search would not.
 */

#include "place/place_private.h"

#include "core/search/sizes.h"
#include "io/clock.h"
#include "place/request/intent.h"
#include "place/request/need.h"

/*
 * Are fewer nodes or CPUs free than the job needs?  On a machine with a long queue most
 * questions end here, so nothing that grows with the number of nodes may be read.
 */
static int are_nodes_too_few(const struct sfab_place *p, const struct sfab_ask *ask)
{
	const struct sfab_running *r = &p->running;
	uint64_t cpus = (uint64_t) sfab_need_unit_cpus(ask) * sfab_need_units(ask);
	uint32_t min = sfab_need_enough(ask);

	if ((ask->max_usable && ask->max_usable < min) ||
	    (ask->allowed_cpus && ask->allowed_cpus < cpus))
		return 1;
	if (ask->flags & SFAB_ASK_WHOLE_NODES)
		return 0;
	return r->open_nodes < min ||
	       r->open_cpus < cpus;
}

/*
 * Find the kind of job or question that is always left to Slurm (doc/limits.md).  If several
 * apply, the first one is reported; kinds of questions stand before kinds of jobs.
 */
static enum sfab_reason kind_of(const struct sfab_place *p, const struct sfab_ask *ask)
{
	if (!ask->id)
		return SFAB_STOCK_NO_ID;
	for (unsigned kind = SFAB_STOCK_TEST_ONLY; kind < SFAB_NKINDS; kind++)
		if (ask->flags & 1u << kind)
			return (enum sfab_reason) kind;
	return are_nodes_too_few(p, ask) ? SFAB_STOCK_FEW_NODES : SFAB_PLACED;
}

/*
 * Are there routes to use?  Reads the clock and nothing else: the loader has stored until when
 * the snapshot holds, so a loader that hangs in a file system cannot make an old snapshot look
 * confirmed.
 */
static enum sfab_reason state_of(const struct sfab_place *p)
{
	if (!p->generation || time(NULL) >= atomic_load(&p->handoff.expiry_s))
		return SFAB_STOCK_NO_SNAPSHOT;
	if (!p->generation_fits)
		return SFAB_STOCK_NOT_READY;
	if (!p->nodes.nmapped)
		return SFAB_STOCK_OTHER_FABRIC;
	return SFAB_PLACED;
}

/*
 * Fill in what is known before nodes are looked at.  A job whose kind is left to Slurm
 * (d->reason) keeps this reason; its mode and snapshot are filled in as well.
 */
static enum sfab_reason look_at_job(struct sfab_place *p,
				    const struct sfab_ask *ask,
				    struct sfab_decision *d)
{
	struct sfab_intent_site site = sfab_place_site(p, ask->partition);
	struct sfab_intent_job job;
	enum sfab_reason reason;

	/* Off until sfabric.conf was read. */
	d->mode = site.modes ? sfab_intent_mode(&site, ask->partition) : SFAB_MODE_OFF;
	if (p->generation)
		d->fingerprint = p->generation->snap->fingerprint;
	if (d->reason != SFAB_PLACED)
		return d->reason;
	reason = state_of(p);
	/* Mode off is the reason to report, even if routes are missing too. */
	if (site.modes && d->mode == SFAB_MODE_OFF)
		return SFAB_STOCK_OFF;
	if (reason == SFAB_PLACED && sfab_trip_rests(site.trip))
		return SFAB_STOCK_OBSERVE;
	if (reason != SFAB_PLACED)
		return reason;
	job = sfab_intent_asked(ask);
	return sfab_intent_find(&site, &job, d);
}

static void set_bit(uint64_t *bits, uint32_t node)
{
	if (node != SFAB_NONE)
		bits[node / 64] |= UINT64_C(1) << node % 64;
}

/*
 * Keep the search's choice, and what it chose from, as bits by node index.  The log line needs
 * both so that the decision can be verified, and begin may come many questions later, when the
 * search's own buffers have been used again.
 */
static void mark_sets(struct sfab_place *p, struct sfab_cached_decision *cached,
		      const struct sfab_choice *choice)
{
	sfab_decision_cache_empty(&p->decisions, cached);
	for (uint32_t i = 0; i < choice->n; i++)
		set_bit(cached->d.node, p->nodes.of_host[choice->host[i]]);
	for (uint32_t i = 0; choice->tree_host && i < choice->n; i++)
		set_bit(cached->d.tree, p->nodes.of_host[choice->tree_host[i]]);
	for (uint32_t i = 0; i < p->scratch.nusable; i++) {
		const struct sfab_usable *u = &p->scratch.usable[i];
		uint32_t host = p->nodes.host[u->node];

		if (host == SFAB_NONE)
			continue;
		/* The node of the host, even if a second node is the same host. */
		set_bit(cached->d.candidate, p->nodes.of_host[host]);
		if (u->is_required)
			set_bit(cached->d.required, p->nodes.of_host[host]);
	}
}

/* Keep the CPUs on each chosen node, if they are not the same on all. */
static void mark_cpus(struct sfab_place *p, struct sfab_cached_decision *cached,
		      const struct sfab_choice *choice)
{
	const double *cpus = p->scratch.rq.cpus;
	uint32_t same = 1;

	cached->d.cpus = cpus[choice->host[0]];
	cached->d.each_cpus = NULL;
	while (same < choice->n &&
	       !(cpus[choice->host[same]] < cached->d.cpus) &&
	       !(cpus[choice->host[same]] > cached->d.cpus))
		same++;
	if (same >= choice->n)
		return;
	cached->d.each_cpus = cached->cpus;
	for (uint32_t i = 0; i < choice->n; i++)
		cached->cpus[p->nodes.of_host[choice->host[i]]] =
			(float) cpus[choice->host[i]];
}

/* Keep all that the search found: the decision's own buffers outlive those of the search. */
static void mark_chosen(struct sfab_place *p, struct sfab_cached_decision *cached,
			const struct sfab_choice *choice)
{
	mark_sets(p, cached, choice);
	mark_cpus(p, cached, choice);
	cached->d.n = choice->n;
	cached->d.score = choice->score;
	cached->d.steps = choice->steps;
	cached->d.max_n = choice->max_n;
	cached->d.lost_at_max = choice->lost_at_max;
	cached->d.is_scored = 1;
}

/* Return the whole microseconds since @begun_ns, rounded up. */
static uint32_t us_since(int64_t begun_ns)
{
	int64_t ns = sfab_clock_monotonic_ns() - begun_ns;

	if (ns < 1)
		return 1;
	return ns / 1000 < UINT32_MAX ? (uint32_t) (ns / 1000) + 1 : UINT32_MAX;
}

/* A question that the search may ask again for another number of nodes. */
struct size_question {
	struct sfab_place *p;
	struct sfab_ask ask;
};

/* Make the request again for @n nodes.  1: there is something to search. */
static int set_nodes_asked(void *context, uint32_t n)
{
	struct size_question *size = context;

	size->ask.min_nodes = size->ask.req_nodes = size->ask.max_nodes = n;
	return sfab_request_make(&size->p->scratch, &size->ask, &size->p->nodes, &size->p->running,
				 0) == SFAB_PLACED;
}

/* Search, watched by the watchdog, and keep what was found.  SFAB_PLACED, or why nothing was. */
static enum sfab_reason search_job_nodes(struct sfab_place *p,
					 const struct sfab_ask *ask,
					 struct sfab_cached_decision *cached)
{
	const struct sfab_conf *conf = p->generation->conf;
	struct sfab_request *rq = &p->scratch.rq;
	struct sfab_choice choice = { 0 };
	struct sfab_err err = { 0 };
	int64_t begun_ns;
	struct size_question question = { p, *ask };
	const struct sfab_sizing sizing = { p->scratch.enough, set_nodes_asked, &question };
	int rc;

	rq->traffic = &cached->d.traffic;
	rq->weights = cached->d.weights;
	rq->max_steps = conf->max_steps;
	/* A fixed seed: a preview of the same snapshot gets the same nodes. */
	rq->seed = p->generation->snap->fingerprint;
	begun_ns = sfab_clock_monotonic_ns();
	rq->stop = sfab_watchdog_begin(&p->watchdog, conf->max_search_us);
	rc = sfab_sizes_search(p->generation->scorer, p->generation->jobs, rq, &sizing,
			       &choice, &err);
	/* Before anything else: until then the watchdog may raise this search's flag. */
	sfab_watchdog_end(&p->watchdog);
	cached->d.took_us = us_since(begun_ns);
	p->has_searched = 1;
	p->counts.searched++;
	if (!rc)
		mark_chosen(p, cached, &choice);
	sfab_choice_clear(&choice);
	if (!rc)
		return SFAB_PLACED;
	if (err.code == SFAB_ESTALE)	/* the watchdog stopped it */
		return SFAB_STOCK_STOPPED;
	/* Log once for a snapshot: what fails for one job fails for the next as well. */
	if (!p->is_failure_logged)
		sfab_say(p->o.log, SFAB_LOG_ERROR, "search failed: %s: Slurm places the job",
			 err.text);
	p->is_failure_logged = 1;
	return SFAB_STOCK_FAILED;
}

/* Are the chosen nodes neighbors in Slurm's node table? */
static int is_contiguous(const struct sfab_place *p, const struct sfab_decision *d)
{
	uint32_t i = 0, n = 0;

	while (i < p->nodes.n && !sfab_decision_has(d, i))
		i++;
	for (; i < p->nodes.n && sfab_decision_has(d, i); i++)
		n++;
	return n == d->n;
}

/*
 * Decide by a search.  In mode observe only record what was found.  What Slurm would refuse is
 * checked here, so that the preview knows it as well.
 */
static void decide_placement(struct sfab_place *p, const struct sfab_ask *ask,
			     struct sfab_cached_decision *cached)
{
	int takes_all = p->scratch.takes_all;
	struct sfab_decision *d = &cached->d;

	d->reason = search_job_nodes(p, ask, cached);
	if (d->reason != SFAB_PLACED)
		return;
	if (takes_all && d->n == d->max_n)
		d->reason = SFAB_STOCK_NO_CHOICE;
	else if ((ask->flags & SFAB_ASK_CONTIGUOUS) && !is_contiguous(p, d))
		d->reason = SFAB_STOCK_CONTIGUOUS;
	else if (ask->switches && d->score.leaves > ask->switches)
		d->reason = SFAB_STOCK_SWITCHES;
	else if (d->mode == SFAB_MODE_OBSERVE)
		d->reason = SFAB_STOCK_OBSERVE;
}

/* Store @fresh, so that the job's begin finds it. */
static struct sfab_cached_decision *keep_fresh_answer(
	struct sfab_place *p, const struct sfab_decision *fresh, uint64_t key)
{
	struct sfab_cached_decision *cached = sfab_decision_cache_put(&p->decisions,
								      fresh);

	cached->key = key;
	cached->events = p->events;
	return cached;
}

/*
 * Look up the answer for a job that may be placed, or search for one.  The mode is compared by
 * itself: it can change without an event or a new generation.
 */
static const struct sfab_decision *
find_or_make_answer(struct sfab_place *p, const struct sfab_ask *ask,
		    const struct sfab_decision *fresh)
{
	char text[512];
	/* Traffic as text: equal text means equal traffic, whatever is in unused parts. */
	uint64_t key = sfab_request_key(&p->scratch, sfab_traffic_text(
				&fresh->traffic, text, sizeof(text)), fresh->weights);
	struct sfab_cached_decision *cached = sfab_decision_cache_find(
		&p->decisions, ask->id);

	if (cached && cached->key == key && cached->events == p->events &&
	    cached->d.mode == fresh->mode) {
		p->counts.cached++;
		return &cached->d;
	}
	cached = keep_fresh_answer(p, fresh, key);
	/* max_nodes == n leaves no room for a larger set. */
	cached->may_grow = ask->max_nodes != p->scratch.rq.n;
	decide_placement(p, ask, cached);
	return &cached->d;
}

/*
 * Return the cached answer, if it is the one that kind_of() would give again: with a long queue
 * most are.  NULL: it is another one.
 */
static struct sfab_cached_decision *find_same_kind(struct sfab_place *p,
						   const struct sfab_decision *fresh)
{
	struct sfab_cached_decision *cached = sfab_decision_cache_find(
		&p->decisions, fresh->id);

	return cached && cached->is_kind && cached->d.reason == fresh->reason &&
	       cached->d.mode == fresh->mode &&
	       cached->d.fingerprint == fresh->fingerprint ? cached : NULL;
}

/*
 * Store an answer that leaves the job to Slurm, so that begin finds the reason.  No question
 * has key 0, so the next one is decided afresh.
 */
static const struct sfab_decision *keep_stock_answer(struct sfab_place *p,
						     const struct sfab_ask *ask,
						     const struct sfab_decision *d, int is_kind)
{
	struct sfab_cached_decision *cached = is_kind ? find_same_kind(p, d) : NULL;

	if (!cached)
		cached = keep_fresh_answer(p, d, 0);
	cached->is_kind = is_kind;
	if (d->reason != SFAB_STOCK_NO_CHOICE)
		return &cached->d;
	/* The job needs all free nodes.  The preview shows them. */
	cached->d.n = p->scratch.nusable;
	for (uint32_t i = 0; i < cached->d.n; i++)
		set_bit(cached->d.node, p->scratch.usable[i].node);
	if ((ask->flags & SFAB_ASK_CONTIGUOUS) && !is_contiguous(p, &cached->d))
		cached->d.reason = SFAB_STOCK_CONTIGUOUS;
	return &cached->d;
}

/* Log each answer in slurmctld.log with Debug=yes.  Return @d. */
static const struct sfab_decision *log_answer(struct sfab_place *p, const struct sfab_decision *d)
{
	if (p->generation && p->generation->conf->debug && p->o.log) {
		struct sfab_logline what = {
			.event = "ask", .id = d->id, .n = d->n, .decision = d,
			.running = sfab_place_count_running(p),
		};

		sfab_logline_json(&what, p->line, sizeof(p->line));
		p->o.log(SFAB_LOG_INFO, p->line);
	}
	return d;
}

/*
 * Answer in the order of cost: kind, then what is known of the job, then its nodes.  Questions
 * that are mere tests need no generation, so they come before a new one is adopted.
 */
static const struct sfab_decision *answer_job(struct sfab_place *p, const struct sfab_ask *ask)
{
	struct sfab_decision *d = &p->uncached_answer;
	int is_kind;

	p->counts.asked++;
	*d = (struct sfab_decision){ .id = ask->id, .reason = kind_of(p, ask) };
	is_kind = d->reason != SFAB_PLACED;
	if (sfab_reason_is_mere_test(d->reason))	/* not cached */
		return log_answer(p, d);
	sfab_place_adopt(p);
	if (!p->is_ready) {
		d->reason = SFAB_STOCK_NO_SNAPSHOT;
		return log_answer(p, d);
	}
	d->reason = look_at_job(p, ask, d);
	if (d->reason == SFAB_PLACED) {
		if (ask->look)
			ask->look(ask->context);
		d->reason = sfab_request_make(&p->scratch, ask, &p->nodes,
					      &p->running, 0);
	}
	return log_answer(p, d->reason == SFAB_PLACED ?
			  find_or_make_answer(p, ask, d) :
			  keep_stock_answer(p, ask, d, is_kind));
}

const struct sfab_decision *sfab_place_ask(struct sfab_place *p, const struct sfab_ask *ask)
{
	int64_t begun_ns = sfab_clock_monotonic_ns();
	uint64_t searched = p->counts.searched;
	const struct sfab_decision *d = answer_job(p, ask);

	/* Nearly all of the time goes into searches. */
	if (p->counts.searched > searched && d->mode == SFAB_MODE_ON)
		sfab_place_log_trip(p, sfab_governor_note_decision(
			&p->governor, ask->partition, sfab_clock_monotonic_ns() / 1000,
			us_since(begun_ns), p->generation->conf->max_search_us));
	return d;
}

const struct sfab_decision *sfab_place_ask_more(struct sfab_place *p, const struct sfab_ask *ask)
{
	struct sfab_cached_decision *cached = sfab_decision_cache_find(
		&p->decisions, ask->id);
	uint32_t nmore;

	if (!cached || cached->d.reason != SFAB_PLACED)
		return NULL;
	/* A quarter more: Slurm can then leave out the nodes that it refuses. */
	nmore = cached->d.n / 4 ? cached->d.n / 4 : 1;
	if (cached->may_grow && !cached->is_enlarged &&
	    sfab_request_make(&p->scratch, ask, &p->nodes, &p->running, nmore) ==
		    SFAB_PLACED) {
		cached->is_enlarged = 1;
		decide_placement(p, ask, cached);
		if (cached->d.reason == SFAB_PLACED)
			return &cached->d;
	}
	cached->d.reason = SFAB_STOCK_REFUSED;
	return NULL;
}

int sfab_place_conf_spares(const struct sfab_place *p)
{
	return p->generation && p->generation->conf->plans == SFAB_PLANS_SPARE;
}

/*
 * Allow it for jobs that lack nodes now or are asked about for later: Slurm plans a later start
 * for them.  With any other reason the job is left to Slurm, and its plan as well.
 */
int sfab_place_may_spare(const struct sfab_place *p, const struct sfab_decision *d)
{
	return d->mode == SFAB_MODE_ON && sfab_place_conf_spares(p) &&
	       state_of(p) == SFAB_PLACED &&
	       (d->reason == SFAB_STOCK_FEW_NODES ||
		d->reason == SFAB_STOCK_FUTURE);
}
