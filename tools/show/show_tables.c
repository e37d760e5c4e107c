/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * show_tables.c - the tables of `sfabric show`; see show.h
 *
 * Each table is its columns and the function that fills a row after the other, in the order of
 * the snapshot.  What is not known stays empty, which text shows as "-" and JSON as null: a LID
 * of 0, the time of a netlist without one, the leaf of a port that is not cabled.  Sorting and
 * dropping rows is cmd_show's work.
 */

#include "tools/show/show.h"

#include "core/fabric/route.h"
#include "core/load/ioset.h"
#include "tools/ui/link_columns.h"
#include "tools/ui/moment.h"

/*
 * A fabric has a row for each plane.  `sfabric show fabric` prints it as a list, a line for
 * each field, as it is too wide for a terminal.
 */
static const struct column fabric_columns[] = {
	{ "fabric", "name of the plane", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ "engine", "routing engine that was really used",
	  COLUMN_TEXT, 0, SHOWN },
	{ "sm", "port GUID of the subnet manager", COLUMN_GUID, 0, SHOWN },
	{ "switches", "switches", COLUMN_COUNT, 0, SHOWN },
	{ "leaves", "switches with hosts", COLUMN_COUNT, 0, SHOWN },
	{ "hosts", "hosts with an end port here", COLUMN_COUNT, 0, SHOWN },
	{ "ports", "end ports", COLUMN_COUNT, 0, SHOWN },
	{ "isls", "links between switches, each direction",
	  COLUMN_COUNT, 0, SHOWN },
	{ "down", "links that are down", COLUMN_COUNT, 0, SHOWN },
	{ "unreachable", "pairs (leaf, end port) without a route",
	  COLUMN_COUNT, 0, SHOWN },
	{ "adaptive", "do switches choose ports by load: no, yes, unknown",
	  COLUMN_TEXT, 0, SHOWN },
	{ "read", "when it was read", COLUMN_TEXT, 0, SHOWN },
	{ "source", "what it was made from", COLUMN_TEXT, 0, SHOWN },
	{ "fingerprint", "of topology, tables and IO sets",
	  COLUMN_GUID, 0, SHOWN },
	{ 0 }
};

/* Words by enum sfab_adaptive. */
static const char *const adaptive_words[] = { "no", "yes", "unknown" };

/* Counts of a plane or of a switch.  Links count once for each direction, as in core. */
struct fabric_counts {
	uint64_t leaves, hosts, ports, isls, down;
};

/* Count what a plane has.  Ports are in the order of hosts, so a change of host is a new one. */
static void count_plane(const struct sfab_fabric *f, uint32_t plane, struct fabric_counts *n)
{
	uint32_t last = SFAB_NONE;

	for (uint32_t i = 0; i < f->nswitches; i++)
		n->leaves += f->switches[i].plane == plane && sfab_switch_is_leaf(f, i);
	for (uint32_t p = 0; p < f->nports; p++) {
		if (f->ports[p].plane != plane)
			continue;
		n->ports++;
		n->hosts += f->ports[p].host != last;
		last = f->ports[p].host;
	}
	for (uint32_t i = 0; i < f->nlinks; i++) {
		if (sfab_link_plane(f, i) != plane)
			continue;
		n->isls += f->links[i].kind == SFAB_LINK_ISL;
		n->down += !f->links[i].up;
	}
}

