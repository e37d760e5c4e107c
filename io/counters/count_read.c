/* SPDX-License-Identifier: GPL-2.0-or-later */
/* count_read.c - a file by the reader that knows its format; see count_files.h */

#include "io/counters/count_files.h"

#include <string.h>
#include <sys/stat.h>

#include "io/readers/reader.h"
#include "io/readers/text.h"

#define TEXT_MAX (UINT64_C(4) << 30)	/* bytes of a file */

/* Of a file that has no counters only the beginning is read. */
int sfab_counts_read(struct sfab_counts *c, const char *file, struct sfab_err *err)
{
	const struct sfab_reader *r = NULL;
	struct sfab_text t;
	struct sfab_scan s;
	struct stat st;
	int rc = sfab_text_open(&t, file, TEXT_MAX, err);

	if (rc == 0)
		rc = sfab_text_fill(&t, SFAB_READER_HEAD, err);
	if (rc == 0)
		r = sfab_reader_detect(t.text, t.size);
	if (r && r->count) {
		rc = sfab_text_fill_all(&t, err);
		c->file = file;
		c->is_log = 0;
		/* Rates are differences over time, so each file has its own. */
		c->time_ms = strcmp(file, "-") == 0 || stat(file, &st) != 0 ?
			     c->now_ms : (uint64_t) st.st_mtim.tv_sec * 1000 +
					 (uint64_t) st.st_mtim.tv_nsec / 1000000;
		sfab_scan_init(&s, file, t.text, t.size);
		if (rc == 0)
			rc = r->count(c, &s, err);
	}
	sfab_text_close(&t);
	return rc;
}
