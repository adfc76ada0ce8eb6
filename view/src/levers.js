// SPDX-License-Identifier: MIT
// Levers: a slider, two keys and a stick of a gamepad for each thing that can be driven. Controls that the scene commands
// alike form a gang and share one lever.
import { element } from "./element.js";
import { fixed, quantity } from "./quantity.js";
import { FLAG } from "./frame.js";
import { ORDER } from "./net.js";

// Pairs of keys, in the order of the levers. The first of a pair raises, or goes the positive way.
const KEYS = [["w", "s"], ["d", "a"], ["e", "q"], ["i", "k"], ["l", "j"], ["o", "u"], ["t", "g"], ["h", "f"]];

// To take in rope is to raise: the first key does it, although pay-out is positive.
const sense = (control) => (control.kind === "winch" ? -1 : 1);

const WORDS = { winch: ["take in", "pay out"], wheel: ["forwards", "backwards"], motor: ["+", "−"], body: ["+", "−"] };

export class Levers {
    constructor(panel, net) {
        this.panel = panel;
        this.net = net;
        this.gangs = [];
        this.pressed = new Set();
        window.addEventListener("keydown", (event) => this.key(event, true));
        window.addEventListener("keyup", (event) => this.key(event, false));
        window.addEventListener("blur", () => this.letGo());
    }

    setScene(scene) {
        this.scene = scene;
        this.gangs = [];
        scene.controls.forEach((control, i) => {
            const gang = this.gangs.find((g) => g.first === control.gang && control.gang !== i);
            if (gang) gang.members.push(i);
            else this.gangs.push({ first: i, members: [i], value: 0, byKey: 0 });
        });
        this.panel.replaceChildren(
            element("h2", {}, "Levers"), (this.who = element("p", { class: "who quiet" })),
            ...(this.gangs.length ? this.gangs.map((gang, i) => this.makeLever(gang, i))
                : [element("p", { class: "quiet" }, "Nothing in this scene can be driven.")]));
    }

    nameOf(gang) {
        const names = gang.members.map((i) => this.scene.controls[i].name.split(".")[0]);
        const control = this.scene.controls[gang.first];
        const quantityName = control.name.slice(control.name.indexOf(".") + 1).replace(/_/g, " ");
        return [names.length > 2 ? `${names[0]} … ${names[names.length - 1]}` : names.join(", "), quantityName];
    }

    makeLever(gang, index) {
        const control = this.scene.controls[gang.first], keys = KEYS[index], [name, what] = this.nameOf(gang);
        gang.slider = element("input", {
            type: "range", min: -1, max: 1, step: 0.01, value: 0, "aria-label": `${name}, ${what}`,
            oninput: () => this.drive(gang, sense(control) * gang.slider.valueAsNumber),
            ondblclick: () => this.drive(gang, 0),
        });
        gang.state = element("output", { class: "numbers" });
        gang.bar = element("meter", { min: 0, max: 1, low: 0.8, high: 0.95, optimum: 0, title: "force of the motor, of its largest" });
        gang.place = element("progress", { max: 1, value: 0, title: "between its limits" });
        gang.warn = element("strong", { class: "warn" });
        const [up, down] = WORDS[control.kind];
        const key = (i) => keys && element("kbd", { title: i ? down : up }, keys[i].toUpperCase());
        gang.brake = control.kind === "winch"
            ? element("button", { class: "brake", "aria-pressed": "false", onclick: () => this.brake(gang) }, "Brake") : null;
        return element("div", { class: "lever" },
            element("div", { class: "name" }, element("b", {}, name), " ", element("span", { class: "quiet" }, what)),
            element("div", { class: "slide" }, key(1), gang.slider, key(0),
                element("button", { class: "zero", title: "to zero", onclick: () => this.drive(gang, 0) }, "0"), gang.brake),
            element("div", { class: "state" }, gang.state, gang.warn,
                Number.isFinite(control.maxForce) && control.maxForce !== null ? gang.bar : null,
                control.lower !== null && control.upper !== null ? gang.place : null));
    }

    drive(gang, value) {
        gang.value = value;
        gang.slider.value = sense(this.scene.controls[gang.first]) * value;
        this.net.send(ORDER.drive, { a: gang.first, x: [value, 0, 0] });
    }

