/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_place.c - the placement service between hostile users and slurmctld
 *
 * An input is a string of operations: questions with any hint, name and numbers, jobs that
 * begin, end, are suspended and shrink, other node tables, other generations with other
 * scripts, made by a loader that comes as often as the input says.  Answers name nodes that are
 * there, once, among those that may be used.
 *
 * op_X() is an operation; take_X() makes an X of the next bytes of the input.
 */

#include <stdio.h>

#include "place/place_private.h"
#include "place/state/replica.h"
#include "tests/fuzz/edits.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/memo.h"

#define NODES 40
#define MAX_OPERATIONS 24	/* in one input */
#define NIDS 12			/* job IDs */
#define TEXT_BYTES 2200

/* The texts of a job.  Each ends where its block ends, so that a sanitizer sees reads beyond. */
struct texts {
	char *comment, *network, *name, *account;
};

struct fuzzed_place {
	struct bytes in;
	struct sfab_place *p;
	struct sfab_replica replica;		/* the loader's */
	struct sfab_shared_fabric *fabric;	/* of the loader's newest generation */
	uint32_t nnodes;
	uint8_t node[NODES];
	uint64_t weight[NODES];
	uint32_t allowed[NODES];
};

/* -- what users write ------------------------------------------------------- */

static const char *const words[] = {
	"sfabric:", "mpi", "neighbor", "io-write", "io-read", "@fs", "@near",
	"=0.3", "=1e308", "=-0", "=nan", "=0x1p-3", "=1e-320", "+", ";", " ", ",",
	"off", "=", "@", "\n", "\t", "\x1b[2J", "\xC2\x9B", "\xFF", "\xC3\xB6",
	"sfabric:mpi=0.5+io-write@fs=0.5", "sfabric:placed ", "=0.9999999999",
};

/* Patterns have bytes of their own, so that older inputs still mean what they did. */
static const char *const patterns[] = { "alltoall", "allreduce", "ring" };

/* Return NULL, or words and bytes in a block of just their size.  Caller frees. */
static char *take_text(struct bytes *in)
{
	static char buf[TEXT_BYTES];
	unsigned n = take_below(in, 12);
	size_t size = 0;
	char *copy;

	if (!n)
		return NULL;
	while (--n && size + 300 < TEXT_BYTES) {
		uint8_t b = take8(in);

		if (b < 200) {
			b %= sizeof(words) / sizeof(words[0]);
			size += (size_t) sprintf(buf + size, "%s", words[b]);
		} else if (b < 203) {
			size += (size_t) sprintf(buf + size, "%s", patterns[b - 200]);
		} else if (b < 220) {
			memset(buf + size, 'x', b);
			size += b;
		} else {
			buf[size++] = (char) (take8(in) | 1);
		}
	}
	buf[size++] = '\0';
	copy = malloc(size);
	fuzz_check(copy != NULL);
	return memcpy(copy, buf, size);
}

static void take_texts(struct bytes *in, struct texts *t)
{
	t->comment = take_text(in);
	t->network = take_below(in, 4) ? NULL : take_text(in);
	t->name = take_below(in, 3) ? NULL : take_text(in);
	t->account = take_below(in, 5) ? NULL : take_text(in);
}

static void free_texts(struct texts *t)
{
	free(t->comment);
	free(t->network);
	free(t->name);
	free(t->account);
}

static struct sfab_place_who make_who(const struct texts *t, uint32_t id)
{
	return (struct sfab_place_who){ t->account, "normal", t->name, id };
}

/* -- what the service says -------------------------------------------------- */

static void check_line(enum sfab_log_level level, const char *line)
{
	fuzz_check(level <= SFAB_LOG_DEBUG && strlen(line) < SFAB_LOGLINE_MAX);
	for (; *line; line++)
		fuzz_check((unsigned char) *line >= ' ' && *line != 0x7F);
}

/* -- generations ------------------------------------------------------------ */

static const char *const scripts[] = {
	NULL, NULL,
	"return { job = function(j)\n"
	" if glob(j.name or '', '*xx*') then error('no ' .. j.name) end\n"
	" if j.name then return { traffic = j.name } end\n"
	" if j.hint then return { mode = 'observe' } end\n"
	" return { traffic = 'neighbor=0.2', weights = { later = 9 } } end }",
	"return { host = function(h)\n"
	" if h.name == 'n3' then return { role = 'io', io = 'fs' } end end,\n"
	"job = function(j) if j.user == 3 then return { mode = 'off' } end end }",
	"return { host = function(h) error(h.name) end }",
};

