/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * warnings.c - what is odd about a fabric; see warnings.h
 *
 * Warnings go to standard error and into the JSON answer.  A command goes on: a partial fabric
 * still answers most questions.
 */

#include "tools/site/warnings.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/fabric/route.h"
#include "core/load/measured.h"
#include "io/conf/conf_guess.h"
#include "io/counters/counters.h"
#include "io/snapshot/alive.h"
#include "tools/ui/xalloc.h"

#define EXAMPLES 3
#define REASONS 3	/* that a warning names */

/*
 * Warn of pairs without a route.  The first few are named: they usually have the switch in
 * common.  A count that fails says nothing: other warnings still come.
 */
static void warnings_of_lost_pairs(struct reply *r, const struct sfab_fabric *f,
				   uint32_t plane, const char *where)
{
	struct sfab_lost_pair pair[EXAMPLES];
	char *list = xstrdup("");
	uint64_t n;

	if (sfab_route_unreachable(f, plane, &n, pair, EXAMPLES) != 0)
		n = 0;
	for (uint32_t i = 0; i < n && i < EXAMPLES; i++) {
		const struct sfab_port *p = &f->ports[pair[i].port];

		xjoin(&list, ", ", "%s to %s LID %u (%s)",
		      f->switches[f->leaves[pair[i].leaf].sw].name,
		      f->hosts[p->host].name, p->lid,
		      sfab_route_status_text(pair[i].status));
	}
	if (n)
		reply_warning(r, "%s%llu pairs (leaf, end port) have no "
			      "route: %s%s", where, (unsigned long long) n,
			      list, n > EXAMPLES ? ", ..." : "");
	free(list);
}

/* Warn of hosts that have no name that Slurm could know. */
void warnings_of_names(struct reply *r, const struct sfab_fabric *f)
{
	uint32_t one, n = sfab_fabric_nameless(f, &one);

	if (n)
		reply_warning(r, "%u hosts are named by their GUID, for example %s: "
			      "their node description is blank, the factory's or "
			      "that of several nodes", n, f->hosts[one].name);
}

const char *warnings_engine_ordinal(const struct sfab_plane *p)
{
	static const char *const places[] = {
		"first", "second", "third", "fourth", "fifth",
	};
	uint32_t place = sfab_plane_asked_for(p);

	return place && place <= 5 ? places[place - 1] : "last";
}

const char *warnings_adaptive_text(const struct sfab_fabric *f)
{
	switch (f->adaptive) {
	case SFAB_ADAPTIVE_UNKNOWN:
		return "adaptive routing: switches choose ports by load, or can, and "
		       "nothing says among which; the plugin only observes (sfabric "
		       "collect or ibdiagnet2.far tell, or Adaptive=no in sfabric.conf if "
		       "they do not)";
	case SFAB_ADAPTIVE_GROUPS:
		return "adaptive routing: switches choose ports by load, even shares "
		       "are assumed (Adaptive in sfabric.conf)";
	default:
		return "";
	}
}

void warnings_of_fabric(struct reply *r, const struct sfab_fabric *f)
{
	for (uint32_t i = 0; i < f->nplanes; i++) {
		const struct sfab_plane *p = &f->planes[i];
		/* With several planes, the warning names the plane. */
		char *where = f->nplanes > 1 ? xstrfmt("plane %s: ", p->name) :
					       xstrdup("");
		uint32_t missing = 0, one = 0;

		/* A later engine of the list is what was asked for if the first gives up. */
		if (sfab_plane_fell_back(p) && sfab_plane_asked_for(p))
			reply_warning(r, "%srouted by %s, the %s engine of %s: those before "
				      "it gave up", where, p->engine, warnings_engine_ordinal(p),
				      p->asked);
		else if (sfab_plane_fell_back(p))
			reply_warning(r, "%srouted by %s, but %s was requested: OpenSM "
				      "fell back (sfabric audit names missing cables)", where,
				      p->engine, p->asked);
		for (uint32_t k = p->switch0; k < p->switch0 + p->nswitches; k++)
			if (!f->switches[k].has_lft) {
				missing++;
				one = k;
			}
		if (missing)
			reply_warning(r,
				      "%s%u of %u switches have no forwarding "
				      "table, for example %s: partial",
				      where, missing, p->nswitches,
				      f->switches[one].name);
		warnings_of_lost_pairs(r, f, i, where);
		free(where);
	}
	warnings_of_names(r, f);
	if (*warnings_adaptive_text(f))
		reply_warning(r, "%s", warnings_adaptive_text(f));
}

