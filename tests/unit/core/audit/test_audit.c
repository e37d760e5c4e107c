/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_audit.c - each rule finds what it should, and nothing where all is well */

#include "core/audit/audit.h"
#include "core/audit/io_moves.h"
#include "tests/unit/fixtures/fabrics.h"
#include "tests/unit/fixtures/unit.h"

/* 6 leaves x 8 hosts, 4 spines: LID x goes up to spine x % 4. */
static const struct clos made = { .leaves = 6, .spines = 4, .hosts = 8 };

static struct site_audit {
	struct sfab_fabric *f;
	struct sfab_iosets *io;
	struct sfab_model *m;
	struct sfab_audit_options ask;
	struct sfab_audit found;
} a;

/* @io: names of IO hosts between blanks, each serves 2 GB/s; NULL: none. */
static void begin(struct sfab_fabric *f, const char *io)
{
	sfab_audit_free(&a.found);
	memset(&a, 0, sizeof(a));
	a.f = f;
	a.io = io ? unit_servers(f, "fs", io, 2e9) : NULL;
	a.m = unit_model(f, a.io);
	a.ask.m = a.m;
}

static void run(void)
{
	unit_must(!sfab_audit(&a.ask, &a.found, &unit_err));
}

static void tear_down(void)
{
	sfab_audit_free(&a.found);
}

static const struct sfab_finding *find(enum sfab_rule rule)
{
	for (uint32_t i = 0; i < a.found.n; i++)
		if (a.found.finding[i].rule == rule)
			return &a.found.finding[i];
	return NULL;
}

static const struct sfab_finding *found(enum sfab_rule rule)
{
	const struct sfab_finding *f = find(rule);

	ck_assert_msg(f != NULL, "nothing of %s", sfab_rule_name(rule));
	return f;
}

static const struct sfab_finding *find_object(const char *object)
{
	for (uint32_t i = 0; i < a.found.n; i++)
		if (strcmp(a.found.finding[i].object, object) == 0)
			return &a.found.finding[i];
	ck_abort_msg("nothing about %s", object);
	return NULL;
}

static struct sfab_link *link_of(struct sfab_fabric *f, uint32_t link)
{
	return (struct sfab_link *) &f->links[link];
}

/* The @k-th link between switches. */
static uint32_t isl(const struct sfab_fabric *f, uint32_t k)
{
	for (uint32_t i = 0; i < f->nlinks; i++)
		if (f->links[i].kind == SFAB_LINK_ISL && k-- == 0)
			return i;
	return SFAB_NONE;
}

/* 4 GB/s a link; 8 hosts of a leaf, 5 IO hosts of 2 GB/s on other leaves. */
TEST(io_hosts_behind_one_uplink_are_critical)
{
	const struct sfab_finding *f;

	/* n8, n16, ...: one on each leaf, all LIDs are 0 modulo 4 */
	begin(unit_fabric(&made), "n8 n16 n24 n32 n40 n48");
	run();
	ck_assert_uint_eq(a.found.nuplinks, 6);
	for (uint32_t i = 0; i < 6; i++) {
		ck_assert_uint_eq(a.found.uplinks[i].used, 1);
		ck_assert_uint_eq(a.found.uplinks[i].up, 4);
		ck_assert_uint_eq(a.found.uplinks[i].members, 5);
	}
	f = found(SFAB_RULE_IO_UPLINKS);
	ck_assert_str_eq(f->object, "fs/io-write");
	ck_assert_int_eq(f->severity, SFAB_CRITICAL);
	ck_assert_double_eq(f->number, 1);
	/* 4 by the uplink and 2 to the IO host of the leaf; 12 possible */
	ck_assert_double_eq_tol(f->effect_now, 6, 1e-6);
	ck_assert_double_gt(f->effect_then, 10);
	ck_assert_uint_gt(f->nmoves, 0);
	ck_assert_ptr_eq(&a.found.finding[0], f);
}

