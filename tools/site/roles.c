/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * roles.c - what each host is, and who says so; see roles.h
 *
 * A fabric does not say which of its hosts run jobs, and an IO server that counts as a compute
 * host gives wrong answers to nearly every question.  So hosts are guessed by their names, and
 * whatever is said by somebody who knows wins over that: Slurm's nodes, the script,
 * sfabric.conf.
 */

#include "tools/site/roles.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/conf/conf_guess.h"
#include "tools/site/hosts.h"
#include "tools/ui/xalloc.h"

static const char *const role_names[NROLES] = {
	"compute", "login", "io", "management", "router", "sharp", "other",
};

const char *role_name(enum role role)
{
	return role_names[role];
}

int role_find(const char *name)
{
	for (int i = 0; i < NROLES; i++)
		if (strcmp(role_names[i], name) == 0)
			return i;
	return -1;
}

const char *role_source_name(enum role_source source)
{
	static const char *const name[] = {
		"default", "name", "Slurm", "fabric", "script", "Role", "io-set",
	};

	return name[source];
}

/* -- names ------------------------------------------------------------------ */

/*
 * Words that sites use for hosts that run no jobs.  None of two letters but gw, io and sm:
 * short ones are in names of compute nodes too.
 */
static const struct {
	const char *word;
	enum role role;
} role_words[] = {
	{ "login", ROLE_LOGIN }, { "logon", ROLE_LOGIN },
	{ "frontend", ROLE_LOGIN }, { "front", ROLE_LOGIN },
	{ "submit", ROLE_LOGIN },
	{ "io", ROLE_IO }, { "ion", ROLE_IO }, { "oss", ROLE_IO },
	{ "ost", ROLE_IO }, { "mds", ROLE_IO }, { "mdt", ROLE_IO },
	{ "mgs", ROLE_IO }, { "nfs", ROLE_IO }, { "nas", ROLE_IO },
	{ "nsd", ROLE_IO }, { "gpfs", ROLE_IO }, { "lustre", ROLE_IO },
	{ "beegfs", ROLE_IO }, { "gluster", ROLE_IO }, { "ceph", ROLE_IO },
	{ "weka", ROLE_IO }, { "storage", ROLE_IO }, { "cache", ROLE_IO },
	{ "mgmt", ROLE_MANAGEMENT }, { "mgt", ROLE_MANAGEMENT },
	{ "management", ROLE_MANAGEMENT }, { "admin", ROLE_MANAGEMENT },
	{ "adm", ROLE_MANAGEMENT }, { "head", ROLE_MANAGEMENT },
	{ "headnode", ROLE_MANAGEMENT }, { "master", ROLE_MANAGEMENT },
	{ "ufm", ROLE_MANAGEMENT }, { "cufm", ROLE_MANAGEMENT },
	{ "sm", ROLE_MANAGEMENT }, { "opensm", ROLE_MANAGEMENT },
	{ "slurm", ROLE_MANAGEMENT }, { "slurmctld", ROLE_MANAGEMENT },
	{ "bcm", ROLE_MANAGEMENT }, { "xcat", ROLE_MANAGEMENT },
	{ "monitor", ROLE_MANAGEMENT },
	{ "lnet", ROLE_ROUTER }, { "router", ROLE_ROUTER },
	{ "rtr", ROLE_ROUTER }, { "gw", ROLE_ROUTER },
	{ "gateway", ROLE_ROUTER },
};
#define NWORDS (sizeof(role_words) / sizeof(role_words[0]))

/* Find the first run of letters that is one of the words; NWORDS: none. */
static size_t find_role_word(const char *name)
{
	while (*name) {
		size_t n = 0;

		while (isalpha((unsigned char) name[n]))
			n++;
		for (size_t i = 0; n && i < NWORDS; i++)
			if (strlen(role_words[i].word) == n &&
			    strncasecmp(name, role_words[i].word, n) == 0)
				return i;
		name += n ? n : 1;
	}
	return NWORDS;
}

/*
 * Find the word of each host's name.  A word that most hosts have is part of the cluster's name
 * and does not count: on a cluster called "storage" all hosts have it.
 */
static uint8_t *find_host_words(const struct sfab_fabric *f)
{
	uint8_t *word = xcalloc(f->nhosts, sizeof(*word));
	uint32_t count[NWORDS + 1] = { 0 };

	for (uint32_t h = 0; h < f->nhosts; h++) {
		word[h] = (uint8_t) find_role_word(f->hosts[h].name);
		count[word[h]]++;
	}
	for (uint32_t h = 0; h < f->nhosts; h++)
		if (2 * (uint64_t) count[word[h]] > f->nhosts)
			word[h] = NWORDS;
	return word;
}

/* -- Slurm's nodes ---------------------------------------------------------- */

/*
 * Flag the hosts that are nodes of Slurm.  NULL: not known, or of another cluster.  It is usual
 * that some names in slurm.conf are no hosts of the fabric: nodes that are down.
 */
static uint8_t *flag_nodes(const struct sfab_fabric *f, const char *nodes)
{
	struct hosts_unknown unknown;
	uint8_t *flags = nodes ? hosts_known(f, nodes, &unknown, NULL) : NULL;

	/* With less than half of them in the fabric it is another cluster's slurm.conf. */
	if (flags && (unknown.n == unknown.names || unknown.n > unknown.names / 2)) {
		free(flags);
		return NULL;
	}
	return flags;
}

