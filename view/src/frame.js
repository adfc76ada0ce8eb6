// SPDX-License-Identifier: MIT
// Frames: the binary layout of docs/viewer.md, and a frame between two others.

export const FLAG = { paused: 1, behind: 2, manual: 4, failed: 8, saved: 16 };

// `scene` is the description. Throws on a frame that does not fit it.
export function decode(buffer, scene) {
    const view = new DataView(buffer);
    if (buffer.byteLength < 40 || view.getUint32(0, true) !== 0x31465652) throw new Error("not a frame");
    let at = 40;
    const floats = (count) => {
        const part = new Float32Array(buffer, at, count);
        at += 4 * count;
        return part;
    };
    const frame = {
        number: view.getUint32(4, true), time: view.getFloat64(8, true), flags: view.getUint32(16, true),
        pace: view.getFloat32(20, true), cost: view.getFloat32(24, true), worst: view.getFloat32(28, true),
        budget: view.getFloat32(32, true), contacts: view.getUint32(36, true),
        bodies: floats(7 * scene.bodies.length), cables: [], wheels: null, controls: [], energy: null, values: null,
    };
    for (let i = 0; i < scene.cables.length; ++i) {
        const points = view.getUint16(at, true), spans = view.getUint16(at + 2, true);
        const flags = view.getUint32(at + 4, true), rest = view.getFloat32(at + 8, true);
        at += 12;
        const starts = new Uint16Array(buffer, at, spans);
        at += 2 * (spans + (spans % 2));
        const tensions = floats(spans);
        frame.cables.push({ taut: (flags & 1) !== 0, broken: (flags & 2) !== 0, model: (flags >> 8) & 0xff, rest, starts, tensions, points: floats(3 * points) });
    }
    frame.wheels = floats(2 * scene.wheels.length);
    for (let i = 0; i < scene.controls.length; ++i) {
        const [lever, speed, position, force] = floats(4);
        frame.controls.push({ lever, speed, position, force, brake: view.getUint32(at, true) !== 0 });
        at += 4;
    }
    frame.energy = floats(5);
    frame.values = floats(scene.outputs.length);
    return frame;
}

// The span that the piece of cable from point i on belongs to.
export function spanOf(cable, i) {
    let span = 0;
    while (span + 1 < cable.starts.length && cable.starts[span + 1] <= i) ++span;
    return span;
}

const mix = (a, b, s, out) => {
    for (let i = 0; i < a.length; ++i) out[i] = a[i] + s * (b[i] - a[i]);
};

// The state a part s of the way from frame a to frame b, for the picture; numbers are those of b.
export function between(a, b, s) {
    if (!a || s >= 1 || a.bodies.length !== b.bodies.length) return b;
    const frame = { ...b, bodies: new Float32Array(b.bodies.length), wheels: new Float32Array(b.wheels.length) };
    mix(a.bodies, b.bodies, s, frame.bodies);
    for (let i = 0; i < b.bodies.length; i += 7) {
        // quaternions: the short way round, then back to unit length
        let dot = 0, length = 0;
        for (let k = 3; k < 7; ++k) dot += a.bodies[i + k] * b.bodies[i + k];
        for (let k = 3; k < 7; ++k) {
            const from = dot < 0 ? -a.bodies[i + k] : a.bodies[i + k];
            frame.bodies[i + k] = from + s * (b.bodies[i + k] - from);
            length += frame.bodies[i + k] ** 2;
        }
        for (let k = 3; k < 7; ++k) frame.bodies[i + k] /= Math.sqrt(length) || 1;
    }
    mix(a.wheels, b.wheels, s, frame.wheels);
    frame.cables = b.cables.map((cable, i) => {
        const before = a.cables[i];
        if (before.points.length !== cable.points.length) return cable;
        const points = new Float32Array(cable.points.length);
        mix(before.points, cable.points, s, points);
        return { ...cable, points };
    });
    return frame;
}