/* No two go to one place, each changes places on its leaf. */
static void check_moves(const struct sfab_moves *m)
{
	for (uint32_t i = 0; i < m->n; i++) {
		const struct sfab_move *v = &m->move[i];

		ck_assert_uint_eq(sfab_host_leaf(a.f, v->host),
				  sfab_host_leaf(a.f, v->peer));
		ck_assert_uint_eq(a.f->ports[v->from].host, v->host);
		ck_assert_int_eq(a.m->io_host[v->peer], 0);
		for (uint32_t k = 0; k < i; k++)
			ck_assert(m->move[k].sw != v->sw ||
				  m->move[k].port != v->port);
	}
}

/* 6 IO hosts behind one spine of 4: two may stay. */
TEST(the_fewest_moves_gain_as_much_as_all)
{
	struct sfab_moves all, few;
	struct sfab_moves_options ask = { .kind = SFAB_MOVES_SAME_LEAF };

	begin(unit_fabric(&made), "n8 n16 n24 n32 n40 n48");
	run();
	ask.m = a.m;
	ask.rates = &a.found.rates[0];
	ck_assert_int_eq(sfab_io_find_moves(&ask, &all, NULL), 0);
	ask.amount = SFAB_MOVES_FEWEST;
	ck_assert_int_eq(sfab_io_find_moves(&ask, &few, NULL), 0);
	check_moves(&all);
	check_moves(&few);
	ck_assert_uint_gt(few.n, 0);
	ck_assert_uint_le(few.n, 4);
	ck_assert_uint_le(few.n, all.n);
	ck_assert_double_le(sfab_io_rates_loss(&few.rates),
			    sfab_io_rates_loss(&all.rates) + SFAB_MOVES_GAIN);
	/* no switch of this tree has a free port */
	ask.kind = SFAB_MOVES_FREE_PORTS;
	free(few.move);
	ck_assert_int_eq(sfab_io_find_moves(&ask, &few, NULL), 0);
	ck_assert_uint_eq(few.n, 0);
	free(few.move);
	free(all.move);
}

/* As many on one leaf, each of another LID: no rule of thumb may say no. */
TEST(io_hosts_of_other_lids_on_one_leaf_are_well)
{
	begin(unit_fabric(&made), "n1 n2 n3 n4");
	run();
	ck_assert_ptr_null(find(SFAB_RULE_IO_UPLINKS));
	ck_assert_ptr_null(find(SFAB_RULE_IO_LEAF));
	ck_assert_ptr_null(find(SFAB_RULE_IO_SPINES));
}

/* Half of a set, or more, behind one leaf: it fails as one. */
LOOP_TEST(half_of_a_set_behind_a_leaf_is_noted, 5)
{
	static const struct {
		const char *io;
		double max;	/* ports on the leaf of the finding; 0: none */
	} cases[] = {
		{ "n1 n2 n3 n4", 4 },
		{ "n1 n2 n9 n10", 2 },
		{ "n9 n17 n18 n19 n1", 3 },
		{ "n1 n2 n9 n17 n25", 0 },
		{ "n1 n2 n3", 0 },
	};
	const struct sfab_finding *f;

	begin(unit_fabric(&made), cases[_i].io);
	run();
	f = find(SFAB_RULE_IO_DOMAIN);
	ck_assert(!f == !cases[_i].max);
	if (f) {
		ck_assert_double_eq(f->number, cases[_i].max);
		ck_assert_int_eq(f->severity, SFAB_NOTE);
	}
}

/* Two on one leaf behind the same spine: what a leaf sends, 4 of 4 GB/s, fits. */
TEST(two_io_hosts_that_an_uplink_carries_are_well)
{
	begin(unit_fabric(&made), "n1 n5");
	run();
	ck_assert_ptr_null(find(SFAB_RULE_IO_UPLINKS));
	ck_assert_ptr_null(find(SFAB_RULE_IO_LEAF));
}

