/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * io_guess.c - find IO servers; see io_guess.h
 *
 * Each sign is a bit.  The bits of all hosts are counted first: a sign that too many hosts have
 * is dropped before anything is decided.
 */

#include "core/fabric/io_guess.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BROAD_ONE_IN 3		/* a sign that more than one in so many hosts have is not IO's */
#define BROAD_WEAK_ONE_IN 8	/* the same for weak words, where Slurm's nodes are unknown */
#define FEW_ENOUGH 4		/* so many hosts are never too many for a weak word */
#define FAR_MORE_TIMES 4.0	/* times what a node moves on average.  Every byte that a
				   server takes was sent by nodes, so a server moves
				   nodes / servers times as much. */
#define SERVER_PART 0.5		/* of its ports' rate, at some time: a login node that copies
				   files reaches less.  With 0.3 test_io_guess.c, whose logins
				   copy at up to 0.4, takes one in 4 of 10 runs. */
#define NOTABLE 0.05		/* of its ports' rate: enough to be mentioned */
#define ALL_NODES 1.2		/* times what all nodes move: no server moves more */

enum {
	WORD = 0,
	WEAK = 1,		/* may also be a name of compute nodes: a moon, a project */
	INSIDE = 2,		/* in a longer run of letters as well: scratchlustre */
	AT_END = 4,		/* at the end of one as well: homemds */
	MODEL = 8,		/* before digits and k, n or x: ai400x, es18k */
	NOT_IO = 16,		/* the host does something else */
};