static struct sfab_conf *take_conf(struct bytes *in)
{
	static const char *const modes[] = { "on", "on", "observe", "off" };
	static const char *const sends[] = { "mpi", "mpi=0.2+io-write", "io-read" };
	static const char *const sets[] = { "", "", "IoSet=fs Hosts=n[2,5] GBs=1\n" };
	uint8_t b = take8(in), c = take8(in);
	char text[400];

	snprintf(text, sizeof(text),
		 "Mode=%s\nDefaultTraffic=%s\nAdminComment=%s\nDebug=%s\n"
		 "Adaptive=%s\nMaxSteps=300\nPartitionMode=off:off,on:on\n%s%s",
		 modes[b % 4], sends[b / 4 % 3], b & 16 ? "no" : "yes",
		 b & 32 ? "yes" : "no", b & 64 ? "split" : "observe",
		 sets[c % 3], c & 16 ? "Weights=own:3,others:0,later:2\nMaxLeaves=1\n" : "");
	return sfab_conf_parse(text, strlen(text), "conf", NULL);
}

static struct sfab_measured *take_measured(struct bytes *in,
					   const struct sfab_fabric *f)
{
	struct sfab_measured *ms = sfab_measured_create(f);

	fuzz_check(ms != NULL);
	ms->half_life_s = 60;
	for (uint32_t i = 0; i < f->nlinks && in->nleft; i += 1 + take8(in) % 8) {
		ms->rate[i] = take8(in) * 1e8;
		ms->wait[i] = take8(in) / 255.0;
		ms->time_s[i] = UINT64_C(1) << 40;
	}
	return ms;
}

/*
 * Give @gen to the service.  With threads, prepare it for the events that were reported, as the
 * loader does; without, as for a preview, the service does it all itself.
 */
static void publish(struct fuzzed_place *s, struct sfab_generation *gen)
{
	if (s->p->has_threads) {
		sfab_replica_read(&s->replica, &s->p->event_queue, NULL);
		fuzz_check(sfab_replica_prepare(&s->replica, gen) == 0);
	}
	if (s->fabric != gen->shared) {
		sfab_shared_fabric_drop(s->fabric);
		s->fabric = gen->shared;
		s->fabric->users++;
	}
	sfab_generations_destroy(sfab_handoff_publish(&s->p->handoff, gen));
	sfab_generations_destroy(sfab_handoff_collect(&s->p->handoff));
	atomic_store(&s->p->handoff.expiry_s, SFAB_FOREVER);
}

/*
 * Do what the loader does in a tick: bring the generation that the service did not take up to
 * date, or make it anew.
 */
static void op_tick(struct fuzzed_place *s)
{
	struct sfab_generation *gen;

	if (!s->p->has_threads || !s->fabric)
		return;
	if (take8(&s->in) == 255)
		sfab_event_queue_lose(&s->p->event_queue);
	gen = sfab_handoff_publish(&s->p->handoff, NULL);
	if (sfab_replica_read(&s->replica, &s->p->event_queue, gen) < 0 || !gen) {
		sfab_generation_destroy(gen);
		gen = sfab_generation_again(s->fabric, NULL);
		fuzz_check(gen != NULL);
		publish(s, gen);
	} else {
		sfab_generations_destroy(sfab_handoff_publish(&s->p->handoff, gen));
	}
}

static struct sfab_generation *take_generation(struct bytes *in)
{
	struct sfab_trust trust = { 0 };
	const char *script = scripts[take_below(in, 5)];
	struct sfab_conf *conf = take_conf(in);
	struct sfab_shared_conf *shared;
	struct sfab_snapshot *snap;
	struct sfab_err err = { 0 };
	struct sfab_generation *gen;

	fuzz_check(conf != NULL);
	shared = sfab_shared_conf_take(conf, &trust);
	fuzz_check(shared != NULL);
	if (script)
		shared->script = sfab_script_parse(script, strlen(script), "lua",
						   &shared->script_err);
	snap = fuzz_edited(in);
	gen = snap ? sfab_generation_take(snap, shared, &err) : NULL;
	sfab_shared_conf_drop(shared);
	fuzz_check(gen || !snap || err.text[0]);
	return gen;
}

