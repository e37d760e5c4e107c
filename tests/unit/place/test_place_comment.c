/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_place_comment.c - AdminComment and logs: odd texts of admins and users, in bounded time */

#include "tests/unit/fixtures/unit.h"

#include <unistd.h>

#include "core/utf8.h"
#include "place/log/logline.h"
#include "tests/unit/fixtures/service.h"

static struct service t;

#define LONGEST 400

static const struct {
	const char *old, *rest;	/* rest: what stays of it */
} odd[] = {
	{ "", "" },
	{ "of the admin", "of the admin" },
	{ "see sfabric:placed", "see sfabric:placed" },
	{ "a;b;sfabric:x", "a;b" },
	{ ";", ";" },
	{ ";x", ";x" },
	{ " ;x", " ;x" },
	{ ";;;", ";;;" },
	{ "; ; ;", "; ; ;" },
	{ " ", " " },
	{ "x;", "x;" },
	{ ";sfabric:placed", "" },
	{ "; ;  sfabric:placed", "; " },
	{ ";sfabric:placed;x", ";x" },
	{ "sfabric:", "" },
	{ "sfabric:;;y", ";y" },
	{ "sfabric:placed; y", "y" },
	{ "x; sfabric:placed; y", "x; y" },
	{ "x;; sfabric:placed;; y", "x;;; y" },
	{ ";;;; sfabric:placed", ";;;" },
	{ " ; sfabric:placed", " " },
	{ "x; y; sfabric:placed", "x; y" },
	{ "sfabric", "sfabric" },
	{ ";sfabric", ";sfabric" },
	{ "x\nsfabric:placed", "x\nsfabric:placed" },
	{ "\xff;\xc3", "\xff;\xc3" },
};

static void start(void)
{
	service_start(&t, &service_shape, SERVICE_CONF);
	service_begin(&t, service_ask(&t, 7, 4), 7);
}

/* @buf: the comment after @old, cut behind the admin's part of it. */
static void rest_of(const char *old, char *buf, size_t size)
{
	char *part;

	ck_assert_int_eq(sfab_place_comment(t.p, old, buf, size), 1);
	part = strstr(buf, "sfabric:placed, ");
	ck_assert_ptr_nonnull(part);
	ck_assert_ptr_null(strchr(part, ';'));
	*part = '\0';
}

LOOP_TEST(the_text_of_others_stays_as_it_is, N(odd))
{
	char buf[100 + SFAB_COMMENT_MORE], expect[100];

	start();
	alarm(20);	/* the test fails if a text is never done */
	rest_of(odd[_i].old, buf, strlen(odd[_i].old) + SFAB_COMMENT_MORE);
	snprintf(expect, sizeof(expect), "%s%s", odd[_i].rest,
		 *odd[_i].rest ? "; " : "");
	ck_assert_str_eq(buf, expect);
}

/* Comments of a job that begins, is requeued, begins, ... with that text beside. */
LOOP_TEST(a_requeue_leaves_the_text_alone, N(odd))
{
	char old[100 + SFAB_COMMENT_MORE], buf[sizeof(old)], expect[100];
	const char *rest = odd[_i].rest;

	start();
	snprintf(old, sizeof(old), "%s", odd[_i].old);
	snprintf(expect, sizeof(expect), "%s%ssfabric:requeued", rest,
		 *rest ? "; " : "");
	for (int i = 0; i < 2; i++) {
		ck_assert_int_eq(sfab_place_comment(t.p, old, buf, sizeof(buf)), 1);
		ck_assert_int_eq(sfab_place_comment_requeued(t.p, buf, old, sizeof(old)), 1);
		ck_assert_str_eq(old, expect);
	}
}

static void random_text(char *buf)
{
	static const char *const piece[] = {
		";", ";", " ", "x", "sfabric:", "placed a=1", "sfabri", "\n", "\xc3",
	};
	size_t n = 0, end = (size_t) random() % (LONGEST - 20);

	for (buf[0] = '\0'; n < end; n = strlen(buf))
		strcat(buf, piece[(size_t) random() %
				  (sizeof(piece) / sizeof(piece[0]))]);
}

/* Copy all of @from but blanks. */
static void bare(const char *from, char *to)
{
	for (; *from; from++)
		if (*from != ' ')
			*to++ = *from;
	*to = '\0';
}

/*
 * Copy the parts between semicolons, empty ones too, but the first that is ours, without
 * blanks.  A text that is not empty ends with the semicolon that joins ours to it.
 */
static void bare_rest(const char *text, char *to)
{
	char copy[LONGEST], all[LONGEST] = "", *rest = copy, *part;
	int ours = 0, n = 0;

	strcpy(copy, text);
	while ((part = strsep(&rest, ";"))) {
		int is_ours = !strncmp(part + strspn(part, " "), "sfabric:", 8);

		if (!is_ours || ours) {
			strcat(all, n++ ? ";" : "");
			strcat(all, part);
		}
		/* "; " after our part, where that is the first */
		if (is_ours && !ours && !n && rest && *rest == ' ')
			rest++;
		ours = ours || is_ours;
	}
	if (*all)
		strcat(all, ";");
	bare(all, to);
}

