/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * sbatch.c - sbatch's options, one at a time or all of a script; see sbatch.h
 *
 * The words of a script are parsed by getopt_long() with sbatch's own letters and names,
 * because abbreviations, "-N4" and "--nodes 4" must mean here what they mean there.  As in
 * sbatch the environment overrides the script, and the command line both.
 *
 * Nothing here looks at a cluster: struct sbatch holds what was said, and job_numbers.c turns
 * that into what it means.
 */

#include "tools/slurm/sbatch.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/ui/xalloc.h"

/* Set the defaults of sbatch: one node, one task, one CPU for it. */
void sbatch_init(struct sbatch *s)
{
	memset(s, 0, sizeof(*s));
	s->ask.min_nodes = 1;
	s->ask.tasks = 1;
	s->ask.cpus_per_task = 1;
	s->ask.who.user = getuid();
}

/* Set an option.  Options without a setter are accepted and have no effect. */
int sbatch_set(struct sbatch *s, const struct sbatch_option *option,
	       const char *value, struct sfab_err *err)
{
	const char *expected = option->set ? option->set(s, option, value) : NULL;

	return !expected ? 0 : sfab_fail(err, SFAB_EINVAL, "--%s '%.60s' (expected %s)",
					 option->name, value ? value : "", expected);
}

/* Both from malloc. */
struct getopt_tables {
	struct option *rows;
	char *letters;
};

/* Make getopt_long()'s tables from ours.  '+' stops at the first word that is no option. */
static struct getopt_tables make_tables(void)
{
	struct getopt_tables t;
	size_t n = 0;
	char *p;

	while (sbatch_options[n].name)
		n++;
	t.rows = xcalloc(n + 1, sizeof(*t.rows));
	t.letters = p = xcalloc(3 * n + 3, 1);
	*p++ = '+';
	*p++ = ':';	/* getopt says nothing itself */
	for (size_t i = 0; i < n; i++) {
		const struct sbatch_option *option = &sbatch_options[i];
		int kind = option->flags & SBATCH_NO_VALUE ? no_argument :
			   option->flags & SBATCH_MAY_HAVE_VALUE ? optional_argument :
								   required_argument;

		t.rows[i] = (struct option){ option->name, kind, NULL,
					     256 + (int) i };
		if (!option->letter)
			continue;
		*p++ = (char) option->letter;
		/*
		 * getopt's kinds are the number of colons: none, one, or two for an optional
		 * value.
		 */
		for (int colons = kind; colons > 0; colons--)
			*p++ = ':';
	}
	return t;
}

/* Find the option of a key.  Letters are their own keys; long options count from 256. */
static const struct sbatch_option *find_getopt_option(int key)
{
	if (key >= 256)
		return &sbatch_options[key - 256];
	for (const struct sbatch_option *o = sbatch_options; o->name; o++)
		if (o->letter == key)
			return o;
	return NULL;
}

int sbatch_set_script(struct sbatch *s, const struct batch_script *script,
		      struct sfab_err *err)
{
	struct getopt_tables t = make_tables();
	int n = (int) script->n, key, rc = 0;
	int index = 1;	/* index of the word that is looked at; the first is no option */

	if (script->is_het)
		s->ask.flags |= SFAB_ASK_HET;
	optind = 0;	/* reset getopt fully: 0 also clears its internal state */
	while (rc == 0 &&
	       (key = getopt_long(n, script->word, t.letters, t.rows, NULL)) != -1) {
		if (key == '?' || key == ':')
			rc = sfab_fail(err, SFAB_EINVAL, "%.60s: %s", script->word[index],
				       key == '?' ? "not an option of sbatch" :
				       "a value is missing");
		else
			rc = sbatch_set(s, find_getopt_option(key), optarg, err);
		if (rc == 0)
			index = optind;
	}
	if (rc == 0 && optind < n)
		rc = sfab_fail(err, SFAB_EINVAL, "'%.60s' (expected an option)",
			       script->word[optind]);
	free(t.rows);
	free(t.letters);
	/* getopt may stop behind the last. */
	if (rc != 0 && index < n)
		sfab_fail_prefix(err, "%s:%u", script->name, script->line[index]);
	return rc;
}

/*
 * Set the options that variables give.  SBATCH_ENV tells setters that the value is a
 * variable's, which yields to the script in one case (set_memory()).
 */
int sbatch_set_env(struct sbatch *s, struct sfab_err *err)
{
	int rc = 0;

	s->flags |= SBATCH_ENV;
	for (const struct sbatch_option *o = sbatch_options; o->name && !rc; o++) {
		const char *value = o->env ? getenv(o->env) : NULL;

		if (!value)
			continue;
		/* An empty one: the option without a value, where it may have none. */
		if (o->flags & SBATCH_NO_VALUE ||
		    (!*value && (o->flags & SBATCH_MAY_HAVE_VALUE)))
			value = NULL;
		if (sbatch_set(s, o, value, err) != 0)
			rc = sfab_fail_prefix(err, "%s", o->env);
	}
	s->flags &= ~(unsigned) SBATCH_ENV;
	return rc;
}

int sbatch_wants_gpus(const struct sbatch *s)
{
	return *s->gpus || *s->gpus_job || *s->gpus_task || s->ask.flags & SFAB_ASK_GRES;
}

/* Return the CPUs that the job uses on each node; 0: not known before it is placed. */
double sbatch_cores(const struct sbatch *s, uint32_t nodes)
{
	double cpus = s->ask.cpus_per_task ? s->ask.cpus_per_task : 1;

	if (s->ask.tasks_per_node)
		return s->ask.tasks_per_node * cpus;
	if (!(s->flags & SBATCH_NTASKS) || !nodes)
		return 0;
	return s->ask.tasks * cpus / nodes;
}