TEST(no_move_is_proposed_where_all_routes_share_a_spine)
{
	struct clos one = made;
	const struct sfab_finding *f;

	one.same_spine = 1;
	begin(unit_fabric(&one), "n1 n10 n19 n28");
	run();
	f = found(SFAB_RULE_IO_UPLINKS);
	ck_assert_uint_eq(f->nmoves, 0);
	ck_assert_ptr_null(f->effect);
	f = found(SFAB_RULE_SPINE_UNUSED);
	ck_assert_double_eq(f->number, 2 * 6 * 3);
	f = found(SFAB_RULE_SPINE_HOT);
	ck_assert_double_gt(f->effect_now, 3 * f->effect_then);
}

/* All is well: even tables and no IO set. */
TEST(even_tables_without_io_are_well)
{
	begin(unit_fabric(&made), NULL);
	a.ask.engine = "ftree,updn";
	run();
	ck_assert_msg(a.found.n == 0, "%s", a.found.n ?
		      a.found.finding[0].what : "");
}

/* Nothing is asked: the snapshot says which engines OpenSM tried. */
LOOP_TEST(an_engine_that_was_not_asked_for_is_found, 10)
{
	static const struct {
		const char *asked, *tried, *used;
		uint32_t found;
		enum sfab_severity severity;
		const char *what;
	} cases[] = {
		{ "ftree,updn", "", "updn", 1, SFAB_NOTE,
		  "routed by updn, a later engine of ftree,updn" },
		{ "updn", "", "updn", 0, 0, NULL },
		{ "updn", "ftree,updn", "updn", 0, 0, NULL },
		{ NULL, "ftree,updn", "updn", 1, SFAB_NOTE,
		  "routed by updn, a later engine of ftree,updn" },
		{ NULL, "ftree", "minhop", 1, SFAB_CRITICAL,
		  "routed by minhop, but ftree was requested" },
		{ "ftree,updn", "", "minhop", 1, SFAB_CRITICAL,
		  "routed by minhop, but ftree,updn was requested" },
		{ NULL, "no_fallback,updn", "updn", 0, 0, NULL },
		{ NULL, "ftree,updn", "ftree", 0, 0, NULL },
		{ NULL, "", "minhop", 0, 0, NULL }, { NULL, "ftree", "", 0, 0, NULL },
	};
	struct sfab_fabric *f = unit_fabric(&made);
	struct sfab_plane *plane = (struct sfab_plane *) f->planes;

	plane->asked = cases[_i].tried;
	plane->engine = cases[_i].used;
	begin(f, NULL);
	a.ask.engine = cases[_i].asked;
	run();
	ck_assert_uint_eq(a.found.n, cases[_i].found);
	if (a.found.n) {
		ck_assert_int_eq(a.found.finding[0].rule, SFAB_RULE_ENGINE);
		ck_assert_int_eq(a.found.finding[0].severity, cases[_i].severity);
		ck_assert_str_eq(a.found.finding[0].what, cases[_i].what);
	}
}

/* Cards of another age, here on two leaves, are no fault. */
TEST(a_card_of_another_age_is_noted_only)
{
	struct sfab_fabric *f = unit_fabric(&made);

	link_of(f, f->ports[3].eject)->capacity = 2e9;
	link_of(f, f->ports[20].eject)->capacity = 2e9;
	begin(f, NULL);
	run();
	ck_assert_uint_eq(a.found.n, 2);
	for (uint32_t i = 0; i < a.found.n; i++) {
		ck_assert_int_eq(a.found.finding[i].rule, SFAB_RULE_LINK_SLOW);
		ck_assert_int_eq(a.found.finding[i].severity, SFAB_NOTE);
		ck_assert_ptr_nonnull(strstr(a.found.finding[i].what,
					     "an older card"));
	}
}

