#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# mistakes.t - what people type, and the answer that sees what they meant
test_description='mistakes on the command line'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

test_expect_success 'a snapshot, jobs' '
	import_small small.snap --io "n[0021-0024]" &&
	printf "11 n[0001-0002] mpi=0.5\n12 n[0009-0010]\n" >jobs &&
	echo "IoSets=a Hosts=n0001" >typo.conf'

test_expect_success 'no snapshot anywhere: what names one, what makes one' '
	refuse 1 "none.snap: No such file" \
		env SFABRIC_SNAPSHOT=none.snap "$sfabric" show hosts &&
	for word in "--snapshot FILE" "\$SFABRIC_SNAPSHOT" "Snapshot of" \
			"sfabric import"; do
		grep -F -e "$word" refuse.err || return 1
	done'

SFABRIC_SNAPSHOT=$PWD/small.snap
export SFABRIC_SNAPSHOT

# meant STATUS TYPED MEANT COMMAND...: refused, both are said in one line
meant () {
	meant_typed=$2 meant_meant=$3
	refuse $1 "did you mean '$meant_meant'?" "$sfabric" $4 &&
	grep -F -e "$meant_typed" refuse.err | grep -F -e "$meant_meant"
}

while IFS='|' read -r status typed meant command; do
	test_expect_success "sfabric $command: $meant" '
		meant $status "$typed" "$meant" "$command"'
done <<'EOT'
2|palce|place|palce -N 4
2|raplay|replay|raplay
2|sohw|show|help sohw
2|plto|plot|plto
2|host:|hosts|show host
2|switchs:|switches|show switchs
1|n001:|n0001|route n001 n0002
1|n0O12:|n0012|route n0001 n0O12
1|n0O12:|n0012|predict --nodes n0O12 --traffic mpi
1|comptue:|compute|load --from comptue
1|oi:|io|load --to oi
1|n002:|n0002|show hosts n002
2|hsot|host|show hosts -o hsot
2|prot|port|show hosts --sort prot
2|dlid|dlids|load --format switch,dlid
2|sgv|svg|plot --type sgv
2|iject|eject|load --kind iject
2|percnt|percent|plot --value percnt
2|gnerate|generate|topology gnerate
2|tset|test|policy tset
2|tre|tree|replay --policy tre
2|updm|updn|import --route ftree,updm x --output y
2|updm|updn|import --engine updm x --output y
2|updm|updn|whatif --engine updm
2|ftre|ftree|audit --engine updn,ftre
1|IoSets|IoSet|show config --conf typo.conf
EOT

test_expect_success 'what is like nothing else is not guessed at' '
	refuse 2 "sfabric --help lists them" "$sfabric" dance &&
	! grep "did you mean" refuse.err &&
	refuse 1 "quark: no such host" "$sfabric" route quark n0001 &&
	! grep "did you mean" refuse.err &&
	refuse 2 "unrecognized option" "$sfabric" load --quark &&
	! grep "did you mean" refuse.err'

test_expect_success 'a number of nodes in the place of a script' '
	refuse 1 "-N 64 asks for 64 nodes" "$sfabric" place 64'

test_expect_success 'classes with a comma between them' '
	refuse 1 "a comma (expected + between classes)" \
		"$sfabric" place -N 4 --traffic mpi=0.5,io-write=0.2'

test_expect_success 'hints that are none' '
	for option in comment network; do
		refuse 0 "did you mean sfabric:io-write?" \
			"$sfabric" place -N 4 --$option=io-write &&
		refuse 0 "did you mean sfabric:io-write=0.5?" "$sfabric" \
			place -N 4 "--$option=a,sfabirc:io-write=0.5 b" || return 1
	done &&
	refuse 0 "did you mean sfabric:mpi?" \
		"$sfabric" place -N 4 --comment=Sfabric:mpi &&
	for text in "an mpi job" fabric "see doc:io-write" sfabric:mpi \
			"sfabirc:mpi sfabric:mpi" ""; do
		"$sfabric" place -N 4 "--comment=$text" 2>err >out &&
		! grep "did you mean" err || return 1
	done'

