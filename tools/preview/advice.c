/* SPDX-License-Identifier: GPL-2.0-or-later */
/* advice.c - numbers of hosts that would suit a job better; see advice.h */

#include "tools/preview/advice.h"

#include "tools/ui/json.h"

#define NEIGHBORS_MAX 4		/* hosts fewer or more that are tried */
#define JOB_PARTS 4		/* 1 / the largest part of the job by which its size may change */
#define ADVISED_MIN 1.1		/* a job that is slowed less gets no advice */
#define NO_CONFLICT 1.005	/* slowdowns below it print as 1.00 */

static struct advised_size judge_choice(const struct sfab_choice *c, uint32_t nparts)
{
	struct advised_size a = { .n = c->n, .slowest = 1, .lost = c->score.total };

	for (uint32_t i = 0; i < nparts; i++)
		if (c->score.lost.part[i].beside > a.slowest)
			a.slowest = c->score.lost.part[i].beside;
	return a;
}

/* Is what @n hosts would have clearly better than @current?  @out: what they would have. */
static int is_advisable(struct preview_context *p, uint32_t n, const struct advised_size *current,
			struct advised_size *out)
{
	struct sfab_request rq = p->request;
	struct sfab_choice c;

	rq.n = n;
	if (sfab_search(p->scorer, p->jobs, &rq, &c, NULL) < 0)
		return 0;	/* more than are free, or fewer than are required */
	*out = judge_choice(&c, p->traffic.nparts);
	sfab_choice_clear(&c);
	return out->slowest - 1 <= (current->slowest - 1) / 2;
}

struct advice advice_find(struct preview_context *p, const struct sfab_choice *c)
{
	struct advice a = { .current = judge_choice(c, p->traffic.nparts) };
	struct advised_size found;

	if (a.current.slowest < ADVISED_MIN)
		return (struct advice){ .current.n = 0 };
	for (uint32_t i = 1; i <= NEIGHBORS_MAX && JOB_PARTS * i <= c->n; i++) {
		if (!a.smaller.n && is_advisable(p, c->n - i, &a.current, &found))
			a.smaller = found;
		if (!a.larger.n && is_advisable(p, c->n + i, &a.current, &found))
			a.larger = found;
	}
	return a.smaller.n || a.larger.n ? a : (struct advice){ .current.n = 0 };
}

static void print_size(const struct advised_size *a, const char *nodes, const char *suffix,
		       FILE *out)
{
	fprintf(out, "%u%s: ", a->n, nodes);
	if (a->slowest < NO_CONFLICT)
		fprintf(out, "no conflict%s", suffix);
	else
		fprintf(out, "%.2f times as long%s", a->slowest, suffix);
}

void advice_print(const struct advice *a, FILE *out)
{
	int are_alike = a->smaller.n && a->larger.n && a->smaller.slowest < NO_CONFLICT &&
			a->larger.slowest < NO_CONFLICT;

	if (!a->current.n)
		return;
	if (are_alike)
		fprintf(out, "%u or ", a->smaller.n);
	else if (a->smaller.n)
		print_size(&a->smaller, " nodes", "; ", out);
	if (a->larger.n)
		print_size(&a->larger, " nodes", "; ", out);
	print_size(&a->current, "", "\n", out);
}

struct json_object *advice_json(const struct advice *a)
{
	const struct advised_size *const size[] = { &a->smaller, &a->current, &a->larger };
	struct json_object *rows = json_object_new_array();

	for (int i = 0; i < 3; i++) {
		struct json_object *row;

		if (!size[i]->n)
			continue;
		row = json_object_new_object();
		json_add(row, "nodes", json_object_new_uint64(size[i]->n));
		json_add(row, "slowest", json_number(size[i]->slowest));
		json_add(row, "lost", json_number(size[i]->lost));
		json_object_array_add(rows, row);
	}
	return rows;
}