TEST(slow_down_and_faulty_links_are_found)
{
	struct sfab_fabric *f = unit_fabric(&made);
	uint32_t slow = isl(f, 0), down = isl(f, 5);
	struct sfab_link_events *events = calloc(f->nlinks, sizeof(*events));
	const struct sfab_finding *finding;

	link_of(f, slow)->capacity = 1e9;
	link_of(f, down)->up = 0;
	link_of(f, f->ports[3].eject)->capacity = 2e9;
	begin(f, NULL);
	events[f->ports[7].inject].errors = 12;
	events[isl(f, 2)].discards = 3;
	a.ask.events = events;
	run();
	finding = found(SFAB_RULE_LINK_SLOW);
	ck_assert_int_eq(finding->severity, SFAB_CRITICAL);
	ck_assert_str_eq(finding->object, "leaf1 port 9");
	ck_assert_double_eq(finding->effect_now, 1);
	/* a host's own cable, alone with its rate */
	finding = find_object("leaf1 port 4");
	ck_assert_int_eq(finding->rule, SFAB_RULE_LINK_SLOW);
	ck_assert_int_eq(finding->severity, SFAB_WARNING);
	ck_assert_double_eq(finding->effect_now, 2);
	ck_assert_double_eq(finding->effect_then, 4);
	finding = found(SFAB_RULE_LINK_DOWN);
	ck_assert_double_eq(finding->effect_now, 12);
	ck_assert_double_eq(finding->effect_then, 16);
	finding = found(SFAB_RULE_LINK_ERRORS);
	ck_assert_double_eq(finding->number, 12);
	finding = found(SFAB_RULE_LINK_DISCARDS);
	ck_assert_double_eq(finding->number, 3);
	ck_assert_ptr_nonnull(find(SFAB_RULE_UNREACHABLE));
	free(events);
}

/* Leaf 1 forgets LID 17: its 8 hosts cannot reach n17. */
TEST(an_entry_without_a_port_is_unreachable)
{
	struct sfab_fabric *f = unit_fabric(&made);
	const struct sfab_finding *finding;

	((uint8_t *) f->switches[f->leaves[0].sw].lft)
		[sfab_plane_entry(f->planes, 17)] = SFAB_PORT_NONE;
	begin(f, NULL);
	run();
	finding = found(SFAB_RULE_UNREACHABLE);
	ck_assert_double_eq(finding->number, 8);
	ck_assert_ptr_nonnull(strstr(finding->what, "leaf1 to n17 (LID 17)"));
}

static void swap_names(struct sfab_fabric *f, uint32_t one, uint32_t other)
{
	struct sfab_host *host = (struct sfab_host *) f->hosts;
	uint32_t leaf_a = f->ports[host[one].port0].leaf;
	struct sfab_port *pa = (struct sfab_port *) &f->ports[host[one].port0];
	struct sfab_port *pb = (struct sfab_port *) &f->ports[host[other].port0];

	pa->leaf = pb->leaf;
	pb->leaf = leaf_a;
}

TEST(hosts_on_swapped_leaves_are_found)
{
	struct sfab_fabric *f = unit_fabric(&made);
	const struct sfab_finding *finding;

	begin(f, NULL);
	swap_names(f, 3, 19);
	run();
	finding = found(SFAB_RULE_HOST_LEAF);
	ck_assert_str_eq(finding->object, "n4");
	ck_assert_str_eq(finding[1].object, "n20");
	/* the made leaves have links enough: nobody feels it */
	ck_assert_double_ge(finding->effect_now, 1);
	ck_assert_int_eq(finding->severity, finding->effect_now > 1.12 ? SFAB_WARNING : SFAB_NOTE);
}