static const struct {
	const char *word;	/* NULL: a maker */
	const char *what;
	uint32_t oui;
	uint8_t kind, flags;
} signs[] = {
	{ "oss", "Lustre", 0, SFAB_IO_DATA, WORD },
	{ "ost", "Lustre", 0, SFAB_IO_DATA, WORD },
	{ "lustre", "Lustre", 0, SFAB_IO_DATA, INSIDE },
	{ "lfs", "Lustre", 0, SFAB_IO_DATA, WEAK },
	{ "mds", "Lustre metadata", 0, SFAB_IO_METADATA, AT_END },
	{ "mdt", "Lustre metadata", 0, SFAB_IO_METADATA, WORD },
	{ "mgs", "Lustre metadata", 0, SFAB_IO_METADATA, AT_END },
	{ "lnet", "LNet router", 0, SFAB_IO_ROUTER, WORD },
	{ "lnetrtr", "LNet router", 0, SFAB_IO_ROUTER, WORD },
	{ "rtr", "router", 0, SFAB_IO_ROUTER, WEAK },
	{ "nsd", "Storage Scale", 0, SFAB_IO_DATA, AT_END },
	{ "gpfs", "Storage Scale", 0, SFAB_IO_DATA, INSIDE },
	{ "ess", "Storage Scale", 0, SFAB_IO_DATA, WEAK },
	{ "essio", "Storage Scale", 0, SFAB_IO_DATA, WORD },
	{ "beegfs", "BeeGFS", 0, SFAB_IO_DATA, INSIDE },
	{ "bgfs", "BeeGFS", 0, SFAB_IO_DATA, WORD },
	{ "daos", "DAOS", 0, SFAB_IO_DATA, INSIDE },
	{ "weka", "WEKA", 0, SFAB_IO_DATA, WORD },
	{ "wekafs", "WEKA", 0, SFAB_IO_DATA, WORD },
	{ "vast", "VAST", 0, SFAB_IO_DATA, WEAK },
	{ "dnode", "VAST", 0, SFAB_IO_DATA, WEAK },
	{ "sfa", "DDN", 0, SFAB_IO_DATA, WORD },
	{ "ddn", "DDN", 0, SFAB_IO_DATA, WORD },
	{ "exa", "DDN", 0, SFAB_IO_DATA, WEAK },
	{ "exascaler", "DDN", 0, SFAB_IO_DATA, WORD },
	{ "ai", "DDN", 0, SFAB_IO_DATA, MODEL },
	{ "es", "DDN", 0, SFAB_IO_DATA, MODEL },
	{ "ceph", "Ceph", 0, SFAB_IO_DATA, WORD },
	{ "osd", "Ceph", 0, SFAB_IO_DATA, WEAK },
	{ "gluster", "Gluster", 0, SFAB_IO_DATA, INSIDE },
	{ "isilon", "a filer", 0, SFAB_IO_DATA, WORD },
	{ "netapp", "a filer", 0, SFAB_IO_DATA, WORD },
	{ "panfs", "a filer", 0, SFAB_IO_DATA, WORD },
	{ "nfs", "a filer", 0, SFAB_IO_DATA, WORD },
	{ "nas", "a filer", 0, SFAB_IO_DATA, WEAK },
	{ "io", "IO", 0, SFAB_IO_DATA, WEAK },
	{ "ion", "IO", 0, SFAB_IO_DATA, WEAK },
	{ "ionode", "IO", 0, SFAB_IO_DATA, WORD },
	{ "ioserver", "IO", 0, SFAB_IO_DATA, WORD },
	{ "storage", "storage", 0, SFAB_IO_DATA, INSIDE },
	{ "stor", "storage", 0, SFAB_IO_DATA, WEAK },
	{ "scratch", "storage", 0, SFAB_IO_DATA, INSIDE | WEAK },
	{ "scr", "storage", 0, SFAB_IO_DATA, WEAK },
	{ "cache", "storage", 0, SFAB_IO_DATA, WEAK },
	{ NULL, "DataDirect Networks", 0x0001FF, SFAB_IO_DATA, WORD },
	{ NULL, "NetApp", 0x00A098, SFAB_IO_DATA, WORD },
	{ NULL, "NetApp E-Series", 0x00A0B8, SFAB_IO_DATA, WORD },
	{ NULL, "Pure Storage", 0x24A937, SFAB_IO_DATA, WORD },
	{ "login", "login", 0, 0, NOT_IO }, { "gpu", "compute", 0, 0, NOT_IO },
	{ "dgx", "compute", 0, 0, NOT_IO }, { "hgx", "compute", 0, 0, NOT_IO },
	{ "cpu", "compute", 0, 0, NOT_IO }, { "compute", "compute", 0, 0, NOT_IO },
	{ "mgmt", "management", 0, 0, NOT_IO }, { "admin", "management", 0, 0, NOT_IO },
	{ "head", "management", 0, 0, NOT_IO }, { "master", "management", 0, 0, NOT_IO },
	{ "ufm", "management", 0, 0, NOT_IO }, { "cufm", "management", 0, 0, NOT_IO },
	{ "slurm", "management", 0, 0, NOT_IO }, { "sm", "management", 0, 0, NOT_IO },
	{ "monitor", "management", 0, 0, NOT_IO },
};
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define NSIGNS (sizeof(signs) / sizeof(signs[0]))
_Static_assert(NSIGNS <= 64, "a sign is a bit of 64");

static uint64_t sign_bit(size_t i)
{
	return (uint64_t) 1 << i;
}

/* -- signs ------------------------------------------------------------------ */

/* Are the @len letters @word, in either case?  ASCII, whatever the locale: bit 5 is the case. */
static int equals_word(const char *letters, const char *word, size_t len)
{
	size_t i = 0;

	while (i < len && (letters[i] | 0x20) == word[i])
		i++;
	return i == len;
}

/* Is sign @i in the @n letters at @run? */
static int is_in_run(const char *run, size_t n, size_t i)
{
	const char *word = signs[i].word;
	size_t len = strlen(word), digits = strspn(run + n, "0123456789");
	unsigned flags = signs[i].flags;

	if (len > n)
		return 0;
	/* "400x", "18k", "200nv": the rest of an appliance's model */
	if (flags & MODEL)
		return len == n && equals_word(run, word, n) && digits >= 2 && digits <= 5 &&
		       run[n + digits] && strchr("knxKNX", run[n + digits]);
	for (size_t k = 0; flags & INSIDE && k + len <= n; k++)
		if (equals_word(run + k, word, len))
			return 1;
	return (len == n || (flags & AT_END)) && equals_word(run + n - len, word, len);
}

/*
 * Return the signs of a host.  If it is named by its GUID, its description may still say what
 * it is.
 */
