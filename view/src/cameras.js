// SPDX-License-Identifier: MIT
// Cameras: orbit, follow the hook, and the driver's cab.
import * as THREE from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";

// Where a driver sits: a body of that name, else the one that carries the winch, else none.
function findCab(scene) {
    const named = scene.bodies.findIndex((body) => /cab(in)?$|cabin|operator/i.test(body.name));
    if (named >= 0) return named;
    for (const wanted of [/jib|boom/i, /trolley/i, /gantry|bridge/i]) {
        const found = scene.bodies.findIndex((body) => wanted.test(body.name));
        if (found >= 0) return found;
    }
    const winch = scene.cables.flatMap((cable) => cable.places).find((place) => place.type === "winch" && place.body >= 0);
    return winch ? winch.body : -1;
}

// How far away a camera in `direction` from `center` must be to have all corners of the box in its picture.
function distanceToSee(box, center, direction, camera) {
    const right = new THREE.Vector3(0, 0, 1).cross(direction).normalize(), up = direction.clone().cross(right);
    const high = Math.tan((camera.fov * Math.PI) / 360), wide = high * camera.aspect, offset = new THREE.Vector3();
    let distance = 0.5;
    for (let i = 0; i < 8; ++i) {
        offset.set(box[i & 1 ? "max" : "min"].x, box[i & 2 ? "max" : "min"].y, box[i & 4 ? "max" : "min"].z).sub(center);
        const needed = Math.max(Math.abs(offset.dot(right)) / wide, Math.abs(offset.dot(up)) / high);
        distance = Math.max(distance, needed + offset.dot(direction));
    }
    return distance;
}

export class Cameras {
    constructor(stage, canvas) {
        this.stage = stage;
        this.mode = "orbit";
        this.controls = new OrbitControls(stage.camera, canvas);
        this.controls.enableDamping = true;
        this.controls.dampingFactor = 0.12;
        this.controls.maxPolarAngle = 0.99 * Math.PI;
        this.last = new THREE.Vector3();
    }

    setScene(scene) {
        this.cab = findCab(scene);
        this.seat = null;
    }

    // Looks at the whole machine from the front, a little from the left and above.
    frame() {
        const box = this.stage.measure(), camera = this.stage.camera;
        this.stage.addFloor(box);
        const center = box.getCenter(new THREE.Vector3()), size = box.getSize(new THREE.Vector3());
        const direction = new THREE.Vector3(-0.55, -1, 0.32).normalize();
        const distance = 1.08 * distanceToSee(box, center, direction, camera);
        this.controls.target.copy(center);
        camera.position.copy(center).addScaledVector(direction, distance);
        camera.near = distance / 500;
        camera.far = Math.max(4000, 20 * distance);
        camera.updateProjectionMatrix();
        this.reach = Math.max(0.75 * size.length(), 2);
    }

    set(mode, hook) {
        this.mode = mode;
        this.controls.enabled = mode !== "cab";
        if (mode === "follow" && hook) {
            const camera = this.stage.camera, offset = camera.position.clone().sub(this.controls.target);
            const near = Math.min(offset.length(), Math.max(0.35 * this.reach, 4));
            this.controls.target.copy(hook);
            camera.position.copy(hook).addScaledVector(offset.normalize(), near);
            this.last.copy(hook);
        } else if (mode === "orbit") this.frame();
    }

    // Turns or zooms by keys.
    nudge(turn, lift, zoom) {
        const camera = this.stage.camera, offset = camera.position.clone().sub(this.controls.target);
        const s = new THREE.Spherical().setFromVector3(new THREE.Vector3(offset.x, offset.z, -offset.y));
        s.theta += turn;
        s.phi = Math.min(Math.max(s.phi + lift, 0.05), Math.PI - 0.05);
        s.radius *= zoom;
        const v = new THREE.Vector3().setFromSpherical(s);
        camera.position.copy(this.controls.target).add(new THREE.Vector3(v.x, -v.z, v.y));
    }

    // The driver looks from above the near edge of his body down at the hook.
    ride(hook) {
        const camera = this.stage.camera, group = this.stage.bodies[this.cab];
        if (!group) return this.set("orbit", hook);
        if (!this.seat) {
            const name = this.stage.scene.bodies[this.cab].name;
            if (/jib|boom/i.test(name)) this.seat = new THREE.Vector3(2.5, -1.8, -2.2); // beside the mast, under the jib
            else {
                const box = new THREE.Box3().setFromObject(group), size = box.getSize(new THREE.Vector3());
                this.seat = new THREE.Vector3(0.25 * size.x, -0.5 * size.y - 0.6, -1.2); // hangs at its side
            }
        }
        const eye = group.localToWorld(this.seat.clone());
        camera.position.copy(eye);
        camera.lookAt(hook ?? this.controls.target);
        this.controls.target.copy(hook ?? this.controls.target);
    }

    update(hook) {
        if (this.mode === "follow" && hook) {
            const moved = hook.clone().sub(this.last);
            this.stage.camera.position.add(moved);
            this.controls.target.add(moved);
            this.last.copy(hook);
        }
        if (this.mode === "cab") this.ride(hook);
        else this.controls.update();
        this.stage.light(this.controls.target, this.mode === "orbit" ? this.reach : Math.min(this.reach, 45));
    }
}
