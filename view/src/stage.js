// SPDX-License-Identifier: MIT
// The picture: bodies, wheels and ground in three.js. z is up.
import * as THREE from "three";
import { SET } from "./colour.js";
import { Cables } from "./cables.js";

const STEEL = "#f0b429", GROUND = "#98a38f", SKY = ["#5d9bd3", "#e6eef4"];

// A square to draw a texture on, filled.
function square(size, colour) {
    const canvas = document.createElement("canvas"), c = canvas.getContext("2d");
    canvas.width = canvas.height = size;
    c.fillStyle = colour;
    c.fillRect(0, 0, size, size);
    return c;
}

// What was drawn, to be laid side by side.
function repeated(c) {
    const texture = new THREE.CanvasTexture(c.canvas);
    texture.wrapS = texture.wrapT = THREE.RepeatWrapping;
    texture.colorSpace = THREE.SRGBColorSpace;
    texture.anisotropy = 8;
    return texture;
}

// A texture of lattice work, for long thin boxes: masts, jibs and beams.
function latticeTexture() {
    const size = 128, c = square(size, "#6b5a30");
    c.strokeStyle = "#ffffff";
    c.lineWidth = 16;
    c.strokeRect(0, 0, size, size);
    c.lineWidth = 10;
    c.beginPath();
    c.moveTo(0, 0), c.lineTo(size, size), c.moveTo(size, 0), c.lineTo(0, size);
    c.stroke();
    return repeated(c);
}

// Rope on a drum: one turn of a helix, to be repeated along it.
function coilTexture() {
    const size = 64, c = square(size, "#b5ab94");
    c.strokeStyle = "#4d4738";
    c.lineWidth = 18;
    for (const shift of [-size, 0, size]) {
        c.beginPath();
        c.moveTo(-size, shift - size), c.lineTo(2 * size, shift + 2 * size);
        c.stroke();
    }
    return repeated(c);
}

// A grid of 1 m and 10 m on the ground, so that motion is seen.
function groundTexture() {
    const size = 512, c = square(size, GROUND);
    c.strokeStyle = "rgba(255,255,255,.10)";
    c.lineWidth = 1.5;
    for (let i = 1; i < 10; ++i) {
        const x = (i * size) / 10;
        c.beginPath();
        c.moveTo(x, 0), c.lineTo(x, size), c.moveTo(0, x), c.lineTo(size, x);
        c.stroke();
    }
    c.strokeStyle = "rgba(255,255,255,.30)";
    c.lineWidth = 4;
    c.strokeRect(0, 0, size, size);
    return repeated(c);
}

function skyDome(radius) {
    const geometry = new THREE.SphereGeometry(radius, 24, 12);
    const colours = [], from = new THREE.Color(SKY[1]), to = new THREE.Color(SKY[0]), c = new THREE.Color();
    for (let i = 0; i < geometry.attributes.position.count; ++i) {
        const up = geometry.attributes.position.getY(i) / radius;
        c.lerpColors(from, to, Math.min(Math.max(1.6 * up, 0), 1));
        colours.push(c.r, c.g, c.b);
    }
    geometry.setAttribute("color", new THREE.Float32BufferAttribute(colours, 3));
    geometry.rotateX(Math.PI / 2);
    const material = new THREE.MeshBasicMaterial({ vertexColors: true, side: THREE.BackSide, fog: false, depthWrite: false });
    return new THREE.Mesh(geometry, material);
}

const quaternion = (q, at = 0) => new THREE.Quaternion(q[at + 1], q[at + 2], q[at + 3], q[at]);

// A box whose faces repeat their texture as often as they are long, in squares of `unit`.
function boxGeometry([x, y, z], unit) {
    const geometry = new THREE.BoxGeometry(x, y, z), uv = geometry.attributes.uv;
    const faces = [[z, y], [z, y], [x, z], [x, z], [x, y], [x, y]];
    for (let i = 0; i < uv.count; ++i) {
        const [u, v] = faces[Math.floor(i / 4)];
        // of the x faces u runs along z: three.js lays them out so
        uv.setXY(i, uv.getX(i) * Math.max(Math.round(u / unit), 1), uv.getY(i) * Math.max(Math.round(v / unit), 1));
    }
    return geometry;
}

