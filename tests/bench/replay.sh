#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# replay.sh - what sfabric comes to against tree over thousands of jobs
#
#     replay.sh quick     four fabrics, two seeds of 1,000 jobs: minutes
#     replay.sh full      all of it, five seeds of 2,000 jobs: hours, in pieces
#     replay.sh loss [FABRIC:ENGINE UTILIZATION MODE]
#                         what jobs lose (core/load/phases.h), waits and turnaround: seven
#                         fabrics, three utilizations, four modes, eight seeds, in pieces;
#                         or one of these cells
#     replay.sh cell FABRIC:ENGINE UTILIZATION SEED
#                         tree and sfabric side by side, MPI jobs only: seconds
#
# FABRIC@NN is a fabric whose switches adapt, and NN % of whose LIDs stay static.
#
# A piece is a fabric, a workload, a case and a seed.  Works for at most
# SFAB_BENCH_SECONDS (default 540; a piece that began is finished), then prints
# a summary of what is known.  Status 3: there is more to do, run it again.
# Answers stay below $SFAB_BENCH_DIR/replay and are made anew when the program
# is newer.  SFAB_BENCH_SEEDS: other seeds than 11-15 (loss: 91-98); 1-10 are for
# tuning and no figure of a goal comes from them.  SFAB_BENCH_CONF: lines for sfabric.conf, to try
# other settings.  SFAB_BENCH_FABRICS, _WORKLOADS, _CASES: only these.
# SFAB_BENCH_MODES: what jobs of `loss` send, and what is told (default untold told mpi-30
# io-10).  untold, told: a bit of everything; mpi-NN, io-NN: 0.NN of their time in MPI or
# writing; mixed: half of the jobs MPI, half IO.  -untold after the last three: no hints.
# SFAB_BENCH_WORKLOADS of `loss`: lublin (sizes up to the machine) and to128 (1 to 128
# nodes, half of them powers of two).
# SFAB_BENCH_CASES: loss (run times are fixed, so that all jobs start as under tree), turn
# (stretched by what jobs lose: waits and turnaround) or both, which is the default.
# SFAB_BENCH_UTIL: utilizations of `loss` (default 0.80 0.90 0.95).
# SFAB_BENCH_JOBS: jobs of a run; 300 give a quick look.  `loss` keeps such answers apart.
# SFAB_BENCH_RANKS: order of ranks in `cell` and `loss` (sfabric-replay(1), --ranks).
: "${SFAB_SRCDIR:?}" "${SFAB_BUILDDIR:?}"
. "$SFAB_SRCDIR/tests/bench/fabrics.sh"
sfabric=$SFAB_BUILDDIR/tools/sfabric
PYTHON=${PYTHON:-/usr/bin/python3}

# FABRIC:ENGINE, as far as its file is there
replay_fabrics () {
	test -z "$SFAB_BENCH_FABRICS" ||
		{ printf '%s\n' $SFAB_BENCH_FABRICS; return; }
	printf '%s\n' wolf:ftree tapered:ftree
	case $1 in
	loss) printf '%s\n' wolf:minhop ft2592:ftree islands:ftree ;;
	*) echo small:made ;;
	esac
	test "$1" != full || echo ft1600:ftree
	test -d "$bench_shared" || return 0
	echo stage-2014:minhop
	test "$1" = quick || echo ndr-pod-2025:minhop
}

replay_workloads () {
	test -z "$SFAB_BENCH_WORKLOADS" ||
		{ printf '%s\n' $SFAB_BENCH_WORKLOADS; return; }
	echo lublin
	test "$1" != loss || { echo to128; return; }
	echo varied
}

# mpi     what jobs send is known
# hidden  all are taken for DefaultTraffic
# mixed   half of the jobs IO, half MPI; servers nearly busy
# full    the same with all the IO that a port can: servers saturated
# loss-U-MODE, turn-U-MODE
replay_cases () {
	percents=$(echo " ${SFAB_BENCH_UTIL:-0.80 0.90 0.95}" | sed 's/ 0\./ /g')
	test "$1" != loss || {
		for kind in ${SFAB_BENCH_CASES:-loss turn}; do
			for mode in ${SFAB_BENCH_MODES:-untold told mpi-30 io-10}; do
				printf "$kind-%s-$mode\n" $percents
			done
		done
		return
	}
	printf '%s\n' ${SFAB_BENCH_CASES:-mpi hidden mixed saturated}
}

