/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_kept.c - licenses and nodes that are kept for others; see job_ask.h
 *
 * A preview is about a job that starts now.  A reservation keeps nodes from it if any moment of
 * the job's time limit lies within, as in slurmctld: a long job has to end before the
 * reservation begins.
 *
 * A job that asks for a reservation itself (--reservation) gets only its nodes, and only while
 * it lasts.
 */

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tools/slurm/job_ask.h"
#include "tools/slurm/slurm_rules.h"
#include "tools/ui/number.h"
#include "tools/ui/xalloc.h"

#define REPEATS "HOURLY,DAILY,WEEKLY,WEEKDAY,WEEKEND"
#define NO_LIMIT_S (365u * 24 * 3600)	/* assumed by Slurm for a job without a limit */

/* -- licenses ---------------------------------------------------------------- */

/*
 * Check a word of "matlab:2,abaqus@server".  As in slurmctld, the job is refused if the license
 * does not exist or there are too few of it, and waits if they are not free now.
 */
static int check_license(struct job_ask *a, char *word, struct sfab_err *err)
{
	const struct scontrol_license *l;
	char *colon = strchr(word, ':');
	uint64_t count = 1;
	uint32_t n;

	if (colon)
		*colon = '\0';
	if (colon && number_parse(colon + 1, INT32_MAX, &count) != 0)
		return sfab_fail(err, SFAB_EINVAL, "--licenses '%.60s' (expected "
				 "NAME[:COUNT],...)", word);
	n = (uint32_t) count;
	l = scontrol_named(&a->c->licenses, word);
	if (!l)
		return sfab_fail(err, SFAB_ENOENT, "--licenses '%.60s': no such "
				 "license", word);
	if (n > l->total)
		return sfab_fail(err, SFAB_EINVAL, "license %s: there are %u "
				 "(found %u)", l->name, l->total, n);
	if (l->reserved)
		reply_warning(a->reply, "license %s: the preview ignores who reserved %u "
			      "of them", l->name, l->reserved);
	if (n > l->free && !*a->wait_reason)
		snprintf(a->wait_reason, sizeof(a->wait_reason), "license %s: %u wanted, %u free",
			 l->name, n, l->free);
	return 0;
}

int job_ask_licenses(struct job_ask *a, struct sfab_err *err)
{
	const char *wanted = a->given->licenses;
	char *list, *state, *word;
	int rc = 0;

	if (!wanted)
		return 0;
	if (strchr(wanted, '|')) {
		reply_warning(a->reply, "--licenses '%s' is not understood: the preview "
			      "assumes that they are free", wanted);
		return 0;
	}
	list = xstrdup(wanted);
	word = strtok_r(list, ",;", &state);
	for (; rc == 0 && word; word = strtok_r(NULL, ",;", &state))
		rc = check_license(a, word, err);
	free(list);
	return rc;
}

/* -- reservations ------------------------------------------------------------ */

/* Has the reservation one of these flags ("a,b")? */
static int has_any_flag(const struct scontrol_reservation *r, const char *flags)
{
	int has_any = 0;

	for (size_t n; *flags; flags += n + (flags[n] == ',')) {
		n = strcspn(flags, ",");
		has_any |= scontrol_has_word(r->flags, flags, n);
	}
	return has_any;
}

/* Mark the nodes of reservation @r, and no others, as NODE_IS_CURRENT. */
static int mark_reservation(struct job_ask *a, const struct scontrol_reservation *r,
			    struct sfab_err *err)
{
	for (uint32_t i = 0; i < a->c->nodes.n; i++)
		a->node_is[i] &= (uint16_t) ~NODE_IS_CURRENT;
	return cluster_mark(a->c, r->nodes, UNKNOWN_LEFT_OUT, a->node_is,
			    NODE_IS_CURRENT | NODE_IS_LISTED, err);
}

/*
 * Does the reservation, whose nodes are marked, block all jobs of the partition?  A maintenance
 * that takes all nodes of the partition is meant for all of it.
 */
static int is_blocking_all(const struct job_ask *a, const struct scontrol_reservation *r)
{
	const struct scontrol_partition *p = a->partition;
	uint32_t i = 0, n = a->c->nodes.n;

	if (!r->nodes)
		return 0;
	/* Stop at the first node of the partition that it does not take. */
	while (i < n && (a->node_is[i] & (NODE_IS_OURS | NODE_IS_CURRENT)) != NODE_IS_OURS)
		i++;
	if (has_any_flag(r, "ALL_NODES") || (has_any_flag(r, "MAINT") && i == n))
		return 1;
	return has_any_flag(r, "PART_NODES") && r->partition && p->name &&
	       strcmp(r->partition, p->name) == 0;
}

/* Warn about what scontrol does not print of a reservation. */
static void warn_about_reservation(const struct scontrol_reservation *r, struct reply *reply)
{
	const char *name = r->name ? r->name : "";

	if (r->cores)
		reply_warning(reply, "reservation %s has some cores of its nodes: "
			      "the preview ignores which", name);
	if (has_any_flag(r, REPEATS))
		reply_warning(reply, "reservation %s repeats: only its next time "
			      "is considered", name);
	if (!r->start_s || !r->end_s)
		reply_warning(reply, "reservation %s: its times are unknown", name);
}

