#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""steps.py SUBNET_LST TABLES JOBS <ANSWER: walks every step of every collective

ANSWER is what `sfabric predict --json` says.  SUBNET_LST and TABLES are OpenSM's own
dumps (opensm-lfts.dump or opensm.fdbs) of a fabric whose links are all alike, JOBS
the running jobs: lines of ID HOST,HOST... mpi=SHARE.  Shares no code with sfabric:
links, tables, patterns, loads and means are worked out here.  Status 1 and a line
for each figure that differs by more than 1e-8, as nine digits are printed, or by 3 %
where steps were sampled.
"""
import json
import re
import sys
from collections import Counter

END = re.compile(r"NodeGUID:(\w+) .*?\{(.*?)\} LID:(\w+) PN:(\w+)")
SWITCH = re.compile(r"[Ss]witch .*?(?:guid )?0x(\w{16})")
ENTRY = re.compile(r"0x(\w{4})\s*:?\s+(\d+)")


class Fabric:
    def __init__(self, subnet, tables):
        self.peer = {}		# (switch, port) -> (node, port)
        self.at = {}		# host -> (leaf, port)
        self.lid = {}		# host -> LID
        self.name = {}		# node GUID of a host -> its name
        self.out = {}		# switch -> {LID: port}
        with open(subnet) as lines:
            kinds = {self.cable(line) for line in lines if line.strip()}
        assert len(kinds) == 1, kinds
        with open(tables) as lines:
            self.read_tables(lines)

    def cable(self, line):
        one, other, kind = re.split(r"\} (?=\{ |PHY=)", line.strip())
        ends = []
        for text in one, other:
            guid, desc, lid, port = END.search(text + "}").groups()
            if re.match(r"\{ CA", text):
                self.name[guid] = desc.split()[0]
                self.lid[self.name[guid]] = int(lid, 16)
            ends.append((guid, int(port, 16)))
        for (a, b) in ends, ends[::-1]:
            if a[0] in self.name:
                self.at[self.name[a[0]]] = b
            else:
                self.peer[a] = b
        return kind

    def read_tables(self, lines):
        table = None
        for line in lines:
            if SWITCH.search(line) and not ENTRY.match(line):
                table = self.out.setdefault(SWITCH.search(line)[1], {})
            elif ENTRY.match(line):
                lid, port = ENTRY.match(line).groups()
                table[int(lid, 16)] = int(port)

    def route(self, src, dst):
        """The links between switches, as (switch, out port)."""
        switch, links = self.at[src][0], []
        while True:
            port = self.out[switch][self.lid[dst]]
            node = self.peer[switch, port][0]
            if node in self.name:
                assert self.name[node] == dst
                return links
            links.append((switch, port))
            assert len(links) < 64
            switch = node


def alltoall(n):
    for s in range(1, n):
        yield [(i, (i + s) % n) for i in range(n)]


def halving(n):
    power = 1
    while power * 2 <= n:
        power *= 2
    extra = n - power
    ranks = [i for i in range(n) if i % 2 or i >= 2 * extra]
    if extra:
        yield [(i, i + 1) for i in range(0, 2 * extra, 2)]
    d = 1
    while d < power:
        yield [(ranks[i], ranks[i ^ d]) for i in range(power)]
        d *= 2
    if extra:
        yield [(i + 1, i) for i in range(0, 2 * extra, 2)]


def ring(n):
    if n > 1:
        yield [(i, (i + 1) % n) for i in range(n)]


def uniform(n):
    """One step: everyone sends evenly to all others."""
    if n > 1:
        yield [pair for step in alltoall(n) for pair in step]


PATTERNS = {"alltoall": alltoall, "allreduce": halving, "ring": ring,
            "uniform": uniform}


def background(fabric, path):
    """What each link carries of the running jobs, in full links."""
    total = Counter()
    with open(path) as lines:
        for line in lines:
            _, nodes, traffic = line.split()
            nodes = nodes.split(",")
            each = float(traffic.removeprefix("mpi=")) / (len(nodes) - 1)
            for a in nodes:
                for b in nodes:
                    for link in fabric.route(a, b) if a != b else []:
                        total[link] += each
    return total


def walk(fabric, hosts, pairs, others):
    """(time over the ideal, loads) of a step: end ports carry one flow each, or as much
    in parts."""
    load = Counter()
    for a, b in pairs:
        load.update(fabric.route(hosts[a], hosts[b]))
    part = min(1, len(hosts) / len(pairs))
    full = {link: part * n + others[link] for link, n in load.items()}
    return max([1, *full.values()]), full


class Checker:
    def __init__(self):
        self.wrong = self.compared = 0

    def same(self, what, got, expected, within=1e-8):
        self.compared += 1
        expected = float(f"{expected:.9g}")	# as sfabric prints it
        if abs(got - expected) > within * max(1, abs(expected)):
            self.wrong += 1
            print(f"{what}: {got} (expected {expected})")

    def link(self, what, row, full):
        named = row["guid"].removeprefix("0x"), row["port"]
        self.same(what + " link", full.get(named, 0), row["worst"])

    def pattern(self, what, fabric, hosts, row, others):
        steps = list(PATTERNS[row["pattern"]](len(hosts)))
        alone = [walk(fabric, hosts, s, Counter()) for s in steps]
        among = [walk(fabric, hosts, s, others)[0] for s in steps]
        slow = [s for s, _ in alone]
        whole = row["looked"] == len(steps)
        within = 1e-8 if whole else 0.03
        self.same(what + " total", row["total"], len(steps))
        self.same(what + " mean", row["mean"], sum(slow) / len(steps), within)
        self.same(what + " among", row["among"], sum(among) / len(steps), within)
        if whole:
            self.same(what + " conflicts", row["conflicts"],
                      sum(s > 1 for s in slow))
            self.same(what + " worst", row["worst"], max(slow))
        if row["worst_step"] is not None:
            at = row["worst_step"] - 1
            self.same(what + " step", row["worst"], slow[at])
            self.link(what, row, alone[at][1])
        elif whole:
            self.same(what + " no conflict", max(slow), 1)


def expand(nodes):
    """A hostlist as sfabric folds it."""
    for part in re.findall(r"[^,\[]+(?:\[[^\]]*\])?", nodes):
        head, _, ranges = part.rstrip("]").partition("[")
        for item in ranges.split(",") if ranges else []:
            low, _, high = item.partition("-")
            for i in range(int(low), int(high or low) + 1):
                yield f"{head}{i:0{len(low)}d}"
        if not ranges:
            yield head


def main():
    subnet, tables, jobs = sys.argv[1:]
    fabric = Fabric(subnet, tables)
    others = background(fabric, jobs)
    data = json.load(sys.stdin)["data"]
    check = Checker()
    for choice in [dict(data, name="given")] + data["alternatives"]:
        hosts = sorted(expand(choice["nodes"]))
        for row in choice["steps"]:
            check.pattern(f"{choice['name']}, {row['pattern']}", fabric, hosts,
                          row, others)
    print(f"{check.compared} figures, {check.wrong} differ")
    sys.exit(check.wrong > 0 or check.compared == 0)


if __name__ == "__main__":
    main()
