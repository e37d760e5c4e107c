# SPDX-License-Identifier: GPL-2.0-or-later
# fabrics.sh - the fabrics of `make bench`, each routed by the real OpenSM
#
#   bench_names            fabrics to measure, one a line
#   bench_engines          routing engines to ask for
#   bench_missing          what is not installed; status 1: nothing
#   bench_tables NAME ENGINE
#                          make that fabric's tables unless they are there, and
#                          print their folder, which then holds
#                              net        the netlist
#                              engine     the engine that OpenSM really used
#                              same       empty, or an engine asked for before
#                                         that gave the same tables
#                              map        node-name map, where there is one
#                              opensm-subnet.lst, opensm-lfts.dump, ...
#
# Tables are kept below $SFAB_BENCH_DIR (default: bench-work in the build
# directory); remove that folder to route anew.

. "$SFAB_SRCDIR/tests/lib/sim.sh"
SFAB_BENCH_DIR=${SFAB_BENCH_DIR:-$SFAB_BUILDDIR/bench-work}
bench_shared=$SFAB_SRCDIR/../shared/fabrics

bench_log () {
	echo "bench: $*" >&2
}

bench_names () {
	printf '%s\n' wolf tapered ft1600 ft5184
	for bench_file in "$bench_shared"/*.ibnetdiscover; do
		test -f "$bench_file" && basename "$bench_file" .ibnetdiscover
	done
}

bench_engines () {
	printf '%s\n' minhop ftree updn dfsssp
}

bench_missing () {
	sim_missing && return 0
	test -x "$SFAB_BUILDDIR/tools/sfabric" && return 1
	echo "$SFAB_BUILDDIR/tools/sfabric is not built"
}

# What `sfabric synth` is asked for.
bench_spec () {
	case $1 in
	tapered) echo tree:hosts=648,radix=36,taper=2 ;;
	*) echo "$1" ;;
	esac
}

# bench_net NAME DIR: netlist, and node-name map where names need one
bench_net () {
	if test -f "$bench_shared/$1.ibnetdiscover"; then
		cp "$bench_shared/$1.ibnetdiscover" "$2/net" || return 1
		test ! -f "$bench_shared/$1.node-name-map" ||
			cp "$bench_shared/$1.node-name-map" "$2/map"
	else
		"$SFAB_BUILDDIR/tools/sfabric" synth "$(bench_spec "$1")" \
			--output "$2/net"
	fi
}

# bench_levels NET: "root GUID" of each switch that has none above it, "leaf" or
# "other GUID" of each host port on a leaf or elsewhere.  A switch is a leaf if
# many of its cables lead to hosts: some sites plug a few into spines too.
bench_levels () {
	awk -F'"' '
		/^Switch/ { at = $2; hosts[at] = cables[at] = 0 }
		/^Ca/ { at = "" }
		at != "" && /^\[/ && $4 !~ /Aggregation Node/ {
			cables[at]++
			if ($2 ~ /^S-/) {
				peers[at] = peers[at] " " $2
			} else {
				split($3, part, /[()]/)
				hosts[at]++
				ports[at] = ports[at] " 0x" part[2]
			}
		}
		END {
			for (s in hosts)
				rank[s] = 4 * hosts[s] > cables[s] ? 0 : -1
			for (top = found = 0; found == top; top++)
				for (s in rank) {
					n = rank[s] == top ? split(peers[s], peer, " ") : 0
					for (i = 1; i <= n; i++)
						if (rank[peer[i]] < 0) {
							rank[peer[i]] = top + 1
							found = top + 1
						}
				}
			for (s in rank) {
				root = rank[s] > 0
				n = split(peers[s], peer, " ")
				for (i = 1; i <= n; i++)
					if (rank[peer[i]] > rank[s])
						root = 0
				if (root)
					print "root 0x" substr(s, 3)
				n = split(ports[s], port, " ")
				for (i = 1; i <= n; i++)
					print rank[s] ? "other" : "leaf", port[i]
			}
		}' "$1"
}

# bench_ftree_options: files for what ftree cannot find out by itself
bench_ftree_options () {
	bench_levels net >levels &&
	sed -n 's/^root //p' levels >roots &&
	sed -n 's/^leaf //p' levels >leaf-ports || return 1
	test ! -s roots || echo "-a $PWD/roots"
	! grep -q '^other' levels || echo "-u $PWD/leaf-ports"
}

# bench_route DIR ENGINE
bench_route () {
	(
		cd "$1" || exit 1
		bench_options=
		test "$2" != ftree || bench_options=$(bench_ftree_options) || exit 1
		sim_route net . -R "$2" $bench_options >used
	)
}

bench_tables () {
	bench_dir=$SFAB_BENCH_DIR/tables/$1/$2
	test -f "$bench_dir/engine" && echo "$bench_dir" && return
	rm -rf "$bench_dir" && mkdir -p "$bench_dir" || return 1
	bench_log "routing $1 by $2"
	bench_net "$1" "$bench_dir" && bench_route "$bench_dir" "$2" &&
	rm -f "$bench_dir"/*ca-order.dump "$bench_dir/opensm-lid-matrix.dump" &&
	bench_same "$1" "$2" >"$bench_dir/same" &&
	mv "$bench_dir/used" "$bench_dir/engine" && echo "$bench_dir"
}

# bench_same NAME ENGINE: where OpenSM fell back tables may be there already
bench_same () {
	for bench_other in $(bench_engines); do
		test "$bench_other" != "$2" || break
		cmp -s "$SFAB_BENCH_DIR/tables/$1/$bench_other/opensm-lfts.dump" \
			"$SFAB_BENCH_DIR/tables/$1/$2/opensm-lfts.dump" || continue
		echo "$bench_other"
		break
	done
}
