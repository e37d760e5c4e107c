#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# t-rpm.t - RPM packages: built from the tarball, their contents run
#
# Installs nothing, needs no root: the packages are unpacked into a folder.
test_description='RPM packages from the tarball to a job'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/slurm/place.sh"

skip_all=$(place_missing)
at_exit place_stop
for tool in rpmbuild rpm2archive scdoc; do
	command -v $tool >/dev/null || skip_all="$tool is not installed"
done
test -e "$SFAB_BUILDDIR/libosmsfabric.la" ||
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

package () {
	echo "$top"/RPMS/*/"$1"-0.1.0-1*.rpm
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

test_expect_success 'it makes three packages' '
	build -tb "$top/sfabric-0.1.0.tar.gz" \
		--define "slurm_source $source" >build.log 2>&1 ||
		{ tail -n 30 build.log; false; } &&
	test $(ls "$top"/RPMS/*/*.rpm | grep -vc debug) -eq 3'

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
		completions/sfabric /job_submit_sfabric.lua; do
		grep "$file" files || return 1
	done'

test_expect_success 'the packaged command and plugin work' '
	for name in sfabric slurm-sfabric-plugin opensm-sfabric-plugin; do
		rpm2archive "$(package $name)" &&
		tar -xzf "$(package $name).tgz" -C "$top" || return 1
	done &&
	"$top/usr/bin/sfabric" -V | grep 0.1.0 &&
	test -e "$(ls "$top"/usr/lib*/libosmsfabric.so)" &&
	place_plugin=$(ls "$top"/usr/lib*/sfabric/slurm/select_cons_tres.so) &&
	place_snapshot && place_conf Mode=on DefaultTraffic=mpi &&
	place_start package && place_warm &&
	job=$(place_run -p excl -N4) &&
	test "$(place_reason $job)" = placed'

test_done
