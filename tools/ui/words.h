/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * words.h - the words of a command line, seen as argp will take them
 *
 * getopt only says that it does not know an option; this says which was meant.
 */
#ifndef SFAB_WORDS_H
#define SFAB_WORDS_H

#include <argp.h>

/*
 * How many words at @word the option there takes (1 or 2), if @argp or one of
 * its children has it; 0: it has not, or @word is no option.  Long names may be
 * cut, as for getopt.
 */
int words_of_option(const struct argp *argp, char *const *word);

/*
 * argp_parse() for a command.  Before it, an option that does not exist ends the
 * program as argp does, with the name that is nearest; -h where it is no option
 * of the command is --help.
 */
void words_parse(const struct argp *argp, int argc, char **argv, unsigned flags,
		 void *input);

#endif
