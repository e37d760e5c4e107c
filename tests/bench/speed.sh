#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# speed.sh - what decisions, imports and counts cost, on OpenSM's tables
#
#     speed.sh [decisions] [tables] [states] [cases] [imports] [growth] [learn]
#              [loop] [packing]
#
# decisions   CPU time to choose hosts on busy machines
# tables      import of text, loading of snapshots, all-pairs counts; ibdmchk
#             does the same count beside it
# states      by our score on idle and busy machines: plain policies, ours, naive tries
#             (SFAB_BENCH_STATES, FABRIC:ENGINE ..., instead of the usual ones)
# cases       1,000 random cases: how often a plain row of place is better than the choice
#             (SFAB_BENCH_STATES as above; SFAB_BENCH_SEEDS, default 1)
# learn       what jobs send, found out from noisy counters, against what they sent
#             (SFAB_BENCH_SEEDS, default 1)
# loop        traffic unknown at first: jobs placed by what was learned of earlier runs
#             (SFAB_BENCH_SEEDS, default 1 2 3)
# packing     what jobs lose under each packing of the machine, traffic unknown and MPI
#             alone, by playing streams (SFAB_BENCH_SEEDS, how many, default 4)
# imports     import of tables of 1,600 to 41,472 hosts, and of lfts up to 11,664: time,
#             memory, with exponents
# growth      these, decisions from 640 to 41,472 hosts, 16 to 2,048 nodes, with the
#             exponents fitted to them, and previews of 2,048 nodes
: "${SFAB_SRCDIR:?}" "${SFAB_BUILDDIR:?}"
. "$SFAB_SRCDIR/tests/bench/fabrics.sh"
programs=$SFAB_BUILDDIR/tests/bench

# decide FABRIC ENGINE NODES TRAFFIC RUNNING BUSY REPEATS
decide () {
	dir=$(bench_tables "$1" "$2") && shift 2 &&
	"$programs/decision" "$dir/fabric.snap" "$@"
}

# a row of decision.c for humans
decision_row () {
	awk -v fabric="$1" -v goal="$2" '{
		printf "%-8s %6d %6d %-9s %4s %8.2f %8.2f %8.2f %5s %8.2f %8.2f %5d %8.2f %9.2f %9.3f\n",
			fabric, $1, $3, $4 == "-" ? "untold" : $4, $5, $6, $7, $8, goal, $9,
			$10, $11, $12, $13, $15 }'
}

# decisions_of GOAL_MS FABRIC NODES RUNNING REPEATS
decisions_of () {
	for traffic in - mpi io-write; do
		for busy in 0 0.6 0.85; do
			decide "$2" ftree "$3" $traffic "$4" $busy "$5" | decision_row "$2" "$1"
		done
	done
}

decisions () {
	printf '%-8s %6s %6s %-9s %4s %8s %8s %8s %5s %8s %8s %5s %8s %9s %9s\n' \
		'CPU ms' HOSTS NODES TRAFFIC BUSY P50 P99 MAX GOAL START_99 END_99 MIB \
		STEPS_99 SHARES_99 LOST
	decisions_of 5 wolf 64 50 300
	decisions_of 25 ft5184 512 100 100
	decisions_of 100 ft11664 2048 200 40
}

# -- states ------------------------------------------------------------------

# 32 hosts on 20 machines that are idle, 60 and 85 % busy, of each fabric
states () {
	tries=${SFAB_BENCH_TRIES:-2000}
	echo "nodes lost and score of six choices; states where ours has a worse score than tree,"
	echo "contiguous, spread, random, $tries naive tries; where more is lost than by the best of four"
	printf '%-21s %4s %-8s %-11s %-11s %-11s %-11s %-11s %-11s %-14s %6s %s\n' FABRIC BUSY TRAFFIC \
		tree contiguous spread random OURS naive WORSE MORE MS
	for fabric in ${SFAB_BENCH_STATES:-wolf:ftree tapered:ftree stage-2014:minhop \
		torus:dor torus:torus-2QoS torus2:dor torus2:torus-2QoS hypercube:dor \
		dragonfly:dfsssp dragonfly-plus:dfsssp dragonfly-plus:minhop graph:lash \
		graph:dfsssp \
		islands:minhop}; do
		dir=$(bench_tables "${fabric%:*}" "${fabric#*:}") || continue
		for traffic in mpi=1 io-write io-read; do
			for busy in 0 0.6 0.85; do
				"$programs/states" "$dir/fabric.snap" 32 "$traffic" \
					${SFAB_BENCH_N:-20} "$tries" "$busy" |
					state_row "$fabric" "$busy"
			done
		done
	done
}

