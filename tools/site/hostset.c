/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * hostset.c - what the user calls a set of hosts; see hostset.h
 *
 * Tried in this order: a role (roles.h) or all, an IO set, job:ID, a host list.
 */

#include "tools/site/hostset.h"

#include <stdlib.h>
#include <string.h>

#include "io/spelling.h"
#include "tools/site/hosts.h"
#include "tools/site/joblist.h"
#include "tools/slurm/cluster.h"
#include "tools/slurm/jobtext.h"
#include "tools/ui/xalloc.h"

#define JOB "job:"

static int is_role(const char *text)
{
	return strcmp(text, "all") == 0 || role_find(text) >= 0;
}

/*
 * Flag the end ports of the role's hosts; the caller frees.  Flags are by end port because a
 * host may have ports in several planes.  Roles are those of commands (roles.h), which tell
 * apart more than the model's.
 */
static uint8_t *role_ports(const struct site *site, const char *role)
{
	const struct sfab_fabric *f = site->f;
	uint8_t *flags = xcalloc(f->nports, sizeof(*flags));

	for (uint32_t p = 0; p < f->nports; p++)
		flags[p] = strcmp(role, "all") == 0 ||
			   (int) site_role(site, f->ports[p].host) ==
			   role_find(role);
	return flags;
}

/* Fail because of a single word that is not a host: it was meant as some kind of set. */
static uint8_t *fail_unknown(const struct site *site, const char *word,
			     struct sfab_err *err)
{
	struct sfab_spelling spelling = sfab_spelling_start(word);

	sfab_spelling_offer(&spelling, "all");
	for (int i = 0; i < NROLES; i++)
		sfab_spelling_offer(&spelling, role_name((enum role) i));
	for (uint32_t i = 0; site->io && i < site->io->nsets; i++)
		sfab_spelling_offer(&spelling, site->io->set[i].name);
	for (uint32_t h = 0; h < site->f->nhosts; h++)
		sfab_spelling_offer(&spelling, site->f->hosts[h].name);
	sfab_fail(err, SFAB_ENOENT, "%s: no such host or set in the fabric%s", word,
		  sfab_spelling_question(&spelling));
	return NULL;
}

/* Flag all ports of the hosts, in whatever plane. */
static uint8_t *ports_of_hostlist(const struct sfab_fabric *f, const char *list,
				  struct sfab_err *err)
{
	uint32_t n;
	uint8_t *hosts = hosts_flags(f, list, &n, err);
	uint8_t *flags;

	if (!hosts)
		return NULL;
	flags = xcalloc(f->nports, sizeof(*flags));
	for (uint32_t p = 0; p < f->nports; p++)
		flags[p] = hosts[f->ports[p].host];
	free(hosts);
	return flags;
}

int hostset_is_job(const char *text)
{
	return strncmp(text, JOB, sizeof(JOB) - 1) == 0;
}

/*
 * Ask Slurm for a job's nodes, as a hostlist, which the caller frees.  The id goes to scontrol
 * as one word; anything that is no id is refused before.
 */
static char *nodes_from_slurm(const char *id, struct sfab_err *err)
{
	struct scontrol_list jobs;
	struct jobtext_lost others;
	char *text, *nodes;

	/* "7"; for an array "7_2"; for a heterogeneous job "7+1". */
	if (!*id || id[strspn(id, "0123456789_+")]) {
		sfab_fail(err, SFAB_EINVAL, "'%.60s' is not a job id", id);
		return NULL;
	}
	if (jobtext_ask(id, &text, &others, err) != 0 ||
	    scontrol_parse(&jobs, &scontrol_job_type, text, err) != 0)
		return NULL;
	nodes = xstrdup("");
	/* The components of a heterogeneous job, or the tasks of an array, together. */
	for (uint32_t i = 0; i < jobs.n; i++) {
		const struct scontrol_job *job = &jobs.job[i];

		if (cluster_job_runs(job) && job->run.nodes)
			xjoin(&nodes, ",", "%s", job->run.nodes);
	}
	scontrol_free(&jobs);
	if (*nodes)
		return nodes;
	free(nodes);
	sfab_fail(err, SFAB_ENOENT, "job %.60s does not run", id);
	return NULL;
}

/* Find a job's nodes.  A file of --jobs stands for the cluster, so Slurm is not asked then. */
char *hostset_job_nodes(const struct site *site, const char *id, struct sfab_err *err)
{
	const struct joblist_job *job;
	struct joblist list;
	char *nodes = NULL;

	if (!site->jobs)
		return nodes_from_slurm(id, err);
	if (joblist_read(&list, site->jobs, site->f, site->conf, err) != 0)
		return NULL;
	job = joblist_find(&list, id, err);
	if (job)
		nodes = hosts_fold(site->f, job->host, job->n);
	joblist_free(&list);
	return nodes;
}

uint8_t *hostset_ports(const struct site *site, const char *text,
		       struct sfab_err *err)
{
	uint8_t *flags;
	uint32_t set = SFAB_NONE;

	if (site->io && !is_role(text))
		set = sfab_iosets_find(site->io, text);
	if (is_role(text))
		flags = role_ports(site, text);
	else if (set != SFAB_NONE) {
		const struct sfab_ioset *s = &site->io->set[set];

		flags = xcalloc(site->f->nports, sizeof(*flags));
		for (uint32_t i = 0; i < s->nmembers; i++)
			flags[site->io->ioport[s->member[i]]] = 1;
	} else if (hostset_is_job(text)) {
		char *nodes = hostset_job_nodes(site, text + sizeof(JOB) - 1, err);

		flags = nodes ? ports_of_hostlist(site->f, nodes, err) : NULL;
		if (!flags)
			sfab_fail_prefix(err, "set '%.60s'", text);
		free(nodes);
	/* A list with brackets or commas is a hostlist for sure, and fails as one. */
	} else if (!text[strcspn(text, "[],")] && *text &&
		   sfab_fabric_host(site->f, text) == SFAB_NONE) {
		flags = fail_unknown(site, text, err);
	} else {
		flags = ports_of_hostlist(site->f, text, err);
	}
	if (flags && site->f->nports && !memchr(flags, 1, site->f->nports)) {
		sfab_fail(err, SFAB_ENOENT, "set '%s': no host of the fabric "
			  "is in it", text);
		free(flags);
		return NULL;
	}
	return flags;
}

uint8_t *hostset_hosts(const struct site *site, const char *text, struct sfab_err *err)
{
	uint8_t *port = hostset_ports(site, text, err), *host;

	if (!port)
		return NULL;
	host = xcalloc(site->f->nhosts, sizeof(*host));
	for (uint32_t p = 0; p < site->f->nports; p++)
		host[site->f->ports[p].host] |= port[p];
	free(port);
	return host;
}
