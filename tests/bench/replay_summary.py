#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What replay.sh found: replay_summary.py FOLDER

A cell is a fabric with a workload; its ratio is the sum over seeds of what
sfabric comes to divided by that of tree (0.8: 20 % less).  Tables by case, then
the figures over all cells beside the goals.
"""

import collections
import glob
import json
import os
import sys

# field of the answer, what is subtracted to have the excess
MEASURES = {
    'between': ('between_mean', 0),
    'total': ('total_mean', 1),
    'wait': ('wait_s_mean', 0),
}
# of cases loss-90-MODE and turn-90-MODE
LOST = {
    'loss': ('loss', 0),
    'alone': ('loss_alone', 0),
    'io': ('loss_io', 0),
    'waited': ('wait_s_mean', 0),
    'turnaround': ('turnaround_s_mean', 0),
}
GOALS = (('between', 0.75), ('total', 0.80), ('wait', 1.02))
PLAIN = ('tree', 'spread')
ONE_CLASS = ('mpi', 'hidden')


class Cell:
    """All seeds of a fabric, engine and workload in one case."""

    def __init__(self, piece):
        self.fabric, self.engine, self.workload, self.case = piece
        self.seeds = []         # of each: {(policy, class): row}

    def add(self, path):
        with open(path) as answer:
            rows = json.load(answer)['data']['results']
        self.seeds.append({(row['policy'], row['class']): row for row in rows})

    def sum(self, measure, policy, job_class='all'):
        field, less = {**MEASURES, **LOST}[measure]
        values = [seed[policy, job_class][field] for seed in self.seeds
                  if (policy, job_class) in seed]
        return sum(value - less for value in values if value is not None)

    def ratio(self, measure, job_class='all', others=('tree',)):
        """Against the best of the other policies; None: they are perfect."""
        best = min(self.sum(measure, policy, job_class) for policy in others)
        if not best > 1e-4:
            return None
        return self.sum(measure, 'sfabric', job_class) / best

    def error(self, measure):
        """Standard error of that ratio, by leaving out one seed after the other."""
        field, less = {**MEASURES, **LOST}[measure]
        pair = [[(seed[policy, 'all'][field] or 0) - less for seed in self.seeds]
                for policy in ('sfabric', 'tree')]
        n = len(self.seeds)
        ratio = self.ratio(measure)
        if n < 2 or ratio is None:
            return None
        if any(sum(pair[1]) - x < 1e-9 for x in pair[1]):
            return None
        others = [(sum(pair[0]) - pair[0][i]) / (sum(pair[1]) - pair[1][i])
                  for i in range(n)]
        return ((n - 1) / n * sum((x - ratio) ** 2 for x in others)) ** 0.5

    def slowdown(self, policy, job_class):
        return 1 + self.sum('total', policy, job_class) / len(self.seeds)

    def time(self, job_class):
        """Run times against the better of the plain policies."""
        return self.slowdown('sfabric', job_class) / min(
            self.slowdown(policy, job_class) for policy in PLAIN)

    def mean(self, field, policy):
        values = [seed[policy, 'all'][field] for seed in self.seeds]
        return sum(values) / len(values)

    def name(self):
        return (self.fabric, self.engine, self.workload, len(self.seeds))


def read_cells(folder):
    cells = {}
    for path in sorted(glob.glob(os.path.join(folder, '*.json'))):
        piece = tuple(os.path.basename(path).split('.')[:4])
        cells.setdefault(piece, Cell(piece)).add(path)
    by_case = collections.defaultdict(list)
    for cell in cells.values():
        by_case[cell.case].append(cell)
    return by_case


def shown(ratio):
    return '%8s' % '-' if ratio is None else '%8.3f' % ratio


def mean(values):
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def worst(values):
    known = [value for value in values if value is not None]
    return max(known) if known else None


def print_one_class(case, cells):
    print('\n%s: excess of sfabric / of tree; utilization, excess of tree' % case)
    print('%-14s %-7s %-7s %5s' % ('FABRIC', 'ENGINE', 'WORK', 'SEEDS') +
          ''.join('%9s' % m for m in MEASURES) +
          '%7s %8s %8s' % ('UTIL', 'TREE_BTW', 'TREE_TOT'))
    for cell in cells:
        seeds = len(cell.seeds)
        print('%-14s %-7s %-7s %5d' % cell.name() +
              ''.join(' ' + shown(cell.ratio(m)) for m in MEASURES) +
              '%7.3f %8.3f %8.3f' % (
                  cell.mean('utilization', 'tree'),
                  cell.sum('between', 'tree') / seeds,
                  cell.sum('total', 'tree') / seeds))
    for name, over in (('mean', mean), ('worst', worst)):
        print('%-36s' % name + ''.join(
            ' ' + shown(over([c.ratio(m) for c in cells])) for m in MEASURES))


def print_lost(cells):
    print('\nWhat jobs lose with the same starts, sfabric / tree; then with run times '
          'stretched by that.  Standard errors over the seeds')
    print('%-14s %-7s %-13s %4s %5s %7s %7s %7s' % (
        'FABRIC', 'ENGINE', 'MODE', 'UTIL', 'SEEDS', 'REACHED', 'TREE', 'TREE_IO') +
          ''.join('%16s' % name for name in ('LOSS', 'ALONE', 'IO', 'WAIT', 'TURNAROUND',
                                             'LOSS_THEN')))
    pairs = collections.defaultdict(dict)
    for cell in cells:
        kind, percent, mode = cell.case.split('-', 2)
        pairs[cell.fabric, cell.engine, mode, percent][kind] = cell
    for key, pair in sorted(pairs.items()):
        first = pair.get('loss') or pair['turn']
        print('%-14s %-7s %-13s  .%s' % key + ' %5d %7.3f %7.4f %7.4f' % (
            len(first.seeds), first.mean('utilization', 'tree'),
            first.mean('loss', 'tree'), first.mean('loss_io', 'tree')) +
              ''.join(lost_cell(pair.get(kind), measure) for kind, measure in (
                  ('loss', 'loss'), ('loss', 'alone'), ('loss', 'io'),
                  ('turn', 'waited'), ('turn', 'turnaround'), ('turn', 'loss'))))


def lost_cell(cell, measure):
    ratio = cell and cell.ratio(measure)
    if ratio is None:
        return '%16s' % '-'
    error = cell.error(measure)
    return '%16s' % ('%.3f' % ratio if error is None else '%.3f +- %.3f' % (ratio, error))


def classes_of(cell):
    return sorted({job_class for _, job_class in cell.seeds[0]} -
                  {'all', 'off'})


def print_mixed(case, cells):
    print('\n%s: mean slowdown by class; TIME, EXCESS: of sfabric / of the better'
          ' of tree and spread' % case)
    print('%-14s %-7s %-7s %5s %-9s %8s %8s %8s %8s %8s' % (
        'FABRIC', 'ENGINE', 'WORK', 'SEEDS', 'CLASS', 'TREE', 'SPREAD',
        'SFABRIC', 'TIME', 'EXCESS'))
    for cell in cells:
        for job_class in classes_of(cell):
            print('%-14s %-7s %-7s %5d' % cell.name() + ' %-9s' % job_class +
                  ''.join(' %8.3f' % cell.slowdown(p, job_class)
                          for p in ('tree', 'spread', 'sfabric')) +
                  ' ' + shown(cell.time(job_class)) +
                  ' ' + shown(cell.ratio('total', job_class, PLAIN)))


def print_goals(by_case):
    print('\nFIGURES, and the goals')
    cells = by_case['mpi']
    for measure, goal in GOALS:
        ratios = [c.ratio(measure) for c in cells]
        known = [r for r in ratios if r is not None]
        if known:
            print('mpi, %-9s mean %.3f (%.2f), worst cell %.3f (1.00), '
                  'cells not worse %d of %d' % (
                      measure, mean(known), goal, max(known),
                      sum(r <= 1 for r in known), len(known)))
    for case in ('hidden',):
        for measure in ('between', 'total'):
            known = [r for r in (c.ratio(measure) for c in by_case[case])
                     if r is not None]
            if known:
                print('%s, %-8s mean %.3f, worst cell %.3f (1.02)' % (
                    case, measure, mean(known), max(known)))
    for case in ('mixed', 'saturated'):
        times = [c.time(k) for c in by_case[case] for k in classes_of(c)]
        if times:
            print('%s, time of each class / the better of tree and spread: within '
                  '3 %% %d of %d, mean %.3f, worst %.3f (1.03)' % (
                      case, sum(t <= 1.03 for t in times), len(times),
                      mean(times), max(times)))


def main(folder):
    by_case = read_cells(folder)
    lost = [cell for case in by_case if case[:5] in ('loss-', 'turn-')
            for cell in by_case[case]]
    if lost:
        print_lost(lost)
    for case in ('mpi', 'hidden', 'mixed', 'saturated'):
        if by_case[case]:
            (print_one_class if case in ONE_CLASS else print_mixed)(
                case, by_case[case])
    if any(by_case[case] for case in ('mpi', 'mixed')):
        print_goals(by_case)


if __name__ == '__main__':
    main(sys.argv[1])