/* n3 says that it is n4, which it is not: as a snapshot has it that knows the past. */
TEST(a_node_with_the_name_of_another_is_found)
{
	struct sfab_fabric *f = unit_fabric(&made);
	struct sfab_host *host = (struct sfab_host *) f->hosts;
	struct sfab_port *port = (struct sfab_port *) f->ports;
	uint32_t liar = host[2].port0, keeps = host[3].port0;
	char name[2][SFAB_GUID_NAME_SIZE], what[300];
	const struct sfab_finding *finding;

	begin(f, NULL);
	run();
	ck_assert_ptr_null(find(SFAB_RULE_HOST_NAME));
	sfab_audit_free(&a.found);
	port[liar].desc = port[keeps].desc;
	host[2].name = sfab_fabric_guid_name(port[liar].node_guid, name[0]);
	run();
	finding = found(SFAB_RULE_HOST_NAME);
	ck_assert_str_eq(finding->object, port[keeps].desc);
	ck_assert_double_eq(finding->number, 1);
	snprintf(what, sizeof(what), "node %s says that it is n4, but that is node "
		 "0x%016llx, which had this name before", name[0],
		 (unsigned long long) port[keeps].node_guid);
	ck_assert_str_eq(finding->what, what);
	sfab_audit_free(&a.found);
	host[3].name = sfab_fabric_guid_name(port[keeps].node_guid, name[1]);
	run();
	finding = find(SFAB_RULE_HOST_NAME);
	ck_assert_double_eq(finding->number, 2);
	ck_assert_int_eq(strncmp(finding->what, "2 nodes have this description", 29), 0);
}

TEST(rails_of_a_host_that_are_swapped_are_found)
{
	struct clos two = made;
	struct sfab_fabric *f;
	struct sfab_port *p;
	const char *desc;

	two.planes = 2;
	f = unit_fabric(&two);
	p = (struct sfab_port *) &f->ports[f->hosts[6].port0];
	desc = p[0].desc;
	p[0].desc = p[1].desc;
	p[1].desc = desc;
	begin(f, NULL);
	run();
	ck_assert_uint_eq(a.found.n, 1);
	ck_assert_int_eq(a.found.finding[0].rule, SFAB_RULE_RAILS);
	ck_assert_str_eq(a.found.finding[0].object, "n7");
}

/* As long as the bytes are where the tables say, the figure is a note. */
LOOP_TEST(too_few_bytes_where_tables_say_is_critical, 2)
{
	begin(unit_fabric(&made), NULL);
	a.ask.followed_known = 1;
	a.ask.followed = 0.79 + 0.02 * _i;
	a.ask.min_followed = 0.8;
	run();
	ck_assert_uint_eq(a.found.n, 1);
	ck_assert_int_eq(a.found.finding[0].rule, SFAB_RULE_STRAYS);
	ck_assert_int_eq(a.found.finding[0].severity, _i ? SFAB_NOTE : SFAB_CRITICAL);
}

/* Spoiled tables and links: any answer, but no crash and no hang. */
LOOP_TEST(spoiled_tables_have_findings, 20)
{
	struct sfab_fabric *f = unit_fabric(&made);

	unit_spoil_tables(f, (unsigned) _i);
	begin(f, "n8 n16 n24 n32");
	run();
	ck_assert_uint_gt(a.found.n, 0);
}

TEST(leaves_without_spines_are_parts)
{
	static const struct clos wide = { .leaves = 200, .spines = 2,
					  .hosts = 2 };
	static const struct clos none = { .leaves = 200, .spines = 0,
					  .hosts = 2 };

	begin(unit_fabric(&wide), NULL);
	run();
	ck_assert_ptr_null(find(SFAB_RULE_PARTS));
	begin(unit_fabric(&none), NULL);
	run();
	ck_assert_double_eq(found(SFAB_RULE_PARTS)->number, 200);
}

TEST(a_rule_is_parsed_by_its_name)
{
	for (int i = 0; i < SFAB_NRULES; i++) {
		const char *name = sfab_rule_name((enum sfab_rule) i);

		ck_assert_int_eq(sfab_rule_parse(name, (unsigned) strlen(name)),
				 i);
		ck_assert_ptr_nonnull(sfab_rule_why((enum sfab_rule) i));
	}
	ck_assert_int_eq(sfab_rule_parse("io-leafs", 8), -1);
	ck_assert_int_eq(sfab_severity_of_loss(0.05), SFAB_NOTE);
	ck_assert_int_eq(sfab_severity_of_loss(0.3), SFAB_WARNING);
	ck_assert_int_eq(sfab_severity_of_loss(0.6), SFAB_CRITICAL);
}

