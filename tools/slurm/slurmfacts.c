/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurmfacts.c - what Slurm says about its configuration; see slurmfacts.h
 *
 * The names are those of slurm.conf(5).  A line is looked for by its key, so their order, which
 * differs between versions, does not matter.
 */

#include "tools/slurm/slurmfacts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/slurm/program.h"

#define ANSWER_S 15	/* longer than any controller that is up takes */

const char *slurmfacts_get(const struct slurmfacts *s, const char *key)
{
	size_t n = strlen(key);

	/* "KEY   = VALUE" */
	for (const char *p = s->text; p && p < s->text + s->size; p += strlen(p) + 1) {
		if (strncmp(p, key, n) != 0 || (p[n] != ' ' && p[n] != '='))
			continue;
		p += n + strspn(p + n, " =");
		return strncmp(p, "(null)", 6) == 0 ? NULL : p;
	}
	return NULL;
}

int slurmfacts_parse(struct slurmfacts *s, char *text, struct sfab_err *err)
{
	const struct {
		const char *key;
		const char **fact;
	} needed[] = {
		{ "SLURM_VERSION", &s->version }, { "PluginDir", &s->plugindir },
		{ "SelectType", &s->select_type }, { "SLURM_CONF", &s->conf },
		{ "SlurmctldPidFile", &s->pidfile },
	};
	const char *missing = NULL, *user;

	*s = (struct slurmfacts){ .text = text, .size = strlen(text) };
	for (char *p = s->text; (p = strchr(p, '\n'));)
		*p++ = '\0';
	for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++) {
		*needed[i].fact = slurmfacts_get(s, needed[i].key);
		if (!*needed[i].fact)
			missing = needed[i].key;
	}
	/* "slurm(64030)" */
	user = slurmfacts_get(s, "SlurmUser");
	if (!user)
		missing = "SlurmUser";
	else if (!missing && sscanf(user, "%*[^(](%u)", &s->uid) != 1)
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
	const char *conf;
	char *text;

	memset(s, 0, sizeof(*s));
	/* If this file is missing, scontrol asks the name service for a minute. */
	conf = getenv("SLURM_CONF");
	if (conf && access(conf, R_OK) != 0)
		return sfab_fail(err, SFAB_ENOENT, "SLURM_CONF=%s: %s", conf,
				 strerror(errno));
	if (program_output(argv, ANSWER_S, &text, err) < 0)
		return -1;
	return slurmfacts_parse(s, text, err);
}

int slurmfacts_hides_jobs(const struct slurmfacts *s)
{
	const char *hidden = slurmfacts_get(s, "PrivateData");

	return hidden && strcasestr(hidden, "jobs") && getuid() != 0 && getuid() != s->uid;
}

uint32_t slurmfacts_release(const char *version)
{
	unsigned major, minor;

	if (sscanf(version, "%2u.%2u", &major, &minor) != 2 || minor > 12)
		return 0;
	return 100 * major + minor;
}

void slurmfacts_free(struct slurmfacts *s)
{
	free(s->text);
	memset(s, 0, sizeof(*s));
}