/* Add a row for each plane.  An engine, subnet manager or time that is not known has no cell. */
static void fill_plane_rows(const struct site *site, struct table *t)
{
	const struct sfab_fabric *f = site->f;

	for (uint32_t p = 0; p < f->nplanes; p++) {
		const struct sfab_plane *plane = &f->planes[p];
		struct fabric_counts n = { 0 };
		uint64_t unreachable;
		char text[MOMENT_TEXT];

		count_plane(f, p, &n);
		table_row(t);
		table_text(t, "fabric", plane->name);
		if (*plane->engine)
			table_text(t, "engine", plane->engine);
		if (plane->sm_guid)
			table_guid(t, "sm", plane->sm_guid);
		table_count(t, "switches", plane->nswitches);
		table_count(t, "leaves", n.leaves);
		table_count(t, "hosts", n.hosts);
		table_count(t, "ports", n.ports);
		table_count(t, "isls", n.isls);
		table_count(t, "down", n.down);
		/*
		 * This follows every route of the plane, and is the only part that takes time.
		 * Without memory the cell stays empty.
		 */
		if (sfab_route_unreachable(f, p, &unreachable, NULL, 0) == 0)
			table_count(t, "unreachable", unreachable);
		table_text(t, "adaptive", adaptive_words[f->adaptive]);
		/* UTC as in meta.epoch of JSON, so that snapshots of several sites compare. */
		if (f->time)
			table_text(t, "read", moment_text((double) f->time, text));
		table_text(t, "source", f->source);
		table_guid(t, "fingerprint", site->snapshot->fingerprint);
	}
}

const struct show_table show_fabric = { "fabric", "planes", fabric_columns, fill_plane_rows, NULL };

/*
 * A switch has a row, with its ports as the snapshot has them: those without a cable are
 * neither a host's nor an isl.
 */
static const struct column switch_columns[] = {
	{ "fabric", "plane", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ "switch", "name, through the node-name map", COLUMN_TEXT, 0, SHOWN },
	{ "guid", "node GUID", COLUMN_GUID, 0, SHOWN },
	{ "lid", "LID", COLUMN_COUNT, 0, SHOWN },
	{ "ports", "ports it has", COLUMN_COUNT, 0, SHOWN },
	{ "kind", "leaf (has hosts) or spine", COLUMN_TEXT, 0, SHOWN },
	{ "hosts", "end ports on it", COLUMN_COUNT, 0, SHOWN },
	{ "isls", "links to other switches", COLUMN_COUNT, 0, SHOWN },
	{ "down", "links that are down", COLUMN_COUNT, 0, SHOWN },
	{ "table", "its forwarding table is known", COLUMN_YES, 0, SHOWN },
	{ 0 }
};

/* Add a row for each switch.  A cable counts once, by the link that leaves the switch. */
static void fill_switch_rows(const struct site *site, struct table *t)
{
	const struct sfab_fabric *f = site->f;

	for (uint32_t i = 0; i < f->nswitches; i++) {
		const struct sfab_switch *sw = &f->switches[i];
		struct fabric_counts n = { 0 };

		/* Port 0 is the switch's own, for management. */
		for (unsigned p = 1; p <= sw->nports; p++) {
			const struct sfab_link *l;

			if (sw->out[p] == SFAB_NONE)
				continue;
			l = &f->links[sw->out[p]];
			n.isls += l->kind == SFAB_LINK_ISL;
			n.ports += l->kind == SFAB_LINK_EJECT;
			n.down += !l->up;
		}
		table_row(t);
		table_text(t, "fabric", f->planes[sw->plane].name);
		table_text(t, "switch", sw->name);
		table_guid(t, "guid", sw->guid);
		if (sw->lid)
			table_count(t, "lid", sw->lid);
		table_count(t, "ports", sw->nports);
		/* Only hosts make a leaf: a director's line card without hosts is a spine here. */
		table_text(t, "kind", !sfab_switch_is_leaf(f, i) ? "spine" : "leaf");
		table_count(t, "hosts", n.ports);
		table_count(t, "isls", n.isls);
		table_count(t, "down", n.down);
		/*
		 * Without a table no route passes the switch, and every figure about it would
		 * be a guess.
		 */
		table_yes(t, "table", sw->has_lft);
	}
}

const struct show_table show_switches = {
	"switches", "switches", switch_columns, fill_switch_rows, NULL
};

