#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the pictures of the documentation with the command `reeve`.

  tools/pictures.py tutorial   docs/pictures/NAME.svg for each scene of docs/tutorial.md that names a time to draw:
                               <!-- picture: NAME.yaml 4 -->
  tools/pictures.py film       docs/pictures/crane_film.svg, the moving picture of the README: scenes/crane.yaml
  tools/pictures.py            both

REEVE names the command (default build/release/bin/reeve). Needs nothing but Python.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REEVE = os.environ.get("REEVE", str(ROOT / "build/release/bin/reeve"))
PICTURES = ROOT / "docs" / "pictures"


def draw(scene, time, out, settings=()):
    """The picture of a scene at a time, as text."""
    command = [REEVE, "run", str(scene), "--until", str(max(time, 0.1)), "--picture", str(time), "--no-vtk",
               "--no-replay", "--quiet", "--out", str(out)]
    for setting in settings:
        command += ["--set", setting]
    subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
    return (out / "picture.svg").read_text()


# ---- smaller pictures ------------------------------------------------------------------------------------------------

FACET = re.compile(r"<path d='(M[^']*Z)' fill='([^']*)' stroke='\2' stroke-width='1.1' stroke-linejoin='round'/>")


def corners_of(path):
    numbers = [float(n) for n in re.findall(r"-?[\d.]+", path)]
    return [(numbers[i], numbers[i + 1]) for i in range(0, 6, 2)]


def area(points):
    return 0.5 * sum(p[0] * q[1] - q[0] * p[1] for p, q in zip(points, points[1:] + points[:1]))


def overlap(a, b):
    """Do two triangles share more than an edge? By separating axes, with half a pixel to spare."""
    for triangle in (a, b):
        for (px, py), (qx, qy) in zip(triangle, triangle[1:] + triangle[:1]):
            nx, ny = qy - py, px - qx
            length = (nx * nx + ny * ny) ** 0.5 or 1.0
            of_a, of_b = [(nx * x + ny * y) / length for x, y in a], [(nx * x + ny * y) / length for x, y in b]
            if max(of_a) < min(of_b) + 0.5 or max(of_b) < min(of_a) + 0.5:
                return False
    return True


def corners(points, unit):
    """Without those that lie on the straight line between their neighbours, to less than `unit` pixels."""
    kept = list(points)
    i = 0
    while len(kept) > 2 and i < len(kept):
        (px, py), (qx, qy), (rx, ry) = kept[i - 1], kept[i], kept[(i + 1) % len(kept)]
        if abs((qx - px) * (ry - py) - (qy - py) * (rx - px)) < 0.8 * unit * max(abs(rx - px), abs(ry - py), 0.1):
            del kept[i]
        else:
            i += 1
    return kept


def outline(triangles, unit):
    """The path around triangles that share edges: an edge that two of them have is inside. Rounded to `unit` pixels."""
    edges = {}
    for t in triangles:
        t = t if area(t) > 0.0 else t[::-1]
        for edge in zip(t, t[1:] + t[:1]):
            if edge[::-1] in edges:
                edges[edge[::-1]] -= 1
                if edges[edge[::-1]] == 0:
                    del edges[edge[::-1]]
            else:
                edges[edge] = edges.get(edge, 0) + 1
    after = {}
    for (p, q), n in edges.items():
        after.setdefault(p, []).extend([q] * n)
    path = ""
    while after:
        start = next(iter(after))
        loop, at = [start], start
        while True:
            following = after[at].pop()
            if not after[at]:
                del after[at]
            if following == start:
                break
            loop.append(following)
            at = following
        if abs(area(loop)) < 1.0:
            continue
        points = []
        for x, y in loop:
            point = (round(x / unit) * unit, round(y / unit) * unit)
            if not points or point != points[-1]:
                points.append(point)
        kept = corners(points, unit)
        if len(kept) > 2:
            path += "M" + "L".join(f"{x:g} {y:g}" for x, y in kept) + "Z"
    return path


