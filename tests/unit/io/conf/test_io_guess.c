/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * test_io_guess.c - IO servers by name, maker and counters: on made fabrics, and on recorded
 * ones
 *
 * A recording is what `ibnetdiscover` prints on a cluster.  Those that recorded[] names belong
 * to their sites and are not part of the tree.  A test whose recording is not in
 * ../shared/fabrics says "skipped", and passes.
 */

#include "tests/unit/fixtures/unit.h"

#include <unistd.h>

#include "core/random.h"
#include "io/conf/conf_guess.h"
#include "io/readers/reader.h"
#include "tests/unit/fixtures/fabrics.h"

static void rename_host(struct sfab_fabric *f, uint32_t h, const char *name)
{
	((struct sfab_host *) f->hosts)[h].name = name;
}

/* -- made fabrics ----------------------------------------------------------- */

#define LEAVES 6u
#define PER_LEAF 4u
#define HOSTS (LEAVES * PER_LEAF)

static struct sfab_fabric *two_dozen(void)
{
	return unit_fabric(&(struct clos){ .leaves = LEAVES, .spines = 2, .hosts = PER_LEAF });
}

/* The last hosts get the names; all others stay n1, n2 ...  "": nothing is found. */
static const struct {
	const char *name[10];	/* up to the first NULL */
	const char *line, *why;	/* of the first renamed host */
} named[] = {
	{ { "oss1", "oss2", "mds1" }, "oss[1-2]", "\"oss\"" },
	{ { "OSS-01", "ost7" }, "OSS-01,ost7", "Lustre" },
	{ { "nsd01", "ess-io1" }, "ess-io1,nsd01", "Storage Scale" },
	{ { "beegfs-st1", "rzdaos2", "weka03" }, "beegfs-st1,rzdaos2,weka03", "BeeGFS" },
	{ { "ai400x2-c1", "sfa18k", "st21scr05" }, "ai400x2-c1,sfa18k,st21scr05", "DDN" },
	{ { "ion1", "ion2" }, "ion[1-2]", "\"ion\"" },
	{ { "lnet1", "rtr2" }, "lnet1,rtr2", "LNet router" },
	{ { "lnet1", "oss1" }, "oss1", "the data servers are on this fabric" },
	{ { "mds1", "mds2" }, "", "metadata servers carry little" },
	{ { "moss1", "boss2", "ghost3", "ai200", "es4", "ionic" }, "", NULL },
	{ { "io-gpu1", "oss-login" }, "", "its name also says compute" },
	{ { "io1", "io2", "io3", "io4", "io5" }, "", "too many hosts" },
	{ { "oss1", "oss2", "oss3", "oss4", "oss5", "oss6", "oss7", "oss8", "oss9" },
	  "", "too many hosts" },
	{ { "oss1,x", "oss[2-3]", "oss\n4", "oss\xff" "5", "oss6" }, "oss6", "\"oss\"" },
};

static const struct sfab_io_host *host_found(const struct sfab_io_guess *found, uint32_t h)
{
	for (uint32_t i = 0; i < found->n; i++)
		if (found->host[i].host == h)
			return &found->host[i];
	return NULL;
}

LOOP_TEST(names_say_who_serves, N(named))
{
	struct sfab_fabric *f = two_dozen();
	struct sfab_io_guess_options ask = { .f = f };
	struct sfab_io_guess found;
	const struct sfab_io_host *s;
	char *hosts;

	for (uint32_t i = 0; named[_i].name[i]; i++)
		rename_host(f, i, named[_i].name[i]);
	ck_assert(sfab_io_guess_find(&ask, &found, NULL) == 0);
	hosts = sfab_conf_guess_hosts(f, &found);
	ck_assert_str_eq(hosts, named[_i].line);
	s = host_found(&found, 0);
	if (named[_i].why)
		ck_assert_msg(s && strstr(s->why, named[_i].why), "%s", s ? s->why : "none");
	else
		ck_assert_uint_eq(found.n, 0);
	free(hosts);
	sfab_io_guess_free(&found);
}

