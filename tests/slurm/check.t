#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# check.t - `sfabric check` says what is wrong before users find out
test_description='sfabric check on a private cluster'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
. "$SFAB_SRCDIR/tests/lib/slurm.sh"

plugin=$SFAB_BUILDDIR/plugin/slurm
skip_all=$(slurm_missing; sim_missing)
test -f "$plugin/select_cons_tres.so" || skip_all='the Slurm plugin is not built'
test -z "$skip_all" || test_done
at_exit slurm_stop
at_exit sim_stop

# check STATUS: it ends with that status; its table is in the file found
check () {
	test_expect_code "$1" sfabric check -hP -o check,state,found >found
}

# found CHECK STATE REGEX: the table has such a row
found () {
	grep "^$1|$2|.*$3" found && return
	cat found >&2
	return 1
}

# fabric HOSTS SNAPSHOT: route a fabric of that many hosts
fabric () {
	sfabric synth "tree:hosts=$1,radix=8,leaf=4" --output net &&
	sim_route net dump -R minhop >engine &&
	sfabric import dump/opensm-subnet.lst dump/opensm-lfts.dump \
		--engine "$(cat engine)" --output "$2"
}

test_expect_success 'four nodes of a fabric of 16 hosts' '
	fabric 16 good.snap &&
	sfabric show hosts --snapshot good.snap -hP -o host | head -n 4 >hosts &&
	slurm_start check "$(paste -sd, hosts)" &&
	snapshot=$slurm_dir/fabric.snap &&
	conf=$slurm_dir/sfabric.conf &&
	cp good.snap "$snapshot" &&
	printf "Mode=on\nPartitionMode=excl:off\nSnapshot=%s\n" "$snapshot" \
		>"$conf"'

test_expect_success 'wrong: PluginDir does not lead to the plugin' '
	check 3 &&
	found slurm fine "Slurm 2[0-9.]* answers" &&
	found plugin wrong "is Slurm.s own"'

test_expect_success 'wrong: the controller was not restarted' '
	cp "$SLURM_CONF" before &&
	SLURM_PLUGINDIRS=$plugin &&
	slurm_write_rest &&
	scontrol reconfigure &&
	slurm_wait slurm_ctld_up &&
	if slurm_reconfigure_restarts; then
		check 0 && found controller fine "has loaded the plugin"
	else
		check 3 && found controller wrong "restart it"
	fi &&
	found plugin fine "sfabric [0-9.]* for Slurm 2"'

test_expect_success 'all is fine' '
	slurm_restart_ctld &&
	check 0 &&
	found selecttype fine select/cons_tres &&
	found plugindir fine "$plugin:" &&
	found symbols fine "slurmctld has all" &&
	found controller fine "has loaded the plugin" &&
	found conf fine "$conf" &&
	found mode fine "on, off in excl" &&
	found snapshot fine "16 hosts, .* routed by minhop" &&
	found owner fine "$(id -un), mode 0644" &&
	found age fine "read .* ago" &&
	found io unknown "what jobs read and write does not count" &&
	found counters unknown "loads that nobody announced are not seen" &&
	found learning unknown "placed by DefaultTraffic" &&
	found report unknown "no DecisionLog" &&
	found nodes fine "all 4 nodes"'

test_expect_success 'wrong: a mode for a partition that Slurm does not have' '
	cp "$conf" good.conf && echo "PartitionMode=mian:on" >>"$conf" &&
	check 3 && found mode fine "on, off in excl, on in mian" &&
	found mode wrong "PartitionMode: Slurm has no partition mian (did you mean .main.?)" &&
	test $(grep -c "^mode" found) = 2 && cp good.conf "$conf" && check 0'

test_expect_success 'wrong: a SPANK file for another Slurm, also in an included file' '
	! grep "^spank" found &&
	spank=$SFAB_BUILDDIR/plugin/spank/sfabric_order.so &&
	other=$slurm_dir/sfabric_order.so &&
	LC_ALL=C sed "s/\(sfabric plugin .* for Slurm 0x..\)../\1fe/" "$spank" >"$other" &&
	echo "include $slurm_dir/plugstack.d/*" >"$slurm_dir/plugstack.conf" &&
	mkdir "$slurm_dir/plugstack.d" &&
	part=$slurm_dir/plugstack.d/sfabric.conf &&
	echo "# required $other" >"$part" && check 0 && ! grep "^spank" found &&
	echo "optional $spank dir=/a default=yes" >"$part" && check 0 &&
	found spank fine "$spank: for Slurm 2[0-9].[0-9]*" &&
	echo "optional $other dir=/a" >"$part" && check 3 &&
	found spank wrong "$other is for Slurm 2[0-9].254, which srun of Slurm .* does not load" &&
	rm "$other" && check 3 && found spank wrong "$other" &&
	rm "$slurm_dir/plugstack.conf" && check 0'

test_expect_success 'hosts that nobody uses: a warning, until they are an IO set' '
	idle="12 hosts are neither nodes nor in an IO set, for example n0005" &&
	check 0 2>warned && grep "^sfabric: warning: $idle" warned &&
	sfabric show fabric --slurm --snapshot good.snap 2>warned &&
	grep "^sfabric: warning: $idle" warned &&
	cp "$conf" good.conf &&
	echo "IoSet=fs Hosts=n00[05-16]" >>"$conf" &&
	check 0 2>warned && ! grep neither warned &&
	cp good.conf "$conf"'

