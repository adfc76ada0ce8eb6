// SPDX-License-Identifier: MIT
// A recorded run, whole and cut short as by a run that was killed.
import { test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Replay } from "../../view/src/replay.js";

const { REEVE_COMMAND: REEVE, REEVE_SCENES: SCENES } = process.env;

function record(scene) {
    const folder = mkdtempSync(join(tmpdir(), "reeve-"));
    try {
        execFileSync(REEVE, ["run", `${SCENES}/${scene}.yaml`, "--quiet", "--no-vtk", "--until", "2", "--out", folder]);
        return readFileSync(join(folder, "replay.bin"));
    } finally {
        rmSync(folder, { recursive: true });
    }
}

const open = (bytes) => new Replay(new Uint8Array(bytes).buffer);

test("frames and events come back", () => {
    const run = open(record("crane"));
    assert.equal(run.frames.length, 61);
    assert.ok(Math.abs(run.end - 2) < 1e-6);
    assert.ok(run.events.some((event) => event.text === "sling1 came taut"));
});

test("a run that was cut short has all records up to there", () => {
    const bytes = record("crane"), whole = open(bytes), head = 12 + bytes.readUInt32LE(8);
    let frames = 0;
    for (let size = head; size <= bytes.length; size += 97) {
        let cut = null;
        try {
            cut = open(bytes.subarray(0, size));
        } catch (error) {
            assert.equal(error.message, "the run has no frames");
        }
        const now = cut ? cut.frames.length : 0;
        assert.ok(now >= frames && (!cut || cut.frames[now - 1].time === whole.frames[now - 1].time));
        frames = now;
    }
    assert.ok(frames >= whole.frames.length - 1);
});

test("a damaged run is refused or played, whatever it holds", () => {
    const bytes = record("crane");
    let seed = 1, refused = 0, played = 0;
    const random = (below) => (seed = (seed * 48271) % 2147483647) % below;
    for (let i = 0; i < 400; ++i) {
        const damaged = Buffer.from(bytes);
        for (let k = 0; k <= i % 4; ++k) damaged[random(i % 2 ? damaged.length : 4096)] = random(256);
        let run = null;
        try {
            run = open(damaged);
        } catch (error) {
            assert.ok(error instanceof Error);
        }
        run ? (played += 1) : (refused += 1);
        if (!run) continue;
        run.time = run.end / 2;
        assert.equal(run.around().length, 3);
    }
    assert.ok(refused > 10 && played > 10, `${refused} refused, ${played} played`);
});
