#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# demo.t - what README shows of ./quickstart is what that prints
test_description='the demonstration, and README'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/lib/slurm.sh"
. "$SFAB_SRCDIR/tests/lib/sim.sh"
skip_all=$(sim_missing)
test -n "$skip_all" || skip_all=$(slurm_missing)
test -e "$SFAB_BUILDDIR/plugin/slurm/select_cons_tres.so" ||
	skip_all='built without --with-slurm-source'
test -z "$skip_all" || test_done

work=$(mktemp -d "${TMPDIR:-/tmp}/sfabric-demo.XXXXXX")
at_exit 'rm -rf "$work"'
pictures=$SFAB_SRCDIR/doc/pictures
readme=$SFAB_SRCDIR/README.md

test_expect_success 'the demonstration runs' '
	"$SFAB_SRCDIR/etc/quickstart/demo" "$SFAB_BUILDDIR" "$work" >shown ||
		{ cat shown; false; }'
test -z "${SFAB_GOLDEN-}" || for name in tree sfabric; do
	cp "$work/$name.svg" "$pictures/quickstart-$name.svg"
done

test_expect_success 'README has its table, every column' '
	sed -n "/^A job of 64/,/run time/s/^/    /p" shown >table &&
	test "$(wc -l <table)" -eq 8 &&
	sed -n "/^    A job of 64/,/run time/p" "$readme" >quoted &&
	test_cmp table quoted'

test_expect_success 'last lines of the demonstration say how to go on: they work' '
	lines=$(sed -n "s/^  export //p" shown) && test -n "$lines" &&
	(unset SFABRIC_SNAPSHOT && eval "export $lines" &&
	 sed -n "/^  export/,\$s/^  \(sfabric .*\)/\1/p" shown >further &&
	 test -s further && while read -r command; do
		$command >out; test $? = 0 -o $? = 3 && test -s out || return 1
	 done <further) &&
	for file in $(sed -n "s,^  \(/.*\),\1,p" shown); do
		test -s "$file" || return 1
	done'

test_expect_success 'README has its pictures' '
	for name in tree sfabric; do
		grep "(doc/pictures/quickstart-$name.svg)" "$readme" &&
		test_cmp "$pictures/quickstart-$name.svg" "$work/$name.svg" || return 1
	done'

test_done
