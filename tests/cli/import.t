#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# import.t - dump files to a snapshot, and what is refused
test_description='sfabric import'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

io='--io n[0021-0024] --io-capacity 2.5'

test_expect_success 'two files become a snapshot' '
	golden import.txt import_small small.snap $io &&
	golden import.json import_small small.snap $io --json'

test_expect_success 'the order of files and gzip do not matter' '
	gzip -k files/opensm-subnet.lst &&
	"$sfabric" import files/opensm.fdbs files/opensm-subnet.lst.gz $io \
		--engine ftree --output other.snap &&
	"$sfabric" show fabric --snapshot small.snap -o fingerprint >one &&
	"$sfabric" show fabric --snapshot other.snap -o fingerprint >two &&
	test_cmp one two'

test_expect_success 'a file from standard input, the snapshot to standard output' '
	"$sfabric" import - files/opensm.fdbs $io --engine ftree --output - \
		<files/opensm-subnet.lst >stdout.snap &&
	"$sfabric" show fabric --snapshot stdout.snap -o fingerprint >two &&
	test_cmp one two'

test_expect_success 'two planes: one host has a port in each' '
	"$sfabric" import \
		--plane ib0 --engine ftree files/opensm-subnet.lst files/opensm.fdbs \
		--plane ib1 files/opensm-subnet.lst files/opensm.fdbs \
		$io --output two.snap &&
	golden import-planes.txt "$sfabric" show fabric --snapshot two.snap \
		-o fabric,engine,switches,hosts,ports,isls &&
	"$sfabric" show hosts --snapshot two.snap -h -o host,fabric >hosts &&
	printf "n0007 %s\n" ib0 ib1 >expected &&
	grep n0007 hosts >actual &&
	test_cmp expected actual'

# hosts' LIDs 4 to 7 become 0xa04004, 0xa04085, 0xa08006, 0xb80007
opa=$SFAB_SRCDIR/tests/fuzz/corpus/opa

test_expect_success 'LIDs of 24 bits (Omni-Path): the same routes' '
	"$sfabric" import $opa/adaptive --output narrow.snap &&
	"$sfabric" import $opa/wide --output wide.snap &&
	"$sfabric" show hosts --snapshot wide.snap -h -o host,lid >hosts &&
	grep -q "n4 *12058631" hosts &&
	"$sfabric" route n1 n4 --snapshot wide.snap >n4.txt &&
	"$sfabric" route n1 n4 --snapshot narrow.snap >expected &&
	test_cmp expected n4.txt &&
	"$sfabric" place -N 2 --traffic mpi --snapshot wide.snap >/dev/null &&
	od -An -tu4 -j8 -N4 wide.snap >format && grep -qx " *3" format &&
	od -An -tu4 -j8 -N4 narrow.snap >format && grep -qx " *2" format'

test_expect_success 'several tables of a switch: the first is used, said once' '
	"$sfabric" import "$SFAB_SRCDIR/tests/fuzz/corpus/db_csv/whole" \
		"$SFAB_SRCDIR/tests/fuzz/corpus/far/private" --output far.snap \
		>out 2>err &&
	grep "several tables" out err >said && test $(wc -l <said) = 1 &&
	grep -q "1 switches have several tables (private LFTs): only the first" said'

# Each switch lists, as its first, a LID that no port has; elsewhere that is an error.
test_expect_success 'ibdiagnet2.far: LIDs of hosts that left are counted' '
	csv=$SFAB_SRCDIR/tests/fuzz/corpus/db_csv/whole &&
	"$sfabric" import "$csv" "$SFAB_SRCDIR/tests/fuzz/corpus/far/private" \
		--output whole.snap 2>/dev/null &&
	sed "s/^0x0007.*/&\n0x0009 1 Static 0/" "$SFAB_SRCDIR/tests/fuzz/corpus/far/private" \
		>left.far &&
	"$sfabric" import "$csv" left.far --output left.snap 2>err &&
	grep -q "3 table entries are left out: no port has their LIDs" err &&
	for snap in whole left; do
		"$sfabric" show fabric --snapshot $snap.snap -o fingerprint >$snap || return 1
	done &&
	test_cmp whole left'

test_expect_success 'names come from the node-name map' '
	echo "0x0002c90200400000 \"left leaf\"" >map &&
	import_small named.snap --node-name-map map &&
	"$sfabric" show switches --snapshot named.snap -h -o switch |
	grep "^left leaf$"'

