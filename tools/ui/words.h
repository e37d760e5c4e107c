/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * words.h - the words of a command line, seen as argp will take them
 *
 * getopt only reports that an option is unknown; this suggests which one was
 * meant.
 */
#ifndef SFAB_WORDS_H
#define SFAB_WORDS_H

#include <argp.h>

/*
 * How many words the option at @word takes (1 or 2), if @argp or one of its
 * children has it.  0: none has it, or @word is not an option.  Long names may
 * be cut short, as in getopt.
 */
int words_of_option(const struct argp *argp, char *const *word);

/*
 * argp_parse() for a command.  First checks the options: an unknown one ends
 * the program as argp does, but suggests the nearest name.  -h means --help
 * unless the command has an option -h, and also then if it is the only word and
 * the command needs others.
 */
void words_parse(const struct argp *argp, int argc, char **argv, unsigned flags,
		 void *input);

#endif
