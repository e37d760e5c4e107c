/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_place_preview.c - the same facts, the same answer: the placement service as slurmctld
 * asks it, beside `sfabric place` and `sfabric policy test`
 */

#include <unistd.h>

#include "tests/unit/fixtures/service.h"
#include "tests/unit/fixtures/unit.h"

static const struct clos unknown = { .leaves = 4, .spines = 2, .hosts = 4,
				      .grouped = SFAB_ADAPTIVE_UNKNOWN };
static const struct clos groups = { .leaves = 4, .spines = 2, .hosts = 4,
				    .grouped = SFAB_ADAPTIVE_GROUPS };

#define NODES 4
#define PRIOR "mpi=0.25+io-write=0.05+io-read=0.02"
#define SCRIPT "return { job = function(j)\n"		\
	"local says = {\n"				\
	"  traffic = { traffic = 'neighbor=0.2' },\n"	\
	"  lost = { traffic = 'mpi=0.1+io-write@tape=0.3' },\n" \
	"  tape = { traffic = 'io-write@tape=0.3' },\n"	\
	"  quiet = { traffic = 'off' },\n"		\
	"  off = { mode = 'off' },\n"			\
	"  observe = { mode = 'observe' },\n"		\
	"  on = { mode = 'on' },\n"			\
	"  weights = { weights = { others = 9, own = 0 } },\n" \
	"}\n"						\
	"if j.name == 'hint' and j.hint then\n"		\
	"  return { traffic = j.hint .. '+neighbor=0.01' } end\n" \
	"if j.name == 'nodes' then\n"			\
	"  return { traffic = 'mpi=0.0' .. j.nodes } end\n" \
	"if j.name == 'many' and j.user + j.minutes > 0 then\n" \
	"  return { traffic = 'mpi=0.3', mode = 'on', weights = { others = 3 } } end\n" \
	"return says[j.name] end }\n"