# io_hosts SNAPSHOT: the last host of each leaf
io_hosts () {
	"$sfabric" show hosts --snapshot "$1" -h -P -o switch,port,host,role |
		awk -F'|' '$4 == "compute" && $3 ~ /^[-A-Za-z0-9_.]+$/ {
				if (!($1 in last) || $2 + 0 > port[$1]) {
					last[$1] = $3
					port[$1] = $2 + 0
				}
			}
			END { for (s in last) print last[s] }' | sort -u | paste -sd,
}

# The fabric small: twelve leaves of ten hosts with two uplinks each, LID x goes up by
# uplink x mod 2.  It has one case, mpi, with a log of its own: jobs of 3 to 10 nodes
# that all send much; two in five feel it by a third of their time, the others hardly.
small_snapshot () {
	test "$results/small.snap" -nt "$sfabric" ||
		"$SFAB_BUILDDIR/tests/slurm/make_snapshot" "$results/small.snap" \
			12 2 10 2 >/dev/null || return 1
	echo "$results/small.snap"
}

# small_log SEED
small_log () {
	awk -v n="$jobs" -v s="$((100 + $1 * 101))" -v skip=20 \
		-f "$SFAB_SRCDIR/tests/lib/small_log.awk" | cut -d'|' -f1-3 \
		>"$results/small.$1.sacct" &&
		echo "$results/small.$1.sacct --machine 120"
}

small_options () {
	small_log "$seed" && echo '--policy tree,sfabric --utilization 0.85' \
		'--mix 0.4:mpi=0.8:fluent:0.32,0.6:mpi=0.75+neighbor=0.05:montecarlo:0.02'
}

# snapshot_with_io NAME ENGINE: the same tables with these as IO set
snapshot_with_io () {
	snap=$results/$1.$2.snap
	test "$snap" -nt "$sfabric" || {
		dir=$(bench_texts "${1%@*}" "$2") && tables=$dir/opensm-lfts.dump || return 1
		test "$1" = "${1%@*}" || tables=$(bench_far "${1%@*}" "$2" "${1#*@}")
		"$sfabric" import --engine "$(cat "$dir/engine")" \
			$(test ! -f "$dir/map" || echo "--node-name-map=$dir/map") \
			--io "$(io_hosts "$dir/fabric.snap")" --output "$snap" \
			"$dir/opensm-subnet.lst" "$tables" >"$results/import.log" || return 1
	}
	echo "$snap"
}

snapshot_for () {
	case $1.$3 in
	small.*) small_snapshot ;;
	*.mixed|*.saturated) snapshot_with_io "$1" "$2" ;;
	wolf.*) echo "$(bench_tables "$1" "$2")/fabric.snap" ;;
	*.loss-*|*.turn-*) snapshot_with_io "$1" "$2" ;;
	*) echo "$(bench_tables "$1" "$2")/fabric.snap" ;;
	esac
}

# to128_log SNAPSHOT: a log for the seed at hand, and the size of its machine
to128_log () {
	awk -v n=$jobs -v seed=$seed -f "$SFAB_SRCDIR/tests/bench/to128_log.awk" \
		>"$results/to128.$seed.sacct" || return 1
	hosts=$("$sfabric" replay --jobs 2 --seeds 1 --load-factor 1 --policy tree --json \
		--conf "$conf" --snapshot "$1" </dev/null | "$PYTHON" -c 'import json, sys
print(json.load(sys.stdin)["data"]["workload"]["hosts"])') &&
	echo "$results/to128.$seed.sacct --machine $hosts"
}

# the options of a workload for the seed at hand, on the snapshot at hand
workload_options () {
	case $1 in
	lublin) echo "--jobs $jobs" ;;
	to128) to128_log "$snap" ;;
	varied) echo "--jobs $jobs --mix 0.3:mpi=1,0.2:mpi=0.5,0.2:mpi=0.2,0.1:neighbor=1,0.2:off" ;;
	esac
}