static uint64_t signs_of(const struct sfab_fabric *f, uint32_t host)
{
	const struct sfab_host *h = &f->hosts[host];
	const struct sfab_port *p = &f->ports[h->port0];
	char guid[SFAB_GUID_NAME_SIZE];
	int is_guid = strcmp(h->name, sfab_fabric_guid_name(p->node_guid, guid)) == 0;
	uint64_t mask = 0;

	for (const char *text = is_guid ? p->desc : h->name; *text;) {
		/* Names may hold any bytes: only ASCII letters make a word. */
		size_t n = strspn(text, LETTERS);

		for (size_t i = 0; n && i < NSIGNS; i++)
			if (signs[i].word && is_in_run(text, n, i))
				mask |= sign_bit(i);
		text += n ? n : 1;
	}
	for (size_t i = 0; i < NSIGNS; i++)
		for (uint32_t k = 0; signs[i].oui && k < h->nports; k++)
			if (p[k].node_guid >> 40 == signs[i].oui ||
			    p[k].guid >> 40 == signs[i].oui)
				mask |= sign_bit(i);
	return mask;
}

/* -- all hosts -------------------------------------------------------------- */

struct io_guesser {
	const struct sfab_io_guess_options *ask;
	const struct sfab_fabric *f;
	struct sfab_io_guess *found;
	uint64_t broad;			/* signs that too many hosts have */
	int any_server_rate;		/* 1: a host that is no node moves as much as a server */
	double node_moves, node_net;	/* bytes/s of a node on average; < 0: unknown */
	uint32_t counted_nodes;
};

struct host_rates {		/* bytes/s of a host */
	double received, sent, port_rate;	/* port_rate: of its ports that are in use */
	int known;				/* 0: no port has counters */
};

static enum sfab_io_said said_of(const struct io_guesser *g, uint32_t h)
{
	return g->ask->said ? (enum sfab_io_said) g->ask->said[h] : SFAB_SAID_NOTHING;
}

static int is_server_host(const struct io_guesser *g, uint32_t h)
{
	return g->f->hosts[h].role != SFAB_HOST_SHARP;
}

/*
 * Sum the rates of a host over its cabled ports that have counters.  Only ports that are in use
 * count for its port rate.
 */
static struct host_rates rates_of_host(const struct io_guesser *g, uint32_t h)
{
	const struct sfab_host *host = &g->f->hosts[h];
	struct host_rates rates = { 0 };

	for (uint32_t p = host->port0; g->ask->rate && p < host->port0 + host->nports; p++) {
		const struct sfab_port *port = &g->f->ports[p];
		double received, sent;

		if (!sfab_port_is_cabled(port))
			continue;
		received = g->ask->rate[port->eject];
		sent = g->ask->rate[port->inject];
		if (!(received >= 0) || !(sent >= 0))
			continue;
		rates.received += received;
		rates.sent += sent;
		rates.port_rate += fmax(received, sent) >= NOTABLE * port->rate ? port->rate : 0;
		rates.known = 1;
	}
	return rates;
}

/*
 * Mark the signs that prove nothing: too many hosts have them, or half of these are nodes of
 * Slurm.
 */
static void drop_broad_signs(struct io_guesser *g)
{
	uint32_t count[NSIGNS] = { 0 }, nodes[NSIGNS] = { 0 }, n = 0;

	for (uint32_t h = 0; h < g->f->nhosts; h++) {
		uint64_t mask;

		if (!is_server_host(g, h))
			continue;
		n++;
		mask = signs_of(g->f, h);
		for (size_t i = 0; mask && i < NSIGNS; i++)
			if (mask & sign_bit(i)) {
				count[i]++;
				nodes[i] += said_of(g, h) == SFAB_SAID_NODE;
			}
	}
	for (size_t i = 0; i < NSIGNS; i++) {
		uint32_t c = count[i];
		int weak = signs[i].flags & WEAK && !g->found->has_nodes;

		if (signs[i].flags & NOT_IO)
			continue;
		if ((uint64_t) c * BROAD_ONE_IN > n || (c && nodes[i] * 2 >= c) ||
		    (weak && c > FEW_ENOUGH && (uint64_t) c * BROAD_WEAK_ONE_IN > n))
			g->broad |= sign_bit(i);
	}
}

