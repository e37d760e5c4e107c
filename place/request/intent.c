/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * intent.c - hint, script and defaults make one answer; see intent.h
 *
 * slurmctld's hook, previews, replay and `policy test` all ask here.  Nobody else may
 * decide any of this, or a preview would say something else than the plugin does.  A
 * hint that names an unknown IO set is the user's mistake and is reported.  Defaults and
 * the script may name sets that only another fabric of the site has: those parts are
 * left out, and the loader says so once (sfab_intent_lacking()).
 */

#include "place/request/intent.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/utf8.h"
#include "place/request/need.h"

struct sfab_intent_job sfab_intent_asked(const struct sfab_ask *ask)
{
	return (struct sfab_intent_job){
		.partition = ask->partition, .comment = ask->comment,
		.network = ask->network, .who = ask->who,
		.nodes = sfab_need_min(ask), .limit_s = ask->limit_s,
	};
}

/*
 * Observe where adaptive routing uses ports that no file names: the tables say nothing of the
 * paths, whatever sfabric.conf wants.
 */
int sfab_intent_observes(const struct sfab_conf *conf, const struct sfab_fabric *f)
{
	return f->adaptive == SFAB_ADAPTIVE_UNKNOWN ||
	       (f->adaptive && conf->adaptive == SFAB_ADAPTING_OBSERVE);
}

/* Return @mode, or observe instead of on.  Applied after the script, which cannot lift it. */
static enum sfab_mode limit_mode(const struct sfab_intent_site *site, enum sfab_mode mode)
{
	return mode == SFAB_MODE_ON && site->modes &&
	       (site->trip || (site->f && (site->strays ||
					   sfab_intent_observes(site->conf, site->f)))) ?
	       SFAB_MODE_OBSERVE : mode;
}

enum sfab_mode sfab_intent_mode(const struct sfab_intent_site *site, const char *partition)
{
	return limit_mode(site, site->modes ?
			  sfab_conf_mode(site->modes, partition) : SFAB_MODE_ON);
}

/* Find a part of IO traffic that names an unknown IO set: its index, or -1. */
static int find_lacking(const struct sfab_intent_site *site, const struct sfab_traffic *t)
{
	for (uint32_t i = 0; site->f && i < t->nparts; i++) {
		const struct sfab_traffic_part *part = &t->part[i];

		if (!sfab_class_is_io(part->class))
			continue;
		if (!site->io || !site->io->nsets ||
		    (*part->set &&
		     sfab_iosets_find(site->io, part->set) == SFAB_NONE))
			return (int) i;
	}
	return -1;
}

int sfab_intent_check(const struct sfab_intent_site *site,
		      const struct sfab_traffic *t, struct sfab_err *err)
{
	int lost = find_lacking(site, t);

	if (lost < 0)
		return 0;
	if (!*t->part[lost].set)
		return sfab_fail(err, SFAB_ENOENT, "%s: no IO set is defined (import --io "
				 "HOSTLIST, or IoSet in sfabric.conf)",
				 sfab_class_name(t->part[lost].class));
	return sfab_fail(err, SFAB_ENOENT, "%s: there is no IO set \"%s\"",
			 sfab_class_name(t->part[lost].class),
			 t->part[lost].set);
}

char *sfab_intent_lacking(const struct sfab_intent_site *site, char *buf, size_t size)
{
	const struct sfab_traffic *t = &site->conf->default_traffic;
	const char *at = sfab_conf_origin(site->conf, "DefaultTraffic");
	int lost = strcmp(at, "default") == 0 ? -1 : find_lacking(site, t);

	*buf = '\0';
	if (lost >= 0)
		snprintf(buf, size, "%.200s: DefaultTraffic: %s%s%s is left out, there is "
			 "no such IO set", at, sfab_class_name(t->part[lost].class),
			 *t->part[lost].set ? "@" : "", t->part[lost].set);
	return buf;
}

/* Remove the parts whose IO set this site does not have. */
static void drop_lacking(const struct sfab_intent_site *site, struct sfab_traffic *out)
{
	int lost;

	while ((lost = find_lacking(site, out)) >= 0) {
		uint32_t after = --out->nparts - (uint32_t) lost;

		memmove(&out->part[lost], &out->part[lost + 1],
			after * sizeof(out->part[0]));
	}
}

enum sfab_hint sfab_intent_hint(const struct sfab_intent_site *site,
				const char *comment, const char *network,
				struct sfab_traffic *own, struct sfab_err *err)
{
	const double *shares = site->conf ? site->conf->share : NULL;
	enum sfab_hint hint = sfab_hint_parse(comment, shares, own, err);

	if (hint == SFAB_HINT_NONE)
		hint = sfab_hint_parse(network, shares, own, err);
	if (hint == SFAB_HINT_TRAFFIC && sfab_intent_check(site, own, err) < 0)
		return SFAB_HINT_WRONG;
	return hint;
}

/*
 * Ask the script even if a hint states the traffic, because it may also set mode and weights;
 * after a hint "off" it is not asked.  @learned: NULL if nothing was.
 */
