#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-preview.t - `sfabric place --slurm` names the nodes that sbatch then gets
#
# A busy cluster of 96 nodes, whole and shared ones, two node weights, mixed
# traffic, jobs that wait; then 30 random requests, half of them with -n only.
# Each is previewed, submitted, compared, and stays; the oldest jobs go when it gets
# full.  SFAB_TEST_SEED gives other requests, SFAB_TEST_REQUESTS more of them; a
# mismatch prints what both sides knew.  check-long has a thousand.
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

# The requests of this seed, one a line: @n with -n only, the others mixed.
requests () {
	awk -v seed="$seed" -v count="$1" '
	function pick(list,  part, n) {
		n = split(list, part, "|")
		return part[1 + int(rand() * n)]
	}
	BEGIN {
		srand(seed)
		for (i = 0; i < count; i++) {
			where = pick("-p main|-p main|-p excl|-p part|--exclusive")
			if (i % 2)
				what = "-n" (1 + int(rand() * 40))
			else
				what = pick("-N1|-N2|-N3|-N5|-N2-4|-N6|" \
					"-N3 --ntasks-per-node=2|-w n7|" \
					"-N3 -w n[9-10]|-N4 -x n[1-30]|" \
					"-N2 --mem=3000|-N2 --mincpus=4|" \
					"-N3 -C fast|-n12 -N3|" \
					"-N2 --contiguous|-N4 --contiguous|" \
					"-n20 --contiguous|-N3 --switches=1|" \
					"-N6 --switches=2@1|-N4-23")
			more = pick("||||-c2|--mem-per-cpu=700")
			hint = pick("||io-write|mpi=0.3|io-read=0.4|" \
				"neighbor+io-write=0.2|alltoall=1")
			if (hint != "")
				hint = "--comment=sfabric:" hint
			print where, what, more, hint
		}
	}'
}

# How many nodes no job is on.
free_nodes () {
	sinfo -h -p main -N -t idle -o %n | wc -l
}

# Cancel the oldest jobs until 30 nodes are idle.
make_room () {
	while test "$(free_nodes)" -lt 30; do
		old=$(squeue -h -t R,S -S i -o %i | head -n 2)
		test -n "$old" || return 1
		scancel $old && slurm_wait gone $old || return 1
	done
}

gone () {
	test -z "$(squeue -h -j "$1${2:+,$2}" -o %i 2>/dev/null)" &&
	test -z "$(sinfo -h -t comp -o %n)"
}

# The scheduler has looked at the job.
looked_at () {
	scontrol show job "$1" | grep -Eq 'JobState=RUNNING|Reason=(Resources|Priority|ReqNode|Partition)'
}

names () {
	test -z "$1" || scontrol show hostnames "$1" | sort
}

# The nodes of a job that runs; of one that waits none.
nodes_now () {
	squeue -h -j "$1" -o %N
}

# What both sides knew about request $1, job $2.
show_difference () {
	echo "request: $1 (SFAB_TEST_SEED=$seed)"
	echo "preview: $(python3 "$field" data.decision.reason data.nodes \
		data.traffic <preview.json)"
	python3 "$field" data.score.total data.score.terms meta.steps \
		<preview.json 2>/dev/null
	echo "sbatch:  $(nodes_now "$2")"
	grep "\"job\":$2," "$place_dir/decisions"
	grep -E "sfabric: .*(JobId=$2\\b|job $2\\b)" "$slurm_dir/slurmctld.log"
	scontrol -d show job "$2"
	cat before.nodes before.jobs
}

# answers are as the schema says, where that can be told
schemas=false
python3 -c "import jsonschema" 2>/dev/null && schemas=true

# The AdminComment of job $1 begins with the certificate of the preview.
certified () {
	test "$(python3 "$field" data.decision.reason <preview.json)" = placed ||
		return 0
	text=$(python3 "$field" data.certificate.text <preview.json | tr ";" ",") &&
	scontrol show job "$1" | grep -qE "AdminComment=([^;]*; )*sfabric:placed, $(echo "$text" |
		sed "s/[()]/[&]/g")[, ]" && return 0
	echo "expected in AdminComment: $text"
	return 1
}

