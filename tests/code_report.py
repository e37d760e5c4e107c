#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
# code_report.py [DIR...] - sizes, names and comments of the C sources
#
# Prints a table; it judges nothing.  Needs Universal Ctags.  A static function is
# called once if its file has one call and never takes its address: a function in a
# table, or one given to qsort(), is not counted.  A public name leads to its header if
# its first word, but for sfab_, is in the header's name or is its folder's: who reads
# sfab_jobs_add() looks into jobs.h.  -v lists names that are twice, or lead elsewhere.
import collections
import json
import os
import re
import subprocess
import sys

FOLDERS = ["core", "io", "place", "plugin", "lua", "tools"]


def sources(tops):
    for top in tops:
        for folder, folders, files in os.walk(top):
            folders.sort()
            for name in sorted(files):
                if name.endswith((".c", ".h")):
                    yield os.path.join(folder, name)


def tagged(kind, ending, files):
    """Functions ("f") or prototypes ("p") of files."""
    said = subprocess.run(
        ["ctags", "--output-format=json", f"--kinds-C={kind}", "--fields=+neS", "-f", "-",
         *[f for f in files if f.endswith(ending)]],
        capture_output=True, text=True, check=True).stdout
    for line in said.splitlines():
        tag = json.loads(line)
        if tag.get("_type") == "tag":
            yield tag


def comment_share(files):
    lines = inside = 0
    for path in files:
        with open(path, encoding="utf-8") as f:
            text = f.read()
        lines += text.count("\n")
        for found in re.findall(r"/\*.*?\*/", text, re.S):
            inside += found.count("\n") + 1
    return inside / max(lines, 1)


def is_called_once(name, text):
    prototype = rf"^static\b[^;{{}}=]*?\b{name}\s*\([^;{{}}]*;"
    text = re.sub(prototype, "", text, flags=re.M)
    calls = len(re.findall(rf"\b{name}\s*\(", text)) - 1    # its own head
    return calls == 1 and len(re.findall(rf"\b{name}\b", text)) == 2


def leads_to_header(name, path):
    word = name.removeprefix("sfab_").split("_")[0]
    folder, stem = os.path.split(path)[0].split("/")[-1], os.path.basename(path)[:-2]
    likes = {w + ending for w in stem.split("_") for ending in ["", "s", "es"]}
    likes |= {w.removesuffix("s") for w in likes} | {w.removesuffix("es") for w in likes}
    return word in likes or word == folder or stem.startswith(word)


def percent(part, all_of_them):
    return f"{100 * part / max(all_of_them, 1):.1f} %"


def report(tops):
    files = list(sources(tops))
    texts = {}
    for path in files:
        with open(path, encoding="utf-8") as f:
            texts[path] = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)
    tags = list(tagged("f", ".c", files))
    public = [(t["name"], t["path"]) for t in tagged("p", ".h", files)]
    astray = [p for p in public if not leads_to_header(*p)]
    sizes = sorted(t["end"] - t["line"] + 1 for t in tags if "end" in t)
    statics = [t for t in tags if t.get("file")]
    where = collections.defaultdict(set)
    for t in tags:
        where[t["name"]].add(t["path"])
    twice = {n: p for n, p in where.items() if len(p) > 1}
    once = [t for t in statics if is_called_once(t["name"], texts[t["path"]])]
    one_word = [t for t in statics if "_" not in t["name"]]
    names = collections.Counter(os.path.basename(f) for f in files)
    structs = collections.Counter()
    for text in texts.values():
        structs.update(set(re.findall(r"^struct (\w+) \{", text, re.M)))
    code = [f for f in files if f.endswith(".c")]
    rows = [
        ("lines of code, .c and .h", sum(t.count("\n") for t in texts.values())),
        ("functions; median, p90, longest",
         f"{len(sizes)}; {sizes[len(sizes) // 2]}, {sizes[len(sizes) * 9 // 10]},"
         f" {sizes[-1]}"),
        ("static functions called once", percent(len(once), len(statics))),
        ("static functions named by one word", percent(len(one_word), len(statics))),
        ("public functions that lead to their header",
         percent(len(public) - len(astray), len(public))),
        ("function names in more than one file",
         f"{len(twice)}, {percent(len(twice), len(where))}"),
        ("struct names in more than one file",
         sum(1 for n in structs.values() if n > 1)),
        ("file names used more than once", sum(1 for n in names.values() if n > 1)),
        ("comment lines in .c", percent(comment_share(code), 1)),
    ]
    for what, figure in rows:
        print(f"{what:42} {figure}")
    return twice, one_word, structs, names, astray


def main():
    words = sys.argv[1:]
    verbose = "-v" in words
    tops = [w for w in words if w != "-v"] or [f for f in FOLDERS if os.path.isdir(f)]
    twice, one_word, structs, names, astray = report(tops)
    if verbose:
        for name, paths in sorted(twice.items()):
            print("twice", name, *sorted(paths))
        for t in one_word:
            print("word", t["name"], t["path"])
        for name, path in astray:
            print("astray", name, path)
        print("structs", *[s for s, n in structs.items() if n > 1])
        print("files", *[s for s, n in names.items() if n > 1])


main()
