#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Which files and functions one step visits: of a winch with one massless cable and a load.

Builds the library with -finstrument-functions beside test/walk/walk.c and resolves what that prints. Functions count by
file and name, those of src/base and src/math do not: they are small and everywhere.

Usage: call_walk.py [--list] [--files N] [--functions N] [ROOT]. --list: each file with its functions; --files,
--functions: exit code 1 where there are more.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

LAYERS = ["base", "math", "solve", "body", "contact", "cable", "world"]


def build(root, folder):
    flags = ["-O0", "-g", "-std=gnu17", "-finstrument-functions", "-no-pie", f"-I{root}/include", f"-I{root}/src"]
    sources = [p for layer in LAYERS for p in sorted((root / "src" / layer).rglob("*.c"))] + [root / "test/walk/walk.c"]
    objects = []
    jobs = []
    for i, source in enumerate(sources):
        objects.append(folder / f"{i}.o")
        jobs.append((["gcc", *flags, "-c", str(source), "-o", str(objects[-1])], source))
    running = []
    for command, source in jobs:
        running.append((subprocess.Popen(command), source))
        if len(running) >= (os.cpu_count() or 1):
            finish(*running.pop(0))
    for job in running:
        finish(*job)
    program = folder / "walk"
    libraries = subprocess.run(["pkg-config", "--libs", "ode"], capture_output=True, text=True, check=True).stdout
    subprocess.run(["gcc", "-no-pie", *map(str, objects), "-o", str(program), *libraries.split(), "-lm"], check=True)
    return program


def finish(process, source):
    if process.wait() != 0:
        sys.exit(f"call_walk: cannot compile {source}")


def small_names(root):
    """Inline functions of base, math and the public headers: a debugger may tell them as of the file that uses them."""
    names = set()
    for folder in ("include/reeve", "src/base", "src/math"):
        for header in (root / folder).glob("*.h"):
            names |= set(re.findall(r"static inline [\w* ]+?\b(\w+)\(", header.read_text(encoding="utf-8")))
    return names


def walk(program, root):
    lines = subprocess.run([str(program)], capture_output=True, text=True, check=True).stdout.split("\n")
    counts = dict(line.split() for line in lines if line)
    where = subprocess.run(["addr2line", "-f", "-e", str(program), *counts], capture_output=True, text=True, check=True)
    found = where.stdout.split("\n")
    visited = defaultdict(dict)
    small = small_names(root)
    for i, address in enumerate(counts):
        name, place = found[2 * i], found[2 * i + 1].split(":")[0]
        if name in small:
            continue
        visited[os.path.relpath(place, root)][name] = int(counts[address])
    return visited


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--list", action="store_true")
    options.add_argument("--files", type=int)
    options.add_argument("--functions", type=int)
    options.add_argument("root", nargs="?", default=Path(__file__).resolve().parent.parent, type=Path)
    chosen = options.parse_args()
    root = chosen.root.resolve()
    with tempfile.TemporaryDirectory() as folder:
        visited = walk(build(root, Path(folder)), root)
    counted = {p: f for p, f in visited.items() if p.startswith("src/") and p.split("/")[1] not in ("base", "math")}
    functions = sum(len(names) for names in counted.values())
    calls = sum(sum(names.values()) for names in counted.values())
    for path in sorted(counted) if chosen.list else []:
        print(f"{path}: {', '.join(sorted(counted[path]))}")
    print(f"a step of one winch: {len(counted)} files, {functions} functions, {calls} calls outside base and math")
    over = chosen.files and len(counted) > chosen.files or chosen.functions and functions > chosen.functions
    sys.exit(1 if over else 0)


if __name__ == "__main__":
    main()
