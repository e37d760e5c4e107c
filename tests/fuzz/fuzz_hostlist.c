/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fuzz_hostlist.c - expand; what is folded expands to the same, sorted */

#include <ctype.h>

#include "core/fabric/fabric.h"
#include "io/hostlist.h"
#include "tests/fuzz/fuzz.h"

#define DIGITS 3	/* of a number, times bracket groups: 1,000 names a range */

/* A list that would only take long to expand says nothing new. */
static int too_large(const char *text)
{
	size_t groups = 0, digits = 0, longest = 0;

	for (; *text; text++) {
		groups += *text == '[';
		digits = isdigit((unsigned char) *text) ? digits + 1 : 0;
		longest = digits > longest ? digits : longest;
	}
	return longest * groups > DIGITS;
}

static void check_folding(const struct sfab_names *names)
{
	struct sfab_names again;
	char *once, *twice;
	uint32_t i;

	once = sfab_hostlist_fold((const char *const *) names->name, names->n);
	fuzz_check(once && sfab_hostlist_expand(once, &again, NULL) >= 0);
	fuzz_check(again.n <= names->n && !again.n == !names->n);
	for (i = 1; i < again.n; i++)
		fuzz_check(sfab_fabric_name_cmp(again.name[i - 1], again.name[i]) < 0);
	twice = sfab_hostlist_fold((const char *const *) again.name, again.n);
	fuzz_check(twice && strcmp(once, twice) == 0);
	sfab_names_free(&again);
	free(once);
	free(twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = fuzz_copy(data, size);
	struct sfab_err err = { 0 };
	struct sfab_names names;

	if (!too_large(text)) {
		if (sfab_hostlist_expand(text, &names, &err) == 0) {
			check_folding(&names);
			sfab_names_free(&names);
		} else {
			fuzz_check(strncmp(err.text, "host list", 9) == 0);
		}
	}
	free(text);
	return 0;
}