test_expect_success 'IO sets come from sfabric.conf' '
	echo "IoSet=scratch Hosts=n[0021-0022] GBs=1.5" >a.conf &&
	import_small conf.snap --conf a.conf &&
	golden import-conf.txt "$sfabric" show io --snapshot conf.snap'

test_expect_success 'without an IO set there is a warning' '
	import_small no-io.snap 2>err && grep "warning: no IO set" err'

# bad NAME SED-SCRIPT FILE: a copy of the files with one of them changed
bad () {
	rm -rf bad && cp -r files bad && sed -i "$1" "bad/$2" || return 1
	set -- bad/opensm-subnet.lst bad/opensm.fdbs --output bad.snap $io
	rm -f bad.snap
	"$sfabric" import "$@" >out 2>err
	test $? = 1 && ! test -e bad.snap
}

test_expect_success 'a port that the switch does not have: file and line' '
	bad "3s/0x0001 : 001/0x0001 : 077/" opensm.fdbs &&
	grep "^sfabric: bad/opensm.fdbs:3: " err'

test_expect_success 'text in place of a number' '
	bad "3s/0x0001 : 001/0x0001 : abc/" opensm.fdbs &&
	grep "^sfabric: bad/opensm.fdbs:3: " err'

test_expect_success 'a damaged heading of a table is no banner' '
	bad "1s/Switch/Swatch/" opensm.fdbs &&
	grep "^sfabric: bad/opensm.fdbs:1: bad line" err &&
	bad "1{s/Switch/Swatch/;s/^/sm1:~ # cat dump\\n/}" opensm.fdbs &&
	grep "^sfabric: bad/opensm.fdbs:2: bad line" err &&
	for guid in 0x0002c90200400000 0x0002c90200400008; do
		printf "Unicast lids [0-1] of switch Lid 1 guid %s (sw):\n" $guid &&
		printf "  Lid  Out   Destination\n0x0001 000 : (a)\n" &&
		echo "1 valid lids dumped" || return 1
	done >two.lfts &&
	sed "1s/Unicast/Unicats/" two.lfts >bad/lfts &&
	refuse 1 "bad/lfts:1: bad line" "$sfabric" import \
		bad/opensm-subnet.lst bad/lfts --output x.snap &&
	{ echo "sm1:~ # dump_fts" && cat bad/lfts; } >bad/logged &&
	refuse 1 "bad/logged:2: bad line" "$sfabric" import \
		bad/opensm-subnet.lst bad/logged --output x.snap'

test_expect_success 'a cable with one end' '
	bad "0,/{ SW .*{ SW /{//d}" opensm-subnet.lst &&
	grep "^sfabric: bad/opensm-subnet.lst:[0-9]*: .*one-way" err'

test_expect_success 'a LID that nobody owns' '
	bad "s/^0x0003/0x0f03/" opensm.fdbs && grep "^sfabric: bad/opensm.fdbs:" err'

test_expect_success 'a snapshot that was there stays' '
	bad "1d" opensm-subnet.lst && cp small.snap keep.snap &&
	refuse 1 "sfabric: bad/" "$sfabric" import bad/opensm-subnet.lst \
		bad/opensm.fdbs --output keep.snap &&
	cmp small.snap keep.snap'

test_expect_success 'no topology, no tables, no such file, no known format' '
	echo hello >hello &&
	refuse 1 sfabric: "$sfabric" import files/opensm.fdbs --output x.snap &&
	refuse 1 sfabric: "$sfabric" import files/opensm-subnet.lst \
		--output x.snap &&
	refuse 1 none.lst "$sfabric" import none.lst --output x.snap &&
	refuse 1 hello "$sfabric" import hello --output x.snap &&
	refuse 1 n9999 import_small x.snap --io n9999 &&
	! test -e x.snap'

