#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# topology.t - topology.conf and topology.yaml made and compared
test_description='sfabric topology'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

test_expect_success 'a snapshot' '
	import_small small.snap --io "n[0021-0024]" &&
	SFABRIC_SNAPSHOT=$PWD/small.snap && export SFABRIC_SNAPSHOT'

test_expect_success 'generate: lines, YAML, JSON, a set' '
	golden topology.conf "$sfabric" topology generate &&
	golden topology.yaml "$sfabric" topology generate --yaml &&
	golden topology.json "$sfabric" topology generate --json &&
	"$sfabric" topology generate -w "n[0001-0002]" >two &&
	grep "Nodes=n\[0001-0002\]" two && test $(wc -l <two) = 1'

test_expect_success 'what was generated is right and no other' '
	for file in topology.conf topology.yaml; do
		"$sfabric" topology diff $file >out && test ! -s out || return 1
	done'

# a node on another leaf, one that is not there, one missing, no such switch,
# a switch twice
test_expect_success 'diff finds what is wrong and what differs' '
	sed -e "/L001/s/=n.*/=n[0001-0003,0006]/" \
		-e "/L002/s/=n.*/=n[0007-0008],x1/" \
		-e "/^SwitchName=level/s/$/,gone/" topology.conf >wrong.conf &&
	echo "SwitchName=top Switches=small-L001" >>wrong.conf &&
	test_expect_code 3 "$sfabric" topology diff wrong.conf >found &&
	golden topology-diff.txt cat found &&
	test_expect_code 3 "$sfabric" topology diff wrong.conf --json >found &&
	golden topology-diff.json cat found'

test_expect_success 'diff: only names' '
	sed "s/small-L/rack/; s/level1-1/all/" topology.conf >names.conf &&
	test_expect_code 3 "$sfabric" topology diff names.conf -hP \
		-o finding,switch,leaf >found &&
	for i in 1 2 3 4; do
		echo "renamed|rack00$i|small-L00$i"
	done >expected && echo "renamed|all|level1-1" >>expected &&
	test_cmp expected found'

# one line for two leaves is not what generate would make
test_expect_success 'diff: racks, groups, nodes of another set' '
	cat >racks.conf <<-END &&
	SwitchName=r1 Nodes=n[0001-0010]
	SwitchName=r2 Nodes=n[0011-0020]
	SwitchName=up Switches=r[1-2]
	END
	test_expect_code 3 "$sfabric" topology diff racks.conf -hP \
		-o finding,switch,leaf,names >found &&
	cat >expected <<-END &&
	renamed|r1|small-L001|n[0001-0010]
	moved|r1|small-L002|n[0006-0010]
	renamed|r2|small-L003|n[0011-0020]
	moved|r2|small-L004|n[0016-0020]
	renamed|up|level1-1|r[1-2]
	END
	test_cmp expected found &&
	sed "s/small-L\[001-004\]/small-L[001-003]/" topology.conf >part.conf &&
	test_expect_code 3 "$sfabric" topology diff part.conf -hP \
		-o finding,switch,leaf,names >found &&
	cat >expected <<-END &&
	other-group|level1-1||small-L[001-003]
	missing-group||level1-1|small-L[001-004]
	END
	test_cmp expected found &&
	sed "s/0020/0021/" topology.conf >extra.conf &&
	test_expect_code 3 "$sfabric" topology diff extra.conf -hP \
		-o finding,switch,leaf,names >found &&
	echo "extra-node|small-L004||n0021" >expected &&
	test_cmp expected found'

test_expect_success 'YAML in depth: an error at once' '
	{ printf -- "---\n- topology: x\n  y: "; yes "[" | head -n 200000 | tr -d "\n"; } >deep.yaml &&
	refuse 1 "deep.yaml:3: lists in lists (expected at most 32)" \
		sh -c "ulimit -t 5; exec \"\$0\" topology diff deep.yaml" "$sfabric" &&
	{ echo "- topology: x"; printf "  y: "; yes "{a: " | head -n 20000; } >deep.yaml &&
	refuse 1 "deep.yaml:32: lists in lists" "$sfabric" topology diff deep.yaml'

test_expect_success 'YAML of other people: the default tree, comments, styles' '
	cat >other.yaml <<-END &&
	# of the site
	---
	- topology: flat
	  flat: true
	- topology: old
	  tree: { switches: [ { switch: s, nodes: "n0001" } ] }
	- topology: now
	  cluster_default: true
	  tree:
	    switches:
	      - switch: small-L001
	        nodes: n[0001-0005]
	      - {switch: small-L002, nodes: "n[0006-0010]"}
	      - switch: small-L003
	        nodes: &list n[0011-0015]
	      - {switch: small-L004, nodes: "n[0016-0020]"}
	      - {switch: level1-1, children: "small-L[001-004]"}
	END
	"$sfabric" topology diff other.yaml &&
	sed "s/004\]\"/004],up\"/" other.yaml >ring.yaml &&
	echo "      - { switch: up, children: level1-1 }" >>ring.yaml &&
	test_expect_code 3 "$sfabric" topology diff ring.yaml -hP \
		-o finding,line,switch >found &&
	printf "ring|17|level1-1\nring|18|up\n" >expected && grep ^ring found >rings &&
	test_cmp expected rings'