# compare REQUEST: preview, submit, compare
compare () {
	scontrol show node >before.nodes && scontrol -d show job >before.jobs &&
	"$sfabric" place --slurm --json $1 >preview.json 2>preview.err || {
		# what sbatch refuses, too: --mem and --mem-per-cpu
		slurm_submit $1 || return 0
		echo "request: $1"
		cat preview.err
		return 1
	}
	! $schemas || python3 "$SFAB_SRCDIR/tests/lib/valid.py" \
		"$SFAB_SRCDIR/doc/schema/place.json" preview.json || return 1
	want=$(python3 "$field" data.nodes <preview.json) || return 1
	# what no partition can ever hold is refused at once
	id=$(slurm_submit $1) || { test -z "$want"; return; }
	slurm_wait looked_at "$id" || return 1
	names "$want" >want
	names "$(nodes_now "$id")" >got
	case $(python3 "$field" data.decision.reason <preview.json) in
	contiguous|switches)	# Slurm's nodes, if any: the reason is foretold
		test -z "$want" || { show_difference "$1" "$id"; return 1; }
		: >want
		slurm_job_is "$id" RUNNING &&
			echo "stock $(python3 "$field" data.decision.reason \
				<preview.json)" >want
		place_reason "$id" >got ;;
	esac
	slurm_job_is "$id" PENDING && scancel "$id"
	test_cmp want got && certified "$id" && return 0
	show_difference "$1" "$id"
	return 1
}

test_expect_success 'the cluster starts' '
	place_start preview "n[1-72] Weight=10 Feature=fast" "n[73-96] Weight=20" &&
	place_warm'

test_expect_success 'it is busy' '
	for request in "-p excl -N8" "-N6 -n 30" "-p excl -N5 --comment=sfabric:io-write" \
		"-n 50 -c1" "-p excl -n 60 --comment=sfabric:io-read=0.3" \
		"-N10" "--exclusive -N4" "-n 20 --comment=sfabric:mpi=0.2+io-write=0.2"
	do
		place_run $request || return 1
	done >busy &&
	scontrol suspend $(sed -n 6p busy)'

# They come after all others, or they would hold those up.
test_expect_success 'jobs wait' '
	for request in "-p excl -N 64 -t 90 --comment=sfabric:mpi=1" "-p excl -N 62 -t 30 --comment=sfabric:io-write" \
		"-n 500 -t 2-0" "-p excl -N 63 -a 1-3 --comment=sfabric:mpi=1" \
		"-N 60 --comment=sfabric:mpi=0.9"
	do
		slurm_submit --nice=1000000 $request || return 1
	done >waiting && slurm_submit -H -N 95 >held &&
	test $(squeue -h -t PD -o %i | wc -l) -ge 6'

requests "${SFAB_TEST_REQUESTS:-30}" >requests
while read -r request; do
	test_expect_success "$request" 'make_room && compare "$request"'
done <requests

test_expect_success 'half of the requests were placed by their routes' '
	grep "\"event\":\"start\"" "$place_dir/decisions" |
	grep -c "\"reason\":\"placed\"" >placed && cat placed &&
	test $(cat placed) -ge 20'

test_expect_success 'some certificates share links, some have steps and share none' '
	grep -o "\"certificate\":{.*}}}" "$place_dir/decisions" >certificates &&
	wc -l <certificates && test $(wc -l <certificates) -ge 20 &&
	for what in "\"sharing\":[1-9]" \
		"\"shared_links\":0,\"sharing\":0.*\"total\":[2-9],[^}]*\"conflicts\":0}"
	do
		echo "$(grep -c "$what" certificates) $what" &&
		grep "$what" certificates >some && test -s some || return 1
	done'

test_expect_success 'explain works each decision out again' '
	sed -n "s/.*\"event\":\"start\",\"job\":\([0-9]*\),.*\"score\".*/\1/p" \
		"$place_dir/decisions" >scored && test $(wc -l <scored) -ge 20 &&
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
	python3 "$field" data.nodes data.traffic <script.json >said &&
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
	id=$(sed -n 1p running) && nodes=$(slurm_nodes $id) &&
	"$sfabric" load --from "$nodes" >want &&
	"$sfabric" load --from job:$id >got && test_cmp want got &&
	pending=$(sbatch --parsable -o /dev/null -N2 --begin=now+1hour job.sh) &&
	test_expect_code 1 "$sfabric" load --from job:$pending 2>err &&
	grep "job $pending does not run" err &&
	test_expect_code 1 "$sfabric" load --from job:999999 2>err &&
	grep "Invalid job id" err && test 1 = $(wc -l <err)'

test_expect_success 'top counts the jobs that run' '
	"$sfabric" top --json >top.json &&
	python3 "$field" data.jobs <top.json >got &&
	squeue -h -t R,S -o %i | wc -l >want && test_cmp want got'

test_expect_success 'slurmctld logged no error of ours' '
	! grep "error: sfabric" "$slurm_dir/slurmctld.log"'

test_done
