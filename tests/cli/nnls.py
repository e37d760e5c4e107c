#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""nnls.py PROGRAM SEED SYSTEMS: our least squares against scipy's

Makes random systems, gives each to PROGRAM (solve_nnls.c) and to scipy.optimize.nnls,
and compares what is left of y, which is unique, and x.  Status 1 and a line for each
system that differs.
"""
import random
import subprocess
import sys

import numpy
from scipy.optimize import nnls

SAME = 1e-6


def system(rng):
    rows, blocks = rng.randrange(3, 60), rng.randrange(1, 10)
    sizes = [rng.randrange(1, 7) for _ in range(blocks)]
    a = numpy.zeros((rows, sum(sizes)))
    for c in range(a.shape[1]):
        for r in rng.sample(range(rows), rng.randrange(1, rows)):
            a[r, c] = rng.uniform(0.1, 2)
    x = [max(0, rng.uniform(-1, 1)) for _ in range(a.shape[1])]
    y = a @ x * [rng.uniform(0.7, 1.4) for _ in range(rows)]
    w = [rng.choice([0, 1, 1, rng.uniform(0.1, 30)]) for _ in range(rows)]
    return a, sizes, y, numpy.array(w)


def text(a, sizes, y, w):
    lines = [f"{a.shape[0]} {a.shape[1]} {len(sizes)}"]
    lines += [" ".join(map(repr, map(float, z))) for z in (sizes, y, w)]
    for column in a.T:
        at = numpy.nonzero(column)[0]
        lines.append(f"{len(at)} " + " ".join(f"{r} {column[r]!r}" for r in at))
    return "\n".join(lines).replace("np.float64(", "").replace(")", "") + "\n"


def main():
    program, seed, systems = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng, wrong, unique = random.Random(seed), 0, 0
    for i in range(systems):
        a, sizes, y, w = system(rng)
        ours = subprocess.run([program], input=text(a, sizes, y, w), text=True,
                              check=True, stdout=subprocess.PIPE).stdout
        x = numpy.array([float(line) for line in ours.split()])
        root = numpy.sqrt(w)
        theirs, distance = nnls(a * root[:, None], y * root)
        mine = numpy.linalg.norm((a @ x - y) * root)
        far = abs(mine - distance) > SAME * (1 + distance) or min(x) < 0
        used = (a * root[:, None])[:, (theirs > 0) | (x > 0)]
        if not used.size or numpy.linalg.matrix_rank(used) == used.shape[1]:
            unique += 1
            far = far or max(abs(x - theirs)) > 1e3 * SAME
        if far:
            wrong += 1
            print(f"system {i}: distance {mine} (expected {distance})")
    print(f"{systems} systems, {unique} with one solution, {wrong} differ")
    return wrong > 0 or unique < systems / 4


sys.exit(main())