test_expect_success 'names that are none for Slurm are left out, and it is said' '
	mkdir -p bad.files && cp files/* bad.files/ &&
	esc=$(printf "\\033") &&
	sed -e "s/{n0003 HCA-1}/{n${esc}c#3 HCA-1}/" \
		-e "s/{n0004 HCA-1}/{n[4],b HCA-1}/" \
		-e "s/small-L002/small,L[002]/; s/small-L003/small:L 003/" \
		files/opensm-subnet.lst >bad.files/opensm-subnet.lst &&
	"$sfabric" import bad.files/* --output bad.snap &&
	"$sfabric" topology generate --snapshot bad.snap >out 2>err &&
	! grep "[^][A-Za-z0-9=, .-]" out && test 5 = $(wc -l <out) &&
	test 2 = $(grep -c "^SwitchName=S-0002c9" out) &&
	grep "2 hosts are left out.*--node-name-map" err && ! grep "$esc" err &&
	"$sfabric" topology diff out --snapshot bad.snap &&
	refuse 1 "none of the 1 hosts has a name" "$sfabric" topology generate \
		--snapshot bad.snap -w "n?c#3"'

test_expect_success 'names that do not match: the node-name map is named' '
	echo "SwitchName=s Nodes=node[1-20]" >foreign.conf &&
	refuse 1 "--node-name-map" "$sfabric" topology diff foreign.conf &&
	test 1 = $(wc -l <refuse.err) &&
	sed "s/n\[0001-0005\]/n[0001-0004],node5/" topology.conf >one.conf &&
	test_expect_code 3 "$sfabric" topology diff one.conf 2>err &&
	grep "1 nodes are not in the fabric, 1 hosts.*--node-name-map" err'

test_expect_success 'wrong command lines and files' '
	refuse 2 "no subcommand" "$sfabric" topology &&
	refuse 2 "expected generate or diff" "$sfabric" topology dance &&
	refuse 2 "no FILE" "$sfabric" topology diff &&
	refuse 2 "unexpected argument" "$sfabric" topology generate x &&
	refuse 2 "unexpected argument" "$sfabric" topology diff x y &&
	refuse 2 "for generate" "$sfabric" topology diff x --yaml &&
	refuse 2 "no table" "$sfabric" topology generate --yaml --json &&
	refuse 1 "none.conf" "$sfabric" topology diff none.conf &&
	: >empty && refuse 1 "no SwitchName" "$sfabric" topology diff empty &&
	echo "SwitchName=a Nodes=n[" >bad &&
	refuse 1 "bad:1" "$sfabric" topology diff bad &&
	odd () { printf "$1" >odd.conf; refuse 1 "odd.conf$2" "$sfabric" topology diff \
		odd.conf; } &&
	odd "SwitchName=a Nodes=n1\nSwitchName=a Nodes=n2\n" ":2: SwitchName=a again" &&
	odd "\nSwitchName=a\n" ":2: SwitchName=a has no Nodes" &&
	odd "SwitchName=a Nodes=n0001\nSwitchName=b Nodes=n0001\n" \
		":2: node n0001 is also in SwitchName=a" &&
	odd "BlockName=a Nodes=n1\n" ":1: unknown key" &&
	refuse 1 "n9999" "$sfabric" topology generate -w n9999 &&
	refuse 1 "small.snap" "$sfabric" topology diff small.snap'

test_expect_success 'YAML that is none, or no tree' '
	printf -- "- a: [\n" >bad.yaml &&
	refuse 1 "bad.yaml:2: " "$sfabric" topology diff bad.yaml &&
	printf -- "---\n- topology: x\n  flat: true\n" >bad.yaml &&
	refuse 1 "no topology with a tree" "$sfabric" topology diff bad.yaml &&
	tree="- topology: x\n  tree:\n" &&
	printf -- "$tree    switches: 3\n" >bad.yaml &&
	refuse 1 "bad.yaml:3: a tree without a list" "$sfabric" topology diff \
		bad.yaml &&
	printf -- "$tree    switches:\n    - switch: a\n" >bad.yaml &&
	refuse 1 "bad.yaml:4: SwitchName=a has no Nodes" "$sfabric" topology \
		diff bad.yaml &&
	printf -- "$tree    switches:\n    - {switch: a, nods: b}\n" >bad.yaml &&
	refuse 1 "bad.yaml:4: no such key" "$sfabric" topology diff bad.yaml &&
	printf -- "$tree    switches:\n    - [a]\n" >bad.yaml &&
	refuse 1 "bad.yaml:4: no switch" "$sfabric" topology diff bad.yaml &&
	printf -- "$tree    switches:\n    - {switch: a, nodes: [b]}\n" >bad.yaml &&
	refuse 1 "bad.yaml:4: a value that is not text" "$sfabric" topology diff \
		bad.yaml'

test_done
