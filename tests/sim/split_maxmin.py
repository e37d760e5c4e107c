#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""split_maxmin.py SUBNET_LST FAR IO,... GB/S HOST,... CLASS

Throughput in GB/s of all flows between the hosts and the IO hosts, "MAXMIN LOCKSTEP",
where switches share packets evenly over groups of ports (ibdiagnet2.far).  CLASS is
io-write or io-read.  Shares no code with sfabric: the files are read, the routes walked
and the bandwidth shared out here.  GB/S: what an IO host can take; all links are 4x QDR.
"""

import re
import sys
from collections import defaultdict

LINK = 4.0      # GB/s
END = re.compile(r"\{ (SW|CA)\S* Ports:\S+ \S+ NodeGUID:(\S+) PortGUID:\S+ .*?"
                 r"\{([^ }]+)[^}]*\} LID:(\S+) PN:(\S+) \}")


class Subnet:
    def __init__(self, subnet, far):
        self.to, self.lid, self.at, self.way = {}, {}, {}, {}
        for line in open(subnet):
            (kind, guid, name, lid, port), (to_kind, to, *_) = END.findall(line)
            if kind == "SW":
                self.to[guid, int(port, 16)] = to
            else:
                self.lid[name], self.at[name] = int(lid, 16), (guid, to)
        for line in open(far):
            word = line.split()
            if word[0] == "Switch":
                guid, groups = word[1][2:], {}
            elif word[0].startswith("0x"):
                ports = groups[word[3]] if word[2] == "Free" else [word[1]]
                self.way[guid, int(word[0], 16)] = [int(p) for p in ports]
            elif word[0].isdigit():
                groups[word[0]] = word[3].split(",")

    def route(self, source, target):
        """{link: part of the packets}."""
        (card, first), lid = self.at[source], self.lid[target]
        parts, front = {("host", card): 1.0}, {first: 1.0}
        for _ in range(10):
            following = defaultdict(float)
            for switch, part in front.items():
                ports = self.way[switch, lid]
                for port in ports:
                    link = switch, port
                    parts[link] = parts.get(link, 0) + part / len(ports)
                    if self.to[link] != self.at[target][0]:
                        following[self.to[link]] += part / len(ports)
            front = following
            if not front:
                return parts
        raise ValueError(f"{source} to {target}: no end")


def maxmin(routes, capacity):
    """All flows grow alike; at each step the resource that is full first stops its own."""
    left = dict(capacity)
    grows, rate, level = set(range(len(routes))), [0.0] * len(routes), 0.0
    users, weight = defaultdict(list), defaultdict(float)
    for i in grows:
        for link, part in routes[i].items():
            users[link].append(i)
            weight[link] += part
    while grows:
        busy = [link for link in weight if weight[link] > 1e-9]
        step = min(left[link] / weight[link] for link in busy)
        level += step
        full = [link for link in busy if left[link] / weight[link] <= step * (1 + 1e-12)]
        for link in busy:
            left[link] -= step * weight[link]
        for i in {i for link in full for i in users[link] if i in grows}:
            grows.remove(i)
            rate[i] = level
            for link, part in routes[i].items():
                weight[link] -= part
    return sum(rate)


def lockstep(routes, capacity):
    load = defaultdict(float)
    for route in routes:
        for link, part in route.items():
            load[link] += part
    return len(routes) * min(capacity[link] / load[link] for link in load)


def main(subnet, far, io, io_rate, hosts, kind):
    s, routes = Subnet(subnet, far), []
    for host in hosts.split(","):
        for server in io.split(","):
            pair = (host, server) if kind == "io-write" else (server, host)
            routes.append({**s.route(*pair), ("server", server): 1.0})
    capacity = {link: float(io_rate) if link[0] == "server" else LINK
                for route in routes for link in route}
    print(f"{maxmin(routes, capacity):.9f} {lockstep(routes, capacity):.9f}")


main(*sys.argv[1:])
