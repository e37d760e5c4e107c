# SPDX-License-Identifier: GPL-2.0-or-later
"""loses.py JOBS SHOWN REPORT: what running jobs lose, as sfabric predict says

SHOWN is of show jobs --json, REPORT of report --links --json.  Each figure is compared
with what sfabric predict finds for the same nodes alone, beside one, or beside all.
"""
import json
import subprocess
import sys

jobs = {int(line.split()[0]): line.split() for line in open(sys.argv[1])}


def time_of(job, others):
    with open("beside", "w") as f:
        f.writelines(" ".join(jobs[i]) + "\n" for i in others)
    said = subprocess.run(["sfabric", "predict", "--json", "--nodes", jobs[job][1],
                           "--traffic", jobs[job][2], "--jobs", "beside"],
                          stdout=subprocess.PIPE, check=True).stdout
    return json.loads(said)["data"]["score"]["slowdown"]


def same(figure, job, others):
    wanted = time_of(job, others)
    assert abs(figure - wanted) < 1e-4, (job, others, figure, wanted)


for row in json.load(open(sys.argv[2]))["data"]["jobs"]:
    same(row["alone"], row["job"], [])
    same(row["slowdown"], row["job"], [i for i in jobs if i != row["job"]])
pairs = json.load(open(sys.argv[3]))["data"]["pairs"]
assert pairs and max(p["job_time"] for p in pairs) > 1.5
for p in pairs:
    a, b = p["job"], p["with"]
    same(p["job_time"] * time_of(a, []), a, [b])
    same(p["with_time"] * time_of(b, []), b, [a])
