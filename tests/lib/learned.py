#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""learned.py - a traffic.snap without a job, on standard output

usage: learned.py AGE [FINGERPRINT FOLLOWED]: the counters are AGE seconds old, and the part
FOLLOWED of the bytes is where the tables say
"""
import struct
import sys
import time

from counters import xxh64

age, fingerprint, followed = (sys.argv[1:] + ["0", "-1"])[:3]
now = int((time.time() - int(age)) * 1000)
head = bytearray(b"SFABTRAF" + struct.pack("<IIQQ32x", 3, 0, now, int(fingerprint, 0)))
rest = struct.pack("<d", float(followed))
struct.pack_into("<Q", head, 32, xxh64(bytes(head) + struct.pack("<Q", xxh64(rest))))
sys.stdout.buffer.write(head + rest)
