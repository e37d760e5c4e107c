/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * candidates.c - changes that may repair an IO finding; see candidates.h
 *
 * A candidate is what the command line would have, so that what is tried and what is printed
 * cannot differ.  There are at most twelve: eight ways of routing, three ways to move hosts,
 * and one of these with io_guid_file.
 */

#include "tools/whatif/candidates.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/ui/json.h"
#include "tools/ui/printable.h"
#include "tools/ui/shell.h"
#include "tools/ui/xalloc.h"

/*
 * Tried in this order.  Engine NULL: the one that made the tables; ftree reads neither
 * port_shifting nor the order.  io_guid_file is in the list because everybody tries it first.
 */
static const struct {
	const char *engine, *option, *value;
	int not_by_ftree;
	const char *name;
} routings[] = {
	{ NULL, "io-guid-file", "auto", 0, "io_guid_file" },
	{ NULL, "opensm-option", "port_shifting=TRUE", 1, "port_shifting" },
	{ NULL, "io-order", "auto", 1, "IO hosts routed first" },
	{ "ftree", NULL, NULL, 0, "ftree" },
	{ "updn", "opensm-option", "port_shifting=TRUE", 0, "updn, port_shifting" },
	{ "updn", "io-order", "auto", 0, "updn, IO hosts routed first" },
	{ "updn", "opensm-option", "scatter_ports=1", 0, "updn, scatter_ports" },
	{ "dfsssp", "io-guid-file", "auto", 0, "dfsssp, io_guid_file" },
};

/* Add a candidate; takes over @name.  The list is large enough for all that are ever added. */
static struct candidate *add_candidate(struct candidates *c, char *name)
{
	struct candidate *new = &c->list[c->n++];

	*new = (struct candidate) { .name = name, .moves = json_object_new_array() };
	return new;
}

void candidates_add_routings(struct candidates *c, const char *engine)
{
	int is_ftree = strcmp(engine, "ftree") == 0;

	for (unsigned i = 0; i < sizeof(routings) / sizeof(*routings); i++) {
		struct candidate *new;

		if ((routings[i].engine &&
		     strcmp(routings[i].engine, engine) == 0) ||
		    (routings[i].not_by_ftree && is_ftree))
			continue;
		new = add_candidate(c, xstrdup(routings[i].name));
		if (routings[i].engine)
			changes_add(&new->changes, "engine", routings[i].engine);
		if (routings[i].option)
			changes_add(&new->changes, routings[i].option, routings[i].value);
	}
}

/*
 * Add the move of a host's cable to a port of switch @dst.  The switch goes by its name if that
 * is unique, else by its GUID.  A name with control characters would not survive copying the
 * command from a terminal.
 */
static void add_cable_move(struct candidate *c, const struct sfab_fabric *f, uint32_t host,
			   uint32_t dst, unsigned port)
{
	const struct sfab_switch *sw = &f->switches[dst];
	char *safe = printable(sw->name, 0), *text;
	int is_name = strcmp(safe, sw->name) == 0;
	struct json_object *move = json_object_new_object();

	free(safe);
	for (uint32_t i = 0; is_name && i < f->nswitches; i++)
		is_name = i == dst || strcmp(f->switches[i].name, sw->name) != 0;
	text = is_name ? xstrfmt("%s=%s:%u", f->hosts[host].name, sw->name, port) :
	       xstrfmt("%s=0x%016" PRIx64 ":%u", f->hosts[host].name, sw->guid, port);
	changes_add(&c->changes, "move", text);
	free(text);
	json_add(move, "host", json_name(f->hosts[host].name));
	json_add(move, "switch", json_name(sw->name));
	json_add(move, "guid", json_guid(sw->guid));
	json_add(move, "port", json_object_new_int64(port));
	json_object_array_add(c->moves, move);
	c->cables++;
}

static void free_candidate(struct candidate *c)
{
	changes_free(&c->changes);
	json_object_put(c->moves);
	free(c->name);
}

/*
 * Is the last candidate equal to another one?  On a small fabric several ways give the same
 * moves.
 */
