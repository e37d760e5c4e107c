/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * say.h - lines for the user on standard error
 *
 * Every line begins with "sfabric: " and is made printable: names from a fabric must not bring
 * control characters to the terminal.
 */
#ifndef SFAB_SAY_H
#define SFAB_SAY_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "core/err.h"

/* An error or a remark. */
void say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/*
 * Show progress at a terminal, in place of the line of progress before, until say() or
 * say_progress_done().  Nothing is written if standard error is not a terminal.
 */
void say_progress(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void say_progress_done(void);

#endif