test_expect_success 'IoSet=auto: servers that their names tell are a set, in slurmctld too' '
	cp "$conf" good.conf && cp "$snapshot" without.snap &&
	sed "s/{n001\([3-6]\)/{oss\1/" dump/opensm-subnet.lst >io.lst &&
	sfabric import io.lst dump/opensm-lfts.dump --engine minhop --output named.snap &&
	cp named.snap "$snapshot" &&
	printf "Mode=on\nSnapshot=%s\nDecisionLog=%s\n" "$snapshot" "$slurm_dir/decisions" >"$conf" &&
	check 0 2>warned && found io unknown "no IO set" && found report unknown "no job yet" &&
	grep "4 hosts in no IO set are IO servers (oss3: .*: IoSet=io Hosts=oss\[3-6\]" warned &&
	echo IoSet=auto >>"$conf" &&
	check 0 2>warned && found io fine "1 IO sets with 4 ports" && ! grep "in no IO set are" warned &&
	writes () {
		id=$(slurm_submit -N2 --comment sfabric:io-write@auto=0.3) &&
		slurm_wait_job $id RUNNING && scontrol show job $id >shown && scancel $id &&
		grep "AdminComment=sfabric:placed" shown
	} &&
	slurm_wait writes && ! grep "hint is wrong" shown &&
	slurm_wait grep -q "\"event\":\"start\",.*\"traffic\":\"io-write@auto=0.3\"" "$slurm_dir/decisions" &&
	check 0 && found report fine "jobs in the last MiB of $slurm_dir/decisions" &&
	slurm_wait_idle && cp good.conf "$conf" && cp without.snap "$snapshot"'

test_expect_success 'wrong: an error in sfabric.conf' '
	cp "$conf" good.conf &&
	echo "Mod=on" >>"$conf" &&
	check 3 &&
	found conf wrong "$conf:4: " &&
	cp good.conf "$conf"'

test_expect_success 'wrong: no snapshot' '
	rm "$snapshot" &&
	check 3 &&
	found snapshot wrong "$snapshot: "'

test_expect_success 'wrong: others may write the snapshot' '
	cp good.snap "$snapshot" &&
	chmod 664 "$snapshot" &&
	check 3 &&
	found snapshot wrong "writable by group or others"'

test_expect_success 'wrong: a damaged snapshot' '
	rm "$snapshot" &&
	head -c 1000 good.snap >"$snapshot" &&
	check 3 &&
	found snapshot wrong "$snapshot: "'

test_expect_success 'wrong: a snapshot that nobody confirmed for too long' '
	cp good.snap "$snapshot" &&
	echo MaxSnapshotAge=1s >>"$conf" &&
	slurm_wait check 3 &&
	found age wrong "too old to be used (MaxSnapshotAge is 1 s)" &&
	cp good.conf "$conf"'

test_expect_success 'wrong: the fabric of another cluster' '
	fabric 2 "$snapshot" &&
	check 3 &&
	found nodes wrong "2 of Slurm.s 4 nodes are not on the fabric" &&
	cp good.snap "$snapshot" &&
	check 0'

# The plugin as it would be after an upgrade of Slurm: its plugin_version is
# one higher.  Constants stand in the file where they are loaded.
test_expect_success 'wrong: a plugin for another Slurm, which then runs stock' '
	mkdir old &&
	cp "$plugin/select_cons_tres.so" old &&
	offset=$(nm -D old/select_cons_tres.so |
		awk "\$3 == \"plugin_version\" { print \"0x\" \$1 }") &&
	printf "\377" | dd of=old/select_cons_tres.so bs=1 conv=notrunc \
		seek=$((offset)) &&
	LC_ALL=C sed -i "s/\(sfabric plugin .* for Slurm 0x....\)../\1ff/" \
		old/select_cons_tres.so &&
	mv old "$slurm_dir" &&
	SLURM_PLUGINDIRS=$slurm_dir/old &&
	slurm_restart_ctld &&
	check 3 &&
	found plugin wrong "for Slurm [0-9.]*255, which Slurm [0-9.]* does not load" &&
	! grep "^controller" found &&
	slurm_wait_idle &&
	id=$(slurm_submit -N2) &&
	slurm_wait_job $id RUNNING'

test_expect_success 'wrong: a plugin that needs what slurmctld lacks' '
	mark=$(LC_ALL=C grep -ao "sfabric plugin .* for Slurm 0x......" \
		"$plugin/select_cons_tres.so") &&
	printf "%s\n" "const char mark[] = \"$mark\"; void no_such_thing(void);" \
		"void needs(void) { no_such_thing(); }" |
		${CC:-cc} -shared -fPIC -x c -o "$slurm_dir/old/select_cons_tres.so" - &&
	check 3 &&
	found plugin fine "sfabric [0-9.]* for Slurm" &&
	found symbols wrong "slurmctld cannot load it: undefined symbol: no_such_thing"'

test_expect_success 'wrong: the controller does not answer' '
	slurm_kill_ctld &&
	check 3 &&
	found slurm wrong "scontrol: exit 1: .*"'

test_done