test_expect_success 'a folder is its files; what is of no known format is left out' '
	mkdir dump dump/old && cp files/opensm-subnet.lst files/opensm.fdbs dump &&
	echo hello >dump/opensm-sa.dump && : >dump/empty && echo x >dump/.hidden &&
	echo y >dump/old/z &&
	"$sfabric" import dump $io --engine ftree --output dump.snap 2>err &&
	echo "sfabric: warning: skipped, empty or of unknown format:" \
		"dump/empty, dump/opensm-sa.dump" >expected &&
	grep -v "collide" err >actual && test_cmp expected actual &&
	"$sfabric" show fabric --snapshot dump.snap -o fingerprint >two &&
	"$sfabric" show fabric --snapshot small.snap -o fingerprint >one &&
	test_cmp one two &&
	"$sfabric" show fabric --snapshot dump.snap >shown &&
	! grep opensm-sa.dump shown &&
	"$sfabric" import dump/opens* $io --engine ftree --output dump.snap &&
	refuse 1 "dump/empty:1: the file is empty" "$sfabric" import dump/empty \
		dump/opensm-sa.dump --output x.snap &&
	refuse 1 "no tables in" "$sfabric" import dump/opensm-sa.dump \
		dump/opensm-subnet.lst --output x.snap &&
	refuse 2 "dump/old/none: no files in this folder" sh -c "
		mkdir dump/old/none && \"$sfabric\" import dump/old/none --output x.snap" &&
	! test -e x.snap'

test_expect_success 'UFM keeps the files of a scan in a folder of a folder' '
	mkdir -p ufm/tmp/ibdiagnet.out ufm/conf && echo x >ufm/conf/gv.cfg &&
	echo "-I- Load" >ufm/tmp/ibdiagnet.out/ibdiagnet2.log &&
	cp files/opensm-subnet.lst ufm/tmp/ibdiagnet.out/ibdiagnet2.lst &&
	cp files/opensm.fdbs ufm/tmp/ibdiagnet.out/ibdiagnet2.fdbs &&
	"$sfabric" import ufm $io --engine ftree --output ufm.snap 2>err &&
	grep "skipped, empty or of unknown format: ufm/tmp/ibdiagnet.out/ibdiagnet2.log$" err &&
	"$sfabric" show fabric --snapshot ufm.snap -o fingerprint >two &&
	test_cmp one two &&
	cp -R ufm/tmp/ibdiagnet.out ufm/older &&
	refuse 2 "2 folders in it have files of a fabric" \
		"$sfabric" import ufm --output x.snap &&
	for i in 1 2 3 4 5; do echo x >ufm/older/$i || return 1; done &&
	"$sfabric" import ufm/older $io --output ufm.snap 2>err &&
	grep "older/4 and 2 more$" err && ! test -e x.snap'

# logged FILE: as PuTTY logs it
logged () {
	printf "\357\273\277=~=~=~= PuTTY log 2026.05.01 10:00:00 =~=~=~=\r\n"
	printf "login as: root\r\nLast login: Fri May  1 from 10.0.0.1\r\n\r\n"
	printf "[root@sm1 ~]# cat %s\r\n" "$1"
	sed "s/$/\r/" "$1"
	printf "\r\n[root@sm1 ~]# exit\r\nlogout\r\n"
}

test_expect_success 'banner, prompts and byte order mark of a log are left out' '
	rm -rf logs && mkdir logs &&
	logged files/opensm-subnet.lst >logs/subnet.lst &&
	{ printf "sm1:~ # cat dump\n" && cat files/opensm.fdbs; } >logs/fdbs &&
	"$sfabric" import logs $io --engine ftree --output logs.snap 2>err &&
	grep "^sfabric: warning: logs/fdbs: 1 lines before the text of opensm.fdbs are skipped" err &&
	grep "^sfabric: warning: logs/subnet.lst: 5 lines before the text of" err &&
	grep "^sfabric: warning: logs/subnet.lst: a prompt after the text" err &&
	"$sfabric" show fabric --snapshot logs.snap -o fingerprint >two &&
	test_cmp one two &&
	sed -i "s/PHY=4x/PHI=4x/;5q" logs/subnet.lst && sed "1s/PHY=4x/PHI=4x/" \
		files/opensm-subnet.lst | sed "1i [root@sm ~]# cat" >logs/subnet.lst &&
	refuse 1 "logs/subnet.lst:2: bad link" "$sfabric" import logs --output x.snap'

