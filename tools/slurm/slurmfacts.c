/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurmfacts.c - what Slurm says about its configuration; see slurmfacts.h
 *
 * The names are those of slurm.conf(5).  A line is looked for by its key, so
 * their order, which differs between versions, does not matter.
 */

#include "tools/slurm/slurmfacts.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/slurm/program.h"
#include "tools/ui/say.h"

#define ANSWER_S 15	/* longer than any controller that is up takes */

/* Facts that are optional are missing in some versions, or are "(null)". */
static const struct {
	const char *key;
	size_t field;
	int optional;
} facts[] = {
	{ "SLURM_VERSION", offsetof(struct slurmfacts, version), 0 },
	{ "PluginDir", offsetof(struct slurmfacts, plugindir), 0 },
	{ "SelectType", offsetof(struct slurmfacts, select_type), 0 },
	{ "SLURM_CONF", offsetof(struct slurmfacts, conf), 0 },
	{ "SlurmctldPidFile", offsetof(struct slurmfacts, pidfile), 0 },
	{ "SlurmUser", offsetof(struct slurmfacts, user), 0 },
	{ "PlugStackConfig", offsetof(struct slurmfacts, plugstack), 1 },
	{ "TopologyPlugin", offsetof(struct slurmfacts, topology), 1 },
	{ "SelectTypeParameters", offsetof(struct slurmfacts, select_params), 1 },
	{ "SchedulerParameters",
	  offsetof(struct slurmfacts, scheduler_params), 1 },
	{ "PreemptType", offsetof(struct slurmfacts, preempt_type), 1 },
	{ "PreemptMode", offsetof(struct slurmfacts, preempt_mode), 1 },
	{ "AccountingStorageEnforce",
	  offsetof(struct slurmfacts, enforce), 1 },
	{ "PrivateData", offsetof(struct slurmfacts, private_data), 1 },
	{ "DefMemPerCPU", offsetof(struct slurmfacts, memory_per_cpu), 1 },
	{ "DefMemPerNode", offsetof(struct slurmfacts, memory_per_node), 1 },
};

#define NFACTS (sizeof(facts) / sizeof(facts[0]))

static char **field_of_fact(struct slurmfacts *s, size_t i)
{
	return (char **) ((char *) s + facts[i].field);
}

/* The value of "KEY   = VALUE" in @text; NULL: none, or "(null)". */
static char *value_in_config(const char *text, const char *key)
{
	size_t n = strlen(key);

	for (const char *p = text; p; p = strchr(p, '\n')) {
		p += *p == '\n';
		if (strncmp(p, key, n) == 0 && (p[n] == ' ' || p[n] == '=')) {
			p += n + strspn(p + n, " =");
			if (strncmp(p, "(null)", 6) == 0)
				return NULL;
			return need_text("%.*s", (int) strcspn(p, "\n"), p);
		}
	}
	return NULL;
}

int slurmfacts_parse(struct slurmfacts *s, const char *text,
		     struct sfab_err *err)
{
	const char *missing = NULL;

	memset(s, 0, sizeof(*s));
	for (size_t i = 0; i < NFACTS; i++) {
		*field_of_fact(s, i) = value_in_config(text, facts[i].key);
		if (!*field_of_fact(s, i) && !facts[i].optional)
			missing = facts[i].key;
	}
	/* "slurm(64030)" */
	if (!missing && sscanf(s->user, "%*[^(](%u)", &s->uid) != 1)
		missing = "SlurmUser=NAME(UID)";
	if (!missing)
		return 0;
	slurmfacts_free(s);
	return sfab_fail(err, SFAB_EFORMAT, "scontrol show config: no %s",
			 missing);
}

int slurmfacts_ask(struct slurmfacts *s, struct sfab_err *err)
{
	char *argv[] = { "scontrol", "show", "config", NULL };
	char *text;
	int rc;
	const char *conf;

	memset(s, 0, sizeof(*s));
	/*
	 * If this file is missing, scontrol asks the name service for a minute.
	 */
	conf = getenv("SLURM_CONF");
	if (conf && access(conf, R_OK) != 0)
		return sfab_fail(err, SFAB_ENOENT, "SLURM_CONF=%s: %s", conf,
				 strerror(errno));
	if (program_output_within(argv, ANSWER_S, &text, err) < 0)
		return -1;
	rc = slurmfacts_parse(s, text, err);
	free(text);
	return rc;
}

/* 24.11 is 2411; 0: not a version. */
uint32_t slurmfacts_release(const char *version)
{
	unsigned major, minor;

	if (sscanf(version, "%2u.%2u", &major, &minor) != 2 || minor > 12)
		return 0;
	return 100 * major + minor;
}

void slurmfacts_free(struct slurmfacts *s)
{
	for (size_t i = 0; i < NFACTS; i++)
		free(*field_of_fact(s, i));
	memset(s, 0, sizeof(*s));
}
