/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * screen.c - a whole terminal, drawn again and again; see screen.h
 *
 * What is drawn is a text of whole lines from the top, each over the one of
 * before.  The terminal is restored however the program ends: at exit, by
 * signals, and while it is stopped by ^Z.
 */

#include "tools/top/screen.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "tools/ui/printable.h"

/* The alternate screen without cursor and line wrap, and back. */
#define ENTER "\033[?1049h\033[?25l\033[?7l"
#define LEAVE "\033[?7h\033[?25h\033[?1049l"
#define HOME "\033[H"
#define CLEAR_LINE "\033[K"
#define CLEAR_BELOW "\033[J"

/* What signal handlers need; there is only one terminal. */
static struct {
	volatile sig_atomic_t is_open;
	int has_keys;			/* standard input is a terminal */
	int wake[2];			/* a byte in this pipe ends a wait */
	struct termios before, during;
} screen;

/* Both are called in signal handlers, so use async-signal-safe calls only. */
static void enter_screen(void)
{
	ssize_t n = write(STDOUT_FILENO, ENTER, sizeof(ENTER) - 1);

	(void) n;
	if (screen.has_keys)
		tcsetattr(STDIN_FILENO, TCSANOW, &screen.during);
}

/* Also called from a signal handler: only functions that are safe there. */
static void leave_screen(void)
{
	ssize_t n = write(STDOUT_FILENO, LEAVE, sizeof(LEAVE) - 1);

	(void) n;
	if (screen.has_keys)
		tcsetattr(STDIN_FILENO, TCSANOW, &screen.before);
}

/* For good: the handler stays until it is set again. */
static void catch_signal(int number, void (*handler)(int))
{
	struct sigaction action = { .sa_handler = handler };

	sigaction(number, &action, NULL);
}

/*
 * Restore the terminal, then let the signal have its default effect.  A signal
 * is blocked in its own handler: raise() takes effect when it is unblocked.
 */
static void on_end(int number)
{
	sigset_t set;

	if (screen.is_open)
		leave_screen();
	catch_signal(number, SIG_DFL);
	sigemptyset(&set);
	sigaddset(&set, number);
	raise(number);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/*
 * SIGTSTP had its default effect: catch it again.  The byte in the pipe ends
 * the wait even if the signal arrives just before poll().
 */
static void on_again(int number)
{
	int saved = errno;
	ssize_t n;

	if (number == SIGCONT && screen.is_open) {
		catch_signal(SIGTSTP, on_end);
		enter_screen();
	}
	n = write(screen.wake[1], "", 1);
	(void) n;
	errno = saved;
}

int screen_open(struct sfab_err *err)
{
	const char *term = getenv("TERM");
	/* What ends or stops a program and can be caught. */
	static const int ends[] = {
		SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGTSTP,
	};

	if (!isatty(STDOUT_FILENO) || !term || !*term ||
	    strcmp(term, "dumb") == 0)
		return sfab_fail(err, SFAB_EINVAL, "standard output is not a "
				 "terminal that sfabric can draw on");
	if (pipe2(screen.wake, O_NONBLOCK | O_CLOEXEC) != 0)
		return sfab_fail(err, SFAB_EIO, "pipe: %s", strerror(errno));
	screen.has_keys = tcgetattr(STDIN_FILENO, &screen.before) == 0;
	screen.during = screen.before;
	/* Keys come at once and are not echoed; ^C still is a signal. */
	screen.during.c_lflag &= (tcflag_t) ~(ICANON | ECHO);
	screen.is_open = 1;
	atexit(screen_close);
	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		catch_signal(ends[i], on_end);
	catch_signal(SIGWINCH, on_again);
	catch_signal(SIGCONT, on_again);
	enter_screen();
	return 0;
}

void screen_close(void)
{
	if (!screen.is_open)
		return;
	screen.is_open = 0;
	leave_screen();
	close(screen.wake[0]);
	close(screen.wake[1]);
}

/*
 * In characters; 24 x 80 where the terminal does not know, as on a serial line.
 */
void screen_size(unsigned *rows, unsigned *columns)
{
	struct winsize size;

	*rows = 24;
	*columns = 80;
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
		return;
	*rows = size.ws_row ? size.ws_row : *rows;
	*columns = size.ws_col ? size.ws_col : *columns;
}

void screen_draw(const char *text, const char *const *style, unsigned n)
{
	const char *no = getenv("NO_COLOR");
	unsigned rows, columns, row = 0;
	int size;
	/*
	 * Without memory nothing is drawn this time; the next picture comes
	 * soon.
	 */
	char *copy = strdup(text), *rest = copy, *line;

	screen_size(&rows, &columns);
	fputs(HOME, stdout);
	while (copy && row < rows && (line = strsep(&rest, "\n")) != NULL) {
		if (row)
			fputs("\r\n", stdout);
		/* Clears the rest of a line, not the screen before: no flicker. */
		size = (int) printable_clip(line, columns);
		if (row < n && style[row] && !(no && *no))
			printf("\033[%sm%.*s\033[0m" CLEAR_LINE, style[row],
			       size, line);
		else
			printf("%.*s" CLEAR_LINE, size, line);
		row++;
	}
	fputs(CLEAR_BELOW, stdout);
	fflush(stdout);
	free(copy);
}

enum screen_event screen_wait(unsigned ms, char *key)
{
	struct pollfd fd[] = {
		{ .fd = screen.wake[0], .events = POLLIN },
		{ .fd = STDIN_FILENO, .events = POLLIN },
	};
	char drop[64];
	int n = poll(fd, screen.has_keys ? 2 : 1, (int) ms);

	if (n < 0 || fd[0].revents) {
		while (read(screen.wake[0], drop, sizeof(drop)) > 0)
			;
		return SCREEN_AGAIN;
	}
	if (n > 0 && read(STDIN_FILENO, key, 1) == 1)
		return SCREEN_KEY;
	if (n > 0)
		screen.has_keys = 0;	/* no more keys */
	return n > 0 ? SCREEN_AGAIN : SCREEN_TIME;
}
