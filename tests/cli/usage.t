#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# usage.t - help, version, exit codes, output that cannot be written
test_description='what all commands have in common'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

commands=$("$sfabric" --help | sed -n '/^Commands:/,$s/^  \([a-z]*\) .*/\1/p')

test_expect_success 'help' '
	golden help.txt "$sfabric" --help &&
	"$sfabric" help >one && test_cmp help.txt one &&
	for command in $commands; do
		"$sfabric" $command --help >one && "$sfabric" help $command >two &&
		grep "^Usage: sfabric $command" one && test_cmp one two || return 1
	done'

test_expect_success 'version' '
	"$sfabric" -V >one && "$sfabric" show -V >two &&
	grep "^sfabric [0-9]" one && test_cmp one two'

test_expect_success 'wrong command lines end with 2' '
	refuse 2 "no COMMAND" "$sfabric" &&
	refuse 2 "no such command" "$sfabric" dance &&
	refuse 2 "no such command" "$sfabric" help dance &&
	for command in $commands; do
		refuse 2 "unrecognized option" "$sfabric" $command --dance ||
			return 1
	done'

test_expect_success 'standard output that is full is an error' '
	import_small small.snap &&
	"$sfabric" show hosts --snapshot small.snap >/dev/full 2>err
	test $? = 1 && grep "standard output: No space" err'

test_expect_success '-h: the help, and in a table no header' '
	"$sfabric" --help >expected && "$sfabric" -h >actual &&
	test_cmp expected actual &&
	"$sfabric" show hosts --snapshot small.snap -h >actual && ! grep HOST actual'

test_expect_success '-v says what was read' '
	"$sfabric" show io --snapshot small.snap -v 2>err &&
	grep "small.snap: 7 switches, 24 hosts" err'

test_done
