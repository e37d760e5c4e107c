#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# debian.t - Debian packages: built, installed, upgraded, removed
#
# Changes what is installed: it runs only in a root that etc/quickstart/
# debian-root made.
test_description='Debian packages from the tarball to their removal'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"
. "$SFAB_SRCDIR/tests/package/hardened.sh"

skip_all=$(place_missing)
at_exit place_stop
test -e /etc/sfabric-root || skip_all='changes installed packages'
command -v dh >/dev/null || skip_all='debhelper is not installed'
test -z "$skip_all" || test_done

debs=$place_dir/debs
slurm_conf=/etc/slurm/slurm.conf
multiarch=$(dpkg-architecture -qDEB_HOST_MULTIARCH)
folder=/usr/lib/$multiarch/sfabric/slurm

# make_quietly TARGET...: make of the build folder, apart from a make check
make_quietly () {
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL \
		make -C "$SFAB_BUILDDIR" V=0 "$@"
}

# installed PACKAGE: its version
installed () {
	dpkg-query -W -f='${db:Status-Status} ${Version}' "$1" 2>/dev/null
}

# repack SED-SCRIPT: the Slurm plugin's package with another control file
repack () {
	rm -rf "$place_dir/again" &&
	dpkg-deb -R "$debs"/slurm-sfabric-plugin_0.1.0-1_*.deb \
		"$place_dir/again" &&
	sed -i "$1" "$place_dir/again/DEBIAN/control" &&
	dpkg-deb -b "$place_dir/again" "$place_dir/again.deb"
}

# Does the plugin place a job?  Asked first it is still reading its files.
placed_one () {
	job=$(place_run -p excl -N4) || return 1
	test "$(place_reason $job)" = placed || { scancel $job; return 1; }
}

test_expect_success 'the tarball makes three packages' '
	mkdir "$debs" &&
	make_quietly distdir distdir="$place_dir/debs/sfabric-0.1.0" &&
	(cd "$debs/sfabric-0.1.0" &&
		SLURM_SOURCE=$(ls -d "$SFAB_BUILDDIR"/slurm-src/slurm-*/) \
		DEB_BUILD_OPTIONS=parallel=2 \
		dpkg-buildpackage -b -us -uc) >build.log 2>&1 ||
		{ tail -n 30 build.log; false; } &&
	rm -rf "$debs/sfabric-0.1.0" &&
	test $(ls "$debs"/*.deb | grep -vc dbgsym) -eq 3'

test_expect_success 'each depends on exactly the daemon that it is built for' '
	dpkg-deb -f "$debs"/slurm-sfabric-plugin_*.deb Depends >depends &&
	grep -F "slurmctld (= $(dpkg-query -W -f="\${Version}" slurmctld))" \
		depends &&
	dpkg-deb -f "$debs"/opensm-sfabric-plugin_*.deb Depends >depends &&
	grep -F "opensm (= $(dpkg-query -W -f="\${Version}" opensm))" depends'

test_expect_success 'the packages install, with manual and example' '
	dpkg -i $(ls "$debs"/*.deb | grep -v dbgsym) &&
	test "$(installed sfabric)" = "installed 0.1.0-1" &&
	/usr/bin/sfabric -V | grep 0.1.0 &&
	test -e "$folder/select_cons_tres.so" &&
	(cd "${folder%/*}" && sha256sum --strict -c sums) &&
	test -d "${folder%/*}/stock" &&
	test ! -e /etc/systemd/system/slurmctld.service.d/sfabric.conf &&
	test -e "/usr/lib/$multiarch/libosmsfabric.so" &&
	dpkg -L sfabric | grep "/sfabric.conf.example$" &&
	dpkg -L sfabric | grep "/prometheus/sfabric.rules.yml$" &&
	dpkg -L sfabric | grep "/grafana/sfabric-jobs.json$" &&
	dpkg -L sfabric | grep "/systemd/system/sfabric-collect.service$" &&
	dpkg -L sfabric | grep "/systemd/system/sfabric-metrics.timer$" &&
	! grep systemctl /var/lib/dpkg/info/sfabric.postinst &&
	dpkg -L sfabric | grep "/man5/sfabric.conf.5"'

test_expect_success 'binaries are hardened; Slurm'\''s plugin binds when it is called' '
	is_hardened /usr/bin/sfabric &&
	is_pie /usr/bin/sfabric &&
	binds_now /usr/bin/sfabric &&
	is_hardened "/usr/lib/$multiarch/libosmsfabric.so" &&
	binds_now "/usr/lib/$multiarch/libosmsfabric.so" &&
	is_hardened "$folder/select_cons_tres.so" &&
	! binds_now "$folder/select_cons_tres.so"'

test_expect_success 'the installed plugin places jobs' '
	place_plugin=$folder/select_cons_tres.so &&
	place_snapshot && place_conf Mode=on DefaultTraffic=mpi &&
	place_start package &&
	slurm_wait placed_one'

test_expect_success 'an upgrade leaves the controller and its jobs alone' '
	repack "s/^Version:.*/Version: 0.1.0-2/" &&
	dpkg -i "$place_dir/again.deb" &&
	test "$(installed slurm-sfabric-plugin)" = "installed 0.1.0-2" &&
	first=$job &&
	slurm_job_is $first RUNNING &&
	slurm_wait_saved $first &&
	SLURM_PLUGINDIRS=$folder && slurm_restart_ctld &&
	slurm_wait_job $first RUNNING &&
	slurm_wait placed_one'

test_expect_success 'a plugin for another Slurm is refused' '
	repack "s/slurmctld (= [^)]*)/slurmctld (= 1.0)/" &&
	test_must_fail dpkg -i "$place_dir/again.deb" >log 2>&1 &&
	grep "slurmctld (= 1.0)" log &&
	dpkg -i "$debs"/slurm-sfabric-plugin_0.1.0-1_*.deb'

test_expect_success 'removed, a folder that slurm.conf names stays' '
	slurm_stop &&
	test ! -e "$slurm_conf" &&
	echo "PluginDir=$folder:/usr/lib/$multiarch/slurm-wlm" \
		>"$slurm_conf" &&
	dpkg -r slurm-sfabric-plugin 2>warning &&
	rm "$slurm_conf" &&
	grep "still names $folder" warning &&
	test -d "$folder" && test -z "$(ls -A "$folder")" &&
	rmdir "$folder"'

test_expect_success 'removed, nothing stays' '
	dpkg -i "$debs"/slurm-sfabric-plugin_0.1.0-1_*.deb &&
	dpkg -P slurm-sfabric-plugin opensm-sfabric-plugin sfabric &&
	test ! -e "$folder" && test ! -e /usr/bin/sfabric &&
	test ! -e "/usr/lib/$multiarch/libosmsfabric.so"'

test_done
