#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# dropin_cases.sh - what may happen to files of ours and of Slurm, and that slurmctld starts
#
#     dropin_cases.sh list       the names of all cases
#     dropin_cases.sh DIR        run them; dropin.t starts this as a service of a
#                                systemd of its own.  Results are in DIR/results
#
# Each case begins with the drop-in enabled and slurmctld running with the plugin, does
# something, and restarts slurmctld: name | what is done | what then runs | what
# `sfabric-slurm status` says.  3: the first three starts may fail.
cases () {
	grep -v '^ *$' <<\END
nothing happens | : | with | enabled
disabled | disable | without | disabled
disabled, enabled again | disable; enable | with | enabled
enabled twice | enable | with | enabled
disable --dry-run | sfabric-slurm disable --dry-run | with | enabled
disabled, enable --dry-run | disable; sfabric-slurm enable --dry-run | without | disabled

Slurm's plugin is newer | newer $stock | without | select_cons_tres.so: FAILED
Slurm's library is newer | newer $library | without | libslurmfull.so: FAILED
slurmctld is newer | newer $ctld | without | slurmctld: FAILED
all of Slurm is newer | slurm_newer | without | not the files of Slurm 2
Slurm is newer, then old again | slurm_newer; systemctl restart slurmctld; slurm_old | with | enabled
Slurm is newer, sfabric is built again | slurm_newer; sums_new | with | enabled
Slurm is newer, then sfabric is built | slurm_newer; systemctl restart slurmctld; sums_new | with | enabled
Slurm is newer, enable refuses | slurm_newer; disable; refused | without | disabled
Slurm's plugin is written in place | systemctl stop slurmctld; echo >>$stock | without | FAILED
Slurm's plugin is a link to the same file | mv $stock $stock.1; ln -s $stock.1 $stock | without | is a link
Slurm is removed and installed again | systemctl stop slurmctld; rm -r $plugins/*; slurm_old | with | enabled
Slurm is removed, a start, installed again | rm -r $plugins/*; systemctl restart slurmctld; slurm_old | with | enabled

sfabric is newer | newer $ours; sums_new | with | enabled
sfabric's file alone is newer | newer $ours | without | slurm/select_cons_tres.so: FAILED
ours is cut off | truncate -s 9000 $ours.1; mv $ours.1 $ours | without | FAILED
ours is empty | new_file $ours </dev/null | without | FAILED
ours is a text | echo oops \| new_file $ours | without | FAILED
one byte of ours is another | flip $ours | without | FAILED
ours is gone | rm $ours | without | FAILED open or read
ours is a folder | rm $ours; mkdir $ours | without | FAILED open or read
ours is a link to nothing | ln -sf /nothing $ours | without | FAILED open or read
ours is for another Slurm, and sums agree | other_version; sums_new | without 3 | disabled itself
ours ends slurmctld, and sums agree | trap_file; sums_new | without 3 | disabled itself
ours is a text, and sums agree | echo oops \| new_file $ours; sums_new | without 3 | disabled itself
disabled itself, repaired, enabled | trap_file; sums_new; fail 4; ours_old; enable | with | enabled
two starts fail, then it is repaired | trap_file; sums_new; fail 2; ours_old | with | enabled
slurm.conf has an error for three starts | echo Oops >>$conf; fail 4; conf_old | without | disabled itself

sums is gone | rm $sums | without | missing or damaged
sums is empty | new_file $sums </dev/null | without | missing or damaged
sums lacks its last line | sed -i '$d' $sums | without | cut off
sums ends in its last line | truncate -s -9 $sums | without | cut off
sums has a wrong line | sed -i 's/^/oops /' $sums | without | missing or damaged
sums has a line more | sed -i '2s/^/oops\n/' $sums | without | improperly formatted
the folder stock is gone | rmdir $folder/stock | without | stock is not a folder
the folder stock is a file | rmdir $folder/stock; touch $folder/stock | without | stock is not a folder
sfabric is removed, the drop-in stays | rm -r $folder $script | without |
sfabric is removed, a start, installed again | rm -r $folder; systemctl restart slurmctld; ours_old | with | enabled

the command is gone, and Slurm is newer | rm $script; slurm_newer | without |
the command cannot be run, and Slurm is newer | chmod -x $script; slurm_newer | without |
the command is empty, and Slurm is newer | new_file $script </dev/null; slurm_newer | without |
the command has an error, and Slurm is newer | echo "if (" \| new_file $script; slurm_newer | without |
the state folder is gone | rm -r /run/sfabric-slurm | with | enabled
links of another time, the command is gone | stale_links; rm $script; slurm_newer | without |
the drop-in is gone, systemd was not told | rm $dropin | without | disabled
the drop-in is empty | new_file $dropin </dev/null; systemctl daemon-reload | without | enabled
the drop-in is a text | echo "oops (" \| new_file $dropin; systemctl daemon-reload | without | enabled
END
}

case $1 in
list) cases | sed 's/ *|.*//'; exit ;;
esac
dir=$1
. "$dir/paths"		# folder, script, plugins, ctld
stock=$plugins/select_cons_tres.so library=$plugins/libslurmfull.so
ours=$folder/slurm/select_cons_tres.so sums=$folder/sums
dropin=/etc/systemd/system/slurmctld.service.d/sfabric.conf
conf=/etc/slurm/slurm.conf
PATH=${script%/*}:$PATH

# -- what is done: files are replaced, as packages do it ------------------------

new_file () { cat >"$1.2" && chmod --reference="$1" "$1.2" && mv "$1.2" "$1"; }
newer () { { cat "$1" && echo newer; } | new_file "$1"; }
slurm_newer () { newer $stock && newer $library && newer $ctld; }
slurm_old () {
	rm -rf "${plugins:?}"/* && cp -a "$dir"/plugins/* $plugins &&
		cp -a "$dir/slurmctld" $ctld.2 && mv $ctld.2 $ctld
}
ours_old () {
	rm -rf $folder && cp -a "$dir/folder" $folder &&
		cp -a "$dir/sfabric-slurm" $script.2 && mv $script.2 $script
}
conf_old () { cp "$dir/slurm.conf" $conf; }
enable () { sfabric-slurm enable; }
disable () { sfabric-slurm disable; }
refused () { sfabric-slurm enable; test $? -eq 3; }
sums_new () {
	{ grep '^#' "$dir/folder/sums" && sha256sum $stock $library $ctld &&
		cd $folder && sha256sum slurm/select_cons_tres.so; } | new_file $sums
}
stale_links () {
	mkdir -p /run/sfabric-slurm/links && ln -sf $ours /run/sfabric-slurm/links/plugin &&
		ln -sfn $plugins /run/sfabric-slurm/links/stock
}
flip () { sed '1,20000s/sfabric: /sfabric; /' "$1" | new_file "$1"; }
trap_file () { new_file $ours <"$dir/trap.so"; }
other_version () { new_file $ours <"$dir/other.so"; }
fail () { for turn in $(seq "$1"); do start; done; }

# -- a case --------------------------------------------------------------------

# Up means: it answers.  It was not, if systemd says that it ended.
start () {
	systemctl restart slurmctld
	until scontrol ping | grep -q ' is UP'; do
		test "$(systemctl is-active slurmctld)" = active || return 1
		sleep 0.05
	done
}

# with or without, not by what status says
runs () {
	pid=$(systemctl show -p MainPID --value slurmctld)
	inode=$(stat -c %i $ours 2>/dev/null)
	awk -v i="$inode" '/cons_tres/ && $5 == i { found = 1 }
		END { print found ? "with" : "without" }' "/proc/$pid/maps"
}

begin_case () {
	systemctl stop slurmctld
	rm -rf /run/sfabric-slurm
	slurm_old && ours_old && conf_old && cp $ours $ours.1 &&
		disable && enable && start && test "$(runs)" = with
}

# `sfabric check`, which nobody tells where the plugin is
is_checked () {
	test "$1" = without || "${script%/sbin/*}/bin/sfabric" check -hP -o check,state |
		grep -qx 'controller|fine'
}

# run_case NAME DONE EXPECTED STATUS
run_case () {
	begin_case || { echo "not ok $1: does not begin"; return; }
	eval "$2"
	set -- "$1" "${3% 3}" "${3#with}" "$4"
	failed=0
	until start; do
		failed=$((failed + 1))
		test $failed -lt 4 || break
	done
	case $3 in
	*3) allowed=3 ;;
	*) allowed=0 ;;
	esac
	echo "# $1: $failed starts failed, runs $(runs)"
	test $failed -eq $allowed || { echo "not ok $1: failed $failed times"; return; }
	test "$(runs)" = "$2" || { echo "not ok $1: not $2"; return; }
	is_checked "$2" || { echo "not ok $1: sfabric check"; return; }
	test -z "$4" || {
		sfabric-slurm status >"$dir/status" 2>&1
		cat "$dir/status"
		grep -q -- "$4" "$dir/status" &&
			grep -q "runs $2 the plugin" "$dir/status" ||
			{ echo "not ok $1: status"; return; }
	}
	echo "ok $1"
}

cases | sed 's/ | /\t/g; s/ |$/\t/; s/\\|/|/g' | while IFS='	' read -r name done runs says; do
	run_case "$name" "$done" "$runs" "$says" </dev/null
done >"$dir/results" 2>&1
echo done >>"$dir/results"
