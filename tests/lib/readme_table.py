#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""readme_table.py CHOICES TRAFFIC IO: rows of README's table, from `place --json`.

The columns are those of etc/quickstart/demo-table.awk: leaves, uplinks, spine ports,
max-min, lockstep, share, slowdown, and slowdown among all jobs.
"""
import json
import subprocess
import sys

NAMES = (("contiguous", "stock Slurm"), ("tree", "stock, topology/tree"),
         ("sfabric", "sfabric"))


def ports(nodes, to):
    """Ports of leaves, and of spines, that routes of the job cross."""
    out = subprocess.run(["sfabric", "load", "--from", nodes, "--to", to, "--kind", "isl",
                          "-hP", "-o", "switch,routes"],
                         check=True, capture_output=True, text=True).stdout
    used = [line.split("|")[0] for line in out.splitlines() if float(line.split("|")[1])]
    up = sum("-L" in name for name in used)
    return up, len(used) - up


def main():
    choices, traffic, io = sys.argv[1:]
    with open(choices, encoding="utf-8") as f:
        data = json.load(f)["data"]
    listed = {c["name"]: c for c in data["alternatives"]} | {"sfabric": data}
    for name, title in NAMES:
        c = listed[name]
        p = c["predicted"][0]
        up, spine = ports(c["nodes"], io if traffic.startswith("io") else c["nodes"])
        print(f"{title} {c['score']['leaves']} {up} {spine} {p['maxmin_gbs']:.1f} "
              f"{p['lockstep_gbs']:.1f} {p['ideal_share']:.2f} {p['slowdown']:.2f} "
              f"{c['score']['slowdown_maxmin']:.2f}")


main()
