/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_reader_routes.c - descriptions of static routes, whole and spoilt */

#include "core/fabric/route.h"
#include "tests/unit/fixtures/fabrics.h"
#include "tests/unit/fixtures/texts.h"
#include "tests/unit/fixtures/unit.h"

/*
 * A ring without a switch; a is bonded and alternates over both its ports.
 *
 *     a 1 --- 2 b 1 --- 2 c 1 --- 2 d 1 --- 2 a
 */
static const char text[] =
	"# a ring of four\n"
	"sfabric-routes 1\n"
	"host a ports=2 forward=0.754\n"
	"host b ports=2 forward=0.754\n"
	"host c ports=2 forward=0.754	# measured\n"
	"host d ports=2 forward=.754\n"
	"\n"
	"link a:1 b:2 1.051\n"
	"link b:1 c:2 1.051\n"
	"link c:1 d:2 1.051\n"
	"link d:1 a:2 1.051\n"
	"route a * 1,2\n"
	"route b * 1\n"
	"route b a 2\n"
	"route c * 1\n"
	"route c b 2\n"
	"route d a 1\n"
	"route d b 2\n"
	"route d c 2\n";

/* Two switches, one cable between them, hosts of one port. */
static const char switches[] =
	"sfabric-routes 1\n"
	"switch s1 ports=48\nswitch s2 ports=48\n"
	"host n1\nhost n2\nhost n3 ports=2\nhost lonely\n"
	"link s1:1 n1:1 12.5\nlink n2:1 s1:2 12.5\nlink s2:7 n3:2 6.25\n"
	"link s1:48 s2:48 12.5\n"
	"route s1 * 48\nroute s2 * 48*3,48\n";

static struct sfab_fabric *import(const char *routes)
{
	struct sfab_builder *b = unit_empty_builder(SFAB_BUILD_STRICT, "");
	const struct sfab_reader *r = sfab_reader_detect(routes, strlen(routes));
	struct sfab_reader_ctx ctx = { .builder = b, .file = "ring" };

	ck_assert_ptr_nonnull(r);
	unit_must(!texts_read(r, &ctx, routes, strlen(routes), &unit_err));
	return unit_freeze(b);
}

/* How many hosts forward the way of an average packet. */
static double hops(const struct sfab_fabric *f, const char *from,
		   const char *to)
{
	uint32_t src = f->hosts[sfab_fabric_host(f, from)].port0;
	uint32_t dst = f->hosts[sfab_fabric_host(f, to)].port0;
	struct sfab_route r = { 0 };
	double sum = 0;

	ck_assert_int_eq(sfab_route_ports(f, src, dst, &r), 0);
	ck_assert_int_eq(r.status, SFAB_ROUTE_OK);
	for (uint32_t i = 0; i < r.n; i++)
		if (f->links[r.hop[i].link].capacity == 0.754e9)
			sum += r.hop[i].share;
	sfab_route_clear(&r);
	return sum;
}

static uint64_t lost(const struct sfab_fabric *f, struct sfab_lost_pair *first)
{
	uint64_t n;

	ck_assert_int_eq(sfab_route_unreachable(f, 0, &n, first, first != NULL),
			 0);
	return n;
}

/* Two pairs talk directly; a's packets go either way round. */
TEST(hops_of_the_bonded_ring)
{
	struct sfab_fabric *f = import(text);

	ck_assert_uint_eq(f->adaptive, 0);
	ck_assert_uint_eq(f->nhosts, 4);
	ck_assert_str_eq(f->planes[0].engine, "static");
	ck_assert_uint_eq(lost(f, NULL), 0);
	ck_assert(hops(f, "b", "c") == 0 && hops(f, "c", "d") == 0);
	ck_assert(hops(f, "a", "b") == 1 && hops(f, "a", "d") == 1);
	ck_assert(hops(f, "a", "c") == 1 && hops(f, "b", "d") == 1);
	ck_assert(hops(f, "d", "b") == 1 && hops(f, "b", "a") == 0);
}

TEST(a_host_sends_as_fast_as_its_cables)
{
	char *edited = texts_edit(text, "host b ports=2", "host b rate=1 ports=2");
	struct sfab_fabric *f = import(edited);

	ck_assert_double_eq_tol(f->ports[0].rate, 2.102e9, 1);
	ck_assert_double_eq_tol(f->ports[1].rate, 1e9, 1);
}

TEST(hosts_that_do_not_forward)
{
	char *edited = texts_edit(text, "host c ports=2 forward=0.754",
				  "host c ports=2");
	struct sfab_fabric *f = import(edited);
	struct sfab_lost_pair first;

	/* a to b (half of it) and d, b to d, d to b */
	ck_assert_uint_eq(lost(f, &first), 4);
	ck_assert_str_eq(f->switches[f->leaves[first.leaf].sw].name, "a out");
	ck_assert_str_eq(f->hosts[f->ports[first.port].host].name, "b");
	ck_assert_int_eq(first.status, SFAB_ROUTE_NO_ENTRY);
}

