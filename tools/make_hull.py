#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints scenes/ship_hull.obj: a small ship's hull, 25 m long, 7 m wide, closed by its deck and transom.

The sections between x = -4 and 4 m are alike, so that lengths around them have a closed form. x forward, z up, metres."""

# (half breadth, height) from the keel to the gunwale, of the section amidships
SECTION = [(0.0, -3.0), (2.4, -3.0), (3.2, -2.2), (3.5, 0.0), (3.5, 2.0)]
# x, part of the breadth, rise of the keel as a part of its depth
STATIONS = [(-12, 0.75, 0.45), (-8, 0.95, 0.1), (-4, 1, 0), (4, 1, 0), (8, 0.72, 0), (11, 0.3, 0.05), (13, 0.02, 0.2)]


def main():
    n = 2 * len(SECTION) - 1
    for x, breadth, rise in STATIONS:
        half = [(breadth * y, z if z > 0 else z * (1 - rise)) for y, z in SECTION]
        # from the gunwale on the right over the keel to the gunwale on the left
        for y, z in [(-y, z) for y, z in reversed(half[1:])] + half:
            print(f"v {x:g} {y:g} {z:g}")
    last = len(STATIONS) - 1
    for i in range(last):
        for j in range(n):
            a, b = i * n + j + 1, i * n + (j + 1) % n + 1
            print(f"f {a} {b} {b + n} {a + n}")
    print("f", *(j + 1 for j in reversed(range(n))))
    print("f", *(last * n + j + 1 for j in range(n)))


main()
