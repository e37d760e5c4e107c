#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# sizes.sh - what jobs gain that leave their number of nodes open, on an idle machine
#
#     sizes.sh
#
# 40 jobs of M nodes on Wolf: with -N M, and with -N M/2-M.  Prints, for each traffic,
# score per node, run time for the same work (ideal on M nodes: 1) and steps, with the
# range and without.
: "${SFAB_SRCDIR:?}" "${SFAB_BUILDDIR:?}"
. "$SFAB_SRCDIR/tests/bench/fabrics.sh"
table=$(bench_tables wolf ftree) || exit 1
printf 'Packing=columns\n' >"$SFAB_BENCH_DIR/sizes.conf"
SFABRIC_CONF=$SFAB_BENCH_DIR/sizes.conf SFABRIC_SNAPSHOT=$table/fabric.snap
export SFABRIC_CONF SFABRIC_SNAPSHOT
exec "${PYTHON:-/usr/bin/python3}" - "$SFAB_BUILDDIR/tools/sfabric" <<'EOT'
import json, random, subprocess, sys

def place(nodes, traffic):
    run = [sys.argv[1], "place", "--json", "-N", nodes]
    answer = json.loads(subprocess.check_output(run + ["--traffic", traffic] * bool(traffic)))
    data, n = answer["data"], len(answer["data"]["node_list"])
    return n, data["score"]["total"] / n, data["score"]["slowdown"] / n, answer["meta"]["steps"]

sizes = random.Random(5)
sizes = [sizes.randrange(20, 129) for _ in range(40)]
for traffic in "", "mpi=0.5", "mpi=1":
    fixed = [place(str(m), traffic) for m in sizes]
    free = [place(f"{m // 2}-{m}", traffic) for m in sizes]
    print("%-10s fewer nodes %2d of %d, lost / fixed %.3f, time / fixed %.4f, steps %.2f" % (
        traffic or "default", sum(a[0] < b[0] for a, b in zip(free, fixed)), len(sizes),
        sum(a[1] for a in free) / sum(b[1] for b in fixed),
        sum(a[2] / b[2] for a, b in zip(free, fixed)) / len(sizes),
        sum(a[3] for a in free) / sum(b[3] for b in fixed)))
EOT
