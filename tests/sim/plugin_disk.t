#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# plugin_disk.t - whatever disk and options are like, OpenSM routes, sweeps and
# ends as without the plugin
test_description='OpenSM plugin: bad options, bad disks'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
sim_or_skip sim_missing sim_plugin_missing

netlist=$SFAB_SRCDIR/tests/data/two-leaves/fabric.net
slow_disk=$SFAB_BUILDDIR/tests/sim/slow_disk.so
uplink="\"S-leaf2\"[5]"
snap=$PWD/out/snap/fabric.snap

# start OPTION...: OpenSM with the plugin and these options
start () {
	rm -rf out && mkdir -p out/snap &&
	sim_plugin "$@" &&
	sim_start "$netlist" && sim_sm_start out -R updn
}

# sweep: another heavy sweep, by a cable that is pulled or put back
sweeps=1
sweep () {
	sweeps=$((sweeps + 1))
	if test $((sweeps % 2)) -eq 0; then
		sim_console "Unlink $uplink"
	else
		sim_console "ReLink $uplink"
	fi
	sim_until 60 sim_up out $sweeps
}

# end: OpenSM ends when asked, within 30 seconds (on a quiet machine 3), and not by a signal
end () {
	begun=$(date +%s)
	sim_sm_end out
	end_status=$?
	test $(($(date +%s) - begun)) -le 30 || end_status=late
	sim_stop
	sweeps=1
	test "$end_status" = 0 || { echo "status $end_status"; return 1; }
}

good () {
	"$sfabric" show fabric --snapshot "$snap" >shown &&
	test -z "$(find out/snap -name 'fabric.*.*')"
}

half_written () {
	ls out/snap/fabric.snap.* >/dev/null 2>&1
}

newer () {
	test "$snap" -nt "$1"
}

# -- options -----------------------------------------------------------------

# refused TEXT OPTION...: OpenSM goes on without the plugin and says TEXT
refused () {
	text=$1
	shift
	start "$@" && grep -F "event_plugin_options: $text" out/osm.log &&
	sweep && test ! -e "$snap" && end
}

test_expect_success 'an unknown option' '
	refused "unknown key \"Snap\" (did you mean '\''Snapshot'\''? sfabric-opensm(8)" \
		"Snap=$snap"'
test_expect_success 'a value out of range' '
	refused "AliveInterval: \"0\" (expected a time" "AliveInterval=0"'
test_expect_success 'a path that is not absolute' '
	refused "Snapshot: \"fabric.snap\" (expected an absolute path)" \
		"Snapshot=fabric.snap"'
test_expect_success 'an option twice' '
	refused "Plane given twice" "Plane=a Plane=b"'

# -- disks -------------------------------------------------------------------

test_expect_success 'no folder, then there is one' '
	start "Snapshot=\"$PWD/out/later/fabric.snap\"" &&
	sim_until 60 sim_sm_says out "sfabric: .*/later/fabric.snap: No such file" &&
	sweep && mkdir out/later &&
	sim_until 60 test -f out/later/fabric.snap &&
	sim_until 60 sim_sm_says out "sfabric: .*fabric.snap: written again" &&
	test $(grep -c "No such file" out/osm.log) = 1 &&
	end'

test_expect_success 'a folder that is a file' '
	start "Snapshot=\"$PWD/out/osm.log/fabric.snap\"" &&
	sim_until 60 sim_sm_says out "sfabric: .*Not a directory" &&
	sweep && sweep && end'

# a folder of one page, for this opensm only
cat >small-disk <<\END
#!/bin/sh
dir=$1
shift
mount -t tmpfs -o size=4k none "$dir" && echo full >"$dir/filler" && exec "$@"
END
chmod +x small-disk
if test "$(id -u)" = 0; then
	space='unshare -m'
else
	space='unshare -Urm'
fi
mkdir -p probe && $space ./small-disk "$PWD/probe" true 2>/dev/null &&
	test_set_prereq MOUNT

test_expect_success MOUNT 'a full disk, then there is room' '
	mkdir -p "/tmp/sfab-disk.$$" &&
	SIM_IN="$space ./small-disk /tmp/sfab-disk.$$" &&
	start "Snapshot=/tmp/sfab-disk.$$/fabric.snap"
	up=$?
	SIM_IN=
	test $up = 0 &&
	sim_until 60 sim_sm_says out "sfabric: .*: No space left on device" &&
	sweep &&
	disk=/proc/$(sim_sm_process out)/root/tmp/sfab-disk.$$ &&
	ls "$disk" >found && echo filler >expected && test_cmp expected found &&
	rm "$disk/filler" &&
	sim_until 60 test -f "$disk/fabric.snap" &&
	cp "$disk/fabric.snap" "$snap" && good && end'
rmdir "/tmp/sfab-disk.$$" 2>/dev/null

test_expect_success 'a disk that hangs: sweeps go on, the newest is written' '
	SLOW_DISK=$PWD/slow && export SLOW_DISK && rm -f slow &&
	SIM_PRELOAD=$slow_disk &&
	start "Snapshot=\"$snap\"" && SIM_PRELOAD= &&
	sim_until 60 test -f "$snap" &&
	: >slow && sweep &&
	sim_until 60 half_written && touch mark &&
	sweep && sweep && sweep && sweep &&
	rm slow &&
	sim_until 60 newer mark && sim_until 60 good &&
	end'

test_expect_success 'a disk that hangs: OpenSM ends, the old snapshot stays' '
	SIM_PRELOAD=$slow_disk && start "Snapshot=\"$snap\"" && SIM_PRELOAD= &&
	sim_until 60 test -f "$snap" && cp "$snap" before && : >slow && sweep &&
	sim_until 60 half_written && sim_sm_end out;
	grep "sfabric: a file could not be written for two seconds" out/osm.log &&
	cmp "$snap" before && rm slow && sim_stop'

test_expect_success 'a node-name map that nobody writes: OpenSM does not wait' '
	sweeps=1 && rm -f fifo && mkfifo fifo &&
	start "Snapshot=\"$snap\" NodeNameMap=\"$PWD/fifo\"" &&
	sweep && sweep && sweep && test ! -e "$snap" && end'

test_done