    brake(gang) {
        const on = gang.brake.getAttribute("aria-pressed") !== "true";
        this.net.send(ORDER.brake, { a: gang.first, b: on ? 1 : 0 });
    }

    // All that keys hold is let go.
    letGo() {
        this.pressed.clear();
        for (const gang of this.gangs) if (gang.byKey) (gang.byKey = 0), this.drive(gang, 0);
    }

    // The world was set back, and all levers with it.
    setBack() {
        for (const gang of this.gangs) gang.value = gang.byKey = gang.slider.value = 0;
    }

    stopAll() {
        for (const gang of this.gangs) this.drive(gang, 0);
    }

    key(event, down) {
        if (event.ctrlKey || event.metaKey || event.altKey || /^(SELECT|DIALOG)$/.test(event.target.tagName)) return;
        const pressed = event.key.toLowerCase(), index = KEYS.findIndex((pair) => pair.includes(pressed));
        const gang = this.gangs[index];
        if (!gang || event.repeat || event.shiftKey) return;
        if (down) this.pressed.add(pressed);
        else this.pressed.delete(pressed);
        const [up, back] = KEYS[index];
        const value = (this.pressed.has(up) ? 1 : 0) - (this.pressed.has(back) ? 1 : 0);
        if (value === gang.byKey) return;
        gang.byKey = value;
        this.drive(gang, sense(this.scene.controls[gang.first]) * value);
    }

    // Sticks drive the first levers: up is the first key.
    poll() {
        const pad = [...(navigator.getGamepads?.() ?? [])].find((found) => found?.connected);
        if (!pad) return;
        [-pad.axes[1], pad.axes[0], pad.axes[2], -pad.axes[3]].forEach((raw, i) => {
            const gang = this.gangs[i];
            if (!gang || !Number.isFinite(raw)) return;
            const size = Math.abs(raw) < 0.12 ? 0 : (Math.abs(raw) - 0.12) / 0.88;
            const value = sense(this.scene.controls[gang.first]) * Math.sign(raw) * size;
            if (Math.abs(value - (gang.byPad ?? 0)) < 0.02 && (value !== 0 || !gang.byPad)) return;
            gang.byPad = value;
            this.drive(gang, value);
        });
    }

    show(frame, mine) {
        if (this.gangs.length)
            this.who.textContent = frame.flags & FLAG.manual ? "Driven by hand. Reset gives it back to the scene's own commands."
                : "Driven by the scene's own commands. Touch a lever to take over.";
        for (const gang of this.gangs) {
            const control = this.scene.controls[gang.first], state = frame.controls[gang.first];
            const unit = control.unit.split("/")[0];
            gang.state.textContent = `${quantity(state.speed, control.unit)} · ${
                control.kind === "wheel" ? "" : `${fixed(state.position)} ${unit} · `}${
                quantity(Math.abs(state.force), unit === "rad" ? "N m" : "N")}`;
            if (control.maxForce) gang.bar.value = Math.abs(state.force) / control.maxForce;
            const range = control.upper - control.lower;
            if (control.lower !== null && control.upper !== null) gang.place.value = (state.position - control.lower) / range;
            const margin = 0.002 * (Number.isFinite(range) && control.upper !== null && control.lower !== null ? range : 1);
            const stopped = (control.lower !== null && state.position < control.lower + margin)
                || (control.upper !== null && state.position > control.upper - margin);
            gang.warn.textContent = state.brake ? "▮ brake on" : stopped ? "⚠ at its limit"
                : control.maxForce && Math.abs(state.force) > 0.98 * control.maxForce ? "⚠ motor at its limit" : "";
            gang.brake?.setAttribute("aria-pressed", state.brake);
            gang.slider.disabled = !mine;
            if (!mine) gang.slider.value = (sense(control) * state.lever) / control.max;
        }
    }

    // For the help: which keys do what.
    describe() {
        return this.gangs.slice(0, KEYS.length).map((gang, i) => {
            const [name, what] = this.nameOf(gang), [up, down] = WORDS[this.scene.controls[gang.first].kind];
            return [`${KEYS[i][0].toUpperCase()} / ${KEYS[i][1].toUpperCase()}`, `${name}, ${what}: ${up} / ${down}`];
        });
    }
}