/* Publish another generation.  Keep fabrics known, as the loader does. */
static void op_new_generation(struct fuzzed_place *s)
{
	static struct memo slots[MEMO_SLOTS];
	const uint8_t *from = s->in.at;
	struct memo *m = memo_at(slots, &s->in);
	struct sfab_shared_fabric *known = memo_take(m, &s->in), *old = m->thing;
	struct sfab_generation *gen;

	gen = known ? sfab_generation_again(known, NULL) : take_generation(&s->in);
	fuzz_check(gen || !known);
	if (gen && !known && memo_keep(m, from, &s->in, gen->shared)) {
		gen->shared->users++;
		sfab_shared_fabric_drop(old);
	}
	if (gen)
		publish(s, gen);
}

/* Give the generation in use other counters, or publish the same fabric with others. */
static void op_measure(struct fuzzed_place *s)
{
	struct sfab_generation *gen;

	if (!s->p->generation)
		return;
	if (take8(&s->in) & 1) {
		sfab_place_use_measured(
			s->p, take_measured(&s->in, s->p->generation->f));
		return;
	}
	gen = sfab_generation_again(s->p->generation->shared, NULL);
	fuzz_check(gen != NULL);
	gen->measured = take_measured(&s->in, gen->f);
	publish(s, gen);
}

static void op_set_nodes(struct fuzzed_place *s)
{
	struct sfab_place_node node[NODES];
	char name[NODES][16];
	uint8_t what = take8(&s->in);

	s->nnodes = 1 + take_below(&s->in, NODES);
	for (uint32_t i = 0; i < s->nnodes; i++) {
		snprintf(name[i], sizeof(name[i]), "n%u",
			 what & 1 ? s->nnodes - i : i + 1);
		node[i] = (struct sfab_place_node){ name[i], what & 2 ? 8 : i % 9,
						    what & 4 ? 1000 : 0,
						    1 + (what >> 4 & 1),
						    1 + (what >> 5 & 1) };
		if (what & 8 && i % 5 == 2)
			node[i].name = NULL;
		s->node[i] = SFAB_NODE_USABLE | SFAB_NODE_IDLE;
		s->weight[i] = i % 3 == 2;
	}
	fuzz_check(sfab_place_set_nodes(s->p, node, s->nnodes, NULL) == 0);
}

/* -- jobs ------------------------------------------------------------------- */

static const unsigned ask_flags[] = {
	SFAB_ASK_TEST_ONLY, SFAB_ASK_RESERVATION, SFAB_ASK_FUTURE, SFAB_ASK_HET,
	SFAB_ASK_LLN, SFAB_ASK_SPREAD, SFAB_ASK_SERIAL, SFAB_ASK_BUSY_NODES,
	SFAB_ASK_SEGMENT, SFAB_ASK_TOPOLOGY, SFAB_ASK_GRES,
	SFAB_ASK_WHOLE_NODES, SFAB_ASK_OVERCOMMIT, SFAB_ASK_COUNT_MEMORY,
	SFAB_ASK_CONTIGUOUS, SFAB_ASK_FEW_CPUS, SFAB_ASK_ANY_CPUS,
};
#define NOT_KINDS 6		/* number of flags from WHOLE_NODES on: not kinds of jobs */
_Static_assert(sizeof(ask_flags) / sizeof(ask_flags[0]) == SFAB_NKINDS - 2 + NOT_KINDS,
	       "each kind but PLACED and NO_ID has a flag here");

/* Take a bit of the input for each flag. */
static unsigned take_flags(struct bytes *in)
{
	uint32_t drawn = take16(in);
	unsigned flags = 0;

	drawn |= (uint32_t) take8(in) << 16;
	for (unsigned i = 0; i < sizeof(ask_flags) / sizeof(ask_flags[0]); i++)
		flags |= drawn >> i & 1 ? ask_flags[i] : 0;
	return flags;
}

/* Limit which sockets, cores and threads of a node it takes, and what its partition may use. */
static void take_restrictions(struct fuzzed_place *s, struct sfab_ask *a)
{
	struct bytes *in = &s->in;
	uint8_t what = take8(in), step;

	if (what & 1) {
		a->cores_per_socket = take_below(in, 6);
		a->sockets_per_node = take_below(in, 4);
		a->tasks_per_socket = take_below(in, 6);
	}
	if (what & 2) {
		a->tasks_per_core = take_below(in, 4);
		a->threads_per_core = take_below(in, 4);
	}
	if (what & 4) {
		step = take8(in);
		for (uint32_t i = 0; i < NODES; i++)
			s->allowed[i] = i * step / 4 % 10;
		a->allowed = s->allowed;
	}
	if (what & 8)
		a->allowed_cpus = take8(in);
}

