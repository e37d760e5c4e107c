/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * wire.c - MADs through libibmad and libibumad; see wire.h
 *
 * Questions are asked one at a time, each in a few tries, and none faster than the limit of
 * MADs per second.  A node that does not answer, or too slowly in sum, is not asked again in
 * this sweep: one dead node must not hold up thousands.
 *
 * What is asked about which node is decided in discover.c, performance.c and collect.c.
 */

#include "io/wire/wire.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <infiniband/mad.h>
#include <infiniband/umad.h>

#include "io/clock.h"
#include "io/wire/adaptive.h"
#include "io/wire/wire_private.h"

#define TRIES 3			/* of a MAD within the time-out */
#define STRAYS 64		/* late answers to other questions, skipped per wait */
#define REDIRECTS 2		/* per question; a service agent needs one */
#define SECOND INT64_C(1000000000)	/* ns */
#define LATE_NS 10000000	/* most lateness that pacing makes up for: 10 ms */
#define PATIENCE 16		/* time-outs that a node may cost per sweep */
#define DISCOVERY_S 900		/* limit of a discovery, and of its MADs */
#define DISCOVERY_MADS 8000000u
#define PAST_LIDS (1u << 26)	/* entries of adaptive tables that are kept: 256 MB */
#define TABLE_MADS 8000000u	/* after it; then no switch is asked how it adapts */
#define QP1 1			/* queue pair of performance agents */
#define MAD_ROOM 1024		/* bytes that libibmad may write */

struct agent {			/* the agents of a node */
	int is_dead;		/* refused, or did not answer in this sweep, or too slowly */
	uint64_t waited_ns;	/* total time spent on its answers */
	struct sfab_performance can;
};

struct past_switch {
	uint64_t guid;
	uint32_t capacity;	/* entries allocated in ar.entry */
	struct sfab_ar_past ar;
};

struct sfab_wire {
	struct sfab_wire_options options;
	struct ibmad_port *mad;
	struct sfab_discovery *found;
	struct agent *agent;		/* by node */
	uint64_t mads, mads_max;	/* sent, and a limit */
	int64_t next_ns;		/* earliest time of the next MAD, monotonic */
	int64_t deadline_ns;		/* of a discovery */
	void *past;			/* tree of struct past_switch, by GUID */
	uint32_t past_lids;		/* capacity of all of them */
};

/*
 * Wait until the limit of MADs per second allows the next one.  Sleeps end late, and the
 * following MADs make up for that.  After a pause of more than LATE_NS the schedule starts
 * over, so that no burst follows.
 */
static void pace_mads(struct sfab_wire *w)
{
	const struct timespec next = { w->next_ns / SECOND, w->next_ns % SECOND };
	int64_t now;

	w->mads++;
	if (!w->options.rate)
		return;
	now = sfab_clock_monotonic_ns();
	if (now > w->next_ns + LATE_NS)
		w->next_ns = now;
	else if (now < w->next_ns)
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
	w->next_ns += SECOND / w->options.rate;
}

struct sfab_wire *sfab_wire_open(const struct sfab_wire_options *o,
				 struct sfab_err *err)
{
	/* Only the classes that are used are registered with the kernel. */
	static int classes[] = { IB_SMI_CLASS, IB_SMI_DIRECT_CLASS,
				 IB_PERFORMANCE_CLASS };
	struct sfab_wire *w = calloc(1, sizeof(*w));
	char port[16] = "any port";

	if (!w) {
		sfab_no_memory(err);
		return NULL;
	}
	w->options = *o;
	w->mad = mad_rpc_open_port((char *) o->ca, o->port, classes,
				   (int) (sizeof(classes) / sizeof(classes[0])));
	if (w->mad)
		return w;
	if (o->port)
		snprintf(port, sizeof(port), "port %d", o->port);
	sfab_fail(err, SFAB_EIO, "%s, %s: cannot be opened (is it up, and may you use "
		  "/dev/infiniband/umad*?)", o->ca ? o->ca : "InfiniBand", port);
	sfab_wire_close(w);
	return NULL;
}