/* A host has a row for each of its end ports, one for each rail or plane. */
static const struct column host_columns[] = {
	{ "host", "name", COLUMN_TEXT, 0, SHOWN },
	{ "role", "compute, login, io, management, router, sharp (a switch's own) "
	  "or other", COLUMN_TEXT, 0, SHOWN },
	{ "role_by", "what says so: io-set, Role, script, fabric, Slurm, name or "
	  "default", COLUMN_TEXT, 0, SHOWN },
	{ "fabric", "plane of this end port", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ "guid", "port GUID", COLUMN_GUID, 0, SHOWN },
	{ "lid", "base LID", COLUMN_COUNT, 0, SHOWN },
	{ "lmc", "it owns 2^lmc LIDs", COLUMN_COUNT, 0, SHOWN },
	{ "switch", "leaf switch", COLUMN_TEXT, 0, SHOWN },
	{ "port", "port of the leaf switch", COLUMN_COUNT, 0, SHOWN },
	{ "rate_gbs", "GB/s of its link", COLUMN_NUMBER, 2, SHOWN },
	{ "desc", "node description", COLUMN_TEXT, 0, SHOWN_IF_ASKED },
	{ 0 }
};

/*
 * Add a row for each port of a host.  The role decides whether jobs may run on the host
 * (compute) and whom they read from (io).  role_by says which rule gave it: "Role" is a line of
 * sfabric.conf.
 */
static void fill_host_rows(const struct site *site, struct table *t)
{
	const struct sfab_fabric *f = site->f;

	for (uint32_t i = 0; i < f->nports; i++) {
		const struct sfab_port *p = &f->ports[i];

		table_row(t);
		table_text(t, "host", f->hosts[p->host].name);
		table_text(t, "role", role_name(site_role(site, p->host)));
		table_text(t, "role_by", role_source_name((enum role_source)
			   site->roles.source[p->host]));
		table_text(t, "fabric", f->planes[p->plane].name);
		table_guid(t, "guid", p->guid);
		if (p->lid)
			table_count(t, "lid", p->lid);
		table_count(t, "lmc", p->lmc);
		if (p->sw != SFAB_NONE) {
			table_text(t, "switch", f->switches[p->sw].name);
			table_count(t, "port", p->sw_port);
			table_gbs(t, "rate_gbs", p->rate);
		}
		table_text(t, "desc", p->desc);
	}
}

const struct show_table show_hosts = { "hosts", "hosts", host_columns, fill_host_rows, NULL };

/* Each direction of a cable has a row, as its routes and its load are its own. */
static const struct column link_columns[] = {
	{ "fabric", "plane", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ "switch", "where the link begins: a switch, or a host", COLUMN_TEXT,
	  0, SHOWN },
	{ "guid", "node GUID there", COLUMN_GUID, 0, SHOWN },
	{ "port", "out port there", COLUMN_COUNT, 0, SHOWN },
	{ "to", "where it leads", COLUMN_TEXT, 0, SHOWN },
	{ "to_guid", "node GUID there", COLUMN_GUID, 0, SHOWN_IF_ASKED },
	{ "to_port", "port there", COLUMN_COUNT, 0, SHOWN },
	{ "kind", "isl (switch to switch), eject (to host), inject (from host)",
	  COLUMN_TEXT, 0, SHOWN },
	{ "capacity_gbs", "GB/s of data", COLUMN_NUMBER, 2, SHOWN },
	{ "up", "it carries data", COLUMN_YES, 0, SHOWN },
	{ 0 }
};

/*
 * Add a row for each link, like "leaf-1 0x... 19 spine-2 1 isl 12.12 yes".  The kinds inject
 * and eject are the directions of a host's own cable.
 */
static void fill_link_rows(const struct site *site, struct table *t)
{
	const struct sfab_fabric *f = site->f;

	for (uint32_t i = 0; i < f->nlinks; i++) {
		table_row(t);
		link_columns_cells(t, f, i);
		table_yes(t, "up", f->links[i].up);
	}
}

const struct show_table show_links = { "links", "links", link_columns, fill_link_rows, NULL };

