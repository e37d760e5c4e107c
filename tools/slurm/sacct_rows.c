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
#define FIELDS "JobIDRaw,UID,NNodes,NTasks,ElapsedRaw,End%40,TRESUsageInTot,TRESUsageOutTot"
#define NFIELDS 8
#define TIME "Submit%40"
#define HEADING "JobIDRaw|UID|NNodes|NTasks|ElapsedRaw|End|TRESUsageInTot|TRESUsageOutTot|" \
	"Account|Partition|JobName\n"

enum { SACCT_ACCOUNT, SACCT_PARTITION, SACCT_NAME, SACCT_NTEXTS };

struct row_part {
	const char *begin, *end;
};

struct sacct_row {
	struct row_part fields, text[SACCT_NTEXTS];
};

/* Take a user's text up to the next marked time. */
static int take_user_text(const char **row, const char *mark, struct row_part *part)
{
	const char *end = strstr(*row, mark), *digits = end;

	if (!end)
		return 0;
	while (digits > *row && isdigit((unsigned char) digits[-1]))
		digits--;
	if (digits == end || digits == *row || digits[-1] != '|')
		return 0;
	*part = (struct row_part){ *row, digits - 1 };
	*row = end + strlen(mark);
	return 1;
}

static int take_bar(const char **row)
{
	return *(*row)++ == '|';
}

/* Take the row at *@text, which moves behind it.  0: none is there. */
static int take_sacct_row(const char **text, const char *mark, struct sacct_row *row)
{
	const char *p = *text;

	if (!program_take_time(&p, mark) || !take_bar(&p))
		return 0;
	/* Our fields, which have neither bar nor newline. */
	row->fields.begin = p;
	for (int i = 0; i < NFIELDS; i++) {
		p += strcspn(p, "|\n");
		if (*p != '|')
			return 0;
		row->fields.end = p++;
	}
	if (!program_take_time(&p, mark))
		return 0;
	for (int i = 0; i < SACCT_NTEXTS; i++)
		if (!take_bar(&p) || !take_user_text(&p, mark, &row->text[i]))
			return 0;
	if (*p && *p != '\n')
		return 0;
	*text = p + (*p == '\n');
	return 1;
}

char *sacct_rows_make(const char *answer, const char *mark, struct sfab_err *err)
{
	const char *rest = answer;
	struct sacct_row row;
	unsigned n = 0;
	char *text = NULL;
	size_t size = 0;
	FILE *out = xnonnull(open_memstream(&text, &size));

	fputs(HEADING, out);
	while (*rest) {
		if (!take_sacct_row(&rest, mark, &row)) {
			rest += strcspn(rest, "\n");
			rest += *rest == '\n';
			continue;
		}
		program_write_unmarked(out, row.fields.begin, row.fields.end, mark);
		for (int i = 0; i < SACCT_NTEXTS; i++) {
			putc('|', out);
			/*
			 * A bar or a newline becomes a question mark, as it would end the field
			 * or the line.
			 */
			for (const char *p = row.text[i].begin; p < row.text[i].end; p++)
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
	static char fields[] = TIME "," FIELDS "," TIME ",Account," TIME ",Partition," TIME
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
