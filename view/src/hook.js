// SPDX-License-Identifier: MIT
// The hook: which body is the one to look at, where it is, how it swings.
import * as THREE from "three";

const NAMES = [/^hook/i, /spreader/i, /hook/i, /block/i, /^load/i, /bucket|cabin|^car$/i, /container|box/i];

export function guessHook(scene) {
    const moving = scene.bodies.map((body, i) => [body, i]).filter(([body]) => body.type === "dynamic");
    for (const wanted of NAMES) {
        const found = moving.find(([body]) => wanted.test(body.name));
        if (found) return found[1];
    }
    const held = (i) => scene.cables.flatMap((cable) => cable.places).filter((place) => place.body === i).length;
    return moving.reduce((best, [, i]) => (best < 0 || held(i) > held(best) ? i : best), -1);
}

export function hookPosition(frame, hook) {
    return hook < 0 || !frame ? null : new THREE.Vector3(...frame.bodies.subarray(7 * hook, 7 * hook + 3));
}

// Direction of the straight part of a span, from its first place to its second.
function straight(cable, span, out) {
    const end = span + 1 < cable.starts.length ? cable.starts[span + 1] : cable.points.length / 3 - 1;
    if (end < 1) return out.set(0, 0, 0);
    return out.fromArray(cable.points, 3 * end).sub(new THREE.Vector3().fromArray(cable.points, 3 * end - 3)).normalize();
}

// The sum of the directions in which ropes pull a body up.
function pull(scene, frame, body) {
    const sum = new THREE.Vector3(), direction = new THREE.Vector3();
    scene.cables.forEach((definition, c) => {
        const cable = frame.cables[c];
        if (cable.broken) return;
        definition.places.forEach((place, i) => {
            if (place.body !== body) return;
            for (const [span, sign] of [[i - 1, -1], [i, 1]]) {
                if (span < 0 || span >= cable.tensions.length) continue;
                straight(cable, span, direction).multiplyScalar(sign);
                if (direction.z > 0.1 && cable.tensions[span] > 0) sum.add(direction);
            }
        });
    });
    return sum;
}

// Angle against the vertical of the ropes that hold the hook [degrees]. A hook may hang on a block by a joint: then it is
// the nearest body within 3 m that ropes pull up.
export function swing(scene, frame, hook) {
    const from = hookPosition(frame, hook);
    if (!from) return null;
    const near = scene.bodies.map((body, i) => [i, hookPosition(frame, i).distanceTo(from), body.type])
        .filter(([, distance, type]) => type === "dynamic" && distance < 3).sort((a, b) => a[1] - b[1]);
    for (const [body] of near) {
        const sum = pull(scene, frame, body);
        if (sum.lengthSq() > 0) return (Math.atan2(Math.hypot(sum.x, sum.y), sum.z) * 180) / Math.PI;
    }
    return null;
}
