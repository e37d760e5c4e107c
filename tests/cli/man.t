#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# man.t - the options of --help are those of the man pages, both ways
test_description='options and their man pages'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

# options of `--help`: "-N, --nodes=MIN[-MAX]" is two
help_options () {
	"$sfabric" "$@" --help |
	grep -oE '^ +-.(, --[a-z0-9-]+)?|^ +--[a-z0-9-]+' |
	tr -s ' ,' '\n' | grep '^-' | sort -u
}

# options that begin a paragraph of the section: "*-N*, *--nodes* _MIN_"
page_options () {
	sed -n "/^# $2/,/^# /p" "$SFAB_SRCDIR/doc/$1" | grep '^\*-' |
	grep -oE '\*-[^*]+\*' | tr -d '*' | sort -u
}

# the words to choose from of each option: "--kind eject inject isl"
choices () {
	sed -nE 's/^(.*[ *])?(--[a-z0-9-]+)[]*=[]+([a-z]+(\|[a-z]+)+).*/\2 \3/p' |
	while read -r option words; do
		echo $option $(echo "$words" | tr "|" "\n" | sort)
	done | sort
}
help_choices () {
	"$sfabric" $1 --help | choices
}
page_choices () {
	sed 's/\*//g; s/^\(--[a-z-]*\) \([a-z]*|\)/\1=\2/' \
		"$SFAB_SRCDIR/doc/sfabric-$1.1.scd" | grep '^-' | choices
}

# what the first word of a command can be, by its lines of usage
first_words () {
	"$sfabric" $1 --help | awk 'NR > 1 && /^[A-Z]/ { exit } { print }' |
	sed -E 's/(Usage|or): +sfabric [a-z]+( \[OPTION\.\.\.\])?//' |
	tr ' |' '\n\n' | grep -x '[a-z][a-z]*'
}

commands=$("$sfabric" --help | sed -n '/^Commands:/,$s/^  \([a-z]*\) .*/\1/p')

test_expect_success 'main: every command is in sfabric(1)' '
	test -n "$commands" &&
	for command in $commands; do
		grep "^\*$command\*$" "$SFAB_SRCDIR/doc/sfabric.1.scd" || return 1
	done &&
	page_options sfabric.1.scd "COMMON OPTIONS" >common'

: >all
for command in $commands; do
	test_expect_success "$command" '
		help_options $command >help && cat help >>all &&
		page_options sfabric-$command.1.scd OPTIONS >page &&
		comm -23 help common | comm -23 - page >missing &&
		comm -13 help page >surplus &&
		test_cmp /dev/null missing && test_cmp /dev/null surplus'
	test_expect_success "$command: words to choose from" '
		sed -n "/^# SYNOPSIS/,/^# DESC/p" \
			"$SFAB_SRCDIR/doc/sfabric-$command.1.scd" >synopsis &&
		for word in $(first_words $command); do
			grep "\*\([a-z]* \)*$word\*" synopsis || return 1
		done &&
		help_choices $command >help && page_choices $command >page &&
		join -j 1 help page -o 0 >both &&
		join both help >wanted && join both page >found &&
		test_cmp wanted found'
done

test_expect_success 'common options: each is an option of some command' '
	sort -u all | comm -13 - common >surplus &&
	test_cmp /dev/null surplus'

test_done
