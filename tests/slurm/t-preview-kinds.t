#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-preview-kinds.t - previews where partitions, nodes and wishes are of all kinds
#
# Partitions whose jobs share cores, have whole nodes, few nodes, few CPUs of each,
# little time; nodes with threads, one socket or two, devices, features, weights;
# drained nodes, reservations of now and of later.  Random requests (previews.py):
# no preview is wrong that did not warn.  SFAB_TEST_SEED gives other requests,
# SFAB_TEST_REQUESTS more of them; check-long has a thousand.
test_description='place --slurm foretells sbatch, whatever kind of cluster'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"

skip_all=$(place_missing)
test -n "$skip_all" || command -v python3 >/dev/null ||
	skip_all='python3 is not installed'
at_exit place_stop
test -z "$skip_all" || test_done

seed=${SFAB_TEST_SEED:-7}
echo "# SFAB_TEST_SEED=$seed"
SFABRIC_SNAPSHOT=$place_dir/fabric.snap
export SFABRIC_SNAPSHOT
place_snapshot 11 6 6 6 >/dev/null
place_conf Mode=on DefaultTraffic=mpi MaxSearchTime=10s
SLURM_NODE_KEYS=' '
SLURM_EXTRA="SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=200
GresTypes=gpu
SchedulerParameters=$place_scheduler"
SLURM_BESIDE=$place_dir/gres.conf
cat >"$SLURM_BESIDE" <<END
NodeName=n[37-52] Name=gpu File=/dev/null
NodeName=n[37-52] Name=gpu File=/dev/zero
END
SLURM_PARTITIONS='PartitionName=main Nodes=ALL Default=YES OverSubscribe=NO State=UP DefaultTime=600
PartitionName=excl Nodes=ALL OverSubscribe=EXCLUSIVE State=UP DefaultTime=600
PartitionName=small Nodes=n[1-40] OverSubscribe=NO MaxNodes=4 State=UP DefaultTime=600
PartitionName=few Nodes=ALL OverSubscribe=NO MaxCPUsPerNode=4 State=UP DefaultTime=600
PartitionName=force Nodes=n[1-44] OverSubscribe=FORCE:2 State=UP DefaultTime=600
PartitionName=yes Nodes=n[13-64] OverSubscribe=YES:2 State=UP DefaultTime=600
PartitionName=short Nodes=ALL OverSubscribe=NO MinNodes=2 MaxTime=10 State=UP'

test_expect_success 'the cluster starts' '
	place_start kinds \
		"n[1-20] CPUs=8 Sockets=2 CoresPerSocket=4 RealMemory=8000 Feature=fast" \
		"n[21-36] CPUs=16 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=16000 Feature=fast,big Weight=10" \
		"n[37-52] CPUs=16 Sockets=2 CoresPerSocket=8 RealMemory=12000 Feature=gpu Gres=gpu:2 Weight=10" \
		"n[53-64] CPUs=8 Sockets=1 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=6000 Feature=old Weight=20" &&
	place_warm'

test_expect_success 'nodes are drained and reserved' '
	scontrol update nodename=n5,n44 state=drain reason=test &&
	scontrol create reservation reservationname=now starttime=now \
		duration=1000 users=daemon nodes="n[9-10]" &&
	scontrol create reservation reservationname=later starttime=now+15minutes \
		duration=1000 users=daemon nodes="n[29-32]"'

test_expect_success 'no preview is wrong that did not warn' '
	python3 "$SFAB_SRCDIR/tests/slurm/previews.py" \
		"$SFAB_BUILDDIR/tools/sfabric" "$seed" \
		"${SFAB_TEST_REQUESTS:-30}"'

test_expect_success 'slurmctld logged no error of ours' '
	! grep "error: sfabric" "$slurm_dir/slurmctld.log"'

test_done