case_options () {
	case $1 in
	mpi) echo '--policy tree,sfabric' ;;
	hidden) echo '--policy tree,sfabric --hints none' ;;
	mixed) echo '--policy tree,spread,sfabric' \
		'--mix 0.5:mpi=1,0.25:io-write=0.1,0.25:io-read=0.1' ;;
	saturated) echo '--policy tree,spread,sfabric' \
		'--mix 0.5:mpi=1,0.25:io-write=0.5,0.25:io-read=0.5' ;;
	loss-*|turn-*) echo '--policy tree,sfabric' $(loss_options "$1") \
		--ranks ${SFAB_BENCH_RANKS:-name} ;;
	esac
}

# loss_options CASE: what jobs send, what is told, and what run times are stretched by
loss_options () {
	mode=${1#*-*-}
	case $mode in
	untold|told) echo '--mix 1:mpi=0.25+io-write=0.05+io-read=0.02' ;;
	mpi-*) echo "--mix 1:mpi=0.$(echo "$mode" | tr -dc 0-9)" ;;
	io-*) echo "--mix 1:io-write=0.$(echo "$mode" | tr -dc 0-9)" ;;
	mixed*) echo '--mix 0.5:mpi=0.3,0.25:io-write=0.1,0.25:io-read=0.1' ;;
	esac
	case $mode in
	*untold) echo '--hints none' ;;
	esac
	case $1 in
	loss-*) echo '--stretch none' ;;
	turn-*) echo '--stretch loss' ;;
	esac
}

# Fewer where a run takes long.
# loss_jobs NAME
loss_jobs () {
	case $1 in
	ndr-pod-2025) echo 500 ;;
	tapered) echo 700 ;;
	*) echo 1000 ;;
	esac
}

# replay_options NAME WORKLOAD CASE
replay_options () {
	if test "$1" = small; then
		small_options
	else
		workload_options "$2" && case_options "$3"
	fi
}

# conf_for NAME CASE.  By steps, 24 IO nodes on the same port of 24 leaves would be
# the worst part of any MPI job that has them as its last ranks.
conf_for () {
	{
		printf '%s\n' "$SFAB_BENCH_CONF"
		case $1.$2 in
		wolf.cell) echo 'IoSet=io Hosts=wf[0617-0640]' ;;
		wolf.loss-*|wolf.turn-*) echo 'IoSet=io Hosts=wf[0617-0640] GBs=2.3' ;;
		esac
	} >"$results/conf.$$"
	echo "$results/conf.$$"
}

# replay_piece NAME ENGINE WORKLOAD CASE
replay_piece () {
	test "$4.$3" != mixed.varied && test "$4.$3" != saturated.varied || return 0
	test "$1" != small || test "$3.$4" = lublin.mpi || return 0
	answer=$results/$1.$2.$3.$4.$seed.json
	! test "$answer" -nt "$sfabric" || return 0
	test "$(date +%s)" -lt "$end" || return 3
	bench_log "$1 $2 $3 $4, seed $seed"
	test -n "$jobs_asked" || case $4 in
	loss-*|turn-*) jobs=$(loss_jobs "$1") ;;
	esac
	snap=$(snapshot_for "$1" "$2" "$4") &&
	conf=$(conf_for "$1" "$4") &&
	arrivals=$(arrivals_for "$1.$2" "$3" "$4") &&
	options=$(replay_options "$1" "$3" "$4") &&
	"$sfabric" replay $options $arrivals --seeds "$seed" --json \
		--snapshot "$snap" --conf "$conf" </dev/null >"$answer.new" &&
	mv "$answer.new" "$answer"
}

replay_all () {
	for seed in $seeds; do
		for case in $(replay_cases "$1"); do
			for fabric in $(replay_fabrics "$1"); do
				for workload in $(replay_workloads "$1"); do
					replay_piece "${fabric%:*}" "${fabric#*:}" \
						"$workload" "$case" || return
				done
			done
		done
	done
}

