#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# every.t - what holds for every command: names that want to do harm, files that
# are not what they should be
test_description='every command, hostile names and wrong files'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"
. "$SFAB_SRCDIR/tests/cli/every.sh"
every_hosts=n0001,n0006

say_name () {
	echo "$1"
}

# import, receive, collect and synth make files, policy, check and report read others
test_expect_success 'no command is left out' '
	{
		every say_name
		printf "%s\n" learn import collect receive synth policy check whatif report
	} | sort -u >listed &&
	"$sfabric" --help | sed -n "/^Commands:/,\$s/^  \([a-z]*\) .*/\1/p" |
		sort >commands &&
	comm -13 listed commands >missing && test_cmp /dev/null missing'

test_expect_success 'a snapshot, and all that commands read besides' '
	import_small small.snap --io "n[0021-0024]" && every_files'

# answers WORD...: an answer, in text and in JSON
answers () {
	"$sfabric" "$@" --snapshot small.snap >out 2>err
	test $? = 0 -o $? = 3 || { echo "$*"; cat err; return 1; }
	case $1 in
	metrics | web) return ;;
	esac
	"$sfabric" "$@" --snapshot small.snap --json >json 2>err
	test $? = 0 -o $? = 3 && /usr/bin/python3 -m json.tool json >/dev/null
}

test_expect_success 'every question has an answer' '
	every answers'

# A small fabric that has what large ones have: hosts with several ports and LIDs,
# rates that differ, an Aggregation Node, names with blanks and brackets.
recorded=$SFAB_SRCDIR/tests/data/two-leaves-lmc1

record () {
	test $1 != web || return 0	# a page, see web.t
	echo "\$ sfabric $*"
	"$sfabric" "$@" --snapshot odd.snap 2>&1
	echo "status $?"
}

# without what no two runs have in common
record_all () {
	every record | sed -e "s/top - [0-9:]*/top - TIME/" \
		-e "s/counters [0-9]* s old/counters AGE s old/" \
		-e "s/^\(sfabric_[a-z]*_timestamp_seconds\) .*/\1 TIME/"
}

# agrees WORD...: columns and JSON of a table say the same; asked once more if a second
# of an age was over between them
agrees () {
	case $1 in
	plot | metrics | web | place | predict | audit | replay | explain)
		return ;;	# have no columns
	esac
	for try in 1 2 3; do
		"$sfabric" "$@" --snapshot odd.snap -P >lines 2>err
		test $? = 0 -o $? = 3 || { echo "$*"; cat err; return 1; }
		"$sfabric" "$@" --snapshot odd.snap --json >answer.json
		"$SFAB_SRCDIR/tests/cli/same_rows.py" lines answer.json && return
	done
	echo "$*"
	return 1
}

odd_files () {
	every_files $("$sfabric" show switches -hP -o guid --snapshot odd.snap)
}

