#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# messages.t - the administrator's guide has every line that a plugin can log
#
# Texts of the plugins' sources, cut at their conversions: each must be in the
# guide.  Not looked for are texts of one word, and sources whose texts are
# documented elsewhere: reason.c (decision-log.md), comment.c and logline.c (what
# jobs carry), plugin_options.c (sfabric-opensm(8)).
test_description='every message of the plugins is in doc/admin.md'
. "$(dirname "$0")/../lib/setup.sh"

sources () {
	ls "$SFAB_SRCDIR"/plugin/slurm/*.c "$SFAB_SRCDIR"/place/*.c \
		"$SFAB_SRCDIR"/place/*/*.c "$SFAB_SRCDIR"/plugin/opensm/*.c |
	grep -v -e '/reason.c$' -e '/comment.c$' -e '/logline.c$' -e '/plugin_options.c$'
}

# texts FILE...: one a line
texts () {
	grep -hv -e '^#include' -e '^ \*' -e '^/\*' -e '^_Static_assert' \
		-e 'plugin_name' "$@" |
	grep -o '"[^"]*"' |
	awk '{
		gsub(/"/, "")
		gsub(/%[-+.0-9*]*[lhzj]*[a-zA-Z]?/, "\n")
		gsub(/\\n/, "\n")
		gsub(/\\/, "")
		print
	}' |
	sed 's/^sfabric: //; s/^[ :;,]*//; s/[ :;,(]*$//' |
	grep -v '^IoSet=' | grep '[a-z] [a-zA-Z]' | sort -u
}

missing () {
	tr -s ' \n' ' ' <"$1" >guide
	while read -r text; do
		grep -qF -e "$text" guide || echo "$text"
	done
}

test_expect_success 'all are in the guide' '
	texts $(sources) >all &&
	test $(wc -l <all) -gt 30 &&
	missing "$SFAB_SRCDIR/doc/admin.md" <all >lacking &&
	test_must_be_empty lacking'

test_expect_success 'reasons are in the decision log'\''s page' '
	sed -n "s/^.*\[SFAB_[A-Z_]*\] = { \"\([-a-z]*\)\".*/\1/p" \
		"$SFAB_SRCDIR/place/request/reason.c" >words &&
	test $(wc -l <words) -gt 20 &&
	for word in $(grep -vx -e test-only -e reservation -e no-job words); do
		grep -qF "\`$word\`" "$SFAB_SRCDIR/doc/decision-log.md" ||
			{ echo "no $word"; return 1; }
	done'

test_expect_success 'a message that nobody wrote down is found' '
	echo "say(l, \"the moon is %s full\");" >new.c &&
	texts new.c | missing "$SFAB_SRCDIR/doc/admin.md" >lacking &&
	grep -x "the moon is" lacking'

test_done