static void forget_sweep(struct sfab_wire *w)
{
	sfab_discovery_destroy(w->found);
	free(w->agent);
	w->found = NULL;
	w->agent = NULL;
}

static void free_past_switch(void *node)
{
	free(((struct past_switch *) node)->ar.entry);
	free(node);
}

void sfab_wire_close(struct sfab_wire *w)
{
	if (!w)
		return;
	forget_sweep(w);
	tdestroy(w->past, free_past_switch);
	if (w->mad)
		mad_rpc_close_port(w->mad);
	free(w);
}

/* Get a field.  libibmad's functions take pointers that are not const. */
static uint32_t info_field(const uint8_t *info, enum MAD_FIELDS f)
{
	return mad_get_field((void *) info, 0, f);
}

/* -- one question ----------------------------------------------------------- */

/* Wait for the answer to @trid.  1: @reply is it.  0: none arrived in time. */
static int wait_for_mad(struct sfab_wire *w, uint32_t trid, uint8_t *reply)
{
	int each_ms = (int) (w->options.timeout_ms / TRIES), length;
	int64_t deadline = sfab_clock_monotonic_ns() + each_ms * (int64_t) 1000000;

	/* Late answers to earlier questions are read and dropped. */
	for (int i = 0; i < STRAYS && sfab_clock_monotonic_ns() <= deadline; i++) {
		length = IB_MAD_SIZE;
		if (umad_recv(mad_rpc_portid(w->mad), reply, &length, each_ms) < 0)
			return 0;
		if ((uint32_t) mad_get_field64(umad_get_mad(reply), 0,
					       IB_MAD_TRID_F) == trid)
			return !umad_status(reply);
	}
	return 0;
}

/* Send a MAD as often as the time-out allows.  0: no answer. */
static int exchange_mad(struct sfab_wire *w, ib_rpc_t *rpc, ib_portid_t *to,
			void *data, uint8_t *reply)
{
	int each_ms = (int) (w->options.timeout_ms / TRIES);
	int agent = mad_rpc_class_agent(w->mad, rpc->mgtclass);
	uint8_t sent[MAD_ROOM] = { 0 };

	rpc->trid = 0;
	if (mad_build_pkt(sent, rpc, to, NULL, data) < 0)
		return 0;
	for (int i = 0; i < TRIES; i++) {
		pace_mads(w);
		if (umad_send(mad_rpc_portid(w->mad), agent, sent, IB_MAD_SIZE,
			      each_ms, 0) < 0)
			return 0;
		if (wait_for_mad(w, (uint32_t) rpc->trid, reply))
			return 1;
	}
	return 0;
}

/*
 * Send @data in the MAD, and replace it by the answer's.  Performance agents may redirect us,
 * which is followed a few times: libibmad would follow forever.
 */
static enum sfab_smp_answer ask_by_mad(struct sfab_wire *w, ib_rpc_t *rpc,
				       ib_portid_t *to, void *data)
{
	int may_redirect = rpc->mgtclass == IB_PERFORMANCE_CLASS;
	uint8_t reply[MAD_ROOM];

	for (int i = 0; i <= REDIRECTS; i++) {
		const uint8_t *mad = umad_get_mad(reply);
		uint32_t status;
		const uint8_t *info =
		    mad + IB_SMP_DATA_OFFS; /* a ClassPortInfo */

		if (!exchange_mad(w, rpc, to, data, reply))
			return SFAB_SMP_SILENT;
		status = info_field(mad, IB_DRSMP_STATUS_F);
		if (status == 0) {
			memcpy(data, mad + rpc->dataoffs, (size_t) rpc->datasz);
			return SFAB_SMP_ANSWER;
		}
		if (!may_redirect || status != IB_MAD_STS_REDIRECT)
			return SFAB_SMP_REFUSED;
		to->lid = (int) info_field(info, IB_CPI_REDIRECT_LID_F);
		to->qp = info_field(info, IB_CPI_REDIRECT_QP_F);
		to->qkey = info_field(info, IB_CPI_REDIRECT_QKEY_F);
		to->sl = (uint8_t) info_field(info, IB_CPI_REDIRECT_SL_F);
		if (to->lid <= 0 || to->lid > IB_MAX_UCAST_LID)
			return SFAB_SMP_REFUSED;
	}
	return SFAB_SMP_REFUSED;
}

