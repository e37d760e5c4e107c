/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fuzz_snapshot.c - snapshots under right checksums: refused, or routes end and the bytes that
 * are written of it are a snapshot
 */

#include "core/fabric/route.h"
#include "io/snapshot/snapshot.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/reseal.h"

#define PORTS 8		/* routes between the first so many end ports */

static void follow_routes(const struct sfab_fabric *f)
{
	uint32_t n = f->nports < PORTS ? f->nports : PORTS;
	struct sfab_route r = { 0 };

	for (uint32_t a = 0; a < n; a++)
		for (uint32_t b = 0; b < n; b++)
			fuzz_check(sfab_route_ports(f, a, b, &r) >= 0);
	sfab_route_clear(&r);
}

/* Check that names of engines cannot change opensm.conf, into which they get. */
static void check_engines(const struct sfab_fabric *f)
{
	for (uint32_t i = 0; i < f->nplanes; i++)
		fuzz_check(!strpbrk(f->planes[i].engine, "\n\r#/=") &&
			   !strpbrk(f->planes[i].asked, "\n\r#/="));
}

static void write_and_read(const struct sfab_snapshot *s)
{
	struct sfab_snapshot *again;
	uint8_t *buf;
	size_t size;

	fuzz_check(sfab_snapshot_encode(s, &buf, &size, NULL) >= 0);
	again = sfab_snapshot_decode(buf, size, NULL);
	fuzz_check(again != NULL);
	sfab_snapshot_destroy(again);
	free(buf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = fuzz_copy(data, size);
	struct sfab_err err = { 0 };
	struct sfab_snapshot *s;

	reseal(copy, size);
	s = sfab_snapshot_decode(copy, size, &err);
	if (s) {
		check_engines(s->fabric);
		follow_routes(s->fabric);
		write_and_read(s);
	} else {
		fuzz_check(err.text[0]);
	}
	sfab_snapshot_destroy(s);
	free(copy);
	return 0;
}
