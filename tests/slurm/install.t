#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# install.t - install, switch on, roll back, upgrade Slurm: doc/admin.md
#
# One cluster lives through all of it.  Two jobs run from the first step to
# the last; what else is submitted tells who places.
test_description='install, switch on, roll back, upgrade of Slurm'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"

place_ready

dest=$place_dir/dest
decisions=$place_dir/decisions
# the folder of the plugin, as installed below $dest
installed=
# beside slurm.conf, as at a site
unset SFABRIC_CONF

# make_quietly TARGET...: make of the build folder, apart from a make check
make_quietly () {
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL \
		make -C "$SFAB_BUILDDIR" V=0 "$@" DESTDIR="$dest"
}

# nodes_given: the node lists that jobs of these options get, then they end
jobs_asked='-N3
-N2 -x n[5-8]
-N4 --comment=sfabric:io-write
-n 20'
nodes_given () {
	echo "$jobs_asked" | while read -r options; do
		slurm_submit -p excl $options || exit 1
	done >ids &&
	for id in $(cat ids); do
		slurm_wait_job $id RUNNING && slurm_nodes $id || return 1
	done &&
	scancel $(cat ids) &&
	slurm_wait only_the_first_run
}

only_the_first_run () {
	test "$(squeue -h -o %i | sort -n | paste -sd' ')" = "$first" &&
	test -z "$(sinfo -h -t comp -o %n)"
}

# decides WORD: until the plugin, asked for a job, says so; it reads its files
# in a thread of its own
decides () {
	slurm_wait decided "$1"
}

decided () {
	probe=$(place_run -p excl -N2) &&
	slurm_wait grep -q "\"job\":$probe,\"running\"" "$decisions" &&
	scancel $probe &&
	slurm_wait only_the_first_run &&
	grep "\"job\":$probe,.*\"reason\":\"$1\"" "$decisions"
}

# The two jobs of the beginning run where they did.
first_live () {
	for id in $first; do
		slurm_job_is $id RUNNING && slurm_nodes $id || return 1
	done >living &&
	test_cmp first_nodes living
}

# switch_to FOLDER: the steps of the page: PluginDir, then a restart
switch_to () {
	SLURM_PLUGINDIRS=$1 &&
	slurm_restart_ctld &&
	slurm_wait slurm_all_answer
}

slurm_all_answer () {
	test -z "$(sinfo -h -N -o %T | grep -Ev '^(idle|allocated|mixed)$')"
}

test_expect_success 'make install: plugin, command, manual, example' '
	make_quietly install >log 2>&1 &&
	installed=$(find "$dest" -name select_cons_tres.so) &&
	installed=${installed%/*} &&
	case $installed in */sfabric/slurm) ;; *) false ;; esac &&
	find "$dest" -type f >files &&
	grep "/bin/sfabric\$" files &&
	grep "/man1/sfabric-check.1\$" files &&
	grep "/man5/sfabric.conf.5\$" files &&
	grep "/doc/sfabric/sfabric.conf.example\$" files &&
	grep "/doc/sfabric/admin.md\$" files &&
	grep "/share/sfabric/prometheus/sfabric.rules.yml\$" files &&
	grep "/share/sfabric/grafana/sfabric.json\$" files &&
	grep "/share/sfabric/grafana/sfabric-jobs.json\$" files'

# all units of etc, which start the command that was installed
test_expect_success 'make install: systemd units' '
	for unit in "$SFAB_SRCDIR"/etc/systemd/*; do
		grep "/lib/systemd/system/${unit##*/}\$" files || return 1
	done &&
	command=$(grep "/bin/sfabric\$" files) &&
	grep "^ExecStart=${command#$dest} collect" \
		"$(grep "/sfabric-collect.service\$" files)"'

test_expect_success 'a stock cluster with running jobs' '
	place_snapshot &&
	place_stock_start install &&
	first="$(place_run -p excl -N5) $(place_run -p excl -N2)" &&
	for id in $first; do slurm_nodes $id; done >first_nodes &&
	nodes_given >stock &&
	test $(wc -l <stock) -eq 4'

test_expect_success 'observe: the plugin is loaded, nodes are as with stock' '
	conf=$slurm_dir/sfabric.conf &&
	cp "$(grep "/sfabric.conf.example\$" files)" "$conf" &&
	printf "Snapshot=%s\nDecisionLog=%s\n" "$place_dir/fabric.snap" \
		"$decisions" >>"$conf" &&
	switch_to "$installed" &&
	sfabric check -hP -o check,state,found >checked &&
	grep "^controller|fine|" checked &&
	grep "^mode|fine|observe" checked &&
	first_live &&
	decides observe &&
	nodes_given >given &&
	test_cmp stock given'

test_expect_success 'on: jobs are placed by their routes' '
	echo Mode=on >>"$conf" &&
	scontrol reconfigure &&
	decides placed &&
	steered=$(place_run -p excl -N4 --comment=sfabric:io-write) &&
	test "$(place_reason $steered)" = placed &&
	slurm_nodes $steered >steered_nodes &&
	! grep -Fx -f steered_nodes stock &&
	scancel $steered &&
	slurm_wait only_the_first_run &&
	nodes_given >given &&
	! cmp -s stock given &&
	first_live'