/* -- topology --------------------------------------------------------------- */

static enum sfab_smp_answer ask_smp(void *ctx, const struct sfab_smp_path *path,
				    unsigned id, unsigned mod,
				    uint8_t out[SFAB_SMP_SIZE])
{
	ib_rpc_t rpc = {
		.mgtclass = IB_SMI_DIRECT_CLASS, .method = IB_MAD_METHOD_GET,
		.attr = { id, mod }, .dataoffs = IB_SMP_DATA_OFFS,
		.datasz = IB_SMP_DATA_SIZE,
		.mkey = ((const struct sfab_wire *) ctx)->options.mkey,
	};
	ib_portid_t to = { .drpath = { .cnt = path->hops } };

	memcpy(to.drpath.p, path->port, sizeof(path->port));
	return ask_by_mad(ctx, &rpc, &to, out);
}

static enum sfab_smp_answer ask_in_time(void *ctx,
					const struct sfab_smp_path *path,
					unsigned id, unsigned mod,
					uint8_t out[SFAB_SMP_SIZE])
{
	struct sfab_wire *w = ctx;

	/* Checked per MAD: a lying subnet must not keep us busy beyond the limits. */
	if (sfab_clock_monotonic_ns() > w->deadline_ns || w->mads >= w->mads_max)
		return SFAB_SMP_OVER;
	return ask_smp(ctx, path, id, mod, out);
}

int sfab_wire_discover(struct sfab_wire *w, struct sfab_err *err)
{
	const struct sfab_smp_channel channel = { w, ask_in_time };

	forget_sweep(w);
	w->deadline_ns = sfab_clock_monotonic_ns() + DISCOVERY_S * SECOND;
	w->mads_max = w->mads + DISCOVERY_MADS;
	w->found = sfab_discover(&channel, err);
	if (!w->found)
		return sfab_fail_prefix(err, "%s", w->options.ca ? w->options.ca : "InfiniBand");
	w->mads_max = w->mads + TABLE_MADS;
	w->agent = calloc(w->found->n, sizeof(*w->agent));
	if (w->agent)
		return 0;
	forget_sweep(w);
	return sfab_no_memory(err);
}

const struct sfab_discovery *sfab_wire_found(const struct sfab_wire *w)
{
	static const struct sfab_discovery nothing;

	return w->found ? w->found : &nothing;
}

uint64_t sfab_wire_mads(const struct sfab_wire *w)
{
	return w->mads;
}

/*
 * Note how long node @node took, and that it is dead if this was no answer or a refusal, or if
 * it has taken too long in all.  1: it answered.
 */
static int note_answer(struct sfab_wire *w, uint32_t node, enum sfab_smp_answer answer,
		       int64_t begin_ns)
{
	struct agent *a = &w->agent[node];

	a->waited_ns += (uint64_t) (sfab_clock_monotonic_ns() - begin_ns);
	a->is_dead = answer != SFAB_SMP_ANSWER ||
		  a->waited_ns > PATIENCE * w->options.timeout_ms * 1000000ull;
	return answer == SFAB_SMP_ANSWER;
}

/* -- tables ----------------------------------------------------------------- */

struct vendor_channel {
	struct sfab_wire *w;
	uint32_t node;
};

/* Ask a vendor's question: a node that does not answer it may still answer others. */
static enum sfab_smp_answer ask_vendor_question(void *ctx, const struct sfab_smp_path *path,
						unsigned id, unsigned mod,
						uint8_t out[SFAB_SMP_SIZE])
{
	const struct vendor_channel *vendor = ctx;
	enum sfab_smp_answer answer;
	int64_t begin_ns = sfab_clock_monotonic_ns();

	if (vendor->w->agent[vendor->node].is_dead || vendor->w->mads >= vendor->w->mads_max)
		return SFAB_SMP_SILENT;
	answer = ask_smp(vendor->w, path, id, mod, out);
	note_answer(vendor->w, vendor->node, SFAB_SMP_ANSWER, begin_ns);
	return answer;
}

