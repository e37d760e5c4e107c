#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# gres.t - jobs that want devices are placed where these are free
#
# We choose the nodes, Slurm the devices on them.  No node without enough free
# ones is ever chosen: none of the choices is refused.  The preview knows them.
test_description='generic resources'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"

place_ready
SFABRIC_SNAPSHOT=$place_dir/fabric.snap
export SFABRIC_SNAPSHOT
place_snapshot >/dev/null
place_conf Mode=on DefaultTraffic=mpi
SLURM_EXTRA="$SLURM_EXTRA
GresTypes=disk,tape,gpu"
# GPUs need files
SLURM_BESIDE=$place_dir/gres.conf
cat >"$SLURM_BESIDE" <<END
NodeName=n[1-20] Name=disk Type=big Count=2
NodeName=n[1-20] Name=tape Count=1
NodeName=n[1-8] Name=gpu File=/dev/null
NodeName=n[1-8] Name=gpu File=/dev/zero
NodeName=n[21-32] Name=disk Type=small Count=2
END

test_expect_success 'the cluster starts' '
	place_start gres "n[1-8] Gres=disk:big:2,tape:1,gpu:2" \
		"n[9-20] Gres=disk:big:2,tape:1" "n[21-32] Gres=disk:small:2" &&
	place_warm'

# devices JOB: those of its nodes, by Slurm
devices () {
	scontrol -d show job "$1" | sed -n "s/^ *Nodes=.* GRES=//p"
}

# foretold OPTION...: it starts at once, placed, and as previewed
foretold () {
	"$sfabric" place --slurm --json "$@" >preview.json &&
	want=$(python3 "$field" data.nodes <preview.json) &&
	job=$(place_alloc "$@") && test "$(place_reason "$job")" = placed &&
	scontrol show hostnames "$want" | sort >want &&
	place_node_names "$job" | sort >got && test_cmp want got
}

# waits_for JOB REASON
waits_for () {
	test "$(squeue -h -j "$1" -o %r)" = "$2"
}

test_expect_success 'devices of three kinds at once' '
	foretold -N2 --gres=disk:big:1,gpu:1,tape && devices $job >held &&
	grep disk:big held && grep gpu:1 held && grep tape held && place_cancel'

# These jobs stay: each finds what those before it left, and the next test counts on the
# tapes that they hold.  It cancels them all.
for request in "-N4 --gres=disk:2" "-N3 --gres=tape" "-N5 --gres=disk:small:1" \
	"-n 12 --gres=disk:1" "-p excl -N2 --gres=disk:big:2" \
	"-N3 --gres=tape:1,disk:1" "-N2 --gpus-per-node=1" "-N2 --gres=gpu:2" \
	"-N6 --gres=tape" "-n 3 --gres=disk:small:2"; do
	test_expect_success "$request" "foretold $request && devices \$job &&
		! devices \$job | grep -qx ''"
done

test_expect_success 'more than are free: it waits until some are' '
	free=$((20 - $(scontrol -d show node | grep -c "GresUsed=.*tape:1"))) &&
	test $free -gt 1 &&
	job=$(slurm_submit -N$((free + 2)) --gres=tape) &&
	slurm_wait waits_for $job Resources &&
	scancel $(squeue -h -t R -o %i) && slurm_wait_job $job RUNNING &&
	test "$(place_reason $job)" = placed && place_cancel'

for request in "-N4 --gpus=4" "-N3 --gpus=6" "-N2 -n4 --gpus-per-task=1" \
	"-N2 --ntasks-per-node=2 --gpus-per-task=1" \
	"-N2 --gpus=4 --gres=disk:big:1" "-p excl -N2 --gpus=2"; do
	test_expect_success "$request" "foretold $request && devices \$job >held &&
		grep gpu: held && place_cancel"
done

test_expect_success 'GPUs of the job where some are held: nodes with enough free ones' '
	held=$(place_alloc -w "n[1-3]" -N3 --gpus-per-node=1) &&
	foretold -N4 --gpus=8 && test "$(scontrol show hostnames "$(slurm_nodes $job)" |
		grep -cx "n[4-8]")" = 4 && place_cancel'

test_expect_success 'what is not counted by node is left to Slurm' '
	for request in "-n4 --gpus=3" "-N2 --gpus=3" "-n2 --gpus-per-task=1" \
		"-N2-3 --gpus=6" \
		"-N2 --gpus-per-node=1 --cpus-per-gpu=2"; do
		job=$(place_alloc $request) &&
		test "$(place_reason $job)" = "stock gres" &&
		"$sfabric" place --slurm --json $request >preview.json &&
		test "$(python3 "$field" data.decision.reason <preview.json)" = gres ||
			return 1
	done && place_cancel'

test_expect_success 'no choice was refused, no error of ours' '
	! grep "\"reason\":\"refused\"" "$place_dir/decisions" &&
	! grep "error: sfabric" "$slurm_dir/slurmctld.log"'

test_done
