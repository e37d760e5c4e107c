#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# doc.t - what the pages name is there: commands, options, files, bounds
test_description='names in README, HACKING and doc'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

"$sfabric" --help >main.help
commands=$(sed -n '/^Commands:/,$s/^  \([a-z]*\) .*/\1/p' main.help)

# The pages that are Markdown, from the top of the source.
pages () {
	(cd "$SFAB_SRCDIR" && ls README.md HACKING.md NEWS.md doc/*.md tests/slurm/*.md)
}

# and those of manual pages
manual () {
	(cd "$SFAB_SRCDIR" && ls doc/*.scd)
}

# Command lines of a page: code blocks (of ```console what is typed) and `code`,
# with continued lines joined, cut into commands where a shell does.
code () {
	sed -e ':a' -e '/\\$/N; s/\\\n//; ta' "$1" | awk '
		/^```/ { inside = !inside; typed = /console/; next }
		inside && typed && !/^\$ / { next }
		inside || /^    / { sub(/  +# .*/, ""); print; next }
		{ for (n = split($0, part, "`"); n > 1; n--)
			if (n % 2 == 0) print part[n] }' |
	sed -E 's/\$\(|\)|[|;&`]/\n/g'
}

# "COMMAND OPTION" of all that a page calls sfabric with
used () {
	code "$1" |
	sed -nE 's/^[ $]*(sudo )?sfabric ([a-z]+)(.*)/\2 \3/p' |
	while read -r command rest; do
		echo "$command"
		# no texts in quotes, no values as of "--sort -load_gbs"
		echo "$rest" |
		sed -E "s/'[^']*'//g; s/(--[a-z-]+) -[a-z_]{3,}[^ ]*/\\1/g" |
		grep -oE '(^| )-(-[a-z0-9-]+|[a-zA-Z?])' |
			sed "s/^ */$command /"
	done | sort -u
}

# options of COMMAND, long and short, as --help lists them
options () {
	test -e "$1.options" || "$sfabric" $1 --help |
		grep -oE '^ +-.(, --[a-z0-9-]+)?|^ +--[a-z0-9-]+' |
		tr -s ' ,' '\n' | grep '^-' | sort -u >"$1.options"
	cat "$1.options"
}

# Words behind `sfabric` in a text may be its own, "sfabric reads ...": only code
# is looked at.  COMMAND and the like stand for any.
for page in $(pages) $(manual); do
	test_expect_success "$page: commands and options" '
		used "$SFAB_SRCDIR/$page" >used && : >unknown &&
		while read -r command option; do
			echo "$commands help" | tr " " "\n" | grep -qx "$command" ||
				{ echo "sfabric $command" >>unknown; continue; }
			test -z "$option" ||
				options $command | grep -qxe "$option" ||
				echo "sfabric $command $option" >>unknown
		done <used &&
		test_cmp /dev/null unknown'
done

# Tables, code and pictures cannot be wrapped.
for page in $(pages); do
	test_expect_success "$page: no line of text has more than 100 columns" '
		awk "/^ *\`\`\`/ { code = !code }
		     !code && !/^(    |\t| *\||!\[)/ && length > 100" \
			"$SFAB_SRCDIR/$page" >long && test_cmp /dev/null long'
done

# A path of ours in `code`, or a link, seen from the page; names in capitals
# stand for any, and what another program or make writes is not looked for.
paths () {
	sed -E '/^```/,/^```/d; /^    /d' "$1" |
	grep -oE '`(core|io|lua|place|plugin|tools|tests|etc|doc|debian)/[A-Za-z0-9_./-]+`|\]\([^)#:]+[)#]|(^| )doc/[a-z.-]+\.md' |
	sed -E 's/^\]\(([^)#]+).*/link \1/; s/^ *`?([^` ]+)`?$/path \1/; t' |
	grep -Ev '[A-Z]{4}' | sort -u
}

for page in $(pages | grep -v NEWS.md); do
	test_expect_success "$page: files" '
		paths "$SFAB_SRCDIR/$page" >named && : >missing &&
		while read -r kind name; do
			case $kind in
			link) name=$(dirname "$page")/$name ;;
			esac
			test -e "$SFAB_SRCDIR/$name" ||
				test -e "$SFAB_BUILDDIR/$name" ||
				echo "$name" >>missing
		done <named &&
		test_cmp /dev/null missing'
done

test_expect_success 'functions and arrays that pages name are in the code' '
	(cd "$SFAB_SRCDIR" &&
	grep -hoE "\`[a-z0-9_]+(\(\)|\[\])\`" $(pages) | tr -d "\`()[]" | sort -u >"$OLDPWD/named" &&
	find core io lua place plugin tools tests etc -name "*.[ch]" -o -name "*.sh" \
		-o -name "*.lua*" -o -name "*.t" | xargs grep -ohE "\w+ ?[[(]" | tr -d " [(" |
		sort -u >"$OLDPWD/words") &&
	test -s named && comm -23 named words >missing && test_cmp /dev/null missing'

