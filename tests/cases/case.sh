# SPDX-License-Identifier: GPL-2.0-or-later
# case.sh - what the tests of published cases share, after setup.sh
#
#   case_run NAME             run it as ./quickstart case does; skips the test
#                             where something is missing
#   figure KEY LOW HIGH       status: is that row's figure between them?
#   figure_below KEY OTHER    status: is the first figure less than the other?
#   case_documented           its table and pictures are those of doc/cases.md
case_run () {
	case_name=$1
	"$SFAB_SRCDIR/etc/cases/run" "$SFAB_BUILDDIR" "$1" case \
		>case.log 2>case.err 3>&- 4>&-
	case_status=$?
	test $case_status != 77 || {
		skip_all=$(tail -n 1 case.err)
		test_done
	}
	test_expect_success "case $1 runs" '
		cat case.log case.err && test $case_status = 0'
}

figure () {
	awk -v key="$1" -v low="$2" -v high="$3" '
		$1 == key { found = 1; if ($2 < low || $2 > high) bad = $2 }
		END {
			if (!found) print key ": no such figure"
			if (bad) print key ": " bad ", not " low " to " high
			exit bad || !found
		}' case/figures
}

figure_below () {
	awk -v a="$1" -v b="$2" '$1 == a { x = $2 } $1 == b { y = $2 }
		END {
			if (!(x < y)) print a, x, "is not less than", b, y
			exit !(x < y)
		}' case/figures
}

# "make cases" renews both
case_documented () {
	page=$SFAB_SRCDIR/doc/cases.md
	test_expect_success 'doc/cases.md shows this table' '
		"$SFAB_SRCDIR/etc/cases/splice" "$page" $case_name \
			case/table.md >page.md &&
		test_cmp "$page" page.md'
	test_expect_success 'and these pictures' '
		for made in case/*.svg; do
			shown=cases/$case_name-${made##*/} &&
			grep -qF "($shown)" "$page" &&
			test_cmp "$SFAB_SRCDIR/doc/$shown" "$made" || return 1
		done'
}
