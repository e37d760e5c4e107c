#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# completion.t - what bash and zsh offer: commands, options, their values, words, files
test_description='completion in bash and zsh'
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

test_expect_success 'the completion is made of what --help says' '
	sh "$SFAB_SRCDIR/etc/completion/generate" "$sfabric" bash >completion &&
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
	offered "job:" rotate -w j &&
	offered "io-read= io-write=" place --traffic i &&
	offered "minhop" import --route m && offered "hostfile" order --format h &&
	offered "share" route -o sh && offers show -o r | grep -x role'

test_expect_success 'hosts of the snapshot' '
	import_small small.snap --io "n[0021-0024]" &&
	PATH=$SFAB_BUILDDIR/tools:$PATH && export PATH &&
	SFABRIC_SNAPSHOT=$PWD/small.snap && export SFABRIC_SNAPSHOT &&
	offered "n0020 n0021 n0022 n0023 n0024" place --exclude n002'

test_expect_success 'words' '
	offered "diff generate" topology "" && offered "test" policy "" &&
	offered "hosts" show h && offered "--sort" show io --so'

test_expect_success 'files, with blanks in their names' '
	: >"a b.snap" && : >"a c.snap" &&
	printf "a b.snap\na c.snap\n" >expected &&
	offers plot --snapshot a\ >actual && test_cmp expected actual &&
	offers import a\ >actual && test_cmp expected actual'

# zsh_offers WORD...: what complete.zsh offers, as zsh would narrow it down
zsh_offers () {
	zsh -f -c '
		compdef () { }
		_files () { print -l -- $PREFIX*(N) }
		compset () { PREFIX=${PREFIX#*=} }
		compadd () {
			local name list
			list=(${@:#-*})
			[[ $1 != -a && $3 != -a ]] || list=(${(P)@[-1]})
			print -l -- ${(M)list:#$PREFIX*}
		}
		source ./_sfabric
		words=(sfabric "$@") CURRENT=$((# + 1)) PREFIX=${@[-1]}
		_sfabric' zsh "$@" | grep . | sort
}

command -v zsh >/dev/null && test_set_prereq ZSH
test_expect_success ZSH 'zsh offers what bash does' '
	sh "$SFAB_SRCDIR/etc/completion/generate" "$sfabric" zsh >_sfabric &&
	test_cmp "$SFAB_BUILDDIR/etc/completion/_sfabric" _sfabric &&
	printf "%s\n" p "help au" "plot --v" "plot --value r" "plot --type t" \
		"load --to j" "place --traffic io" "place --exclude n002" "topology d" \
		"show h" "show io --so" "plot --snapshot sm" >words &&
	while read -r line; do
		offers $line >expected && zsh_offers $line >actual && test -s actual &&
		test_cmp expected actual || return 1
	done <words &&
	zsh_offers plot --value=r >actual && echo routes >expected &&
	test_cmp expected actual'

test_done
