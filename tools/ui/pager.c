/* SPDX-License-Identifier: GPL-2.0-or-later */
/* pager.c - long answers one screen at a time; see pager.h */

#include "tools/ui/pager.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOT_FOUND 127		/* exit status of a shell */

/* The pager gets the signals of the keyboard; its parent waits for it. */
static const int ignored[] = { SIGINT, SIGQUIT, SIGPIPE };
#define NIGNORED 3

/*
 * NULL: none.  Set but empty means that the user wants no pager, so only a
 * variable that is not set at all is passed over.
 */
static const char *pager_program(void)
{
	static const char *const names[] = { "SFABRIC_PAGER", "PAGER" };
	const char *program = "less";

	for (int i = 0; i < 2; i++)
		if (getenv(names[i])) {
			program = getenv(names[i]);
			break;
		}
	return !*program || strcmp(program, "cat") == 0 ? NULL : program;
}

int pager_wanted(void)
{
	const char *term = getenv("TERM");

	return isatty(STDOUT_FILENO) && term && *term &&
	       strcmp(term, "dumb") != 0 && pager_program();
}

/*
 * Lines that are longer than the screen is wide take several rows.  Bytes are
 * counted, so text with colors is taken for longer than it is.
 */
static int fits_on_screen(const char *text, size_t size)
{
	struct winsize screen;
	size_t rows = 0, width = 0;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &screen) != 0 || !screen.ws_row ||
	    !screen.ws_col)
		/*
		 * An unknown size: some serial consoles have none.  Printing is
		 * always right.
		 */
		return 1;
	for (size_t i = 0; i < size; i++) {
		width++;
		if (text[i] != '\n')
			continue;
		rows += width > 1 ? (width - 2) / screen.ws_col + 1 : 1;
		width = 0;
	}
	/* the last row is for the prompt of the shell */
	return rows < screen.ws_row;
}

/*
 * In the child, and does not return.  The program is a shell command, as "less
 * -S" is one.  LESS=FRX is what git sets: quit if it fits, let colors pass, and
 * leave the screen as it is.
 */
static void become_pager(const char *program, const int fd[2])
{
	dup2(fd[0], STDIN_FILENO);
	close(fd[0]);
	close(fd[1]);
	for (int i = 0; i < NIGNORED; i++)
		signal(ignored[i], SIG_DFL);
	setenv("LESS", "FRX", 0);
	setenv("LV", "-c", 0);
	execl("/bin/sh", "sh", "-c", program, (char *) NULL);
	_exit(NOT_FOUND);
}

/* A reader who leaves early closes the pipe: no error. */
static void feed_pager(int fd, const char *text, size_t size)
{
	while (size > 0) {
		ssize_t n = write(fd, text, size);

		if (n < 0 && errno != EINTR)
			return;
		text += n > 0 ? n : 0;
		size -= n > 0 ? (size_t) n : 0;
	}
}

/*
 * 0, or -1 if the shell did not find the program.  The text is piped, not
 * written to a file: no trace stays if we are killed.
 */
static int run_pager(const char *program, const char *text, size_t size)
{
	int fd[2], status = 0;
	pid_t pid;

	if (pipe(fd) != 0)
		return -1;
	pid = fork();
	if (pid == 0)
		become_pager(program, fd);
	close(fd[0]);
	if (pid > 0) {
		feed_pager(fd[1], text, size);
		close(fd[1]);
		while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			;
	} else {
		close(fd[1]);
	}
	return pid < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == NOT_FOUND) ?
	       -1 : 0;
}

int pager_show(const char *text, size_t size)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	const char *program = pager_program();
	struct sigaction before[NIGNORED];
	int rc;

	if (!program || fits_on_screen(text, size))
		return -1;
	for (int i = 0; i < NIGNORED; i++)
		sigaction(ignored[i], &ignore, &before[i]);
	rc = run_pager(program, text, size);
	for (int i = 0; i < NIGNORED; i++)
		sigaction(ignored[i], &before[i], NULL);
	return rc;
}