TEST(a_node_is_no_server)
{
	struct sfab_fabric *f = two_dozen();
	uint8_t said[HOSTS] = { [0] = SFAB_SAID_NODE, [3] = SFAB_SAID_IO,
				[4] = SFAB_SAID_OTHER };
	struct sfab_io_guess_options ask = { .f = f, .said = said };
	struct sfab_io_guess found;

	rename_host(f, 0, "oss1");
	rename_host(f, 1, "oss2");
	rename_host(f, 2, "oss3");
	rename_host(f, 4, "oss4");
	ck_assert(sfab_io_guess_find(&ask, &found, NULL) == 0);
	ck_assert_uint_eq(found.nin_set, 3);
	ck_assert(!host_found(&found, 0)->in_set && host_found(&found, 0)->signs_differ);
	ck_assert_ptr_nonnull(strstr(host_found(&found, 0)->why, "node of Slurm"));
	ck_assert_str_eq(host_found(&found, 3)->why, "its role is io");
	ck_assert_ptr_null(host_found(&found, 4));
	sfab_io_guess_free(&found);
}

TEST(a_maker_of_storage_is_known)
{
	struct sfab_fabric *f = two_dozen();
	struct sfab_io_guess_options ask = { .f = f };
	struct sfab_io_guess found;

	((struct sfab_port *) f->ports)[f->hosts[5].port0].guid = 0x0001ff5040040003ull;
	ck_assert(sfab_io_guess_find(&ask, &found, NULL) == 0);
	ck_assert_uint_eq(found.nin_set, 1);
	ck_assert_str_eq(host_found(&found, 5)->why, "its GUID is of DataDirect Networks");
	sfab_io_guess_free(&found);
}

/* Host 0 receives much, host 1 is quiet: each with and without a name. */
TEST(counters_and_names_may_disagree)
{
	struct sfab_fabric *f = two_dozen();
	double *rate = calloc(f->nlinks, sizeof(*rate));
	uint8_t said[HOSTS] = { 0 };
	struct sfab_io_guess_options ask = { f, said, rate };
	struct sfab_io_guess found;

	memset(said + 2, SFAB_SAID_NODE, HOSTS - 2);
	for (uint32_t p = 0; p < f->nports; p++) {
		int busy = f->ports[p].host == 0, quiet = f->ports[p].host == 1;

		rate[f->ports[p].eject] = busy ? 3e9 : quiet ? 0 : 0.2e9;
		rate[f->ports[p].inject] = busy || quiet ? 0 : 0.3e9;
	}
	rename_host(f, 1, "oss1");
	for (int knows = 1; knows >= 0; knows--) {
		memset(said + 2, knows ? SFAB_SAID_NODE : 0, HOSTS - 2);
		ck_assert(sfab_io_guess_find(&ask, &found, NULL) == 0);
		ck_assert_uint_eq(found.nin_set, 1u + (unsigned) knows);
		ck_assert(host_found(&found, 1)->signs_differ == knows);
		ck_assert(!knows || strstr(host_found(&found, 0)->why, "receives 3 GB/s"));
		sfab_io_guess_free(&found);
	}
	rename_host(f, 0, "login1");
	memset(said + 2, SFAB_SAID_NODE, HOSTS - 2);
	ck_assert(sfab_io_guess_find(&ask, &found, NULL) == 0);
	ck_assert(!host_found(&found, 0)->in_set && host_found(&found, 0)->signs_differ);
	sfab_io_guess_free(&found);
	free(rate);
}

/* Host 0, no node, receives so much on its first port; the nodes send so much each. */
static const struct {
	double receives, node;	/* bytes/s; a port has 4e9 */
	unsigned planes, in_set;
	const char *why;	/* NULL: nothing is said */
} copying[] = {
	{ 1.6e9, 0.2e9, 1, 0, "left out: less than half of its port, as a login that copies" },
	{ 2.4e9, 0.2e9, 1, 1, "receives 2.4 GB/s" },
	{ 2.4e9, 0.2e9, 2, 1, "receives 2.4 GB/s" },	/* its other rail is idle */
	{ 2.4e9, 0.7e9, 1, 0, NULL },			/* not far more than a node */
	{ 3.6e9, 0.01e9, 1, 0, NULL },			/* of which nodes sent little */
	{ 3.6e9, 0, 1, 0, NULL },
	{ 0.1e9, 0.01e9, 1, 0, NULL },
};