static int is_last_known(const struct candidates *c)
{
	for (uint32_t i = 0; i + 1 < c->n; i++)
		if (json_object_equal(c->list[i].moves, c->list[c->n - 1].moves))
			return 1;
	return 0;
}

int candidates_add_moves(struct candidates *c, const struct routing_facts *facts,
			 const struct sfab_io_rate *worst, uint32_t nodes, struct sfab_err *err)
{
	static const struct {
		enum sfab_moves_kind kind;
		const char *what;
	} kinds[] = {
		{ SFAB_MOVES_FREE_PORTS, "to free ports" },
		{ SFAB_MOVES_SAME_LEAF, "change places on their leaf" },
		{ SFAB_MOVES_ANY_LEAF, "change places with other leaves" },
	};

	for (int i = 0; i < 3; i++) {
		struct sfab_moves_options ask = {
			.m = facts->m, .block = nodes, .kind = kinds[i].kind,
			.rates = routing_facts_rates(facts, worst->set, worst->class),
			.amount = SFAB_MOVES_FEWEST,
		};
		const struct sfab_fabric *f = facts->m->f;
		struct candidate *new;
		struct sfab_moves moves;
		uint32_t hosts = 0;

		if (sfab_io_find_moves(&ask, &moves, err) != 0)
			return -1;
		new = add_candidate(c, NULL);
		for (uint32_t k = 0; k < moves.n; k++) {
			const struct sfab_move *m = &moves.move[k];
			const struct sfab_port *from = &f->ports[m->from];

			/* Ports of a host are adjacent. */
			hosts += !k || m->host != m[-1].host;
			add_cable_move(new, f, m->host, m->sw, m->port);
			if (m->peer == SFAB_NONE)
				continue;
			add_cable_move(new, f, m->peer, from->sw, from->sw_port);
			new->changes.list[new->changes.n - 1].is_return = 1;
		}
		free(moves.move);
		new->name = xstrfmt("%u IO host%s %s", hosts, hosts == 1 ? "" : "s",
				    kinds[i].what);
		/* No move helps in this way, or another way found the same. */
		if (!new->cables || is_last_known(c))
			free_candidate(&c->list[--c->n]);
	}
	return 0;
}

void candidates_add_io_guids(struct candidates *c, uint32_t i)
{
	const struct candidate *old = &c->list[i];
	struct candidate *new =
	    add_candidate(c, xstrfmt("%s, io_guid_file", old->name));

	json_object_put(new->moves);
	new->moves = json_object_get(old->moves);
	new->cables = old->cables;
	changes_add(&new->changes, "io-guid-file", "auto");
	for (uint32_t k = 0; k < old->changes.n; k++) {
		changes_add(&new->changes, "move", old->changes.list[k].value);
		new->changes.list[k + 1].is_return = old->changes.list[k].is_return;
	}
}

/* Append an option and its value, as shell_word(): the command will be copied into a shell. */
static void append_change(char **text, const char *gap, const struct change *change)
{
	char *word = shell_word(change->value);

	xjoin(text, gap, "--%s %s", change->option, word);
	free(word);
}

char *candidate_command(const struct candidate *c, const struct changes *base,
			uint32_t nodes, enum candidate_lines lines)
{
	const char *gap = lines == CANDIDATE_LINES ? " \\\n     " : " ";
	char *text = xstrfmt("sfabric whatif --nodes %u", nodes);

	for (uint32_t i = 0; i < base->n; i++)
		append_change(&text, " ", &base->list[i]);
	for (uint32_t i = 0; i < c->changes.n; i++) {
		const struct change *change = &c->changes.list[i];

		/* Both cables of an exchange are on one line. */
		append_change(&text, strcmp(change->option, "move") == 0 && !change->is_return ?
			      gap : " ", change);
	}
	return text;
}

void candidates_free(struct candidates *c)
{
	for (uint32_t i = 0; i < c->n; i++)
		free_candidate(&c->list[i]);
	c->n = 0;
}
