#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""relabel.py SEED UPLINK <opensm-lfts.dump: other tables for the same cabling

On every leaf of a two-level tree the uplinks change places at random, for host
destinations only: each host is still reached through a spine, through another
one.  Leaves are the switches whose name has an L, wolf-L001; their uplinks are
the ports from UPLINK on.
"""
import random
import re
import sys

HEAD = re.compile(r"^Unicast lids .* guid (0x[0-9a-f]+) \('([^']*)'\)")
HOST = re.compile(r"^(0x[0-9a-f]+) ([0-9]{3}) (# Channel Adapter .*)")


def relabelled(lines, rng, first_uplink):
    """Lines of one leaf's table with its uplinks permuted."""
    ports = sorted({int(m[2]) for m in map(HOST.match, lines) if m
                    and int(m[2]) >= first_uplink})
    new = dict(zip(ports, rng.sample(ports, len(ports))))
    for line in lines:
        m = HOST.match(line)
        if m and int(m[2]) in new:
            line = "%s %03d %s\n" % (m[1], new[int(m[2])], m[3])
        yield line


def tables(lines):
    """Groups of lines, each beginning with the head of a table."""
    group = []
    for line in lines:
        if HEAD.match(line) and group:
            yield group
            group = []
        group.append(line)
    yield group


def main():
    rng = random.Random(sys.argv[1])
    for table in tables(sys.stdin):
        head = HEAD.match(table[0])
        if head and "-L" in head[2]:
            sys.stdout.writelines(relabelled(table, rng, int(sys.argv[2])))
        else:
            sys.stdout.writelines(table)


if __name__ == "__main__":
    main()
