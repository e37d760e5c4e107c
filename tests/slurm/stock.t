#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# stock.t - the private cluster itself, with stock Slurm
test_description='a private cluster of stock Slurm runs jobs'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/slurm.sh"

skip_all=$(slurm_missing)
test -z "$skip_all" || test_done
at_exit slurm_stop

test_expect_success '16 nodes start and are idle' '
	slurm_start stock "n[01-08]" "n[09-16] Weight=10" &&
	test "$(slurm_idle)" -eq 16'

test_expect_success 'nothing listens outside loopback' '
	ss -Hltnp >listening &&
	for pid in $(slurm_pids); do
		grep "pid=$pid," listening
	done >ours &&
	test $(wc -l <ours) -eq 17 &&
	! grep -v " 127[.0-9]*:" ours'

test_expect_success 'a job runs to its end on the lighter nodes' '
	id=$(slurm_submit -N4 --wrap=true) &&
	slurm_wait_job $id COMPLETED &&
	slurm_nodes $id >nodes &&
	echo "n[01-04]" >expect &&
	test_cmp expect nodes'

test_expect_success 'a running job outlives its controller' '
	id=$(slurm_submit -N2) &&
	slurm_wait_job $id RUNNING &&
	slurm_wait_saved $id &&
	slurm_kill_ctld &&
	slurm_start_ctld &&
	slurm_wait_job $id RUNNING'

test_expect_success 'stop leaves no process and no file' '
	dir=$slurm_dir &&
	slurm_pids >pids &&
	test -s pids &&
	slurm_stop &&
	! test -e "$dir" &&
	for pid in $(cat pids); do
		slurm_gone $pid || return 1
	done'

test_done