LOOP_TEST(a_login_that_copies_is_no_server, N(copying))
{
	struct sfab_fabric *f = unit_fabric(&(struct clos){
		.leaves = LEAVES, .spines = 2, .hosts = PER_LEAF,
		.planes = copying[_i].planes });
	double *rate = calloc(f->nlinks, sizeof(*rate));
	uint8_t said[HOSTS] = { 0 };
	struct sfab_io_guess_options ask = { f, said, rate };
	struct sfab_io_guess found;
	const struct sfab_io_host *s;

	memset(said + 1, SFAB_SAID_NODE, HOSTS - 1);
	for (uint32_t h = 0; h < HOSTS; h++) {
		const struct sfab_port *p = &f->ports[f->hosts[h].port0];

		rate[h ? p->inject : p->eject] = h ? copying[_i].node : copying[_i].receives;
	}
	ck_assert(sfab_io_guess_find(&ask, &found, NULL) == 0);
	ck_assert_uint_eq(found.nin_set, copying[_i].in_set);
	s = host_found(&found, 0);
	ck_assert_int_eq(s != NULL, copying[_i].why != NULL);
	if (s)
		ck_assert_msg(strstr(s->why, copying[_i].why) != NULL, "%s", s->why);
	ck_assert(!s || !s->signs_differ);
	sfab_io_guess_free(&found);
	free(rate);
}

TEST(what_was_found_stays)
{
	struct sfab_fabric *f = two_dozen();
	static const char text[] = "IoSet=auto\n", roles[] = "IoSet=auto\nRole=login:n3\n";
	struct sfab_conf *c = sfab_conf_parse(text, sizeof(text) - 1, "t", NULL);
	struct sfab_conf *r = sfab_conf_parse(roles, sizeof(roles) - 1, "t", NULL);
	struct sfab_iosets *before = unit_servers(f, "auto", "n3 n4", 0);
	struct sfab_io_facts facts = { .last_sets = before, .last_fabric = f };
	static const char *const nodes[] = { NULL, "n[1-3]", "elsewhere[1-9]", NULL };
	static const uint32_t n[] = { 2, 1, 2, 1 };

	for (int i = 0; i < 4; i++) {
		struct sfab_iosets *io;

		facts.nodes = nodes[i];
		io = sfab_conf_iosets(i < 3 ? c : r, f, &facts, NULL, NULL);
		ck_assert_uint_eq(io->nioports, n[i]);
		sfab_iosets_destroy(io);
	}
	sfab_conf_destroy(c);
	sfab_conf_destroy(r);
}

/* oss1 is in a set already: routers are then not needed, and auto has the others. */
TEST(auto_repeats_no_other_line)
{
	static const struct {
		const char *conf;
		const char *hosts[2];	/* of auto */
	} lines[] = {
		{ "IoSet=auto\n", { "oss1", "oss2" } },
		{ "IoSet=auto\nIoSet=x Hosts=oss1\n", { "oss2" } },
		{ "IoSet=x Hosts=oss[1-2]\nIoSet=auto\n", { NULL } },
		{ "IoSet=x Hosts=n7\nIoSet=auto\nRole=management:oss1\n", { "oss2" } },
	};
	struct sfab_fabric *f = two_dozen();

	rename_host(f, 21, "oss1");	/* hosts are in the order of names */
	rename_host(f, 22, "oss2");
	rename_host(f, 23, "rtr1");
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct sfab_conf *c = sfab_conf_parse(lines[i].conf, strlen(lines[i].conf),
						      "t", NULL);
		struct sfab_iosets *io = sfab_conf_iosets(c, f, NULL, NULL, NULL);
		uint32_t set = sfab_iosets_find(io, "auto"), n = 0;

		while (n < 2 && lines[i].hosts[n])
			n++;
		ck_assert_uint_eq(set == SFAB_NONE ? 0 : io->set[set].nmembers, n);
		for (uint32_t k = 0; k < n; k++)
			ck_assert_str_eq(f->hosts[f->ports[io->ioport[
				io->set[set].member[k]]].host].name, lines[i].hosts[k]);
		sfab_iosets_destroy(io);
		sfab_conf_destroy(c);
	}
}

/* -- recorded fabrics ------------------------------------------------------- */

