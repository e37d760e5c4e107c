#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""certificate.py SUBNET_LST TABLES JOBS IO <ANSWER: certificates by walks of pairs

ANSWER is what `sfabric predict --json` or `sfabric place --json` says.  SUBNET_LST
and TABLES are OpenSM's own dumps of a fabric whose links are all alike, JOBS the
running jobs: lines of ID HOST,HOST... TRAFFIC.  IO: the IO hosts, with commas, or -.
Works out which links each job loads, pair by pair, and which steps wait for a link
between switches, with the walk of steps.py: no code is shared with sfabric.  Status 1
and a line for each figure that differs.
"""
import json
import re
import sys
from collections import Counter

from steps import PATTERNS, Fabric, expand, walk

SAME = 1e-6	# loads that differ by less are equal


def parts(traffic):
    for part in filter(None, traffic.split("+")):
        name, share = part.split("=")
        yield re.match("[a-z-]+", name)[0], float(share)


def pairs(kind, hosts, io):
    """(source, destination, part of the share) of each flow."""
    n = len(hosts)
    if kind == "mpi":
        return [(a, b, 1 / (n - 1)) for a in hosts for b in hosts if a != b]
    if kind == "neighbor":
        return [(hosts[i], hosts[(i + d) % n], 0.5)
                for i in range(n) for d in (1, -1) if n > 1]
    flows = [(a, b, 1 / len(io)) for a in hosts for b in io]
    return flows if kind == "io-write" else [(b, a, x) for a, b, x in flows]


def load(fabric, hosts, traffic, io):
    total = Counter()
    for kind, share in parts(traffic):
        for a, b, part in pairs(kind, hosts, io):
            for link in fabric.route(a, b) if share else []:
                total[link] += share * part
    return total


class Certificates:
    def __init__(self, fabric, jobs, io):
        self.fabric, self.jobs, self.io = fabric, jobs, io
        self.wrong = self.compared = 0

    def same(self, what, got, expected):
        self.compared += 1
        if got != expected:
            self.wrong += 1
            print(f"{what}: {got} (expected {expected})")

    def shares(self, what, c, own):
        met = {i: sum(x for link, x in job.items() if link in own)
               for i, job in self.jobs.items()}
        met = {i: x for i, x in met.items() if x > 0}
        full = {link: x + sum(job[link] for job in self.jobs.values())
                for link, x in own.items()
                if any(job[link] > 0 for job in self.jobs.values())}
        self.same(what + " links", c["links"], len(own))
        self.same(what + " running", c["running"], len(self.jobs))
        self.same(what + " shared links", c["shared_links"], len(full))
        self.same(what + " sharing", c["sharing"], len(met))
        self.named(what, c, met, full)
        return len(own), len(full), len(met)

    def named(self, what, c, met, full):
        """Which of several equal ones is named is up to sfabric."""
        loads = sorted(met.values(), reverse=True)[:8]
        got = [met.get(i, 0) for i in c["jobs"]]
        self.same(what + " jobs", len(set(c["jobs"])), len(loads))
        self.same(what + " jobs in order", True, len(got) == len(loads) and
                  all(abs(x - y) <= SAME * y for x, y in zip(got, loads)))
        link = c["fullest"]
        if link:
            at = link["guid"].removeprefix("0x"), link["port"]
            self.same(what + " fullest", True,
                      full.get(at, 0) >= max(full.values()) * (1 - SAME))
        self.same(what + " any fullest", link is not None, bool(full))

    def steps(self, what, c, hosts, traffic):
        kinds = {kind for kind, share in parts(traffic) if share}
        names = ([p for p in PATTERNS if p != "uniform"] if "mpi" in kinds else
                 ["ring"] if "neighbor" in kinds else [])
        self.same(what + " patterns", [x["pattern"] for x in c["steps"]], names)
        total = looked = clear = 0
        for row in c["steps"]:
            clear += row["looked"] - self.pattern(what, row, hosts)
            total, looked = total + row["total"], looked + row["looked"]
        return total, looked, clear

    def pattern(self, what, row, hosts):
        """Conflicts of the pattern, as sfabric says where it took a sample."""
        what = f"{what}, {row['pattern']}"
        slow = [walk(self.fabric, hosts, s, Counter())[0]
                for s in PATTERNS[row["pattern"]](len(hosts))]
        self.same(what + " total", row["total"], len(slow))
        if row["worst_step"] is not None:
            self.same(what + " worst", row["worst"], slow[row["worst_step"] - 1])
        if row["looked"] == row["total"]:
            self.same(what + " conflicts", row["conflicts"],
                      sum(s > 1 for s in slow))
            self.same(what + " slowest", row["worst"], max([1, *slow]))
        else:
            self.same(what + " sampled", row["looked"] < row["total"], True)
        return row["conflicts"]

    def sentence(self, c, shares, steps):
        gbs = {x["class"]: f"alone {round(x['gbs'], 1):g} of {round(x['of_gbs'], 1):g} GB/s, "
               for x in c["io"]}
        alike = len(set(gbs.values())) == 1
        io = "".join(f"{'IO' if alike else name} {x}"
                     for name, x in list(gbs.items())[:1 if alike else 2])
        (links, shared, sharing), (total, looked, clear) = shares, steps
        if not links:
            return io + "uses no switch link"
        sampled = f" sampled of {total}" if looked < total else ""
        text = io + (f"{clear} of {looked}{sampled} step{'s' * (total > 1)} clear, "
                     if total else "")
        jobs = f"{len(self.jobs)} running job{'s' * (len(self.jobs) > 1)}"
        if not self.jobs:
            return text + "shares no switch link at its start (no other job runs)"
        if not sharing:
            return text + f"shares no switch link with {jobs} at its start"
        return text + (f"shares {shared} switch link{'s' * (shared > 1)} with "
                       f"{sharing} of {jobs} at its start")

    def check(self, what, nodes, c, traffic):
        hosts = sorted(expand(nodes))
        own = load(self.fabric, hosts, traffic, self.io)
        shares = self.shares(what, c, own)
        steps = self.steps(what, c, hosts, traffic)
        self.same(what + " text", c["text"], self.sentence(c, shares, steps))


def main():
    subnet, tables, jobs, io = sys.argv[1:]
    io = [] if io == "-" else io.split(",")
    fabric = Fabric(subnet, tables)
    with open(jobs) as lines:
        jobs = {int(i): load(fabric, sorted(nodes.split(",")), traffic, io)
                for i, nodes, traffic in map(str.split, lines)}
    data = json.load(sys.stdin)["data"]
    check = Certificates(fabric, jobs, io)
    for choice in [dict(data, name="choice")] + data["alternatives"]:
        check.check(choice["name"], choice["nodes"], choice["certificate"],
                    data["traffic"])
    print(f"{check.compared} figures, {check.wrong} differ")
    sys.exit(check.wrong > 0 or check.compared == 0)


if __name__ == "__main__":
    main()