static int compare_past_switches(const void *a, const void *b)
{
	uint64_t x = ((const struct past_switch *) a)->guid;
	uint64_t y = ((const struct past_switch *) b)->guid;

	return (x > y) - (x < y);
}

/* Return what is known of a switch, with room for its table.  NULL: all of it is asked for. */
static struct sfab_ar_past *prepare_past(struct sfab_wire *w, const struct sfab_wire_node *node)
{
	struct past_switch *fresh = calloc(1, sizeof(*fresh)), **known, *past;
	uint32_t n = node->nblocks * SFAB_LFT_BLOCK, *entry;

	if (!fresh)
		return NULL;
	fresh->guid = node->guid;
	known = tsearch(fresh, &w->past, compare_past_switches);
	if (!known || *known != fresh)
		free(fresh);
	if (!known)
		return NULL;
	past = *known;
	if (past->capacity >= n)
		return &past->ar;
	if (n - past->capacity > PAST_LIDS - w->past_lids)
		return NULL;
	entry = realloc(past->ar.entry, n * sizeof(*entry));
	if (!entry)
		return NULL;
	past->ar.entry = entry;
	w->past_lids += n - past->capacity;
	past->capacity = n;
	return &past->ar;
}

enum sfab_ar_answer sfab_wire_adaptive(struct sfab_wire *w, uint32_t node,
				       struct sfab_ar_tables *t)
{
	struct vendor_channel vendor = { w, node };
	const struct sfab_smp_channel channel = { &vendor, ask_vendor_question };
	const struct sfab_wire_node *asked = &w->found->node[node];

	return sfab_adaptive_read(&channel, asked, prepare_past(w, asked), t);
}

int sfab_wire_lft(struct sfab_wire *w, uint32_t node, uint32_t block,
		  uint8_t out[SFAB_LFT_BLOCK])
{
	const struct sfab_wire_node *asked = &w->found->node[node];
	uint8_t data[SFAB_SMP_SIZE] = { 0 };
	enum sfab_smp_answer answer;
	int64_t begin_ns = sfab_clock_monotonic_ns();

	if (!asked->used[block]) {
		memset(out, SFAB_PORT_NONE, SFAB_LFT_BLOCK);
		return 0;
	}
	if (w->agent[node].is_dead)
		return -1;
	answer = ask_smp(w, &asked->path, IB_ATTR_LINEARFORWTBL, block, data);
	if (!note_answer(w, node, answer, begin_ns))
		return -1;
	memcpy(out, data, SFAB_LFT_BLOCK);
	return 0;
}

/* -- counters: performance.c asks for them ---------------------------------- */

int sfab_wire_ask_agent(struct sfab_wire *w, uint32_t node, uint8_t port, unsigned id,
			int set, uint8_t data[SFAB_PERFORMANCE_SIZE])
{
	ib_rpc_t rpc = {
		.mgtclass = IB_PERFORMANCE_CLASS,
		.method = set ? IB_MAD_METHOD_SET : IB_MAD_METHOD_GET,
		.attr = { id, 0 }, .dataoffs = IB_PC_DATA_OFFS,
		.datasz = SFAB_PERFORMANCE_SIZE,
	};
	const struct sfab_wire_node *asked = &w->found->node[node];
	/* All ports of a switch have one LID. */
	uint16_t lid = asked->port[asked->kind == SFAB_WIRE_SWITCH ? 0 : port].lid;
	ib_portid_t to = { 0 };
	int64_t begin_ns = sfab_clock_monotonic_ns();

	if (!lid || w->agent[node].is_dead)
		return -1;
	ib_portid_set(&to, lid, QP1, IB_DEFAULT_QP1_QKEY);
	return note_answer(w, node, ask_by_mad(w, &rpc, &to, data), begin_ns) ? 0 : -1;
}

struct sfab_performance *sfab_wire_performance(struct sfab_wire *w, uint32_t node)
{
	return &w->agent[node].can;
}
