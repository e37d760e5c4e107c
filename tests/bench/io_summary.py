#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What io.sh found: io_summary.py FOLDER

One line a fabric, engine, IO set and class with the node count that is farthest
from the optimum, then the figures over all cases.  A case is one node count.
"""

import glob
import os
import sys

GAP = 0.01      # bounds no farther apart: the case is closed
NEAR = 0.05
SAME = 0.02
POLICIES = ('contiguous', 'tree', 'random', 'sfabric')


class Case:
    def __init__(self, piece, policies, bounds):
        self.piece = piece
        self.nodes = int(policies[0])
        self.worst = dict(zip(POLICIES, policies[1:5]))
        self.ours = policies[4]
        self.milliseconds = policies[5]
        self.known = min([*policies[1:5], *policies[6:7], bounds[1]])
        self.lower, self.upper, self.seconds = bounds
        self.closed = self.upper - self.lower <= GAP * self.upper + 1e-6

    def ratio(self):
        return self.ours / self.lower if self.lower > 0 else float(self.ours > 0) + 1

    def is_near(self):
        return self.ours <= self.lower * (1 + NEAR) or self.ours - self.lower <= 1

    def is_at_best(self):
        """Of what is known: the solver's best, annealing's, a policy's."""
        return self.ours <= self.known * (1 + SAME) or self.ours - self.known <= 1

    def is_tie(self):
        return max(self.worst.values()) <= min(self.worst.values()) * 1.0001

    def loses(self):
        return self.ours > min(self.worst.values()) * 1.0001


def read_rows(path):
    with open(path) as lines:
        return [[float(word) for word in line.split()] for line in lines
                if not line.startswith('#')]


def read_cases(folder):
    cases = []
    for path in sorted(glob.glob(os.path.join(folder, '*.bounds'))):
        piece = tuple(os.path.basename(path).split('.')[:4])
        bounds = {row[0]: row[1:4] for row in read_rows(path)}
        for row in read_rows(path[:-len('bounds')] + 'policies'):
            if row[0] in bounds:
                cases.append(Case(piece, row, bounds[row[0]]))
    return cases


def print_table(cases):
    columns = '%-14s %-7s %-6s %-8s %5s  %6s %6s %6s %7s %15s %6s %8s %8s'
    print(columns % ('FABRIC', 'ENGINE', 'SET', 'CLASS', 'NODES', 'CONTIG',
                     'TREE', 'RANDOM', 'SFABRIC', 'OPTIMUM', 'RATIO', 'MS',
                     'SOLVER_S'))
    for piece in sorted({case.piece for case in cases}):
        case = max((c for c in cases if c.piece == piece), key=Case.ratio)
        optimum = ('%g' if case.closed else '%g..%g') % (
            (case.lower,) if case.closed else (case.lower, case.upper))
        print(columns % (piece + (
            case.nodes, *('%g' % case.worst[p] for p in POLICIES), optimum,
            '%.3f' % case.ratio(), '%.1f' % case.milliseconds,
            '%.1f' % case.seconds)))


def share(part, whole):
    return '%d of %d (%.1f %%)' % (part, whole, 100 * part / whole if whole else 0)


def print_misses(closed):
    missed = sorted((c for c in closed if not c.is_near()),
                    key=Case.ratio, reverse=True)
    for case in missed[:20]:
        print('  %.3f  %s, %d nodes: %g (optimum %g)' % (
            case.ratio(), ' '.join(case.piece), case.nodes, case.ours, case.lower))


def print_times(cases):
    for low, high in ((1, 64), (65, 512), (513, 1 << 20)):
        times = sorted(c.milliseconds for c in cases if low <= c.nodes <= high)
        if times:
            print('CPU time of a search, %s nodes: median %.2f ms, p99 %.2f ms' % (
                '%d to %d' % (low, high) if high < 1 << 20 else 'more than 512',
                times[len(times) // 2], times[int(0.99 * len(times))]))


def print_figures(cases):
    closed = [case for case in cases if case.closed]
    still_open = [case for case in cases if not case.closed]
    wrong = sum(c.ours < c.lower * 0.9999 for c in cases)
    if wrong:
        print('WRONG: better than the optimum:', share(wrong, len(cases)))
    print('closed to 1 %:', share(len(closed), len(cases)))
    print('closed, within 5 % or one route of the optimum:',
          share(sum(c.is_near() for c in closed), len(closed)))
    for kind in ('io-write', 'io-read'):
        of_kind = [case for case in cases if case.piece[3] == kind]
        print('%s within 2 %% or one route of the best known:' % kind,
              share(sum(c.is_at_best() for c in of_kind), len(of_kind)))
    print('closed, worst ratio: %.3f' % max(
        (c.ratio() for c in closed if c.ours - c.lower > 1), default=1))
    print('open, worst ratio to the bound: %.3f' % max(
        (c.ratio() for c in still_open), default=1))
    print('worse than the best of contiguous, tree, random:',
          share(sum(c.loses() for c in cases), len(cases)))
    print('all policies tie:', share(sum(c.is_tie() for c in cases), len(cases)))
    print_times(cases)
    print('selene-compute reads, worst ratio: %.3f' % max(
        (c.ratio() for c in cases
         if c.piece[0] == 'selene-compute' and c.piece[3] == 'io-read'), default=1))
    if not all(case.is_near() for case in closed):
        print('closed, farther away:')
        print_misses(closed)


def main(folder):
    cases = read_cases(folder)
    print('IO: routes on the worst link that the job waits for; of each row the node '
          'count farthest from the optimum')
    print_table(cases)
    print_figures(cases)


if __name__ == '__main__':
    main(sys.argv[1])
