#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Does check_layers.py see what it should: each kind of breach in a small tree, and none in a sound one."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECK = Path(__file__).resolve().parent / "check_layers.py"
SOUND = {
    "include/reeve/base.h": "#include <stddef.h>\n",
    "include/reeve/reeve.h": '#include "reeve/base.h"\n',
    "include/reeve/scene.h": '#include "reeve/reeve.h"\n',
    "src/base/memory.h": '#include "reeve/base.h"\n',
    "src/solve/row.h": '#include "base/memory.h"\n',
    "src/world/world.c": '#include "solve/row.h"\n#include <math.h>\n',
    "src/scene/read.c": '#include "reeve/scene.h"\n',
    "app/main.c": '#include "print.h"\n#include "reeve/scene.h"\n',
    "app/print.h": "#include <stdio.h>\n",
    "app/sweep/read.c": '#include "scene/tree.h"\n',
    "src/scene/tree.h": "",
    "app/output/csv.c": '#include "print.h"\n#include "support/json.h"\n',
    "support/json.h": '#include "reeve/base.h"\n',
    "bench/rows.c": '#include "support/json.h"\n#include "cable/string/wave.h"\n',
    "src/cable/string/wave.h": "",
    "include/reeve/reference.h": '#include "reeve/base.h"\n',
    "reference/march.h": '#include "cable/string/wave.h"\n',
    "reference/march.c": '#include "reference/march.h"\n#include "reeve/reference.h"\n',
    "bench/march.c": '#include "reference/march.h"\n',
    "hosts/ropes.h": '#include "reeve/reeve.h"\n',
    "hosts/ode/crane.c": '#include "../ropes.h"\n',
}


def check(**changes):
    """The output and exit code for the sound tree with some files changed."""
    with tempfile.TemporaryDirectory() as folder:
        for path, text in {**SOUND, **changes}.items():
            file = Path(folder) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        done = subprocess.run([sys.executable, CHECK, folder], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout


class Layers(unittest.TestCase):
    def refuses(self, path, text):
        code, output = check(**{path: text})
        self.assertEqual(code, 1, output)
        self.assertTrue(output.startswith(path.rsplit("/", 1)[0]), output)

    def test_a_sound_tree_passes(self):
        self.assertEqual(check()[0], 0)

    def test_a_lower_layer_may_not_include_a_higher_one(self):
        self.refuses("src/solve/row.h", '#include "world/world.h"\n')
        self.refuses("src/solve/row.h", '  #  include <world/world.h>\n')

    def test_files_have_a_length(self):
        self.refuses("src/solve/row.h", "\n" * 701)
        self.refuses("test/solve/test_row.c", "\n" * 801)
        self.assertEqual(check(**{"src/cable/ale/ale.c": "\n" * 800, "test/world/test_world.c": "\n" * 800})[0], 0)

    def test_parts_of_a_cable_have_an_order(self):
        self.refuses("src/cable/route/twist.c", '#include "cable/string/wave.h"\n')
        self.refuses("src/cable/twist.c", "")

    def test_the_core_may_not_include_the_reference(self):
        self.refuses("src/world/world.c", '#include "reeve/reference.h"\n')
        self.refuses("src/world/world.c", '#include "reference/march.h"\n')

    def test_the_reference_sees_the_layers_up_to_cable(self):
        self.refuses("reference/march.c", '#include "world/world.h"\n')
        self.refuses("reference/march.c", '#include "reeve/scene.h"\n')
        self.refuses("reference/march.c", '#include "march.h"\n')

    def test_the_core_may_not_include_the_scene(self):
        self.refuses("src/world/world.c", '#include "reeve/scene.h"\n')

    def test_a_public_header_may_not_include_a_private_one(self):
        self.refuses("include/reeve/base.h", '#include "base/memory.h"\n')

    def test_the_command_may_not_include_private_headers(self):
        self.refuses("app/main.c", '#include "solve/row.h"\n')
        self.refuses("app/main.c", "#include <solve/row.h>\n")
        self.refuses("app/main.c", '#include "../src/solve/row.h"\n')
        self.refuses("hosts/ode/crane.c", '#include "../../src/solve/row.h"\n')

    def test_only_studies_are_read_by_the_reader_of_scenes(self):
        self.refuses("app/main.c", '#include "scene/tree.h"\n')
        self.refuses("app/sweep/read.c", '#include "scene/build.h"\n')

    def test_benchmarks_may_look_into_cables_only(self):
        self.refuses("bench/rows.c", '#include "solve/row.h"\n')
        self.refuses("bench/rows.c", '#include "../app/print.h"\n')

    def test_what_programs_share_knows_none_of_them(self):
        self.refuses("support/json.h", '#include "../app/print.h"\n')
        self.refuses("support/json.h", '#include "solve/row.h"\n')

    def test_relative_ways_round_are_refused(self):
        self.refuses("src/solve/row.h", '#include "../world/world.h"\n')

    def test_unknown_folders_are_refused(self):
        self.refuses("src/common/all.h", "")


if __name__ == "__main__":
    unittest.main()
