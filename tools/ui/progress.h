/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * progress.h - a bar on standard error while somebody waits at a terminal
 */
#ifndef SFAB_PROGRESS_H
#define SFAB_PROGRESS_H

struct progress {
	int shown;		/* standard error is a terminal */
	int percent;		/* last drawn */
	char name[64];
};

void progress_begin(struct progress *p);
/* What is going on; the bar starts at 0. */
void progress_name(struct progress *p, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void progress_set(struct progress *p, double done);	/* 0..1 */
void progress_end(struct progress *p);	/* wipes the line; twice is fine */

/* Before another line on standard error: the bar makes room for it. */
void progress_give_way(void);

#endif
