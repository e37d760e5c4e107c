/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * daemon.c - child programs; see daemon.h
 *
 * Programs are started with fork() and not posix_spawn(), because the child has to change its
 * folder and ask for a signal at its parent's death before it runs the program.
 *
 * Only daemon_end() waits for longer than a tick: simulate.c polls several programs in turn.
 */

#include "tools/opensm/daemon.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/ui/xalloc.h"

#define TICK_NS 10000000L	/* between two polls: 10 ms */

/*
 * Signals are noted and nothing else: what has to be cleaned up is known only to the loop that
 * calls daemon_pause().
 */
static volatile sig_atomic_t caught_signal;	/* 0: none */
static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
static struct sigaction old_actions[3];

static void note_signal(int sig)
{
	caught_signal = sig;
}

void daemon_signals_catch(void)
{
	struct sigaction action = {.sa_handler = note_signal};

	for (int i = 0; i < 3; i++)
		sigaction(signals[i], &action, &old_actions[i]);
}

void daemon_signals_restore(void)
{
	for (int i = 0; i < 3; i++)
		sigaction(signals[i], &old_actions[i], NULL);
}

char *daemon_folder_make(struct sfab_err *err)
{
	const char *tmp = getenv("TMPDIR");
	const char *parent = tmp && *tmp ? tmp : "/tmp";
	char *path = xstrfmt("%s/sfabric-XXXXXX", parent);

	if (mkdtemp(path))
		return path;
	sfab_fail(err, SFAB_EIO, "%s: no temporary folder: %s", parent, strerror(errno));
	free(path);
	return NULL;
}

/* Remove one file, but follow no link (FTW_PHYS): nothing outside of the folder is removed. */
static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	return remove(path);
}

void daemon_folder_remove(char *folder)
{
	if (folder)
		nftw(folder, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
	free(folder);
}

#define NOT_FOUND 213		/* status of a child that found no program; the loader's is 127 */

static time_t seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

static void run_child(const char *command, const char *folder, int input, pid_t parent)
{
	/* It must not outlive its parent. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* The parent may have died before prctl(): then no signal will come. */
	if (getppid() != parent || chdir(folder) != 0)
		_exit(1);
	/*
	 * If our own standard input was closed, @input is 0 and dup2() would keep its
	 * close-on-exec flag.
	 */
	if (input == 0)
		fcntl(0, F_SETFD, 0);
	else
		dup2(input, 0);
	daemon_signals_restore();
	execl("/bin/sh", "sh", "-c", command, (char *) NULL);
	_exit(1);
}

/*
 * Start a program.  Subnet managers are often in a folder that is not in a user's PATH.
 * Relative folders of PATH mean the private folder, which has no programs.
 *
 * A console is a socket and no pipe, so that a write to a program that died is an error and no
 * signal.  Both ends close on exec: other programs must not keep the console open.
 */
int daemon_start(struct daemon *d, const char *name, const char *command, const char *folder,
		 struct sfab_err *err)
{
	char *line = xstrfmt("export PATH=\"${PATH:-/usr/bin:/bin}:/usr/sbin:/sbin\"; "
			     "command -v %s >/dev/null || exit %d\nexec >%s.out 2>&1\n%s",
			     name, NOT_FOUND, name, command);
	pid_t parent = getpid();
	int ends[2];

	*d = (struct daemon) { .name = name, .start = seconds_now(), .pid = -1 };
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0) {
		d->console = ends[1];
		d->pid = fork();
		if (d->pid == 0)
			run_child(line, folder, ends[0], parent);
		close(ends[0]);
	}
	free(line);
	if (d->pid > 0)
		return 0;
	sfab_fail(err, SFAB_EIO, "%s: %s", name, strerror(errno));
	d->pid = 0;
	daemon_end(d);
	return -1;
}

/* Write to the console.  The socket holds far more than a few commands, so this does not wait. */
int daemon_send(const struct daemon *d, const char *text, struct sfab_err *err)
{
	size_t size = strlen(text);

	if (send(d->console, text, size, MSG_NOSIGNAL) == (ssize_t) size)
		return 0;
	return sfab_fail(err, SFAB_EIO, "%s: %s", d->name, strerror(errno));
}

/*
 * Poll the program.  An end with status 0 is not always good news: ibsim is expected to run on
 * until it is told to quit.
 */
int daemon_poll(struct daemon *d, unsigned seconds, struct sfab_err *err)
{
	int status;

	if (waitpid(d->pid, &status, WNOHANG) == d->pid) {
		d->pid = 0;
		if (status == 0)
			return 1;
		if (WIFSIGNALED(status))
			return sfab_fail(err, SFAB_EIO,
					 "%s: ended by signal %d", d->name,
					 WTERMSIG(status));
		if (WEXITSTATUS(status) == NOT_FOUND)
			return sfab_fail(err, SFAB_ENOENT, "%s is not installed (Debian: "
					 "ibsim-utils, opensm)", d->name);
		return sfab_fail(err, SFAB_EIO, "%s: ended with status %d",
				 d->name, WEXITSTATUS(status));
	}
	if (seconds_now() - d->start > (time_t) seconds)
		return sfab_fail(err, SFAB_EIO, "%s: not done after %u seconds",
				 d->name, seconds);
	return 0;
}

/*
 * Sleep for one tick.  A signal that arrives during the sleep ends it early, and the second
 * test of caught_signal finds it.  One that arrives just before costs one tick.
 */
int daemon_pause(struct sfab_err *err)
{
	const struct timespec tick = { .tv_nsec = TICK_NS };

	if (!caught_signal)
		nanosleep(&tick, NULL);
	return !caught_signal ? 0 : sfab_fail(err, SFAB_EIO, "stopped by signal %d",
					      (int) caught_signal);
}

void daemon_end(struct daemon *d)
{
	if (d->console)
		close(d->console);
	d->console = 0;
	if (d->pid <= 0)
		return;
	kill(d->pid, SIGKILL);
	/* Killed programs end soon, but a signal of our own may interrupt the wait. */
	while (waitpid(d->pid, NULL, 0) < 0 && errno == EINTR)
		;
	d->pid = 0;
}
