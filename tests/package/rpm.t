#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# rpm.t - RPM packages: built from the tarball, their contents run
#
# Installs nothing: the packages are unpacked into a folder.  As root, those for Enterprise
# Linux 8 are installed into a root of their own, and loaded at the paths of that system.
test_description='RPM packages from the tarball to a job'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"
. "$SFAB_SRCDIR/tests/package/hardened.sh"

skip_all=$(place_missing)
at_exit place_stop
for tool in rpmbuild rpm2archive scdoc; do
	command -v $tool >/dev/null || skip_all="$tool is not installed"
done
test -e "$SFAB_BUILDDIR/plugin/opensm/libosmsfabric.so" ||
	skip_all='built without OpenSM'
test -z "$skip_all" || test_done

top=$place_dir/rpm
source=$(sed -n 's/^SLURM_SOURCE = //p' "$SFAB_BUILDDIR/Makefile")
version=$("$(slurm_program slurmctld)" -V | cut -d' ' -f2)

# build OPTION...: packages of this tree and its settings into $top/RPMS
build () {
	rpmbuild --nodeps --define "_topdir $top" --define "_smp_mflags -j2" \
		--define "slurm_plugindir $(slurm_stock_plugins)" \
		--define 'opensm_version 3.3.23' "$@"
}

# As Enterprise Linux 8 and 9 have them: what links programs that load anywhere and
# binds every symbol when it is loaded stands in files of the compiler's own kind.
el8_flags='-O2 -g -pipe -Wall -Werror=format-security -Wp,-D_FORTIFY_SOURCE=2
-Wp,-D_GLIBCXX_ASSERTIONS -fexceptions -fstack-protector-strong
-grecord-gcc-switches -fasynchronous-unwind-tables -fstack-clash-protection'
el9_flags='-O2 %{_lto_cflags} -fexceptions -g -grecord-gcc-switches -pipe -Wall
-Werror=format-security -Wp,-D_FORTIFY_SOURCE=2 -Wp,-D_GLIBCXX_ASSERTIONS
-fstack-protector-strong -fasynchronous-unwind-tables -fstack-clash-protection'

# el COMMAND FLAGS DIST OPTION...: build-rpm or rpmbuild with them
el () {
	el_command=$1 flags=$2 dist=$3
	shift 3
	cat >"$place_dir/hardened-cc1" <<-\END &&
	*cc1_options:
	+ %{!r:%{!fpie:%{!fPIE:%{!fpic:%{!fPIC:%{!fno-pic:-fPIE}}}}}}
	END
	cat >"$place_dir/hardened-ld" <<-\END &&
	*self_spec:
	+ %{!static:%{!shared:%{!r:-pie}}}

	*link:
	+ -z now
	END
	$el_command "$@" --define '_lto_cflags -flto=auto -ffat-lto-objects' \
		--define "dist .$dist" \
		--define "optflags $(echo $flags) -specs=$place_dir/hardened-cc1" \
		--define 'build_cflags %{optflags}' \
		--define "build_ldflags -Wl,-z,relro -Wl,--as-needed -Wl,-z,now \
			-specs=$place_dir/hardened-ld"
}

# The script of the sites, for the Slurm that the tests run on.
script () {
	$within env SFAB_RPM_DIR="$top" "$SFAB_SRCDIR/etc/build-rpm" \
		--sfabric "$top/sfabric-0.1.0.tar.gz" "$source" --nodeps \
		--define "_smp_mflags -j2" --define "slurm_plugindir $slurm_plugindir" \
		--define 'opensm_version 3.3.23' "$@"
}
slurm_plugindir=$(slurm_stock_plugins) within=

