#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# preview.t - `sfabric place --slurm` names the nodes that sbatch then gets
#
# A busy cluster of 96 nodes, whole and shared ones, two node weights, mixed
# traffic, jobs that wait; then 30 random requests (previews.py), half of them with -n
# only.  SFAB_TEST_SEED gives other requests, SFAB_TEST_REQUESTS more of them; check-long
# has a thousand.
test_description='place --slurm foretells sbatch'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"

place_ready

seed=${SFAB_TEST_SEED:-7}
echo "# SFAB_TEST_SEED=$seed"
SFABRIC_SNAPSHOT=$place_dir/fabric.snap
export SFABRIC_SNAPSHOT
place_snapshot 12 6 8 6 >/dev/null
place_conf Mode=on DefaultTraffic=mpi Debug=yes
SLURM_EXTRA='SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=200'
SLURM_PARTITIONS='PartitionName=main Nodes=ALL Default=YES OverSubscribe=NO State=UP DefaultTime=600
PartitionName=excl Nodes=ALL OverSubscribe=EXCLUSIVE State=UP DefaultTime=600
PartitionName=part Nodes=n[1-40] OverSubscribe=NO MaxNodes=6 State=UP DefaultTime=600'

test_expect_success 'the cluster starts' '
	place_start preview "n[1-72] Weight=10 Feature=fast" "n[73-96] Weight=20" &&
	place_warm'

test_expect_success 'the cluster is busy' '
	for request in "-p excl -N8" "-N6 -n 30" "-p excl -N5 --comment=sfabric:io-write" \
		"-n 50 -c1" "-p excl -n 60 --comment=sfabric:io-read=0.3" \
		"-N10" "--exclusive -N4" "-n 20 --comment=sfabric:mpi=0.2+io-write=0.2"
	do
		place_run $request || return 1
	done >busy &&
	scontrol suspend $(sed -n 6p busy)'

# They come after all others, or they would hold those up.
test_expect_success 'jobs wait' '
	for request in "-p excl -N 64 -t 90 --comment=sfabric:mpi=1" \
		"-p excl -N 62 -t 30 --comment=sfabric:io-write" "-n 500 -t 2-0" \
		"-p excl -N 63 -a 1-3 --comment=sfabric:mpi=1" "-N 60 --comment=sfabric:mpi=0.9"
	do
		slurm_submit --nice=1000000 $request || return 1
	done >waiting &&
	slurm_submit -H -N 95 >held &&
	test $(squeue -h -t PD -o %i | wc -l) -ge 6'

test_expect_success 'no preview is wrong' '
	python3 "$SFAB_SRCDIR/tests/slurm/previews.py" \
		"$SFAB_BUILDDIR/tools/sfabric" "$seed" \
		"${SFAB_TEST_REQUESTS:-30}" busy'

# started PART FIELD...: fields of the starts whose line has that part.  Eight jobs made the
# cluster busy, and 30 requests or more came: where 20 of their starts, about half, have the
# part, it was looked at.
started () {
	part=$1
	shift
	grep "\"event\":\"start\",.*\"$part\":" "$place_dir/decisions" | "$field" "$@"
}

test_expect_success 'half of the requests were placed by their routes' '
	started reason reason | grep -cx placed >placed &&
	cat placed &&
	test $(cat placed) -ge 20'

test_expect_success 'some certificates share links, some have steps and share none' '
	started certificate certificate.sharing >certified &&
	test $(wc -l <certified) -ge 20 &&
	grep -c "[1-9]" certified &&
	started alltoall certificate.shared_links certificate.steps.alltoall.conflicts \
		certificate.steps.alltoall.total >steps &&
	grep -c "^0 0 [2-9]$" steps'

test_expect_success 'explain works each decision out again' '
	started score job >scored &&
	test $(wc -l <scored) -ge 20 &&
	for id in $(cat scored); do
		"$sfabric" explain $id --verify >explain.out 2>&1 && continue
		grep "\"job\":$id," "$place_dir/decisions"
		cat explain.out
		return 1
	done'

test_expect_success 'a script, its options below those of the command line' '
	cat >job.sh <<-END &&
	#!/bin/sh
	#SBATCH -p excl -N 2
	#SBATCH --comment="sfabric:io-write=0.3"
	exec sleep 1000
	END
	"$sfabric" place --slurm -N3 --json job.sh >script.json &&
	"$field" data.nodes data.traffic <script.json >said &&
	id=$(sbatch --parsable -o /dev/null -N3 job.sh) &&
	slurm_wait_job $id RUNNING &&
	echo "$(slurm_nodes $id) io-write@fs=0.3" >got &&
	sed "s/io-write=/io-write@fs=/" said >want &&
	test_cmp want got'

test_expect_success 'show jobs lists what runs' '
	"$sfabric" show jobs --slurm -h -o job --sort job | tr -d " " >shown &&
	squeue -h -t R,S -o %i | sort -n >running &&
	test_cmp running shown'

test_expect_success 'job:ID is the set of nodes of a running job' '
	id=$(sed -n 1p running) &&
	"$sfabric" load --from "$(slurm_nodes $id)" >want &&
	"$sfabric" load --from job:$id >got &&
	test_cmp want got'

test_expect_success 'job:ID of a job that does not run, and of none' '
	id=$(sbatch --parsable -o /dev/null -N2 --begin=now+1hour job.sh) &&
	test_expect_code 1 "$sfabric" load --from job:$id 2>err &&
	grep "job $id does not run" err &&
	test_expect_code 1 "$sfabric" load --from job:999999 2>err &&
	grep "Invalid job id" err &&
	test 1 = $(wc -l <err)'

test_expect_success 'top counts the jobs that run' '
	"$sfabric" top --json >top.json &&
	"$field" data.jobs <top.json >got &&
	squeue -h -t R,S -o %i | wc -l >want &&
	test_cmp want got'

test_expect_success 'slurmctld logged no error of ours' '
	! grep "error: sfabric" "$slurm_dir/slurmctld.log"'

test_done
