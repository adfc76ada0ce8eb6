// SPDX-License-Identifier: MIT
// Cables, drawn twice: as cylinders of their true thickness, and as a line inside of them that is never
// thinner than two pixels. Near, the cylinders hide the line; far away the line keeps a thin rope from breaking into
// dashes.
import * as THREE from "three";
import { LineSegments2 } from "three/examples/jsm/lines/LineSegments2.js";
import { LineSegmentsGeometry } from "three/examples/jsm/lines/LineSegmentsGeometry.js";
import { LineMaterial } from "three/examples/jsm/lines/LineMaterial.js";
import { BROKEN, SLACK, ramp } from "./colour.js";
import { spanOf } from "./frame.js";

const along = new THREE.Vector3(0, 1, 0);

const ROUTED = new Set(["massless", "layered"]); // models whose rope is where its route is

const SHADE = 0.86; // of the line: the mean of the shades around a cylinder, so that the two look alike far away

// A cylinder that is darker on one side, so that it looks round.
function roundedCylinder() {
    const geometry = new THREE.CylinderGeometry(1, 1, 1, 10, 1, true), colours = [];
    for (let i = 0; i < geometry.attributes.position.count; ++i) {
        const shade = SHADE + (1 - SHADE) * geometry.attributes.position.getX(i);
        colours.push(shade, shade, shade);
    }
    return geometry.setAttribute("color", new THREE.Float32BufferAttribute(colours, 3));
}

// What is left of a cut rope, as pieces. Models of a route know nothing of it: it is drawn as if it was cut in the middle of
// its longest span, and hangs down from the places beside, not below `floor`. Others fall by themselves.
export function remains(cable, routed, floor) {
    const count = cable.points.length / 3, point = (i) => new THREE.Vector3().fromArray(cable.points, 3 * i);
    const all = Array.from({ length: count }, (_, i) => point(i));
    if (!routed || count < 2) return [all];
    let cut = 0;
    for (let i = 0; i + 1 < count; ++i) if (all[i].distanceTo(all[i + 1]) > all[cut].distanceTo(all[cut + 1])) cut = i;
    const half = 0.5 * all[cut].distanceTo(all[cut + 1]);
    const hung = (from) => from.clone().setZ(Math.max(from.z - half, Math.min(floor, from.z)));
    return [[...all.slice(0, cut + 1), hung(all[cut])], [hung(all[cut + 1]), ...all.slice(cut + 1)]];
}

export class Cables {
    constructor(parent) {
        this.parent = parent;
        this.capacity = 0;
        this.segments = []; // {cable, span, point}
        // no light of the scene falls on ropes, so that their colours are those of the legend, near and far
        this.material = new THREE.MeshBasicMaterial({ vertexColors: true });
        this.lineMaterial = new LineMaterial({ linewidth: 2, vertexColors: true, fog: true });
        this.cylinder = roundedCylinder();
    }

    setScene(scene) {
        this.scene = scene;
        this.capacity = 0;
        this.cylinder = roundedCylinder();
        this.reserve(64);
    }

    reserve(count) {
        if (count <= this.capacity) return;
        this.capacity = 2 * count;
        if (this.tubes) {
            this.parent.remove(this.tubes, this.line);
            this.tubes.dispose();
            this.line.geometry.dispose();
        }
        this.tubes = new THREE.InstancedMesh(this.cylinder, this.material, this.capacity);
        this.tubes.instanceMatrix.setUsage(THREE.DynamicDrawUsage);
        this.tubes.setColorAt(0, new THREE.Color());
        this.tubes.castShadow = true;
        this.tubes.frustumCulled = false;
        const geometry = new LineSegmentsGeometry();
        geometry.setPositions(new Float32Array(6 * this.capacity));
        geometry.setColors(new Float32Array(6 * this.capacity));
        this.line = new LineSegments2(geometry, this.lineMaterial);
        this.line.frustumCulled = false;
        this.parent.add(this.tubes, this.line);
    }

    resize(width, height) {
        this.lineMaterial.resolution.set(width, height);
    }

