#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tree.t - what we take for topology/tree's choice is what slurmctld chooses
test_description='the tree policy against a real slurmctld'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/slurm.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"

skip_all=$(sim_missing)
test -n "$skip_all" || skip_all=$(slurm_missing)
test -z "$skip_all" || test_done
at_exit slurm_stop
at_exit sim_stop

SFABRIC_CONF=$PWD/none.conf SFABRIC_SNAPSHOT=$PWD/tree.snap
export SFABRIC_CONF SFABRIC_SNAPSHOT

# Leaves that share a middle switch are a pod; leaves in the fabric's order.
topology () {
	"$sfabric" show links -h -P -o switch,to |
	awk -F"|" '$1 ~ /-L/ && $2 ~ /-M/ { pod[$1] = pod[$1] " " $2 }
		END { for (leaf in pod) print leaf "|" pod[leaf] }' |
	sort >pods &&
	"$sfabric" show hosts -h -P -o host,switch |
	awk -F"|" 'FNR == NR { pod[$1] = $2; order[++n] = $1; next }
		{ nodes[$2] = nodes[$2] "," $1 }
		END {
			for (i = 1; i <= n; i++) {
				leaf = order[i]
				print "SwitchName=" leaf, "Nodes=" substr(nodes[leaf], 2)
				if (!(pod[leaf] in name))
					name[pod[leaf]] = "pod" ++pods
				leaves[name[pod[leaf]]] = leaves[name[pod[leaf]]] "," leaf
			}
			for (i = 1; i <= pods; i++)
				print "SwitchName=pod" i, "Switches=" substr(leaves["pod" i], 2)
			print "SwitchName=root Switches=pod[1-" pods "]"
		}' pods -
}

# Three levels: 3 pods of 4 leaves of 4 hosts.
test_expect_success 'a fabric, its topology.conf, a cluster of 48 nodes' '
	"$sfabric" synth tree:hosts=48,radix=8,levels=3 --output net &&
	sim_route net dump -R ftree &&
	"$sfabric" import dump/opensm-subnet.lst dump/opensm.fdbs \
		--output tree.snap &&
	topology >topology.conf &&
	grep -c pod topology.conf | grep 4 &&
	SLURM_TOPOLOGY=$PWD/topology.conf &&
	slurm_start tree "n[0001-0048]" &&
	scontrol show topology >shown && grep "Level=2" shown'

# The tree policy is that of this Slurm.
version=$("$(slurm_program slurmctld)" -V | cut -d" " -f2)

idle () {
	scontrol show hostnames "$(sinfo -h -t idle -o %N)"
}

# ours N [OPTION]: names that the tree policy takes of the idle nodes
ours () {
	ours_n=$1
	shift
	"$sfabric" place -N $ours_n "$@" --available "$(sinfo -h -t idle -o %N)" \
		--traffic mpi --slurm-version "$version" --json >answer.json 2>err || return 1
	/usr/bin/python3 -c '
import json
for a in json.load(open("answer.json"))["data"]["alternatives"]:
    if a["name"] == "tree":
        print(a["nodes"])' >folded && scontrol show hostnames "$(cat folded)"
}

# theirs N [OPTION]: what slurmctld takes; its job stays, in $job
theirs () {
	theirs_n=$1
	shift
	salloc --no-shell -p excl -N $theirs_n "$@" 2>salloc.err </dev/null &&
	job=$(sed -n "s/.*Granted job allocation \([0-9]*\).*/\1/p" salloc.err) &&
	scontrol show hostnames "$(slurm_nodes $job)"
}

nodes_are_back () {
	test $(idle | wc -l) -eq $1
}

# same N [OPTION]: both take the same; keeps "JOB NODES" in the file running
same () {
	ours "$@" >expected && theirs "$@" >actual &&
	echo "$job $1" >>running && echo "$*" >>compared && {
		test_cmp expected actual && return
		idle >&2
		return 1
	}
}

# end JOB: wait until its nodes can be used again
end () {
	end_idle=$(($(idle | wc -l) + $(sed -n "s/^$1 //p" running))) &&
	scancel $1 && slurm_wait nodes_are_back $end_idle &&
	sed -i "/^$1 /d" running
}

# Random numbers that are the same with every awk.
next () {
	random=$(((random * 1103515245 + 12345) % 2147483648))
	number=$((random / 65536 % $1))
}

# One of the running jobs, or nothing.
some_job () {
	test -s running || return 0
	next $(wc -l <running)
	sed -n "$((number + 1))s/ .*//p" running
}

# step [OPTION]: two of five times a job ends, else one of 1 to 20 nodes starts
step () {
	next 5
	if test $number -lt 2; then
		some_job >ends
		test ! -s ends || end $(cat ends)
		return
	fi
	free=$(idle | wc -l)
	next 20
	wanted=$((number + 1))
	test $wanted -gt $free || same $wanted
}

# Each test begins with an idle cluster.
empty () {
	scancel -u "$(id -un)" && slurm_wait nodes_are_back 48 && : >running &&
	: >compared
}

for round in 1 2 3 4; do
	test_expect_success "round $round: 25 jobs that come and go" '
		empty && random=$((round * 7919)) &&
		for i in $(seq 25); do
			step || return 1
		done &&
		test $(wc -l <compared) -ge 10'
done

test_expect_success 'required nodes: their leaves first, then near ones' '
	empty && same 3 -w n0030 && same 6 -w n0040 && same 9 -w n0001,n0018 &&
	same 7 -w n0048 && same 12 -w n0025'

test_expect_success 'generate makes the same tree by other names' '
	test_expect_code 3 "$sfabric" topology diff topology.conf -hP \
		-o finding,switch,leaf >diff &&
	test "$(grep -c "^renamed|\(pod[123]|level1-[123]\|root|level2-1\)$" diff)" \
		= 4 && test 4 = $(wc -l <diff)'

test_expect_success 'slurmctld takes the file that generate makes' '
	"$sfabric" topology generate >made.conf &&
	SLURM_TOPOLOGY=$PWD/made.conf && slurm_restart_ctld &&
	scontrol show topology >shown &&
	test $(wc -l <shown) = $(wc -l <made.conf) &&
	sed -n "s/ Nodes=.*//p" made.conf >leaves && test -s leaves &&
	while read -r leaf; do
		grep -F "$leaf Level=0 " shown | grep -F "$(sed -n \
			"s/^$leaf \(Nodes=.*\)/\1/p" made.conf)" || return 1
	done <leaves && grep "^SwitchName=level2-1 Level=2 .*Nodes=n\[0001-0048\]" shown'

test_done