# state_row FABRIC BUSY: a line of states.c for humans
state_row () {
	awk -v fabric="$1" -v busy="$2" '{
		printf "%-21s %4s %-8s", fabric, busy, $2
		for (i = 4; i < 16; i += 2)
			printf " %5.2f %5.2f", $(i + 1), $i
		printf " %2d %2d %2d %2d %2d %6d %.2f\n", $16, $17, $18, $19, $20, $21, $22 }'
}

# -- cases -------------------------------------------------------------------

# goal: 0
cases () {
	printf '%-24s %6s %6s %6s %8s %8s %8s\n' FABRIC HOSTS CASES WORSE MOST LOST MS
	for fabric in ${SFAB_BENCH_STATES:-wolf:ftree wolf:minhop tapered:ftree \
		stage-2014:ftree ndr-pod-2025:minhop psmn-x5:minhop selene-compute:ftree \
		torus:dor hypercube:dor dragonfly:dfsssp graph:lash islands:minhop}; do
		dir=$(bench_tables "${fabric%:*}" "${fabric#*:}") || continue
		for seed in ${SFAB_BENCH_SEEDS:-1}; do
			echo "$fabric $("$programs/cases" "$dir/fabric.snap" 84 "$seed")"
		done
	done | awk '{ printf "%-24s %6d %6d %6d %8g %8.3f %8.2f\n", $1, $2, $3, $4, $5, $6, $7
			n += $3; w += $4; lost += $3 * $6; ms += $3 * $7 }
		END { printf "%-24s %6s %6d %6d %8s %8.3f %8.2f\n", "all", "", n, w, "", lost / n, ms / n }'
}

# -- packing -----------------------------------------------------------------

# packing_rows FABRIC ENGINE SERVERS LARGEST
packing_rows () {
	dir=$(bench_tables "$1" "$2") || return
	for traffic in mpi=0.25+io-write=0.05+io-read=0.02 mpi=0.3; do
		echo "$1 $2 $traffic"
		"$programs/packings" "$dir/fabric.snap" $traffic "$3" \
			"${SFAB_BENCH_SEEDS:-4}" 100 "$4"
	done
}

packing () {
	packing_rows wolf ftree 24 128
	packing_rows wolf minhop 24 128
	packing_rows tapered ftree 0 128
	packing_rows stage-2014 ftree 0 48
	packing_rows ndr-pod-2025 ftree 0 128
	packing_rows ft2592 ftree 0 128
	packing_rows islands ftree 0 64
}

# -- learn -------------------------------------------------------------------

# learn_rows FABRIC ENGINE JOBS MACHINES: cases of noise, unknown, strange, shared; judged by
# one sample, and after ten.  Curves of confidence are added to a file.
learn_rows () {
	dir=$(bench_tables "$1" "$2") || return
	for seed in ${SFAB_BENCH_SEEDS:-1}; do
		while read -r noise unknown strange samples shared; do
			"$programs/learn" "$dir/fabric.snap" "$3" "$4" $seed $noise $unknown \
				$strange $samples $shared |
			awk -v row="$1 $seed $noise $unknown $strange $samples $shared" \
			    -v curves="$SFAB_BENCH_DIR/learn-curves" '
			BEGIN { split(row, r); nodes = r[7] == 0 ? "own" : "shared" }
			/^curve/ { print nodes, $0 >>curves; next }
			{	printf "%-21s %4d %5d %5s %7s %7s %7s %6s %6s %6s %7s %7s %6s %6s %7s %7s %7s %6s\n",
					r[1], r[2], $1, r[3], r[4], r[5], r[6], r[7],
					$2, $3, $4, $5, $6, $7, $8, $9, $10, $11 }'
		done <<-END
			0.05 0 0 1 0
			0.1 0.2 0 1 0
			0.1 0.2 0.5 1 0
			0.1 0.2 0 10 0
			0.1 0.2 0.5 10 0
			0.1 0.2 0 1 0.5
		END
	done
}

