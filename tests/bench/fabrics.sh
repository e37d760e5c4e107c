# SPDX-License-Identifier: GPL-2.0-or-later
# fabrics.sh - the fabrics of `make bench`, each routed by the real OpenSM
#
#   bench_names            fabrics to measure, one a line
#   bench_engines          routing engines to ask for
#   bench_missing          what is not installed; status 1: nothing
#   bench_tables NAME ENGINE
#                          make that fabric's tables unless they are there, and
#                          print their folder, which then holds
#                              fabric.snap, opensm-subnet.lst
#                              engine     the engine that OpenSM really used
#                              same       empty, or an engine asked for before
#                                         that gave the same tables
#   bench_texts NAME ENGINE
#                          the same, and the tables as OpenSM dumped them
#   bench_far NAME ENGINE PERCENT
#                          the ibdiagnet2.far of these tables if switches adapted and
#                          PERCENT of the LIDs stayed static
#
# NAME-ports is the fabric NAME with each host port a host of its own.  Tables
# are kept below $SFAB_BENCH_DIR (default: bench-work in the build directory);
# remove that folder to route anew.

. "$SFAB_SRCDIR/tests/lib/sim.sh"
SFAB_BENCH_DIR=${SFAB_BENCH_DIR:-$SFAB_BUILDDIR/bench-work}
bench_shared=$SFAB_SRCDIR/../shared/fabrics

bench_log () {
	echo "bench: $*" >&2
}

bench_names () {
	printf '%s\n' wolf tapered ft1600 ft5184
	test -d "$bench_shared" || return 0
	for bench_file in "$bench_shared"/*.ibnetdiscover; do
		basename "$bench_file" .ibnetdiscover
	done
	echo selene-compute-ports
}

bench_engines () {
	printf '%s\n' minhop ftree updn dfsssp
}

bench_missing () {
	sim_missing && return 0
	test -x "$SFAB_BUILDDIR/tools/sfabric" && return 1
	echo "$SFAB_BUILDDIR/tools/sfabric is not built"
}

# What `sfabric synth`, or tests/lib/shapes.py, is asked for.
bench_spec () {
	case $1 in
	tapered) echo tree:hosts=648,radix=36,taper=2 ;;
	rails) echo tree:hosts=324,ports=2,radix=36 ;;
	ft2592) echo tree:hosts=2592,radix=24,levels=3 ;;
	torus) echo torus:dims=6x6x6,leaf=2 ;;
	torus2) echo torus:dims=16x16,leaf=4 ;;
	hypercube) echo torus:dims=2x2x2x2x2x2,leaf=4 ;;
	dragonfly) echo dragonfly:toplinks=3 ;;
	dragonfly-plus) echo dragonfly-plus:pods=13,leaves=78,spines=78 ;;
	islands) echo tree:hosts=256,ports=8,radix=32,levels=3,leaf=16,leaves=128,pods=8,mids=16,spines=128,toplinks=2 ;;
	graph) echo random:leaves=64,links=8,leaf=4 ;;
	*) echo "$1" ;;
	esac
}

# bench_net NAME DIR: netlist, and node-name map where names need one
bench_net () {
	bench_from=$bench_shared/${1%-ports}
	if test -f "$bench_from.ibnetdiscover"; then
		cp "$bench_from.ibnetdiscover" "$2/net" || return 1
		test ! -f "$bench_from.node-name-map" ||
			cp "$bench_from.node-name-map" "$2/map"
	else
		bench_made=$(bench_spec "$1")
		case $bench_made in
		torus* | dragonfly* | random*)
			"$SFAB_SRCDIR/tests/lib/shapes.py" "$bench_made" >"$2/net" ;;
		*)
			"$SFAB_BUILDDIR/tools/sfabric" synth "$bench_made" --output "$2/net" ;;
		esac || return 1
	fi
	case $1 in
	*-ports) bench_ports_map "$2/net" >"$2/map" ;;
	esac
}

# bench_ports_map NET: "node mlx5_0" becomes the host "node.mlx5_0"
bench_ports_map () {
	awk -F'"' '/^Ca/ && $4 !~ /Aggregation Node/ {
		name = $4
		sub(/ +$/, "", name)
		gsub(/ +/, ".", name)
		print "0x" substr($2, 3) " \"" name "\""
	}' "$1"
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

# bench_torus_options NAME: torus-2QoS wants the sizes and a cable of each dimension.
# shapes.py numbers switches along the first dimension, then the second, GUIDs 8 apart.
bench_torus_options () {
	bench_spec "$1" | sed -n 's/.*dims=\([^,]*\).*/\1/p' | awk -F x '
		function guid(n) { return sprintf("0x0002c902%08x", 4194304 + 8 * n) }
		NF == 2 || NF == 3 {
			print "torus", $1, $2, (NF > 2 ? $3 : 1)
			step = 1
			for (i = 1; i <= NF; step *= $(i++))
				print substr("xyz", i, 1) "p_link", guid(0), guid(step)
		}' >torus.conf
	echo "-Q --torus_config $PWD/torus.conf"
}