static const struct fact {
	const char *conf;		/* besides Policy=; NULL: Mode=on */
	const char *comment, *network, *partition, *name;
	const char *wanted;		/* placed|mode|traffic|weights */
	const char *complaint;		/* of the hint, or NULL */
} facts[] = {
	/* nothing is said */
	{ .wanted = "yes|on|" PRIOR "|" },
	{ .conf = "Mode=on\nDefaultTraffic=neighbor=0.3\n", .comment = "a comment",
	  .network = "a network", .wanted = "yes|on|neighbor=0.3|" },
	{ .conf = "Mode=on\nDefaultTraffic=io-write@fs=0.2+mpi=0.1\n",
	  .wanted = "yes|on|io-write@fs=0.2+mpi=0.1|" },
	/* a default of which part, or all, is not there */
	{ .conf = "Mode=on\nDefaultTraffic=io-write@tape=0.2+mpi=0.1\n",
	  .wanted = "yes|on|mpi=0.1|" },
	{ .conf = "Mode=on\nDefaultTraffic=io-write@tape=0.2\n", .wanted = "no|on||" },
	/* hints */
	{ .comment = "sfabric:mpi=0.3", .wanted = "yes|on|mpi=0.3|" },
	{ .comment = "sfabric:io-write", .wanted = "yes|on|io-write=0.05|" },
	{ .comment = "sfabric:mpi", .wanted = "yes|on|mpi=0.25|" },
	{ .comment = "sfabric:alltoall", .wanted = "yes|on|alltoall=0.25|" },
	{ .network = "sfabric:allreduce+io-write@fs=0.2",
	  .wanted = "yes|on|allreduce=0.25+io-write@fs=0.2|" },
	{ .conf = "Mode=on\nDefaultTraffic=mpi=0.3\n", .comment = "sfabric:ring",
	  .wanted = "yes|on|ring=0.3|" },
	{ .conf = "Mode=on\nDefaultTraffic=allreduce=0.3\n",
	  .wanted = "yes|on|allreduce=0.3|" },
	{ .comment = "sfabric:alltoall=0.3", .name = "hint",
	  .wanted = "yes|on|alltoall=0.3|" },
	{ .comment = "sfabric:alltoal",
	  .wanted = "yes|on|" PRIOR "|",
	  .complaint = "traffic class alltoal (expected mpi, alltoall, allreduce, ring, " },
	{ .comment = "sfabric:io-write@fs=0.2", .wanted = "yes|on|io-write@fs=0.2|" },
	{ .network = "sfabric:neighbor=0.4", .wanted = "yes|on|neighbor=0.4|" },
	{ .comment = "sfabric:mpi=0.3", .network = "sfabric:neighbor=0.4",
	  .wanted = "yes|on|mpi=0.3|" },
	{ .comment = "sfabric:off", .network = "sfabric:neighbor=0.4",
	  .wanted = "no|on|" PRIOR "|" },
	{ .network = "sfabric:off", .name = "traffic", .wanted = "no|on|" PRIOR "|" },
	/* hints that are wrong */
	{ .comment = "sfabric:io-write@tape=0.2",
	  .wanted = "yes|on|" PRIOR "|",
	  .complaint = "io-write: there is no IO set \"tape\"" },
	{ .comment = "sfabric:io-read@tape", .network = "sfabric:mpi=0.1",
	  .wanted = "yes|on|" PRIOR "|", .complaint = "io-read: there is no IO set \"tape\"" },
	{ .network = "sfabric:io-write@tape", .name = "traffic",
	  .wanted = "yes|on|neighbor=0.2|", .complaint = "there is no IO set \"tape\"" },
	{ .comment = "sfabric:mpi=7",
	  .wanted = "yes|on|" PRIOR "|", .complaint = "share 7" },
	{ .comment = "sfabric:mpi=0.7+neighbor=0.6",
	  .wanted = "yes|on|" PRIOR "|", .complaint = "sum" },
	{ .comment = "sfabric:bananas",
	  .wanted = "yes|on|" PRIOR "|", .complaint = "bananas" },
	/* what the script says */
	{ .name = "traffic", .wanted = "yes|on|neighbor=0.2|" },
	{ .comment = "sfabric:mpi=0.3", .name = "traffic", .wanted = "yes|on|mpi=0.3|" },
	{ .comment = "sfabric:mpi=0.3", .name = "hint", .wanted = "yes|on|mpi=0.3|" },
	{ .comment = "sfabric:io-write@tape", .name = "hint",
	  .wanted = "yes|on|" PRIOR "|", .complaint = "there is no IO set \"tape\"" },
	{ .name = "nodes", .wanted = "yes|on|mpi=0.04|" },
	{ .name = "lost", .wanted = "yes|on|mpi=0.1|" },
	{ .name = "tape", .wanted = "no|on||" },
	{ .name = "quiet", .wanted = "no|on|" PRIOR "|" },
	{ .name = "off", .wanted = "no|off|" PRIOR "|" },
	{ .name = "observe", .wanted = "yes|observe|" PRIOR "|" },
	{ .name = "weights", .wanted = "yes|on|" PRIOR "|own:0,others:9" },
	{ .name = "many", .wanted = "yes|on|mpi=0.3|others:3" },
	/* modes, also of a partition */
	{ .conf = "Mode=observe\n", .comment = "sfabric:mpi=0.3",
	  .wanted = "yes|observe|mpi=0.3|" },
	{ .conf = "Mode=observe\n", .name = "on", .wanted = "yes|on|" PRIOR "|" },
	{ .conf = "Mode=off\n", .comment = "sfabric:mpi=0.3", .wanted = "no|off|mpi=0.3|" },
	{ .conf = "Mode=off\n", .name = "on", .wanted = "no|off|" PRIOR "|" },
	{ .conf = "Mode=on\nPartitionMode=debug:off\n", .partition = "debug", .name = "on",
	  .wanted = "no|off|" PRIOR "|" },
	{ .conf = "Mode=off\nPartitionMode=debug:observe\n", .partition = "debug",
	  .wanted = "yes|observe|" PRIOR "|" },
	{ .conf = "Mode=off\nPartitionMode=debug:on\n", .partition = "debug", .name = "off",
	  .wanted = "no|off|" PRIOR "|" },
};

/* On routes that choose for themselves. */
static const struct fact observed[] = {
	{ .wanted = "yes|observe|" PRIOR "|" },
	{ .name = "on", .wanted = "yes|observe|" PRIOR "|" },
	{ .conf = "Mode=on\nAdaptive=split\n", .name = "on",
	  .wanted = "yes|observe|" PRIOR "|" },
	{ .name = "off", .wanted = "no|off|" PRIOR "|" },
};

