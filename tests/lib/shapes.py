#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A fabric that is no fat tree, as a netlist for ibsim on standard output.

    shapes.py torus:dims=4x4x4[,leaf=2,links=1]
    shapes.py dragonfly[:toplinks=2,leaf=,pods=,leaves=,links=1]
    shapes.py dragonfly-plus[:toplinks=2,pods=,leaves=,spines=,leaf=,links=1]
    shapes.py random:leaves=20[,links=4,leaf=2,seed=0]

Keys mean what they mean in sfabric-synth(1): leaf is the hosts of a leaf, pods the groups,
toplinks the cables of a switch to other groups. Without keys a shape is balanced. Hosts
have the first ports of a leaf, then come the cables between switches.
"""
import sys

SWITCH_GUID, HOST_GUID = 0x0002c90200400000, 0x0002c90300100000


class Fabric:
    def __init__(self, name, leaves, leaf, spines=0):
        self.name, self.leaves, self.leaf = name, leaves, leaf
        self.ports = [{} for _ in range(leaves + spines)]   # number: (switch, its port)

    def join(self, a, a_port, b, b_port):
        assert a_port not in self.ports[a] and b_port not in self.ports[b]
        self.ports[a][a_port] = (b, b_port)
        self.ports[b][b_port] = (a, a_port)

    def join_groups(self, groups, first, size, port, toplinks):
        """Cable k of a group goes to group + 1 + k mod (groups - 1): all pairs get as many."""
        others, cables = groups - 1, size * toplinks
        assert cables % others == 0
        for group in range(groups):
            for k in range(cables):
                to = (group + 1 + k % others) % groups
                back = k // others * others + others - 1 - k % others
                if group < to:
                    self.join(first + group * size + k // toplinks, port + k % toplinks,
                              first + to * size + back // toplinks, port + back % toplinks)

    def switch(self, sw):
        level, number = ('L', sw) if sw < self.leaves else ('S', sw - self.leaves)
        return '%s-%s%03u' % (self.name, level, number + 1)

    def write(self):
        hosts = self.leaves * self.leaf
        digits = 5 if hosts > 9999 else 4
        names = ['n%0*u HCA-1' % (digits, i + 1) for i in range(hosts)]
        radix = max(36, max(max(p) for p in self.ports))
        for i, name in enumerate(names):
            guid = HOST_GUID + 4 * i
            leaf, port = i // self.leaf, i % self.leaf + 1
            print('\nvendid=0x2c9\ndevid=0x673c\nsysimgguid=0x%x\ncaguid=0x%x' % (guid + 3, guid))
            print('Ca\t1 "H-%016x"\t\t# "%s"' % (guid, name))
            print('[1](%x) \t"S-%016x"[%u]\t\t# lid 0 lmc 0 "%s" lid 0 4xQDR' % (
                guid + 1, SWITCH_GUID + 8 * leaf, port, self.switch(leaf)))
        for sw, ports in enumerate(self.ports):
            guid = SWITCH_GUID + 8 * sw
            print('\nvendid=0x2c9\ndevid=0xbd36\nsysimgguid=0x%x\nswitchguid=0x%x(%x)' % (
                guid + 3, guid, guid))
            print('Switch\t%u "S-%016x"\t\t# "%s" base port 0 lid 0 lmc 0' % (
                radix, guid, self.switch(sw)))
            for port in range(1, self.leaf + 1 if sw < self.leaves else 1):
                host = sw * self.leaf + port - 1
                print('[%u]\t"H-%016x"[1](%x) \t\t# "%s" lid 0 4xQDR' % (
                    port, HOST_GUID + 4 * host, HOST_GUID + 4 * host + 1, names[host]))
            for port, (to, to_port) in sorted(ports.items()):
                print('[%u]\t"S-%016x"[%u]\t\t# "%s" lid 0 4xQDR' % (
                    port, SWITCH_GUID + 8 * to, to_port, self.switch(to)))


def torus(dims, leaf=2, links=1):
    """Two ports a dimension, up and down, as OpenSM's dor wants; one neighbor of two is one."""
    sizes = [int(size) for size in dims.split('x')]
    switches = 1
    for size in sizes:
        switches *= size
    f, stride = Fabric('torus', switches, leaf), 1
    for d, size in enumerate(sizes):
        up = leaf + 1 + 2 * d * links
        down = up + links if size > 2 else up
        for sw in range(switches):
            at = sw // stride % size
            to = sw + ((at + 1) % size - at) * stride
            for k in range(links if size > 2 or at == 0 else 0):
                f.join(sw, up + k, to, down + k)
        stride *= size
    return f


