/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_day.c - the history of sfabric web: points ascend, are bounded, can be drawn */

#include <stdio.h>

#include "tests/fuzz/fuzz.h"
#include "tools/web/day.h"

static struct day day;

static void check_points(void)
{
	fuzz_check(day.n <= DAY_POINTS_MAX + 1);
	for (uint32_t i = 1; i < day.n; i++)
		fuzz_check(day.point[i].time_s > day.point[i - 1].time_s &&
			   day.point[i].time_s <= day.point[0].time_s + DAY_SPAN_S);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size), *drawn;
	size_t n;
	FILE *out = open_memstream(&drawn, &n);

	fuzz_check(out != NULL);
	if (day_parse(&day, text) == 0) {
		check_points();
		day_charts(&day, 24, out);
	}
	fclose(out);
	free(drawn);
	free(text);
	return 0;
}
