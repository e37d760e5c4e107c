# SPDX-License-Identifier: GPL-2.0-or-later
# golden.sh - compare what commands print with tests/cli/expect
#
#   import_small SNAP [OPTION...]  snapshot of tests/data/small, always the same
#   golden NAME COMMAND...         its output is expect/NAME
#
# "make golden" rewrites the expected files: read the difference before commit.
small=$SFAB_SRCDIR/tests/data/small
expect=$SFAB_SRCDIR/tests/cli/expect
LC_ALL=C SFABRIC_CONF=$PWD/none.conf
export LC_ALL SFABRIC_CONF
unset SFABRIC_SNAPSHOT COLUMNS

import_small () {
	mkdir -p files &&
	cp "$small/opensm-subnet.lst" "$small/opensm.fdbs" files/ &&
	touch -d @1000000000 files/* &&
	"$sfabric" import files/opensm-subnet.lst files/opensm.fdbs \
		--engine ftree --output "$@"
}

golden () {
	golden_name=$1
	shift
	"$@" >"$golden_name" || return 1
	sed -i -e 's/"version": "[^"]*"/"version": "VERSION"/' \
		-e 's/"steps": [0-9][0-9]*/"steps": 0/' "$golden_name"
	if test -n "$SFAB_GOLDEN"; then
		cp "$golden_name" "$expect/$golden_name"
	else
		test_cmp "$expect/$golden_name" "$golden_name"
	fi
}

# refuse STATUS TEXT COMMAND...: it ends with STATUS and says TEXT
refuse () {
	refuse_status=$1 refuse_text=$2
	shift 2
	"$@" >refuse.out 2>refuse.err
	test $? = $refuse_status && grep -F -- "$refuse_text" refuse.err ||
	{
		cat refuse.err
		return 1
	}
}