    // `scale`: the tension of the brightest colour [N].
    show(frame, scale) {
        let count = 0;
        for (const cable of frame.cables) count += cable.points.length / 3 + 1;
        this.reserve(count);
        let floor = Infinity;
        for (let i = 2; i < frame.bodies.length; i += 7) floor = Math.min(floor, frame.bodies[i]);
        const positions = this.line.geometry.attributes.instanceStart.data, colours = this.line.geometry.attributes.instanceColorStart.data;
        const a = new THREE.Vector3(), b = new THREE.Vector3(), middle = new THREE.Vector3(), size = new THREE.Vector3();
        const turn = new THREE.Quaternion(), matrix = new THREE.Matrix4(), colour = new THREE.Color();
        this.segments.length = 0;
        let at = 0;
        const draw = (radius, [r, g, blue]) => {
            colour.setRGB(r, g, blue, THREE.SRGBColorSpace);
            turn.setFromUnitVectors(along, middle.subVectors(b, a).normalize());
            middle.addVectors(a, b).multiplyScalar(0.5);
            matrix.compose(middle, turn, size.set(radius, a.distanceTo(b) + radius, radius));
            this.tubes.setMatrixAt(at, matrix);
            this.tubes.setColorAt(at, colour);
            a.toArray(positions.array, 6 * at);
            b.toArray(positions.array, 6 * at + 3);
            colour.multiplyScalar(SHADE).toArray(colours.array, 6 * at);
            colour.toArray(colours.array, 6 * at + 3);
            ++at;
        };
        frame.cables.forEach((cable, c) => {
            const radius = 0.5 * this.scene.cables[c].diameter;
            if (cable.broken) {
                for (const piece of remains(cable, ROUTED.has(this.scene.models[cable.model]), floor))
                    for (let i = 0; i + 1 < piece.length; ++i) {
                        a.copy(piece[i]);
                        b.copy(piece[i + 1]);
                        draw(radius, BROKEN);
                    }
                return;
            }
            for (let i = 0; i + 1 < cable.points.length / 3; ++i) {
                a.fromArray(cable.points, 3 * i);
                b.fromArray(cable.points, 3 * i + 3);
                const span = spanOf(cable, i), tension = cable.tensions[span] ?? 0;
                draw(radius, tension > 0 ? ramp(tension / scale) : SLACK);
                this.segments.push({ cable: c, span, point: i });
            }
        });
        this.tubes.count = at;
        this.line.geometry.instanceCount = at;
        this.line.visible = this.tubes.visible = at > 0;
        this.tubes.instanceMatrix.needsUpdate = this.tubes.instanceColor.needsUpdate = true;
        positions.needsUpdate = colours.needsUpdate = true;
        this.last = frame;
    }

    expand(box) {
        const p = new THREE.Vector3();
        for (const cable of this.last?.cables ?? [])
            for (let i = 0; i < cable.points.length; i += 3) box.expandByPoint(p.fromArray(cable.points, i));
    }

    // The piece of cable nearest to a point of the screen (in pixels), within `reach`; null: none.
    pick(x, y, reach, camera, width, height) {
        const a = new THREE.Vector3(), b = new THREE.Vector3();
        let best = null, nearest = reach;
        for (const segment of this.segments) {
            const points = this.last.cables[segment.cable].points;
            a.fromArray(points, 3 * segment.point).project(camera);
            b.fromArray(points, 3 * segment.point + 3).project(camera);
            if (a.z > 1 || b.z > 1) continue;
            const ax = (0.5 + 0.5 * a.x) * width, ay = (0.5 - 0.5 * a.y) * height;
            const bx = (0.5 + 0.5 * b.x) * width, by = (0.5 - 0.5 * b.y) * height;
            const length = (bx - ax) ** 2 + (by - ay) ** 2;
            const s = length > 0 ? Math.min(Math.max(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length, 0), 1) : 0;
            const distance = Math.hypot(ax + s * (bx - ax) - x, ay + s * (by - ay) - y);
            if (distance < nearest) [nearest, best] = [distance, segment];
        }
        return best;
    }
}
