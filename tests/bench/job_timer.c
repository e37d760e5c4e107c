/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * job_timer.c - CPU time of each select_p_job_test() in a real slurmctld
 *
 * A select plugin in front of another, ours or Slurm's own: it times the call and passes it on.
 * Each call is a line "MODE RC MICROSECONDS" in the file that the environment names
 * (SFAB_JOB_TIMES); the time is that of the calling thread.  Slurm finds all other symbols in
 * the plugin behind.
 *
 * It needs no header of Slurm: all versions give at most ten arguments, pointers but for four
 * of fixed size, and what is not given is passed on unread.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

typedef int timed_test(void *job, void *nodes, uint32_t min, uint32_t max, uint32_t req,
		       uint16_t mode, void *preemptable, void *preempted, void *excluded,
		       void *will_run);
extern timed_test select_p_job_test;

static double thread_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return 1e6 * (double) t.tv_sec + 1e-3 * (double) t.tv_nsec;
}

static void write_time(uint16_t mode, int rc, double us)
{
	const char *path = getenv("SFAB_JOB_TIMES");
	int fd = path ? open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644) : -1;

	if (fd < 0)
		return;
	dprintf(fd, "%u %d %.1f\n", (unsigned) mode, rc, us);
	close(fd);
}

int select_p_job_test(void *job, void *nodes, uint32_t min, uint32_t max, uint32_t req,
		      uint16_t mode, void *preemptable, void *preempted, void *excluded,
		      void *will_run)
{
	timed_test *next = (timed_test *) (uintptr_t) dlsym(RTLD_NEXT, "select_p_job_test");
	double before = thread_us();
	int rc = next(job, nodes, min, max, req, mode, preemptable, preempted, excluded,
		      will_run);

	write_time(mode, rc, thread_us() - before);
	return rc;
}