/*
 * An IO set has a row for each member: the port of a server or router that clients reach, as
 * sfabric.conf, the script or import --io gives it.
 */
static const struct column io_columns[] = {
	{ "set", "IO set", COLUMN_TEXT, 0, SHOWN },
	{ "map", "which client uses which member: all, group or nearest", COLUMN_TEXT,
	  0, SHOWN },
	{ "group", "number of the client group it serves",
	  COLUMN_COUNT, 0, SHOWN_IF_ASKED },
	{ "host", "IO host", COLUMN_TEXT, 0, SHOWN },
	{ "guid", "port GUID", COLUMN_GUID, 0, SHOWN },
	{ "fabric", "plane of the port", COLUMN_TEXT, 0, SHOWN_IF_ANY },
	{ "switch", "leaf switch", COLUMN_TEXT, 0, SHOWN },
	{ "port", "port of the leaf switch", COLUMN_COUNT, 0, SHOWN },
	{ "capacity_gbs", "GB/s of the server behind the port", COLUMN_NUMBER,
	  2, SHOWN },
	{ "servers", "paced or held: what servers do when asked for too much",
	  COLUMN_TEXT, 0, SHOWN_IF_ASKED },
	{ 0 }
};

/*
 * Add a row for each member of the IO sets.  Capacity is what the server behind the port can
 * do, which may be less than its link can.  A group only exists where clients are divided among
 * the members.
 */
static void fill_io_rows(const struct site *site, struct table *t)
{
	for (uint32_t s = 0; site->io && s < site->io->nsets; s++)
		for (uint32_t i = 0; i < site->io->set[s].nmembers; i++) {
			const struct sfab_ioset *set = &site->io->set[s];
			const struct sfab_fabric *f = site->f;
			const struct sfab_port *p =
			    &f->ports[site->io->ioport[set->member[i]]];

			table_row(t);
			table_text(t, "set", set->name);
			table_text(t, "map", sfab_iomap_name(set->map));
			if (set->member_group)
				table_count(t, "group", set->member_group[i]);
			table_text(t, "host", f->hosts[p->host].name);
			table_guid(t, "guid", p->guid);
			table_text(t, "fabric", f->planes[p->plane].name);
			if (p->sw != SFAB_NONE) {
				table_text(t, "switch",
					   f->switches[p->sw].name);
				table_count(t, "port", p->sw_port);
			}
			table_gbs(t, "capacity_gbs", site->io->capacity[set->member[i]]);
			table_text(t, "servers",
				   sfab_ioset_servers_name(set->holds_writes));
		}
}

const struct show_table show_io = { "io", "io", io_columns, fill_io_rows, NULL };

/*
 * Where a value comes from is the first question when the plugin does something else than
 * expected, so each key has its origin, as "/etc/slurm/sfabric.conf:7".
 */
static const struct column config_columns[] = {
	{ "key", "key of sfabric.conf", COLUMN_TEXT, 0, SHOWN },
	{ "value", "value in use", COLUMN_TEXT, 0, SHOWN },
	{ "origin", "FILE:LINE, or default", COLUMN_TEXT, 0, SHOWN },
	{ "doc", "what the key means", COLUMN_TEXT, 0, SHOWN_IF_ASKED },
	{ 0 }
};

/*
 * Add the row of a key, for sfab_conf_each(), which gives all keys with texts that live only
 * during the call; the table copies them.
 */
static void config_row(void *ctx, const char *key, const char *value,
		       const char *origin, const char *doc)
{
	struct table *t = ctx;

	table_row(t);
	table_text(t, "key", key);
	table_text(t, "value", value);
	table_text(t, "origin", origin);
	table_text(t, "doc", doc);
}

static void fill_config_rows(const struct site *site, struct table *t)
{
	sfab_conf_each(site->conf, config_row, t);
}

const struct show_table show_config = {
	"config", "config", config_columns, fill_config_rows, NULL
};
