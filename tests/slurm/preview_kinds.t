#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# preview_kinds.t - previews where partitions, nodes and wishes are of all kinds
#
# Partitions whose jobs share cores, have whole nodes, few nodes, few CPUs of each,
# little time; nodes with threads, one socket or two, devices, features, weights;
# drained nodes, reservations of now and of later, licenses, suspended jobs.  Random
# requests (previews.py):
# no preview is wrong that did not warn.  SFAB_TEST_SEED gives other requests,
# SFAB_TEST_REQUESTS more of them; check-long has a thousand.
test_description='place --slurm foretells sbatch, whatever kind of cluster'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/kinds.sh"

skip_all=$(place_missing)
test -n "$skip_all" || command -v python3 >/dev/null ||
	skip_all='python3 is not installed'
at_exit place_stop
test -z "$skip_all" || test_done

seed=${SFAB_TEST_SEED:-7}
echo "# SFAB_TEST_SEED=$seed"
kinds_conf 600

test_expect_success 'the cluster starts' 'kinds_start kinds 10 20'

test_expect_success 'nodes are drained and reserved' '
	scontrol update nodename=n5,n44 state=drain reason=test &&
	scontrol create reservation reservationname=now starttime=now \
		duration=1000 users=daemon nodes="n[9-10]" &&
	scontrol create reservation reservationname=later starttime=now+45minutes \
		duration=1000 users=daemon nodes="n[29-32]" &&
	scontrol create reservation reservationname=ours starttime=now \
		duration=1000 users="$(id -un)" nodes="n[15-16,33]" &&
	scontrol create reservation reservationname=soon starttime=now+120minutes \
		duration=1000 users="$(id -un)" nodes="n[49-50]"'

test_expect_success 'no preview is wrong that did not warn' '
	python3 "$SFAB_SRCDIR/tests/slurm/previews.py" \
		"$SFAB_BUILDDIR/tools/sfabric" "$seed" \
		"${SFAB_TEST_REQUESTS:-30}" kinds'

test_expect_success 'slurmctld logged no error of ours' '
	! grep "error: sfabric" "$slurm_dir/slurmctld.log"'

test_done
