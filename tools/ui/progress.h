/* SPDX-License-Identifier: GPL-2.0-or-later */
/* progress.h - what is going on, on standard error while somebody waits at a terminal */
#ifndef SFAB_PROGRESS_H
#define SFAB_PROGRESS_H

/* In place of the line before. */
void progress(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* At the end, and before another line on standard error: the line makes room. */
void progress_give_way(void);

#endif