# bench_route DIR ENGINE NAME
bench_route () {
	(
		cd "$1" || exit 1
		bench_options=
		test "$2" != ftree || bench_options=$(bench_ftree_options) || exit 1
		test "$2" != torus-2QoS || bench_options=$(bench_torus_options "$3") || exit 1
		sim_route net . -R "$2" $bench_options >used
	)
}

# What fabric and tables come from is large and seldom needed again.
bench_tidy () {
	rm -f "$1"/opensm-lfts.dump "$1"/opensm.fdbs "$1"/opensm.mcfdbs \
		"$1"/opensm-lid-matrix.dump "$1"/*ca-order.dump
}

bench_import () {
	"$SFAB_BUILDDIR/tools/sfabric" import --engine "$(cat "$1/used")" \
		$(test ! -f "$1/map" || echo "--node-name-map=$1/map") \
		--output "$1/fabric.snap" \
		"$1/opensm-subnet.lst" "$1/opensm-lfts.dump" \
		>"$1/import.log" 2>&1 || { cat "$1/import.log" >&2; return 1; }
}

# bench_make NAME ENGINE: in $bench_dir
bench_make () {
	rm -rf "$bench_dir" && mkdir -p "$bench_dir" || return 1
	bench_log "routing $1 by $2"
	bench_net "$1" "$bench_dir" && bench_route "$bench_dir" "$2" "$1" &&
	bench_import "$bench_dir" &&
	cksum <"$bench_dir/opensm-lfts.dump" >"$bench_dir/sum" &&
	bench_same "$1" "$2" >"$bench_dir/same" &&
	mv "$bench_dir/used" "$bench_dir/engine"
}

# Are they there, in a format that this program reads?
bench_have () {
	test -f "$bench_dir/engine" &&
	"$SFAB_BUILDDIR/tools/sfabric" show fabric \
		--snapshot "$bench_dir/fabric.snap" >/dev/null 2>&1
}

bench_tables () {
	bench_dir=$SFAB_BENCH_DIR/tables/$1/$2
	bench_have ||
		{ bench_make "$1" "$2" && bench_tidy "$bench_dir"; } || return 1
	echo "$bench_dir"
}

bench_texts () {
	bench_dir=$SFAB_BENCH_DIR/tables/$1/$2
	bench_have && test -f "$bench_dir/opensm-lfts.dump" ||
		bench_make "$1" "$2" || return 1
	echo "$bench_dir"
}

# bench_same NAME ENGINE: where OpenSM fell back tables may be there already
bench_same () {
	for bench_other in $(bench_engines); do
		test "$bench_other" != "$2" || break
		cmp -s "$SFAB_BENCH_DIR/tables/$1/$bench_other/sum" \
			"$SFAB_BENCH_DIR/tables/$1/$2/sum" || continue
		echo "$bench_other"
		break
	done
}

bench_far () {
	far=$SFAB_BENCH_DIR/far/$1-$2-$3.far
	test -s "$far" || {
		dir=$(bench_texts "$1" "$2") && mkdir -p "$SFAB_BENCH_DIR/far" &&
		"${PYTHON:-/usr/bin/python3}" "$SFAB_SRCDIR/tests/lib/far_tables.py" \
			"$dir/opensm-subnet.lst" "$dir/opensm-lfts.dump" "$3" 1 >"$far.new" &&
		mv "$far.new" "$far"
	} && echo "$far"
}