for page in limits measurements; do
test_expect_success "$page.md: constants are those of the code" '
	sed -nE "s/^\|[^|]*\| ([^|]*) \| \`([A-Z_]+)\` \| ([a-z/_.]+) \|$/\3 \2 \1/p" \
		"$SFAB_SRCDIR/doc/$page.md" >bounds &&
	test $(wc -l <bounds) -ge 10 &&
	while read -r file name value; do
		sed -nE "s/^#define $name[ 	]+//p" "$SFAB_SRCDIR/$file" |
			sed -E "s/[ 	]*\/\*.*//; s/^\((.*)\)$/\1/" >found &&
		echo "$value" >wanted && test_cmp wanted found || return 1
	done <bounds'
done

test_expect_success 'terms and default weights in model.md and place(1) are those of score.c' '
	sed -n "/^| term /,/^\$/p" "$SFAB_SRCDIR/doc/model.md" |
		sed -nE "s/^\| ([a-z_]+) \| .* \| ([0-9.]+) \|$/\1 \2/p" >terms &&
	sed -nE "s/^\*([a-z_]+)\* \(([0-9.]+)\)$/\1 \2/p" \
		"$SFAB_SRCDIR/doc/sfabric-place.1.scd" >listed &&
	sed -nE "s/^const double sfab_default_weights.* = \{ (.*) \};/\1/p" \
		"$SFAB_SRCDIR/core/search/score.c" | tr -s ", " "\n" >weight &&
	sed -nE "s/^	\[SFAB_TERM_[A-Z_]+\] = \"([a-z_]+)\",$/\1/p" \
		"$SFAB_SRCDIR/core/search/score.c" | paste -d " " - weight >weights &&
	test -s weights && test_cmp weights terms && test_cmp weights listed'

test_expect_success 'decision-log.md: the reasons are those of reason.c' '
	sed -nE "s/^	\\[SFAB_STOCK_[A-Z_]+\\] = \\{ \"([a-z-]+)\".*/\\1/p" \
		"$SFAB_SRCDIR/place/request/reason.c" | sort >reasons &&
	test -s reasons &&
	sed -n "/^| word /,/^\$/p" "$SFAB_SRCDIR/doc/decision-log.md" |
		cut -d"|" -f2 | grep -oE "\`[a-z-]+\`" | tr -d "\`" |
		sort >words &&
	comm -13 reasons words >unknown && test_cmp /dev/null unknown &&
	comm -23 reasons words >unsaid && printf "no-job\nreservation\ntest-only\n" |
		test_cmp - unsaid'

# what is typed, in the order of the page; the page says how many lines
test_expect_success 'admin.md: twelve lines or fewer from packages to Mode=on' '
	sed -n "/^## In short/,/^## /p" "$SFAB_SRCDIR/doc/admin.md" >short &&
	grep "^    " short >typed &&
	head -n 1 typed | grep "apt install" && tail -n 1 typed | grep "PartitionMode=large:on" &&
	lines=$(wc -l <typed) && test $lines -le 12 &&
	grep "^These are $lines lines from the packages" short'

test_expect_success 'HACKING.md: every make target is there' '
	grep -oE "make (check|bench)-[a-z-]+" "$SFAB_SRCDIR/HACKING.md" |
		sort -u | sed "s/make //" >targets && test -s targets &&
	while read -r target; do
		cat "$SFAB_SRCDIR"/tests/local.mk "$SFAB_SRCDIR"/tests/*/local.mk |
			grep -qE "^([a-z-]+ )*$target( [a-z-]+)*:" || return 1
	done <targets'

# One line for each key: how it prints if its line alone is in use, and by default.
# Paragraphs that say "Default:" have an example.
test_expect_success 'sfabric.conf.example: the values are the defaults' '
	example=$SFAB_SRCDIR/etc/sfabric.conf.example && : >defaults.conf &&
	"$sfabric" show config --conf defaults.conf -hP -o key,value >defaults &&
	awk "/^# /&& !text { is_example = 0 } { text = /^# / }
	     /^# .*Default:/ { is_example = 1 }
	     /^#[A-Z]/ && !is_example" "$example" >lines && test -s lines &&
	while read -r line; do
		key=${line#?} && key=${key%%=*} && echo "${line#?}" >one.conf &&
		"$sfabric" show config --conf one.conf -hP -o key,value |
			grep "^$key|" || return 1
	done <lines >in_example &&
	while IFS="|" read -r key value; do
		grep "^$key|" defaults
	done <in_example >expected && test_cmp expected in_example'

test_done