# stated confidence against how many are right, own nodes and shared ones
learn_curves () {
	awk '{
		for (i = 0; i < 5; i++) {
			n[$1, i] += $(3 + 3 * i)
			stated[$1, i] += $(3 + 3 * i) * $(4 + 3 * i)
			right[$1, i] += $(5 + 3 * i)
		}
	}
	END {
		printf "\n%-8s %7s %7s %7s\n", "NODES", "ANSWERS", "STATED", "RIGHT"
		split("own shared", who)
		for (w = 1; w <= 2; w++)
			for (i = 0; i < 5; i++)
				if (n[who[w], i])
					printf "%-8s %7d %7.3f %7.3f\n", who[w], n[who[w], i],
						stated[who[w], i] / n[who[w], i],
						right[who[w], i] / n[who[w], i]
	}' "$SFAB_BENCH_DIR/learn-curves"
}

# goals: exact 97 %, dominant 99 %, flagged 80 %, few known as IO 95 %, false 5 %, counted
# 95 %, stated within .1 of right; 1 s at 300 jobs of 4,341 ports, 10 s at 11,664 hosts
learn () {
	rm -f "$SFAB_BENCH_DIR/learn-curves"
	printf '%-21s %4s %5s %5s %7s %7s %7s %6s %6s %6s %7s %7s %6s %6s %7s %7s %7s %6s\n' \
		FABRIC SEED JOBS NOISE UNKNOWN STRANGE SAMPLES SHARED EXACT DOMIN ERROR \
		FLAGGED SPLIT FEW_IO FALSE COUNTED CPU_S MIB
	learn_rows wolf ftree 20 30
	learn_rows wolf ftree 64 10
	learn_rows wolf ftree 128 10
	learn_rows wolf ftree 256 5
	learn_rows tapered ftree 64 10
	learn_rows tapered ftree 256 5
	learn_rows ft1600 ftree 60 10
	test ! -d "$bench_shared" || learn_rows selene-compute-ports minhop 100 5
	test ! -d "$bench_shared" || learn_rows selene-compute-ports minhop 300 3
	learn_rows ft11664 ftree 300 1
	learn_curves
}

# -- loop --------------------------------------------------------------------

# loop_runs REUSED IO: a line of loop.c for each way to choose and each seed;
# usual only where it differs from told
loop_runs () {
	for who in tree default told $(test "$1" = 0 || echo usual) learned; do
		for seed in ${SFAB_BENCH_SEEDS:-1 2 3}; do
			"$programs/loop" "$dir/fabric.snap" $who 0.9 "$seed" 400 "$1" "$2"
		done
	done
}

# loop_row FABRIC ENGINE REUSED IO: of every seed.  GAIN is the part of the gain of told
# after day one, of all seeds and the least of one; VS the time of day one by tree's.
loop_row () {
	dir=$(bench_tables "$1" "$2") || return
	rows=$SFAB_BENCH_DIR/loop-$1-$3-$4
	loop_runs "$3" "$4" >"$rows" && awk -v row="$*" '
		function gain(w, x) {
			return 100 * (x["tree"] - x[w]) / (x["tree"] - x["told"])
		}
		{ w = $1; n[w]++; f[w] += $3; l[w] += $5; learned[w] += $6; error[w] += $7
		  one[w, n[w]] = $5
		  if (n[w] == 1) who[++k] = w }
		function least(w,  i, most, g, m) {
			for (i = 1; i <= n[w]; i++) {
				most = one["tree", i] - one["told", i]
				g = 100 * (one["tree", i] - one[w, i]) / most
				m = (i == 1 || g < m) ? g : m
			}
			return m
		}
		END {
			split(row, r)
			for (i = 1; i <= k; i++) {
				w = who[i]
				printf "%-10s %-6s %-3s %-8s %8.4f %6.3f %8.4f %4.0f %% %4.0f %% %7d %6.4f\n",
					r[1], r[3], r[4], w, f[w] / n[w],
					(n[w] + f[w]) / (n[w] + f["tree"]), l[w] / n[w],
					gain(w, l), least(w), learned[w] / n[w], error[w] / n[w]
			}
		}' "$rows"
}

