/* SPDX-License-Identifier: GPL-2.0-or-later */
/* import_route.c - tables by OpenSM; see import.h */

#include "tools/import/import.h"

#include <stdlib.h>

#include "io/readers/reader.h"
#include "tools/opensm/reroute.h"
#include "tools/ui/shell.h"
#include "tools/ui/xalloc.h"

#define FILES_NAMED 4		/* in a suggested command */

/* Route the fabric as `sfabric whatif` does, with a plan that changes nothing. */
struct sfab_fabric *import_route_take(struct sfab_fabric *f, const char *engines,
				      struct reply *reply, struct sfab_err *err)
{
	struct change engine = { .option = "engine", .value = (char *) engines };
	const struct changes changes = { 1, &engine };
	const struct reroute_request request = { f, NULL, &changes_none, "sfabric import --route" };
	struct rerouting r = { .changes = &changes };
	int rc = reroute(&request, &r, 1, err);

	if (rc == 0 && !r.f)
		*err = r.err;
	if (r.f && *r.gave_up)
		reply_warning(reply, "OpenSM on the simulated fabric: %s", r.gave_up);
	sfab_fabric_destroy(f);
	return r.f;
}

void import_route_offer(const char *const *files, uint32_t n,
			const char *snapshot, struct sfab_err *err)
{
	struct sfab_err failure = *err;
	char *words = xstrdup("");
	unsigned brings = 0;

	for (uint32_t i = 0; i < n; i++) {
		const struct sfab_reader *reader;

		/* No command is suggested for a file that cannot be read. */
		if (sfab_reader_detect_file(files[i], &reader, NULL) != 0)
			brings = ~0u;
		else if (reader)
			brings |= reader->brings;
	}
	for (uint32_t i = 0; i < n && i < FILES_NAMED; i++) {
		char *word = shell_word(files[i]);

		xjoin(&words, "", " %s", word);
		free(word);
	}
	if ((brings & SFAB_BRINGS_TOPOLOGY) && !(brings & SFAB_BRINGS_TABLES))
		sfab_fail(err, failure.code, "%s; OpenSM can make some: sfabric "
			  "import --route ftree,updn%s%s --output %s", failure.text,
			  words, n > FILES_NAMED ? " ..." : "", snapshot);
	free(words);
}
