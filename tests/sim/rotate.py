#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""rotate.py SUBNET_LST TABLES HOST,HOST... <ANSWER: walks every pair of CBench's rotate

ANSWER is what `sfabric rotate --each --json` says of these hosts.  SUBNET_LST and
TABLES are OpenSM's own dumps of a fabric whose links are all alike.  Shares no code
with sfabric: pairs, routes and max-min shares (exact fractions) are worked out here.
Status 1 and a line for each figure that differs by more than 1e-8.
"""
import json
import sys
from collections import defaultdict
from fractions import Fraction

from steps import Fabric


def rotation(hosts, r):
    """CBench: the lower half sends to the upper half; an odd host is left out."""
    half = len(hosts) // 2
    for i in range(half):
        to = half + i + r
        yield hosts[i], hosts[to if to < 2 * half else to - half]


def shares(routes):
    """Max-min: again and again the fullest link settles the flows that cross it."""
    left = defaultdict(lambda: Fraction(1))
    share = [None] * len(routes)
    while None in share:
        users = defaultdict(list)
        for i, links in enumerate(routes):
            for link in links if share[i] is None else []:
                users[link].append(i)
        fullest = min(users, key=lambda link: left[link] / len(users[link]))
        level = left[fullest] / len(users[fullest])
        for i in users[fullest]:
            share[i] = level
            for link in routes[i]:
                left[link] -= level
    return share


def main():
    subnet, tables, hosts = sys.argv[1:]
    fabric, hosts = Fabric(subnet, tables), hosts.split(",")
    half, wrong, rows = len(hosts) // 2, 0, json.load(sys.stdin)["data"]["patterns"]
    rows = [row for row in rows if row["pattern"] == "rotate"]
    assert [row["rotation"] for row in rows] == list(range(half))
    for row in rows:
        pairs = list(rotation(hosts, row["rotation"]))
        routes = [[("out of", a), ("into", b), *fabric.route(a, b)] for a, b in pairs]
        share = shares(routes)
        expected = {"pairs": half, "mean_share": sum(share) / half,
                    "slowest_share": min(share), "worst_share": min(share)}
        for name, value in expected.items():
            if abs(row[name] - float(value)) > 1e-8:
                print(f"rotation {row['rotation']}, {name}: {row[name]} "
                      f"(expected {float(value)})")
                wrong += 1
    print(f"{4 * half} figures, {wrong} differ")
    sys.exit(wrong > 0 or not half)


if __name__ == "__main__":
    main()
