// SPDX-License-Identifier: MIT
// A finished run: the description and all frames in one file, replay.bin.
import { decode } from "./frame.js";

export class Replay {
    constructor(buffer) {
        const view = new DataView(buffer), magic = new TextDecoder().decode(buffer.slice(0, 8));
        if (magic !== "RVREPLAY") throw new Error("not a recorded run");
        const size = view.getUint32(8, true);
        const text = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 12, size)));
        this.scene = text.scene;
        this.events = [];
        this.frames = [];
        for (let at = 12 + size + ((4 - (size % 4)) % 4); at + 4 <= buffer.byteLength;) {
            // a frame, or events where the highest bit of the length is set
            const word = view.getUint32(at, true), length = word & 0x7fffffff, record = buffer.slice(at + 4, at + 4 + length);
            if (record.byteLength < length) break; // the run was cut short
            if (word >>> 31) this.events.push(...JSON.parse(new TextDecoder().decode(record)).events);
            else this.frames.push(decode(record, this.scene));
            at += 4 + length;
        }
        if (!this.frames.length) throw new Error("the run has no frames");
        this.time = 0;
        this.playing = true;
        this.speed = 1;
    }

    get end() {
        return this.frames[this.frames.length - 1].time;
    }

    advance(seconds) {
        if (!this.playing) return;
        this.time += this.speed * seconds;
        if (this.time >= this.end) {
            this.time = this.end;
            this.playing = false;
        }
    }

    // The frames around now, and how far between them.
    around() {
        let low = 0, high = this.frames.length - 1;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (this.frames[middle].time <= this.time) low = middle;
            else high = middle - 1;
        }
        const a = this.frames[low], b = this.frames[Math.min(low + 1, this.frames.length - 1)];
        return [a, b, b.time > a.time ? (this.time - a.time) / (b.time - a.time) : 1];
    }
}
