#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""console.py - run the commands of a document, compare what they print

usage: console.py DOCUMENT [HEADING]

Commands are the lines "$ COMMAND" of blocks that begin with ```console; what
follows, to the next command or the end of the block, is what it must print,
on standard output and error.  A line "..." stands for any lines, also none.
Points in time and ages count as equal; in a block ```console about so do numbers
that differ by a fifth or 0.1, and blanks.  With HEADING only the section below that
heading is run.
"""
import re
import subprocess
import sys

CHANGES = [
    (r'\d{4}-\d\d-\d\dT[0-9:.]+Z?', 'TIME'),
    (r'\d+ (second|minute|hour)s? ago', 'AGE'),
]


def plain(text):
    """Lines without what changes from run to run."""
    for pattern, word in CHANGES:
        text = re.sub(pattern, word, text)
    return [line.rstrip() for line in text.splitlines()]


def section(text, heading):
    """The part of the document below a heading, to the next of its level."""
    parts = re.split(r'^## ', text, flags=re.M)
    return next(p for p in parts if p.startswith(heading + '\n'))


def commands(text):
    """(command, printed, about) of all console blocks, in order."""
    for about, block in re.findall(r'^```console( about)?\n(.*?)^```', text,
                                   re.M | re.S):
        for part in re.split(r'^\$ ', block, flags=re.M)[1:]:
            # a command goes on where a line ends with a backslash
            yield *re.match(r'((?:[^\n]*\\\n)*[^\n]*)\n?(.*)', part,
                            re.S).groups(), bool(about)


def close(a, b):
    """Two words, or two numbers that are about the same."""
    try:
        return abs(float(a) - float(b)) <= max(abs(float(a)) / 5, 0.1)
    except ValueError:
        return a == b


def same(a, b, about):
    """Do two lines agree?"""
    if not about:
        return a == b
    return len(a.split()) == len(b.split()) and \
        all(map(close, a.split(), b.split()))


def matches(expected, found, about):
    """Do the lines agree?  "..." may be any number of lines."""
    if not expected:
        return not found
    if expected[0] == '...':
        return any(matches(expected[1:], found[i:], about)
                   for i in range(len(found) + 1))
    return bool(found) and same(expected[0], found[0], about) and \
        matches(expected[1:], found[1:], about)


def main():
    with open(sys.argv[1], encoding='utf-8') as document:
        text = document.read()
    if len(sys.argv) > 2:
        text = section(text, sys.argv[2])
    wrong = ran = 0
    for command, printed, about in commands(text):
        done = subprocess.run(['sh', '-c', command], text=True,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False)
        ran += 1
        if not matches(plain(printed), plain(done.stdout), about):
            wrong += 1
            print(f'$ {command}\n{done.stdout}--- the document has\n{printed}')
    if not ran:
        print(f'{sys.argv[1]}: no commands')
    return 1 if wrong or not ran else 0


sys.exit(main())
