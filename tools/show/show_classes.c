/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show_classes.c - port classes of a snapshot's tables; see show.h
 *
 * core/load/port_classes.h says what a port class is: end ports that most leaves send to by the
 * same uplink.  The table lets an administrator see whether the tables of a fabric divide its
 * hosts in that way, and which hosts belong together.
 */

#include "tools/show/show.h"

#include <stdlib.h>

#include "core/load/port_classes.h"
#include "tools/site/hosts.h"
#include "tools/ui/reply.h"
#include "tools/ui/xalloc.h"

static const struct column class_columns[] = {
	{ "fabric", "plane", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ "class", "its number in the plane", COLUMN_COUNT, 0, SHOWN },
	{ "ports", "end ports of the class", COLUMN_COUNT, 0, SHOWN },
	{ "leaves", "leaf switches they are on", COLUMN_COUNT, 0, SHOWN },
	{ "agree", "share of leaves that send to them by one uplink",
	  COLUMN_NUMBER, 3, SHOWN },
	{ "nodes", "hosts of the ports", COLUMN_TEXT, 0, SHOWN_IF_ASKED },
	{ 0 }
};

/*
 * Add a row for each class.  A host with several ports in the class is listed once: ports stand
 * in the order of hosts, so the last host listed is the only one to compare with.  Numbers do
 * not depend on other planes, so they stay when a plane is added.
 */
static void add_class_rows(const struct sfab_fabric *f, const struct sfab_port_classes *c,
			   struct table *t)
{
	uint32_t number = 0;

	for (uint32_t i = 0; i < c->nclasses; i++) {
		const struct sfab_port_class *x = &c->class[i];
		uint32_t *host, n;
		char *list;

		table_row(t);
		table_text(t, "fabric", f->planes[x->plane].name);
		number = i && x->plane == x[-1].plane ? number + 1 : 1;
		table_count(t, "class", number);
		table_count(t, "ports", x->nports);
		table_count(t, "leaves", x->nleaves);
		table_number(t, "agree", x->agreement);
		host = xcalloc(f->nhosts, sizeof(*host));
		n = 0;
		for (uint32_t p = 0; p < f->nports; p++)
			if (c->class_of[p] == i &&
			    (!n || host[n - 1] != f->ports[p].host))
				host[n++] = f->ports[p].host;
		list = hosts_fold(f, host, n);
		table_text(t, "nodes", list);
		free(list);
		free(host);
	}
}

/*
 * Find the classes in the snapshot each time, as in the placement service; nothing is stored.
 * Fail only without memory: no classes are an answer.
 */
static int fill_classes(const struct show_request *rq, struct table *t, struct sfab_err *err)
{
	const struct sfab_fabric *f = rq->site->f;
	struct sfab_model *m = site_model(rq->site);
	struct sfab_port_classes *c = sfab_port_classes_learn(m, err);
	int rc = c ? 0 : -1;

	if (c)
		add_class_rows(f, c, t);
	/*
	 * Warn where there are none: because leaves spread one destination over several ports,
	 * as adaptive routing does, or there is one leaf; or because leaves agree too little.
	 */
	for (uint32_t p = 0; c && p < f->nplanes; p++) {
		const char *name = f->planes[p].name;
		double agree = c->agreement[p];

		if (agree < 0)
			reply_warning(rq->r, "%s%sno port classes: no leaf sends up to other "
				      "leaves by single ports", name, *name ? ": " : "");
		else if (agree <= SFAB_CLASSES_AGREE)
			reply_warning(rq->r, "%s%sno port classes: leaves agree in %.0f %% "
				      "(expected more than %.0f %%)", name, *name ? ": " : "",
				      100 * agree, 100 * SFAB_CLASSES_AGREE);
	}
	sfab_port_classes_destroy(c);
	sfab_model_destroy(m);
	return rc;
}

const struct show_table show_classes = { "classes", "classes", class_columns, NULL, fill_classes };
