/* SPDX-License-Identifier: GPL-2.0-or-later */
/* test_worker.c - a thread that hangs can be asked to end again and again */

#include "io/worker.h"

#include "tests/unit/fixtures/unit.h"

static sem_t hang;

static void *wait_for_hang(void *arg)
{
	sem_wait(&hang);
	return arg;
}

TEST(a_thread_that_hangs_is_asked_again)
{
	static struct sfab_worker w;

	ck_assert_int_eq(sem_init(&hang, 0, 0), 0);
	unit_must(sfab_worker_start(&w, "hangs", wait_for_hang, NULL, &unit_err) == 0);
	ck_assert_int_eq(sfab_worker_stop(&w), -1);
	ck_assert_int_eq(sfab_worker_stop(&w), -1);
	sem_post(&hang);
	ck_assert_int_eq(sfab_worker_stop(&w), 0);
	ck_assert_int_eq(sfab_worker_stop(&w), 0);
}

UNIT_MAIN("worker")
