/* SPDX-License-Identifier: GPL-2.0-or-later */
/* shell.h - command lines for the user to paste */
#ifndef SFAB_SHELL_H
#define SFAB_SHELL_H

/*
 * Quote @text as one shell word, without quotes where that is safe, always printable; caller
 * frees.  A name that had to be made printable no longer names its owner.
 */
char *shell_word(const char *text);

#endif
