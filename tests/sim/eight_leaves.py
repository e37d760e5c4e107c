#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""eight_leaves.py COUNT IOHOSTS <netlist: COUNT lists of 64 compute hosts

Each list has 8 hosts on each of 8 leaves, drawn with a fixed seed.  IOHOSTS is
the number of IO hosts: the ones with the highest numbers.
"""
import random
import re
import sys

SWITCH = re.compile(r'^Switch\t\d+ "(S-\w+)"')
HOST = re.compile(r'^\[\d+\]\t"H-.*# "(\S+) ')


def hosts_by_leaf(lines):
    leaves = {}
    switch = None
    for line in lines:
        if SWITCH.match(line):
            switch = SWITCH.match(line)[1]
        elif switch and HOST.match(line):
            leaves.setdefault(switch, []).append(HOST.match(line)[1])
    return leaves


def main():
    count, nio = int(sys.argv[1]), int(sys.argv[2])
    leaves = hosts_by_leaf(sys.stdin)
    names = sorted(name for hosts in leaves.values() for name in hosts)
    compute = set(names[:len(names) - nio])
    free = [[h for h in hosts if h in compute] for hosts in leaves.values()]
    rng = random.Random(64)
    for _ in range(count):
        chosen = rng.sample([hosts for hosts in free if len(hosts) >= 8], 8)
        print(",".join(h for hosts in chosen for h in rng.sample(hosts, 8)))


if __name__ == "__main__":
    main()