package () {
	echo "$top"/RPMS/*/"$1"-0.1.0-1*.rpm
}

# unpack PACKAGE: below $top
unpack () {
	rpm2archive "$(package $1)" && tar -xzf "$(package $1).tgz" -C "$top"
}

# says WHAT PACKAGE LINE: rpm's answer has the line
says () {
	rpm --dbpath "$top/db" -qp "--$1" "$(package "$2")" >answer &&
		grep -qxF "$3" answer || { cat answer; return 1; }
}

test_expect_success 'the tarball has the spec file' '
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL \
		make -C "$SFAB_BUILDDIR" V=0 dist distdir=sfabric-0.1.0 \
		>dist.log 2>&1 &&
	mkdir -p "$top" &&
	mv "$SFAB_BUILDDIR/sfabric-0.1.0.tar.gz" "$top" &&
	tar -tzf "$top/sfabric-0.1.0.tar.gz" >list &&
	grep /etc/sfabric.spec$ list'

test_expect_success 'without Slurm'\''s source it says what is missing' '
	test_must_fail build -tb "$top/sfabric-0.1.0.tar.gz" 2>err &&
	grep "slurm_source is not defined" err'

test_expect_success 'bad input of build-rpm: one line each' '
	test_must_fail "$SFAB_SRCDIR/etc/build-rpm" none.tar.bz2 2>err &&
	grep "none.tar.bz2: no such file or folder" err && test 1 = $(wc -l <err) &&
	test_must_fail "$SFAB_SRCDIR/etc/build-rpm" . 2>err &&
	grep "not configured (expected config.h" err && test 1 = $(wc -l <err) &&
	test_expect_code 2 "$SFAB_SRCDIR/etc/build-rpm" 2>err'

test_expect_success 'Enterprise Linux 9: build-rpm makes three packages' '
	el script "$el9_flags" el9 >made 2>build.log ||
		{ tail -n 30 build.log; false; } &&
	cat made && test $(wc -l <made) -eq 3 &&
	grep "/slurm-sfabric-plugin-0.1.0-1.slurm$version.el9.*rpm$" made &&
	grep "/sfabric-0.1.0-1.el9.*rpm$" made'

test_expect_success 'each depends on exactly the daemon that it is built for' '
	says requires slurm-sfabric-plugin "slurm-slurmctld = $version" &&
	says requires opensm-sfabric-plugin "opensm = 3.3.23"'

test_expect_success 'nothing needs the plugin of Slurm by its file name' '
	rpm --dbpath "$top/db" -qp --requires \
		"$(package slurm-sfabric-plugin)" >needs &&
	test_must_fail grep select_cons_tres needs'

test_expect_success 'manual, examples and completion are with the command' '
	rpm --dbpath "$top/db" -qpl "$(package sfabric)" >files &&
	for file in bin/sfabric man5/sfabric.conf.5 man1/sfabric-place.1 \
		/sfabric.conf.example /admin.md /examples/ai-rails.lua \
		completions/sfabric /job_submit_sfabric.lua \
		/sfabric.rules.yml /sfabric-jobs.json \
		/systemd/system/sfabric-collect.service \
		/systemd/system/sfabric-metrics.timer; do
		grep "$file" files || return 1
	done'

test_expect_success 'the packages unpack' '
	for name in sfabric slurm-sfabric-plugin opensm-sfabric-plugin; do
		unpack $name || return 1
	done &&
	osm_plugin=$(ls "$top"/usr/lib*/libosmsfabric.so) &&
	place_plugin=$(ls "$top"/usr/lib*/sfabric/slurm/select_cons_tres.so)'

test_expect_success 'the command is hardened' '
	is_hardened "$top/usr/bin/sfabric" &&
	is_pie "$top/usr/bin/sfabric" &&
	binds_now "$top/usr/bin/sfabric"'

test_expect_success 'OpenSM'\''s plugin is, and leaves no symbol open' '
	is_hardened "$osm_plugin" &&
	binds_now "$osm_plugin" &&
	ldd -r "$osm_plugin" >ldd 2>&1 &&
	! grep "undefined symbol" ldd'

test_expect_success 'Slurm'\''s is, but binds when it is called' '
	is_hardened "$place_plugin" &&
	! binds_now "$place_plugin" &&
	ldd -r "$place_plugin" >ldd 2>&1 &&
	grep "undefined symbol: find_job_record" ldd'

test_expect_success 'the packaged command and plugin work' '
	"$top/usr/bin/sfabric" -V | grep 0.1.0 &&
	place_snapshot && place_conf Mode=on DefaultTraffic=mpi &&
	place_start package && place_warm &&
	job=$(place_run -p excl -N4) &&
	test "$(place_reason $job)" = placed'