static const char *const recorded[] = {
	"stage-2014", "psmn-x5", "ndr-pod-2025", "selene-compute",
};
#define LAYOUTS 4
static const char *const layout_name[LAYOUTS][3] = {
	{ "oss%02u", "fs1-ost%u", "mds%u" }, { "nsd%02u", "ess-io%u", "gpfs-data%u" },
	{ "ai400x-%02u", "st21scr%02u", "sfa18k%u" },
	{ "daos-%u", "weka%02u", "beegfs-storage%u" },
};

/* By host: n compute node, s server, l login, - inside a switch. */
struct drawn_site {
	struct sfab_fabric *f;
	char *is;
	char (*name)[32];
	uint32_t nservers;
};

static struct sfab_fabric *read_recorded(const char *name)
{
	const char *src = getenv("SFAB_SRCDIR");
	struct sfab_builder *b;
	char path[600];
	const char *file = path;

	snprintf(path, sizeof(path), "%s/../shared/fabrics/%s.ibnetdiscover",
		 src ? src : "..", name);
	if (access(path, R_OK) != 0) {
		printf("# skipped: there is no recorded fabric %s\n", name);
		return NULL;
	}
	b = unit_empty_builder(SFAB_BUILD_UNROUTED, "");
	unit_must(!sfab_reader_import(b, 0, &file, 1, NULL, NULL, &unit_err));
	return unit_freeze(b);
}

/* One server in 24, at least 2: on one leaf's hosts, spread, first, or anywhere. */
static int serves(uint32_t i, uint32_t n, uint32_t want, int layout, uint64_t *seed)
{
	switch (layout) {
	case 0:
		return i >= n - want;
	case 1:
		return i % (n / want) == 0 && i / (n / want) < want;
	case 2:
		return i < want;
	default:
		return sfab_random(seed) % n < want || i == n / 2;
	}
}

static void lay_out(struct drawn_site *s, int layout, int with_names, uint64_t *seed)
{
	uint32_t n = 0, i = 0, want;

	for (uint32_t h = 0; h < s->f->nhosts; h++)
		n += s->f->hosts[h].role != SFAB_HOST_SHARP && sfab_host_cabled(s->f, h);
	want = n / 24 < 2 ? 2 : n / 24;
	s->is = calloc(s->f->nhosts, 1);
	s->name = calloc(s->f->nhosts, sizeof(*s->name));
	for (uint32_t h = 0; h < s->f->nhosts; h++) {
		const char *of = "n%04u";

		s->is[h] = '-';
		if (s->f->hosts[h].role == SFAB_HOST_SHARP || !sfab_host_cabled(s->f, h))
			continue;
		s->is[h] = serves(i, n, want, layout, seed) ? 's' :
			   i == n / 3 || i == n / 4 ? 'l' : 'n';
		s->nservers += s->is[h] == 's';
		if (with_names && s->is[h] != 'n')
			of = s->is[h] == 'l' ? "login%u" : layout_name[layout][i % 3];
		snprintf(s->name[h], sizeof(s->name[h]), of, i++);
		rename_host(s->f, h, s->name[h]);
	}
}

static uint32_t nth_server(const struct drawn_site *s, uint32_t n)
{
	uint32_t h = 0;

	while (s->is[h] != 's' || n--)
		h++;
	return h;
}

static struct sfab_port first_port(const struct drawn_site *s, uint32_t h)
{
	return s->f->ports[s->f->hosts[h].port0];
}

/*
 * Jobs of 16 hosts each: MPI at up to half of the port; half of them write or read, at a fifth
 * of all servers or all.  Servers that are asked for more give what they can, and what was
 * counted is off by 10 %.
 */