/* Find what a node moves on average: the measure of "far more". */
static void weigh_nodes(struct io_guesser *g)
{
	double moves = 0, net = 0;
	uint32_t n = 0;

	for (uint32_t h = 0; h < g->f->nhosts; h++) {
		struct host_rates rates;

		if (said_of(g, h) != SFAB_SAID_NODE)
			continue;
		rates = rates_of_host(g, h);
		n += rates.known;
		moves += fmax(rates.received, rates.sent);
		net += fabs(rates.received - rates.sent);
	}
	g->counted_nodes = n;
	g->node_moves = n ? moves / n : -1;
	g->node_net = n ? net / n : -1;
}

/*
 * Return the part of @rate, bytes/s of its ports, that a host moves if that is far more than
 * @node, which a node moves.  Else return 0.  A host that moves more than all nodes together
 * does not serve them: it is a login node that copies files while they are idle.
 */
static double part_above_nodes(const struct io_guesser *g, double bytes, double node,
			       double rate)
{
	return bytes >= FAR_MORE_TIMES * node && bytes <= ALL_NODES * node * g->counted_nodes ?
	       bytes / rate : 0;
}

/*
 * Return the part of its ports' rate that a host moves if that is far more than nodes move.
 * Else return 0.  MPI is received as much as it is sent, so it cancels in the difference.
 */
static double part_of_ports(const struct io_guesser *g, const struct host_rates *rates)
{
	double most = fmax(rates->received, rates->sent), net = fabs(rates->received - rates->sent);

	if (!rates->port_rate || g->node_moves < 0)
		return 0;
	return fmax(part_above_nodes(g, most, g->node_moves, rates->port_rate),
		    part_above_nodes(g, net, g->node_net, rates->port_rate));
}

static void __attribute__((format(printf, 2, 3)))
add_reason(struct sfab_io_host *s, const char *fmt, ...)
{
	size_t n = strlen(s->why);
	va_list ap;

	if (n)
		n += (size_t) snprintf(s->why + n, sizeof(s->why) - n, "; ");
	if (n >= sizeof(s->why))
		return;
	va_start(ap, fmt);
	vsnprintf(s->why + n, sizeof(s->why) - n, fmt, ap);
	va_end(ap);
}

static void leave_out(struct sfab_io_host *s, const char *reason)
{
	s->in_set = 0;
	add_reason(s, "left out: %s", reason);
}

/* Read the signs in @mask.  The first in the table is the one that is named. */
static void read_signs(struct io_guesser *g, uint64_t mask, struct sfab_io_host *s)
{
	for (size_t i = 0; i < NSIGNS && !s->kind; i++) {
		if (!(mask & sign_bit(i)) || signs[i].flags & NOT_IO)
			continue;
		if (signs[i].word)
			add_reason(s, "its name has \"%s\" (%s)", signs[i].word,
				   signs[i].what);
		else
			add_reason(s, "its GUID is of %s", signs[i].what);
		if (g->broad & sign_bit(i)) {
			leave_out(s, "too many hosts have that, or nodes of Slurm");
			continue;
		}
		s->kind = signs[i].kind;
		s->in_set = 1;
	}
}

static void add_counter_reason(const struct io_guesser *g, const struct host_rates *rates,
			       struct sfab_io_host *s)
{
	add_reason(s, "counters: receives %.3g GB/s, sends %.3g, a node moves %.3g",
		   rates->received / SFAB_GB, rates->sent / SFAB_GB, g->node_moves / SFAB_GB);
}

/* Let counters decide where names do not.  A host that they contradict stays in the set. */
static void read_counters(struct io_guesser *g, uint64_t mask, struct sfab_io_host *s)
{
	struct host_rates rates = rates_of_host(g, s->host);
	int named = s->kind != SFAB_IO_NONE;
	double part = part_of_ports(g, &rates);

	if (part >= SERVER_PART) {
		add_counter_reason(g, &rates, s);
		/* A host that moves so much serves data, whatever its name says. */
		s->kind = s->kind == SFAB_IO_ROUTER ? s->kind : SFAB_IO_DATA;
		s->signs_differ |= !named && mask;
		s->in_set = 1;
	} else if (named && s->kind == SFAB_IO_DATA && rates.known && g->any_server_rate &&
		   fmax(rates.received, rates.sent) < g->node_moves) {
		add_reason(s, "but counters: it moves less than a node");
		s->signs_differ = 1;
	} else if (!named && part >= NOTABLE && said_of(g, s->host) != SFAB_SAID_BEFORE) {
		add_counter_reason(g, &rates, s);
		leave_out(s, "less than half of its port, as a login that copies; Role=io:... "
			  "if it serves");
	}
}

