#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# tour.t - the commands of doc/tour.md print what stands there
#
# SFAB_GOLDEN=1 writes its pictures anew.
test_description='the tour, on Wolf with OpenSM and a private Slurm'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
. "$SFAB_SRCDIR/tests/lib/slurm.sh"
sim_or_skip
python=/usr/bin/python3
test -x $python || skip_all='python3 is missing'
test -z "$skip_all" || test_done

tour=$SFAB_SRCDIR/doc/tour.md
LC_ALL=C
export LC_ALL
unset COLUMNS SFABRIC_CONF

# The cluster that quickstart keeps; its jobs begin where that one's do.
start_cluster () {
	SLURM_PLUGINDIRS=$SFAB_BUILDDIR/plugin/slurm
	SLURM_EXTRA=FirstJobId=94	# the plugin reads its files when a job comes
	SLURM_PARTITIONS="PartitionName=main Nodes=wf[0001-0616] Default=YES OverSubscribe=EXCLUSIVE State=UP
PartitionName=servers Nodes=wf[0617-0640] State=UP"
	SLURM_BESIDE=$tour_dir/sfabric.conf
	cat >"$SLURM_BESIDE" <<-END
	Mode=on
	Snapshot=$tour_dir/fabric.snap
	DecisionLog=$tour_dir/decisions.log
	AdminComment=yes
	END
	slurm_start tour "wf[0001-0616]" "wf[0617-0640]" &&
	first=$(slurm_submit -N1) &&
	slurm_wait grep -q "sfabric: .* routed by" "$slurm_dir/slurmctld.log" &&
	scancel "$first" && slurm_wait_idle
}

# says HEADING: the section's commands print what the tour says
says () {
	$python "$SFAB_SRCDIR/tests/sim/console.py" "$tour" "$1"
}

umask 022
tour_dir=$(mktemp -d "${TMPDIR:-/tmp}/sfabric-tour.XXXXXX")
at_exit 'rm -rf "$tour_dir"'

test_expect_success 'Wolf as quickstart routes it' '
	sfabric synth wolf --output net &&
	engine=$(sim_route "$PWD/net" dump -R ftree,updn) &&
	(cd dump && sfabric import opensm-subnet.lst opensm-lfts.dump \
		--engine "$engine" --io "wf[0617-0640]" --io-capacity 2.291667 \
		--output "$tour_dir/fabric.snap") &&
	SFABRIC_SNAPSHOT=$tour_dir/fabric.snap && export SFABRIC_SNAPSHOT'

for heading in 'Look at the fabric' 'Where IO traffic meets' \
	'Where a job should go' 'Who collides' 'Before switching it on'; do
	test_expect_success "$heading" 'says "$heading"'
done

test -z "$(slurm_missing)" &&
	test -f "$SFAB_BUILDDIR/plugin/slurm/select_cons_tres.so" &&
	test_set_prereq SLURM

test_expect_success SLURM 'In Slurm' '
	at_exit slurm_stop && start_cluster && says "In Slurm"'

test -z "${SFAB_GOLDEN-}" || cp tour-*.svg "$SFAB_SRCDIR/doc/pictures"

test_expect_success 'every picture is of a command of the tour' '
	grep -oE "pictures/[a-z-]+\.svg" "$tour" | sort -u >named &&
	test -s named &&
	while read -r name; do
		test -s "$SFAB_SRCDIR/doc/$name" &&
		grep -qe "--output ${name#pictures/}\$" "$tour" || return 1
	done <named'

test_expect_success 'SVG pictures are what the commands draw' '
	for made in tour-*.svg; do
		test_cmp "$SFAB_SRCDIR/doc/pictures/$made" "$made" || return 1
	done'

test_done
