/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shared.c - spine ports that a job shares with others; see explain.h
 *
 * "Shares a port" means that both have load on it by the model, not that they
 * were seen to slow each other down.  Only links between switches are listed: a
 * host's own link is no choice of anybody.
 */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/explain/explain.h"
#include "tools/slurm/slurmfacts.h"
#include "tools/ui/link_columns.h"
#include "tools/ui/say.h"

#define GB 1e9

enum { P_LINK, P_LOAD = P_LINK + LINK_NCOLUMNS, P_BACKGROUND, P_CAPACITY,
       P_FILL, P_JOBS, P_IDS };

static const struct column columns[] = {
	LINK_COLUMNS,
	{ "load_gbs", "demand of the job on it", COLUMN_NUMBER, 2, SHOWN },
	{ "background_gbs", "demand of all others", COLUMN_NUMBER, 2, SHOWN },
	{ "capacity_gbs", "its capacity", COLUMN_NUMBER, 2, SHOWN },
	{ "fill", "demand of all jobs over its capacity",
	  COLUMN_NUMBER, 2, SHOWN },
	{ "jobs", "other jobs on it", COLUMN_COUNT, 0, SHOWN },
	{ "job_ids", "which", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ 0 }
};

/* The jobs on each link. */
struct on_links {
	uint32_t nlinks;
	double *load;		/* of one job */
	uint32_t *count;
	char **ids;		/* "1,5"; NULL: not wanted */
};

/*
 * Count job @id where @mine has load.  1: on at least one link.  @on->load is
 * used for one job after another.
 */
static int count_sharing_job(struct on_links *on, const struct planner *p,
		     const double *mine, uint64_t id)
{
	int any = 0;

	memset(on->load, 0, on->nlinks * sizeof(*on->load));
	sfab_jobs_add_demand(p->jobs, id, on->nlinks, on->load);
	for (uint32_t e = 0; e < on->nlinks; e++) {
		char *longer;

		if (!(on->load[e] > 0) || !(mine[e] > 0) || !p->model->isl[e])
			continue;
		any = 1;
		on->count[e]++;
		if (!on->ids)
			continue;
		longer = need_text("%s%s%llu", on->ids[e] ? on->ids[e] : "",
				   on->ids[e] ? "," : "", (unsigned long long) id);
		free(on->ids[e]);
		on->ids[e] = longer;
	}
	return any;
}

static void port_row(struct table *t, const struct planner *p, uint32_t e,
		     double mine, const struct on_links *on)
{
	const struct sfab_fabric *f = p->site.f;
	double others = sfab_jobs_background(p->jobs)[e];

	table_row(t);
	link_cells(t, P_LINK, f, e);
	table_number(t, P_LOAD, mine / GB);
	table_number(t, P_BACKGROUND, others / GB);
	table_number(t, P_CAPACITY, f->links[e].capacity / GB);
	table_number(t, P_FILL, (mine + others) * p->model->inv_cap[e]);
	table_count(t, P_JOBS, on->count[e]);
	if (on->ids)
		table_text(t, P_IDS, on->ids[e]);
}

/*
 * The last scored job's demand on each link; caller frees.  The scorer keeps
 * the loads of what it scored last, so this must come right after sfab_score().
 */
static double *own_loads(const struct planner *p)
{
	const double *net = sfab_scorer_net(p->scorer)->v;
	const double *io = sfab_scorer_io(p->scorer)->v;
	double *mine = need(p->site.f->nlinks, sizeof(*mine));

	for (uint32_t e = 0; e < p->site.f->nlinks; e++)
		mine[e] = net[e] + io[e];
	return mine;
}

void shared_find(struct shared *s, const struct planner *p,
		 enum shared_names names)
{
	struct on_links on = { .nlinks = p->site.f->nlinks };
	double *mine = own_loads(p);

	memset(s, 0, sizeof(*s));
	s->ports = table_create(columns);
	on.load = need(on.nlinks, sizeof(*on.load));
	on.count = need(on.nlinks, sizeof(*on.count));
	if (names == SHARED_IDS)
		on.ids = need(on.nlinks, sizeof(*on.ids));
	for (uint32_t i = 0; i < p->list.n; i++)
		s->njobs += (uint32_t) count_sharing_job(&on, p, mine,
						 p->list.job[i].id);
	for (uint32_t e = 0; e < on.nlinks; e++) {
		if (on.count[e]) {
			port_row(s->ports, p, e, mine[e], &on);
			s->nports++;
		}
		if (on.ids)
			free(on.ids[e]);
	}
	table_sort(s->ports, "-fill,switch,port", NULL);
	free(on.ids);
	free(on.count);
	free(on.load);
	free(mine);
}

void shared_free(struct shared *s)
{
	table_destroy(s->ports);
	memset(s, 0, sizeof(*s));
}

/* Root and SlurmUser see all jobs; others unless PrivateData hides them. */
int shared_may_name(struct sfab_err *err)
{
	struct slurmfacts facts;
	int may;

	if (getuid() == 0)
		return 0;
	if (slurmfacts_ask(&facts, err) != 0)
		return sfab_fail_prefix(err, "--jobs: cannot find out whether jobs "
					"are private");
	may = getuid() == facts.uid || !facts.private_data ||
	      !strstr(facts.private_data, "jobs");
	slurmfacts_free(&facts);
	if (may)
		return 0;
	return sfab_fail(err, SFAB_EINVAL, "--jobs: others' jobs are private "
			 "(PrivateData=jobs)");
}