LOOP_TEST(random_texts_lose_our_part_and_nothing_else, 4)
{
	char old[LONGEST], buf[LONGEST + SFAB_COMMENT_MORE];
	char expect[LONGEST], found[LONGEST + SFAB_COMMENT_MORE];

	start();
	alarm(60);
	srandom((unsigned) _i);
	for (int i = 0; i < 20000; i++) {
		random_text(old);
		ck_assert_int_eq(sfab_place_comment(t.p, old, buf, strlen(old) +
						    SFAB_COMMENT_MORE), 1);
		ck_assert_ptr_nonnull(strstr(buf, "sfabric:placed, "));
		*strstr(buf, "sfabric:placed, ") = '\0';
		bare(buf, found);
		bare_rest(old, expect);
		ck_assert_str_eq(found, expect);
	}
}

/* Mode off and AdminComment=no: not even an old part of ours is taken away. */
static const struct {
	const char *conf, *partition;
	int may;
} sites[] = {
	{ "Mode=off\nAdminComment=no\n", NULL, 0 },
	{ "Mode=off\nAdminComment=yes\n", NULL, 1 },
	{ "Mode=on\nAdminComment=no\n", NULL, 1 },
	{ "Mode=observe\nAdminComment=no\n", NULL, 1 },
	{ "Mode=off\nAdminComment=no\nPartitionMode=a:on\n", "a", 1 },
	{ "Mode=off\nAdminComment=no\nPartitionMode=a:on\n", "b", 0 },
	{ "Mode=on\nAdminComment=no\nPartitionMode=a:off\n", "a", 0 },
};

LOOP_TEST(a_comment_changes_only_where_the_conf_allows, N(sites))
{
	const char *old = "mine; sfabric:placed x";
	char buf[100 + SFAB_COMMENT_MORE];

	service_start(&t, &service_shape, sites[_i].conf);
	t.ask.partition = sites[_i].partition;
	service_ask(&t, 7, 4);
	service_begin_on(&t, 7, (const uint32_t[]){ 1, 2, 3, 4 }, 4, 0);
	ck_assert_int_eq(sfab_place_comment(t.p, old, buf, sizeof(buf)),
			 sites[_i].may);
}

/* -- what users write into their hints ------------------------------------ */

static const char *const hostile[] = {
	"sfabric:x\033[2J\033[31mred",
	"sfabric:\xc2\x9b" "31m\xc2\x85next",
	"sfabric:io-write@\xff\xfe\x9b" "31m",
	"sfabric:\x01\x02\x7f;",
	"sfabric:\"},{\\",
	"sfabric:mpi=\xe2\x80\xa8\xe2\x80\xae",
	/* at every place there is a character that a cut would split */
	"sfabric:io-write@a\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac"
	"\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac",
	"sfabric:bb\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac"
	"\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac"
	"\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac"
	"\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac",
};

static void check_printable(const char *text)
{
	size_t left = strlen(text), n;

	for (; left; text += n, left -= n) {
		int plain;

		n = sfab_utf8_char(text, left, &plain);
		ck_assert_msg(plain, "byte 0x%02x at \"%s\"",
			      (unsigned char) *text, text);
	}
}

/* All that is written of a job: AdminComment, slurmctld.log, decision log. */
LOOP_TEST(hostile_hints_are_reported_in_plain_text, N(hostile))
{
	char buf[SFAB_COMMENT_MORE], line[8192];
	const struct sfab_decision *d;
	struct sfab_logline what = {
		.event = "start", .id = 7, .n = 4, .nodes = hostile[_i],
		.partition = hostile[_i],
	};

	service_start(&t, &service_shape, SERVICE_CONF);
	t.ask.comment = hostile[_i];
	d = service_ask(&t, 7, 4);
	ck_assert_int_eq(d->hint, SFAB_HINT_WRONG);
	what.decision = d;
	check_printable(sfab_logline_text(&what, line, sizeof(line)));
	check_printable(sfab_logline_json(&what, line, sizeof(line)));
	ck_assert_ptr_nonnull(strstr(line, "\"hint_error\":\""));
	service_begin(&t, d, 7);
	ck_assert_int_eq(sfab_place_comment(t.p, NULL, buf, sizeof(buf)), 1);
	ck_assert_ptr_nonnull(strstr(buf, "hint is wrong: "));
	check_printable(buf);
}

TEST(a_comma_in_a_share_is_reported_to_the_user)
{
	char buf[SFAB_COMMENT_MORE];

	service_start(&t, &service_shape, "Mode=on\nDefaultTraffic=mpi=0.25\n");
	t.ask.comment = "a line\nsfabric:mpi=0,5\nanother";
	service_begin(&t, service_ask(&t, 7, 4), 7);
	ck_assert_int_eq(sfab_place_comment(t.p, NULL, buf, sizeof(buf)), 1);
	ck_assert_ptr_nonnull(strstr(buf, ", traffic=mpi=0.25 "));
	ck_assert_ptr_nonnull(strstr(buf, "hint is wrong: traffic mpi=0,5: a comma "
				     "in a share (expected a decimal point: 0.5)"));
}

