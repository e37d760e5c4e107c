/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * read_db_csv.c - topology from ibdiagnet2.db_csv
 *
 *     START_NODES
 *     NodeDesc,NumPorts,NodeType,...,NodeGUID,PortGUID,...
 *     "leaf1",36,2,...,0xb8599f0300000a01,...
 *     END_NODES
 *
 * Sections NODES (type 1 host, 2 switch, 3 router), PORTS (port 0 of a switch
 * has its LID) and LINKS (each cable once) come in an order that versions
 * differ in, so that all is collected first.  Only cabled end ports are taken,
 * as by ibnetdiscover; of links it shows the active ones.
 */

#include "formats.h"

#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "db_csv.h"
#include "nodedesc.h"
#include "rate.h"

#define DESC_SIZE 256
#define LID_UNSET 0xFFFF	/* a port that no SM has configured yet */
#define STATE_ACTIVE 4		/* PortState (IBA 1.4, 14.2.5.6) */

enum { TYPE_HOST = 1, TYPE_SWITCH = 2, TYPE_ROUTER = 3 };

struct node {
	uint64_t guid, type, nports;
	struct sfab_field desc;
	unsigned line;
};

struct port {
	uint64_t guid, num;
	uint64_t port_guid, lid, lmc;
	double rate;		/* bytes/s, 0: no link or not understood */
	int active;
	unsigned line;
};

struct link {
	uint64_t guid[2], num[2];
	unsigned line;
};

struct fabric {
	const struct sfab_reader_ctx *ctx;
	struct node *node;
	struct port *port;
	struct link *link;
	uint32_t nnodes, nports, nlinks;
};

/* Room for one more than @n, which doubles now and then. */
static void *more(void *array, uint32_t n, size_t size, struct sfab_err *err)
{
	void *grown = array;

	if ((n & (n - 1)) == 0)
		grown = realloc(array, (n ? 2 * (size_t) n : 1) * size);
	if (!grown)
		sfab_fail(err, SFAB_ENOMEM, "import: out of memory");
	return grown;
}

static const struct sfab_column node_columns[] = {
	{ "NodeDesc", 0 }, { "NumPorts", 0 }, { "NodeType", 0 },
	{ "NodeGUID", 0 },
};

static int take_node(void *to, const struct sfab_columns *c,
		     const struct sfab_scan *s, const struct sfab_field *field,
		     struct sfab_err *err)
{
	struct fabric *f = to;
	struct node n = { .desc = field[0], .line = s->line }, *grown;

	if (sfab_columns_number(c, s, field, 1, SFAB_SWITCH_PORTS_MAX,
				&n.nports, err) ||
	    sfab_columns_number(c, s, field, 2, TYPE_ROUTER, &n.type, err) ||
	    sfab_columns_number(c, s, field, 3, UINT64_MAX, &n.guid, err))
		return -1;
	grown = more(f->node, f->nnodes, sizeof(n), err);
	if (!grown)
		return -1;
	f->node = grown;
	f->node[f->nnodes++] = n;
	return 0;
}

enum { P_NODE, P_GUID, P_NUM, P_LID, P_LMC, P_WIDTH, P_SPEED, P_STATE };

static const struct sfab_column port_columns[] = {
	{ "NodeGuid", 0 }, { "PortGuid", 0 }, { "PortNum", 0 }, { "LID", 0 },
	{ "LMC", 1 }, { "LinkWidthActv", 0 }, { "LinkSpeedActv", 0 },
	{ "PortState", 1 },
};

/* Numbers that are missing or "N/A": a port that is down. */
static void take_rate(struct port *p, const struct sfab_field *field)
{
	uint64_t width = 0, speed = 0, state = STATE_ACTIVE;

	sfab_field_number(&field[P_WIDTH], UINT32_MAX, &width);
	sfab_field_number(&field[P_SPEED], UINT32_MAX, &speed);
	sfab_field_number(&field[P_STATE], UINT32_MAX, &state);
	p->rate = sfab_rate_ibdiagnet(width, speed);
	p->active = state == STATE_ACTIVE;
}

static int take_port(void *to, const struct sfab_columns *c,
		     const struct sfab_scan *s, const struct sfab_field *field,
		     struct sfab_err *err)
{
	struct fabric *f = to;
	struct port p = { .lmc = 0, .line = s->line }, *grown;

