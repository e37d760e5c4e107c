# SPDX-License-Identifier: GPL-2.0-or-later
# every.sh - a question to every command that reads a snapshot
#
#   every FUNCTION     calls FUNCTION COMMAND WORD... for each of them, until one
#                      fails; $every_hosts are two hosts
#   every_files [SWITCH...]
#                      makes what they read besides; GUIDs of switches of which
#                      port 1 was counted
#
# tests/cli/every.t holds that no command is left out.  whatif asks OpenSM and is
# tried by tests/sim/whatif.t.
every () {
	every_a=${every_hosts%,*} every_b=${every_hosts#*,}
	"$1" show fabric && "$1" show switches && "$1" show hosts &&
	"$1" show links && "$1" show io && "$1" show jobs --jobs every.jobs &&
	"$1" show classes &&
	"$1" show packing &&
	"$1" show counters --counters every.counters &&
	"$1" route "$every_a" "$every_b" &&
	"$1" load --from compute --to io &&
	"$1" plot --from "$every_hosts" --to io &&
	"$1" plot --jobs every.jobs &&
	"$1" audit --counters every.counters &&
	"$1" place -N 2 --traffic io-write && "$1" predict --nodes "$every_hosts" \
		--traffic mpi &&
	"$1" top --jobs every.jobs --counters every.counters &&
	"$1" rotate --rotations 2 --bisections 1 &&
	"$1" order --nodes "$every_hosts" &&
	"$1" topology generate && "$1" topology diff every.topology &&
	"$1" replay --jobs 20 --load-factor 1 &&
	"$1" metrics --counters every.counters &&
	"$1" web --jobs every.jobs --counters every.counters &&
	"$1" explain 3 --log every.log
}

every_files () {
	test $# != 0 || set -- 0x0002c90200400020 0x0002c90200400000
	echo "11 $every_hosts mpi=0.5" >every.jobs &&
	echo "SwitchName=a Nodes=$every_hosts,gone" >every.topology &&
	printf '{"event":"start","job":3,"running":1,"n":2,"nodes":"%s",%s}\n' \
		"$every_hosts" '"reason":"placed","traffic":"mpi=1"' >every.log &&
	"$SFAB_SRCDIR/tests/lib/counters.py" every.counters \
		$(printf "%s:1:xmit=3e9:rcv=1e9:wait=0.25:discards=7 " "$@")
}