def dragonfly(toplinks=2, leaf=0, pods=0, leaves=0, links=1):
    """Kim, Dally, Scott, Abts, ISCA 2008: the leaves of a group are all joined."""
    pods = pods or 2 * toplinks * toplinks + 1
    f = Fabric('dragonfly', leaves or 2 * toplinks * pods, leaf or toplinks)
    size, local = f.leaves // pods, f.leaf + 1
    for sw in range(f.leaves):
        for j in range(sw % size + 1, size):
            for k in range(links):
                f.join(sw, local + (j - 1) * links + k,
                       sw // size * size + j, local + sw % size * links + k)
    f.join_groups(pods, 0, size, local + (size - 1) * links, toplinks)
    return f


def dragonfly_plus(toplinks=2, pods=0, leaves=0, spines=0, leaf=0, links=1):
    """Shpiner et al., HiPINEB 2017: a group is a tree, its spines are joined to others."""
    size = (leaves or spines) // pods if pods and (leaves or spines) else 4
    pods = pods or size * toplinks + 1
    leaves, spines = leaves or size * pods, spines or size * pods
    f = Fabric('dragonfly-plus', leaves, leaf or size, spines)
    low, high = leaves // pods, spines // pods
    for group in range(pods):
        for i in range(low):
            for j in range(high):
                for k in range(links):
                    f.join(group * low + i, f.leaf + 1 + j * links + k,
                           leaves + group * high + j, 1 + i * links + k)
    f.join_groups(pods, leaves, high, low * links + 1, toplinks)
    return f


def splitmix64(state):
    while True:
        state = (state + 0x9E3779B97F4A7C15) % 2 ** 64
        z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2 ** 64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2 ** 64
        yield z ^ z >> 31


def draw_pairs(leaves, links, numbers):
    """Ends of cables in pairs, no pair twice; None: an end has no partner left."""
    end, joined = [i // links for i in range(leaves * links)], set()
    for i in range(0, len(end), 2):
        for tries in range(len(end) + 2):
            for k in (i, i + 1):
                other = k + next(numbers) % (len(end) - k)
                end[k], end[other] = end[other], end[k]
            if (tries <= len(end) and end[i] != end[i + 1] and
                    frozenset(end[i:i + 2]) not in joined):
                break
        else:
            return None
        joined.add(frozenset(end[i:i + 2]))
    return end


def random(leaves, links=4, leaf=2, seed=0):
    """A random regular graph (Jellyfish, NSDI 2012)."""
    f, numbers, end = Fabric('random', leaves, leaf), splitmix64(seed), None
    while not end:
        end = draw_pairs(leaves, links, numbers)
    for a, b in zip(end[::2], end[1::2]):
        f.join(a, leaf + 1 + len(f.ports[a]), b, leaf + 1 + len(f.ports[b]))
    return f


shape, _, keys = sys.argv[1].partition(':')
keys = dict(key.split('=') for key in keys.split(',') if key)
keys = {key: value if key == 'dims' else int(value) for key, value in keys.items()}
{'torus': torus, 'dragonfly': dragonfly, 'dragonfly-plus': dragonfly_plus,
 'random': random}[shape](**keys).write()
