/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_place_preview.c - the same facts, the same answer: the placement service
 * as slurmctld asks it, beside `sfabric place` and `sfabric policy test`
 */

#include <unistd.h>

#include "io/file.h"
#include "tests/unit/fixtures/placed.h"
#include "tests/unit/fixtures/unit.h"

static const struct made unknown = { .leaves = 4, .spines = 2, .hosts = 4,
				      .grouped = SFAB_ADAPTIVE_UNKNOWN };
static const struct made groups = { .leaves = 4, .spines = 2, .hosts = 4,
				    .grouped = SFAB_ADAPTIVE_GROUPS };

#define NODES 4
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
	const char *conf;		/* besides Policy= */
	const char *comment, *network, *partition, *name;
	const char *wanted;		/* placed|mode|traffic|weights */
	const char *complaint;		/* of the hint, or NULL */
} facts[] = {
	/* nothing is said */
	{ "Mode=on\n", NULL, NULL, NULL, NULL, "yes|on|mpi=0.25+io-write=0.05+io-read=0.02|", NULL },
	{ "Mode=on\nDefaultTraffic=neighbor=0.3\n", "a comment", "a network",
	  NULL, NULL, "yes|on|neighbor=0.3|", NULL },
	{ "Mode=on\nDefaultTraffic=io-write@fs=0.2+mpi=0.1\n", NULL, NULL, NULL,
	  NULL, "yes|on|io-write@fs=0.2+mpi=0.1|", NULL },
	/* a default of which part, or all, is not there */
	{ "Mode=on\nDefaultTraffic=io-write@tape=0.2+mpi=0.1\n", NULL, NULL,
	  NULL, NULL, "yes|on|mpi=0.1|", NULL },
	{ "Mode=on\nDefaultTraffic=io-write@tape=0.2\n", NULL, NULL, NULL, NULL,
	  "no|on||", NULL },
	/* hints */
	{ "Mode=on\n", "sfabric:mpi=0.3", NULL, NULL, NULL, "yes|on|mpi=0.3|",
	  NULL },
	{ "Mode=on\n", "sfabric:io-write", NULL, NULL, NULL,
	  "yes|on|io-write=0.05|", NULL },
	{ "Mode=on\n", "sfabric:mpi", NULL, NULL, NULL, "yes|on|mpi=0.25|", NULL },
	{ "Mode=on\n", "sfabric:alltoall", NULL, NULL, NULL,
	  "yes|on|alltoall=0.25|", NULL },
	{ "Mode=on\n", NULL, "sfabric:allreduce+io-write@fs=0.2", NULL, NULL,
	  "yes|on|allreduce=0.25+io-write@fs=0.2|", NULL },
	{ "Mode=on\nDefaultTraffic=mpi=0.3\n", "sfabric:ring", NULL, NULL, NULL,
	  "yes|on|ring=0.3|", NULL },
	{ "Mode=on\nDefaultTraffic=allreduce=0.3\n", NULL, NULL, NULL, NULL,
	  "yes|on|allreduce=0.3|", NULL },
	{ "Mode=on\n", "sfabric:alltoall=0.3", NULL, NULL, "hint",
	  "yes|on|alltoall=0.3|", NULL },
	{ "Mode=on\n", "sfabric:alltoal", NULL, NULL, NULL, "yes|on|mpi=0.25+io-write=0.05+io-read=0.02|",
	  "traffic class alltoal (expected mpi, alltoall, allreduce, ring, " },
	{ "Mode=on\n", "sfabric:io-write@fs=0.2", NULL, NULL, NULL,
	  "yes|on|io-write@fs=0.2|", NULL },
	{ "Mode=on\n", NULL, "sfabric:neighbor=0.4", NULL, NULL,
	  "yes|on|neighbor=0.4|", NULL },
	{ "Mode=on\n", "sfabric:mpi=0.3", "sfabric:neighbor=0.4", NULL, NULL,
	  "yes|on|mpi=0.3|", NULL },
	{ "Mode=on\n", "sfabric:off", "sfabric:neighbor=0.4", NULL, NULL,
	  "no|on|mpi=0.25+io-write=0.05+io-read=0.02|", NULL },
	{ "Mode=on\n", NULL, "sfabric:off", NULL, "traffic", "no|on|mpi=0.25+io-write=0.05+io-read=0.02|",
	  NULL },
	/* hints that are wrong */
	{ "Mode=on\n", "sfabric:io-write@tape=0.2", NULL, NULL, NULL,
	  "yes|on|mpi=0.25+io-write=0.05+io-read=0.02|", "io-write: there is no IO set \"tape\"" },
	{ "Mode=on\n", "sfabric:io-read@tape", "sfabric:mpi=0.1", NULL, NULL,
	  "yes|on|mpi=0.25+io-write=0.05+io-read=0.02|", "io-read: there is no IO set \"tape\"" },
	{ "Mode=on\n", NULL, "sfabric:io-write@tape", NULL, "traffic",
	  "yes|on|neighbor=0.2|", "there is no IO set \"tape\"" },
	{ "Mode=on\n", "sfabric:mpi=7", NULL, NULL, NULL, "yes|on|mpi=0.25+io-write=0.05+io-read=0.02|",
	  "share 7" },
	{ "Mode=on\n", "sfabric:mpi=0.7+neighbor=0.6", NULL, NULL, NULL,
	  "yes|on|mpi=0.25+io-write=0.05+io-read=0.02|", "sum" },
	{ "Mode=on\n", "sfabric:bananas", NULL, NULL, NULL, "yes|on|mpi=0.25+io-write=0.05+io-read=0.02|",
	  "bananas" },
	/* what the script says */
	{ "Mode=on\n", NULL, NULL, NULL, "traffic", "yes|on|neighbor=0.2|", NULL },
	{ "Mode=on\n", "sfabric:mpi=0.3", NULL, NULL, "traffic",
	  "yes|on|mpi=0.3|", NULL },
	{ "Mode=on\n", "sfabric:mpi=0.3", NULL, NULL, "hint",
	  "yes|on|mpi=0.3|", NULL },
	{ "Mode=on\n", "sfabric:io-write@tape", NULL, NULL, "hint",
	  "yes|on|mpi=0.25+io-write=0.05+io-read=0.02|", "there is no IO set \"tape\"" },
	{ "Mode=on\n", NULL, NULL, NULL, "nodes", "yes|on|mpi=0.04|", NULL },
	{ "Mode=on\n", NULL, NULL, NULL, "lost", "yes|on|mpi=0.1|", NULL },
	{ "Mode=on\n", NULL, NULL, NULL, "tape", "no|on||", NULL },
	{ "Mode=on\n", NULL, NULL, NULL, "quiet", "no|on|mpi=0.25+io-write=0.05+io-read=0.02|", NULL },
	{ "Mode=on\n", NULL, NULL, NULL, "off", "no|off|mpi=0.25+io-write=0.05+io-read=0.02|", NULL },
	{ "Mode=on\n", NULL, NULL, NULL, "observe", "yes|observe|mpi=0.25+io-write=0.05+io-read=0.02|", NULL },
	{ "Mode=on\n", NULL, NULL, NULL, "weights",
	  "yes|on|mpi=0.25+io-write=0.05+io-read=0.02|own:0,others:9", NULL },
	{ "Mode=on\n", NULL, NULL, NULL, "many", "yes|on|mpi=0.3|others:3", NULL },
	/* modes, also of a partition */
	{ "Mode=observe\n", "sfabric:mpi=0.3", NULL, NULL, NULL,
	  "yes|observe|mpi=0.3|", NULL },
	{ "Mode=observe\n", NULL, NULL, NULL, "on", "yes|on|mpi=0.25+io-write=0.05+io-read=0.02|", NULL },
	{ "Mode=off\n", "sfabric:mpi=0.3", NULL, NULL, NULL, "no|off|mpi=0.3|",
	  NULL },
	{ "Mode=off\n", NULL, NULL, NULL, "on", "no|off|mpi=0.25+io-write=0.05+io-read=0.02|", NULL },
	{ "Mode=on\nPartitionMode=debug:off\n", NULL, NULL, "debug", "on",
	  "no|off|mpi=0.25+io-write=0.05+io-read=0.02|", NULL },
	{ "Mode=off\nPartitionMode=debug:observe\n", NULL, NULL, "debug", NULL,
	  "yes|observe|mpi=0.25+io-write=0.05+io-read=0.02|", NULL },
	{ "Mode=off\nPartitionMode=debug:on\n", NULL, NULL, "debug", "off",
	  "no|off|mpi=0.25+io-write=0.05+io-read=0.02|", NULL },
};
#define NFACTS ((int) (sizeof(facts) / sizeof(facts[0])))

