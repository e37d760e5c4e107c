#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""found_samples.py - are there so many samples of a job in a traffic.snap?

usage: found_samples.py TRAFFIC_SNAP JOB LEAST
"""
import os
import struct
import sys

path, job, least = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
if not os.path.exists(path):
    sys.exit(1)
with open(path, "rb") as f:
    b = f.read()
rows, = struct.unpack_from("<I", b, 12)
sets, = struct.unpack_from("<I", b, 40)
at = 64 + 8 + 64 * sets
for i in range(rows):
    if struct.unpack_from("<I", b, at + 240 * i)[0] == job:
        sys.exit(struct.unpack_from("<I", b, at + 240 * i + 8)[0] < least)
sys.exit(1)
