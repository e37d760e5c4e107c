#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""field.py PATH... <answers: fields of --json answers, one line an answer

PATH is keys with dots between them; in a list an index or KEY=VALUE chooses:
data.predicted.0.maxmin_gbs, data.alternatives.name=tree.score.total
"""
import json
import sys


def step(value, key):
    if isinstance(value, dict):
        return value[key]
    if key.isdigit():
        return value[int(key)]
    name, wanted = key.split("=")
    return next(item for item in value if str(item[name]) == wanted)


def field(answer, path):
    value = answer
    for key in path.split("."):
        value = step(value, key)
    return value


def answers(text):
    decoder = json.JSONDecoder()
    at = 0
    while at < len(text):
        answer, end = decoder.raw_decode(text, at)
        yield answer
        at = end + len(text[end:]) - len(text[end:].lstrip())


def main():
    for answer in answers(sys.stdin.read()):
        print(*[field(answer, path) for path in sys.argv[1:]])


if __name__ == "__main__":
    main()
