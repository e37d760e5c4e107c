/* SPDX-License-Identifier: GPL-2.0-or-later */
/* past_summary.c - the answer in a few lines; see past_summary.h */

#include "tools/report/past_summary.h"

#include <math.h>

#include "io/learn/found.h"
#include "tools/site/site.h"
#include "tools/ui/moment.h"

struct past_summary past_summary(const struct past *p, double followed)
{
	struct past_summary s = {
		.p = p, .on = past_verdict(p, 0), .observe = past_verdict(p, 1),
		.runs = past_run_times(p), .sent = past_sent(p),
		.full_hours = past_full_hours(p, -INFINITY, INFINITY), .followed = followed,
	};
	uint32_t n;
	struct past_sum *all = past_sums(p, PAST_ALL, &n);

	s.node_hours = n ? all[0].node_hours : 0;
	s.lost = n ? all[0].lost : 0;
	past_sums_free(all, n);
	return s;
}

double past_followed(const struct past *p, const struct options *o)
{
	struct sfab_err ignore = { 0 };
	struct sfab_conf *conf = site_conf(o, &ignore);
	struct sfab_found *found = conf ? sfab_found_load(conf->found_traffic, NULL, &ignore) :
					  NULL;
	double followed = found && found->fingerprint == p->fingerprint ? found->followed : -1;

	sfab_found_destroy(found);
	sfab_conf_destroy(conf);
	return followed;
}

#define PROGRAMS 2	/* of fewer the run times say nothing */

/* A first day in a test has few, a month of a site many. */
static int decimals_of(double node_hours)
{
	return node_hours < 1 ? 4 : node_hours < 100 ? 1 : 0;
}

static int verdict_line(const struct past_verdict *v, const char *begin,
			char line[PAST_LINE])
{
	int k = decimals_of(v->node_hours);

	snprintf(line, PAST_LINE, "Mode=on %s moved %u of %u jobs and saved %.*f (%.*f to %.*f) "
		 "of %.*f node hours.%s", begin, v->moved, v->jobs, k, v->saved,
		 k, v->saved - v->error, k, v->saved + v->error, k, v->node_hours,
		 v->error > fabs(v->saved) ? " Too few jobs to tell." : "");
	return v->jobs > 0;
}

static int span_line(const struct past_summary *s, char line[PAST_LINE])
{
	char first[MOMENT_TEXT], last[MOMENT_TEXT];

	snprintf(line, PAST_LINE, "%u job%s began from %s to %s. Where jobs ran, they lost %.*f "
		 "node hours to the fabric, %.1f %% of what they used.", s->p->n,
		 s->p->n == 1 ? "" : "s", moment_text(s->p->first_s, first), moment_text(s->p->last_s, last),
		 decimals_of(s->node_hours), s->lost,
		 s->node_hours > 0 ? 100 * s->lost / s->node_hours : 0);
	return s->p->n > 0;
}

/* The mean is the line for sfabric.conf, as it is written there. */
static int sent_line(const struct past_sent *s, char line[PAST_LINE])
{
	char text[160];

	snprintf(line, PAST_LINE, "%u jobs, of %.*f node hours, sent DefaultTraffic=%s on average, "
		 "by counters.", s->jobs, decimals_of(s->node_hours), s->node_hours,
		 sfab_traffic_text(&s->mean, text, sizeof(text)));
	return s->mean.nparts > 0;
}

int past_line(const struct past_summary *s, int i, char line[PAST_LINE])
{
	switch (i) {
	case 0:
		return verdict_line(&s->observe, "would have", line);
	case 1:
		return verdict_line(&s->on, "has", line);
	case 2:
		return span_line(s, line);
	case 3:
		snprintf(line, PAST_LINE, "%u runs of %u programs were slowed %.2f times, by "
			 "prediction. They took %.2f times as long as other runs.", s->runs.runs,
			 s->runs.programs, s->runs.predicted, s->runs.measured);
		return s->runs.programs >= PROGRAMS;
	case 4:
		snprintf(line, PAST_LINE, "Links between switches were full for %.1f hours in "
			 "all, by counters.", s->full_hours);
		return s->full_hours >= 0;
	case 5:
		return sent_line(&s->sent, line);
	default:
		snprintf(line, PAST_LINE, "%.0f %% of the measured bytes are where the tables "
			 "say.", 100 * s->followed);
		return s->followed >= 0;
	}
}
