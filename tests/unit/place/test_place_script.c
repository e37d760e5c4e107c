/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_place_script.c - the placement service follows the site's script */

#include "place/log/logline.h"
#include "place/state/generation.h"
#include "tests/unit/fixtures/service.h"
#include "tests/unit/fixtures/unit.h"

static struct service t;

/* A service with the script @text. */
static void start(const char *text)
{
	const char *path = unit_path("sfabric.lua");
	char conf[300];

	unit_write(path, text);
	snprintf(conf, sizeof(conf), "Mode=on\nPolicy=%s\n", path);
	service_start(&t, &service_shape, conf);
}

static const struct sfab_script_cache *policy(void)
{
	return sfab_place_generation(t.p)->script_cache;
}

static const char *traffic(const struct sfab_decision *d)
{
	static char buf[200];

	return sfab_traffic_text(&d->traffic, buf, sizeof(buf));
}

TEST(a_script_decides_traffic_weights_and_mode)
{
	const struct sfab_decision *d;

	start("return { job = function(j)\n"
	      "if j.name == 'a' then return { traffic = 'neighbor=0.2',"
	      " weights = { others = 9 } } end\n"
	      "if j.name == 'b' then return { mode = 'observe' } end\n"
	      "if j.name == 'c' then return { mode = 'off' } end\n"
	      "if j.name == 'd' then return { traffic = 'off' } end\n"
	      "end }");
	d = service_ask(&t, 1, 4);
	ck_assert_int_eq(d->reason, SFAB_PLACED);
	ck_assert_str_eq(traffic(d), "mpi=0.25+io-write=0.05+io-read=0.02");
	ck_assert_double_eq(d->score.weight[SFAB_TERM_OTHERS],
			    sfab_default_weights[SFAB_TERM_OTHERS]);
	t.ask.who.name = "a";
	d = service_ask(&t, 2, 4);
	ck_assert_int_eq(d->reason, SFAB_PLACED);
	ck_assert_str_eq(traffic(d), "neighbor=0.2");
	ck_assert_double_eq(d->score.weight[SFAB_TERM_OTHERS], 9);
	ck_assert_double_eq(d->score.weight[SFAB_TERM_LATER],
			    sfab_default_weights[SFAB_TERM_LATER]);
	t.ask.who.name = "b";
	ck_assert_int_eq(service_ask(&t, 3, 4)->reason, SFAB_STOCK_OBSERVE);
	t.ask.who.name = "c";
	ck_assert_int_eq(service_ask(&t, 4, 4)->reason, SFAB_STOCK_SCRIPT_OFF);
	t.ask.who.name = "d";
	ck_assert_int_eq(service_ask(&t, 5, 4)->reason, SFAB_STOCK_SCRIPT_OFF);
}

TEST(a_script_is_asked_once_for_like_jobs)
{
	start("return { job = function(j) return { traffic = 'mpi=0.1' } "
	      "end }");
	for (uint32_t id = 1; id <= 20; id++)
		ck_assert_str_eq(traffic(service_ask(&t, id, 4)), "mpi=0.1");
	ck_assert_uint_eq(policy()->asked, 1);
	service_ask(&t, 21, 5);
	ck_assert_uint_eq(policy()->asked, 2);
	t.ask.who.user = 7;
	service_ask(&t, 22, 5);
	t.ask.partition = "p";
	service_ask(&t, 23, 5);
	t.ask.partition = NULL;
	t.ask.who.account = "p";
	service_ask(&t, 24, 5);
	ck_assert_uint_eq(policy()->asked, 5);
	for (uint32_t id = 100; id < 3100; id++) {	/* more than it holds */
		t.ask.who.user = id;
		ck_assert_str_eq(traffic(service_ask(&t, id, 4)), "mpi=0.1");
	}
	ck_assert_uint_eq(policy()->asked, 3005);
}

/* Under valgrind any script can meet the cap of CPU time. */
static int is_slowed(void)
{
	return getenv("SFAB_VALGRIND") && policy()->failed;
}

TEST(a_script_sees_the_hint_and_off_wins)
{
	start("return { job = function(j)\n"
	      "if j.hint == 'mpi=0.3' then return { traffic = 'mpi=0.2' } end\n"
	      "if j.hint == 'mpi=0.9' then return { traffic = 'off' } end\n"
	      "assert(j.hint == nil or j.hint == 'neighbor=0.1')\n"
	      "end }");
	t.ask.comment = "sfabric:mpi=0.3";
	ck_assert_str_eq(traffic(service_ask(&t, 1, 4)), "mpi=0.3");
	t.ask.comment = "sfabric:mpi=0.9";
	ck_assert_int_eq(service_ask(&t, 4, 4)->reason, SFAB_STOCK_SCRIPT_OFF);
	t.ask.comment = "sfabric:neighbor=0.1";
	ck_assert_str_eq(traffic(service_ask(&t, 2, 4)), "neighbor=0.1");
	ck_assert_uint_eq(policy()->asked, 3);
	t.ask.comment = "sfabric:off";
	ck_assert_int_eq(service_ask(&t, 3, 4)->reason, SFAB_STOCK_HINT_OFF);
	ck_assert_uint_eq(policy()->asked, 3);
	ck_assert(policy()->failed == 0 || is_slowed());
}