test_expect_success 'an id twice in a file of jobs' '
	printf "3 n0001\n4 n0002\n\n3 n0003\n4 n0004\n" >twice &&
	for command in "load --from job:3" "show jobs" "place -N 2" "plot"; do
		refuse 1 "twice:4: job 3 a second time (the first is line 1)" \
			"$sfabric" $command --jobs twice || return 1
	done'

test_expect_success 'a job that the decision log does not have' '
	: >decisions.log &&
	refuse 1 "no decision for job 999 in decisions.log" \
		"$sfabric" explain 999 --log decisions.log'

# a device that has no end
test_expect_success '/dev/zero' '
	for command in "show hosts --snapshot" "place -N 4 --jobs" \
			"explain 5 --log" "place -N 4 --conf" \
			"topology diff" "import --output x.snap" \
			"plot --counters"; do
		refuse 1 "/dev/zero: " timeout 20 "$sfabric" $command /dev/zero ||
			return 1
	done'

while IFS='|' read -r text command; do
	test_expect_success "sfabric $command" '
		refuse 2 "$text" "$sfabric" $command'
done <<'EOT'
expected 1-|show hosts --top -1
expected 1-|show hosts --top 99999999999999999999
expected MIN[-MAX]|place -N -5
expected MIN[-MAX]|place -N 99999999999999
expected MIN[-MAX]|place -N 0
expected 2-10000000|replay --jobs -3
expected 2-10000000|replay --jobs 99999999999
expected 1-|top -n -1
expected a number|plot --scale -3
expected a number|top -d 1e300
EOT

test_expect_success 'predict: a job is no hostlist; its help stays in its columns' '
	refuse 1 "job:11: no such host in the fabric (expected a hostlist)" \
		"$sfabric" predict --nodes job:11 &&
	"$sfabric" predict --help >help && grep "^ *--traffic=TRAFFIC  *What" help'

test_expect_success 'a picture of a kind that there is not' '
	for name in x.png x.tiff out/x.gif; do
		refuse 2 "$name: unknown kind of output" \
			"$sfabric" plot --output $name &&
		grep "svg.*rsvg-convert" refuse.err || return 1
	done &&
	"$sfabric" plot --output x.txt && "$sfabric" plot --output x &&
	test_cmp x x.txt &&
	"$sfabric" plot --output x.png --type text && test_cmp x x.png'

test_expect_success LUA 'a global function in sfabric.lua' '
	echo "function job(j) return { traffic = \"mpi\" } end" >policy.lua &&
	refuse 1 "policy.lua:1: global function job (expected local, or in the table \
that the script returns: return { job = function (x) ... end })" \
		"$sfabric" policy test -N 1 --policy policy.lua &&
	echo "return {}" >empty.lua &&
	refuse 0 "did you mean sfabric:mpi?" "$sfabric" policy test -N 1 \
		--policy empty.lua --comment=mpi'

# without the file scontrol asks the name service for a minute
test_expect_success 'SLURM_CONF that is not there: said at once' '
	printf "#!/bin/sh\nsleep 60\n" >scontrol && chmod +x scontrol &&
	began=$(date +%s) &&
	test_expect_code 3 env SLURM_CONF=/none/slurm.conf PATH="$PWD:$PATH" \
		"$sfabric" check >checked 2>&1 &&
	test $(($(date +%s) - began)) -lt 30 &&
	tr -s " \n" " " <checked | grep "SLURM_CONF=/none/slurm.conf: No such file"'

test_expect_success 'a scontrol that gives no answer is ended' '
	test_expect_code 3 env -u SLURM_CONF PATH="$PWD:$PATH" \
		"$sfabric" check >checked 2>&1 &&
	tr -s " \n" " " <checked | grep "scontrol: no answer for 15 s"'

test_done
