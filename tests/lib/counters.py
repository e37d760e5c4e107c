#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""counters.py FILE ROW...: a counters.snap, after doc/snapshot-format.md.

ROW is GUID:PORT[:KEY=VALUE...]; keys: xmit, rcv (bytes/s), wait (share), flags,
discards, errors, age (seconds).  COUNTERS_HALF_LIFE (60) and COUNTERS_NOW are in
seconds.  XXH64 is worked out here, so that no code is shared with sfabric.
"""
import os
import struct
import sys
import time

M = (1 << 64) - 1
P = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9,
     0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)


def rol(x, n):
    return ((x << n) | (x >> (64 - n))) & M


def step(acc, x):
    return rol((acc + x * P[1]) & M, 31) * P[0] & M


def xxh64(data):
    """XXH64 with seed 0."""
    at = 0
    if len(data) >= 32:
        lane = [(P[0] + P[1]) & M, P[1], 0, -P[0] & M]
        while at + 32 <= len(data):
            for i, x in enumerate(struct.unpack_from("<4Q", data, at)):
                lane[i] = step(lane[i], x)
            at += 32
        h = sum(rol(v, r) for v, r in zip(lane, (1, 7, 12, 18))) & M
        for v in lane:
            h = ((h ^ step(0, v)) * P[0] + P[3]) & M
    else:
        h = P[4]
    h = (h + len(data)) & M
    while at + 8 <= len(data):
        x, = struct.unpack_from("<Q", data, at)
        h = (rol(h ^ step(0, x), 27) * P[0] + P[3]) & M
        at += 8
    if at + 4 <= len(data):
        x, = struct.unpack_from("<I", data, at)
        h = (rol(h ^ (x * P[0] & M), 23) * P[1] + P[2]) & M
        at += 4
    for x in data[at:]:
        h = rol(h ^ (x * P[4] & M), 11) * P[0] & M
    h = (h ^ (h >> 33)) * P[1] & M
    h = (h ^ (h >> 29)) * P[2] & M
    return h ^ (h >> 32)


def row(text, now_ms):
    guid, port, *rest = text.split(":")
    v = dict(item.split("=") for item in rest)
    when = now_ms - int(float(v.get("age", 0)) * 1000)
    return (int(guid, 0), int(port), struct.pack(
        "<QIBBHQQQQQQdddII", int(guid, 0), 30000, int(port),
        int(v.get("flags", 0)), 0, when, 0, 0, 0,
        int(v.get("discards", 0)), int(v.get("errors", 0)),
        float(v.get("xmit", 0)), float(v.get("rcv", 0)),
        float(v.get("wait", 0)), int(v.get("discards", 0)),
        int(v.get("errors", 0))))


def main():
    now = int(float(os.environ.get("COUNTERS_NOW", time.time())) * 1000)
    rows = sorted(row(text, now) for text in sys.argv[2:])
    body = b"".join(r[2] for r in rows)
    head = b"SFABCNTR" + struct.pack("<IIQIIQ16s", 1, len(rows), now,
                                     int(os.environ.get("COUNTERS_HALF_LIFE", 60)), 0, 0,
                                     b"collect")
    total = xxh64(head + struct.pack("<Q", xxh64(body)))
    with open(sys.argv[1], "wb") as out:
        out.write(head[:32] + struct.pack("<Q", total) + head[40:] + body)


if __name__ == "__main__":
    main()
