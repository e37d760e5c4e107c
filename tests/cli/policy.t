#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# policy.t - the site's script on the command line
test_description='sfabric policy, and what a script does to other commands'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

test_have_prereq LUA || { skip_all='built without Lua'; test_done; }

examples=$SFAB_SRCDIR/lua/examples
fields=partition,account,qos,name,nodes,minutes,hint,placed,mode,mode_by
fields=$fields,traffic,traffic_by,weights

# decides FIELDS WANTED OPTION...
decides () {
	decides_fields=$1 decides_wanted=$2
	shift 2
	"$sfabric" policy test -P -h -o "$decides_fields" "$@" >decided &&
	test "$(cat decided)" = "$decides_wanted" || { cat decided; false; }
}

test_expect_success 'what the example for sensitivity decides' '
	script=sensitivity.lua &&
	cp "$examples/$script" . &&
	golden policy.txt "$sfabric" policy test --policy "$script" -o $fields \
		-N 16 -J fluent-3 -A cfd -p batch -q high -t 2:00:00 &&
	golden policy.json "$sfabric" policy test --policy "$script" --json \
		-N 16 -J fluent-3 -A cfd -p batch -q high -t 2:00:00 &&
	decides traffic,traffic_by "mpi=0.02|script" \
		--policy "$script" -N 4 -J my-montecarlo-7 &&
	decides traffic,traffic_by "mpi=0.1|script" --policy "$script" -N 4 -J other'

test_expect_success 'Lustre: by name, by partition, a hint counts' '
	script=$examples/lustre-lnet.lua &&
	decides traffic,traffic_by "mpi=0.2+io-write@scratch=0.4|script" \
		--policy "$script" -J a-checkpoint &&
	decides traffic,traffic_by "mpi=0.25+io-write=0.05+io-read=0.02|conf" --policy "$script" -J x &&
	decides traffic,traffic_by "mpi=0.1|hint" --policy "$script" \
		-J a-checkpoint --comment=sfabric:mpi=0.1 &&
	decides placed no --policy "$script" --comment=sfabric:off &&
	decides placed yes --policy "$script" -p transfer'

test_expect_success 'modes, and what the conf says to that' '
	echo "Mode=on" >c.conf &&
	script=$examples/two-planes.lua &&
	decides placed,mode,mode_by "no|off|script" -p debug --conf c.conf \
		--policy "$script" &&
	decides placed,mode,mode_by "yes|on|conf" -p batch --conf c.conf \
		--policy "$script"'

test_expect_success 'a batch script names the job' '
	printf "#!/bin/sh\n#SBATCH -n 64 --ntasks-per-node=8\n" >serve.sh &&
	decides name,nodes,traffic "serve.sh|8|mpi=0.01" \
		--policy "$examples/ai-rails.lua" serve.sh'

test_expect_success 'mistakes: one line, its place' '
	echo "return { job = 1 }" >bad.lua &&
	refuse 1 "bad.lua:1: job is a number" "$sfabric" policy test \
		--policy bad.lua &&
	refuse 1 "none.lua: " "$sfabric" policy test --policy none.lua &&
	refuse 1 "no script" "$sfabric" policy test &&
	refuse 2 "no such subcommand" "$sfabric" policy show &&
	refuse 2 "no subcommand (expected test)" "$sfabric" policy'

# 20,000 steps, or 2 ms of CPU time, whatever a busy machine meets first
without="the job is placed without the script"
test_expect_success 'a script that reaches a limit: a warning, and what the plugin does' '
	printf "return { job = function(j)\nwhile true do end end }" >slow.lua &&
	printf "return { job = function(j)\nreturn { traffic = j.none + 1 } end }" >wrong.lua &&
	for script in slow wrong; do
		test_expect_code 3 "$sfabric" policy test --policy $script.lua \
			-h -P -o placed,traffic_by >said 2>err &&
		echo "yes|conf" >expected && test_cmp expected said &&
		grep "warning: $script.lua:2: .*: $without" err &&
		test $(wc -l <err) -eq 1 || return 1
	done'

test_expect_success 'roles and IO sets in show' '
	import_small small.snap &&
	SFABRIC_SNAPSHOT=$PWD/small.snap && export SFABRIC_SNAPSHOT &&
	cat >site.lua <<-END &&
	return {
	    io_sets = { disk = { gbs = 2.5 } },
	    host = function(h)
	        if number(h.name) > 20 then return { io = "disk" } end
	        if h.name == "n0001" then return { role = "other" } end
	    end,
	    job = function(j)
	        if j.name == "io" then
	            return { traffic = "io-write@disk=0.3" }
	        end
	    end }
	END
	echo "Policy=\"$PWD/site.lua\"" >c.conf &&
	"$sfabric" show io --conf c.conf -h -o set,host,capacity_gbs >io &&
	grep -q "^disk *n0021 *2.5" io && ! grep -q n0001 io &&
	"$sfabric" show hosts --conf c.conf -P -h -o host,role >hosts &&
	grep -x "n0001|other" hosts && grep -x "n0021|io" hosts &&
	grep -x "n0002|compute" hosts'

test_expect_success 'several Fabric= are one' '
	make=$SFAB_BUILDDIR/tests/slurm/make_snapshot &&
	"$make" a.snap 4 2 4 2 && mkdir b &&
	echo "Fabric=\"mpi:$PWD/a.snap,disk:$PWD/small.snap\"" >two.conf &&
	(unset SFABRIC_SNAPSHOT &&
	 "$sfabric" show fabric --conf two.conf -P -h -o fabric,hosts >two &&
	 "$sfabric" show config --conf two.conf -P -h -o key,value,origin |
		grep "^Fabric|.*mpi:.*two.conf:1$") &&
	sed -n 1p two | grep "^made\|^mpi" && test $(wc -l <two) = 2 &&
	(unset SFABRIC_SNAPSHOT &&
	 echo "Fabric=\"a:$PWD/a.snap,b:$PWD/a.snap\"" >twice.conf &&
	 refuse 1 "is in fabric a and in fabric b" "$sfabric" show fabric \
		--conf twice.conf)'

test_expect_success 'place follows it without Slurm, too' '
	"$sfabric" place --conf c.conf -N 4 -J io --json >place.json &&
	grep -q "io-write@disk=0.3" place.json &&
	! grep -q "\"n0001\"" place.json &&
	"$sfabric" place --conf c.conf -N 4 -J other --json >place.json &&
	! grep -q "io-write@disk" place.json'

test_expect_success 'a wrong script is a warning there, as for the plugin' '
	echo "return { job = 1 }" >site.lua &&
	"$sfabric" place --conf c.conf -N 4 >out 2>err &&
	grep "site.lua:1: job is a number" err'

test_expect_success 'place goes on without a script that reaches a limit' '
	cp slow.lua site.lua &&
	"$sfabric" place --conf c.conf -N 4 >out 2>err &&
	grep "site.lua:2: more than .*: $without" err && test $(wc -l <err) -eq 1'

page=$SFAB_SRCDIR/doc/sfabric.lua.5.scd
test_expect_success 'the example of the man page works' '
	sed -n "/^# EXAMPLE/,/^# SEE/p" "$page" |
		sed -n "/^\`\`\`/,/^\`\`\`/p" | grep -v "^\`\`\`" >page.lua &&
	decides traffic "mpi=0.25+io-write@scratch=0.2" --policy page.lua \
		-J climate-7 &&
	for name in assert error ipairs select tonumber type pairs tostring \
		glob number; do
		grep -q "\*$name\*" "$page" || return 1
	done'

test_done
