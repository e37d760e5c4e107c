#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""OpenSM's tables as if switches adapted: ibdiagnet2.far.

    far_tables.py SUBNET_LST LFTS_DUMP PERCENT SEED >ibdiagnet2.far

Each switch may send a LID by any of its ports on a shortest way to it.  PERCENT
of the end ports' LIDs, drawn by SEED, stay static: they keep the table's port.
"""

import random
import re
import sys
from collections import deque

END = re.compile(r"\{ (SW|CA)\S* Ports:\S+ \S+ NodeGUID:(\S+) PortGUID:\S+ .*?"
                 r"\} LID:(\S+) PN:(\S+) \}")


def read_subnet(path):
    """{switch: {port: switch}}, {lid: switch}, end LIDs."""
    ways, home, ends = {}, {}, []
    for line in open(path, errors="replace"):
        (kind, guid, lid, port), (to_kind, to, to_lid, _) = END.findall(line)
        if kind == "SW":
            ways.setdefault(guid, {})
            home[int(lid, 16)] = guid
            if to_kind == "SW":
                ways[guid][int(port, 16)] = to
            else:
                home[int(to_lid, 16)] = guid
                ends.append(int(to_lid, 16))
    return ways, home, ends


def read_tables(path):
    tables, guid = {}, None
    for line in open(path, errors="replace"):
        if line.startswith("Unicast"):
            guid = re.search(r"guid 0x([0-9a-f]+)", line).group(1)
            tables[guid] = []
        elif line.startswith("0x"):
            lid, port = line.split()[:2]
            tables[guid].append((int(lid, 16), int(port)))
    return tables


def hops_to(ways, switch):
    hops, queue = {switch: 0}, deque([switch])
    while queue:
        at = queue.popleft()
        for to in ways[at].values():
            if to not in hops:
                hops[to] = hops[at] + 1
                queue.append(to)
    return hops


def write_switch(guid, rows, ways, home, hops, static):
    groups, lines = {}, []
    for lid, port in rows:
        to = home.get(lid)
        near = to and to != guid and tuple(sorted(
            p for p, peer in ways[guid].items()
            if hops[to].get(peer, 99) + 1 == hops[to].get(guid, 99)))
        if not near or len(near) == 1 or lid in static:
            lines.append(f"0x{lid:04x} {port} Static 0")
            continue
        group = groups.setdefault(near, len(groups) + 1)
        lines.append(f"0x{lid:04x} {port} Free {group}")
    print(f"Switch 0x{guid}\nGroups Definition:\nGroup SubGroup WHBF Ports\n" + 40 * "-")
    for ports, group in groups.items():
        print(f"{group} 0 0 {','.join(map(str, ports))}")
    print("LFT Definition:\nLID StaticPort LidState Group\n" + 40 * "-")
    print("\n".join(lines))


def main(subnet, dump, percent, seed):
    ways, home, ends = read_subnet(subnet)
    ends.sort()
    random.seed(int(seed))
    static = set(random.sample(ends, len(ends) * int(percent) // 100))
    hops = {switch: hops_to(ways, switch) for switch in set(home.values())}
    for guid, rows in read_tables(dump).items():
        write_switch(guid, rows, ways, home, hops, static)


main(*sys.argv[1:])