def elements(svg, unit=1):
    """The lines between head and foot. Facets of one colour become one path where nothing of another colour lies
    between them."""
    out, groups = [], []

    def flush():
        for colour, triangles in groups:
            path = outline(triangles, unit)
            if path:
                out.append(f"<path d='{path}' fill='{colour}' stroke='{colour}'/>")
        groups.clear()

    # the legend is one element of several lines
    svg = re.sub(r"<g .*?</g>", lambda m: m[0].replace("\n", ""), svg, flags=re.S)
    for line in svg.splitlines()[1:-1]:
        facet = FACET.fullmatch(line)
        if not facet:
            flush()
            out.append(line)
            continue
        triangle, colour = corners_of(facet[1]), facet[2]
        if abs(area(triangle)) < 0.02:
            continue
        for group in reversed(groups):
            if group[0] == colour:
                group[1].append(triangle)
                break
            if any(overlap(triangle, other) for other in group[1]):
                groups.append((colour, [triangle]))
                break
        else:
            groups.append((colour, [triangle]))
    flush()
    return [line for line in out if line]


HEAD = "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 960 640'>\n<g stroke-width='1.1' stroke-linejoin='round'>\n"
FOOT = "</g>\n</svg>\n"


def slim(svg):
    return HEAD + "\n".join(elements(svg, 0.1)) + "\n" + FOOT


# ---- tutorial --------------------------------------------------------------------------------------------------------

def tutorial():
    text = (ROOT / "docs" / "tutorial.md").read_text()
    scenes = dict(re.findall(r"```yaml\n(?=# (\w+)\.yaml\n)(.*?)```", text, flags=re.S))
    with tempfile.TemporaryDirectory() as folder:
        for name, time in re.findall(r"<!-- picture: (\w+)\.yaml ([\d.]+) -->", text):
            scene = Path(folder) / f"{name}.yaml"
            scene.write_text(scenes[name])
            (PICTURES / f"{name}.svg").write_text(slim(draw(scene, float(time), Path(folder) / name)))
            print(f"docs/pictures/{name}.svg")


# ---- film ------------------------------------------------------------------------------------------------------------

FILM = ROOT / "scenes" / "crane.yaml"
TIMES = [2.0 + 0.5 * i for i in range(92)]  # [s]
SHOWN = 0.1                                # seconds for each of them
# Specks at the corners of what is to be seen, so that every picture has the same frame.
CORNERS = [(-14.5, 0, 1.3), (46.5, 0, 1.3), (30, 36, 43), (10, -3, 0), (47, -3, 40)]


def film():
    text = FILM.read_text()
    specks = "".join(f"  speck{i}: {{type: static, position: {list(p)}, shapes: "
                     "[{type: box, sides: [0.01, 0.01, 0.01], mask: 0}]}\n" for i, p in enumerate(CORNERS))
    text = text.replace("\njoints:\n", "\n" + specks + "\njoints:\n", 1)  # last of the bodies
    with tempfile.TemporaryDirectory() as folder:
        scene = Path(folder) / "film.yaml"
        scene.write_text(text)
        frames = [elements(draw(scene, time, Path(folder) / "out")) for time in TIMES]
    shared = set.intersection(*map(set, frames))
    count, length = len(frames), len(frames) * SHOWN
    lines = [HEAD, "<style>.f{visibility:hidden;animation:a %.2fs step-end infinite}"
                   "@keyframes a{0%%{visibility:visible}%.3f%%{visibility:hidden}}</style>\n" % (length, 100.0 / count)]
    lines += [line + "\n" for line in frames[0] if line in shared]
    for i, frame in enumerate(frames):
        # What cannot play it shows the frame in the middle.
        still = ";visibility:visible" if i == count // 2 else ""
        lines.append(f"<g class='f' style='animation-delay:{i * SHOWN - length:.2f}s{still}'>\n")
        lines += [line + "\n" for line in frame if line not in shared]
        lines.append("</g>\n")
    lines.append(FOOT)
    path = PICTURES / "crane_film.svg"
    path.write_text("".join(lines))
    print(f"docs/pictures/crane_film.svg: {path.stat().st_size / 1000:.0f} kB, {count} frames")


if __name__ == "__main__":
    what = sys.argv[1:] or ["tutorial", "film"]
    PICTURES.mkdir(exist_ok=True)
    for one in what:
        {"tutorial": tutorial, "film": film}[one]()
