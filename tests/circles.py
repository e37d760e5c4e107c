#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""circles.py ARCHIVE|OBJECT...: which files and folders call each other, by their symbols

Prints each circle of more than two files on a line, then "FOLDER uses FOLDER: FILE SYMBOL"
with an example.  Objects are known by the names of their files, which are unique.
"""
import os
import re
import subprocess
import sys

SYMBOL = re.compile(r"^(?:.*[:/-])?([^:/-]+)\.o: *[0-9a-f]* ([A-Za-z]) (\S+)$")
PARTS = ("core", "io", "lua", "place", "plugin", "tools")


def folders():
    """By file the folder that it is in; objects of files that are gone do not count."""
    top = os.environ["SFAB_SRCDIR"]
    return {name[:-2]: os.path.relpath(folder, top)
            for part in PARTS for folder, _, names in os.walk(os.path.join(top, part))
            for name in names if name.endswith(".c")}


def uses(folder, files):
    """By file the files that it needs, each with a symbol."""
    defined, used = {}, []
    nm = subprocess.run(["nm", "-A", *files], stdout=subprocess.PIPE, text=True, check=True)
    for line in nm.stdout.splitlines():
        m = SYMBOL.match(line)
        if m and m[1] in folder and m[2] == "U":
            used.append((m[1], m[3]))
        elif m and m[1] in folder and m[2] in "TDBR":
            defined[m[3]] = m[1]
    edges = {}
    for name, symbol in used:
        if defined.get(symbol, name) != name:
            edges.setdefault(name, {})[defined[symbol]] = symbol
    return edges


def reach(edges, start):
    """All files that @start leads to, in any number of steps."""
    seen, todo = set(), [start]
    while todo:
        new = set(edges.get(todo.pop(), ())) - seen
        seen |= new
        todo += new
    return seen


def main():
    folder = folders()
    edges = uses(folder, sys.argv[1:])
    to = {name: reach(edges, name) for name in edges}
    circles = {frozenset(x for x in to[n] if n in to.get(x, ())) for n in edges}
    for circle in sorted((sorted(c) for c in circles if len(c) > 2), key=len):
        print("circle:", *circle)
    pairs = {(folder[a], folder[b]): "%s %s" % (a, s)
             for a, of in edges.items() for b, s in of.items() if folder[a] != folder[b]}
    for (a, b), example in sorted(pairs.items()):
        print("%s uses %s: %s" % (a, b, example))


main()
