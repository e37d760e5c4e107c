/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_reader_opensm_log.c - what a subnet manager says of itself */

#include "tests/unit/fixtures/fabrics.h"
#include "tests/unit/fixtures/texts.h"
#include "tests/unit/fixtures/unit.h"

#define AT(level) "Nov 20 21:56:56 078249 [BF29F6C0] 0x" level " -> "
#define HEAD \
	AT("43") "OpenSM 3.3.23\n" AT("80") "Entering DISCOVERING state\n" \
	AT("02") "osm_opensm_bind: Setting IS_SM on port 0x0002c90300100001\n" \
	AT("80") "Entering MASTER state\n"
#define TRIED(engine) \
	AT("01") "ucast_mgr_route: " engine ": cannot build lid matrices\n"
#define ROUTED(engine) \
	AT("02") "osm_ucast_mgr_process: " engine \
	" tables configured on all switches\n" AT("02") "SUBNET UP\n"

static const struct vector {
	const char *text;
	const char *engine, *asked;
	const char *error;
} vectors[] = {
	{ HEAD ROUTED("minhop"), "minhop", "", NULL },
	{ HEAD "       GUID 0x0002c90200400100, LID 3 - 4 groups\n"
	  TRIED("ftree") ROUTED("updn"), "updn", "ftree,updn", NULL },
	{ HEAD TRIED("ftree") TRIED("dor") ROUTED("minhop"),
	  "minhop", "ftree,dor,minhop", NULL },
	/* the last sweep counts */
	{ HEAD TRIED("ftree") ROUTED("updn") ROUTED("ftree"), "ftree", "", NULL },
	{ HEAD ROUTED("ftree") TRIED("ftree") ROUTED("updn"),
	  "updn", "ftree,updn", NULL },
	/* a rotated log */
	{ AT("02") "Errors during initialization\n" ROUTED("updn"), "updn", "",
	  NULL },
	{ HEAD AT("80") "Entering STANDBY state\n" AT("80")
	  "Entering MASTER state\n" ROUTED("ftree"), "ftree", "", NULL },
	{ HEAD ROUTED("ftree") AT("80") "Entering STANDBY state\n", NULL, NULL,
	  "log:7: this subnet manager is standby (expected the log of the master)" },
	{ HEAD, NULL, NULL, "log:4: no routing engine in this log (expected "
	  "\"ENGINE tables configured on\"; log_flags 0x03 has it)" },
	{ HEAD TRIED("a=b") TRIED("x\rlmc 7") ROUTED("updn"), "updn", "", NULL },
	{ HEAD ROUTED("ftree\revent_plugin_name"), NULL, NULL, "log:6: no routing engine in "
	  "this log (expected \"ENGINE tables configured on\"; log_flags 0x03 has it)" },
	{ HEAD ROUTED("an engine that is none"), NULL, NULL,
	  "log:6: no routing engine in this log (expected \"ENGINE tables "
	  "configured on\"; log_flags 0x03 has it)" },
};

static struct sfab_fabric *import(const char *log, struct sfab_err *err)
{
	struct sfab_builder *b = unit_empty_builder(SFAB_BUILD_PARTIAL, "");
	const struct sfab_reader *r = sfab_reader_detect(log, strlen(log));
	struct sfab_reader_ctx ctx = { .builder = b, .file = "log" };
	struct sfab_fabric *f = NULL;

	ck_assert_ptr_nonnull(r);
	ck_assert_str_eq(r->name, "opensm.log");
	sfab_builder_add_switch(b, 0, 1, "s", 1, 1, err);
	if (texts_read(r, &ctx, log, strlen(log), err) == 0)
		f = unit_try_freeze(b, err);
	return f;
}

LOOP_TEST(engines, N(vectors))
{
	const struct vector *v = &vectors[_i];
	struct sfab_fabric *f = import(v->text, &unit_err);

	if (v->error) {
		ck_assert_ptr_null(f);
		ck_assert_str_eq(unit_err.text, v->error);
		return;
	}
	unit_must(f != NULL);
	ck_assert_str_eq(f->planes[0].engine, v->engine);
	ck_assert_str_eq(f->planes[0].asked, v->asked);
	ck_assert_uint_eq(f->planes[0].sm_guid, strncmp(v->text, HEAD,
			  strlen(HEAD)) ? 0 : 0x2c90300100001);
}

UNIT_MAIN("reader_opensm_log")