/* A port that sends and is never reached has no cable to compare. */
TEST(a_port_without_a_way_back_is_left_out)
{
	struct sfab_builder *b = unit_builder(&made);
	struct sfab_fabric *f;
	char name[20];

	for (unsigned i = 0; i < 8; i++) {
		snprintf(name, sizeof(name), "x%u HCA-1", i);
		sfab_builder_add_port(b, 0, 0x5000 + 16 * i, 1, 0x5001 + 16 * i,
				      name, NULL, 0, 0, &unit_err);
		sfab_builder_add_link(b, 0, 0x5000 + 16 * i, 1, 0x100, i + 1, 1e9,
				      SFAB_CABLE_DIRECTED, &unit_err);
	}
	f = unit_freeze(b);
	begin(f, NULL);
	run();
	ck_assert_ptr_null(find(SFAB_RULE_LINK_SLOW));
}

/* Hosts 8, 16, ... cannot reorder; LIDs of them are 0 modulo 4: one spine. */
static struct sfab_fabric *adaptive(unsigned every_static)
{
	const struct clos shape = { .leaves = 6, .spines = 4, .hosts = 8,
				.grouped = SFAB_ADAPTIVE_GROUPS,
				.every_static = every_static };

	return unit_fabric(&shape);
}

TEST(static_routes_among_adaptive_ones_are_found)
{
	const struct sfab_finding *f;

	begin(adaptive(8), "n8 n16 n24 n32 n40 n7");
	run();
	f = find_object("fs");
	ck_assert_int_eq(f->rule, SFAB_RULE_STATIC);
	ck_assert_int_eq(f->severity, SFAB_WARNING);
	ck_assert_double_eq(f->number, 5);
	ck_assert_msg(strstr(f->what, "5 of 6 IO ports keep to static routes") &&
		      strstr(f->what, "5 of them enter"), "%s", f->what);
	/* n48 is the one compute host */
	f = find_object("compute hosts");
	ck_assert_double_eq(f->number, 1);
	ck_assert_ptr_nonnull(strstr(f->what, "first is of n48"));
}

TEST(undeclared_adaptive_routing_is_found)
{
	struct clos shape = made;
	struct sfab_fabric *f;

	for (int declared = 0; declared < 2; declared++) {
		shape.grouped = SFAB_ADAPTIVE_UNKNOWN;
		f = unit_fabric(&shape);
		if (declared)
			sfab_fabric_set_static(f);
		begin(f, NULL);
		run();
		ck_assert_int_eq(find(SFAB_RULE_ADAPTIVE) == NULL, declared);
	}
}

/* All shared, all static, and static routing: nothing to say. */
LOOP_TEST(what_is_static_throughout_is_well, 3)
{
	begin(_i == 0 ? adaptive(0) : _i == 1 ? adaptive(1) :
	      unit_fabric(&made), "n8 n16 n24");
	run();
	ck_assert_ptr_null(find(SFAB_RULE_STATIC));
}

/* Each of 20 planted LIDs is counted, wherever it is. */
TEST(each_planted_static_lid_is_counted)
{
	const struct clos shape = { .leaves = 10, .spines = 4, .hosts = 20,
				.grouped = SFAB_ADAPTIVE_GROUPS,
				.every_static = 10 };

	begin(unit_fabric(&shape), "n10 n20 n30 n40 n50 n60 n70 n80 n90 n100 n110 "
	      "n120 n130 n140 n150 n160 n170 n180 n190 n200");
	run();
	ck_assert_double_eq(find_object("fs")->number, 20);
}

UNIT_MAIN_WITH("audit", NULL, tear_down)