function shapeGeometry(shape) {
    switch (shape.type) {
        case "sphere": return new THREE.SphereGeometry(shape.radius, 32, 20);
        case "capsule": return new THREE.CapsuleGeometry(shape.radius, shape.length, 8, 24).rotateX(Math.PI / 2);
        case "cylinder": return new THREE.CylinderGeometry(shape.radius, shape.radius, shape.length, 40).rotateX(Math.PI / 2);
        case "box": return boxGeometry(shape.sides, 2 * Math.min(...shape.sides.filter((s) => s > 0.5), Math.max(...shape.sides)));
        default: {
            const geometry = new THREE.BufferGeometry();
            geometry.setAttribute("position", new THREE.Float32BufferAttribute(shape.points ?? [], 3));
            geometry.setIndex(shape.triangles ?? []);
            const flat = geometry.toNonIndexed();
            flat.computeVertexNormals();
            return flat;
        }
    }
}

function isBeam(shape) {
    if (shape.type !== "box") return false;
    const [a, b, c] = [...shape.sides].sort((x, y) => x - y);
    return c > 8 * b && b < 4 * a + 1;
}

// How much is drawn: pixels, size of the shadow map, frames between its updates, least time between frames [s]. A slow
// machine goes down the list; where the processor draws, some of it is left to the simulation.
const QUALITIES = [[2, 2048, 1, 0], [1, 1024, 1, 0], [0.8, 1024, 8, 0], [0.6, 512, 16, 0.05], [0.4, 0, 1, 0.08]];

// Is there no graphics hardware behind WebGL?
function isSoftware() {
    const gl = document.createElement("canvas").getContext("webgl2"), info = gl?.getExtension("WEBGL_debug_renderer_info");
    const name = info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : "";
    gl?.getExtension("WEBGL_lose_context")?.loseContext();
    return /swiftshader|llvmpipe|software/i.test(name);
}

export class Stage {
    // `quality` 0..4 keeps it; without, it is found by how quick the frames come.
    constructor(canvas, quality) {
        this.fixedQuality = quality !== null;
        const level = quality ?? (isSoftware() ? 3 : 0);
        this.renderer = new THREE.WebGLRenderer({
            canvas, antialias: level < 2, powerPreference: "high-performance",
            preserveDrawingBuffer: true, // so that the picture can be taken at any time
        });
        this.renderer.debug.checkShaderErrors = false; // takes long, and they are three.js's own
        this.renderer.shadowMap.type = THREE.PCFShadowMap;
        this.lattice = latticeTexture();
        this.bodies = [];
        this.wheels = [];
        this.world = new THREE.Scene();
        this.camera = new THREE.PerspectiveCamera(45, 1, 0.1, 4000);
        this.camera.up.set(0, 0, 1);
        this.world.fog = new THREE.Fog(SKY[1], 200, 1200);
        this.sky = skyDome(1800);
        this.world.add(this.sky, new THREE.HemisphereLight("#eaf4ff", "#8a9180", 1.6));
        this.sun = new THREE.DirectionalLight("#fff3dd", 2.4);
        this.sun.shadow.normalBias = 0.05;
        this.world.add(this.sun, this.sun.target);
        this.machine = new THREE.Group();
        this.world.add(this.machine);
        this.cables = new Cables(this.machine);
        this.box = new THREE.Box3();
        this.setQuality(level);
    }

    setQuality(level) {
        const [ratio, shadow, every, interval] = QUALITIES[level];
        this.quality = level;
        this.shadowEvery = every;
        this.interval = interval;
        this.renderer.setPixelRatio(Math.min(window.devicePixelRatio, ratio));
        this.renderer.shadowMap.enabled = this.sun.castShadow = shadow > 0;
        this.renderer.shadowMap.autoUpdate = every === 1;
        this.sun.shadow.mapSize.set(Math.max(shadow, 1), Math.max(shadow, 1));
        this.sun.shadow.map?.dispose();
        this.sun.shadow.map = null;
        this.renderer.shadowMap.needsUpdate = true;
        this.slow = 0;
    }

    // Frames that come slowly for a while lower the quality.
    watch(seconds) {
        this.slow = Math.max(this.slow + (seconds > Math.max(0.05, 2 * this.interval) ? 1 : -2), 0);
        if (this.slow > 20 && !this.fixedQuality && this.quality + 1 < QUALITIES.length) this.setQuality(this.quality + 1);
    }

    // Builds what the description says.
    setScene(scene) {
        this.machine.traverse((object) => object.geometry?.dispose());
        this.machine.clear();
        this.scene = scene;
        this.cables.setScene(scene);
        this.bodies = scene.bodies.map((body, i) => this.makeBody(body, i));
        this.fixed = new THREE.Group(); // wheels and fittings on the world itself
        this.machine.add(this.fixed, ...this.bodies);
        this.wheels = scene.wheels.map((wheel) => this.makeWheel(wheel));
        this.makeFittings();
        this.framed = false;
        this.floor = null;
    }