# goals: after three runs 90 % of the gain of told, with 10 % reused names 80 %; day one not
# 2 % worse than tree.  With IO .3 servers keep up, with 1 they are full.
loop () {
	printf '%-10s %-6s %-3s %-8s %8s %6s %8s %6s %6s %7s %6s\n' FABRIC REUSED IO WHO \
		DAY_1 VS LATER GAIN LEAST LEARNED ERROR
	loop_row wolf ftree 0 0.3
	loop_row wolf ftree 0 1
	loop_row wolf ftree 0.1 0.3
	loop_row tapered ftree 0 0.3
	loop_row rails ftree 0 0.3
}

# -- tables ------------------------------------------------------------------

# table_row NAME FILE...: "NAME HOSTS SWITCHES PAIRS READ COUNT CREATE MIB MIB"
table_row () {
	row_name=$1
	shift
	echo "$row_name $("$programs/tables" 5 "$@")"
}

table_rows () {
	printf '%-34s %6s %8s %9s %9s %9s %9s %5s %5s\n' 'MEDIAN ms' HOSTS \
		SWITCHES PAIRS READ COUNT MODEL MIB +MIB
	for fabric in wolf ft1600 ft5184 ft11664; do
		dir=$(bench_tables "$fabric" ftree) &&
			table_row "$fabric.snap" "$dir/fabric.snap"
	done
	dir=$(bench_texts ft5184 ftree) &&
	table_row "ft5184:subnet.lst,fdbs" "$dir/opensm-subnet.lst" "$dir/opensm.fdbs"
	test -d "$bench_shared" || return 0
	dir=$(bench_texts selene-compute minhop) &&
	table_row "selene-compute:subnet.lst,lfts" \
		"$dir/opensm-subnet.lst" "$dir/opensm-lfts.dump"
	echo "$(($(wc -c <"$dir/opensm-lfts.dump") / 1000000))" >"$SFAB_BENCH_DIR/mb"
}

own_mounts () {
	for own in 'unshare -m' 'unshare -rm'; do
		$own mount -t tmpfs none /var/cache 2>/dev/null || continue
		echo "$own"
		return
	done
	return 1
}

# ibdmchk_ms DIR: wall clock of its whole run; it writes to a fixed folder
# and crashes when everything is written
ibdmchk_ms () {
	ibdmchk_start=$(date +%s%3N)
	$own sh -c '
		mount -t tmpfs none /var/cache && mkdir /var/cache/ibutils &&
		ibdmchk -s "$0/opensm-subnet.lst" -f "$0/opensm.fdbs" \
			-m "$0/opensm.mcfdbs" >/dev/null 2>&1' "$1"
	echo $(($(date +%s%3N) - ibdmchk_start))
}

against_ibdmchk () {
	if ! command -v ibdmchk >/dev/null || ! own=$(own_mounts); then
		echo 'ibdmchk: skipped (Debian: ibutils; a mount namespace is needed)'
		return
	fi
	echo "ibdmchk $(ibdmchk_ms "$(bench_texts ft5184 ftree)")"
}

tables () {
	table_rows >"$SFAB_BENCH_DIR/rows" || return 1
	against_ibdmchk >>"$SFAB_BENCH_DIR/rows"
	awk '
		$1 == "MEDIAN" || $1 == "ibdmchk:" { print; next }
		$1 == "ibdmchk" { theirs = $2; next }
		{ printf "%-34s %6d %8d %9d %9.1f %9.1f %9.1f %5d %5d\n",
			$1, $2, $3, $4, $5, $6, $7, $8, $9 }
		$1 == "ft5184.snap" { opened = $6 }
		$1 == "ft5184:subnet.lst,fdbs" { texts = $5 + $6 }
		END {
			if (!theirs)
				exit
			printf "all pairs of ft5184, whole run of ibdmchk: %d ms\n", theirs
			printf "  from an opened snapshot %.0f x faster (goal 200)\n", theirs / opened
			printf "  from the same text files %.0f x faster (goal 10)\n", theirs / texts
		}' "$SFAB_BENCH_DIR/rows"
	test ! -s "$SFAB_BENCH_DIR/mb" ||
		echo "selene-compute: $(cat "$SFAB_BENCH_DIR/mb") MB of tables (goal 2000 ms)"
}

