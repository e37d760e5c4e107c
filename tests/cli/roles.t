#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# roles.t - which hosts are compute nodes, and who says so
test_description='roles of hosts'
. "$(dirname "$0")/../lib/setup.sh"
. "$SFAB_SRCDIR/tests/cli/golden.sh"

unset SLURM_CONF

# five of the 24 hosts have other names
test_expect_success 'a fabric with hosts that run no jobs' '
	mkdir files &&
	for file in opensm-subnet.lst opensm.fdbs; do
		sed -e s/n0005/login1/ -e s/n0009/x55oss2/ -e s/n0013/ufm-b/ \
			-e s/n0017/lnet-gw1/ -e s/n0021/n0021-admin/ \
			"$small/$file" >files/$file || return 1
	done &&
	"$sfabric" import files --output roles.snap'

SFABRIC_SNAPSHOT=$PWD/roles.snap
export SFABRIC_SNAPSHOT

# roles [OPTION...]: "HOST ROLE BY" of the hosts that are no compute nodes
roles () {
	"$sfabric" show hosts -hP -o host,role,role_by "$@" |
		tr "|" " " | grep -v " compute "
}

test_expect_success 'by their names' '
	cat >expected <<-EOF &&
	lnet-gw1 router name
	login1 login name
	n0021-admin management name
	ufm-b management name
	x55oss2 io name
	EOF
	roles | sort >actual && test_cmp expected actual &&
	"$sfabric" show hosts n0001 -hP -o role,role_by >actual &&
	echo "compute|default" >expected && test_cmp expected actual'

# Nothing but their names tells the servers.
test_expect_success 'IO servers are found, and IoSet=auto uses them' '
	mkdir served &&
	for file in opensm-subnet.lst opensm.fdbs; do
		sed -e s/n0005/ai400x-1/ -e s/n0009/oss01/ -e s/n0013/oss02/ \
			-e s/n0017/mds1/ "$small/$file" >served/$file || return 1
	done &&
	line="IoSet=io Hosts=ai400x-1,oss\[01-02\]$" &&
	"$sfabric" import served --output served.snap 2>err && grep "$line" err &&
	grep "oss01: its name has \"oss\" (Lustre)" err &&
	grep "left out; mds1: .*; left out: metadata servers carry little" err &&
	"$sfabric" audit --snapshot served.snap 2>err && grep "$line" err &&
	refuse 1 "io-write: no IO set is defined (import" "$sfabric" place --snapshot served.snap -N4 \
		--traffic io-write &&
	roles --snapshot served.snap >actual && grep "^ai400x-1 io name$" actual &&
	sed -n "s/.*\(IoSet=io.*\)/\1/p" err >pasted.conf && echo IoSet=auto >auto.conf &&
	for conf in pasted auto; do
		"$sfabric" place --conf $conf.conf --snapshot served.snap -N4 \
			--traffic io-write 2>err &&
		! grep "IoSet" err &&
		"$sfabric" show io --conf $conf.conf --snapshot served.snap \
			-hP -o host >$conf.hosts || return 1
	done &&
	test 3 = $(wc -l <auto.hosts) && test_cmp pasted.hosts auto.hosts'

test_expect_success 'place takes all of the others, and says why not these' '
	"$sfabric" place -N 19 --json >placed 2>err &&
	grep "5 hosts are no compute nodes by their names" err &&
	grep -- "--compute HOSTLIST" err &&
	! grep -E "\"(login1|x55oss2|ufm-b|lnet-gw1|n0021-admin)\"" placed &&
	refuse 1 "19" "$sfabric" place -N 20 &&
	"$sfabric" place -N 20 --available "$("$sfabric" show hosts -hP -o host |
		paste -sd,)" 2>err && ! grep "by their names" err'

test_expect_success 'sets by role' '
	"$sfabric" load --from login --to router -hP -o routes >actual &&
	grep "^1$" actual && ! grep -v "^[01]$" actual &&
	refuse 1 "did you mean '\''management'\''?" \
		"$sfabric" load --from managment'

test_expect_success '--compute and Role come first' '
	roles --compute "n[0001-0002],ufm-b" >actual &&
	test 21 = $(wc -l <actual) && ! grep -v " other Role$" actual &&
	"$sfabric" place -N 3 --compute "n[0001-0002],ufm-b" 2>err &&
	! grep "by their names" err &&
	echo "Role=login:n0001;io:n0002" >own.conf &&
	SFABRIC_CONF=$PWD/own.conf roles >actual &&
	grep "^n0001 login Role$" actual && grep "^n0002 io Role$" actual &&
	grep "^login1 login name$" actual && test 7 = $(wc -l <actual)'

test_expect_success 'IO sets come before all' '
	"$sfabric" import files --io n0003 --output io.snap &&
	roles --snapshot io.snap >actual && grep "^n0003 io io-set$" actual'

test_expect_success 'nodes of slurm.conf, with what it includes' '
	mkdir etc &&
	cat >etc/slurm.conf <<-\EOF &&
	ClusterName=roles
	NodeName=DEFAULT CPUs=4
	nodename=n[0001-0004] CPUs=8 # comment
	NodeName=login1 \
	  CPUs=4
	Include nodes.conf
	PartitionName=all Nodes=ALL
	EOF
	echo "NodeName=n0010,absent CPUs=8" >etc/nodes.conf &&
	echo "Include nodes.conf" >>etc/nodes.conf &&
	SLURM_CONF=$PWD/etc/slurm.conf SFABRIC_CONF=$PWD/none.conf roles >actual &&
	test 18 = $(wc -l <actual) && ! grep login1 actual &&
	grep "^n0006 other Slurm$" actual && grep "^ufm-b management name$" actual &&
	SLURM_CONF=$PWD/etc/slurm.conf "$sfabric" place -N 6 2>err >placed &&
	! grep "by their names" err && grep login1 placed &&
	refuse 1 "6" env SLURM_CONF="$PWD/etc/slurm.conf" \
		"$sfabric" place -N 7'

test_expect_success 'slurm.conf of another cluster, and none' '
	echo "NodeName=n[0001-0002],other[1-9]" >etc/slurm.conf &&
	roles >expected &&
	SLURM_CONF=$PWD/etc/slurm.conf roles >actual && test_cmp expected actual &&
	SLURM_CONF=/none/slurm.conf roles >actual && test_cmp expected actual'

test_expect_success 'a word that most hosts have says nothing' '
	for file in opensm-subnet.lst opensm.fdbs; do
		sed -e "s/n00/io-n00/" "$small/$file" >files/$file || return 1
	done &&
	"$sfabric" import files --output io-cluster.snap &&
	"$sfabric" show hosts --snapshot io-cluster.snap -hP -o role >all &&
	sort -u all >actual && echo compute >expected && test_cmp expected actual'

test_done
