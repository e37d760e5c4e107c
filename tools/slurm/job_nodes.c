/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_nodes.c - which nodes a job may, must and must not have; see job_nodes.h
 *
 * Each condition is a bit of job_ask.node_is.  A node may be used if all of them allow it.
 */

#include "tools/slurm/job_nodes.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/hostlist.h"
#include "tools/slurm/gres_text.h"
#include "tools/slurm/job_sharing.h"
#include "tools/slurm/slurm_rules.h"
#include "tools/ui/xalloc.h"

#define AND "&,"		/* between features */
#define AND_OR AND "|"

/*
 * Is @wanted a list of features with "&" or ",", or one with "|"?  For any other form all nodes
 * are assumed to fit, with a warning: a guess about a count, a bracket or a negation ("!a")
 * would look like a certain answer.
 */
int job_nodes_is_simple(const char *wanted)
{
	int has_and = strpbrk(wanted, AND) != NULL, has_or = strchr(wanted, '|') != NULL;

	if (!*wanted || (has_and && has_or) || strpbrk(wanted, "[]()*:!\"' "))
		return 0;
	for (const char *p = wanted; *p; p++)	/* a name must not be empty */
		if (strchr(AND_OR, *p) && (p == wanted || !p[1] || strchr(AND_OR, p[1])))
			return 0;
	return 1;
}

/*
 * Does a node with @features ("a,b", NULL: none) fit?  With "|" the first feature that it has
 * decides, otherwise the first that it lacks.  If none decides, the answer is the opposite.
 */
static int has_features(const char *wanted, const char *features)
{
	int has_or = strchr(wanted, '|') != NULL;

	for (const char *p = wanted; *p; p += *p != '\0') {
		size_t n = strcspn(p, AND_OR);

		if (scontrol_has_word(features, p, n) == has_or)
			return has_or;
		p += n;
	}
	return !has_or;
}

/*
 * Could the node be the job's at any time, by its hardware?  What other jobs hold of its CPUs
 * and memory is not asked here.  Only devices are counted as they are now.
 */
static int is_suitable_node(const struct job_ask *a, const struct scontrol_node *node)
{
	const struct sbatch *s = a->given;

	if (s->constraint && job_nodes_is_simple(s->constraint) &&
	    !has_features(s->constraint, node->features))
		return 0;
	if (!gres_text_fits(s->gres, node->devices, node->devices_held) ||
	    !gres_text_fits(a->gpus, node->devices, node->devices_held))
		return 0;
	/* A suspended job leaves its cores, but not its devices. */
	if (a->ask.flags & SFAB_ASK_WHOLE_NODES && gres_text_has_any(node->devices_held))
		return 0;
	return node->memory_mb >= a->ask.memory_mb &&
	       node->tmp_disk_mb >= s->tmp_mb &&
	       node->cpus >= a->ask.cpus_per_node;
}

/*
 * Require the nodes between the required ones, too, as slurmctld does for --contiguous -w.  A
 * list of n1,n4 for neighboring nodes becomes n1 to n4.
 */
static void require_gaps(struct job_ask *a)
{
	uint32_t n = a->c->nodes.n, first = n, last = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (!(a->node_is[i] & NODE_IS_REQUIRED))
			continue;
		first = first == n ? i : first;
		last = i;
	}
	a->nrequired = 0;
	for (uint32_t i = first; i < n && i <= last; i++) {
		a->node_is[i] |= NODE_IS_REQUIRED;
		a->nrequired++;
	}
}

/*
 * Return the names of -w as sbatch sends them: sorted, at most @max.  NULL with *err.  Folding
 * sorts, so the names are expanded again from the folded list before the first of them are
 * taken.
 */
static char *sent_nodelist(const char *nodelist, uint32_t max, struct sfab_err *err)
{
	struct sfab_names names = { 0 };
	char *sorted, *sent = NULL;

	if (sfab_hostlist_expand(nodelist, &names, err) != 0)
		return NULL;
	sorted = sfab_hostlist_fold((const char *const *) names.name, names.n);
	sfab_names_free(&names);
	if (sorted && sfab_hostlist_expand(sorted, &names, err) == 0)
		sent = sfab_hostlist_fold((const char *const *) names.name,
					  names.n < max ? names.n : max);
	free(sorted);
	sfab_names_free(&names);
	return sent ? sent : xstrdup(nodelist);
}

/*
 * Apply -w: what sbatch sends, and what slurmctld makes of that.  When it names more nodes than
 * the job asks for, newer versions choose among them: all others are excluded, and none of
 * these is required.
 */