/* On adaptive routes over known ports. */
static const struct fact split[] = {
	{ .name = "on", .wanted = "yes|on|" PRIOR "|" },
	{ .conf = "Mode=on\nAdaptive=observe\n", .name = "on",
	  .wanted = "yes|observe|" PRIOR "|" },
};

/* -- the two sides ------------------------------------------------------------- */

struct sides {
	const struct fact *fact;
	char conf[400];		/* text */
	struct service t;
};

static void start(struct sides *s, const struct fact *fact,
		  const struct clos *made)
{
	const char *script = unit_path("script");

	s->fact = fact;
	snprintf(s->conf, sizeof(s->conf), "%sPolicy=%s\n",
		 fact->conf ? fact->conf : "Mode=on\n", script);
	unit_write(script, SCRIPT);
	unit_write(unit_path("conf"), s->conf);
	service_save_snapshot(made, unit_path("snap"));
	service_start(&s->t, made, s->conf);
	for (uint32_t i = made->hosts; i < s->t.nnodes; i += made->hosts)
		s->t.node[i] = 0;	/* serve IO: no compute hosts */
	s->t.ask.comment = fact->comment;
	s->t.ask.network = fact->network;
	s->t.ask.partition = fact->partition;
	s->t.ask.limit_s = 3600;
	s->t.ask.who.name = fact->name;
	s->t.ask.who.user = getuid();
}

static void add_option(char *command, size_t size, const char *option,
		       const char *value)
{
	size_t n = strlen(command);

	if (value)
		snprintf(command + n, size - n, " --%s='%s'", option, value);
}

/* What `sfabric WORDS` prints about the job, with its warnings. */
static const char *run(const struct sides *s, const char *words, char *out,
		       size_t size)
{
	const struct fact *f = s->fact;
	char command[1000];
	FILE *in;
	size_t n;

	ck_assert_ptr_nonnull(getenv("SFAB_BUILDDIR"));
	snprintf(command, sizeof(command), "'%s/tools/sfabric' %s --snapshot=%s/snap"
		 " --conf=%s/conf -N %d -t 60", getenv("SFAB_BUILDDIR"), words,
		 unit_folder(), unit_folder(), NODES);
	add_option(command, sizeof(command), "comment", f->comment);
	add_option(command, sizeof(command), "network", f->network);
	add_option(command, sizeof(command), "partition", f->partition);
	add_option(command, sizeof(command), "job-name", f->name);
	strcat(command, " 2>&1");
	in = popen(command, "r");
	ck_assert_ptr_nonnull(in);
	n = fread(out, 1, size - 1, in);
	out[n] = '\0';
	ck_assert_msg(pclose(in) == 0, "%s: %s", command, out);
	return out;
}

/* Write those that are not the default, as "own:0,others:9". */
static void put_weights(const struct sfab_decision *d, char *out, size_t size)
{
	size_t n = 0;

	*out = '\0';
	for (int i = 0; i < SFAB_NTERMS; i++)
		if (d->weights[i] != sfab_default_weights[i])
			n += (size_t) snprintf(out + n, size - n, "%s%s:%g",
				n ? "," : "",
				sfab_term_name((enum sfab_term) i),
				d->weights[i]);
}

/* The decision in the words of `sfabric policy test`; @sends: the traffic. */
static void put_decision(const struct sfab_decision *d,
			 const struct sfab_traffic *sends, char *out, size_t size)
{
	char traffic[400], weights[200] = "";
	int placed = d->reason == SFAB_PLACED || d->reason == SFAB_STOCK_OBSERVE;

	if (d->reason != SFAB_STOCK_OFF)	/* then it was not looked at */
		put_weights(d, weights, sizeof(weights));
	snprintf(out, size, "%s|%s|%s|%s", placed ? "yes" : "no",
		 sfab_mode_name(d->mode),
		 sfab_traffic_text(sends, traffic, sizeof(traffic)), weights);
}