test_expect_success 'off: nodes are as with stock, without a restart' '
	ctld=$(slurm_ctld_pid) &&
	sed -i s/^Mode=on/Mode=off/ "$conf" &&
	scontrol reconfigure &&
	decides off &&
	nodes_given >given &&
	test_cmp stock given &&
	{ slurm_reconfigure_restarts || test $(slurm_ctld_pid) = $ctld; }'

test_expect_success 'roll back: stock, steered jobs live' '
	sed -i s/^Mode=off/Mode=on/ "$conf" &&
	scontrol reconfigure &&
	decides placed &&
	steered=$(place_run -p excl -N4 --comment=sfabric:io-write) &&
	test "$(place_reason $steered)" = placed &&
	slurm_nodes $steered >steered_nodes &&
	switch_to "" &&
	! grep -F "$installed/" "/proc/$(slurm_ctld_pid)/maps" &&
	slurm_job_is $steered RUNNING &&
	slurm_nodes $steered >given &&
	test_cmp steered_nodes given &&
	first_live &&
	scancel $steered &&
	slurm_wait only_the_first_run &&
	nodes_given >given &&
	test_cmp stock given'

test_expect_success 'on again after a roll back: first jobs live, jobs are placed' '
	switch_to "$installed" &&
	first_live &&
	decides placed &&
	nodes_given >given &&
	! cmp -s stock given'

# -- an upgrade of Slurm ---------------------------------------------------

# A plugin for another Slurm: its plugin_version is one higher.  Constants
# stand in the file where they are loaded.
other_version () {
	mkdir "$place_dir/old" &&
	cp "$installed/select_cons_tres.so" "$place_dir/old" &&
	offset=$(nm -D "$place_dir/old/select_cons_tres.so" |
		awk '$3 == "plugin_version" { print "0x" $1 }') &&
	printf '\377' | dd of="$place_dir/old/select_cons_tres.so" bs=1 \
		conv=notrunc seek=$((offset)) 2>/dev/null &&
	LC_ALL=C sed -i 's/\(sfabric plugin .* for Slurm 0x....\)../\1ff/' \
		"$place_dir/old/select_cons_tres.so"
}

test_expect_success 'upgrade: the plugin is skipped with a line, jobs live' '
	other_version &&
	lines=$(wc -l <"$slurm_dir/slurmctld.log") &&
	switch_to "$place_dir/old" &&
	tail -n +$((lines + 1)) "$slurm_dir/slurmctld.log" >said &&
	grep "$place_dir/old/select_cons_tres.so" said >skipped &&
	test $(wc -l <skipped) -eq 1 &&
	grep "Incompatible Slurm plugin" skipped &&
	! grep "sfabric:" said &&
	first_live'

test_expect_success 'upgrade: nodes are as with stock' '
	nodes_given >given &&
	test_cmp stock given'

test_expect_success 'upgrade: sfabric check says so, status 3' '
	test_expect_code 3 sfabric check -hP -o check,state,found >checked &&
	grep "^plugin|wrong|.*which Slurm [0-9.]* does not load: rebuild it" checked'

# From 25.05 on commands load no select plugin.
test_expect_success 'upgrade: commands on this host work, and say so if they load it' '
	sinfo >out 2>err && grep excl out &&
	if slurm_at_least 25 5; then
		test_must_be_empty err
	else
		grep "Incompatible Slurm plugin $place_dir/old" err
	fi'

test_expect_success 'after a new build it is used again' '
	switch_to "$installed" &&
	first_live &&
	decides placed &&
	nodes_given >given &&
	! cmp -s stock given'

# -- what the page warns of ------------------------------------------------

# with_plugindir FOLDER COMMAND...: under a slurm.conf of its own
with_plugindir () {
	sed "s,^PluginDir=,&$1:," "$SLURM_CONF" >"$slurm_dir/client.conf"
	shift
	env SLURM_CONF="$slurm_dir/client.conf" "$@"
}

test_expect_success 'a folder that is not there stops every command' '
	test_must_fail with_plugindir "$place_dir/none" sinfo 2>err &&
	grep "$place_dir/none" err'

test_expect_success 'sfabric check names that folder' '
	test_expect_code 3 with_plugindir "$place_dir/none" \
		sfabric check -hP -o check,state,found >checked &&
	grep "wrong|.*$place_dir/none" checked'

test_expect_success 'an empty folder is enough for clients' '
	mkdir "$place_dir/none" &&
	sed "s,$installed,$place_dir/none," "$SLURM_CONF" >client.conf &&
	SLURM_CONF=$PWD/client.conf squeue -h -o %i 2>err >out &&
	test_must_be_empty err &&
	test $(wc -l <out) -eq 2'

test_expect_success 'make uninstall, after the roll back, leaves no file' '
	switch_to "" &&
	make_quietly uninstall >log 2>&1 &&
	find "$dest" -type f >files &&
	test_must_be_empty files &&
	first_live'

test_done