TEST(running_jobs_send_what_the_script_says)
{
	static const uint32_t node[] = { 1, 5 };
	struct sfab_traffic sends;
	struct sfab_job job;
	char text[200];

	start("return { job = function(j) if j.nodes == 2 then\n"
	      "return { traffic = 'neighbor=0.7' } end end }");
	service_begin_on(&t, 7, node, 2, SFAB_RUN_KNOWN);
	ck_assert_int_eq(sfab_place_job(t.p, 7, &job, &sends), 0);
	ck_assert_str_eq(sfab_traffic_text(&sends, text, sizeof(text)),
			 "neighbor=0.7");
}

TEST(a_mistake_is_one_line_and_the_default)
{
	start("return { job = function(j)\nreturn j.name.x.y end }");
	for (uint32_t n = 2; n < 6; n++) {
		const struct sfab_decision *d = service_ask(&t, n, n);

		ck_assert_int_eq(d->reason, SFAB_PLACED);
		ck_assert_str_eq(traffic(d), "mpi=0.25+io-write=0.05+io-read=0.02");
	}
	ck_assert_uint_eq(policy()->failed, 4);
	ck_assert_int_eq(service_log_count(":2: attempt to index"), 1);
}

/* Jobs of one user whose names cost too much, or whose script never ends. */
TEST(one_user_does_not_switch_the_script_off)
{
	char line[2000];
	const struct sfab_decision *d;
	struct sfab_logline what = { .event = "start", .n = 4 };

	start("return { job = function(j)\n"
	      "if j.user == 66 then while true do end end\n"
	      "return { traffic = 'mpi=0.2' } end }");
	t.ask.who.user = 66;
	for (uint32_t n = 2; n < 14; n++) {
		d = service_ask(&t, n, n);
		ck_assert_str_eq(traffic(d), "mpi=0.25+io-write=0.05+io-read=0.02");
		ck_assert_int_eq(d->reason, SFAB_PLACED);
		what.decision = d;
		sfab_logline_json(&what, line, sizeof(line));
		ck_assert_ptr_nonnull(strstr(line, "\"policy\":\"failed\""));
	}
	ck_assert_uint_eq(policy()->asked, 8);
	ck_assert_uint_eq(policy()->failed, 8);
	ck_assert_int_eq(service_log_count("a job of user 66 is placed without the script"), 1);
	ck_assert_int_eq(service_log_count("jobs of user 66 no longer use the script"), 1);
	t.ask.who.user = 67;
	d = service_ask(&t, 20, 4);
	ck_assert_str_eq(traffic(d), "mpi=0.2");
	what.decision = d;
	sfab_logline_json(&what, line, sizeof(line));
	ck_assert_ptr_null(strstr(line, "policy"));
	ck_assert_int_eq(service_log_count("the script is no longer used"), 0);
}

TEST(a_script_that_fails_for_many_users_is_given_up)
{
	start("return { job = function(j) while true do end end }");
	for (uint32_t user = 1; user < 20; user++) {
		t.ask.who.user = user;
		ck_assert_str_eq(traffic(service_ask(&t, user, 4)),
				 "mpi=0.25+io-write=0.05+io-read=0.02");
	}
	ck_assert_uint_eq(policy()->asked, 8);
	ck_assert_int_eq(service_log_count("is placed without the script"), 8);
	ck_assert_int_eq(service_log_count("the script is no longer used"), 1);
}

/* Forty patterns, as a site may have them, and the longest name Slurm takes. */
TEST(long_names_cost_no_more_than_others)
{
	char script[4000] = "return { job = function(j)\n", name[1025];
	const char *said;

	for (int i = 0; i < 40; i++)
		snprintf(script + strlen(script), sizeof(script) - strlen(script),
			 "if glob(j.name, '*application%02d*') then return end\n", i);
	strcat(script, "assert(#j.name <= 127 and not glob(j.name, '*\\n*'))\n"
		       "return { traffic = 'mpi=0.2' } end }");
	memset(name, 'x', sizeof(name));
	name[5] = '\n';
	name[1024] = '\0';
	start(script);
	t.ask.who.name = name;
	said = traffic(service_ask(&t, 1, 4));
	if (!is_slowed()) {
		ck_assert_str_eq(said, "mpi=0.2");
		ck_assert_uint_eq(policy()->failed, 0);
	}
}

TEST(hosts_have_the_roles_that_the_script_gives)
{
	const struct sfab_iosets *io;

	start("return { host = function(h)\n"
	      "if number(h.name) == 2 then return { role = 'other' } end\n"
	      "if number(h.name) == 3 then return { io = 'tape' } end\n"
	      "end }");
	io = sfab_place_generation(t.p)->io;
	ck_assert_uint_eq(io->nsets, 1);
	ck_assert_str_eq(io->set[0].name, "tape");
	ck_assert_uint_eq(sfab_place_host(t.p, 1), SFAB_NONE);
	ck_assert_uint_ne(sfab_place_host(t.p, 2), SFAB_NONE);
}

TEST(a_script_that_fails_at_hosts_is_left_out)
{
	start("return { host = function(h) return 7 end,\n"
	      "job = function(j) return { mode = 'off' } end }");
	ck_assert_int_eq(service_log_count("host: a number (expected a table"), 1);
	ck_assert_str_eq(sfab_place_generation(t.p)->io->set[0].name, "fs");
	ck_assert_int_eq(service_ask(&t, 1, 4)->reason, SFAB_PLACED);
}

UNIT_MAIN("place, policy")
