#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the documentation against the tree:

- links of README.md, CONTRIBUTING.md, ... and docs/ lead to files, and to headings, that exist;
- files that it names in `code` exist, and so do the tests it names after `ctest -R` and tests named as claims;
- pages of docs/theory have at most 200 lines.

Usage: check_docs.py [ROOT]. Prints file: what for each; exit code 1 if there is one.
"""
import re
import sys
from pathlib import Path

EXAMPLES = {"model_NAME.c"}  # names that stand for others
NO_FILES = {"docs_", "determinism"}  # of tests, beside those of a file


def anchors(text):
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in re.findall(r"^#+ (.*)$", text, flags=re.M)}


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent).resolve()
    skipped = ("build", ".git", "out", "node_modules")
    files = [p for p in root.rglob("*") if p.is_file() and not set(p.relative_to(root).parts) & set(skipped)]
    names = {p.name for p in files}
    sources = "\n".join(p.read_text(errors="replace") for p in files if p.suffix in (".c", ".h", ".cpp"))
    pages = sorted(root.glob("*.md")) + sorted((root / "docs").rglob("*.md"))
    # scenes that the pages themselves contain
    names |= {m for p in pages for m in re.findall(r"```\w+\n(?:#|//) ([a-z_]+\.\w+)\n", p.read_text())}
    bad = []
    for page in pages:
        text, here = page.read_text(), str(page.relative_to(root))
        for target, anchor in re.findall(r"\]\(([^)#\s]*)(?:#([^)]*))?\)", text):
            if target.startswith("http"):
                continue
            to = (page.parent / target).resolve() if target else page
            if not to.exists():
                bad.append(f"{here}: no {target}")
            elif anchor and to.suffix == ".md" and anchor not in anchors(to.read_text()):
                bad.append(f"{here}: no heading #{anchor} in {target}")
        for name in set(re.findall(r"`(?:[\w/]+/)?(\w+\.(?:c|h|py|yaml|cmake|cpp))`", text)) - names - EXAMPLES:
            bad.append(f"{here}: no file {name}")
        for test in set(re.findall(r"ctest -R (\w+)", text)) - NO_FILES - {"NAME"}:
            if test + ".c" not in names:
                bad.append(f"{here}: no test {test}")
        for claim in set(re.findall(r"`([A-Z][a-z]+(?:[A-Z][a-z0-9]*){3,})`", text)):
            if not re.search(rf"\b{claim}\b", sources):
                bad.append(f"{here}: no test {claim}")
        if "theory" in here and text.count("\n") > 200:
            bad.append(f"{here}: {text.count(chr(10))} lines, at most 200")
    print("\n".join(bad) if bad else f"{len(pages)} pages: well")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
