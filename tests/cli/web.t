#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# web.t - the live page: its figures are those of other commands, names do no harm, the
# history of a day is bounded and survives damage, colors can be read, a browser shows it
test_description='sfabric web'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

import_small small.snap --io 'n[0021-0024]' --io-capacity 4
SFABRIC_SNAPSHOT=$PWD/small.snap
export SFABRIC_SNAPSHOT
cat >jobs <<EOF
11 n[0001-0002,0007-0008] io-write=0.9
12 n[0003-0004,0009-0010] io-write=0.9
13 n[0005-0006] mpi=0.1
EOF

# whole: tags that open are closed, nothing is loaded, nothing runs
cat >whole.py <<'WHOLE'
import re
import sys
from html.parser import HTMLParser

VOID = {"meta", "br", "link", "img"}
KNOWN = {"html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "nav", "a",
         "div", "b", "span", "svg", "path", "rect", "text", "figure", "table", "tr", "th",
         "td", "details", "summary", "pre", "g", "defs", "pattern"}

class Page(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.ids, self.targets = [], [], []

    def handle_starttag(self, tag, attrs):
        assert tag in KNOWN, tag
        for key, value in attrs:
            assert not key.startswith("on") and key not in ("src", "style"), key
            if key == "href":
                assert value.startswith("#"), value
                self.targets.append(value[1:])
            if key == "id":
                self.ids.append(value)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        assert tag in KNOWN, tag

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

text = open(sys.argv[1], "rb").read().decode("utf-8")
assert not re.search("[\x00-\x08\x0b-\x1f\x7f]", text)
assert not re.search(r"url\((?!#hatch\))|@import", text)
page = Page()
page.feed(text)
page.close()
assert not page.open, page.open
assert len(set(page.ids)) == len(page.ids)
assert set(page.targets) <= set(page.ids), set(page.targets) - set(page.ids)
WHOLE
whole () {
	/usr/bin/python3 whole.py "$1"
}

test_expect_success 'one page, which loads and runs nothing' '
	"$sfabric" web --jobs jobs --history day --output web.html && whole web.html &&
	grep "default-src .none.; style-src .unsafe-inline." web.html &&
	for id in map jobs links audit day; do grep "<h2 id=\"$id\"" web.html || return 1; done'

cat >figures.py <<'FIGURES'
import html
import json
import re

text = open("web.html").read()

def data(name):
    return json.load(open(name))["data"]

def cells(row):
    return [re.sub("<[^>]*>", "", c) for c in re.findall("<td[^>]*>(.*?)</td>", row)]

rows = {int(i): cells(r) for i, r in re.findall(r'<tr id="j(\d+)">(.*?)</tr>', text)}
shown = {j["job"]: j for j in data("show.json")["jobs"]}
assert set(rows) == set(shown) == {11, 12, 13}
for i, job in shown.items():
    assert rows[i][1:5] == [str(job["hosts"]), str(job["leaves"]), job["traffic"],
                            "%.2f" % job["slowdown"]], (rows[i], job)
    assert rows[i][7] == job["nodes"]
order = [int(i) for i in re.findall(r'<tr id="j(\d+)">', text)]
assert order == sorted(order, key=lambda i: (-shown[i]["slowdown"], i))
links = html.unescape(text[text.index('id="links"'):text.index('id="audit"')])
assert open("top.txt").read() == re.search("<pre>(.*?)</pre>", links, re.S).group(1)
top = data("top.json")
assert '>%d</b><span>links asked' % top["overfull_links"] in text
# two writers of four nodes each meet on the way to the servers, 13 meets nobody
assert rows[11][6] == "12" and rows[12][6] == "11" and rows[13][6] == "no other job"
worst = max(x["fill"] for x in top["links"] if x["kind"] == "isl" and
            "11" in x["job_ids"].split(","))
assert rows[11][5] == "%.0f %%" % (100 * worst), (rows[11], worst)
FIGURES
test_expect_success 'figures of the page are those of show jobs and top' '
	"$sfabric" show jobs --jobs jobs --json >show.json &&
	"$sfabric" top --jobs jobs -n 1 --top 50 --json >top.json &&
	"$sfabric" top --jobs jobs -n 1 --top 50 | sed 1,3d >top.txt &&
	/usr/bin/python3 figures.py'
cat >audited.py <<'AUDITED'
import html
import re
import sys

text = open(sys.argv[1]).read()
shown = re.search('id="audit".*?<pre>(.*?)</pre>', text, re.S).group(1)
assert html.unescape(shown) == open(sys.argv[2]).read(), shown
AUDITED
test_expect_success 'what the audit prints, without silenced findings' '
	"$sfabric" audit >audit.txt; test $? -lt 4 && grep "^note\|^warning\|^critical " audit.txt &&
	/usr/bin/python3 audited.py web.html audit.txt &&
	rule=$(sed -n "s/^\(note\|warning\|critical\) *\([a-z-]*\):.*/\2/p" audit.txt | head -n 1) &&
	echo "AuditSilence=$rule" >silent.conf &&
	"$sfabric" web --jobs jobs --conf silent.conf --output silent.html &&
	grep " $rule:" web.html && ! grep " $rule:" silent.html'
test_expect_success 'with what counters found of packets that leave the routes' '
	print=$("$sfabric" show fabric -P -h -o fingerprint) &&
	named=$(mktemp) && echo "FoundTraffic=$named" >found.conf &&
	"$SFAB_SRCDIR/tests/lib/learned.py" 0 $print 0.5 >"$named" &&
	test_expect_code 3 "$sfabric" audit --conf found.conf >strays.txt &&
	grep "50 % of the measured bytes are where the tables say" strays.txt &&
	"$sfabric" web --jobs jobs --conf found.conf --output strays.html && rm "$named" &&
	/usr/bin/python3 audited.py strays.html strays.txt'
test_expect_success 'the map: a cell for each port of a spine, the full ones named' '
	/usr/bin/python3 - <<-\EOF
	import html, json, re
	text = open("web.html").read()
	text = text[text.index("id=\"map\""):text.index("id=\"jobs\"")]
	tips = re.findall("<rect [^>]*class=\"(\w+)\"><title>(.*?)</title>", text, re.S)
	links = json.load(open("top.json"))["data"]["links"]
	worst = max((x for x in links if x["kind"] == "isl"), key=lambda x: x["fill"])
	over = [t for c, t in tips if c[0] == "o"]
	assert len(tips) == 24, len(tips)
	assert worst["fill"] > 1 and any("%.3g %% of capacity, more than" % (100 * worst["fill"]) in t and
	    re.findall("(\\d+) \\(", t) == worst["job_ids"].split(",") for t in over), (over, worst)
	EOF'
test_expect_success 'no job; counters alone; standard output' '
	: >none && "$sfabric" web --jobs none >none.html && whole none.html &&
	grep "No job runs" none.html && grep "Nothing is sent" none.html &&
	first=$("$sfabric" show links -P -h -o guid,port,kind | grep isl | head -n 1 |
		cut -d "|" -f 1,2 | tr "|" :) &&
	"$SFAB_SRCDIR/tests/lib/counters.py" some.snap $first:xmit=3e9 &&
	"$sfabric" web --measured --counters some.snap --output - >rate.html &&
	whole rate.html && ! grep "id=.jobs" rate.html &&
	grep "SWITCH.*USED" rate.html && grep " 0.75\b" rate.html'
test_expect_success 'a mistake leaves the last page' '
	cp web.html before && echo "11 nowhere mpi" >bad &&
	refuse 1 "bad:1:" "$sfabric" web --jobs bad --output web.html &&
	test_cmp before web.html &&
	refuse 2 "not with --jobs" "$sfabric" web --measured --jobs jobs &&
	refuse 1 "nowhere/x" "$sfabric" web --jobs jobs --output nowhere/x'
test_expect_success 'the file is replaced as a whole and keeps its mode' '
	ln web.html held && chmod 640 web.html &&
	"$sfabric" web --jobs jobs --output web.html &&
	test $(stat -c %a web.html) = 640 && ! test web.html -ef held && ls >names &&
	! grep "web.html\." names'

# names that a host can set, for switches and hosts
test_expect_success 'names that want to be a page' '
	/usr/bin/python3 - <<-\EOF &&
	import re
	bad = ["<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "a&lt;b",
	       "]]></svg></title><script>", "back\\slash", "\x1b[2J\x07", "\xff\xfe", "\u202eevil", "x\x27onload=y"]
	def name(i):
	    code = "latin-1" if i % len(bad) == 6 else "utf-8"
	    return b"%d" % i + bad[i % len(bad)].encode(code).replace(b"\"", b"\x27")
	guids = {int(x, 16) for x in re.findall("NodeGUID:([0-9a-f]{16})",
	                                        open("files/opensm-subnet.lst").read())}
	open("map", "wb").write(b"".join(b"0x%016x \"%s\"\n" % (g, name(i))
	                                 for i, g in enumerate(sorted(guids))))
	EOF
	test -s map && import_small odd.snap --node-name-map map &&
	"$sfabric" web --snapshot odd.snap --jobs none --output odd.html && whole odd.html &&
	grep "back.x5cslash</text>" odd.html && ! grep "x5cx5c" odd.html &&
	grep "&lt;script&gt;" odd.html && ! grep -i "<script\|<img" odd.html &&
	"$SFAB_SRCDIR/tests/lib/counters.py" odd.counters $("$sfabric" show links \
		--snapshot odd.snap -P -h -o guid,port | sed "s/|\(.*\)/:\1:xmit=3e9/") &&
	"$sfabric" web --measured --counters odd.counters --snapshot odd.snap --output odd.html &&
	whole odd.html && grep "onerror=" odd.html && grep "\\\\xff" odd.html &&
	! grep -i "<script\|<img" odd.html'

test_expect_success 'the history: a point a minute, of one day' '
	now=$(date +%s) &&
	{
		echo "sfabric-day 1"
		for age in 100000 86500 86000 500 130 70 20 10; do
			echo "$((now - age)) 5 10 1 0.5 1.25"
		done
	} >day && "$sfabric" web --jobs jobs --history day --output web.html && whole web.html &&
	sed 1d day | cut -d " " -f 1 >times &&
	test $(wc -l <times) = 6 && test $(head -n 1 times) = $((now - 86000)) &&
	test $(tail -n 1 times) -ge $now &&
	tail -n 1 day | grep "^[0-9]* 3 10 [1-9][0-9]* [1-9]" &&
	"$sfabric" web --jobs jobs --history day --output web.html && test $(wc -l <day) = 7'
test_expect_success 'no more than one day, however often it is written' '
	/usr/bin/python3 -c "
import time
now = int(time.time())
print(\"sfabric-day 1\")
for i in range(20000, 0, -1):
	print(now - 7 * i, 1, 1, 0, 0.5, 1)" >day &&
	"$sfabric" web --jobs jobs --history day --output web.html &&
	test $(wc -l <day) -le 1444 && test $(wc -l <day) -ge 1300 &&
	test $(($(date +%s) - $(sed -n "2s/ .*//p" day))) -gt 86000 &&
	awk "NR > 3 && \$1 <= last { exit 1 } NR > 2 { last = \$1 }" day'
test_expect_success 'damaged lines are left out, a clock that went back too' '
	{
		echo "sfabric-day 1"
		echo "$((now - 600)) 5 10 1 0.5 1.25"
		printf "%s 5 10" $((now - 500)); printf "\n\377\0\n"
		echo "$((now - 400)) 5 10 1 nan 1"; echo "$((now - 300)) 5 10 1 1e400 1"
		echo "$((now + 90000)) 5 10 1 1 1"
		printf "%s 5 10 1 0.5 1" $((now - 200))
	} >day && "$sfabric" web --jobs jobs --history day --output web.html && whole web.html &&
	test $(wc -l <day) -le 3 && tail -n 1 day | grep "^[0-9]* 3 "'
test_expect_success 'a file that is something else is left as it is' '
	echo "my list" >list && cp list kept &&
	"$sfabric" web --jobs jobs --history list --output web.html 2>err && whole web.html &&
	grep "list: not a history of sfabric web" err && grep "not a history" web.html &&
	test_cmp kept list && ! grep "id=.day" web.html &&
	: >empty && "$sfabric" web --jobs jobs --history empty --output web.html &&
	test $(wc -l <empty) = 2 &&
	"$sfabric" web --jobs jobs --history nowhere/x --output web.html 2>err &&
	grep "nowhere/x" err && whole web.html'

# the log of decisions.py, two days ago and one
test_expect_success 'the report of the last days, with its two pictures' '
	"$SFAB_SRCDIR/tests/lib/decisions.py" | sed "s/2026-05-01/$(date -u -d -2days +%F)/
		s/2026-05-02/$(date -u -d -1day +%F)/" >log && "$sfabric" report log >report.txt &&
	"$sfabric" web --jobs jobs --log log --output report.html && whole report.html &&
	grep "href=.#report" report.html && ! grep "id=.report" web.html &&
	head -n 5 report.txt | while read -r line; do grep "<p>$line</p>" report.html || exit 1; done &&
	/usr/bin/python3 - <<-\EOF &&
	import re
	text = open("report.html").read()
	causes, days = re.findall("<figure>.*?</figure>", text[text.index("id=\"report\""):], re.S)[:2]
	def bars(picture):
	    return [float(x) for x in re.findall("<rect.*?>([0-9.]+)</text>", picture)]
	rows = [r.split() for r in open("report.txt") if r.split()[:1] and r.split()[0] in
	        ("shape", "jobs", "servers")]
	assert bars(causes) == [round(float(x), 1) for r in rows for x in r[1:3]], (bars(causes), rows)
	assert bars(days)[-3:] == [1.2, 1.5, 0], bars(days)
	assert "node hours lost" in causes and "sfabric" in causes and "full links" in days
	EOF
	grep "m&lt;d" report.html && ! grep "m<d" report.html'
test_expect_success 'the log of the conf; one that is missing is no error, if nobody named it' '
	named=$(mktemp) && cp log "$named" && echo "DecisionLog=$named" >with.conf &&
	"$sfabric" web --jobs jobs --conf with.conf --output report.html && rm "$named" &&
	grep "id=.report" report.html &&
	"$sfabric" web --jobs jobs --conf with.conf --output report.html 2>err &&
	test_must_be_empty err && ! grep "id=.report" report.html &&
	"$sfabric" web --jobs jobs --log nowhere/x --output report.html 2>err &&
	grep "nowhere/x" err && whole report.html'

# WCAG: relative luminance; text on the page and on cards, light and dark.  collide.t has the
# colors of the map
test_expect_success 'text can be read: contrast of 4.5 and more' '
	/usr/bin/python3 - web.html <<-\EOF
	import re, sys
	page = open(sys.argv[1]).read()
	css = page[page.index("<style>"):page.index("</style>")].split("@media")
	light, dark = [dict(re.findall(r"--(\w+): (#\w{6})", part)) for part in css[:2]]
	assert set(dark) == set(light)
	def luminance(color):
	    part = [int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)]
	    part = [p / 12.92 if p <= .04045 else ((p + .055) / 1.055) ** 2.4 for p in part]
	    return .2126 * part[0] + .7152 * part[1] + .0722 * part[2]
	def contrast(a, b):
	    x, y = sorted((luminance(a), luminance(b)))
	    return (y + .05) / (x + .05)
	for mode in light, dark:
	    for text in "text", "muted", "link", "warn", "bad":
	        for ground in "page", "card":
	            assert contrast(mode[text], mode[ground]) >= 4.5, (text, ground)
	    assert contrast(mode["course"], mode["page"]) >= 3
	EOF'

browser=$(command -v chromium || command -v chromium-browser)
HOME=$PWD
export HOME
# browse PAGE OPTION...: the page as the browser has it, in the file dom
browse () {
	page=$1 && shift &&
	timeout 120 "$browser" --headless --no-sandbox --disable-gpu --enable-logging=stderr \
		--user-data-dir="$PWD/profile" "$@" --dump-dom "file://$PWD/$page" \
		>dom 2>browser.log && test -s dom
}
if test -n "$browser" && browse web.html; then
	test_set_prereq BROWSER
fi
test_expect_success BROWSER 'a browser has nothing to say about it' '
	"$sfabric" web --jobs jobs --output web.html --history day &&
	for page in web.html odd.html; do
		browse $page && ! grep "CONSOLE" browser.log &&
		grep "The fastest\|The fabric now" dom || return 1
	done'
# a copy that may run one script, ours
test_expect_success BROWSER 'in wide and narrow windows nothing is beside the page' '
	sed "/Content-Security-Policy/,/>/d; s/<\/body>/<script>document.title = [innerWidth, document.documentElement.scrollWidth, getComputedStyle(document.body).backgroundColor].join(\" \")<\/script><\/body>/" \
		web.html >width.html &&
	for size in 1300,900 500,900; do
		browse width.html --window-size=$size &&
		sed -n "s/.*<title>\([0-9]* [0-9]*\) rgb(255, 255, 255)<.*/\1/p" dom >widths &&
		test -s widths && awk "\$2 > \$1 { exit 1 }" widths || return 1
	done'
test_expect_success BROWSER 'dark where the reader wants that' '
	browse width.html --force-dark-mode && grep "<title>[0-9]* [0-9]* rgb(21, 25, 30)<" dom'

test_done