# How fast jobs must arrive is found once and kept: that is most of the time.
# cell_load SNAPSHOT FILE UTILIZATION CONF [OPTION [WORKLOAD]]
cell_load () {
	test "$2" -nt "$1" ||
		"$sfabric" replay $(workload_options ${6:-lublin}) --seeds "$seed" \
			--mix 1:mpi=1 --policy tree --steps 0 --json \
			--utilization "$3" --conf "$4" --snapshot "$1" $5 \
			</dev/null | "$PYTHON" -c 'import json, sys
print(1 / json.load(sys.stdin)["data"]["workload"]["compress"][0])' >"$2" ||
		{ rm -f "$2"; return 1; }
	cat "$2"
}

# arrivals_for FABRIC WORKLOAD CASE: of the piece at hand, if it is of `loss`.
# Stretched run times depend on what jobs send.
arrivals_for () {
	percent=$(echo "$3" | cut -d- -f2)
	case $3 in
	loss-*) key=0.$percent how='--stretch none' ;;
	turn-*) key=$(echo "$3" | sed 's/-\(un\)\{0,1\}told$//') how=$(loss_options "$3") ;;
	*) return ;;
	esac
	load=$(cell_load "$snap" "$loads/$1.$2.$key.$seed.$jobs" "0.$percent" "$conf" "$how" \
		"$2") &&
	echo "--load-factor $load"
}

# replay_cell FABRIC:ENGINE UTILIZATION
replay_cell () {
	snap=$(snapshot_for "${1%:*}" "${1#*:}" cell) &&
	conf=$(conf_for "${1%:*}" cell) &&
	load=$(cell_load "$snap" "$results/$1.$2.$seed.$jobs" "$2" "$conf") &&
	"$sfabric" replay --jobs $jobs --seeds "$seed" \
		--mix 1:mpi=1 --policy tree,sfabric \
		--ranks ${SFAB_BENCH_RANKS:-name} \
		--load-factor "$load" --conf "$conf" --snapshot "$snap" \
		-o "$cell_fields" </dev/null
}
cell_fields=policy,utilization,wait_vs,loss,loss_alone,loss_vs,between_vs,total_vs

case $#.${1-} in
1.quick) jobs=1000 seeds=${SFAB_BENCH_SEEDS:-11 12} ;;
1.full) jobs=2000 seeds=${SFAB_BENCH_SEEDS:-11 12 13 14 15} ;;
1.loss) jobs=1000 seeds=${SFAB_BENCH_SEEDS:-91 92 93 94 95 96 97 98} ;;
4.loss) jobs=1000 seeds=${SFAB_BENCH_SEEDS:-91 92 93 94 95 96 97 98}
	SFAB_BENCH_FABRICS=$2 SFAB_BENCH_UTIL=$3 SFAB_BENCH_MODES=$4 ;;
4.cell) jobs=1000 seed=$4 ;;
*) sed -n '/^# *replay\.sh [a-z]/s/^# *//p' "$0" >&2; exit 2 ;;
esac
jobs_asked=$SFAB_BENCH_JOBS
jobs=${jobs_asked:-$jobs}
if why=$(bench_missing); then
	echo "replay: skipped, $why"
	exit 0
fi
end=$(($(date +%s) + ${SFAB_BENCH_SECONDS:-540}))
loads=$SFAB_BENCH_DIR/replay/loads
apart=
test "$1" != loss ||
	apart=${jobs_asked:+-$jobs_asked}${SFAB_BENCH_RANKS:+-$SFAB_BENCH_RANKS}
results=$SFAB_BENCH_DIR/replay/$1$apart
mkdir -p "$results" "$loads"
# Only what this program gave is shown.
test "$1" != loss || find "$results" -name '*.json' ! -newer "$sfabric" -exec rm {} +
trap 'rm -f "$results/conf.$$"' EXIT
test "$1" != cell || { replay_cell "$2" "$3"; exit; }
replay_all "$1"
status=$?
"$PYTHON" "$SFAB_SRCDIR/tests/bench/replay_summary.py" "$results" || exit 1
test $status != 3 || echo 'There is more to do: run it again.'
exit $status
