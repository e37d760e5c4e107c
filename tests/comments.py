#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# comments.py FILE... - what comments name and the tree, the current folder, lacks
#
# In C: "@x" and "x->" without an x in the file or a header that it includes.  In all files:
# paths of sources.  A name with a capital stands for any, as read_NAME.c does.  Also lines
# of C comments that are over 96 columns.
import os
import re
import sys

COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|/\*.*?\*/', re.S)
VARIABLE = re.compile(r"(?:^|[\s(*!])@([a-z]\w*)|(?<![\w.>)\]-])([a-z]\w*)->")
PATH = re.compile(r"(?<![\w./$~*-])(?:core|io|lua|place|plugin|tools|tests|doc|etc)"
                  r"/[a-z0-9_./-]+\.(?:[cht]|sh|py|scd|md|lua|mk)\b(?!\.)")
WIDE = re.compile(r"^\t* \* .*$", re.M)
MADE = {"tools/config.h"}


def read(path):
    with open(path, encoding="utf-8", errors="replace") as f:
        return f.read()


def code_of(text):
    return COMMENT.sub(lambda m: m[0] if m[0][0] == '"' else " ", text)


def words_near(text):
    headers = [h for h in re.findall(r'#include "([^"]+)"', text) if os.path.exists(h)]
    return {w for t in [text, *map(read, headers)] for w in re.findall(r"\w+", code_of(t))}


for path in sys.argv[1:]:
    text = read(path)
    lacking = [(m.start(), m[0]) for m in PATH.finditer(text)
               if m[0] not in MADE and not os.path.exists(m[0])]
    if path.endswith((".c", ".h")):
        words = words_near(text)
        lacking += [(c.start() + m.start(), m[0].strip())
                    for c in COMMENT.finditer(text) if c[0][0] == "/"
                    for m in VARIABLE.finditer(c[0]) if (m[1] or m[2]) not in words]
        lacking += [(m.start(), "comment over 96 columns") for m in WIDE.finditer(text)
                    if len(m[0].expandtabs(8)) > 96]
    for at, name in lacking:
        print(f"{path}:{text.count(chr(10), 0, at) + 1}: {name}")
