#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""names.py ROOT - functions whose names do not lead to their header, one a line

A name, without sfab_, begins with the first word of the header's name or with a type
that the header declares.  Types of callbacks end in _fn.
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
exempt = {"core/err.h", "tools/ui/xalloc.h"}

for path in (p for top in "core io lua place plugin tools".split()
             for p in sorted((root / top).rglob("*.h"))):
    name, text = str(path.relative_to(root)), re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.S)
    words = re.findall(r"\b(?:struct|enum|union)\s+(?:sfab_)?(\w+)\s*[{;]", text)
    words = [w.rstrip("s") for w in words + [path.stem.split("_")[0]]]
    for f in re.findall(r"^(?!typedef|return)[a-z][\w \t*]*?\b(\w+)\s*\((?!\*)", text, flags=re.M):
        leads = name in exempt or any(re.match(f"(sfab_)?{w}", f) for w in words)
        if not leads and f != "__attribute__":
            print(f"{name}: {f}()")
    for f in re.findall(r"^typedef [^;({]*\b(\w+)\)?\(", text, flags=re.M):
        if not f.endswith("_fn") and not f.startswith("__"):
            print(f"{name}: type {f}")