void warnings_of_iosets(struct reply *r, const struct sfab_fabric *f,
			const struct sfab_iosets *io)
{
	uint32_t n = io ? sfab_iosets_uncabled(io, f) : 0;

	if (n)
		reply_warning(r, "%u ports of IO servers are not cabled: ignored",
			      n);
}

/* Is @guid the subnet manager of a plane?  A plane without a known one contradicts none. */
static int is_sm(const struct sfab_fabric *f, uint64_t guid)
{
	for (uint32_t i = 0; i < f->nplanes; i++)
		if (!f->planes[i].sm_guid || f->planes[i].sm_guid == guid)
			return 1;
	return f->nplanes == 0;
}

/*
 * Warn if the fabric.alive at @path was written by a standby subnet manager, or by another one
 * than the snapshot's.
 */
static void warnings_of_other_sm(struct reply *r, const struct sfab_fabric *f,
				 const char *path)
{
	struct sfab_alive a;

	if (sfab_alive_load(path, NULL, &a, NULL) < 0 || !a.sm_guid)
		return;
	if (a.standby)
		reply_warning(r, "%s was written by a standby subnet manager, "
			      "0x%016llx, and confirms nothing: use the files of "
			      "the master", path, (unsigned long long) a.sm_guid);
	else if (!is_sm(f, a.sm_guid))
		reply_warning(r, "two subnet managers: the snapshot is by "
			      "0x%016llx, %s by 0x%016llx; the newest confirmation "
			      "counts", (unsigned long long) f->planes[0].sm_guid,
			      path, (unsigned long long) a.sm_guid);
}

/*
 * Warn of fabric.alive files by other subnet managers.  With several fabrics, each has its own
 * file beside its snapshot.
 */
void warnings_of_source(struct reply *r, const struct sfab_fabric *f,
			const struct sfab_conf *conf, const char *path)
{
	char alive[PATH_MAX];

	if (!path && !conf->fabrics.n)
		path = conf->snapshot;
	for (uint32_t i = 0; !path && i < conf->fabrics.n; i++) {
		sfab_alive_path(NULL, conf->fabrics.pair[i].value, alive,
				sizeof(alive));
		warnings_of_other_sm(r, f, alive);
	}
	if (!path)
		return;
	/* The key Alive of sfabric.conf belongs to the file of its key Snapshot only. */
	sfab_alive_path(strcmp(path, conf->snapshot) ? NULL : conf->alive, path,
			alive, sizeof(alive));
	warnings_of_other_sm(r, f, alive);
}

int warnings_find_nodes(struct nodes_found *found, const struct sfab_fabric *f,
			const struct sfab_iosets *io, const char *nodes,
			struct sfab_err *err)
{
	uint8_t *is_node;

	memset(found, 0, sizeof(*found));
	is_node = hosts_known(f, nodes, &found->portless, err);
	if (!is_node)
		return -1;
	/* From the last to the first, so that the example is the first one. */
	for (uint32_t h = f->nhosts; h--;)
		if (!is_node[h] && f->hosts[h].role == SFAB_HOST_COMPUTE &&
		    !(io && sfab_iosets_has_host(io, f, h))) {
			found->unused++;
			snprintf(found->unused_host, sizeof(found->unused_host), "%s",
				 f->hosts[h].name);
		}
	free(is_node);
	return 0;
}

void warnings_of_hosts(struct reply *r, const struct nodes_found *found)
{
	if (found->unused)
		reply_warning(r, "%u hosts are neither nodes nor in an IO set, for "
			      "example %s", found->unused, found->unused_host);
}

int warnings_of_nodes(struct reply *r, const struct sfab_fabric *f,
		      const struct sfab_iosets *io, const char *nodes,
		      struct sfab_err *err)
{
	struct nodes_found found;

	if (warnings_find_nodes(&found, f, io, nodes, err) != 0)
		return -1;
	if (found.portless.n)
		reply_warning(r, "%u of %u nodes have no port on the fabric, for "
			      "example %s", found.portless.n, found.portless.names,
			      found.portless.name);
	warnings_of_hosts(r, &found);
	return 0;
}

/*
 * -- IO servers that are in no IO set --------------------------------------------
 *
 * The line for sfabric.conf comes last in the warning, so that it can be copied.  Anybody who
 * plugs in a cable chooses a name: only letters, digits, '_', '.' and '-' are printed.
 */

