#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# plot_page.t - the HTML of sfabric plot in a real browser: tooltips, colors, names that
# want to be scripts
test_description='the page of sfabric plot in a browser'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

browser=$(command -v chromium || command -v chromium-browser)
if test -z "$browser"; then
	skip_all='chromium is missing'
	test_done
fi
HOME=$PWD
export HOME

# browse PAGE: what the browser makes of it, in the file dom
browse () {
	timeout 120 "$browser" --headless --no-sandbox --disable-gpu \
		--enable-logging=stderr \
		--user-data-dir="$PWD/profile" --dump-dom "file://$PWD/$1" \
		>dom 2>browser.log && test -s dom && ! grep "Uncaught" browser.log
}

cat >jobs <<EOF
11 n[0001-0002,0007-0008] mpi=0.5
12 n[0009-0010] io-write=0.5
EOF

test_expect_success 'a page of all jobs' '
	import_small small.snap --io "n[0021-0024]" --io-capacity 2.5 &&
	SFABRIC_SNAPSHOT=$PWD/small.snap && export SFABRIC_SNAPSHOT &&
	"$sfabric" plot --jobs jobs --leaving --output jobs.html &&
	! grep -E "(src|href)=|url\(.?http" jobs.html &&
	browse jobs.html'

if ! test -s dom; then
	skip_all='chromium does not start here'
	test_done
fi

test_expect_success 'all jobs of all ports, by tooltips' '
	test 24 = $(grep -c "<title>small-S" dom) && ! grep "<script" dom &&
	grep "all jobs: GB/s out of each spine port" dom &&
	grep "^job 12 (" dom'

test_expect_success 'names are text, whatever they want to be' '
	evil="<script>document.title=1<\/script><!--<script>" &&
	sed "s/small-S003/$evil/; s/small-L001/\"><img src=x onerror=1>/" \
		files/opensm-subnet.lst >evil.lst &&
	"$sfabric" import evil.lst files/opensm.fdbs --output evil.snap 2>/dev/null &&
	echo "11 n[0001-0002,0007-0008] mpi=0.5" >one.jobs &&
	"$sfabric" plot --snapshot evil.snap --jobs one.jobs --output evil.html &&
	browse evil.html && test 24 = $(grep -cE "<title>(small-S|&lt;script)" dom) &&
	! grep -E "<img|<script" dom'

test_expect_success 'one job, and all by color' '
	"$sfabric" plot --jobs jobs --job 11 --output 11.html && browse 11.html &&
	grep "job 11: 4 hosts on 2 leaves" dom && grep "<path d=.*class=\"l f\"><title>" dom &&
	"$sfabric" plot --jobs jobs --by job --output by.html && browse by.html &&
	grep "class=\"j0\"><title>small-L[0-9]* port [0-9]* to small-S" dom &&
	grep "^jobs\? 1[12] (" dom'

test_done