static int apply_nodelist(struct job_ask *a, struct sfab_err *err)
{
	const struct sbatch *s = a->given;
	const char *version = a->c->config.version;
	uint32_t max = (s->flags & SBATCH_NTASKS) &&
			slurm_rule_holds(SLURM_CUTS_NODELIST, version) ?
			s->ask.tasks : UINT32_MAX;
	char *list = sent_nodelist(s->nodelist, max, err);
	int n = list ? cluster_mark(a->c, list, UNKNOWN_FAILS, a->node_is, NODE_IS_REQUIRED, err) :
		       -1;

	free(list);
	if (n < 0)
		return -1;
	a->nlisted = a->nrequired = (uint32_t) n;
	if (s->ask.flags & SFAB_ASK_CONTIGUOUS)
		require_gaps(a);
	if (a->nrequired > job_ask_min_nodes(a) &&
	    slurm_rule_holds(SLURM_CHOOSES_OF_NODELIST, version)) {
		for (uint32_t i = 0; i < a->c->nodes.n; i++) {
			a->node_is[i] |= a->node_is[i] & NODE_IS_REQUIRED ? 0 : NODE_IS_EXCLUDED;
			a->node_is[i] &= (uint16_t) ~NODE_IS_REQUIRED;
		}
		a->nrequired = 0;
	}
	return 0;
}

/*
 * Find the nodes of partition, -w and -x, and those in use.  A name in -w or -x that Slurm does
 * not know is an error; in a partition it is left out.
 */
int job_nodes_find(struct job_ask *a, struct sfab_err *err)
{
	const struct sbatch *s = a->given;
	const struct cluster *c = a->c;

	a->node_is = xcalloc(c->nodes.n, sizeof(*a->node_is));
	if (cluster_mark(c, a->partition->nodes, UNKNOWN_LEFT_OUT, a->node_is, NODE_IS_OURS,
			 err) < 0 ||
	    (s->nodelist && apply_nodelist(a, err) != 0) ||
	    cluster_mark(c, s->exclude, UNKNOWN_FAILS, a->node_is, NODE_IS_EXCLUDED, err) < 0)
		return -1;
	job_sharing_ban(a);
	/* Suspended jobs have left their nodes idle. */
	for (uint32_t i = 0; i < c->jobs.n; i++) {
		const struct scontrol_job *job = &c->jobs.job[i];

		for (uint32_t k = 0; job->state == JOB_RUNNING && k < job->run.n; k++)
			a->node_is[job->run.node[k]] |=
				NODE_IS_USED | (job->exclusive ? NODE_IS_TAKEN : 0);
	}
	return 0;
}

/*
 * Find the GPUs of each node.  --gpus and --gpus-per-task say how many the whole job has.  They
 * become a number per node only where the number of nodes is fixed and all get the same share.
 */
int job_nodes_gpus(struct job_ask *a)
{
	const struct sbatch *s = a->given;
	uint32_t n = a->ask.min_nodes;

	if (s->ask.flags & SFAB_ASK_GRES)
		return -1;
	if (*s->gpus || (!*s->gpus_job && !*s->gpus_task)) {
		memcpy(a->gpus, s->gpus, sizeof(a->gpus));
		return 0;
	}
	if (!(s->flags & SBATCH_NODES) || s->ask.min_nodes != n || s->ask.max_nodes != n)
		return -1;
	if (*s->gpus_job)
		return gres_text_share(s->gpus_job, 1, n, a->gpus, sizeof(a->gpus));
	return gres_text_share(s->gpus_task, a->ask.tasks, n, a->gpus, sizeof(a->gpus));
}

/*
 * Return the flags of node @i.  Usable and idle are different questions: a node that another
 * job partly fills may still be used, and an idle one may be reserved.
 */
uint8_t job_nodes_flags(const struct job_ask *a, uint32_t i)
{
	const unsigned barred = NODE_IS_EXCLUDED | NODE_IS_RESERVED | NODE_IS_BANNED;
	const struct scontrol_node *node = &a->c->nodes.node[i];
	/* "alice(1000)": a job with --exclusive=user holds it, so it is open to alice alone. */
	const char *owner = node->owner, *uid = owner ? strrchr(owner, '(') : NULL;
	int is_open = !owner || strcmp(owner, "N/A") == 0 ||
		      (uid && strtoul(uid + 1, NULL, 10) == getuid());
	unsigned marks = a->node_is[i];
	uint8_t flags = 0;

	if ((marks & NODE_IS_OURS) && !(marks & barred) && (node->state & NODE_UP) && is_open &&
	    is_suitable_node(a, node))
		flags |= SFAB_NODE_USABLE;
	if (!node->cpus_held && !(marks & NODE_IS_USED))
		flags |= SFAB_NODE_IDLE;
	if (!(marks & NODE_IS_TAKEN))
		flags |= SFAB_NODE_SHARE;
	if (marks & NODE_IS_REQUIRED)
		flags |= SFAB_NODE_REQUIRED;
	return flags;
}