/* -- the roles -------------------------------------------------------------- */

/* Return the role for one of the fabric's, which are fewer than ours. */
static enum role fabric_role(enum sfab_host_role role)
{
	static const enum role roles[] = {
		[SFAB_HOST_COMPUTE] = ROLE_COMPUTE, [SFAB_HOST_IO] = ROLE_IO,
		[SFAB_HOST_SHARP] = ROLE_SHARP, [SFAB_HOST_OTHER] = ROLE_OTHER,
	};

	return roles[role];
}

/*
 * Return for each host 1 + the Role line that names it last; 0: none.  *@has_compute: a Role
 * line names compute hosts, and other hosts are none then.
 */
static uint32_t *find_host_lines(const struct role_facts *facts, int *has_compute)
{
	uint32_t *line = xcalloc(facts->f->nhosts, sizeof(*line));

	*has_compute = 0;
	for (uint32_t i = 0; i < facts->conf->roles.n; i++) {
		const struct sfab_conf_pair *pair = &facts->conf->roles.pair[i];
		struct hosts_unknown unknown;
		uint8_t *is_named = hosts_known(facts->f, pair->value, &unknown, NULL);

		*has_compute |= strcmp(pair->name, "compute") == 0;
		for (uint32_t h = 0; is_named && h < facts->f->nhosts; h++)
			if (is_named[h])
				line[h] = i + 1;
		free(is_named);
	}
	return line;
}

struct role_tables {		/* by host */
	uint32_t *line;
	uint8_t *node;		/* NULL: Slurm's nodes are not known */
	uint8_t *word;
	uint8_t *is_server;	/* by name or maker it is of a storage system */
	int has_compute;
};

/*
 * Find the role that conf or script gives, in the order of roles.h.  0: neither does.  SHARP
 * nodes are what they are, whatever the site says about compute hosts.
 */
static int find_site_role(const struct role_facts *facts,
			  const struct role_tables *t, uint32_t h, enum role *role,
			  enum role_source *source)
{
	enum sfab_host_role role_there = facts->f->hosts[h].role;

	if (facts->io && sfab_iosets_has_host(facts->io, facts->f, h)) {
		*role = ROLE_IO;
		*source = BY_IO_SET;
	} else if (t->line[h]) {
		*role = (enum role)
			role_find(facts->conf->roles.pair[t->line[h] - 1].name);
		*source = BY_CONF;
	} else if (t->has_compute && role_there != SFAB_HOST_SHARP) {
		*role = fabric_role(role_there);
		*source = BY_CONF;
	} else if (facts->has_script && role_there != SFAB_HOST_SHARP) {
		*role = fabric_role(role_there);
		*source = facts->snapshot_role[h] == role_there && role_there != SFAB_HOST_COMPUTE ?
		      /*
		       * A role that was there before conf and script is the fabric's
		       * own word.
		       */
		      BY_FABRIC : BY_SCRIPT;
	} else {
		return 0;
	}
	return 1;
}

/* Decide a host's role.  A host that is no node of Slurm keeps what its name says. */
static void decide_role(const struct role_facts *facts,
			const struct role_tables *t, uint32_t h,
			enum role *role, enum role_source *source)
{
	if (find_site_role(facts, t, h, role, source))
		return;
	*role = fabric_role(facts->f->hosts[h].role);
	*source = BY_FABRIC;
	if (*role != ROLE_COMPUTE)
		return;
	*source = t->node ? BY_SLURM : BY_DEFAULT;
	if (t->node && t->node[h])
		return;
	*role = t->node ? ROLE_OTHER : ROLE_COMPUTE;
	if (t->word[h] == NWORDS && !t->is_server[h])
		return;
	*role = t->word[h] == NWORDS ? ROLE_IO : role_words[t->word[h]].role;
	*source = BY_NAME;
}

void roles_find(struct roles *r, const struct role_facts *facts)
{
	const struct sfab_io_facts io_facts = { .nodes = facts->nodes };
	uint32_t n = facts->f->nhosts;
	struct role_tables t = {
		.node = flag_nodes(facts->f, facts->nodes),
		.word = find_host_words(facts->f),
		.is_server = xcalloc(n, sizeof(*t.is_server)),
	};
	struct sfab_io_guess found;

	t.line = find_host_lines(facts, &t.has_compute);
	if (sfab_conf_find_io(facts->conf, facts->f, &io_facts, &found, NULL) >= 0) {
		for (uint32_t i = 0; i < found.n; i++)
			t.is_server[found.host[i].host] = found.host[i].in_set;
		sfab_io_guess_free(&found);
	}
	memset(r, 0, sizeof(*r));
	r->role = xcalloc(n, sizeof(*r->role));
	r->source = xcalloc(n, sizeof(*r->source));
	for (uint32_t h = 0; h < n; h++) {
		enum role_source source;
		enum role role;

		decide_role(facts, &t, h, &role, &source);
		r->role[h] = (uint8_t) role;
		r->source[h] = (uint8_t) source;
		/* Only names that nobody confirms are worth a warning. */
		if (source != BY_NAME || t.node)
			continue;
		r->nnamed++;
		r->named_host = h;
	}
	free(t.line);
	free(t.node);
	free(t.word);
	free(t.is_server);
}

void roles_free(struct roles *r)
{
	free(r->role);
	free(r->source);
	memset(r, 0, sizeof(*r));
}
