/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_counts_files.c - files of port counters, whole and spoilt */

#include <stdlib.h>
#include <string.h>

#include "io/counters/count_files.h"
#include "tests/unit/fixtures/texts.h"
#include "tests/unit/fixtures/unit.h"

/*
 * All say the same: leaf1 (a01) port 4 sent 5000 words, received 70, waited 9
 * ticks and threw 3 packets away; n1's port sent 600.
 */
static const char perfquery[] =
	"# Port extended counters: Lid 1 port 4 (CapMask: 0x1300)\n"
	"PortSelect:......................4\n"
	"PortXmitData:....................5000\n"
	"PortRcvData:.....................70\n"
	"# Port counters: Lid 1 port 4 (CapMask: 0x1300)\n"
	"PortSelect:......................4\n"
	"PortXmitDiscards:................3\n"
	"PortXmitData:....................4294967295\n"
	"PortXmitWait:....................9\n"
	"# Port extended counters: Lid 4 port 1 (CapMask: 0x1300)\n"
	"PortXmitData:....................600\n"
	"PortRcvData:.....................0\n";

static const char perfmgr[] =
	"Name\tGUID\tActive\tPort\tLast Reset\trcv_err\txmit_discards\t"
	"xmit_wait\txmit_data\trcv_data\n"
	"leaf1\t0xa01\tTRUE\t4\tThu Jan  1 00:00:00 2026\t0\t3\t9\t5000\t70\n"
	"n1 HCA-1\t0xc01\tTRUE\t1\tThu Jan  1 00:00:00 2026\t0\t0\t0\t600\t0\n";

static const char opaextractperf[] =
	"NodeDesc;SystemImageGUID;PortNum;LinkSpeedActive;XmitDataMB;XmitData;"
	"RcvDataMB;RcvData;XmitWait;CongDiscards;RcvErrors;XmitDiscards\n"
	"leaf1;0x1;0;25Gb;0;0;0;0;0;0;0;0\n"
	"leaf1;0x1;4;25Gb;0;2500;0;35;9;77;0;3\n"
	"n1 HCA-1;0x2;1;25Gb;0;300;0;0;0;0;0;0\n";

static const char db_csv[] =
	"START_PM_INFO\n"
	"NodeGUID,PortGUID,PortNumber,PortXmitDiscards,PortXmitDataExtended,"
	"PortRcvDataExtended,PortXmitWait\n"
	"0x0000000000000a01,0x0,4,3,0x1388,70,9\n"
	"0x0000000000000a01,0x0,3,0,0,0,0\n"
	"0x0000000000000c01,0x0,1,0,600,0,N/A\n"
	"END_PM_INFO\n";

static const struct {
	const char *text, *reader;
	int host_waits;		/* XmitWait of n1's port is known */
} formats[] = {
	{ perfquery, "perfquery", 0 },
	{ perfmgr, "perfmgr-counters", 1 },
	{ opaextractperf, "opaextractperf", 1 },
	{ db_csv, "ibdiagnet2.db_csv", 0 },
};

static struct sfab_fabric *fabric(void)
{
	struct sfab_err err = { 0 };
	struct sfab_fabric *f;

	f = texts_import(text_ibnetdiscover, text_lfts, NULL, &err);
	ck_assert_msg(f != NULL, "%s", err.text);
	return f;
}

static int count(struct sfab_counts *c, const struct sfab_fabric *f,
		 const char *text, struct sfab_err *err)
{
	const struct sfab_reader *r = sfab_reader_detect(text, strlen(text));

	ck_assert_int_eq(sfab_counts_init(c, f, err), 0);
	c->file = "counters";
	c->time_ms = 1000;
	ck_assert(r && r->count);
	return r->count(c, text, strlen(text), err);
}