/* Find the job's own reservation.  NULL without *err: it asks for none, or for several. */
static const struct scontrol_reservation *
find_job_reservation(const struct job_ask *a, struct sfab_err *err)
{
	const char *name = a->given->reservation;
	const struct scontrol_reservation *reservation;

	err->code = 0;
	if (!name)
		return NULL;
	if (strchr(name, ',')) {
		reply_warning(a->reply, "--reservation: the preview ignores several");
		return NULL;
	}
	reservation = scontrol_named(&a->c->reservations, name);
	if (!reservation)
		sfab_fail(err, SFAB_ENOENT, "--reservation '%.60s': no such reservation",
			  name);
	return reservation;
}

/*
 * Check that this user is one of the reservation's ("alice,bob").  With accounts, groups or
 * "-alice" only Slurm knows.
 */
static int check_user(const struct job_ask *a, const struct scontrol_reservation *r,
		      struct sfab_err *err)
{
	const struct slurmfacts *config = &a->c->config;
	const struct passwd *me = getpwuid(getuid());
	size_t n = me ? strlen(me->pw_name) : 0;

	if ((getuid() == 0 || getuid() == config->uid) &&
	    slurm_rule_holds(SLURM_ROOT_RESERVES, config->version))
		return 0;
	if (!n || !r->users || strchr(r->users, '-') || r->accounts || r->groups) {
		reply_warning(a->reply, "reservation %s: the preview does not know "
			      "whether the job may use it", r->name);
		return 0;
	}
	if (scontrol_has_word(r->users, me->pw_name, n))
		return 0;
	return sfab_fail(err, SFAB_EINVAL, "--reservation '%s': not for %s "
			 "(expected %.60s)", r->name, me->pw_name, r->users);
}

/* Restrict the job to its own reservation: to its nodes, and to the time that it lasts. */
static int restrict_to_reservation(struct job_ask *a, const struct scontrol_reservation *r,
				   struct sfab_err *err)
{
	uint64_t now = (uint64_t) time(NULL);
	int is_flexible = has_any_flag(r, "FLEX");	/* its jobs may have other nodes, too */

	if (check_user(a, r, err) != 0)
		return -1;
	warn_about_reservation(r, a->reply);
	if (is_flexible)
		reply_warning(a->reply, "reservation %s is flexible: the preview "
			      "ignores that its nodes come first", r->name);
	else if (!*a->wait_reason && (r->start_s > now || (r->end_s && r->end_s <= now)))
		snprintf(a->wait_reason, sizeof(a->wait_reason), "reservation %s %s", r->name,
			 r->start_s > now ? "has not begun" : "is over");
	if (mark_reservation(a, r, err) < 0)
		return -1;
	for (uint32_t i = 0; !is_flexible && i < a->c->nodes.n; i++)
		a->node_is[i] |= a->node_is[i] & NODE_IS_CURRENT ? 0 : NODE_IS_RESERVED;
	return 0;
}

static int exclude_reservation(struct job_ask *a, const struct scontrol_reservation *r,
			       struct sfab_err *err)
{
	/*
	 * A reservation of some cores leaves the others of a node to a job that shares nodes; a
	 * job that wants whole nodes cannot have it.
	 */
	int is_partial = r->cores && !(a->ask.flags & SFAB_ASK_WHOLE_NODES), blocks_all;

	if (mark_reservation(a, r, err) < 0)
		return -1;
	blocks_all = is_blocking_all(a, r);
	for (uint32_t i = 0; i < a->c->nodes.n; i++)
		if (blocks_all || (!is_partial && a->node_is[i] & NODE_IS_CURRENT))
			a->node_is[i] |= NODE_IS_RESERVED;
	return 0;
}

int job_ask_reserve(struct job_ask *a, struct sfab_err *err)
{
	const struct scontrol_reservation *reservation = find_job_reservation(a, err);
	const struct cluster *c = a->c;
	uint64_t now = (uint64_t) time(NULL);
	uint64_t end = now + (a->ask.limit_s ? a->ask.limit_s : NO_LIMIT_S);
	int rc = err->code ? -1 : 0;

	if (reservation)
		rc = restrict_to_reservation(a, reservation, err);
	for (uint32_t i = 0; rc == 0 && i < c->reservations.n; i++) {
		const struct scontrol_reservation *r =
			&c->reservations.reservation[i];
		/* Also if its times are not known. */
		int overlaps = r->start_s < end && (!r->end_s || r->end_s > now);

		/* One that repeats may overlap later: that much can be said. */
		if (r == reservation || (!overlaps && !has_any_flag(r, REPEATS)))
			continue;
		warn_about_reservation(r, a->reply);
		if (overlaps)
			rc = exclude_reservation(a, r, err);
	}
	/* If this user cannot see a reservation, the node's state is all we have. */
	for (uint32_t i = 0; i < c->nodes.n; i++)
		if ((c->nodes.node[i].state & NODE_RESERVED) && !(a->node_is[i] & NODE_IS_LISTED))
			a->node_is[i] |= NODE_IS_RESERVED;
	return rc;
}
