#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# completion.t - what bash offers: commands, options, their values, words, files
test_description='bash completion'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"
command -v bash >/dev/null || {
	skip_all='bash is missing'
	test_done
}

# offers WORD...: what is offered for the last one, sorted
offers () {
	bash -c '
		source "$1"; shift
		COMP_WORDS=(sfabric "$@") COMP_CWORD=$#
		_sfabric
		printf "%s\n" "${COMPREPLY[@]}"' bash completion "$@" | sort
}

# offered 'WORD...' WORD...: exactly these
offered () {
	printf "%s\n" $1 | sort >expected
	shift
	offers "$@" >actual && test_cmp expected actual
}

test_expect_success 'it is made of what --help says' '
	sh "$SFAB_SRCDIR/etc/completion/generate" "$sfabric" >completion &&
	bash -n completion && test_cmp "$SFAB_BUILDDIR/etc/completion/sfabric" completion'

test_expect_success 'commands' '
	offered "place plot policy predict" p &&
	offered "audit" help au'

test_expect_success 'every option of every command, and no other' '
	for command in $("$sfabric" --help |
		sed -n "/^Commands:/,\$s/^  \([a-z]*\) .*/\1/p"); do
		"$sfabric" $command --help | grep -oE "^ +(-., )?--[a-z0-9-]+" |
		grep -oE -- "--[a-z0-9-]+" | sort -u >expected &&
		offers $command -- | sort -u >actual &&
		test_cmp expected actual || return 1
	done'

test_expect_success 'values of options, however they are written' '
	offered "routes" plot --value r &&
	offered "routes" plot --value = r &&
	offered "html svg text" plot --type "" &&
	offered "html svg text" plot --type = &&
	offered "eject inject isl" load --kind "" &&
	offered "all compute io job:" load --to "" &&
	offered "job:" rotate -w j'

test_expect_success 'words' '
	offered "diff generate lint" topology "" && offered "test" policy "" &&
	offered "hosts" show h && offered "--sort" show io --so'

test_expect_success 'files, with blanks in their names' '
	: >"a b.snap" && : >"a c.snap" &&
	printf "a b.snap\na c.snap\n" >expected &&
	offers plot --snapshot a\ >actual && test_cmp expected actual &&
	offers import a\ >actual && test_cmp expected actual'

test_done
