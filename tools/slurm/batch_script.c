/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * batch_script.c - words of #SBATCH lines; see batch_script.h
 *
 * As in sbatch, #SBATCH lines count until the first command, and quotes join words.
 *
 * Nothing is copied: the text is cut into strings in place, and the words point into it.  So
 * the text lives as long as the words do, and the quotes of a word are removed where it stands.
 *
 * What a word means is not decided here; sbatch.c gives them all to getopt_long().
 */

#include "tools/slurm/batch_script.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "io/readers/reader.h"
#include "tools/ui/xalloc.h"

#define BLANKS " \t\v\f\r"

/*
 * Unquote the word at @in in place: it never grows.  Return where reading continues (a blank,
 * '#' or the end); NULL if a quote does not end.  *@end is where the word ends.  The caller
 * writes the word's NUL.
 */
static char *unquote_word(char *in, char **end)
{
	char *out = in, quote = '\0';

	/*
	 * A backslash takes the next character also between quotes, and a quote of the other
	 * kind is an ordinary character there: --comment="it's" is the word --comment=it's.
	 */
	while (*in && (quote || !strchr(BLANKS, *in))) {
		if (*in == '\\') {
			in++;
			if (*in)
				*out++ = *in++;
		} else if (quote && *in == quote) {
			quote = '\0';
			in++;
		} else if (!quote && (*in == '"' || *in == '\'')) {
			quote = *in++;
		} else if (!quote && *in == '#') {
			break;
		} else {
			*out++ = *in++;
		}
	}
	*end = out;
	return quote ? NULL : in;
}

static void add_script_word(struct batch_script *s, char *word, unsigned line)
{
	s->word = xgrow(s->word, s->n, sizeof(*s->word));
	s->line = xgrow(s->line, s->n, sizeof(*s->line));
	s->word[s->n] = word;
	s->line[s->n++] = line;
}

/* Read the words of a line.  An empty word ends it, as in sbatch. */
static int read_words(struct batch_script *s, char *p, unsigned line,
		      struct sfab_err *err)
{
	for (;;) {
		char *word = p + strspn(p, BLANKS), *end;
		int is_last;

		if (*word == ':')
			return sfab_fail(err, SFAB_EFORMAT,
					 "':' (expected an option)");
		p = unquote_word(word, &end);
		if (!p)
			return sfab_fail(err, SFAB_EFORMAT,
					 "a quote is not closed");
		if (end == word)
			return 0;
		is_last = !*p || *p == '#';
		*end = '\0';
		add_script_word(s, word, line);
		if (is_last)
			return 0;
		p++;
	}
}

/*
 * Does @text begin with @word, ignoring case, and then a blank or the end?  "packjob" is what
 * 17.11 to 19.05 called "hetjob"; both spellings still end the options of the first component.
 */
static int begins_with_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	return strncasecmp(text, word, n) == 0 &&
	       (!text[n] || strchr(BLANKS, text[n]));
}

enum script_line { LINE_GOES_ON, LINE_IS_LAST };

/* Read one line.  LINE_IS_LAST: no options after this line; -1 with *err. */
static int read_script_line(struct batch_script *s, char *p, unsigned line,
			    struct sfab_err *err)
{
	static const char *const marks[] = { "#SBATCH", "#SLURM" };

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		size_t n = strlen(marks[i]);

		if (strncmp(p, marks[i], n) != 0)
			continue;
		p += n + strspn(p + n, BLANKS);
		if (begins_with_word(p, "hetjob") || begins_with_word(p, "packjob")) {
			s->is_het = 1;
			return LINE_IS_LAST;
		}
		return read_words(s, p, line, err);
	}
	/*
	 * Such lines are comments to sbatch.  Someone who moved a script over from another
	 * batch system wants to hear that.
	 */
	s->has_other_lines |= strncmp(p, "#PBS", 4) == 0 || strncmp(p, "#BSUB", 5) == 0;
	p += strspn(p, BLANKS);
	return *p && *p != '#' ? LINE_IS_LAST : LINE_GOES_ON;
}

/* Refuse what sbatch refuses.  A NUL would hide the options in the rest of the script. */
static int check_batch_script(const char *text, size_t size,
			      struct sfab_err *err)
{
	if (strncmp(text, "#!", 2) != 0)
		return sfab_fail(err, SFAB_EFORMAT, "no batch script: the first "
				 "line must begin with #!");
	if (strlen(text) != size)
		return sfab_fail(err, SFAB_EFORMAT, "a NUL character at byte "
				 "%zu", strlen(text));
	if (strstr(text, "\r\n"))
		return sfab_fail(err, SFAB_EFORMAT, "lines end as in DOS "
				 "(\\r\\n)");
	return 0;
}

int batch_script_parse(struct batch_script *s, const char *name, char *text,
		       size_t size, struct sfab_err *err)
{
	int rc;
	unsigned line = 1;

	/* From here on the script owns the text, so every way out frees it. */
	*s = (struct batch_script){ .name = xstrdup(name), .text = text };
	add_script_word(s, s->name, 0);
	rc = check_batch_script(text, size, err);
	if (rc != 0)
		sfab_fail_prefix(err, "%s", name);
	for (char *p = text, *next; p && rc == LINE_GOES_ON; p = next, line++) {
		next = strchr(p, '\n');
		if (next)
			*next++ = '\0';
		rc = read_script_line(s, p, line, err);
		if (rc < 0)
			sfab_fail_prefix(err, "%s:%u", name, line);
	}
	if (rc < 0)
		batch_script_free(s);
	return rc < 0 ? -1 : 0;
}

int batch_script_read(struct batch_script *s, const char *path,
		      struct sfab_err *err)
{
	char *text;
	size_t size;

	memset(s, 0, sizeof(*s));
	if (sfab_reader_read_text(path, BATCH_SCRIPT_MAX, &text, &size, err) != 0)
		return -1;
	return batch_script_parse(s, path, text, size, err);
}

void batch_script_free(struct batch_script *s)
{
	free(s->name);
	free(s->text);
	free(s->word);
	free(s->line);
	memset(s, 0, sizeof(*s));
}
