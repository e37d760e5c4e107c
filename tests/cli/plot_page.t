#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# plot_page.t - the HTML of sfabric plot in a real browser: tooltips, the choice
# of a job, names that want to be scripts
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

# browse PAGE[#MAP]: what the page is after its scripts, in the file dom
browse () {
	timeout 120 "$browser" --headless --no-sandbox --disable-gpu \
		--enable-logging=stderr \
		--user-data-dir="$PWD/profile" --dump-dom "file://$PWD/$1" \
		>dom 2>browser.log && test -s dom && ! grep "Uncaught" browser.log
}

# by_hand PAGE SCRIPT: a copy, by-hand.html, in which SCRIPT does what a user would
by_hand () {
	sed "/^<\/body>/d; /^<\/html>/d" "$1" >by-hand.html &&
	printf '<script>\n%s\n</script></body></html>\n' "$2" >>by-hand.html
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

test_expect_success 'the first map as it is drawn, tooltips by the script' '
	test 24 = $(grep -c "data-tip=\"small-S" dom) &&
	! grep "<title>small" dom &&
	grep "all jobs: GB/s out of each spine port" dom &&
	test 3 = $(grep -c "<option>" dom)'

test_expect_success 'a job by the address, as it looks alone' '
	"$sfabric" plot --jobs jobs -j 12 --value load --leaving \
		--output one.html &&
	browse one.html && mv dom one &&
	browse "jobs.html#job%2012%20(2%20hosts%2C%20io-write%3D0.5)" &&
	grep ">job 12 (2 hosts, io-write=0.5): GB/s out of each spine port<" dom &&
	for f in one dom; do
		grep -oE "data-tip=\"[^\"]*\"" $f >$f.tips &&
		grep "data-tip" $f | grep -oE "class=\"[a-z0-9]*\"" >>$f.tips &&
		grep -oE "<text.*ports used.*</text>" $f >>$f.tips || return 1
	done &&
	test_cmp one.tips dom.tips'

# of one port, after another map and back
test_expect_success 'the first map again is as it was drawn' '
	"$sfabric" plot --jobs jobs --leaving --output all.html &&
	browse all.html && mv dom all &&
	by_hand all.html "
	var chooser = document.getElementById(\"chooser\");
	[1, 0].forEach(function (index) {
		chooser.selectedIndex = index;
		chooser.dispatchEvent(new Event(\"change\"));
	});" &&
	browse by-hand.html &&
	grep -E "data-tip|^jobs? " all >expected &&
	grep -E "data-tip|^jobs? " dom >actual &&
	grep "^job 12 (" expected && test_cmp expected actual'

# the whole label, "job 12", the id alone; a % that escapes nothing is no error
test_expect_success 'a job by its id' '
	for hash in 12 job%2012; do
		browse "jobs.html#$hash" &&
		grep ">job 12 (2 hosts, io-write=0.5): GB/s out of" dom || return 1
	done &&
	for hash in 1 2 hosts 5%; do
		browse "jobs.html#$hash" &&
		grep ">all jobs: GB/s out of each spine port<" dom || return 1
	done'

test_expect_success 'a choice and a pointer on a port' '
	by_hand jobs.html "
	var chooser = document.getElementById(\"chooser\");
	chooser.selectedIndex = 1;
	chooser.dispatchEvent(new Event(\"change\"));
	var rect = document.querySelector(\"rect[data-cell=\\\"0\\\"]\");
	rect.dispatchEvent(new MouseEvent(\"mousemove\", { bubbles: true }));
	document.title = document.getElementById(\"tip\").textContent + \"|\" +
		document.getElementById(\"tip\").style.display + \"|\" +
		location.hash;" &&
	browse by-hand.html &&
	grep -F "<title>small-S001 port 1 to small-L001 port 7: 1.33 GB/s" dom &&
	grep -F "job 11 (1.33)|block|#job%2011" dom &&
	grep "job 11 (4 hosts, mpi=0.5): GB/s" dom'

test_expect_success 'names are text, whatever they want to be' '
	evil="<script>document.title=1<\/script><!--<script>" &&
	sed "s/small-S003/$evil/; s/small-L001/\"><img src=x onerror=1>/" \
		files/opensm-subnet.lst >evil.lst &&
	"$sfabric" import evil.lst files/opensm.fdbs --output evil.snap 2>/dev/null &&
	echo "11 n[0001-0002,0007-0008] mpi=0.5" >one.jobs &&
	"$sfabric" plot --snapshot evil.snap --jobs one.jobs --output evil.html &&
	by_hand evil.html "document.title =
		document.querySelectorAll(\"img\").length + \" \" +
		document.querySelectorAll(\"script\").length + \" \" +
		document.querySelectorAll(\"rect[data-tip]\").length" &&
	browse by-hand.html && grep "<title>0 3 24</title>" dom'

test_expect_success 'an error in a script would be seen' '
	by_hand jobs.html "nothing.here = 1;" &&
	test_must_fail browse by-hand.html && grep "Uncaught ReferenceError" browser.log'

test_expect_success 'one job, and all by color' '
	"$sfabric" plot --jobs jobs --job 11 --output 11.html && browse 11.html &&
	grep "job 11: 4 hosts on 2 leaves" dom && grep "<path d=.*class=\"l f\"><title>" dom &&
	"$sfabric" plot --jobs jobs --by job --output by.html && browse by.html &&
	grep "class=\"j0\" data-cell=\"[0-9]*\" data-tip=\"small-L[0-9]* port [0-9]* to small-S" dom &&
	grep "^jobs\? 1[12] (" dom'

# colors of both grounds: what the browser computes
test_expect_success 'light and dark' '
	for mode in 1 0; do
		by_hand jobs.html "document.title =
			getComputedStyle(document.body).backgroundColor + \"|\" +
			getComputedStyle(document.querySelector(\"svg>rect\")).fill" &&
		timeout 120 "$browser" --headless --no-sandbox --disable-gpu \
			--blink-settings=preferredColorScheme=$mode \
			--user-data-dir="$PWD/profile" --dump-dom \
			"file://$PWD/by-hand.html" >dom 2>browser.log &&
		grep -o "<title>rgb.*</title>" dom >>grounds || return 1
	done &&
	cat >expected <<-EOF &&
	<title>rgb(255, 255, 255)|rgb(255, 255, 255)</title>
	<title>rgb(21, 25, 30)|rgb(21, 25, 30)</title>
	EOF
	test_cmp expected grounds'

test_done