	if (sfab_columns_number(c, s, field, P_NODE, UINT64_MAX, &p.guid, err) ||
	    sfab_columns_number(c, s, field, P_NUM, SFAB_SWITCH_PORTS_MAX,
				&p.num, err) ||
	    sfab_columns_number(c, s, field, P_LID, LID_UNSET, &p.lid, err))
		return -1;
	sfab_field_number(&field[P_GUID], UINT64_MAX, &p.port_guid);
	if (!sfab_field_number(&field[P_LMC], 7, &p.lmc))
		p.lmc = SFAB_LMC_UNKNOWN;
	if (p.lid == LID_UNSET)
		p.lid = 0;
	take_rate(&p, field);
	grown = more(f->port, f->nports, sizeof(p), err);
	if (!grown)
		return -1;
	f->port = grown;
	f->port[f->nports++] = p;
	return 0;
}

static const struct sfab_column link_columns[] = {
	{ "NodeGuid1", 0 }, { "PortNum1", 0 }, { "NodeGuid2", 0 },
	{ "PortNum2", 0 },
};

static int take_link(void *to, const struct sfab_columns *c,
		     const struct sfab_scan *s, const struct sfab_field *field,
		     struct sfab_err *err)
{
	struct fabric *f = to;
	struct link l = { .line = s->line }, *grown;

	for (unsigned i = 0; i < 2; i++)
		if (sfab_columns_number(c, s, field, 2 * i, UINT64_MAX,
					&l.guid[i], err) ||
		    sfab_columns_number(c, s, field, 2 * i + 1,
					SFAB_SWITCH_PORTS_MAX, &l.num[i], err))
			return -1;
	grown = more(f->link, f->nlinks, sizeof(l), err);
	if (!grown)
		return -1;
	f->link = grown;
	f->link[f->nlinks++] = l;
	return 0;
}

#define COLUMNS(table) table, sizeof(table) / sizeof(table[0])

static const struct sfab_db_section sections[] = {
	{ "NODES", COLUMNS(node_columns), take_node },
	{ "PORTS", COLUMNS(port_columns), take_port },
	{ "LINKS", COLUMNS(link_columns), take_link },
	{ NULL, NULL, 0, NULL },
};