static void take_ask(struct fuzzed_place *s, struct sfab_ask *a, const struct texts *t)
{
	static const char *const partitions[] = { NULL, "p", "off", "on" };
	struct bytes *in = &s->in;
	uint8_t what = take8(in);

	*a = (struct sfab_ask){
		.id = take_below(in, NIDS), .comment = t->comment,
		.network = t->network, .partition = partitions[take_below(in, 4)],
		.node = s->node, .weight = what & 1 ? s->weight : NULL,
		.flags = what & 2 ? 0 : SFAB_ASK_WHOLE_NODES,
	};
	a->who = make_who(t, a->id);
	a->min_nodes = 1 + take_below(in, 12);
	a->req_nodes = a->max_nodes = a->min_nodes;
	if (what & 4)
		a->flags |= take_flags(in);
	if (what & 8) {
		a->min_nodes = take8(in);
		a->req_nodes = take8(in);
		a->max_nodes = what & 16 ? UINT32_MAX : take8(in);
	}
	if (what & 32) {
		a->tasks = take8(in) * (what & 64 ? 0x1010101u : 1);
		a->min_cpus = take8(in) * (what & 64 ? 0x1010101u : 1);
		a->cpus_per_task = take_below(in, 10);
		a->tasks_per_node = take_below(in, 10);
		a->cpus_per_node = take_below(in, 10);
	}
	if (what & 128) {
		a->memory_mb = (uint64_t) take8(in) << take_below(in, 57);
		a->memory_per_cpu = take8(in) & 1;
		a->switches = take_below(in, 4);
		a->limit_s = (uint64_t) take8(in) << take_below(in, 57);
		a->max_usable = take8(in);
	}
	take_restrictions(s, a);
}

static void check_nodes(const struct fuzzed_place *s, const struct sfab_ask *a,
			const struct sfab_decision *d)
{
	uint32_t n = 0;

	fuzz_check(d->id == a->id && d->reason < SFAB_NREASONS);
	if (!d->n)
		return;
	for (uint32_t i = 0; i < s->nnodes; i++) {
		n += sfab_decision_has(d, i);
		fuzz_check(!sfab_decision_has(d, i) || (s->node[i] & SFAB_NODE_USABLE));
		fuzz_check(d->reason != SFAB_PLACED || sfab_decision_has(d, i) ||
			   !(s->node[i] & SFAB_NODE_REQUIRED) ||
			   !(s->node[i] & SFAB_NODE_USABLE));
	}
	fuzz_check(n == d->n);
}

/* Set @node to the nodes that were chosen, or to any, also some beyond the table. */
static uint32_t take_nodes(struct fuzzed_place *s, const struct sfab_decision *d,
			   uint32_t *node)
{
	uint32_t n = 0, step = 1 + take_below(&s->in, 4);

	if (d && d->n && take8(&s->in) % 4)
		for (uint32_t i = 0; i < s->nnodes; i++) {
			node[n] = i;
			n += sfab_decision_has(d, i) != 0;
		}
	else
		for (uint32_t i = take8(&s->in); i < NODES + 4u && n < 9; i += step)
			node[n++] = i;
	return n;
}

static void check_comment(const struct fuzzed_place *s, const char *old)
{
	size_t size = (old ? strlen(old) : 0) + SFAB_COMMENT_MORE;
	char *buf = malloc(size);

	fuzz_check(buf != NULL);
	if (sfab_place_comment(s->p, old, buf, size))
		fuzz_check(strlen(buf) < size);
	free(buf);
}

static void begin_job(struct fuzzed_place *s, const struct sfab_ask *a,
		      const struct sfab_decision *d)
{
	uint32_t node[NODES + 4], cpus[NODES + 4], n = take_nodes(s, d, node);
	uint64_t memory[NODES + 4];
	uint8_t what = take8(&s->in);
	struct sfab_place_run run = {
		.id = what & 1 ? 1 + take_below(&s->in, NIDS) : a->id,
		.asked_id = a->id, .flags = take_below(&s->in, 16), .n = n,
		.node = node, .cpus = cpus, .memory_mb = what & 2 ? memory : NULL,
		.start_s = take8(&s->in) * 1000, .limit_s = a->limit_s,
		.nodes = what & 4 ? a->comment : "n1", .partition = a->partition,
		.comment = a->comment, .network = a->network, .who = a->who,
	};

	for (uint32_t i = 0; i < n; i++) {
		cpus[i] = take8(&s->in);
		memory[i] = 100u * take8(&s->in);
	}
	if (what & 8) {
		sfab_place_add_past_job(s->p, &run, run.start_s + 10);
		return;
	}
	sfab_place_begin(s->p, &run);
	check_comment(s, what & 16 ? a->comment : a->who.name);
	for (uint32_t i = 0; i < n; i++)
		if (node[i] < s->nnodes)
			s->node[node[i]] ^= take8(&s->in) % 16;
}