test_expect_success 'every answer on an odd fabric' '
	mkdir odd && cp "$recorded"/opensm-subnet.lst "$recorded"/opensm.fdbs odd/ &&
	touch -d @1000000000 odd/* &&
	"$sfabric" import odd/* --io io1 --engine minhop --output odd.snap &&
	mkdir at-odd && ln -s ../odd.snap at-odd/ &&
	(
		cd at-odd && every_hosts=n1,n2 &&
		odd_files && golden every.txt record_all
	)'

test_expect_success 'JSON says what the columns say' '
	(
		# counters become old while commands are asked
		cd at-odd && every_hosts=n1,n2 && odd_files && every agrees &&
		sed "s/n1/n7/" lines >other &&
		! "$SFAB_SRCDIR/tests/cli/same_rows.py" other answer.json
	)'

# Printable UTF-8 and line ends only, whatever the locale.
harmless () {
	for harmless_file; do
		/usr/bin/python3 - "$harmless_file" <<-'END' || return 1
		import sys, unicodedata
		text = open(sys.argv[1], "rb").read().decode("utf-8")
		bad = {c for c in text if unicodedata.category(c) in ("Cc", "Cf")}
		sys.exit(str(bad - set("\n\t")) if bad - set("\n\t") else 0)
		END
	done
}

# Names: escape sequences, HTML, quotes, commas, format characters, bytes that
# are no UTF-8, C1 controls.  tests/unit/io/test_nodedesc.c says what the reader
# itself drops.
esc=$(printf '\033') csi=$(printf '\302\233') bad=$(printf '\377\200')
evil="${esc}[2J<script>alert(1)</script>\"'%s%n\`id\`\$(id)\\\\&;=1+1"
test_expect_success 'a fabric whose names want to do harm' '
	mkdir evil && cat >evil.sed <<-END &&
	s,small-S003,$(printf "%s" "$evil" | sed "s/[,&\\\\]/\\\\&/g"),
	s,small-L002,=cmd|calc!A0${csi}31m,
	s,n0021 HCA-1,$(printf "%s" "$evil" | sed "s/[,&\\\\]/\\\\&/g"),
	s,n0002 HCA-1,x${bad}y,
	END
	sed -f evil.sed files/opensm-subnet.lst >evil/opensm-subnet.lst &&
	LC_ALL=C grep -q "<script>" evil/opensm-subnet.lst &&
	cp files/opensm.fdbs evil/ && touch -d @1000000000 evil/* &&
	"$sfabric" import evil/opensm-subnet.lst evil/opensm.fdbs \
		--engine ftree --io n0022 --output evil.snap >out 2>err &&
	harmless out err &&
	"$sfabric" show hosts --snapshot evil.snap -hP -o host >hosts &&
	grep -F "<script>" hosts'

is_harmless () {
	for is_format in "" --json -P; do
		case $1$is_format in
		plot-P | metrics-P | metrics--json | web-P | web--json | place-P | predict-P | audit-P | \
			replay-P | explain-P) continue ;;
		esac
		"$sfabric" "$@" $is_format --snapshot evil.snap >out 2>err
		test $? = 0 -o $? = 3 && harmless out err || {
			echo "$* $is_format"
			cat -v err
			return 1
		}
		test "$is_format" != --json ||
			/usr/bin/python3 -m json.tool out >/dev/null || return 1
	done
}

for locale in C C.UTF-8; do
	test_expect_success "text, lines and JSON are harmless ($locale)" '
		LC_ALL=$locale every is_harmless'
done

test_expect_success 'pictures are harmless' '
	"$sfabric" plot --snapshot evil.snap --output evil.svg &&
	"$sfabric" plot --snapshot evil.snap --jobs every.jobs --output evil.html &&
	harmless evil.svg evil.html && ! grep -F "<script>alert" evil.svg evil.html &&
	/usr/bin/python3 -c "
import xml.dom.minidom
xml.dom.minidom.parse(\"evil.svg\")"'

test_expect_success 'errors about hostile words are harmless, one line each' '
	for words in "load --to" "rotate -w" "topology generate -w" "top --jobs" \
		"place --jobs" "plot --to" "import" "predict --nodes"; do
		"$sfabric" $words "$evil" --snapshot small.snap >out 2>err
		test $? = 1 -o $? = 2 && harmless err || {
			echo "$words"
			return 1
		}
	done'

# fails STATUS WORD...: one line, in JSON "errors", and no file
fails () {
	fails_status=$1
	shift
	rm -f made
	"$sfabric" "$@" --output made >out 2>err
	test $? = $fails_status && test ! -e made && test ! -s out &&
	test 1 = $(grep -c . err) && grep -q "^sfabric: " err && return
	echo "$*:"
	cat out err
	return 1
}

# A snapshot that is none: missing, empty, a folder, text, counters, cut, changed
test_expect_success 'files that are no snapshot' '
	: >empty && mkdir folder && echo hello >text &&
	head -c 3000 small.snap >cut.snap &&
	{ head -c 3000 small.snap; echo x; tail -c +3003 small.snap; } >changed.snap &&
	test $(wc -c <changed.snap) = $(wc -c <small.snap) && mkfifo pipe'

for snapshot in none empty folder text every.counters cut.snap changed.snap \
	/dev/null
do
	test_expect_success "--snapshot $snapshot is refused by every command" '
		one () {
			# it does without, and says so
			test $1 = explain || fails 1 "$@" --snapshot $snapshot
		} && every one'
done

test_expect_success 'no sfabric.conf, or one that is wrong' '
	echo "NoSuchKey=1" >wrong.conf &&
	for conf in none folder wrong.conf small.snap; do
		one () {
			test $1 = explain ||
				fails 1 "$@" --snapshot small.snap --conf $conf
		} && every one || return 1
	done'

test_expect_success 'other files mixed up' '
	for file in none small.snap folder; do
		fails 1 show jobs --snapshot small.snap --jobs $file &&
		fails 1 plot --snapshot small.snap --jobs $file &&
		fails 1 top --snapshot small.snap --jobs $file &&
		fails 1 web --snapshot small.snap --jobs $file &&
		fails 1 load --snapshot small.snap --to job:1 --jobs $file &&
		fails 1 topology diff $file --snapshot small.snap &&
		fails 1 replay $file --snapshot small.snap &&
		fails 1 explain 3 --log $file --snapshot small.snap || return 1
	done &&
	refuse 1 "folder: Is a directory" "$sfabric" explain 3 --log folder &&
	refuse 1 "small.snap: not a text" "$sfabric" show jobs \
		--snapshot small.snap --jobs small.snap &&
	for file in none small.snap folder every.jobs; do
		fails 1 show counters --snapshot small.snap --counters $file &&
		fails 1 plot --snapshot small.snap --counters $file &&
		fails 1 audit --snapshot small.snap --counters $file &&
		fails 1 top --jobs every.jobs --snapshot small.snap \
			--counters $file &&
		fails 1 web --jobs every.jobs --snapshot small.snap \
			--counters $file &&
		fails 1 metrics --snapshot small.snap --counters $file || return 1
	done'

test_expect_success 'output that cannot be written' '
	one () {
		"$sfabric" "$@" --snapshot small.snap --output none/made >out 2>err
		test $? = 1 && grep "^sfabric: none/made: No such file" err &&
		test ! -e none
	} && every one'

# A null device of its own: the machine's must outlive a command that replaces it.
null=/dev/null
test $(id -u) != 0 || {
	null=$PWD/null
	mknod null c 1 3 && chmod 666 null
}
{ : >"$null"; } 2>err && test_set_prereq NULL_DEVICE ||
	say "skipped: no device can be made here"

# stays STATUS WORD...: ends with STATUS or less, and the device is one still
stays () {
	stays_status=$1
	shift
	"$sfabric" "$@" >out 2>err
	test $? -le $stays_status && test -c "$null" && test -L null.link && return
	echo "$*"
	ls -l "$null" null.link
	cat out err
	return 1
}

test_expect_success NULL_DEVICE 'a device stays one, whoever writes to it' '
	one () {
		stays 3 "$@" --snapshot small.snap --output "$null" &&
		stays 3 "$@" --snapshot small.snap --output null.link
	} &&
	ln -s "$null" null.link && every one &&
	echo "JobIDRaw|UID|Account|Partition|NNodes|ElapsedRaw|End|TRESUsageInTot|TRESUsageOutTot|JobName" \
		>rows &&
	echo "1|1000|acc|main|4|1000|$(date +%s)|||name" >>rows &&
	for to in "$null" null.link; do
		stays 0 import files/* --engine ftree --output "$to" &&
		stays 0 synth wolf --output "$to" &&
		stays 0 web --jobs every.jobs --history "$to" --snapshot small.snap \
			--output page &&
		stays 0 learn --sacct=rows --history "$to" --snapshot small.snap &&
		# no state that can be read, and no earlier sample
		stays 0 metrics --decisions every.log --state "$to" --snapshot small.snap &&
		stays 1 import every.counters --counters "$to" --snapshot small.snap || return 1
	done'

test_expect_success NULL_DEVICE 'a device stays one that learn --follow writes to' '
	"$sfabric" learn --follow --jobs every.jobs --counters "$PWD/every.counters" \
		--found null.link --history null.link --snapshot small.snap --verbose \
		>out 2>err &
	follower=$! && { soon grep "1 jobs" err; kill $follower && wait $follower; } &&
	cat err && grep "1 jobs" err &&
	test -c "$null" && test -L null.link'

test_expect_success 'wrong options end with 2, before anything is read' '
	one () {
		"$sfabric" "$@" --dance --snapshot none >out 2>err
		test $? = 2 && test ! -s out && grep "unrecognized option" err
	} && every one &&
	for command in show\ hosts load route\ a\ b rotate top \
		topology\ generate; do
		"$sfabric" $command -o dance --snapshot none >out 2>err
		test $? = 2 && test ! -s out && grep dance err || return 1
	done'

test_expect_success 'sets that are empty' '
	import_small no-io.snap >/dev/null 2>&1 &&
	fails 1 load --to io --snapshot no-io.snap &&
	fails 1 rotate -w io --snapshot no-io.snap &&
	fails 1 plot --from io --snapshot no-io.snap &&
	fails 1 topology generate -w io --snapshot no-io.snap &&
	fails 1 load --to "" --snapshot small.snap &&
	fails 1 predict --nodes "" --traffic mpi --snapshot small.snap &&
	fails 1 place -N 25 --traffic mpi --snapshot small.snap'

test_done
