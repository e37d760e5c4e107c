/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * words.c - words of a command line; see words.h
 *
 * Why not leave it to getopt: on a typing error argp prints getopt's message,
 * "unrecognized option", and cannot be told to suggest anything.  So the words
 * are walked once before, in the way getopt will walk them.
 */

#include "tools/ui/words.h"

#include <stdlib.h>
#include <string.h>

#include "tools/command.h"
#include "tools/ui/printable.h"
#include "tools/ui/say.h"
#include "tools/ui/spelling.h"

/*
 * The options that argp adds.  Its own table is static, so they are here
 * again; only the letters and names matter.
 */
static const struct argp_option argp_rows[] = {
	{ "help", '?', NULL, 0, NULL, 0 },
	{ "usage", 0x100, NULL, 0, NULL, 0 },
	{ "version", 'V', NULL, 0, NULL, 0 },
	{ 0 }
};
static const struct argp argp_own = { .options = argp_rows };

/* A word without its dashes: a long name, perhaps cut short, or letters. */
struct sought_word {
	const char *name;
	size_t length;
	int letter;			/* instead of a name; 0: none */
	struct sfab_nearest *spelling;	/* gets all long names; may be NULL */
};

/*
 * Depth first.  A row without name, key, doc and group ends the table, as in
 * argp.
 */
static const struct argp_option *find_argp_row(const struct argp *argp,
					       const struct sought_word *s)
{
	const struct argp_option *row = argp->options;
	const struct argp_child *child = argp->children;
	const struct argp_option *found = NULL;

	for (; row && (row->name || row->key || row->doc || row->group); row++) {
		/*
		 * The first match wins, even where getopt calls it ambiguous:
		 * getopt itself refuses the word then.
		 */
		if (s->letter ? row->key == s->letter :
				row->name && strncmp(row->name, s->name,
						     s->length) == 0)
			return row;
		if (s->spelling && row->name && !(row->flags & OPTION_HIDDEN))
			sfab_nearest_offer(s->spelling, row->name);
	}
	for (; !found && child && child->argp; child++)
		found = find_argp_row(child->argp, s);
	return found;
}

/* Does it take the next word? */
static int takes_next(const struct argp_option *row)
{
	return row->arg && !(row->flags & OPTION_ARG_OPTIONAL);
}

/* "-nX", "-vn X".  0 for an unknown letter, which *@letter gets. */
static int words_of_letters(const struct argp *argp, const char *word,
			    int *letter)
{
	for (const char *p = word + 1; *p; p++) {
		const struct sought_word s = {.letter = *p};
		const struct argp_option *row = find_argp_row(argp, &s);

		*letter = *p;
		if (!row)
			return 0;
		if (row->arg)
			return takes_next(row) && !p[1] ? 2 : 1;
	}
	return 1;
}

static int words_of_name(const struct argp *argp, const char *word,
			 struct sfab_nearest *spelling)
{
	const struct sought_word s = {.name = word + 2,
				      .spelling = spelling,
				      .length = strcspn(word + 2, "=")};
	const struct argp_option *row = find_argp_row(argp, &s);

	if (!row)
		return 0;
	return takes_next(row) && !strchr(word, '=') ? 2 : 1;
}

/* "-" alone is standard input or output, an argument. */
static int is_option(const char *word)
{
	return word && word[0] == '-' && word[1];
}

/*
 * "--help" is not a short form of "--helpformat".  getopt sees --help, --usage
 * and --version whole, before it completes others.
 */
static int is_argps_own(const char *word)
{
	for (const struct argp_option *row = argp_rows; row->name; row++)
		if (strcmp(word + 2, row->name) == 0)
			return 1;
	return 0;
}

int words_of_option(const struct argp *argp, char *const *word)
{
	int letter;

	if (!is_option(*word) || strcmp(*word, "--") == 0 ||
	    (argp != &argp_own && is_argps_own(*word)))
		return 0;
	return (*word)[1] == '-' ? words_of_name(argp, *word, NULL) :
				   words_of_letters(argp, *word, &letter);
}

/* In argp's own words, plus the suggestion. */
static void refuse_name(const struct argp *argp, const char *program,
			const char *word)
{
	char *name = need_text("%.*s", (int) strcspn(word + 2, "="), word + 2);
	struct sfab_nearest spelling = sfab_nearest_to(name);
	char *seen = printable(name, 0);

	words_of_name(argp, word, &spelling);
	words_of_name(&argp_own, word, &spelling);
	fprintf(stderr, "%s: unrecognized option '--%s'", program, seen);
	if (spelling.best)
		fprintf(stderr, " (did you mean '--%s'?)", spelling.best);
	fputc('\n', stderr);
	fprintf(stderr, "Try `%s --help' or `%s --usage' for more "
		"information.\n", program, program);
	exit(STATUS_USAGE);
}

void words_parse(const struct argp *argp, int argc, char **argv, unsigned flags,
		 void *input)
{
	static char help[] = "--help";

	/*
	 * -h alone, where a command needs other words too: nobody wants an
	 * answer without a header there.
	 */
	if (argc == 2 && strcmp(argv[1], "-h") == 0 && argp->args_doc &&
	    *argp->args_doc != '[')
		argv[1] = help;
	/* Skips the words of each option that getopt will know. */
	for (int i = 1, n; i < argc && strcmp(argv[i], "--") != 0; i += n) {
		int letter = '\0';

		n = 1;
		if (!is_option(argv[i]))
			continue;
		n = words_of_option(argp, &argv[i]);
		if (n == 0)
			n = words_of_option(&argp_own, &argv[i]);
		if (n == 0 && argv[i][1] == '-')
			refuse_name(argp, argv[0], argv[i]);
		/*
		 * Nobody has an option -h here; "-nh" also counts, as all
		 * letters before it were known.
		 */
		if (n == 0 && words_of_letters(argp, argv[i], &letter) == 0 &&
		    letter == 'h')
			argv[i] = help;
		n = n ? n : 1;
	}
	argp_parse(argp, argc, argv, flags, NULL, input);
}