test_expect_success 'servers that are not there are left out, all of them is an error' '
	import_small most.snap --io "n[0021-0022],gone[1-2]" 2>err &&
	grep "^sfabric: warning: --io: 2 of 4 hosts are not in the fabric, or not cabled, for example gone2: ignored" err &&
	"$sfabric" show io --snapshot most.snap -h -o host >hosts &&
	printf "n%04d\n" 21 22 >expected && test_cmp expected hosts &&
	refuse 1 "none of these hosts" import_small x.snap \
		--io "gone[1-2]" &&
	echo "IoSet=scratch Hosts=n[0021-0022],gone GBs=1.5" >b.conf &&
	import_small conf.snap --conf b.conf 2>err &&
	grep "warning: 1 hosts of IoSet lines are not in the fabric" err &&
	echo "IoSet=home Hosts=gone" >>b.conf &&
	refuse 1 "1 of 2 sets have no host" import_small x.snap --conf b.conf &&
	! test -e x.snap'

test_expect_success 'hosts that nobody named, or two, have their GUID for a name' '
	rm -rf odd && mkdir odd && cp files/opensm.fdbs odd &&
	sed "s/{n0003 [^}]*}/{}/; s/{n0004 [^}]*}/{n0005 HCA-1}/" \
		files/opensm-subnet.lst >odd/subnet.lst &&
	"$sfabric" import odd $io --output odd.snap 2>err &&
	grep "warning: 3 hosts are named by their GUID, for example 0x[0-9a-f]*" err &&
	"$sfabric" show hosts --snapshot odd.snap -h -o host >hosts &&
	test $(grep -c ^0x hosts) = 3 && test $(grep -c ^n hosts) = 21'

test_expect_success 'a folder that is not there' '
	refuse 1 "none/x.snap: No such file" import_small none/x.snap'

# counted N FILE: answer of perfquery of the first leaf's port 1, N words sent
counted () {
	lid=$("$sfabric" show switches --snapshot small.snap -h -P -o lid |
		head -n 1) &&
	cat >$2 <<-EOF
	# Port extended counters: Lid $lid port 1 (CapMask: 0x1300)
	PortXmitData:....................$1
	PortRcvData:.....................8
	EOF
}

test_expect_success 'counters of a snapshot that is there: two samples' '
	counted 1000 one && touch -d @1000000000 one &&
	counted 2500001000 two && touch -d @1000000010 two && gzip two &&
	"$sfabric" import one --snapshot small.snap --counters port.snap >out &&
	grep "^port.snap: counters of 1 ports, the first sample$" out &&
	"$sfabric" import two.gz --snapshot small.snap --counters port.snap \
		--json >out &&
	grep "\"ports_counted\": 1" out && ! grep "\"snapshot\":" out'

test_expect_success 'counters together with their fabric; ports without a link' '
	printf "Name\tGUID\tActive\tPort\txmit_data\trcv_data\nx\t0x99\tTRUE\t1\t5\t5\n" \
		>perfmgr &&
	import_small both.snap $io perfmgr one --counters both.cnt 2>err >out &&
	grep "counters of 1 ports without a link, for example 0x0000000000000099 port 1" err &&
	grep "^both.cnt: counters of 1 ports" out &&
	refuse 1 "no counters in these files" import_small x.snap $io \
		--counters x.cnt &&
	sed "s/Lid [0-9]*/Lid 9999/" one >bad.txt &&
	refuse 1 "bad.txt:1: LID 9999 is not of this fabric" "$sfabric" import bad.txt \
		--snapshot small.snap --counters x.cnt &&
	! test -e x.cnt && ! test -e x.snap'

# series N: what infiniband_exporter says of the first leaf after N words a port
series () {
	guid=$("$sfabric" show switches --snapshot small.snap -h -P -o guid | head -n 1) &&
	echo "# TYPE infiniband_switch_port_transmit_data_bytes_total counter" &&
	for port in 1 2; do
		for what in transmit receive; do
			echo "infiniband_switch_port_${what}_data_bytes_total{guid=\"$guid\",port=\"$port\"} $(($1 * 4))"
		done
	done
}

