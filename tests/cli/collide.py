#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""collide.py - who meets whom, worked out from `sfabric load --json` alone

usage: collide.py JOBS report REPORT.json
       collide.py JOBS map PICTURE.svg
       collide.py JOBS job ID PICTURE.svg ANSWER.json

JOBS has lines of ID HOSTLIST CLASS=SHARE [USER]; classes are mpi and io-write.  For
each job `sfabric load` counts the routes between its hosts, or to the IO hosts, at full
rate; its demand is that times the share.  This is another way than that of running jobs
in the model.  IO must not ask for more than the servers take: such demand is scaled.

report: exactly these links are shared, with these jobs and GB/s, and these pairs.
map: each port of a spine has exactly these jobs in its tooltip, and is red exactly if
they ask for more than it carries.
job: exactly its overloaded links are red, its shared ones orange, all others gray.
"""
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ET

SVG = '{http://www.w3.org/2000/svg}'


def load_of(job):
    cls, share = job['traffic'].split('=')
    to = 'io' if cls == 'io-write' else job['hosts']
    out = subprocess.run(['sfabric', 'load', '--json', '--from', job['hosts'], '--to', to],
                         check=True, capture_output=True, text=True).stdout
    for link in json.loads(out)['data']['links']:
        if link['kind'] == 'isl' and link['load_gbs'] > 0:
            yield link, link['load_gbs'] * float(share)


def read_jobs(path):
    jobs = {}
    for line in open(path):
        words = line.split()
        jobs[int(words[0])] = {'hosts': words[1], 'traffic': words[2],
                               'user': words[3] if len(words) > 3 else None}
    return jobs


def expected(jobs):
    """{(switch, port): {to, to_port, capacity, by {job: gbs}}}"""
    links = {}
    for job, facts in jobs.items():
        for link, gbs in load_of(facts):
            known = links.setdefault((link['switch'], link['port']), {
                'to': link['to'], 'to_port': link['to_port'],
                'capacity': link['capacity_gbs'], 'by': {}})
            known['by'][job] = known['by'].get(job, 0) + gbs
    for link in links.values():
        link['load'] = sum(link['by'].values())
        link['over'] = link['load'] > link['capacity'] * (1 + 1e-9)
    return links


def near(a, b, part=1e-6):
    return abs(a - b) <= part * max(abs(a), abs(b), 1e-9)


def rounded(gbs):
    """Three digits, as pictures print numbers."""
    digits = 0 if gbs >= 99.95 else 1 if gbs >= 9.995 else 2 if gbs >= 0.9995 else 3
    text = '%.*f' % (digits, gbs)
    return text.rstrip('0').rstrip('.') if digits else text


def check_report(links, path):
    data = json.load(open(path))['data']
    shared = {k: v for k, v in links.items() if len(v['by']) > 1}
    got = {(l['switch'], l['port']): l for l in data['links']}
    assert set(got) == set(shared), (set(got) ^ set(shared))
    for key, link in got.items():
        by = {j['job']: j['gbs'] for j in link['by_job']}
        assert set(by) == set(shared[key]['by']), (key, by)
        assert all(near(by[j], shared[key]['by'][j]) for j in by), (key, by)
        assert near(link['load_gbs'], shared[key]['load'])
        assert [j['gbs'] for j in link['by_job']] == sorted(by.values(), reverse=True)
    fills = [l['fill'] for l in data['links']]
    assert fills == sorted(fills, reverse=True)
    pairs = {}
    for link in shared.values():
        ids = sorted(link['by'])
        for a in range(len(ids)):
            for b in range(a + 1, len(ids)):
                pair = pairs.setdefault((ids[a], ids[b]), [0, 0])
                pair[0] += 1
                pair[1] += link['over']
    got = {tuple(sorted((p['job'], p['with']))): [p['shared'], p['overloaded']]
           for p in data['pairs']}
    assert got == pairs, (got, pairs)
    assert data['overloaded'] == sum(l['over'] for l in shared.values())
    assert data['collisions'] == sum(1 for p in pairs.values() if p[1])
    return len(shared), data['overloaded']


def titles(path, kind):
    for element in ET.parse(path).getroot().iter(SVG + kind):
        title = element.find(SVG + 'title')
        if title is not None:
            yield element.get('class'), title.text


PLACE = re.compile(r'(\S+) port (\d+) to (\S+) port (\d+): (.*)')


def check_map(links, path):
    seen = red = 0
    for look, tip in titles(path, 'rect'):
        place, _, jobs = tip.partition('\n')
        switch, port, to, to_port, value = PLACE.match(place).groups()
        link = links.get((switch, int(port)))
        if not link:
            assert value == 'unused' and look == 'u' and not jobs, tip
            continue
        assert (to, int(to_port)) == (link['to'], link['to_port'])
        assert value.startswith(rounded(link['load']) + ' GB/s'), (tip, link)
        order = sorted(link['by'].items(), key=lambda part: (-part[1], part[0]))
        want = 'job%s %s' % ('s' if len(order) > 1 else '', ', '.join(
            '%d (%s)' % (job, rounded(gbs)) for job, gbs in order))
        assert jobs == want, (tip, want)
        assert (look[0] == 'o') == link['over'], (look, tip)
        seen += 1
        red += link['over']
    spine = [k for k in links if '-S' in k[0]]
    assert seen == len(spine), (seen, len(spine))
    return seen, red


def check_job(links, job, path, answer):
    mine = {k: v for k, v in links.items() if job in v['by']}
    got = {'o': set(), 'j': set(), 'f': set()}
    for look, tip in titles(path, 'path'):
        switch, port, _, _, value = PLACE.match(tip.partition('\n')[0]).groups()
        got[look.split()[1][0]].add((switch, int(port)))
        link = mine[switch, int(port)]
        assert value == '%s of %s GB/s' % (rounded(link['load']),
                                           rounded(link['capacity'])), tip
    red = {k for k, v in mine.items() if v['over']}
    orange = {k for k, v in mine.items() if len(v['by']) > 1 and not v['over']}
    assert got['o'] == red, (got['o'], red)
    assert got['j'] == orange, (got['j'], orange)
    assert got['f'] == set(mine) - red - orange
    data = json.load(open(answer))['data']
    assert {(l['switch'], l['port']) for l in data['links']} == red | orange
    met = {}
    for link in mine.values():
        for other in set(link['by']) - {job}:
            both = met.setdefault(other, [0, 0])
            both[0] += 1
            both[1] += link['over']
    assert {m['job']: [m['shared'], m['overloaded']] for m in data['meets']} == met
    return len(red), len(orange)


wanted = expected(read_jobs(sys.argv[1]))
if sys.argv[2] == 'report':
    print(*check_report(wanted, sys.argv[3]))
elif sys.argv[2] == 'map':
    print(*check_map(wanted, sys.argv[3]))
else:
    print(*check_job(wanted, int(sys.argv[3]), sys.argv[4], sys.argv[5]))
