#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# dropin.t - sfabric-slurm: whatever happens to files, slurmctld starts
#
# In namespaces of its own: a real systemd as process 1, the real slurmctld at its real
# path, and copies of all folders that the cases change (dropin_cases.sh).
test_description='the drop-in of slurmctld, upgrades, removals and damage'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"
cases=$SFAB_SRCDIR/tests/slurm/dropin_cases.sh
cgroups=$(awk '$3 == "cgroup2" { print $2; exit }' /proc/mounts)
group=$cgroups/sfabric-dropin.$$

# the folders that are copies: (mount point, name below $place_dir)
mounts () {
	printf '%s %s\n' "$plugins" plugins.now "${ctld%/*}" sbin "$prefix" "dest$prefix" \
		/etc/slurm slurm /etc/systemd/system units
}

# DIR/paths: where things are; a plugin that ends slurmctld, one of another version
prepare () {
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -C "$SFAB_BUILDDIR" V=0 install \
		DESTDIR="$place_dir/dest" >log 2>&1 &&
	script=$(find "$place_dir/dest" -name sfabric-slurm -type f) &&
	script=${script#"$place_dir/dest"} prefix=${script%/sbin/*} &&
	plugins=$(slurm_stock_plugins) &&
	ctld=$(realpath "$(slurm_program slurmctld)") &&
	folder=$(find "$place_dir/dest" -name sums) && folder=${folder%/sums} &&
	cp -a "$folder" "$place_dir/folder" && folder=${folder#"$place_dir/dest"} &&
	cp -a "$place_dir/dest$script" "$place_dir" &&
	printf '%s\n' "folder=$folder script=$script plugins=$plugins ctld=$ctld" \
		>"$place_dir/paths" &&
	cp -a "$plugins" "$place_dir/plugins" && cp -a "$plugins" "$place_dir/plugins.now" &&
	cp -a "${ctld%/*}" "$place_dir/sbin" && cp -a "$ctld" "$place_dir/slurmctld" &&
	mkdir "$place_dir/slurm" "$place_dir/units" && bad_plugins && units
}

bad_plugins () {
	echo '__attribute__((constructor)) static void end(void) { __builtin_trap(); }' |
		${CC:-cc} -shared -fPIC -x c -o "$place_dir/trap.so" - &&
	cp "$place_dir/folder/slurm/select_cons_tres.so" "$place_dir/other.so" &&
	offset=$(nm -D "$place_dir/other.so" |
		awk '$3 == "plugin_version" { print "0x" $1 }') &&
	printf '\377' | dd of="$place_dir/other.so" bs=1 conv=notrunc \
		seek=$((offset)) 2>/dev/null
}

# slurm.conf beside no other host, slurmctld's unit without what it would wait for
units () {
	slurm_dir=$place_dir slurm_name=dropin slurm_port=6817 slurm_host=localhost \
		slurm_address=127.0.0.1 slurm_slot_ports=2 &&
	mkdir "$place_dir/state" &&
	{ slurm_conf_head && slurm_conf_body &&
		echo "NodeName=n1 NodeAddr=127.0.0.1 State=UNKNOWN" &&
		echo "PartitionName=main Nodes=n1"; } >"$place_dir/slurm.conf" &&
	slurm_cgroup_conf >"$place_dir/slurm/cgroup.conf" &&
	cat >"$place_dir/units/slurmctld.service" <<-END &&
	[Unit]
	DefaultDependencies=no
	StartLimitIntervalSec=0
	[Service]
	ExecStart=$(slurm_program slurmctld) -D
	StandardOutput=append:$place_dir/unit.log
	LimitCORE=0
	END
	cat >"$place_dir/units/cases.service" <<-END
	[Unit]
	DefaultDependencies=no
	[Service]
	Environment=PATH=$PATH
	ExecStart=/bin/sh "$cases" $place_dir
	StandardOutput=null
	END
}

# Runs as process 1 of its own world, then is systemd.
world () {
	echo "echo \$\$ >'$group/cgroup.procs'"
	echo "exec unshare -m -p -f -C -i -u -n --kill-child sh '$place_dir/inside'"
}
inside () {
	echo 'set -e'
	echo 'mount --make-rprivate / && mount -t proc proc /proc'
	mounts | while read -r at what; do
		echo "mount --bind '$place_dir/$what' '$at'"
	done
	echo 'mount -t tmpfs tmpfs /run && umount -R /sys/fs/cgroup'
	echo 'mount -t cgroup2 none /sys/fs/cgroup && hostname localhost'
	# an address beside 127.0.0.1, or Slurm finds that this host has none
	echo 'ip link set lo up && ip address add 192.0.2.1/32 dev lo'
	echo 'exec env -i container=other PATH="$PATH" "$(realpath /sbin/init)"' \
		'--unit=cases.service --log-target=null --show-status=no' \
		'systemd.unified_cgroup_hierarchy=1'
}

# What the machine lacks; the trial is a systemd with nothing in it.
dropin_missing () {
	place_missing
	test "$(id -u)" -eq 0 || echo 'needs root'
	case $(realpath /sbin/init /lib/systemd/systemd 2>/dev/null) in
	*systemd*) ;;
	*) echo 'systemd is not installed' ;;
	esac
	command -v ip >/dev/null || echo 'ip is not installed'
	test -d /etc/slurm || echo '/etc/slurm is missing'
	test -n "$cgroups" && mkdir "$group" || echo 'no cgroup of its own'
}

end_world () {
	test -z "$world" || kill -KILL "$world" 2>/dev/null
	test ! -d "$group" || slurm_wait no_group
	rm -rf "$place_dir"
}
no_group () {
	find "$group" -depth -type d -exec rmdir {} + 2>/dev/null
	! test -d "$group"
}

world=
at_exit end_world
skip_all=$(dropin_missing | head -n 1)
test -z "$skip_all" || test_done

test_expect_success 'sfabric, Slurm and systemd in a world of their own' '
	prepare && world >"$place_dir/world" && inside >"$place_dir/inside"'

ended () {
	tail -n 1 "$place_dir/results" 2>/dev/null | grep -qx done || slurm_gone "$world"
}

test_expect_success 'all cases ran' '
	{ sh "$place_dir/world" >world.log 2>&1 </dev/null 9<&- & } && world=$! &&
	SLURM_DEADLINE=$((5 * SLURM_DEADLINE)) slurm_wait ended &&
	cp "$place_dir"/*.log "$place_dir/results" . && tail -n 1 results | grep -x done'

"$cases" list >names
while read -r name; do
	test_expect_success "$name" '
		grep -Fx "ok $name" results || { grep -F -A 9 "$name" results; false; }'
done <names

test_done
