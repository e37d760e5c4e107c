/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * io_line.c - IO servers that are in no IO set; see io_line.h
 *
 * The line comes last in its warning, so that it can be copied.  Names are those of
 * anybody who plugs in a cable: only letters, digits, '_', '.' and '-' are printed.
 */

#include "tools/site/io_line.h"

#include <stdlib.h>
#include <string.h>

#include "io/conf/conf_found.h"
#include "io/counters/counters.h"
#include "tools/ui/say.h"

#define REASONS 3	/* that a warning names */

static int is_reason_new(const struct sfab_io_found *found, uint32_t i)
{
	for (uint32_t k = 0; k < i; k++)
		if (found->host[k].in_set == found->host[i].in_set &&
		    strcmp(found->host[k].why, found->host[i].why) == 0)
			return 0;
	return 1;
}

/* Where a site has IO sets, hosts without data are no news. */
static int is_doubt(const struct sfab_iosets *io, const struct sfab_io_host *s)
{
	return !s->in_set && (s->differ || !io || !io->nsets);
}

/* "oss1: its name has ...", the first few that differ; caller frees. */
static char *reasons(const struct sfab_fabric *f, const struct sfab_iosets *io,
		     const struct sfab_io_found *found, int in_set)
{
	char *text = need_copy("");
	uint32_t n = 0;

	for (uint32_t i = 0; i < found->n && n < REASONS; i++) {
		const struct sfab_io_host *s = &found->host[i];
		const char *name = f->hosts[s->host].name;

		if (s->in_set != in_set || !is_reason_new(found, i) ||
		    (!in_set && !is_doubt(io, s)))
			continue;
		need_joined(&text, ", ", "%s: %s", sfab_io_found_is_writable(name) ?
			    name : "a host with an odd name", s->why);
		n++;
	}
	return text;
}

static void warn_of_doubts(struct report *r, const struct sfab_fabric *f,
			   const struct sfab_iosets *io, const struct sfab_io_found *found)
{
	uint32_t doubts = 0, odd = 0;
	char *why;

	for (uint32_t i = 0; i < found->n; i++) {
		const char *name = f->hosts[found->host[i].host].name;

		doubts += is_doubt(io, &found->host[i]);
		odd += found->host[i].in_set && !sfab_io_found_is_writable(name);
	}
	if (odd)
		report_warning(r, "%u IO servers have names that sfabric.conf cannot hold: "
			       "NodeNameMap can name them", odd);
	if (!doubts)
		return;
	why = reasons(f, io, found, 0);
	report_warning(r, "%u hosts could be IO servers, but are left out; %s", doubts, why);
	free(why);
}

void warn_of_found_io(struct report *r, const struct sfab_conf *conf,
		      const struct sfab_fabric *f, const struct sfab_iosets *io,
		      const double *rate)
{
	const struct sfab_io_facts what = { .nodes = conf->nodes, .rate = rate };
	/* Sets of the same name cannot be. */
	int is_taken = io && sfab_iosets_find(io, "io") != SFAB_NONE;
	struct sfab_io_found found;
	uint32_t kept = 0, n = 0;
	char *hosts, *why;

	if (sfab_conf_find_io(conf, f, &what, &found, NULL) < 0)
		return;
	for (uint32_t i = 0; i < found.n; i++) {
		if (io && sfab_iosets_has_host(io, f, found.host[i].host))
			continue;
		n += found.host[i].in_set;
		found.host[kept++] = found.host[i];
	}
	found.n = kept;
	hosts = sfab_io_found_hosts(f, &found);
	why = reasons(f, io, &found, 1);
	if (hosts && *hosts)
		report_warning(r, "%u hosts in no IO set are IO servers (%s)%s; for "
			       "sfabric.conf, where IoSet=auto does the same: IoSet=%s Hosts=%s",
			       n, why,
			       found.has_nodes ? "" : "; Slurm's nodes are not known here",
			       is_taken ? "found" : "io", hosts);
	warn_of_doubts(r, f, io, &found);
	free(why);
	free(hosts);
	sfab_io_found_free(&found);
}

void warn_of_counted_io(struct report *r, const struct sfab_conf *conf,
			const struct sfab_fabric *f, const struct sfab_iosets *io,
			const char *path)
{
	struct sfab_counters *c = path ? sfab_counters_load(path, NULL, NULL) : NULL;
	uint32_t unknown = 0;
	struct sfab_measured *ms = c ? sfab_counters_measure(c, f, &unknown) : NULL;

	warn_of_found_io(r, conf, f, io, ms && unknown != c->n ? ms->rate : NULL);
	sfab_measured_destroy(ms);
	sfab_counters_destroy(c);
}
