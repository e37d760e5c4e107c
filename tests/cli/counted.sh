# SPDX-License-Identifier: GPL-2.0-or-later
# counted.sh - counters of a fabric where jobs run, for tests that learn from them

counters=$SFAB_SRCDIR/tests/lib/counters.py

# counted JOBS [KEY=VALUE]: counters of a fabric where these jobs run; both ends of a
# link count
counted () {
	"$sfabric" top --jobs "$1" --top 100000 -hP -o switch,guid,port,to,to_port,load_gbs |
	awk -F'|' -v more="${2:+:$2}" '
		{ guid[$1] = $2; sends[$2 ":" $3] = $6; into[NR] = $4 "|" $5; x[NR] = $6 }
		END {
			for (i = 1; i <= NR; i++) {
				split(into[i], to, "|")
				if (to[1] in guid)
					gets[guid[to[1]] ":" to[2]] = x[i]
			}
			for (p in gets)
				sends[p] += 0
			for (p in sends)
				printf "%s:xmit=%.0f:rcv=%.0f%s\n", p, sends[p] * 1e9,
					gets[p] * 1e9, more
		}' | sort >rows &&
	test $(wc -l <rows) -gt 8 &&
	"$counters" some.snap $(cat rows)
}
