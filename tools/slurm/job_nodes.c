/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_nodes.c - which nodes a job may, must and must not have; see job_ask.h
 *
 * Each condition is an array of flags by node.  A node may be used if all of them
 * allow it.
 */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/hostlist.h"
#include "tools/slurm/features.h"
#include "tools/slurm/gres_text.h"
#include "tools/slurm/job_ask.h"
#include "tools/slurm/slurm_rules.h"
#include "tools/ui/say.h"

/*
 * "alice(1000)": a node that a job with --exclusive=user holds is open to that
 * user alone.
 */
static int is_open_to_user(const struct scontrol_node *node)
{
	const char *uid = node->owner ? strrchr(node->owner, '(') : NULL;

	return !node->owner || strcmp(node->owner, "N/A") == 0 || (uid && strtoul(uid + 1, NULL, 10) == getuid());
}

/*
 * Could it be the job's at any time, by its hardware?  What other jobs hold of
 * its CPUs and memory is not asked here.  Only devices are counted as they are
 * now.
 */
static int is_suitable_node(const struct scontrol_node *node,
			    const struct sbatch *s, const struct job_nodes *set,
			    const struct sfab_ask *ask)
{
	if (s->constraint && features_known(s->constraint) &&
	    !features_match(s->constraint, node->features))
		return 0;
	if (!gres_text_fits(s->gres, node->devices, node->devices_held) ||
	    !gres_text_fits(set->gpus, node->devices, node->devices_held))
		return 0;
	/* A suspended job leaves its cores, but not its devices. */
	if (ask->flags & SFAB_ASK_WHOLE_NODES && gres_text_any(node->devices_held))
		return 0;
	return node->memory_mb >= ask->memory_mb &&
	       node->tmp_disk_mb >= s->tmp_mb &&
	       node->cpus >= ask->cpus_per_node;
}

void job_nodes_free(struct job_nodes *set)
{
	free(set->partition);
	free(set->required);
	free(set->excluded);
	free(set->taken);
	free(set->used);
	free(set->banned);
	free(set->reserved);
	free(set->listed);
	memset(set, 0, sizeof(*set));
}

/* Nodes with a running job, and nodes that such a job has to itself. */
static int mark_jobs(const struct cluster *c, struct job_nodes *set,
		     struct sfab_err *err)
{
	struct cluster_hold hold;
	int rc = 0;

	cluster_hold_init(&hold, c);
	for (uint32_t i = 0; rc == 0 && i < c->jobs.n; i++) {
		const struct scontrol_job *job = &c->jobs.job[i];

		if (job->state != JOB_RUNNING)
			continue;
		rc = cluster_job_hold(c, job, &hold, err);
		for (uint32_t k = 0; k < hold.n; k++) {
			set->used[hold.node[k]] = 1;
			set->taken[hold.node[k]] |= (uint8_t) job->exclusive;
		}
	}
	cluster_hold_free(&hold);
	return rc;
}

/*
 * slurmctld does the same to the list of --contiguous -w.  A list of n1,n4 for
 * neighboring nodes becomes n1 to n4.
 */
static void fill_gaps(uint8_t *flags, uint32_t n, uint32_t *count)
{
	uint32_t first = n, last = 0;

	for (uint32_t i = 0; i < n; i++) {
		if (!flags[i])
			continue;
		first = first == n ? i : first;
		last = i;
	}
	*count = 0;
	for (uint32_t i = first; i < n && i <= last; i++) {
		flags[i] = 1;
		++*count;
	}
}

/*
 * Names of -w as sbatch sends them: sorted, at most @most.  NULL with *err.
 * Folding sorts, so the names are expanded again from the folded list before
 * the first of them are taken.
 */
static char *sent_nodelist(const char *nodelist, uint32_t most, struct sfab_err *err)
{
	struct sfab_names names = { 0 };
	char *sorted, *sent = NULL;

	if (sfab_hostlist_expand(nodelist, &names, err) != 0)
		return NULL;
	sorted = sfab_hostlist_fold((const char *const *) names.name, names.n);
	sfab_names_free(&names);
	if (sorted && sfab_hostlist_expand(sorted, &names, err) == 0)
		sent = sfab_hostlist_fold((const char *const *) names.name,
					  names.n < most ? names.n : most);
	free(sorted);
	sfab_names_free(&names);
	return sent ? sent : need_copy(nodelist);
}

/*
 * -w: what sbatch sends, and what slurmctld makes of it.  When it names more
 * nodes than the job asks for, newer versions choose among them: all others are
 * excluded, and none of these is required.
 */
