#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""same_rows.py LINES ANSWER: a table's --parsable2 and --json say the same.

Each column is a field of the same name, in the same rows and order.  JSON has
true and false for yes and no, null for an empty cell, and numbers without the
text's rounding.
"""
import json
import sys


def find_rows(node, names):
    """The lists of objects that have all of these fields."""
    if isinstance(node, dict):
        for value in node.values():
            yield from find_rows(value, names)
    elif isinstance(node, list) and node and all(
            isinstance(row, dict) and names <= row.keys() for row in node):
        yield node


def is_same(text, value):
    if value is None or isinstance(value, bool):
        return text in {None: ("", "-"), True: ("yes",), False: ("no",)}[value]
    if isinstance(value, (int, float)):
        digits = len(text.partition(".")[2])
        return abs(float(text) - value) <= 0.5001 * 10 ** -digits
    return text == value


lines = [line.split("|") for line in open(sys.argv[1]).read().splitlines()]
names = [name.lower() for name in lines.pop(0)]
data = json.load(open(sys.argv[2]))["data"]
tables = list(find_rows(data, set(names)))
if not lines and list(data.values()) == [[]]:	# no rows in either
    sys.exit(0)
if len(tables) != 1 or len(tables[0]) != len(lines):
    sys.exit(f"{sys.argv[2]}: {[len(t) for t in tables]} rows (expected "
             f"{len(lines)} with {names})")
bad = 0
for line, row in zip(lines, tables[0]):
    for name, text in zip(names, line):
        if not is_same(text, row[name]):
            print(f"{name}: text {text!r}, JSON {row[name]!r}")
            bad = 1
sys.exit(bad)