static int cmp(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int cmp_nodes(const void *a, const void *b)
{
	return cmp(((const struct node *) a)->guid,
		   ((const struct node *) b)->guid);
}

static int cmp_ports(const void *a, const void *b)
{
	const struct port *x = a, *y = b;
	int c = cmp(x->guid, y->guid);

	return c ? c : cmp(x->num, y->num);
}

static const struct node *find_node(const struct fabric *f, uint64_t guid)
{
	struct node key = { .guid = guid };

	return f->nnodes ? bsearch(&key, f->node, f->nnodes, sizeof(key),
				   cmp_nodes) : NULL;
}

static const struct port *find_port(const struct fabric *f, uint64_t guid,
				    uint64_t num)
{
	struct port key = { .guid = guid, .num = num };

	return f->nports ? bsearch(&key, f->port, f->nports, sizeof(key),
				   cmp_ports) : NULL;
}

static int fail_at(const struct fabric *f, unsigned line, struct sfab_err *err,
		   const char *what, uint64_t guid, uint64_t num)
{
	return sfab_fail(err, SFAB_EFORMAT, "%s:%u: %s 0x%016llx port %u "
			 "(expected a row of it in NODES and PORTS)",
			 f->ctx->file, line, what, (unsigned long long) guid,
			 (unsigned) num);
}

static const char *name_of(const struct fabric *f, const struct node *n,
			   char desc[DESC_SIZE])
{
	sfab_scan_copy(desc, DESC_SIZE, n->desc.from, n->desc.to);
	return sfab_namemap_name(f->ctx->map, n->guid, desc);
}

static int give_switches(const struct fabric *f, struct sfab_err *err)
{
	const struct sfab_reader_ctx *ctx = f->ctx;
	const struct port *p;
	char desc[DESC_SIZE];

	for (uint32_t i = 0; i < f->nnodes; i++) {
		const struct node *n = &f->node[i];

		if (n->type != TYPE_SWITCH)
			continue;
		p = find_port(f, n->guid, 0);
		sfab_builder_at(ctx->b, ctx->file, n->line);
		if (sfab_builder_switch(ctx->b, ctx->plane, n->guid,
					name_of(f, n, desc),
					(unsigned) n->nports,
					p ? (unsigned) p->lid : 0, err))
			return -1;
	}
	return 0;
}

static int give_end_port(const struct fabric *f, const struct node *n,
			 const struct port *p, struct sfab_err *err)
{
	const struct sfab_reader_ctx *ctx = f->ctx;
	char desc[DESC_SIZE], host[SFAB_NODEDESC_HOST_SIZE];
	const char *name = name_of(f, n, desc);

	sfab_builder_at(ctx->b, ctx->file, p->line);
	if (sfab_builder_port(ctx->b, ctx->plane, n->guid, (unsigned) p->num,
			      p->port_guid, name,
			      sfab_nodedesc_host(name, n->guid, host),
			      (unsigned) p->lid, (unsigned) p->lmc, err))
		return -1;
	if (n->type == TYPE_ROUTER)
		sfab_builder_router(ctx->b, ctx->plane, n->guid,
				    (unsigned) p->num);
	return 0;
}

/* One direction of a cable, and the end port where it begins. */
static int give_direction(const struct fabric *f, const struct link *l,
			  unsigned from, const struct port *const port[2],
			  const struct node *const node[2],
			  struct sfab_err *err)
{
	const struct sfab_reader_ctx *ctx = f->ctx;
	int up = port[0]->active && port[1]->active;
	double rate = port[from]->rate;

	if (node[from]->type != TYPE_SWITCH &&
	    give_end_port(f, node[from], port[from], err))
		return -1;
	if (!up && rate <= 0)
		rate = sfab_rate_lane("SDR");
	sfab_builder_at(ctx->b, ctx->file, l->line);
	return sfab_builder_link(ctx->b, ctx->plane, l->guid[from],
				 (unsigned) l->num[from], l->guid[!from],
				 (unsigned) l->num[!from], rate, up, err);
}

static int give_link(const struct fabric *f, const struct link *l,
		     struct sfab_err *err)
{
	const struct port *port[2];
	const struct node *node[2];

	for (unsigned i = 0; i < 2; i++) {
		port[i] = find_port(f, l->guid[i], l->num[i]);
		node[i] = find_node(f, l->guid[i]);
		if (!port[i] || !node[i])
			return fail_at(f, l->line, err, "link of unknown",
				       l->guid[i], l->num[i]);
	}
	if (node[0]->type != TYPE_SWITCH && node[1]->type != TYPE_SWITCH)
		return 0;	/* hosts cabled to each other */
	return give_direction(f, l, 0, port, node, err) ||
	       give_direction(f, l, 1, port, node, err);
}

static int give_all(struct fabric *f, struct sfab_err *err)
{
	if (f->nnodes)
		qsort(f->node, f->nnodes, sizeof(*f->node), cmp_nodes);
	if (f->nports)
		qsort(f->port, f->nports, sizeof(*f->port), cmp_ports);
	if (give_switches(f, err))
		return -1;
	for (uint32_t i = 0; i < f->nlinks; i++)
		if (give_link(f, &f->link[i], err))
			return -1;
	return 0;
}

int sfab_db_csv_read(const struct sfab_reader_ctx *ctx, const char *text,
		     size_t size, struct sfab_err *err)
{
	struct fabric f = { .ctx = ctx };
	struct sfab_scan s;
	int failed;

	sfab_scan_init(&s, ctx->file, text, size);
	failed = sfab_db_csv_sections(&s, sections, &f, err) ||
		 give_all(&f, err);
	free(f.node);
	free(f.port);
	free(f.link);
	return failed ? -1 : 0;
}

int sfab_db_csv_detect(const char *head, size_t size)
{
	struct sfab_scan s;

	sfab_scan_init(&s, "", head, size);
	while (sfab_scan_line(&s)) {
		if (sfab_scan_take(&s, "START_"))
			return 1;
		if (s.at < s.end && *s.at != '#')
			return 0;
	}
	return 0;
}
