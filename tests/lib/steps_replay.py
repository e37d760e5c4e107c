#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""steps_replay.py SUBNET_LST TABLES SHARE SIZE... <ANSWER: replayed jobs in steps

ANSWER is what `sfabric replay --policy contiguous --json` says of jobs of SIZE nodes
that start one after the other, none of which ends before the last starts.  So they
hold the first hosts by name, then the next ones.  Works out by itself, with the walk
of steps.py, how collectives of SHARE of the rate fare on them when they start.
Status 1 and a line for each figure that differs.  At most 129 nodes, or steps are
sampled.
"""
import json
import sys
from collections import Counter

from steps import PATTERNS, Checker, Fabric, walk

WEIGHTS = {"alltoall": 0.3, "allreduce": 0.4, "ring": 0.1, "uniform": 0.2}
CLEAR = 1.05


def mean_load(fabric, hosts, share):
    load = Counter()
    for a in hosts:
        for b in hosts:
            if a != b:
                for link in fabric.route(a, b):
                    load[link] += share / (len(hosts) - 1)
    return load


def slowdown(fabric, hosts, share, others):
    """Mean over patterns of the mean over steps."""
    total = 0
    for name, weight in WEIGHTS.items():
        slow = []
        for pairs in PATTERNS[name](len(hosts)):
            _, flows = walk(fabric, hosts, pairs, Counter())
            slow.append(max([1] + [share * n + others[link]
                                   for link, n in flows.items()]))
        total += weight * (sum(slow) / len(slow) if slow else 1)
    return total


def expected(fabric, share, sizes):
    """A row of the answer."""
    names, running, jobs = sorted(fabric.lid), Counter(), []
    for size in sizes:
        hosts, names = names[:size], names[size:]
        load = mean_load(fabric, hosts, share)
        jobs.append((slowdown(fabric, hosts, share, Counter()),
                     slowdown(fabric, hosts, share, running),
                     bool(load), any(running[link] > 0 for link in load)))
        running.update(load)
    alone, total, apart, shared = zip(*jobs)
    n = len(jobs)
    return {"steps_jobs": n, "steps_apart": sum(apart),
            "steps_clear": sum(a <= CLEAR for a, _, far, _ in jobs if far) / sum(apart),
            "steps_alone_mean": sum(alone) / n, "steps_alone_max": max(alone),
            "steps_total_mean": sum(total) / n, "steps_total_max": max(total),
            "steps_between_mean": sum(total) / n - sum(alone) / n,
            "sharing_jobs": sum(shared),
            "sharing": sum(shared) / n}


def main():
    subnet, tables, share, *sizes = sys.argv[1:]
    fabric = Fabric(subnet, tables)
    row = json.load(sys.stdin)["data"]["results"][0]
    check = Checker()
    for field, value in expected(fabric, float(share), [int(s) for s in sizes]).items():
        # loads of running jobs are whole bytes/s
        check.same(field, row[field], value, 1e-7)
        print(field, row[field])
    sys.exit(check.wrong > 0 or not row["steps_between_mean"] > 0)


if __name__ == "__main__":
    main()
