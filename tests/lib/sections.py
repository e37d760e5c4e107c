#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""sections.py SNAPSHOT - name and checksum of each section of its content

As doc/snapshot-format.md has them; what stands before FABRIC (time, source,
subnet manager, engine) is left out.
"""
import struct
import sys

with open(sys.argv[1], "rb") as file:
    head = file.read(40)
    count = struct.unpack_from("<I", head, 12)[0]
    entries = [file.read(32) for _ in range(count)]
names = [entry[:8].rstrip(b"\0").decode() for entry in entries]
for name, entry in list(zip(names, entries))[names.index("FABRIC"):]:
    print(name, "%016x" % struct.unpack_from("<Q", entry, 24)[0])