START_TEST(every_format_says_the_same)
{
	struct sfab_fabric *f = fabric();
	struct sfab_err err = { 0 };
	struct sfab_counts c;
	struct sfab_counters *to;
	const struct sfab_counter *leaf, *host;
	const char *text = formats[_i].text;

	ck_assert_str_eq(sfab_reader_detect(text, strlen(text))->name,
			 formats[_i].reader);
	ck_assert_msg(count(&c, f, text, &err) == 0, "%s", err.text);
	ck_assert_uint_eq(c.unknown, 0);
	to = sfab_counts_take(&c, &err);
	ck_assert_ptr_nonnull(to);
	ck_assert_uint_eq(to->n, 2);
	leaf = sfab_counters_find(to, 0xa01, 4);
	host = sfab_counters_find(to, 0xc01, 1);
	ck_assert(leaf && host);
	ck_assert_uint_eq(leaf->xmit_words, 5000);
	ck_assert_uint_eq(leaf->rcv_words, 70);
	ck_assert_uint_eq(leaf->wait_ticks, 9);
	ck_assert_uint_eq(leaf->discards, 3);
	ck_assert_uint_eq(leaf->flags, 0);
	ck_assert_uint_eq(leaf->time_ms, 1000);
	ck_assert_uint_eq(host->xmit_words, 600);
	ck_assert_int_eq(!(host->flags & SFAB_COUNTER_NO_WAIT),
			 formats[_i].host_waits);
	sfab_counters_destroy(to);
	sfab_counts_free(&c);
	sfab_fabric_destroy(f);
}
END_TEST

static const struct {
	const char *text, *from, *to;
	uint64_t unknown;
	const char *error;	/* NULL: none */
} odd[] = {
	{ perfmgr, "0xc01", "0xc99", 1, NULL },
	{ perfmgr, "TRUE\t4", "TRUE\t3", 1, NULL },
	{ db_csv, "a01,0x0,3,0,0", "a01,0x0,3,0,1", 1, NULL },
	{ perfquery, "Lid 4", "Lid 9", 0,
	  "counters:10: LID 9 is not of this fabric" },
	{ perfquery, "Lid 4", "Lid x", 0,
	  "counters:10: bad port (found \"x\", expected Lid N port N)" },
	{ perfquery, "PortXmitWait:", "PortXmitWait ", 0,
	  "counters:9: bad line (found \"PortXmitWait\", expected NAME:....N)" },
	{ perfmgr, "\txmit_data", "\tdata", 0, "" },
	{ perfmgr, "0xa01", "leaf", 0,
	  "counters:2: bad GUID (found \"leaf\", expected a number)" },
	{ perfmgr, "TRUE\t4", "TRUE\t256", 0,
	  "counters:2: bad Port (found \"256\", expected 0-254)" },
	{ opaextractperf, "leaf1;0x1;4", "other;0x1;4", 1, NULL },
	{ opaextractperf, "leaf1;0x1;4", "other;-;4", 0,
	  "counters:3: bad SystemImageGUID (found \"-\", expected a number)" },
	{ opaextractperf, ";3\n", "\n", 0,
	  "counters:3: line with too few columns (expected as many as the heading has)" },
	{ db_csv, "END_PM_INFO\n", "", 0,
	  "counters:5: section PM_INFO ends early (expected END_PM_INFO)" },
};

START_TEST(spoilt)
{
	char *edited = texts_edit(odd[_i].text, odd[_i].from, odd[_i].to);
	struct sfab_fabric *f = fabric();
	struct sfab_err err = { 0 };
	struct sfab_counts c;

	if (odd[_i].error && !*odd[_i].error) {
		ck_assert_ptr_null(sfab_reader_detect(edited, strlen(edited)));
	} else {
		ck_assert_int_eq(count(&c, f, edited, &err),
				 odd[_i].error ? -1 : 0);
		ck_assert_str_eq(err.text, odd[_i].error ? odd[_i].error : "");
		ck_assert_uint_eq(c.unknown, odd[_i].unknown);
		sfab_counts_free(&c);
	}
	free(edited);
	sfab_fabric_destroy(f);
}
END_TEST

/* A 32-bit XmitWait that stands at its maximum is not believed. */
START_TEST(a_stuck_wait)
{
	char *edited = texts_edit(perfquery, "....9\n", "....4294967295\n");
	struct sfab_fabric *f = fabric();
	struct sfab_err err = { 0 };
	struct sfab_counts c;

	ck_assert_int_eq(count(&c, f, edited, &err), 0);
	ck_assert_uint_eq(c.row[0].flags,
			  SFAB_COUNTER_NO_WAIT | SFAB_COUNTER_STUCK);
	sfab_counts_free(&c);
	sfab_fabric_destroy(f);
	free(edited);
}
END_TEST

#define N(vectors) (int) (sizeof(vectors) / sizeof((vectors)[0]))

static void tests(TCase *tc)
{
	tcase_add_loop_test(tc, every_format_says_the_same, 0, N(formats));
	tcase_add_loop_test(tc, spoilt, 0, N(odd));
	tcase_add_test(tc, a_stuck_wait);
}

UNIT_MAIN("counts_files", tests)
