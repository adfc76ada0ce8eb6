#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks which file includes which: the way the folders depend on each other.

  base -> math -> solve -> body -> contact -> cable -> world -> scene -> app, bench

and inside cable:  core -> route -> taut -> line -> crossing -> string -> ancf -> fe -> ale -> curve -> driver

- a file of src/<layer> includes its own layer and those left of it, and public headers;
- so does a file of src/cable/<part> with the parts left of it, but for the exceptions below, a list that only shrinks;
- reference/, the papers' own methods, sees the layers up to cable, public headers and its own files ("reference/NAME");
  no file of src includes one of it, nor reeve/reference.h;
- a public header includes public headers only;
- app/, support/, hosts/, samples and the outside programs of the tests see public headers (also the adapters' in hosts/)
  and their own files only; app/ and bench/ also what they share, support/;
- app/sweep/ reads studies by the part of the scene layer that reads YAML: STUDY_READER;
- bench/ sees what app/ sees, and may look at the insides of a cable model or of reference/ that it measures by itself;
- a file has at most 700 lines in src, app, bench and reference, 800 in test;
- of the public headers, scene.h belongs to the scene layer: lower layers do not include it.

Usage: check_layers.py [ROOT]. Prints file:line of each breach; exit code 1 if there is one.
"""
import re
import sys
from pathlib import Path

LAYERS = ["base", "math", "solve", "body", "contact", "cable", "world", "scene"]
# Types; routes of places; taut ropes among shapes; bent lines that touch; taut ropes that cross; the models with segments;
# those of finite elements, and the curve; what is done with all cables, which knows every model.
PARTS = ["core", "route", "taut", "line", "crossing", "string", "ancf", "fe", "ale", "curve", "driver"]
# (file, what it includes although it should not)
EXCEPTIONS = set()
OUTSIDE = ["app", "bench", "support", "hosts", "samples", "test/install", "test/determinism"]  # see public headers only
STUDY_READER = {f"scene/{name}.h" for name in ("arena", "file", "report", "text", "tree", "units")}
# Lines of a file. Rope of finite elements is rebuilt: until then its files may be longer.
LENGTHS = {"src": 700, "app": 700, "bench": 700, "reference": 700, "test": 800}
LONGER = ("src/cable/ale/", "src/cable/ancf/", "src/cable/fe/")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')


def sources(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in (".c", ".h", ".cpp", ".hpp"))


def includes(path):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1) == "<", match.group(2)


def layer_of(name):
    """The layer of an included name, or None where it is not ours."""
    if name == "reeve/scene.h":
        return "scene"
    first = name.split("/")[0]
    return first if "/" in name and first in LAYERS else None


def check_parts(root, say):
    """The order inside of src/cable. Exceptions that are not needed any more are breaches, too."""
    cable, used = root / "src" / "cable", set()
    for path in sources(cable):
        own = path.relative_to(cable).parts
        if len(own) != 2 or own[0] not in PARTS:
            say(path, 1, f"src/cable has the folders {', '.join(PARTS)}, and files in these only")
            continue
        for number, _, name in includes(path):
            part = name.split("/")
            if part[0] != "cable" or len(part) != 3 or part[1] not in PARTS:
                continue
            exception = ("/".join(own), "/".join(part[1:]))
            if PARTS.index(part[1]) <= PARTS.index(own[0]):
                continue
            used.add(exception)
            if exception not in EXCEPTIONS:
                say(path, number, f"{name}: {own[0]} is below {part[1]} and must not know it")
    for exception in EXCEPTIONS - used:
        if (cable / exception[0]).is_file():
            say(cable / exception[0], 1, f"includes {exception[1]} no more: take it off the list of exceptions")


def check_layer(root, layer, say):
    allowed = LAYERS[: LAYERS.index(layer) + 1]
    for path in sources(root / "src" / layer):
        for number, _, name in includes(path):
            target = layer_of(name)
            if name == "reeve/reference.h" or name.startswith("reference/"):
                say(path, number, f"{name}: the core must not know the papers' own methods; see cable/core/reference.h")
            elif target is None and not name.startswith("reeve/") and ".." in name:
                say(path, number, f"{name}: include by the path from src, not by a relative one")
            elif target is None and not name.startswith("reeve/") and (path.parent / name).is_file():
                say(path, number, f'{name}: include as "{layer}/{name}"')
            elif target and target not in allowed:
                say(path, number, f"{name}: {layer} is below {target} and must not know it")


def check_reference(root, say):
    allowed = LAYERS[: LAYERS.index("cable") + 1]
    for path in sources(root / "reference"):
        for number, system, name in includes(path):
            if name.startswith("reeve/"):
                known = name != "reeve/scene.h" and (root / "include" / name).is_file()
            elif name.startswith("reference/"):
                known = (root / name).is_file()
            else:
                known = system or layer_of(name) in allowed
            if not known:
                say(path, number, f"{name}: reference sees its own files, public headers and {', '.join(allowed)}")


def check_public(root, say):
    for path in sources(root / "include"):
        for number, system, name in includes(path):
            if not system and not name.startswith("reeve/"):
                say(path, number, f"{name}: a public header includes public headers only")
            elif name.startswith("reeve/") and not (root / "include" / name).is_file():
                say(path, number, f"{name}: no such public header")


def check_outside(root, folder, say):
    for path in sources(root / folder):
        for number, system, name in includes(path):
            if name.startswith("reeve/"):
                known = (root / "include" / name).is_file()
            elif name.startswith("support/") and folder in ("app", "bench", "support"):
                known = (root / name).is_file()
            elif folder == "bench" and layer_of(name) == "cable":
                known = (root / "src" / name).is_file()
            elif name in STUDY_READER and path.is_relative_to(root / "app" / "sweep"):
                known = (root / "src" / name).is_file()
            elif folder == "bench" and name.startswith("reference/"):
                known = (root / name).is_file()
            else:
                known = system or (path.parent / name).is_file() or (root / folder / name).is_file()
                known = known or (root / "hosts" / name).is_file()
                climbs = ".." in name and not (path.parent / name).resolve().is_relative_to((root / folder).resolve())
                known = known and not climbs and not (root / "src" / name).is_file()
            if not known:
                say(path, number, f"{name}: {folder} sees public headers only")


def check_lengths(root, say):
    for folder, most in LENGTHS.items():
        for path in sources(root / folder) if (root / folder).is_dir() else []:
            lines = len(path.read_text(encoding="utf-8").splitlines())
            inside = path.relative_to(root).as_posix()
            if lines > most and not inside.startswith(LONGER):
                say(path, most, f"has {lines} lines, must have at most {most}")


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    breaches = []

    def say(path, number, text):
        breaches.append(f"{path.relative_to(root)}:{number}: {text}")

    for folder in sorted(p for p in (root / "src").iterdir() if p.is_dir()):
        if folder.name in LAYERS:
            check_layer(root, folder.name, say)
        else:
            breaches.append(f"src/{folder.name}: not a layer; the layers are {', '.join(LAYERS)}")
    check_parts(root, say)
    check_lengths(root, say)
    if (root / "reference").is_dir():
        check_reference(root, say)
    check_public(root, say)
    for folder in OUTSIDE:
        if (root / folder).is_dir():
            check_outside(root, folder, say)
    print("\n".join(breaches) if breaches else "layers: as they should be")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
