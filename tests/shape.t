#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shape.t - functions fit a screen, files can be read in one go
#
# A function is what stands between "{" and "}" at the beginning of a line.
test_description='sizes of functions and files'
. "$(dirname "$0")/lib/setup.sh"

(cd "$SFAB_SRCDIR" && find core io lua plugin tools -name '*.[ch]') |
	sort >files

# "LINES FILE:LINE" of each function's body
(cd "$SFAB_SRCDIR" && xargs awk '
	/^\{/ { begin = FNR }
	/^\}/ && begin { print FNR - begin - 1, FILENAME ":" begin; begin = 0 }
	' ) <files | sort -n >functions

test_expect_success 'half of the functions have at most 15 lines' '
	awk "{ n[NR] = \$1 } END {
		print NR, \"functions, median\", n[int((NR + 1) / 2)], \"90 %\",
			n[int(NR * 0.9)], \"longest\", n[NR]
		exit !(NR > 1000 && n[int((NR + 1) / 2)] <= 15) }" functions'

test_expect_success 'none has more than 60' '
	awk "\$1 > 60" functions >long && test_cmp /dev/null long'

test_expect_success 'no file has more than 600 lines' '
	(cd "$SFAB_SRCDIR" && xargs wc -l) <files |
		awk "\$1 > 600 && \$2 != \"total\"" >long &&
	test_cmp /dev/null long'

test_done
