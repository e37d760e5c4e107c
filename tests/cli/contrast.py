#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""contrast.py SVG...: texts can be read in light and in dark mode

Reads the colors from the file's own style, in both modes, and computes the contrast
of WCAG 2: of texts with the ground of the whole picture, and of texts inside cells
with the color of the cell that they stand on.  Less than 4.5 is an error, and so is a
text or a box whose color the style does not say.
"""
import re
import sys
import xml.etree.ElementTree as ET

LEAST = 4.5
SVG = '{http://www.w3.org/2000/svg}'


def luminance(color):
    parts = [int(color[i:i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4
              for v in parts]
    return sum(w * v for w, v in zip((0.2126, 0.7152, 0.0722), linear))


def contrast(a, b):
    x, y = sorted((luminance(a) + 0.05, luminance(b) + 0.05))
    return y / x


def rules(style):
    """{selector: {property: color}}"""
    found = {}
    for selectors, body in re.findall(r'([^{}]+)\{([^{}]*)\}', style):
        for selector in selectors.split(','):
            for key, value in re.findall(r'(color|fill|stroke):(#[0-9a-f]{6})', body):
                found.setdefault(selector.strip(), {})[key] = value
    return found


def modes(root):
    style = ''.join(s.text for s in root.iter(SVG + 'style'))
    light, mark, dark = style.partition('@media(prefers-color-scheme:dark){')
    assert mark, 'no dark mode'
    first = rules(light)
    second = {k: dict(v) for k, v in first.items()}
    for selector, properties in rules(dark).items():
        second.setdefault(selector, {}).update(properties)
    assert first['.g'] != second['.g'], 'one ground for both modes'
    return {'light': first, 'dark': second}


def check(name):
    root = ET.parse(name).getroot()
    texts = list(root.iter(SVG + 'text'))
    assert texts, 'no text'
    assert not any(t.get('fill') for t in texts), 'a text with a color of its own'
    worst = 99
    for mode, rule in modes(root).items():
        ground = rule['.g']['color']
        for text in texts:
            look = text.get('class') or ''
            below = ground
            if look.startswith('on-'):
                fill = rule['.' + look]['fill']
                below = rule['.' + look[3:]]['color']
            else:
                fill = rule['text.' + look if look else 'text']['fill']
            value = contrast(fill, below)
            assert value >= LEAST, (mode, text.text, fill, below, value)
            worst = min(worst, value)
        for box in root.iter(SVG + 'rect'):
            assert rule.get('.' + box.get('class')), (mode, box.get('class'))
    print('%s: %.1f' % (name, worst))


for path in sys.argv[1:]:
    check(path)