static double *busy_counters(const struct drawn_site *s, uint64_t *seed)
{
	double *rate = calloc(s->f->nlinks, sizeof(*rate)), mpi = 0, io = 0;
	uint32_t n = 0, some = 1, from = 0;

	for (uint32_t h = 0; h < s->f->nhosts; h++) {
		struct sfab_port p, q;
		int reads = 0;

		if (s->is[h] == 'l') {	/* somebody copies files */
			p = first_port(s, h);
			rate[p.eject] += p.rate * 0.4 * sfab_random_double(seed);
		}
		if (s->is[h] != 'n')
			continue;
		if (n++ % 16 == 0) {
			mpi = sfab_random_double(seed) * 0.5;
			io = sfab_random(seed) % 2 ? sfab_random_double(seed) * 0.5 : 0;
			some = sfab_random(seed) % 2 ? (s->nservers + 4) / 5 : s->nservers;
			from = (uint32_t) (sfab_random(seed) % s->nservers);
			reads = sfab_random(seed) % 2;
		}
		p = first_port(s, h);
		rate[p.inject] += p.rate * (mpi + (reads ? 0 : io));
		rate[p.eject] += p.rate * (mpi + (reads ? io : 0));
		for (uint32_t k = 0; k < some; k++) {
			q = first_port(s, nth_server(s, (from + k) % s->nservers));
			rate[reads ? q.inject : q.eject] += p.rate * io / some;
		}
	}
	for (uint32_t l = 0; l < s->f->nlinks; l++) {
		double cap = s->f->links[l].capacity;

		rate[l] = (rate[l] > cap ? cap : rate[l]) * (0.9 + 0.2 * sfab_random_double(seed));
	}
	return rate;
}

/* Prints what was found, and gives it to the next sweep as `sfabric collect` does. */
static uint32_t count_found(const struct drawn_site *s, struct sfab_io_guess_options *ask,
			    uint8_t *said, const char *what)
{
	struct sfab_io_guess found;
	uint32_t right = 0, nodes = 0, others = 0;

	ck_assert(sfab_io_guess_find(ask, &found, NULL) == 0);
	for (uint32_t i = 0; i < found.n; i++) {
		const struct sfab_io_host *h = &found.host[i];
		int is_found = h->in_set || h->kind == SFAB_IO_METADATA;

		right += is_found && s->is[h->host] == 's';
		nodes += is_found && s->is[h->host] == 'n';
		others += is_found && s->is[h->host] == 'l';
		if (h->in_set)
			said[h->host] = SFAB_SAID_BEFORE;
	}
	printf("# %s: %u servers, %u right, %u missed, false: %u compute, %u other\n", what,
	       s->nservers, right, s->nservers - right, nodes, others);
	ck_assert_uint_eq(nodes + others, 0);
	sfab_io_guess_free(&found);
	return right;
}

#define SWEEPS 8	/* of the collector: in the first some servers have no client */

static void find_on_recorded(const char *fabric, int layout, int with_names)
{
	struct drawn_site s = { .f = read_recorded(fabric) };
	uint64_t seed = 7 + (uint64_t) layout;
	struct sfab_io_guess_options ask = { .f = s.f };
	uint8_t *said;
	uint32_t right = 0;
	char what[64];

	if (!s.f)
		return;
	lay_out(&s, layout, with_names, &seed);
	said = calloc(s.f->nhosts, 1);
	for (uint32_t h = 0; h < s.f->nhosts; h++)
		said[h] = s.is[h] == 'n' ? SFAB_SAID_NODE : SFAB_SAID_NOTHING;
	for (int sweep = 1; sweep <= (with_names ? 1 : SWEEPS); sweep++) {
		double *rate = busy_counters(&s, &seed);

		if (!with_names) {
			ask.said = said;
			ask.rate = rate;
		}
		snprintf(what, sizeof(what), "%-14s layout %d by %s %d", fabric, layout,
			 with_names ? "names" : "counters", sweep);
		right = count_found(&s, &ask, said, what);
		free(rate);
	}
	ck_assert_uint_ge(right * 100, s.nservers * 95);
	free(said);
	free(s.is);
	free(s.name);
}

LOOP_TEST(servers_are_found_on_recorded_fabrics, 4 * LAYOUTS)
{
	find_on_recorded(recorded[_i / LAYOUTS], _i % LAYOUTS, 1);
	find_on_recorded(recorded[_i / LAYOUTS], _i % LAYOUTS, 0);
}

/* As they were recorded, with the names that their sites gave. */
LOOP_TEST(recorded_names_hide_no_node, 4)
{
	struct sfab_fabric *f = read_recorded(recorded[_i]);
	struct sfab_io_guess_options ask = { .f = f };
	struct sfab_io_guess found;

	if (!f)
		return;
	ck_assert(sfab_io_guess_find(&ask, &found, NULL) == 0);
	for (uint32_t i = 0; i < found.n; i++)
		if (found.host[i].in_set)
			ck_assert_ptr_nonnull(strstr(f->hosts[found.host[i].host].name,
						     "cache"));
	sfab_io_guess_free(&found);
}

UNIT_MAIN("io_guess")
