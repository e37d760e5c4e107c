/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * shell.h - command lines for the human to paste
 */
#ifndef SFAB_SHELL_H
#define SFAB_SHELL_H

/*
 * @text as one word of a shell: as it is or in quotes, printable.  A name that
 * is not printable does not name its owner any more.  Caller frees.
 */
char *shell_word(const char *text);

#endif