    makeBody(body, index) {
        const group = new THREE.Group();
        const plain = new THREE.MeshLambertMaterial({
            color: body.type === "static" ? "#9aa0a6" : SET[index % SET.length],
        });
        const beam = new THREE.MeshLambertMaterial({ color: STEEL, map: this.lattice });
        for (const shape of body.shapes) {
            if (shape.type === "plane") {
                group.add(this.makeGround(shape));
                continue;
            }
            const mesh = new THREE.Mesh(shapeGeometry(shape), isBeam(shape) ? beam : plain);
            if (shape.type !== "mesh") { // their points are in the frame of the body already
                mesh.position.set(...shape.p);
                mesh.quaternion.copy(quaternion(shape.q));
            }
            mesh.castShadow = mesh.receiveShadow = true;
            mesh.userData.body = index;
            if (shape.type === "box" || shape.type === "mesh") {
                const edges = new THREE.EdgesGeometry(mesh.geometry, 30);
                mesh.add(new THREE.LineSegments(edges, new THREE.LineBasicMaterial({ color: "#1b232b", transparent: true, opacity: 0.45 })));
            }
            group.add(mesh);
        }
        return group;
    }

    makeGround(shape) {
        const size = 2400, texture = groundTexture();
        texture.repeat.set(size / 10, size / 10);
        const mesh = new THREE.Mesh(new THREE.PlaneGeometry(size, size), new THREE.MeshLambertMaterial({ map: texture }));
        mesh.position.set(...shape.p);
        mesh.quaternion.copy(quaternion(shape.q));
        mesh.receiveShadow = true;
        mesh.userData.ground = true;
        return mesh;
    }

    parentOf(body) {
        return body < 0 ? this.fixed : this.bodies[body];
    }

    // A wheel turns about its own z; spokes and marks show that it does.
    makeWheel(wheel) {
        const d = this.scene.cables[wheel.cable].diameter, r = wheel.radius;
        const mount = new THREE.Group(), spin = new THREE.Group();
        mount.position.set(...wheel.center);
        mount.quaternion.setFromUnitVectors(new THREE.Vector3(0, 0, 1), new THREE.Vector3(...wheel.axis).normalize());
        const dark = new THREE.MeshLambertMaterial({ color: "#30363d" });
        const light = new THREE.MeshLambertMaterial({ color: "#d8dde3" });
        const add = (geometry, material) => {
            const mesh = new THREE.Mesh(geometry, material);
            mesh.castShadow = true;
            spin.add(mesh);
            return mesh;
        };
        if (wheel.drum) {
            const width = wheel.width || 1.6 * r;
            add(new THREE.CylinderGeometry(r - d / 2, r - d / 2, width, 32).rotateX(Math.PI / 2), dark);
            for (const side of [-1, 1]) {
                add(new THREE.CylinderGeometry(1.35 * r, 1.35 * r, 0.08 * r, 32).rotateX(Math.PI / 2), light)
                    .position.z = (side * width) / 2;
                for (let i = 0; i < 3; ++i) { // so that it is seen to turn
                    const bar = add(new THREE.BoxGeometry(2.2 * r, 0.12 * r, 0.1 * r), dark);
                    bar.position.z = (side * width) / 2;
                    bar.rotation.z = (i * Math.PI) / 3;
                }
            }
            const rope = coilTexture();
            rope.repeat.set(1, Math.max(Math.round(width / d), 2));
            spin.userData.coil = add(new THREE.CylinderGeometry(1, 1, 0.96 * width, 32, 1, true).rotateX(Math.PI / 2),
                new THREE.MeshLambertMaterial({ map: rope }));
        } else {
            const rim = r - d / 2, side = rim + 1.2 * d + 0.06 * r, w = Math.max(1.4 * d, 0.12 * r);
            const profile = [[0.75 * r, -w], [side, -w], [rim, -0.3 * w], [rim, 0.3 * w], [side, w], [0.75 * r, w], [0.75 * r, -w]];
            add(new THREE.LatheGeometry(profile.map(([x, y]) => new THREE.Vector2(x, y)), 40).rotateX(Math.PI / 2), dark);
            for (let i = 0; i < 3; ++i)
                add(new THREE.BoxGeometry(1.6 * r, 0.16 * r, w), light).rotation.z = (i * Math.PI) / 3;
            add(new THREE.CylinderGeometry(0.2 * r, 0.2 * r, 2.4 * w, 20).rotateX(Math.PI / 2), dark);
        }
        mount.add(spin);
        this.parentOf(wheel.body).add(mount);
        return spin;
    }

