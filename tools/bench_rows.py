#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Rows of benchmarks as data files: reads what `reeve bench --markdown` prints and writes docs/bench/NAME.csv, one for
each benchmark, and docs/bench/left_out.csv.

  reeve bench --markdown | tools/bench_rows.py
"""
import csv
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "bench"
COLUMNS = ["case", "unit", "ours", "reference", "source", "ratio", "goal", "holds"]


def main():
    FOLDER.mkdir(exist_ok=True)
    rows, left_out, name = {}, [], None
    for line in sys.stdin:
        line = line.rstrip("\n")
        if line.startswith("## "):
            name = line[3:].split(":")[0]
        elif line.startswith("| ") and name and not line.startswith("| case |"):
            cells = [cell.strip().strip("`") for cell in line.strip("|").split("|")]
            rows.setdefault(name, []).append(["" if cell == "-" else cell for cell in cells])
        elif line.startswith("- ") and name:
            left_out.append([name] + line[2:].split(": ", 1))
    for name, table in rows.items():
        with open(FOLDER / f"{name}.csv", "w", newline="") as file:
            csv.writer(file, lineterminator="\n").writerows([COLUMNS] + table)
    with open(FOLDER / "left_out.csv", "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([["bench", "what", "why"]] + left_out)
    print(f"{sum(map(len, rows.values()))} rows of {len(rows)} benchmarks in {FOLDER}")


if __name__ == "__main__":
    main()