static int is_reason_new(const struct sfab_io_guess *found, uint32_t i)
{
	for (uint32_t k = 0; k < i; k++)
		if (found->host[k].in_set == found->host[i].in_set &&
		    strcmp(found->host[k].why, found->host[i].why) == 0)
			return 0;
	return 1;
}

/*
 * Is a host that is left out worth a warning?  Where a site has IO sets, hosts without data are
 * no news.
 */
static int is_doubt(const struct sfab_iosets *io, const struct sfab_io_host *s)
{
	return !s->in_set && (s->signs_differ || !io || !io->nsets);
}

/* Return text like "oss1: its name has ...", with the first few different reasons; caller frees. */
static char *list_reasons(const struct sfab_fabric *f, const struct sfab_iosets *io,
			  const struct sfab_io_guess *found, int in_set)
{
	char *text = xstrdup("");
	uint32_t n = 0;

	for (uint32_t i = 0; i < found->n && n < REASONS; i++) {
		const struct sfab_io_host *s = &found->host[i];
		const char *name = f->hosts[s->host].name;

		if (s->in_set != in_set || !is_reason_new(found, i) ||
		    (!in_set && !is_doubt(io, s)))
			continue;
		xjoin(&text, ", ", "%s: %s", sfab_conf_guess_is_writable(name) ?
		      name : "a host with an odd name", s->why);
		n++;
	}
	return text;
}

static void warnings_of_doubtful_hosts(struct reply *r, const struct sfab_fabric *f,
				       const struct sfab_iosets *io,
				       const struct sfab_io_guess *found)
{
	uint32_t doubts = 0, odd = 0;
	char *why;

	for (uint32_t i = 0; i < found->n; i++) {
		const char *name = f->hosts[found->host[i].host].name;

		doubts += is_doubt(io, &found->host[i]);
		odd += found->host[i].in_set && !sfab_conf_guess_is_writable(name);
	}
	if (odd)
		reply_warning(r, "%u IO servers have names that sfabric.conf cannot hold: "
			      "NodeNameMap can name them", odd);
	if (!doubts)
		return;
	why = list_reasons(f, io, found, 0);
	reply_warning(r, "%u hosts could be IO servers, but are left out; %s", doubts, why);
	free(why);
}

void warnings_of_found_io(struct reply *r, const struct sfab_conf *conf,
			  const struct sfab_fabric *f, const struct sfab_iosets *io,
			  const double *rate)
{
	const struct sfab_io_facts facts = { .nodes = conf->nodes, .rate = rate };
	/* No two sets can have one name. */
	int is_taken = io && sfab_iosets_find(io, "io") != SFAB_NONE;
	struct sfab_io_guess found;
	uint32_t nkept = 0, n = 0;
	char *hosts, *why;

	if (sfab_conf_find_io(conf, f, &facts, &found, NULL) < 0)
		return;
	for (uint32_t i = 0; i < found.n; i++) {
		if (io && sfab_iosets_has_host(io, f, found.host[i].host))
			continue;
		n += found.host[i].in_set;
		found.host[nkept++] = found.host[i];
	}
	found.n = nkept;
	hosts = sfab_conf_guess_hosts(f, &found);
	why = list_reasons(f, io, &found, 1);
	if (hosts && *hosts)
		reply_warning(r, "%u hosts in no IO set are IO servers (%s)%s; for "
			      "sfabric.conf, where IoSet=auto does the same: IoSet=%s Hosts=%s",
			      n, why,
			      found.has_nodes ? "" : "; Slurm's nodes are not known here",
			      is_taken ? "found" : "io", hosts);
	warnings_of_doubtful_hosts(r, f, io, &found);
	free(why);
	free(hosts);
	sfab_io_guess_free(&found);
}

void warnings_of_counted_io(struct reply *r, const struct sfab_conf *conf,
			    const struct sfab_fabric *f, const struct sfab_iosets *io,
			    const char *path)
{
	struct sfab_counters *c = path ? sfab_counters_load(path, NULL, NULL) : NULL;
	uint32_t unknown = 0;
	struct sfab_measured *ms = c ? sfab_counters_measure(c, f, &unknown) : NULL;

	warnings_of_found_io(r, conf, f, io, ms && unknown != c->n ? ms->rate : NULL);
	sfab_measured_destroy(ms);
	sfab_counters_destroy(c);
}
