#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# receive.t - files from another machine: taken whole or not at all
test_description='sfabric receive'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

import_small fabric.snap --io 'n[0021-0024]'
# counters.snap with one row: port 1 of GUID 0x100
/usr/bin/python3 "$SFAB_SRCDIR/tests/lib/counters.py" counters.snap 0x100:1
# alive TIME
alive () {
	printf 'sfabric-alive 1\nfingerprint 0x1\nsm 0x2\ntime %s\n' "$1"
}
alive 1000 >fabric.alive
mkdir to

# refused TEXT <FILES: it fails with one line that has TEXT, and leaves the files alone
refused () {
	rm -rf before && cp -r to before &&
	test_expect_code 1 "$sfabric" receive --output to 2>err &&
	cat err >&2 && test $(wc -l <err) = 1 && grep -e "$1" err &&
	diff -r before to
}

test_expect_success 'three files in one stream' '
	cat fabric.snap counters.snap fabric.alive |
		"$sfabric" receive --output to &&
	cmp fabric.snap to/fabric.snap && cmp counters.snap to/counters.snap &&
	cmp fabric.alive to/fabric.alive && test $(ls to | wc -l) = 3'
test_expect_success 'one file, to where sfabric.conf says' '
	echo "Counters=\"$PWD/here\"" >site.conf &&
	"$sfabric" receive --conf site.conf <counters.snap &&
	cmp counters.snap here'

test_expect_success 'nothing, and anything else' '
	refused "standard input: neither a snapshot" </dev/null &&
	echo hello | refused "standard input: neither a snapshot"'
test_expect_success 'cut short' '
	head -c 700 fabric.snap | refused "standard input, fabric.snap: 700 bytes" &&
	head -c 100 counters.snap |
		refused "standard input, counters.snap: a file of counters: 100 bytes" &&
	head -c 20 fabric.alive | refused "standard input, fabric.alive: "'
test_expect_success 'damaged: nothing of the good file before it is written' '
	rm to/counters.snap &&
	{ cat counters.snap; tr "\\000" "\\001" <fabric.snap; } |
		refused "standard input, fabric.snap: "'
test_expect_success 'something behind the last file' '
	{ cat counters.snap; echo more; } | refused "standard input: neither"'
test_expect_success 'an older confirmation than the one that is there' '
	alive 999 | cat fabric.snap - | refused "confirmed at 999, to/fabric.alive already at 1000" &&
	alive 1001 | "$sfabric" receive --output to &&
	grep "time 1001" to/fabric.alive'
test_expect_success 'a folder that is not there' '
	test_expect_code 1 "$sfabric" receive --output nowhere <fabric.snap 2>err &&
	grep "^sfabric: nowhere/fabric.snap: No such file" err'

test_done