/* -- the certificate ------------------------------------------------------- */

/* Jobs of these many nodes begin in turn; this stands before the numbers of each. */
static const struct {
	uint32_t n;
	const char *proof;
} certified[] = {
	{ 4, "sfabric:placed, uses no switch link, traffic=" },
	{ 5, " steps clear, shares no switch link with 1 running job at its start, traffic=" },
	{ 5, " of 2 running jobs at its start, traffic=" },
};

TEST(comments_begin_with_the_certificate)
{
	char buf[SFAB_COMMENT_MORE];

	service_start(&t, &service_shape, SERVICE_CONF);
	for (uint32_t i = 0; i < sizeof(certified) / sizeof(certified[0]); i++) {
		service_begin(&t, service_ask(&t, 900 + i, certified[i].n), 900 + i);
		ck_assert_int_eq(sfab_place_comment(t.p, NULL, buf, sizeof(buf)), 1);
		ck_assert_msg(!strncmp(buf, "sfabric:placed, ", 16) &&
			      strstr(buf, certified[i].proof),
			      "%s (expected ...%s...)", buf, certified[i].proof);
		ck_assert_ptr_null(strchr(strstr(buf, "traffic="), ','));
		ck_assert_ptr_null(strstr(buf, "90"));	/* no job's id */
	}
}

TEST(no_certificate_for_other_nodes)
{
	char buf[SFAB_COMMENT_MORE];

	service_start(&t, &service_shape, SERVICE_CONF);
	service_begin(&t, service_ask(&t, 7, 4), 7);
	service_ask(&t, 8, 4);
	service_begin_on(&t, 8, (const uint32_t[]){ 1, 6, 11, 15 }, 4, 0);
	ck_assert_int_eq(sfab_place_comment(t.p, NULL, buf, sizeof(buf)), 1);
	ck_assert_ptr_nonnull(strstr(buf, "stock refused"));
	ck_assert_ptr_null(strstr(buf, "switch link"));
}

TEST(the_log_has_numbers_and_guids)
{
	struct sfab_fabric *f = unit_fabric(&service_shape);
	struct sfab_decision d = { .id = 7, .reason = SFAB_PLACED };
	struct sfab_certificate c = {
		.has_steps = 1, .npatterns = 2,
		.pattern = { SFAB_ALLTOALL, SFAB_RING },
		.steps = { { .nsteps = 63, .nsampled = 60, .conflicts = 2, .lost = 1,
			     .worst = { .step = 4, .slowdown = 1.5,
					.worst_link = f->switches[0].out[5] } },
			   { .nsteps = 1, .nsampled = 1,
			     .worst = { .worst_link = SFAB_NONE } } },
		.links = 12, .running = 5, .shared_links = 3, .sharing = 2,
		.worst_link = f->switches[0].out[6], .nids = 2, .id = { 12, 9 },
	};
	struct sfab_logline what = { .event = "start", .id = 7, .decision = &d,
				     .certificate = &c, .f = f };
	char line[8192], expected[400], guid[20];

	snprintf(guid, sizeof(guid), "0x%016llx",
		 (unsigned long long) f->switches[0].guid);
	snprintf(expected, sizeof(expected), "\"certificate\":{\"links\":12,"
		 "\"running\":5,\"shared_links\":3,\"sharing\":2,\"fullest\":\"%s:6\","
		 "\"jobs\":[12,9],\"steps\":{\"alltoall\":{\"total\":63,\"looked\":60,"
		 "\"conflicts\":2,\"lost\":1,\"worst\":1.5,\"worst_step\":5,"
		 "\"link\":\"%s:5\"},\"ring\":{\"total\":1,\"looked\":1,"
		 "\"conflicts\":0}}}", guid, guid);
	sfab_logline_json(&what, line, sizeof(line));
	ck_assert_msg(strstr(line, expected) != NULL, "%s (expected %s)", line,
		      expected);
}

/* A job that the service could not even note says nothing of the last one's. */
TEST(a_job_without_tables_has_no_comment)
{
	struct sfab_place_options o = { .log = service_keep_line };
	char buf[100 + SFAB_COMMENT_MORE];

	t.p = sfab_place_create(&o, NULL);
	unit_cleanup(t.p, sfab_place_destroy);
	ck_assert_int_eq(sfab_place_use_snapshot(t.p, service_snapshot(&service_shape),
						 service_parse_conf(SERVICE_CONF), &unit_err), 0);
	service_begin_on(&t, 7, &(uint32_t){ 0 }, 1, 0);
	ck_assert_int_eq(sfab_place_comment(t.p, "sfabric:placed x", buf, sizeof(buf)), 0);
}

UNIT_MAIN("place_comment")