static const struct sfab_script_answer *
ask_script_job(const struct sfab_intent_site *site,
	       const struct sfab_intent_job *job, enum sfab_hint hint,
	       const struct sfab_traffic *own, const struct sfab_traffic *learned)
{
	struct sfab_script_job question = {
		.partition = job->partition, .account = job->who.account,
		.qos = job->who.qos, .name = job->who.name,
		.user = job->who.user, .nodes = job->nodes,
		.minutes = (uint32_t) (job->limit_s / 60),
	};
	char text[512], sent[512];

	if (learned)
		question.learned = sfab_traffic_text(learned, sent, sizeof(sent));
	if (hint == SFAB_HINT_TRAFFIC)
		question.hint = sfab_traffic_text(own, text, sizeof(text));
	return sfab_script_cache_ask(
		hint == SFAB_HINT_OFF ? NULL : site->script_cache, &question);
}

const struct sfab_script_answer *
sfab_intent_traffic(const struct sfab_intent_site *site,
		    const struct sfab_intent_job *job, enum sfab_hint hint,
		    const struct sfab_traffic *own, struct sfab_traffic *out,
		    struct sfab_origin *from)
{
	const struct sfab_history_facts facts = {
		.user = job->who.user, .name = job->who.name,
		.account = job->who.account, .partition = job->partition,
		.nodes = job->nodes,
	};
	struct sfab_learned l;
	/* What earlier runs of such a job sent. */
	int learned = site->history && sfab_history_find(site->history, &facts,
							 (uint64_t) time(NULL), &l);
	const struct sfab_script_answer *said =
	    ask_script_job(site, job, hint, own, learned ? &l.traffic : NULL);
	struct sfab_origin origin = { .source = SFAB_FROM_DEFAULT };

	if (hint == SFAB_HINT_TRAFFIC)
		origin.source = SFAB_FROM_HINT;
	else if (said->says & SFAB_SAYS_TRAFFIC)
		origin.source = SFAB_FROM_SCRIPT;
	else if (learned)
		origin = (struct sfab_origin) { SFAB_FROM_LEARNED, l.kind, l.runs };
	*out = origin.source == SFAB_FROM_SCRIPT ? said->traffic :
	       origin.source == SFAB_FROM_HINT ? *own :
	       origin.source == SFAB_FROM_LEARNED ? l.traffic :
						    site->conf->default_traffic;
	drop_lacking(site, out);
	if (from)
		*from = origin;
	return said;
}

void sfab_intent_found(const struct sfab_intent_site *site,
		       const struct sfab_traffic *found, struct sfab_traffic *out)
{
	*out = *found;
	drop_lacking(site, out);
}

const char *sfab_intent_source_word(enum sfab_source source)
{
	static const char *const word[] = { "default", "hint", "script", "learned" };

	return source <= SFAB_FROM_LEARNED ? word[source] : "?";
}

char *sfab_intent_origin_text(const struct sfab_origin *from, char *buf, size_t size)
{
	*buf = '\0';
	if (from->source == SFAB_FROM_LEARNED)
		snprintf(buf, size, "%u runs of %s", from->runs,
			 sfab_history_kind_name(from->by));
	return buf;
}

/* Set *@own and d->hint to job->own if that is set, or else to the job's hint. */
static void read_hint(const struct sfab_intent_site *site,
		      const struct sfab_intent_job *job,
		      struct sfab_traffic *own, struct sfab_decision *d)
{
	struct sfab_err err = { 0 };

	*d->hint_text = '\0';
	if (job->own) {
		*own = *job->own;
		d->hint = SFAB_HINT_TRAFFIC;
		return;
	}
	d->hint = sfab_intent_hint(site, job->comment, job->network, own, &err);
	if (d->hint == SFAB_HINT_WRONG)
		sfab_utf8_clean(d->hint_text, sizeof(d->hint_text), err.text,
				sizeof(err.text));
}

enum sfab_reason sfab_intent_find(const struct sfab_intent_site *site,
				  const struct sfab_intent_job *job,
				  struct sfab_decision *d)
{
	enum sfab_mode mode = sfab_intent_mode(site, job->partition);
	const struct sfab_script_answer *said;
	struct sfab_traffic own;

	read_hint(site, job, &own, d);
	/* All of *d is set even if the job is left to Slurm: the log shows it. */
	said = sfab_intent_traffic(site, job, d->hint, &own, &d->traffic, &d->origin);
	d->says = said->says;
	memcpy(d->weights, d->says & SFAB_SAYS_WEIGHTS ? said->weights :
	       site->conf->weights, sizeof(d->weights));
	d->mode = mode != SFAB_MODE_OFF && d->says & SFAB_SAYS_MODE ?
		  limit_mode(site, said->mode) : mode;
	if (mode == SFAB_MODE_OFF)
		return SFAB_STOCK_OFF;
	if (d->hint == SFAB_HINT_OFF)
		return SFAB_STOCK_HINT_OFF;
	if (d->says & SFAB_SAYS_OFF || d->mode == SFAB_MODE_OFF)
		return SFAB_STOCK_SCRIPT_OFF;
	return d->traffic.nparts ? SFAB_PLACED : SFAB_STOCK_NO_TRAFFIC;
}