test_expect_success 'what Prometheus has of ports: resets, silent and unknown ports' '
	series 1000 >a.prom && touch -d @1000000000 a.prom &&
	series 2500001000 >b.prom && touch -d @1000000010 b.prom &&
	counters="--snapshot small.snap --counters prom.snap" &&
	"$sfabric" import a.prom $counters 2>err && test_must_be_empty err &&
	"$sfabric" import b.prom $counters 2>err && test_must_be_empty err &&
	"$sfabric" show counters --counters prom.snap --snapshot small.snap -h \
		-o rate_gbs >rates && test 2 = $(grep -c "^ *1.000 *$" rates) &&
	cat >c.prom <<-EOF &&
	$(series 5 | grep -v port=.2)
	infiniband_hca_port_transmit_data_bytes_total{guid="0x99",port="1"} 5
	node_infiniband_port_data_transmitted_bytes_total{device="mlx5_0",port="1"} 5
	EOF
	touch -d @1000000020 c.prom && "$sfabric" import c.prom $counters >out 2>err &&
	grep "^prom.snap: counters of 1 ports$" out &&
	grep "warning: counters of 1 ports without a link, for example 0x0000000000000099 port 1" err &&
	grep "warning: counters of 1 ports that no host of the fabric has, or several, for example c mlx5_0 port 1" err &&
	grep "warning: 1 ports of the previous sample are not in the files: their counters stay as they were" err &&
	grep "warning: 1 ports were reset since the previous sample" err &&
	"$sfabric" show counters --counters prom.snap --snapshot small.snap -h \
		-o rate_gbs >rates && grep 1.000 rates'

command -v curl >/dev/null && command -v python3 >/dev/null && test_set_prereq CURL

# The command line of the man page, with the address of a server of ours.
test_expect_success CURL 'counters over HTTP, by the line that the man page has' '
	mkdir -p served && series 7 >served/metrics && : >served.log &&
	{ python3 -u -m http.server --bind 127.0.0.1 --directory served 0 >served.log 2>&1 &
	at_exit kill $!; } &&
	soon grep -q "port [0-9]" served.log &&
	url=http://127.0.0.1:$(sed -n "s/.* port \([0-9]*\).*/\1/p" served.log) &&
	sed -n "/^curl .*max-filesize/,/counters.snap/p" "$SFAB_SRCDIR/doc/sfabric-import.1.scd" |
		tr -d "\\\\\n" | sed "s,http://[a-z]*:9315,$url,; s,sfabric import,\"$sfabric\" import," \
		>recipe && cp small.snap fabric.snap &&
	grep "max-time.*max-filesize" recipe && sh recipe >out &&
	grep "^counters.snap: counters of 2 ports, the first sample$" out &&
	sed "s/metrics/none/" recipe >missing && test_expect_code 1 sh missing 2>err &&
	grep "curl: .* 404" err && grep "no counters in this file" err'

# More than the first block that is read, and cut: whoever reads all of it says so.
test_expect_success 'an unknown format is seen at the beginning of a large file' '
	seq 1000000 | gzip >whole.gz && head -c 1500000 whole.gz >large.gz &&
	refuse 1 "large.gz:1: unknown format" "$sfabric" import large.gz --output x.snap &&
	refuse 1 "large.gz: no counters in this file" "$sfabric" import large.gz \
		--snapshot small.snap --counters x.cnt'

test_expect_success 'a gzip bomb is an error long before it fills the memory' '
	yes x | head -c 150000000 | gzip -9 >bomb.gz &&
	for words in "show jobs --jobs" "topology diff" "replay"; do
		refuse 1 "bomb.gz: unpacks to more than 200 times its size" \
			"$sfabric" $words bomb.gz --snapshot small.snap || return 1
	done'

test_expect_success 'wrong command lines' '
	refuse 2 "no files" "$sfabric" import --output x.snap &&
	refuse 2 "--output SNAP is missing" "$sfabric" import files/opensm.fdbs &&
	refuse 2 "both write" import_small - --json &&
	for engine in "ftree
event_plugin_name x" "a=b" "a b" ""; do
		for option in --engine --route; do
			refuse 2 "(expected routing engines of OpenSM: ftree,updn)" \
				import_small x.snap $option "$engine" &&
			test $(wc -l <refuse.err) = 2 || return 1
		done &&
		refuse 2 "(expected routing engines of OpenSM: ftree,updn)" \
			"$sfabric" whatif --engine "$engine" --snapshot small.snap || return 1
	done &&
	refuse 2 "is for --io" import_small x.snap --io-capacity 2 &&
	refuse 2 "is for --counters" "$sfabric" import one --snapshot small.snap &&
	refuse 2 "is for --counters" import_small x.snap --snapshot small.snap &&
	refuse 2 "io-capacity" import_small x.snap --io n0001 --io-capacity much &&
	refuse 2 "has none" import_small x.snap --plane b'

test_done
