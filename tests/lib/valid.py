#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""valid.py SCHEMA FILE...: FILEs hold to SCHEMA and have no field besides."""
import json
import os
import sys
import warnings

warnings.simplefilter("ignore")
import jsonschema


def close(node):
    """An object has the properties that are listed, and no others."""
    if isinstance(node, dict):
        if "properties" in node:
            node.setdefault("additionalProperties", False)
        for value in node.values():
            close(value)
    elif isinstance(node, list):
        for value in node:
            close(value)
    return node


path = sys.argv[1]
common = os.path.join(os.path.dirname(path), "common.json")
store = {"common.json": close(json.load(open(common)))}
schema = close(json.load(open(path)))
jsonschema.Draft7Validator.check_schema(schema)
resolver = jsonschema.RefResolver("", schema, store=store)
validator = jsonschema.Draft7Validator(schema, resolver=resolver)
bad = 0
for name in sys.argv[2:]:
    for error in validator.iter_errors(json.load(open(name))):
        print(name, list(error.absolute_path), error.message)
        bad = 1
sys.exit(bad)
