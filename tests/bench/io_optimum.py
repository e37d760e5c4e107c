#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Optimum, or a bound, of the cases that io_quality.c wrote.

    io_optimum.py VECTORS POLICIES BOUNDS CASE_SECONDS TOTAL_SECONDS

Finds for each node count of POLICIES the fewest routes on the worst link that
any choice of hosts has, by the mixed-integer solver HiGHS in SciPy:

    min z >= FLOOR,  sum over hosts of routes <= z on each link,  sum of hosts = N

after cheaper bounds have been tried.  Each answer is one line "N LOWER UPPER
SECONDS" of BOUNDS: proven are LOWER <= optimum <= UPPER.  Lines that are there
already, of the same vectors, are kept unless a policy did better since; so a
run can be continued.  The policies' own results are upper bounds, and the
solver is only asked for something better.  Status 0: all cases are closed; 3:
out of time; 4: what is open has had its time.
"""

import math
import sys
import time
import zlib

import numpy
from scipy.optimize import Bounds, LinearConstraint, linprog, milp
from scipy.sparse import csr_matrix, hstack

GAP = 0.01      # closed: bounds no farther apart than this
EPSILON = 1e-6
ROUNDS = 300    # of weighing links against hosts


def read_vectors(path):
    """Matrix links x kinds of hosts, how many hosts of each kind, the floor."""
    room, row, column, value = [], [], [], []
    with open(path) as lines:
        links, floor = map(int, next(lines).split()[1:])
        for line in lines:
            numbers = numpy.array(line.split()[1:], dtype=float)
            row.append(numbers[1::2].astype(int))
            value.append(numbers[2::2])
            column.append(numpy.full(len(row[-1]), len(room)))
            room.append(numbers[0])
    matrix = csr_matrix(
        (numpy.concatenate(value),
         (numpy.concatenate(row), numpy.concatenate(column))),
        shape=(links, len(room)))
    return distinct_rows(matrix), numpy.array(room), floor


def distinct_rows(matrix):
    """Links that carry exactly the same are one."""
    matrix.sort_indices()
    seen = {}
    for i in range(matrix.shape[0]):
        part = slice(matrix.indptr[i], matrix.indptr[i + 1])
        if part.start < part.stop:
            key = (matrix.indices[part].tobytes(), matrix.data[part].tobytes())
            seen.setdefault(key, i)
    return matrix[sorted(seen.values())]


def is_closed(lower, upper):
    return upper - lower <= GAP * upper + EPSILON


class Case:
    """One node count: what is known of its optimum."""

    def __init__(self, matrix, room, floor, nodes, upper):
        self.room = room
        self.nodes = nodes
        self.lower = float(floor)
        self.upper = upper
        self.matrix = matrix
        self.whole = bool(numpy.all(matrix.data == numpy.rint(matrix.data)))

    def raise_lower(self, bound):
        if bound is None or not math.isfinite(bound):
            return
        if self.whole:
            bound = math.ceil(bound - EPSILON)
        self.lower = max(self.lower, min(bound, self.upper))

    def cheapest(self, cost):
        """The hosts that cost least, as numbers of each kind."""
        taken = numpy.zeros(len(self.room))
        order = numpy.argsort(cost, kind='stable')
        before = numpy.cumsum(self.room[order]) - self.room[order]
        taken[order] = numpy.clip(self.nodes - before, 0, self.room[order])
        return taken

    def look_at_hosts(self):
        """The busiest link of a host alone is as busy in company."""
        alone = numpy.asarray(self.matrix.max(axis=0).todense()).ravel()
        self.raise_lower(alone[self.cheapest(alone) > 0].max())

    def weigh(self, step):
        """No choice is better than the cheapest at any prices of links; raise
        the prices of those that the cheapest choice loads most."""
        transposed = self.matrix.T.tocsr()
        log_price = numpy.zeros(self.matrix.shape[0])
        best = 0
        for k in range(1, ROUNDS + 1):
            price = numpy.exp(log_price - log_price.max())
            cost = transposed @ (price / price.sum())
            hosts = self.cheapest(cost)
            best = max(best, cost @ hosts)
            load = self.matrix @ hosts
            log_price += step / math.sqrt(k) * load / self.upper
        self.raise_lower(best)

    def relevant(self):
        """Links that could be the worst if all their hosts were taken."""
        full = self.matrix @ numpy.minimum(self.room, self.nodes)
        return self.matrix[numpy.flatnonzero(full > self.lower)]

    def relax(self, seconds):
        """Without whole numbers: a bound, quickly."""
        links = self.matrix
        found = linprog(
            numpy.append(numpy.zeros(len(self.room)), 1),
            A_ub=with_column(links, -1), b_ub=numpy.zeros(links.shape[0]),
            A_eq=numpy.append(numpy.ones(len(self.room)), 0)[None, :],
            b_eq=[self.nodes],
            bounds=[(0, r) for r in self.room] + [(0, None)],
            method='highs', options={'time_limit': seconds})
        if found.status == 0:
            self.raise_lower(found.fun)

    def solve(self, seconds):
        """Something better than the best known, or the proof of none.
        Presolve of HiGHS 1.2 calls some feasible cases infeasible."""
        links = self.relevant()
        step = 1 if self.whole else EPSILON
        hosts = numpy.append(numpy.ones(len(self.room)), 0)[None, :]
        found = milp(
            numpy.append(numpy.zeros(len(self.room)), 1),
            constraints=[
                LinearConstraint(with_column(links, -1), -numpy.inf, 0),
                LinearConstraint(hosts, self.nodes, self.nodes)],
            bounds=Bounds(numpy.append(numpy.zeros(len(self.room)), self.lower),
                          numpy.append(self.room, self.upper - step)),
            integrality=numpy.append(numpy.ones(len(self.room)), self.whole),
            options={'time_limit': seconds, 'mip_rel_gap': GAP,
                     'presolve': False})
        if found.status == 2:
            self.lower = self.upper
            return
        if found.x is not None:
            hosts = numpy.rint(found.x[:-1])
            self.upper = min(self.upper, float((self.matrix @ hosts).max()))
        self.raise_lower(found.mip_dual_bound)

    def close(self, seconds):
        """Ever dearer ways until the bounds meet or the time is up."""
        start = time.monotonic()
        for way in (self.look_at_hosts, lambda: self.weigh(0.5),
                    lambda: self.weigh(2),
                    lambda: self.relax((seconds - spent) / 2),
                    lambda: self.solve(seconds - spent)):
            spent = time.monotonic() - start
            if is_closed(self.lower, self.upper) or spent > seconds - 1:
                break
            way()
        return time.monotonic() - start


def with_column(links, value):
    """@links and behind it one more column, the same in all rows."""
    last = numpy.full((links.shape[0], 1), value)
    return hstack([links, csr_matrix(last)]).tocsr()


def read_policies(path):
    """Best known worst link by node count."""
    with open(path) as lines:
        rows = [line.split() for line in lines]
    return {int(row[0]): min(map(float, row[1:5] + row[6:7])) for row in rows}


def read_bounds(path, name):
    try:
        with open(path) as lines:
            if next(lines).split()[1:] != [name]:
                return {}
            rows = [line.split() for line in lines]
    except (FileNotFoundError, StopIteration):
        return {}
    return {int(row[0]): tuple(map(float, row[1:4])) for row in rows}


def write_bounds(path, name, bounds):
    with open(path, 'w') as out:
        print('#', name, file=out)
        for nodes, row in sorted(bounds.items()):
            print(nodes, *('%g' % x for x in row), file=out)


def is_done(known, best, case_seconds):
    if known is None or best < known[0]:
        return False
    lower, upper, seconds = known
    return is_closed(lower, min(upper, best)) or seconds >= 0.9 * case_seconds


def main(vectors, policies, bounds_path, case_seconds, total_seconds):
    end = time.monotonic() + float(total_seconds)
    with open(vectors, 'rb') as text:
        name = '%08x' % zlib.crc32(text.read())
    bounds = read_bounds(bounds_path, name)
    fabric = None
    for nodes, best in sorted(read_policies(policies).items()):
        known = bounds.get(nodes)
        if not is_done(known, best, float(case_seconds)):
            seconds = min(float(case_seconds), end - time.monotonic())
            if seconds < 1:
                return 3
            if fabric is None:
                fabric = read_vectors(vectors)
            case = Case(*fabric, nodes, min(best, known[1] if known else best))
            spent = case.close(seconds)
            known = (case.lower, case.upper, spent)
        bounds[nodes] = (known[0], min(known[1], best), known[2])
        write_bounds(bounds_path, name, bounds)
    closed = all(is_closed(*row[:2]) for row in bounds.values())
    return 0 if closed else 4


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
