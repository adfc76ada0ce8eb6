// SPDX-License-Identifier: MIT
// Numbers of a body or a span: under the mouse, and of the chosen one in the panel, from where ropes can be cut, hooked
// and let go without a mouse.
import * as THREE from "three";
import { $, element } from "./element.js";
import { fixed, quantity } from "./quantity.js";
import { ORDER } from "./net.js";

export function bodyNumbers(scene, frame, before, i) {
    const body = scene.bodies[i], at = 7 * i, p = frame.bodies.subarray(at, at + 3), rows = [["body", body.name]];
    if (body.type === "dynamic") rows.push(["mass", quantity(1000 * body.mass, "g", 4)]);
    else rows.push(["kind", body.type]);
    rows.push(["position", `${[...p].map(fixed).join(", ")} m`]);
    const dt = before ? frame.time - before.time : 0;
    if (dt > 0) {
        const q = before.bodies.subarray(at, at + 3);
        rows.push(["speed", quantity(Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]) / dt, "m/s")]);
    }
    return rows;
}

export function cableNumbers(scene, frame, c, span) {
    const definition = scene.cables[c], cable = frame.cables[c];
    const rows = [["cable", definition.name], ["model", scene.models[cable.model]]];
    if (cable.broken) return [...rows, ["state", "broken"]];
    const spans = span === undefined ? [...cable.tensions.keys()] : [span];
    for (const s of spans.slice(0, 12)) {
        let part = "";
        if (definition.breakForce) part = ` (${((100 * cable.tensions[s]) / definition.breakForce).toFixed(0)} % of breaking)`;
        rows.push([`tension, span ${s}`, (cable.tensions[s] > 0 ? quantity(cable.tensions[s], "N") : "slack") + part]);
    }
    rows.push(["rope out", `${fixed(cable.rest)} m`], ["diameter", quantity(definition.diameter, "m")]);
    return rows;
}

export class Inspector {
    constructor(stage, canvas, net, notice) {
        Object.assign(this, { stage, canvas, net, notice, pointer: null, hooking: null });
        this.ray = new THREE.Raycaster();
        canvas.addEventListener("pointermove", (event) => (this.pointer = { x: event.offsetX, y: event.offsetY }));
        canvas.addEventListener("pointerleave", () => (this.pointer = null));
        canvas.addEventListener("pointerdown", (event) => (this.down = { x: event.offsetX, y: event.offsetY }));
        canvas.addEventListener("click", (event) => this.click(event));
        $("object").addEventListener("change", () => this.choose($("object").value));
    }

    setScene(scene) {
        this.scene = scene;
        this.chosen = "";
        $("object").replaceChildren(element("option", { value: "" }, "–"),
            element("optgroup", { label: "Bodies" }, ...scene.bodies.map((body, i) => element("option", { value: `body ${i}` }, body.name))),
            element("optgroup", { label: "Cables" }, ...scene.cables.map((cable, i) => element("option", { value: `cable ${i}` }, cable.name))));
        this.choose("");
    }

    // What is under a point of the canvas: {cable, span} or {body, point (in its frame)}, or null.
    find({ x, y }) {
        const width = this.canvas.clientWidth, height = this.canvas.clientHeight;
        // while a rope is being hooked, other ropes are not in the way
        const cable = this.hooking ? null : this.stage.cables.pick(x, y, 9, this.stage.camera, width, height);
        if (cable) return cable;
        this.ray.setFromCamera(new THREE.Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.stage.camera);
        const hit = this.ray.intersectObjects(this.stage.bodies, true).find((found) => found.object.isMesh);
        if (!hit || hit.object.userData.body === undefined) return null;
        const body = hit.object.userData.body;
        return { body, point: this.stage.bodies[body].worldToLocal(hit.point.clone()) };
    }

    // A click chooses; in the middle of hooking it says where to.
    click(event) {
        if (this.down && Math.hypot(event.offsetX - this.down.x, event.offsetY - this.down.y) > 5) return; // turned the view
        const found = this.find({ x: event.offsetX, y: event.offsetY });
        if (this.hooking && found?.body !== undefined) {
            this.net?.send(ORDER.hook, { ...this.hooking, c: found.body, x: found.point.toArray() });
            this.hooking = null;
            this.notice("");
        } else if (found) {
            $("object").value = found.cable !== undefined ? `cable ${found.cable}` : `body ${found.body}`;
            this.choose($("object").value);
        }
    }

    choose(value) {
        this.chosen = value;
        const [kind, number] = value.split(" "), c = Number(number);
        $("rope").replaceChildren();
        this.model = null;
        if (kind !== "cable" || !this.net) return;
        const cable = this.scene.cables[c], last = cable.places.length - 1;
        const bodies = element("select", { "aria-label": "body to hook to" },
            ...this.scene.bodies.map((body, i) => element("option", { value: i }, body.name)));
        const ends = [[0, "first end"], [1, "last end"]].map(([end, name]) => element("div", { class: "tools" },
            element("b", {}, name),
            cable.places[end ? last : 0].type === "winch" ? element("span", { class: "quiet" }, "on a winch")
                : element("button", { onclick: () => this.net.send(ORDER.unhook, { a: c, b: end }) }, "Unhook"),
            cable.places[end ? last : 0].type === "winch" ? null : element("button", {
                onclick: () => { this.hooking = { a: c, b: end }; this.notice("Click where to hook it, or press Escape."); },
            }, "Hook by click"),
            cable.places[end ? last : 0].type === "winch" ? null : element("button", {
                title: "to the middle of the body chosen below",
                onclick: () => this.net.send(ORDER.hook, { a: c, b: end, c: Number(bodies.value) }),
            }, "Hook to body")));
        this.model = element("select", { id: "model", title: "what fills its spans; the rope keeps its length",
            onchange: () => { this.net.send(ORDER.model, { a: c, b: Number(this.model.value) }); this.asked = performance.now(); } },
        ...this.scene.models.map((name, i) => element("option", { value: i, selected: i === this.frame?.cables[c].model }, name)));
        $("rope").append(element("label", {}, "Model ", this.model), element("div", { class: "tools" },
            element("button", { class: "danger", onclick: () => this.net.send(ORDER.cut, { a: c }) }, "✂ Cut")), ...ends,
            element("label", {}, "Body ", bodies));
    }

    escape() {
        this.hooking = null;
        this.notice("");
    }

    show(frame, before) {
        this.frame = frame;
        const rows = (found) => (found.cable !== undefined ? cableNumbers(this.scene, frame, found.cable, found.span)
            : bodyNumbers(this.scene, frame, before, found.body));
        const tip = $("tip"), found = this.pointer && this.find(this.pointer);
        tip.hidden = !found;
        this.canvas.style.cursor = found ? (this.hooking ? "crosshair" : "pointer") : "";
        if (found) {
            tip.replaceChildren(...rows(found).map(([name, value]) => element("div", {}, element("span", { class: "quiet" }, `${name} `), value)));
            const width = this.canvas.clientWidth;
            tip.style.left = `${Math.min(this.pointer.x + 14, width - tip.offsetWidth - 4)}px`;
            tip.style.top = `${Math.max(this.pointer.y - tip.offsetHeight - 8, 4)}px`;
        }
        const [kind, number] = this.chosen.split(" ");
        // what the simulation has stands in the list: a change that is refused goes back by itself
        if (this.model && performance.now() > (this.asked ?? 0) + 500) this.model.value = frame.cables[Number(number)].model;
        $("numbers").replaceChildren(...(kind ? rows(kind === "cable" ? { cable: Number(number) } : { body: Number(number) }) : [])
            .flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
    }
}