/* What the job sends once it runs. */
static struct sfab_traffic running(struct sides *s)
{
	static const uint32_t node[NODES] = { 0, 1, 2, 3 };
	struct sfab_place_run run = {
		.id = 7, .asked_id = 7, .n = NODES, .node = node,
		.flags = SFAB_RUN_WHOLE_NODES | SFAB_RUN_KNOWN,
		.partition = s->t.ask.partition, .comment = s->t.ask.comment,
		.network = s->t.ask.network, .who = s->t.ask.who,
		.limit_s = s->t.ask.limit_s,
	};
	struct sfab_traffic sends;
	struct sfab_job job;

	sfab_place_begin(s->t.p, &run);
	ck_assert_int_eq(sfab_place_job(s->t.p, run.id, &job, &sends), 0);
	sfab_place_end(s->t.p, run.id, 0);
	return sends;
}

/* Each node of the decision stands in the list of the preview, and no other. */
static void check_nodes(const struct sides *s, const struct sfab_decision *d,
			const char *json)
{
	const char *list = strstr(json, "\"node_list\"");
	size_t n = list ? strcspn(list, "]") : 0;
	char part[2000], name[20];

	ck_assert(n > 0 && n < sizeof(part));
	snprintf(part, n + 1, "%s", list);
	for (uint32_t i = 0; i < s->t.nnodes; i++) {
		snprintf(name, sizeof(name), "\"n%u\"", i + 1);
		ck_assert_msg(!strstr(part, name) == !sfab_decision_has(d, i),
			      "%s: plugin %s, preview %s", name,
			      service_nodes_text(d, s->t.nnodes), part);
	}
}

static void check_preview(struct sides *s, const struct sfab_decision *d,
			  const struct sfab_traffic *sends)
{
	char out[60000], text[400], line[500];

	run(s, "place --json", out, sizeof(out));
	snprintf(line, sizeof(line), "\"traffic\": \"%s\"",
		 sfab_traffic_text(sends, text, sizeof(text)));
	ck_assert_msg(strstr(out, line) != NULL, "expected %s: %s", line, out);
	snprintf(line, sizeof(line), "the hint is wrong: %s", d->hint_text);
	ck_assert_msg(!strstr(out, line) == !*d->hint_text, "%s: %s", line, out);
	if (d->reason == SFAB_PLACED || d->reason == SFAB_STOCK_OBSERVE) {
		ck_assert_msg(!strstr(out, "leave the job to Slurm"), "%s", out);
		check_nodes(s, d, out);
		return;
	}
	snprintf(line, sizeof(line), "%s: the plugin would leave the job to Slurm",
		 sfab_reason_text(d->reason));
	ck_assert_msg(strstr(out, line) != NULL, "expected %s: %s", line, out);
}

static void check(const struct fact *fact, const struct clos *made)
{
	const struct sfab_decision *d;
	struct sfab_traffic sends;
	char out[4000], text[600];
	struct sides s;

	start(&s, fact, made);
	sends = running(&s);
	d = service_ask(&s.t, 1, NODES);
	put_decision(d, &sends, text, sizeof(text));
	ck_assert_str_eq(text, fact->wanted);
	if (d->reason != SFAB_STOCK_OFF)
		put_decision(d, &d->traffic, text, sizeof(text));
	ck_assert_str_eq(text, fact->wanted);
	run(&s, "policy test -P -h -o placed,mode,traffic,weights", out,
	    sizeof(out));
	snprintf(text, sizeof(text), "%s\n", fact->wanted);
	ck_assert_msg(strstr(out, text) != NULL, "expected %s: %s", text, out);
	if (d->reason != SFAB_STOCK_OFF)
		ck_assert_msg(!*d->hint_text == !fact->complaint &&
			      (!fact->complaint ||
			       strstr(d->hint_text, fact->complaint)), "%s",
			      d->hint_text);
	check_preview(&s, d, &sends);
}

LOOP_TEST(plugin_and_commands_agree, N(facts))
{
	check(&facts[_i], &service_shape);
}

LOOP_TEST(adaptive_routes_are_observed_by_both, N(observed))
{
	check(&observed[_i], &unknown);
}

LOOP_TEST(known_groups_are_split_by_both, N(split))
{
	check(&split[_i], &groups);
}

UNIT_MAIN("place, preview")
