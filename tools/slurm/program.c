/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * program.c - run another program and read what it prints; see program.h
 *
 * Output goes to temporary files and not through pipes, so a program that prints much cannot
 * block, and one that hangs is ended after a time limit.
 */

#include "tools/slurm/program.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/ui/xalloc.h"

#define TICKS 50		/* looks a second at a program with a limit */

extern char **environ;

/*
 * Read all that was written to @f; "" if nothing was.  NULL: it cannot be read, or there is no
 * memory.
 */
static char *read_all(FILE *f)
{
	char *text = NULL;
	size_t capacity = 0;

	rewind(f);
	if (getdelim(&text, &capacity, '\0', f) >= 0)
		return text;
	free(text);
	return feof(f) && !ferror(f) ? xstrdup("") : NULL;
}

/* Fail with one line: only the first line of the program's error is kept. */
static int fail_program(const char *name, int status, FILE *errors,
			struct sfab_err *err)
{
	char *text = read_all(errors);

	if (!text)
		text = xstrdup("");
	text[strcspn(text, "\n")] = '\0';
	if (WIFSIGNALED(status))
		sfab_fail(err, SFAB_EIO, "%s: ended by signal %d", name,
			  WTERMSIG(status));
	else
		sfab_fail(err, SFAB_EIO, "%s: exit %d: %s", name,
			  WEXITSTATUS(status), text);
	free(text);
	return -1;
}

/* Wait until the program ends.  1: it had to be killed after @seconds (0: no limit). */
static int wait_for_program(pid_t pid, unsigned seconds, int *status)
{
	const struct timespec tick = { .tv_nsec = 1000000000 / TICKS };
	unsigned ticks = 0;
	pid_t ended;

	/* There is no waitpid() with a timeout: with a limit, it is polled. */
	while ((ended = waitpid(pid, status, seconds ? WNOHANG : 0)) != pid) {
		if (ended < 0 && errno != EINTR)
			return -1;
		if (seconds && ticks++ == seconds * TICKS) {
			kill(-pid, SIGKILL);	/* with a limit it leads a group */
			waitpid(pid, status, 0);
			return 1;
		}
		if (seconds)
			nanosleep(&tick, NULL);
	}
	return 0;
}

/* Run the program with its output in files.  *@text is set if it ends in time, with status 0. */
static int run_program(char *const argv[], FILE *out, FILE *errors, unsigned seconds,
		       char **text, struct sfab_err *err)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int status, rc;
	pid_t pid;

	/* posix_spawn() and not fork(): the parent may have a large snapshot in memory. */
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&actions, fileno(out), 1);
	posix_spawn_file_actions_adddup2(&actions, fileno(errors), 2);
	/* With a limit in a group of its own: what it starts is ended with it. */
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setpgroup(&attributes, 0);
	posix_spawnattr_setflags(&attributes, seconds ? POSIX_SPAWN_SETPGROUP : 0);
	rc = posix_spawnp(&pid, argv[0], &actions, &attributes, argv, environ);
	posix_spawnattr_destroy(&attributes);
	posix_spawn_file_actions_destroy(&actions);
	if (rc)
		return sfab_fail(err, SFAB_ENOENT, "%s: cannot be run: %s",
				 argv[0], strerror(rc));
	rc = wait_for_program(pid, seconds, &status);
	if (rc < 0)
		return sfab_fail(err, SFAB_EIO, "%s: %s", argv[0],
				 strerror(errno));
	if (rc > 0)
		return sfab_fail(err, SFAB_EIO, "%s: no answer for %u s",
				 argv[0], seconds);
	if (status)
		return fail_program(argv[0], status, errors, err);
	*text = read_all(out);
	return *text ? 0 : sfab_fail(err, SFAB_EIO, "%s: its output cannot be read: %s",
				     argv[0], strerror(errno));
}

int program_output(char *const argv[], unsigned seconds, char **text, struct sfab_err *err)
{
	/* Both outputs go to unnamed files: unlike a pipe, they cannot fill up. */
	FILE *out = tmpfile();
	FILE *errors = tmpfile();
	int rc;

	*text = NULL;
	if (out && errors)
		rc = run_program(argv, out, errors, seconds, text, err);
	else
		rc = sfab_fail(err, SFAB_EIO, "temporary file: %s",
			       strerror(errno));
	if (out)
		fclose(out);
	if (errors)
		fclose(errors);
	return rc;
}

/*
 * Make a mark for this run, at random: one of an earlier answer could be copied into a job's
 * name.
 */
int program_mark(char mark[PROGRAM_MARK], struct sfab_err *err)
{
	uint64_t bits;

	if (getrandom(&bits, sizeof(bits), 0) != (ssize_t) sizeof(bits))
		return sfab_fail(err, SFAB_EIO, "cannot get random numbers");
	snprintf(mark, PROGRAM_MARK, "m%016" PRIx64, bits);
	return 0;
}

int program_output_marked(char *const argv[], const char *mark, char **text,
			  struct sfab_err *err)
{
	char *format = xstrfmt("%%s%s", mark);
	int rc;

	setenv("SLURM_TIME_FORMAT", format, 1);
	rc = program_output(argv, 0, text, err);
	/* Back to the format that other questions to scontrol expect. */
	setenv("SLURM_TIME_FORMAT", "%s", 1);
	free(format);
	return rc;
}

int program_take_time(const char **text, const char *mark)
{
	const char *end = *text + strspn(*text, "0123456789");

	if (end == *text || strncmp(end, mark, strlen(mark)) != 0)
		return 0;
	*text = end + strlen(mark);
	return 1;
}

void program_write_unmarked(FILE *out, const char *begin, const char *end, const char *mark)
{
	while (begin < end) {
		const char *next = strstr(begin, mark);

		next = next && next < end ? next : end;
		fwrite(begin, 1, (size_t) (next - begin), out);
		begin = next < end ? next + strlen(mark) : end;
	}
}
