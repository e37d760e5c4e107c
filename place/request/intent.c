/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * intent.c - hint, script and defaults make one answer; see intent.h
 *
 * slurmctld's hook, previews, replay and `policy test` all ask here.  Nobody else may decide
 * any of this, or a preview would say something else than the plugin does.  A hint that names
 * an unknown IO set is the user's mistake and is reported.  Defaults and the script may name
 * sets that only another fabric of the site has: those parts are left out, and the loader says
 * so once (sfab_intent_lacking()).
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
	       (f->adaptive && conf->adaptive == SFAB_ADAPT_OBSERVE);
}

/* Return @mode, or observe instead of on.  Applied after the script, which cannot lift it. */
static enum sfab_mode limit_mode(const struct sfab_intent_site *site, enum sfab_mode mode)
{
	return mode == SFAB_MODE_ON && site->modes &&
	       (site->trip || (site->f && (site->has_strays ||
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
	int lacking = find_lacking(site, t);

	if (lacking < 0)
		return 0;
	if (!*t->part[lacking].set)
		return sfab_fail(err, SFAB_ENOENT, "%s: no IO set is defined (import --io "
				 "HOSTLIST, or IoSet in sfabric.conf)",
				 sfab_class_name(t->part[lacking].class));
	return sfab_fail(err, SFAB_ENOENT, "%s: there is no IO set \"%s\"",
			 sfab_class_name(t->part[lacking].class),
			 t->part[lacking].set);
}

char *sfab_intent_lacking(const struct sfab_intent_site *site, char *buf, size_t size)
{
	const struct sfab_traffic *t = &site->conf->default_traffic;
	const char *line = sfab_conf_origin(site->conf, "DefaultTraffic");
	int lacking = strcmp(line, "default") == 0 ? -1 : find_lacking(site, t);

	*buf = '\0';
	if (lacking >= 0)
		snprintf(buf, size, "%.200s: DefaultTraffic: %s%s%s is left out, there is "
			 "no such IO set", line, sfab_class_name(t->part[lacking].class),
			 *t->part[lacking].set ? "@" : "", t->part[lacking].set);
	return buf;
}

/* Remove the parts whose IO set this site does not have. */
static void drop_lacking(const struct sfab_intent_site *site, struct sfab_traffic *out)
{
	int lacking;

	while ((lacking = find_lacking(site, out)) >= 0) {
		uint32_t after = --out->nparts - (uint32_t) lacking;

		memmove(&out->part[lacking], &out->part[lacking + 1],
			after * sizeof(out->part[0]));
	}
}

enum sfab_hint sfab_intent_hint(const struct sfab_intent_site *site,
				const char *comment, const char *network,
				struct sfab_traffic *hint_traffic, struct sfab_err *err)
{
	const double *shares = site->conf ? site->conf->share : NULL;
	enum sfab_hint hint = sfab_hint_parse(comment, shares, hint_traffic, err);

	if (hint == SFAB_HINT_NONE)
		hint = sfab_hint_parse(network, shares, hint_traffic, err);
	if (hint == SFAB_HINT_TRAFFIC && sfab_intent_check(site, hint_traffic, err) < 0)
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
	       const struct sfab_traffic *hint_traffic, const struct sfab_traffic *learned)
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
		question.hint = sfab_traffic_text(hint_traffic, text, sizeof(text));
	return sfab_script_cache_ask(
		hint == SFAB_HINT_OFF ? NULL : site->script_cache, &question);
}

const struct sfab_script_answer *
sfab_intent_traffic(const struct sfab_intent_site *site,
		    const struct sfab_intent_job *job, enum sfab_hint hint,
		    const struct sfab_traffic *hint_traffic, struct sfab_traffic *out,
		    struct sfab_origin *origin)
{
	const struct sfab_history_facts facts = {
		.user = job->who.user, .name = job->who.name,
		.account = job->who.account, .partition = job->partition,
		.nodes = job->nodes,
	};
	struct sfab_learned learned;
	/* What earlier runs of such a job sent. */
	int is_learned = site->history && sfab_history_find(site->history, &facts,
							    (uint64_t) time(NULL), &learned);
	const struct sfab_script_answer *answer =
		ask_script_job(site, job, hint, hint_traffic, is_learned ? &learned.traffic : NULL);
	struct sfab_origin first = { .source = SFAB_FROM_DEFAULT };	/* by precedence */

	if (hint == SFAB_HINT_TRAFFIC) {
		first.source = SFAB_FROM_HINT;
		*out = *hint_traffic;
	} else if (answer->says & SFAB_SAYS_TRAFFIC) {
		first.source = SFAB_FROM_SCRIPT;
		*out = answer->traffic;
	} else if (is_learned) {
		first = (struct sfab_origin) { SFAB_FROM_LEARNED, learned.kind, learned.runs };
		*out = learned.traffic;
	} else {
		*out = site->conf->default_traffic;
	}
	drop_lacking(site, out);
	if (origin)
		*origin = first;
	return answer;
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

char *sfab_intent_origin_text(const struct sfab_origin *origin, char *buf, size_t size)
{
	*buf = '\0';
	if (origin->source == SFAB_FROM_LEARNED)
		snprintf(buf, size, "%u runs of %s", origin->runs,
			 sfab_history_kind_name(origin->kind));
	return buf;
}

/* Set *@hint_traffic and d->hint to job->hint_traffic if that is set, or else to the job's hint. */
static void read_hint(const struct sfab_intent_site *site,
		      const struct sfab_intent_job *job,
		      struct sfab_traffic *hint_traffic, struct sfab_decision *d)
{
	struct sfab_err err = { 0 };

	*d->hint_text = '\0';
	if (job->hint_traffic) {
		*hint_traffic = *job->hint_traffic;
		d->hint = SFAB_HINT_TRAFFIC;
		return;
	}
	d->hint = sfab_intent_hint(site, job->comment, job->network, hint_traffic, &err);
	if (d->hint == SFAB_HINT_WRONG)
		sfab_utf8_clean(d->hint_text, sizeof(d->hint_text), err.text,
				sizeof(err.text));
}

enum sfab_reason sfab_intent_find(const struct sfab_intent_site *site,
				  const struct sfab_intent_job *job,
				  struct sfab_decision *d)
{
	enum sfab_mode mode = sfab_intent_mode(site, job->partition);
	const struct sfab_script_answer *answer;
	struct sfab_traffic hint_traffic;

	read_hint(site, job, &hint_traffic, d);
	/* All of *d is set even if the job is left to Slurm: the log shows it. */
	answer = sfab_intent_traffic(site, job, d->hint, &hint_traffic, &d->traffic, &d->origin);
	d->says = answer->says;
	memcpy(d->weights, d->says & SFAB_SAYS_WEIGHTS ? answer->weights :
	       site->conf->weights, sizeof(d->weights));
	d->mode = mode != SFAB_MODE_OFF && d->says & SFAB_SAYS_MODE ?
		  limit_mode(site, answer->mode) : mode;
	if (mode == SFAB_MODE_OFF)
		return SFAB_STOCK_OFF;
	if (d->hint == SFAB_HINT_OFF)
		return SFAB_STOCK_HINT_OFF;
	if (d->says & SFAB_SAYS_OFF || d->mode == SFAB_MODE_OFF)
		return SFAB_STOCK_SCRIPT_OFF;
	return d->traffic.nparts ? SFAB_PLACED : SFAB_STOCK_NO_TRAFFIC;
}
