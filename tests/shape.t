#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shape.t - functions fit a screen, files name their headers, and comments what is there
#
# A long file fails no test: where to cut it, if at all, is for its reader to say.
# A function is what stands between "{" and "}" at the beginning of a line.
test_description='sizes of functions'
. "$(dirname "$0")/lib/setup.sh"

(cd "$SFAB_SRCDIR" && find core io lua place plugin tools -name '*.[ch]') |
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

test_expect_success 'none has more than 50' '
	awk "\$1 > 50" functions >long && test_cmp /dev/null long'

# Programs and plugins fill the contract of whoever starts them, commands that of cmd.h.
cat >programs <<-\EOF
	plugin/opensm/plugin.c
	plugin/slurm/hook.c
	plugin/spank/sfabric_order.c
	tools/main.c
EOF
grep '\.c$' files | grep -Fvxf programs | grep -v '/cmd_' | while read -r file
do
	grep -qFx "${file%c}h" files && continue
	header=$(awk 'NR > 1 { print } NR > 1 && / \*$|\*\/$/ { exit }' "$SFAB_SRCDIR/$file" |
		tr '\n*' '  ' | sed -En 's/.*[Ss]ee +([a-z_]+\.h).*/\1/p')
	grep -q "/${header:-none}$" files || echo "$file"
done >untold

test_expect_success 'a .c without its own header says whose contract it fills' '
	test_cmp /dev/null untold'

# Texts, but for what tests read and leave behind.
test_expect_success 'variables and files that comments name are there' '
	(cd "$SFAB_SRCDIR" && find quickstart core io lua place plugin tools tests etc -type d \
		\( -path tests/run -o -path tests/data -o -path tests/fuzz/corpus \) -prune -o \
		-type f ! -name "*.log" ! -name "*.trs" ! -name "*.o" -print |
		xargs "${PYTHON:-/usr/bin/python3}" tests/comments.py) >bad &&
	test_cmp /dev/null bad'

test_expect_success 'functions are named after their header, and callbacks _fn' '
	"${PYTHON:-/usr/bin/python3}" "$SFAB_SRCDIR/tests/names.py" "$SFAB_SRCDIR" >bad &&
	test_cmp /dev/null bad'

test_expect_success 'test scripts can be run' '
	(cd "$SFAB_SRCDIR" && find tests -path tests/run -prune -o -name "*.t" ! -perm -111 \
		-print) >bad && test_cmp /dev/null bad'

(cd "$SFAB_SRCDIR" && xargs wc -l) <files | sort -rn |
	awk '$2 != "total" && $1 > 500 { print "# " $2 " has " $1 " lines" }'

test_done