/* On routes that choose for themselves. */
static const struct fact observed[] = {
	{ "Mode=on\n", NULL, NULL, NULL, NULL, "yes|observe|mpi=0.25+io-write=0.05+io-read=0.02|", NULL },
	{ "Mode=on\n", NULL, NULL, NULL, "on", "yes|observe|mpi=0.25+io-write=0.05+io-read=0.02|", NULL },
	{ "Mode=on\nAdaptive=split\n", NULL, NULL, NULL, "on",
	  "yes|observe|mpi=0.25+io-write=0.05+io-read=0.02|", NULL },
	{ "Mode=on\n", NULL, NULL, NULL, "off", "no|off|mpi=0.25+io-write=0.05+io-read=0.02|", NULL },
};
#define NOBSERVED ((int) (sizeof(observed) / sizeof(observed[0])))

/* On adaptive routes over known ports. */
static const struct fact split[] = {
	{ "Mode=on\n", NULL, NULL, NULL, "on", "yes|on|mpi=0.25+io-write=0.05+io-read=0.02|", NULL },
	{ "Mode=on\nAdaptive=observe\n", NULL, NULL, NULL, "on",
	  "yes|observe|mpi=0.25+io-write=0.05+io-read=0.02|", NULL },
};
#define NSPLIT ((int) (sizeof(split) / sizeof(split[0])))