static void op_ask(struct fuzzed_place *s)
{
	const struct sfab_decision *d;
	struct sfab_job job;
	struct sfab_traffic t;
	struct texts texts;
	struct sfab_ask a;
	uint8_t what = take8(&s->in);

	take_texts(&s->in, &texts);
	take_ask(s, &a, &texts);
	d = sfab_place_ask(s->p, &a);
	check_nodes(s, &a, d);
	sfab_place_may_spare(s->p, d);
	if (what & 1) {
		d = sfab_place_ask_more(s->p, &a);
		if (d)
			check_nodes(s, &a, d);
	}
	if (what & 2)
		begin_job(s, &a, d);
	sfab_place_job(s->p, a.id, &job, &t);
	free_texts(&texts);
}

static void op_end(struct fuzzed_place *s)
{
	uint32_t id = take_below(&s->in, NIDS);

	sfab_place_end(s->p, id, take8(&s->in));
}

/* Suspend, resume or shrink a job. */
static void op_change(struct fuzzed_place *s)
{
	uint32_t id = take_below(&s->in, NIDS);

	switch (take_below(&s->in, 4)) {
	case 0:
		sfab_place_resume(s->p, id);
		break;
	case 1:
		sfab_place_suspend(s->p, id, SFAB_RUN_FREES_CPUS);
		break;
	case 2:
		sfab_place_suspend(s->p, id, 0);
		break;
	default:
		sfab_place_shrink(s->p, id, take_below(&s->in, s->nnodes));
	}
}

/* Return the ring of all inputs.  Its thread writes nowhere. */
static struct sfab_logring *log_ring(void)
{
	static struct sfab_logring *r;

	if (!r)
		r = sfab_logring_start(1 << 20, NULL, NULL);
	return r;
}

/* Return the service of all inputs: to make one for each takes longer than all else. */
static struct sfab_place *get_service(void)
{
	static struct sfab_place *p;
	struct sfab_place_options o = { .log = check_line };

	if (p)
		return p;
	p = sfab_place_create(&o, NULL);
	fuzz_check(p != NULL);
	p->ring = log_ring();
	return p;
}

/*
 * Reset the service to how it was made, without a generation and a past, so that an input does
 * the same after any other.  slurmctld never needs this, so place has no function for it.
 * Leave jobs to the next op_set_nodes(), which drops them.
 */
static void reset_service(struct fuzzed_place *s)
{
	struct sfab_place *p = s->p;

	p->has_threads = 0;
	if (p->generation)
		sfab_handoff_retire(&p->handoff, p->generation);
	p->generation = NULL;
	sfab_generations_destroy(sfab_handoff_publish(&p->handoff, NULL));
	sfab_generations_destroy(sfab_handoff_collect(&p->handoff));
	sfab_shared_fabric_drop(s->fabric);
	sfab_replica_read(&s->replica, &p->event_queue, NULL);
	sfab_replica_clear(&s->replica);
	atomic_store(&p->event_queue.loss, SFAB_LOST_NONE);
	memset(&p->begin_decision, 0, sizeof(p->begin_decision));
	memset(&p->counts, 0, sizeof(p->counts));
	memset(p->recent_jobs, 0, sizeof(p->recent_jobs));
	p->is_ready = p->generation_fits = p->is_reported_again = p->has_searched = 0;
	p->gets_comment = p->is_failure_logged = 0;
	p->round = p->events = p->serial = p->base_serial = 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static void (*const operations[])(struct fuzzed_place *) = {
		op_ask,	    op_ask,  op_ask,  op_ask,	    op_ask,
		op_ask,	    op_ask,  op_end,  op_change,    op_change,
		op_measure, op_tick, op_tick, op_set_nodes, op_new_generation,
	};
	struct fuzzed_place s = { .in = { data, size }, .p = get_service() };

	s.p->has_threads = take8(&s.in) & 1;
	op_set_nodes(&s);
	op_new_generation(&s);
	for (int i = 0; i < MAX_OPERATIONS && s.in.nleft; i++)
		operations[take_below(&s.in, sizeof(operations) / sizeof(operations[0]))](&s);
	reset_service(&s);
	return 0;
}