# From 25.05 on these load no select plugin.
test_expect_success 'the packaged plugin loads into commands and slurmd, too' '
	LD_DEBUG=files LD_DEBUG_OUTPUT=$PWD/loaded sinfo >out 2>err &&
	grep excl out &&
	test_must_be_empty err &&
	{ slurm_at_least 25 5 || {
		cat loaded.* | grep "calling init: $place_plugin" &&
		grep "$place_plugin" "/proc/$(cat "$slurm_dir/run/n1.pid")/maps"; }; } &&
	! grep "undefined symbol" "$slurm_dir"/*.log "$slurm_dir"/log/*'

# in_el COMMAND...: where /usr/lib64 is that of Enterprise Linux: with Slurm in it, and
# the packages of the root
in_el () {
	unshare -m sh -c 'mount --bind "$1" /usr/lib64 && shift && exec "$@"' sh "$top/lib64" "$@"
}

{ mkdir -p "$top/lib64" && cp -a /usr/lib64/. "$top/lib64/" &&
	cp -rL "$slurm_plugindir" "$top/lib64/slurm" && in_el true; } 2>/dev/null &&
	test_set_prereq EL

# macro NAME: what it says of units, in a word
macro () {
	echo "systemd_$1() echo $1 %*"
}

test_expect_success EL 'Enterprise Linux 8: its flags harden, too' '
	rm -rf "$top/RPMS" "$top/usr" && slurm_plugindir=/usr/lib64/slurm within=in_el &&
	el script "$el8_flags" el8 --without opensm --define "_libdir /usr/lib64" \
		--define "$(macro post)" --define "$(macro preun)" \
		--define "$(macro postun_with_restart)" >made 2>build.log ||
		{ tail -n 30 build.log; false; } &&
	test $(wc -l <made) -eq 2 &&
	grep "/slurm-sfabric-plugin-0.1.0-1.slurm$version.el8.*rpm$" made &&
	unpack sfabric && unpack slurm-sfabric-plugin &&
	is_hardened "$top/usr/bin/sfabric" && is_pie "$top/usr/bin/sfabric" &&
	is_hardened "$top/usr/lib64/sfabric/slurm/select_cons_tres.so"'

# has SCRIPTLET TEXT: of sfabric
has () {
	rpm --dbpath "$top/db" -qp --qf "%{$1}\n" "$(package sfabric)" >scriptlet &&
		grep -F -e "$2" scriptlet
}

test_expect_success EL 'units of sfabric are told to systemd, and none is enabled' '
	units="sfabric-collect.service sfabric-learn.service" &&
	units="$units sfabric-metrics.timer sfabric-send.path sfabric-web.timer" &&
	has POSTIN "post $units" && has PREUN "preun $units" &&
	has POSTUN "postun_with_restart sfabric-collect.service sfabric-learn.service" &&
	for unit in $units; do
		test -f "$top/usr/lib/systemd/system/$unit" || return 1
	done'

test_expect_success EL 'no file is a setting, none is in /etc, all are where the system looks' '
	for name in sfabric slurm-sfabric-plugin; do
		rpm --dbpath "$top/db" -qpc "$(package $name)" >files &&
		test_must_be_empty files &&
		rpm --dbpath "$top/db" -qpl "$(package $name)" >files &&
		! grep -v "^/usr/\(bin\|sbin\|lib64/sfabric\|lib/systemd/system\|share\|lib/.build-id\)\(/\|$\)" \
			files || return 1
	done &&
	readelf -W -d "$top/usr/lib64/sfabric/slurm/select_cons_tres.so" >dynamic &&
	grep "RUNPATH.*\[/usr/lib64/sfabric/stock:/usr/lib64/slurm\]" dynamic &&
	grep "  /usr/lib64/slurm/select_cons_tres.so$" "$top/usr/lib64/sfabric/sums"'

# installed PACKAGE...: into the root, which has no shell for scriptlets
installed () {
	mkdir -p "$top/root/db" &&
	for name; do
		rpm --root "$top/root" --dbpath /db --force-debian -i --nodeps \
			--noscripts "$(package $name)" || return 1
	done
}

test_expect_success EL 'the packages install into a root, and nothing is missing or another there' '
	installed sfabric slurm-sfabric-plugin &&
	cp -a "$top/root/usr/lib64/sfabric" "$top/lib64/" &&
	rpm --root "$top/root" --dbpath /db --force-debian -V --nodeps \
		--noscripts --nouser --nogroup sfabric slurm-sfabric-plugin >differs 2>&1 ||
		{ cat differs; false; }'

cat >"$top/cluster" <<-\END
. "$SFAB_SRCDIR/tests/slurm/place.sh"
slurm_stock_plugins () {
	echo /usr/lib64/slurm
}
place_plugin=/usr/lib64/sfabric/slurm/select_cons_tres.so
trap place_stop EXIT
place_snapshot && place_conf Mode=on DefaultTraffic=mpi &&
place_start el && place_warm && job=$(place_run -p excl -N4) &&
test "$(place_reason $job)" = placed &&
grep -o "/.*select_cons_tres.so" /proc/$(slurm_ctld_pid)/maps | sort -u
END

test_expect_success EL 'slurmctld loads it there, and it places' '
	in_el sh "$top/cluster" >maps 2>log || { cat log; false; } &&
	grep /usr/lib64/sfabric/slurm/select_cons_tres.so maps &&
	grep /usr/lib64/slurm/select_cons_tres.so maps'

slurm_plugindir=$(slurm_stock_plugins) within=
# rpm of Debian: the spec file has flags of its own
test_expect_success 'without the distribution'\''s flags the command is hardened' '
	rm -rf "$top/RPMS" "$top/usr" &&
	build -tb "$top/sfabric-0.1.0.tar.gz" --without slurm --without opensm \
		--define "build_cflags -O2 -g" >build.log 2>&1 ||
		{ tail -n 30 build.log; false; } &&
	unpack sfabric &&
	is_hardened "$top/usr/bin/sfabric" &&
	is_pie "$top/usr/bin/sfabric" &&
	binds_now "$top/usr/bin/sfabric"'

test_done
