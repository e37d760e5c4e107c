# SPDX-License-Identifier: GPL-2.0-or-later
# directors.sh - what the cases of LANL's machines with three directors share
#
#   directors SPEC GUID MOVED TOTAL WHY [WHY_GUID]
#                    published, "-" where it was not: of TOTAL ports, routes from
#                    compute hosts to IO use GUID with io_guid_file, and MOVED with
#                    IO hosts moved

# worst NAME: what the worst block of 64 neighbors writes
worst () {
	round 1 "$(value gbs sfabric audit --snapshot $1.snap --block 64)"
}

# used NAME [ARG...]: ports of the upper spines that routes use
used () {
	used_name=$1
	shift
	value used sfabric plot --top --snapshot $used_name.snap "$@"
}

towards_io () {
	used $1 --from compute --to io --into
}

# one scale for a series
most_writes () {
	for most_name; do
		value max sfabric plot --top --snapshot $most_name.snap \
			--from compute --to io --into
	done | sort -n | tail -n 1
}

heat () {
	heat_name=$1 heat_title=$2
	shift 2
	picture $heat_name "$heat_title" --top --snapshot "$@"
}

# guids ROLE FILE: port GUIDs of these hosts, for OpenSM
guids () {
	sfabric show hosts --snapshot before.snap -h -P -o role,guid |
		sed -n "s/^$1|//p" >"$2"
}

fabrics () {
	fabric before $1 -R ftree
	fabric updn $1 -R updn
	fabric moved $1:place=moved -R ftree
	guids io io.guids
	guids compute cn.guids
	fabric both $1 -R ftree -G "$PWD/io.guids" -u "$PWD/cn.guids"
	sfabric whatif --snapshot before.snap --io-guid-file auto \
		--output guid.snap >whatif.out 2>&1 ||
		give_up "$(cat whatif.out)"
}

directors () {
	fabrics $1
	heat all 'Routes between all hosts, ftree' before.snap
	writes='--from compute --to io --into'
	writes="$writes --scale $(most_writes before guid moved)"
	heat io 'Writes to the IO hosts, as they are' before.snap $writes
	heat guid 'Writes with io_guid_file' guid.snap $writes
	heat moved 'Writes with IO hosts on different ports' moved.snap $writes

	row total 'ports of the upper spines' "$4" \
		"$(value total sfabric plot --top --snapshot before.snap)" "$5"
	row io '... used by routes from compute hosts to IO, ftree' - "$(towards_io before)"
	row io-guid '... with io_guid_file' "$2" "$(towards_io guid)" "${6-}"
	row io-both '... with io_guid_file and cn_guid_file' - "$(towards_io both)"
	row io-moved '... with IO hosts moved' "$3" "$(towards_io moved)"
	row ports '... used by all pairs, ftree' - "$(used before)" 'one per host'
	row ports-guid '... all pairs, io_guid_file' - "$(used guid)"
	row ports-moved '... all pairs, IO hosts moved' - "$(used moved)"
	row ports-updn '... all pairs, updn' - "$(used updn)"
	row worst 'worst 64 neighbors write, GB/s' - "$(worst before)" \
		'of 256 that 64 IO ports take'
	row worst-guid '... with io_guid_file' - "$(worst guid)"
	row worst-moved '... with IO hosts moved' - "$(worst moved)"
	row placed '64 nodes that sfabric chose' - "$(round 1 "$(value maxmin_gbs \
		sfabric place --snapshot before.snap -N 64 --traffic io-write)")"
}