static int find_listed(struct job_nodes *set, const struct sbatch *s,
		       const struct cluster *c, struct sfab_err *err)
{
	const char *version = c->config.version;
	uint32_t most = (s->flags & SBATCH_NTASKS) &&
			slurm_rule_holds(SLURM_CUTS_NODELIST, version) ?
			s->ntasks : UINT32_MAX;
	char *list = sent_nodelist(s->nodelist, most, err);

	if (!list)
		return -1;
	set->required = cluster_flags(c, list, UNKNOWN_FAILS, &set->nlisted, err);
	free(list);
	if (!set->required)
		return -1;
	set->nrequired = set->nlisted;
	if (s->flags & SBATCH_CONTIGUOUS)
		fill_gaps(set->required, c->nodes.n, &set->nrequired);
	if (set->nrequired > job_ask_least_nodes(s, set->nlisted, version) &&
	    slurm_rule_holds(SLURM_CHOOSES_OF_NODELIST, version)) {
		for (uint32_t i = 0; i < c->nodes.n; i++)
			set->required[i] = !set->required[i];
		set->excluded = set->required;
		set->required = NULL;
		set->nrequired = 0;
	}
	return 0;
}

/*
 * A name in -w or -x that Slurm does not know is an error; in a partition it is
 * left out.
 */
static int find_node_sets(struct job_nodes *set, const struct sbatch *s,
			  const struct cluster *c,
			  const struct scontrol_partition *p,
			  struct sfab_err *err)
{
	uint32_t n;

	set->taken = need(c->nodes.n, 1);
	set->used = need(c->nodes.n, 1);
	set->reserved = need(c->nodes.n, 1);
	set->listed = need(c->nodes.n, 1);
	set->partition = cluster_flags(c, p->nodes ? p->nodes : "",
				       UNKNOWN_LEFT_OUT, &n, err);
	if (!set->partition)
		return -1;
	if (s->nodelist && find_listed(set, s, c, err) != 0)
		return -1;
	if (s->exclude) {
		uint8_t *flags = cluster_flags(c, s->exclude, UNKNOWN_FAILS, &n,
					       err);

		if (!flags)
			return -1;
		/* -x adds to what find_listed() excluded. */
		for (uint32_t i = 0; set->excluded && i < c->nodes.n; i++)
			flags[i] |= set->excluded[i];
		free(set->excluded);
		set->excluded = flags;
	}
	set->banned = job_beside_banned(s, c, p, err);
	if (!set->banned && err->code)
		return -1;
	return mark_jobs(c, set, err);
}

int job_nodes_find(struct job_nodes *set, const struct sbatch *s,
		   const struct cluster *c, const struct scontrol_partition *p,
		   struct sfab_err *err)
{
	memset(set, 0, sizeof(*set));
	if (find_node_sets(set, s, c, p, err) == 0)
		return 0;
	job_nodes_free(set);
	return -1;
}

/*
 * --gpus and --gpus-per-task say how many the whole job has.  They become a
 * number per node only where the number of nodes is fixed and all get the same
 * share.
 */
int job_nodes_gpus(struct job_nodes *set, const struct sbatch *s,
		   const struct sfab_ask *ask)
{
	uint32_t n = ask->min_nodes;

	if (s->flags & SBATCH_GRES)
		return -1;
	if (*s->gpus || (!*s->gpus_job && !*s->gpus_task)) {
		memcpy(set->gpus, s->gpus, sizeof(set->gpus));
		return 0;
	}
	if (!(s->flags & SBATCH_NODES) || s->min_nodes != n || s->max_nodes != n)
		return -1;
	if (*s->gpus_job)
		return gres_text_share(s->gpus_job, 1, n, set->gpus,
				       sizeof(set->gpus));
	return gres_text_share(s->gpus_task, ask->tasks, n, set->gpus,
			       sizeof(set->gpus));
}

/*
 * Usable and idle are different questions: a node that another job partly fills
 * may still be used, and an idle one may be reserved.
 */
uint8_t job_nodes_flags(const struct job_nodes *set, const struct sbatch *s,
			const struct cluster *c, const struct sfab_ask *ask,
			uint32_t i)
{
	const struct scontrol_node *node = &c->nodes.node[i];
	uint8_t flags = 0;

	if (set->partition[i] && !(set->excluded && set->excluded[i]) &&
	    (node->state & NODE_UP) && !set->reserved[i] &&
	    !(set->banned && set->banned[i]) && is_open_to_user(node) &&
	    is_suitable_node(node, s, set, ask))
		flags |= SFAB_NODE_USABLE;
	if (!node->cpus_held && !set->used[i])
		flags |= SFAB_NODE_IDLE;
	if (!set->taken[i])
		flags |= SFAB_NODE_SHARE;
	if (set->required && set->required[i])
		flags |= SFAB_NODE_REQUIRED;
	return flags;
}