/* -- the two sides ------------------------------------------------------------- */

struct sides {
	const struct fact *fact;
	char folder[64];
	char conf[400];		/* text */
	struct placed t;
};

static void write_file(const struct sides *s, const char *name, const char *text)
{
	char path[100];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s", s->folder, name);
	out = fopen(path, "w");
	ck_assert(out && fputs(text, out) >= 0 && fclose(out) == 0);
}

static void start(struct sides *s, const struct fact *fact,
		  const struct made *made)
{
	struct sfab_snapshot *snap = placed_snapshot(made);
	char path[100];

	s->fact = fact;
	strcpy(s->folder, "/tmp/sfabric-preview.XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(s->folder));
	snprintf(s->conf, sizeof(s->conf), "%sPolicy=%s/script\n", fact->conf,
		 s->folder);
	write_file(s, "script", SCRIPT);
	write_file(s, "conf", s->conf);
	snprintf(path, sizeof(path), "%s/snap", s->folder);
	ck_assert_msg(!sfab_snapshot_save(snap, path, 0600, &unit_err), "%s", unit_err.text);
	sfab_snapshot_destroy(snap);
	placed_start(&s->t, made, s->conf);
	for (uint32_t i = made->hosts; i < s->t.nnodes; i += made->hosts)
		s->t.node[i] = 0;	/* serve IO: no compute hosts */
	s->t.ask.comment = fact->comment;
	s->t.ask.network = fact->network;
	s->t.ask.partition = fact->partition;
	s->t.ask.limit_s = 3600;
	s->t.ask.who.name = fact->name;
	s->t.ask.who.user = getuid();
}

static void stop(struct sides *s)
{
	static const char *const names[] = { "script", "conf", "snap" };
	char path[100];

	placed_stop(&s->t);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		snprintf(path, sizeof(path), "%s/%s", s->folder, names[i]);
		unlink(path);
	}
	rmdir(s->folder);
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
		 s->folder, s->folder, NODES);
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

/* "own:0,others:9": those that are not the default. */
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
			      placed_text(d, s->t.nnodes), part);
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

static void check(const struct fact *fact, const struct made *made)
{
	const struct sfab_decision *d;
	struct sfab_traffic sends;
	char out[4000], text[600];
	struct sides s;

	start(&s, fact, made);
	sends = running(&s);
	d = placed_ask(&s.t, 1, NODES);
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
	stop(&s);
}

LOOP_TEST(plugin_and_commands_agree, NFACTS)
{
	check(&facts[_i], &placed_tree);
}

LOOP_TEST(adaptive_routes_are_observed_by_both, NOBSERVED)
{
	check(&observed[_i], &unknown);
}

LOOP_TEST(known_groups_are_split_by_both, NSPLIT)
{
	check(&split[_i], &groups);
}

UNIT_MAIN("place, preview")