# -- growth ------------------------------------------------------------------

# HOSTS NODES TRAFFIC P50 of all sizes up to a third of the machine
growth_rows () {
	for fabric in wolf:640 ft1600:1600 ft5184:5184 ft11664:11664; do
		for nodes in 16 64 256 512 2048; do
			test $((3 * nodes)) -le "${fabric#*:}" || continue
			for traffic in io-write io-read mpi; do
				decide "${fabric%:*}" ftree $nodes $traffic 40 1 10 |
					awk '{ print $1, $3, $4, $6 }'
			done
		done
	done
}

# least squares of log ms = a + b log nodes + c log hosts, by traffic
growth_fit () {
	awk '
		{
			x = log($2); y = log($1); z = log($4)
			k[$3]++; sx[$3] += x; sy[$3] += y; sz[$3] += z
			xx[$3] += x * x; yy[$3] += y * y; xy[$3] += x * y
			xz[$3] += x * z; yz[$3] += y * z
		}
		END {
			for (t in k) {
				n = k[t]
				a = xx[t] - sx[t] * sx[t] / n; b = xy[t] - sx[t] * sy[t] / n
				c = yy[t] - sy[t] * sy[t] / n; p = xz[t] - sx[t] * sz[t] / n
				q = yz[t] - sy[t] * sz[t] / n; d = a * c - b * b
				printf "%-9s time grows with nodes^%.2f x hosts^%.2f\n",
					t, (p * c - q * b) / d, (a * q - b * p) / d
			}
		}'
}

# Fabrics that OpenSM is too slow for here; HOSTS SPEC of made_tables.c.
made_sizes () {
	cat <<-END
		1600 tree:hosts=1600,levels=3,radix=20
		5184 ft5184
		11664 ft11664
		41472 tree:hosts=41472,levels=3,radix=72
	END
}

# made_folder HOSTS SPEC FILE: tables as text in FILE, opensm.fdbs or opensm-lfts.dump
made_folder () {
	made=$SFAB_BENCH_DIR/made/$1
	test -f "$made/$3" || {
		case $3 in *-lfts.dump) made_format=lfts ;; *) made_format= ;; esac
		bench_log "making $3 of $1 hosts"
		mkdir -p "$made" &&
		"$programs/made_tables" "$2" "$made" $made_format || return 1
	}
	echo "$made"
}

# timed_import DIR FILE: CPU seconds, seconds and peak KiB of an import
timed_import () {
	/usr/bin/time -o "$1/cost" -f '%U %S %e %M' "$SFAB_BUILDDIR/tools/sfabric" import \
		--output "$1/fabric.snap" "$1/opensm-subnet.lst" "$1/$2" \
		>"$1/import.log" 2>&1 || { cat "$1/import.log" >&2; return 1; }
	cat "$1/cost"
}

# import_rows FILE MOST: HOSTS TEXT_MB SNAP_MB CPU_S WALL_S PEAK_MB X_SNAP READ_MS MODEL_MS
# of up to MOST hosts
import_rows () {
	made_sizes | while read -r hosts spec; do
		test "$hosts" -le "$2" || continue
		dir=$(made_folder "$hosts" "$spec" "$1") && cost=$(timed_import "$dir" "$1") ||
			return 1
		echo "$hosts $(cat "$dir/opensm-subnet.lst" "$dir/$1" | wc -c)" \
			"$(wc -c <"$dir/fabric.snap") $cost" \
			"$("$programs/tables" 3 "$dir/fabric.snap")"
	done | awk '{
		printf "%-8d %8.0f %8.1f %8.2f %8.2f %8.0f %8.1f %8.1f %9.1f\n", $1, $2 / 1e6,
			$3 / 1e6, $4 + $5, $6, $7 * 1.024e-3, $7 * 1024 / $3, $11, $13 }'
}