TEST(switches_and_plain_hosts)
{
	struct sfab_fabric *f = import(switches);
	uint32_t n3 = sfab_fabric_host(f, "n3");

	ck_assert_uint_eq(f->nswitches, 2);
	ck_assert_uint_eq(f->nhosts, 4);
	ck_assert_uint_eq(f->nlinks, 8);
	ck_assert_uint_eq(f->nleaves, 2);
	ck_assert_uint_eq(f->ports[f->hosts[n3].port0].sw_port, 7);
	ck_assert(f->ports[f->hosts[n3].port0].rate == 6.25e9);
	ck_assert_uint_eq(f->switches[0].lft[f->ports[f->hosts[n3].port0].entry],
			  48);
	ck_assert_uint_eq(f->switches[1].ngroups, 1);
	ck_assert(f->switches[1].groups[0].share[0] == 0.75);
}

static const struct text_damage spoilt_vectors[] = {
	{ "routes 1", "routes 2", "" },
	{ "host b", "node b",
	  "ring:4: bad line (found \"node\", expected host, switch, link or route)" },
	{ "host b", "host a", "ring:4: a is defined twice" },
	{ "host b ports=2", "host b ports=253",
	  "ring:4: bad ports (found \"253\", expected 1-252)" },
	{ "host b ports=2 forward=0.754", "host b ports=2 forward=0",
	  "ring:4: bad forward (found \"0\", expected 0.001 to 1e+06 GB/s)" },
	{ "host b ports=2", "host b rate=fast",
	  "ring:4: bad rate (found \"fast\", expected 0.001 to 1e+06 GB/s)" },
	{ "host b ports=2", "host b cpus=2",
	  "ring:4: bad option (found \"cpus=2\", expected ports=N, forward=GBS or rate=GBS)" },
	{ "link a:1 b:2", "link a:1 x:2",
	  "ring:8: bad name (found \"x:2\", expected a host or switch of a line above)" },
	{ "link a:1 b:2", "link a:1 b:3",
	  "ring:8: bad port (found \"3\", expected NAME:PORT with a port that it has)" },
	{ "link a:1 b:2", "link a:1 a:1",
	  "ring:8: a:1 has two cables (expected one)" },
	{ "link b:1 c:2", "link b:2 c:2",
	  "ring:9: b:2 has two cables (expected one)" },
	{ "a:1 b:2 1.051", "a:1 b:2 -1",
	  "ring:8: bad capacity (found \"-1\", expected 0.001 to 1e+06 GB/s)" },
	{ "a:1 b:2 1.051", "a:1 b:2 0.0009",
	  "ring:8: bad capacity (found \"0.0009\", expected 0.001 to 1e+06 GB/s)" },
	{ "a:1 b:2 1.051", "a:1 b:2 1000001",
	  "ring:8: bad capacity (found \"1000001\", expected 0.001 to 1e+06 GB/s)" },
	{ "host b ports=2", "host b rate=0.0009",
	  "ring:4: bad rate (found \"0.0009\", expected 0.001 to 1e+06 GB/s)" },
	{ "a:1 b:2 1.051", "a:1 b:2 1.051 x",
	  "ring:8: bad line (found \"x\", expected nothing after it)" },
	{ "route a * 1,2", "route a * 1,",
	  "ring:12: bad port (found the end of the line, expected PORT[*WEIGHT],... that it has)" },
	{ "route a * 1,2", "route a * 1,2*0",
	  "ring:12: bad weight (found \"0\", expected a number > 0)" },
	{ "route b a 2", "route b * 2",
	  "ring:14: a second route of b to * (the first is in line 13)" },
	{ "route c b 2", "route c b 2\nroute c b 1",
	  "ring:17: a second route of c to b (the first is in line 16)" },
	{ "link d:1 a:2 1.051\n", "",
	  "ring:11: port 2 of a has no cable (expected a link line with it)" },
	{ "link d:1 a:2 1.051\n", "host e\nlink e:1 a:2 1\n",
	  "ring:18: port 1 of d has no cable (expected a link line with it)" },
};

LOOP_TEST(spoilt_lines, N(spoilt_vectors))
{
	const struct text_damage *how = &spoilt_vectors[_i];
	char *edited = texts_edit(text, how->from, how->to);
	const struct sfab_reader *r = sfab_reader_detect(edited, strlen(edited));
	struct sfab_builder *b = unit_empty_builder(SFAB_BUILD_STRICT, "");
	struct sfab_reader_ctx ctx = { .builder = b, .file = "ring" };

	ck_assert_int_eq(r != NULL, *how->error != '\0');
	if (r) {
		ck_assert_int_eq(texts_read(r, &ctx, edited, strlen(edited), &unit_err), -1);
		ck_assert_str_eq(unit_err.text, how->error);
	}
}

TEST(no_choice)
{
	char *edited = texts_edit(switches, "route s1", "route n1 * 1\nroute s1");
	struct sfab_builder *b = unit_empty_builder(SFAB_BUILD_STRICT, "");
	struct sfab_reader_ctx ctx = { .builder = b, .file = "two" };

	ck_assert_int_eq(texts_read(sfab_reader_detect(edited, strlen(edited)), &ctx,
				    edited, strlen(edited), &unit_err), -1);
	ck_assert_str_eq(unit_err.text, "two:12: n1 has no choice (expected a host "
			 "with several cables, or a switch)");
}

UNIT_MAIN("reader_routes")