    // Winches without a drum, eyes and ends, so that a rope does not hang on nothing.
    makeFittings() {
        const dark = new THREE.MeshLambertMaterial({ color: "#30363d" });
        for (const [c, cable] of this.scene.cables.entries()) {
            cable.places.forEach((place, i) => {
                if (this.scene.wheels.some((wheel) => wheel.cable === c && wheel.place === i) || place.type === "free") return;
                const r = 1.5 * cable.diameter;
                let mesh;
                if (place.type === "winch")
                    mesh = new THREE.Mesh(new THREE.CylinderGeometry(8 * r, 8 * r, 16 * r, 24), dark);
                else if (place.type === "eye")
                    mesh = new THREE.Mesh(new THREE.TorusGeometry(1.6 * r, 0.7 * r, 10, 20), dark);
                else
                    mesh = new THREE.Mesh(new THREE.SphereGeometry(r, 12, 8), dark);
                mesh.position.set(...place.p);
                this.parentOf(place.body).add(mesh);
            });
        }
    }

    // A scene without a ground gets a faint grid below it, to tell up and far by.
    addFloor(box) {
        if (this.floor || this.scene.bodies.some((body) => body.shapes.some((shape) => shape.type === "plane"))) return;
        const size = box.getSize(new THREE.Vector3()).length(), cell = 10 ** Math.round(Math.log10(Math.max(size, 0.1) / 10));
        this.floor = new THREE.GridHelper(40 * cell, 40, "#7f8c98", "#b4bfc9");
        this.floor.rotation.x = Math.PI / 2;
        this.floor.position.set(...box.getCenter(new THREE.Vector3()).toArray().slice(0, 2).map((v) => cell * Math.round(v / cell)),
            box.min.z - 0.02 * size);
        this.machine.add(this.floor);
    }

    // How large it is, from the bodies that are not the ground and the cables.
    measure() {
        this.box.makeEmpty();
        this.machine.updateMatrixWorld(true);
        const part = new THREE.Box3();
        for (const group of [...this.bodies, this.fixed])
            for (const mesh of group.children)
                if (!mesh.userData.ground) this.box.union(part.setFromObject(mesh));
        this.cables.expand(this.box);
        if (this.box.isEmpty()) this.box.set(new THREE.Vector3(-1, -1, -1), new THREE.Vector3(1, 1, 1));
        return this.box;
    }

    show(frame, scale) {
        for (const [i, group] of this.bodies.entries()) {
            const at = 7 * i;
            group.position.set(frame.bodies[at], frame.bodies[at + 1], frame.bodies[at + 2]);
            group.quaternion.copy(quaternion(frame.bodies, at + 3));
        }
        for (const [i, spin] of this.wheels.entries()) {
            spin.rotation.z = frame.wheels[2 * i];
            const coil = spin.userData.coil, outer = frame.wheels[2 * i + 1];
            if (coil) coil.scale.set(outer, outer, 1);
        }
        this.cables.show(frame, scale);
    }

    // The light follows what is looked at, so that a shadow map of one size serves.
    light(target, reach) {
        const size = Math.min(Math.max(reach, 3), 90), camera = this.sun.shadow.camera;
        this.sun.target.position.copy(target);
        this.sun.position.copy(target).add(new THREE.Vector3(-0.45, -0.75, 1.1).multiplyScalar(2 * size));
        if (Math.abs(camera.right - size) > 0.02 * size) {
            Object.assign(camera, { left: -size, right: size, bottom: -size, top: size, near: 0.1, far: 5 * size });
            camera.updateProjectionMatrix();
        }
        this.sky.position.copy(this.camera.position);
    }

    resize(width, height) {
        this.renderer.setSize(width, height, false);
        this.camera.aspect = width / Math.max(height, 1);
        this.camera.updateProjectionMatrix();
        this.cables.resize(width, height);
    }

    render() {
        this.rendered = (this.rendered ?? 0) + 1;
        if (this.rendered % this.shadowEvery === 0) this.renderer.shadowMap.needsUpdate = true;
        this.renderer.render(this.world, this.camera);
    }
}
