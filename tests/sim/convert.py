#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""convert.py IBNETDISCOVER LFTS OUT: the same in the words of other programs

Writes OUT/ibdiagnet2.db_csv, OUT/ibdiagnet2.far, OUT/opa.linear and
OUT/opa.linear.xml as ibdiagnet and opareport would of this fabric.
"""
import re
import sys

SPEED = {"SDR": 1, "DDR": 2, "QDR": 4, "FDR10": 1 << 16, "FDR": 1 << 8,
         "EDR": 1 << 9, "HDR": 1 << 10, "NDR": 1 << 11, "XDR": 1 << 24}
WIDTH = {"1": 1, "4": 2, "8": 4, "12": 8, "2": 16}
NODE = re.compile(r'(Switch|Ca|Rt)\s+(\d+) "[SHR]-([0-9a-f]+)"\s+# "(.*)"(.*)')
PORT = re.compile(r'\[(\d+)\](?:\[[^]]*\])?(?:\(([0-9a-f]+)\))?\s+'
                  r'"([SHR])-([0-9a-f]+)"\[(\d+)\].*?# (.*)')


def read_topology(path):
    """Nodes (kind, ports, guid, name), ports by (guid, number), links."""
    nodes, ports, links, guid, kind = [], {}, set(), None, None
    for line in open(path, errors="surrogateescape"):
        if m := NODE.match(line):
            kind, nports, guid, name, rest = m.groups()
            nodes.append((kind, nports, guid, name))
            if kind == "Switch":
                lid = re.search(r" lid (\d+)", rest).group(1)
                ports[guid, 0] = (guid, lid, 0, 0, 0)
        elif m := PORT.match(line):
            num, port_guid, to_kind, to, to_num, rest = m.groups()
            if kind != "Switch" and to_kind != "S":
                continue
            width, speed = re.search(r"(\d+)x(\w+)\s*$", rest).groups()
            own = re.match(r"lid (\d+) lmc (\d+)", rest)
            lid, lmc = own.groups() if own else (0, 0)
            ports[guid, int(num)] = (port_guid or guid, lid, lmc,
                                     WIDTH[width], SPEED[speed])
            links.add(tuple(sorted([(guid, int(num)), (to, int(to_num))])))
    return nodes, ports, sorted(links)


def read_tables(path):
    """Lists of (LID, port) by switch GUID."""
    tables, rows = {}, None
    for line in open(path, errors="surrogateescape"):
        if m := re.match(r"Unicast lids .* guid 0x([0-9a-f]+)", line):
            rows = tables[m.group(1)] = []
        elif m := re.match(r"0x([0-9A-Fa-f]+) (\d+) # (?!unknown)", line):
            rows.append((int(m.group(1), 16), int(m.group(2))))
    return tables


def write_db_csv(out, nodes, ports, links):
    kinds = {"Ca": 1, "Switch": 2, "Rt": 3}
    print("START_NODES\nNodeDesc,NumPorts,NodeType,NodeGUID", file=out)
    for kind, nports, guid, name in nodes:
        print(f'"{name}",{nports},{kinds[kind]},0x{guid}', file=out)
    print("END_NODES\n\nSTART_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2",
          file=out)
    for (a, an), (b, bn) in links:
        print(f"0x{a},{an},0x{b},{bn}", file=out)
    print("END_LINKS\n\nSTART_PORTS\nNodeGuid,PortGuid,PortNum,LID,LMC,"
          "LinkWidthActv,LinkSpeedActv,PortState", file=out)
    for (guid, num), (port_guid, lid, lmc, width, speed) in ports.items():
        print(f"0x{guid},0x{port_guid},{num},{lid},{lmc},{width},{speed},4",
              file=out)
    print("END_PORTS", file=out)


def write_far(out, tables):
    for guid, rows in tables.items():
        print(f"Switch 0x{guid}\nLFT Definition:\n"
              "LID        StaticPort LidState   Group\n" + 40 * "-", file=out)
        for lid, port in rows:
            print(f"0x{lid:04x}     {port}         Static     0", file=out)


def write_linear(out, tables):
    print("Linear FDB Tables", file=out)
    for guid, rows in tables.items():
        print(f"0x{guid} SW some switch", file=out)
        for lid, port in rows:
            print(f"    0x{lid:04x} {port:3}         1 neighbor", file=out)
    print(len(tables), "Reported Switch(es)", file=out)


def write_linear_xml(out, tables):
    print("<Report>\n<LinearFDBs>", file=out)
    for guid, rows in tables.items():
        print(f"<Node><NodeGUID>0x{guid}</NodeGUID>\n<LinearFDB>", file=out)
        for lid, port in rows:
            print(f'<Value LID="0x{lid:04x}"><EgressPort>{port}</EgressPort>'
                  "</Value>", file=out)
        print("</LinearFDB></Node>", file=out)
    print("</LinearFDBs></Report>", file=out)


def main(topology, lfts, folder):
    tables = read_tables(lfts)
    for name, write, data in (
            ("ibdiagnet2.db_csv", write_db_csv, read_topology(topology)),
            ("ibdiagnet2.far", write_far, [tables]),
            ("opa.linear", write_linear, [tables]),
            ("opa.linear.xml", write_linear_xml, [tables])):
        with open(f"{folder}/{name}", "w", errors="surrogateescape") as out:
            write(out, *data)


main(*sys.argv[1:])