/* Fill in @s for one host.  Its kind stays NONE and its reason "" if nothing points at it. */
static void judge_io_host(struct io_guesser *g, struct sfab_io_host *s)
{
	enum sfab_io_said said = said_of(g, s->host);
	uint64_t mask = signs_of(g->f, s->host);
	const char *other = NULL;

	for (size_t i = 0; !other && i < NSIGNS; i++)
		if (mask & sign_bit(i) && signs[i].flags & NOT_IO)
			other = signs[i].what;
	if (said == SFAB_SAID_IO || g->f->hosts[s->host].role == SFAB_HOST_IO) {
		add_reason(s, "its role is io");
		s->kind = SFAB_IO_DATA;
		s->in_set = 1;
		return;
	}
	read_signs(g, mask, s);
	if (said == SFAB_SAID_NODE) {
		if (s->in_set)
			leave_out(s, "it is a node of Slurm");
		s->signs_differ = s->kind != SFAB_IO_NONE;
		return;
	}
	read_counters(g, mask, s);
	if (said == SFAB_SAID_BEFORE && !s->in_set) {
		add_reason(s, "counters showed it before");
		s->kind = SFAB_IO_DATA;
		s->in_set = 1;
	}
	if (s->in_set && other) {
		char reason[64];

		snprintf(reason, sizeof(reason), "its name also says %s", other);
		leave_out(s, reason);
		s->signs_differ = 1;
	}
}

/*
 * Judge all hosts.  What is found of all of them comes first: broad signs, and the rates of
 * nodes.
 */
static void judge_io_hosts(struct io_guesser *g)
{
	struct sfab_io_guess *found = g->found;
	int data = 0;

	for (uint32_t h = 0; h < g->f->nhosts; h++)
		found->has_nodes |= said_of(g, h) == SFAB_SAID_NODE;
	drop_broad_signs(g);
	weigh_nodes(g);
	for (uint32_t h = 0; h < g->f->nhosts && !g->any_server_rate; h++) {
		struct host_rates rates = rates_of_host(g, h);

		g->any_server_rate = said_of(g, h) != SFAB_SAID_NODE &&
				     part_of_ports(g, &rates) >= SERVER_PART;
	}
	for (uint32_t h = 0; h < g->f->nhosts; h++) {
		struct sfab_io_host *s = &found->host[found->n];

		*s = (struct sfab_io_host){ .host = h };
		if (is_server_host(g, h) && sfab_host_cabled(g->f, h) &&
		    said_of(g, h) != SFAB_SAID_OTHER)
			judge_io_host(g, s);
		found->n += *s->why != '\0';
		data |= s->in_set && s->kind == SFAB_IO_DATA;
	}
	/* Metadata servers and routers may be left out: see sfab_io_guess_find(). */
	for (uint32_t i = 0; i < found->n; i++) {
		struct sfab_io_host *s = &found->host[i];

		if (s->in_set && s->kind == SFAB_IO_METADATA)
			leave_out(s, "metadata servers carry little");
		else if (s->in_set && s->kind == SFAB_IO_ROUTER && data)
			leave_out(s, "the data servers are on this fabric");
		found->nin_set += s->in_set;
	}
}

int sfab_io_guess_find(const struct sfab_io_guess_options *ask, struct sfab_io_guess *found,
		       struct sfab_err *err)
{
	struct io_guesser g = { .ask = ask, .f = ask->f, .found = found };

	memset(found, 0, sizeof(*found));
	found->host = calloc(ask->f->nhosts + 1u, sizeof(*found->host));
	if (!found->host)
		return sfab_no_memory(err);
	judge_io_hosts(&g);
	return 0;
}

void sfab_io_guess_free(struct sfab_io_guess *found)
{
	free(found->host);
	memset(found, 0, sizeof(*found));
}
