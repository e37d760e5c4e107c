/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sacct_rows.c - see sacct_rows.h */

#include "tools/slurm/sacct_rows.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/slurm/program.h"
#include "tools/ui/xalloc.h"

/* Fields that no user writes, and how many; a time of 22.05 is cut without a width. */
#define OWN "JobIDRaw,UID,NNodes,NTasks,ElapsedRaw,End%40,TRESUsageInTot,TRESUsageOutTot"
#define NOWN 8
#define TIME "Submit%40"
#define HEADING "JobIDRaw|UID|NNodes|NTasks|ElapsedRaw|End|TRESUsageInTot|TRESUsageOutTot|" \
	"Account|Partition|JobName\n"

enum { SACCT_ACCOUNT, SACCT_PARTITION, SACCT_NAME, SACCT_NTEXTS };

struct row_part {
	const char *from, *to;
};

struct sacct_row {
	struct row_part own, text[SACCT_NTEXTS];
};

/* Take a user's text up to the next marked time. */
static int take_user_text(const char **at, const char *mark, struct row_part *text)
{
	const char *end = strstr(*at, mark), *digits = end;

	if (!end)
		return 0;
	while (digits > *at && isdigit((unsigned char) digits[-1]))
		digits--;
	if (digits == end || digits == *at || digits[-1] != '|')
		return 0;
	*text = (struct row_part){ *at, digits - 1 };
	*at = end + strlen(mark);
	return 1;
}

static int take_bar(const char **at)
{
	return *(*at)++ == '|';
}

/* Take the row at *@at, which moves behind it.  0: none is there. */
static int take_sacct_row(const char **at, const char *mark, struct sacct_row *row)
{
	const char *p = *at;

	if (!program_take_time(&p, mark) || !take_bar(&p))
		return 0;
	/* Our fields, which have neither bar nor newline. */
	row->own.from = p;
	for (int i = 0; i < NOWN; i++) {
		p += strcspn(p, "|\n");
		if (*p != '|')
			return 0;
		row->own.to = p++;
	}
	if (!program_take_time(&p, mark))
		return 0;
	for (int i = 0; i < SACCT_NTEXTS; i++)
		if (!take_bar(&p) || !take_user_text(&p, mark, &row->text[i]))
			return 0;
	if (*p && *p != '\n')
		return 0;
	*at = p + (*p == '\n');
	return 1;
}

char *sacct_rows_make(const char *answer, const char *mark, struct sfab_err *err)
{
	const char *at = answer;
	struct sacct_row row;
	unsigned n = 0;
	char *text = NULL;
	size_t size = 0;
	FILE *out = xnonnull(open_memstream(&text, &size));

	fputs(HEADING, out);
	while (*at) {
		if (!take_sacct_row(&at, mark, &row)) {
			at += strcspn(at, "\n");
			at += *at == '\n';
			continue;
		}
		program_put_unmarked(out, row.own.from, row.own.to, mark);
		for (int i = 0; i < SACCT_NTEXTS; i++) {
			putc('|', out);
			/*
			 * A bar or a newline becomes a question mark, as it would end the field
			 * or the line.
			 */
			for (const char *p = row.text[i].from; p < row.text[i].to; p++)
				putc(strchr("|\n\r", *p) ? '?' : *p, out);
		}
		putc('\n', out);
		n++;
	}
	fclose(out);
	if (n || !*answer)
		return xnonnull(text);
	free(text);
	sfab_fail(err, SFAB_EFORMAT, "sacct: no row as asked for (found \"%.40s\", expected "
		  "a time and its mark)", answer);
	return NULL;
}

int sacct_rows_ask(char **text, struct sfab_err *err)
{
	static char fields[] = TIME "," OWN "," TIME ",Account," TIME ",Partition," TIME
			       ",JobName," TIME;
	static char *const argv[] = { "sacct", "-anP", "--noconvert", "-S", "now-1days", "-o",
				      fields, NULL };
	char mark[PROGRAM_MARK], *answer;

	if (program_mark(mark, err) != 0 ||
	    program_output_marked(argv, mark, &answer, err) != 0)
		return -1;
	*text = sacct_rows_make(answer, mark, err);
	free(answer);
	return *text ? 0 : -1;
}