# slope of a column against hosts, log to log
slope () {
	awk -v column="$1" -v name="$2" '$column > 0 {
			x = log($1); y = log($column); n++
			sx += x; sy += y; xx += x * x; xy += x * y
		}
		END { printf "%s grows with hosts^%.2f\n", name,
			(n * xy - sx * sy) / (n * xx - sx * sx) }'
}

# imports_of FILE MOST: a table, and slopes
imports_of () {
	import_rows "$1" "$2" >"$SFAB_BENCH_DIR/imports"
	test -s "$SFAB_BENCH_DIR/imports" || return 1
	echo "opensm-subnet.lst and $1:"
	printf '%-8s %8s %8s %8s %8s %8s %8s %8s %9s\n' HOSTS TEXT_MB SNAP_MB CPU_S WALL_S \
		PEAK_MB 'X SNAP' LOAD_MS MODEL_MS
	cat "$SFAB_BENCH_DIR/imports"
	slope 4 'CPU time of an import' <"$SFAB_BENCH_DIR/imports"
	slope 6 'memory of an import' <"$SFAB_BENCH_DIR/imports"
	slope 8 'loading a snapshot' <"$SFAB_BENCH_DIR/imports"
}

# goal: memory at most 4 x the snapshot.  lfts of 41,472 hosts would be 10 GB of text.
imports () {
	imports_of opensm-lfts.dump 11664 && imports_of opensm.fdbs 41472
}

# 2,048 nodes on the two largest, with 96 IO servers and with one on each leaf; goal: at
# most twice as long
large_decisions () {
	printf '%-8s %6s %8s %9s %9s %9s %9s\n' HOSTS NODES SERVERS TRAFFIC 'P50 ms' \
		'P99 ms' MIB
	for servers in some last; do
		for traffic in mpi io-write io-read; do
			for hosts in 11664 41472; do
				"$programs/decision" "$SFAB_BENCH_DIR/made/$hosts/fabric.snap" \
					2048 "$traffic" 40 1 6 $servers | awk -v servers=$servers '{
					printf "%-8d %6d %8s %9s %9.1f %9.1f %9d\n", $1, $3,
						servers == "some" ? "96" : "leaves", $4, $6, $7, $11 }'
			done
		done
	done | awk '{ print } $1 == 11664 { small = $5 }
		$1 == 41472 { printf "%-8s %6s %8s %9s %9.2f x\n", "", "", "", "", $5 / small }'
}

# Previews of 2,048 nodes, which predict 4.2 million flows for each of five choices.
# Goal: 2 s of CPU and 300 MB at 11,664 hosts.
previews () {
	printf '%-8s %-40s %7s %6s\n' HOSTS 'PREVIEW OF 2,048 NODES' CPU_S MIB
	for hosts in 5184 11664 41472; do
		snap=$SFAB_BENCH_DIR/made/$hosts/fabric.snap
		for words in 'place -N2048 --traffic mpi' \
			'predict --nodes n[00001-02048] --traffic mpi'; do
			/usr/bin/time -o "$SFAB_BENCH_DIR/cost" -f '%U %S %M' \
				"$SFAB_BUILDDIR/tools/sfabric" $words \
				--snapshot "$snap" >/dev/null || return 1
			awk -v hosts=$hosts -v words="$words" '{
				printf "%-8d %-40s %7.2f %6d\n", hosts, words, $1 + $2,
					$3 / 1024 }' "$SFAB_BENCH_DIR/cost"
		done
	done
}

growth () {
	imports || return 1
	large_decisions
	previews || return 1
	growth_rows >"$SFAB_BENCH_DIR/growth" || return 1
	printf '%-8s %6s %9s %9s\n' HOSTS NODES TRAFFIC 'P50 ms'
	awk '{ printf "%-8d %6d %9s %9.3f\n", $1, $2, $3, $4 }' "$SFAB_BENCH_DIR/growth"
	growth_fit <"$SFAB_BENCH_DIR/growth"
}

test $# -gt 0 || { sed -n '/^# *speed\.sh \[/s/^# *//p' "$0" >&2; exit 2; }
if why=$(bench_missing); then
	echo "speed: skipped, $why"
	exit 0
fi
mkdir -p "$SFAB_BENCH_DIR"
for part; do
	"$part" || exit 1
done
