#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""cells.py <ANSWER: cells of sfabric plot --json, MAP|ROW|GUID|PORT|STATE|VALUE"""
import json
import sys

for heatmap in json.load(sys.stdin)["data"]["maps"]:
    for cell in heatmap["cells"]:
        print(heatmap["name"], cell["row"], cell["guid"], cell["column"], cell["state"],
              "%.9g" % cell["value"], sep="|")
