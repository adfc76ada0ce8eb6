// SPDX-License-Identifier: MIT
// Plots beside the picture: tensions of chosen spans, height and swing of the hook, energies, the time of a step, and the
// scene's own outputs. The last minute is kept.
import uPlot from "uplot";
import { SET } from "./colour.js";
import { element, save } from "./element.js";
import { axisRange, tickLabels } from "./quantity.js";

const KEPT = 60, RATE = 20; // [s], samples a second
// Labels of an axis are at least so far apart [px], hence less than twice as far: two or more stand beside any plot.
const TICK_SPACE = 22;
const DASHES = [[], [6, 3], [2, 3], [8, 3, 2, 3]];

// A line at the time that is shown, where that is not the last one.
function markTime(plot, time) {
    if (time === null) return;
    const x = Math.round(plot.valToPos(time, "x", true)), { top, height } = plot.bbox;
    plot.ctx.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--quiet");
    plot.ctx.fillRect(x, top, Math.max(window.devicePixelRatio, 1), height);
}

// One chart and its lines: {name, unit, get(frame, context), on}
class Chart {
    constructor(owner, title, unit, lines) {
        Object.assign(this, { owner, title, unit, lines });
    }

    make(parent, width) {
        this.plot?.destroy();
        this.shown = this.lines.filter((line) => line.on);
        if (!this.shown.length) return;
        const style = getComputedStyle(document.documentElement), ink = style.getPropertyValue("--ink");
        const axis = { stroke: ink, grid: { stroke: style.getPropertyValue("--grid"), width: 1 }, ticks: { show: false }, font: "11px system-ui" };
        this.plot = new uPlot({
            width, height: 128, title: this.title, cursor: { drag: { x: true, y: false }, sync: { key: "reeve" } },
            legend: { live: false }, scales: { x: { time: false }, y: { range: (_, low, high) => axisRange(low, high, this.unit) } },
            axes: [{ ...axis, size: 22 }, { ...axis, size: 64, space: TICK_SPACE, values: (_, ticks) => tickLabels(ticks, this.unit) }],
            series: [{ label: "time" }, ...this.shown.map((line, i) => ({
                label: line.name, stroke: SET[i % SET.length], width: 1.6, dash: DASHES[Math.floor(i / SET.length) % DASHES.length],
                points: { show: false },
            }))],
            hooks: { draw: [(plot) => markTime(plot, this.owner.now)] },
        }, [[], ...this.shown.map(() => [])], parent);
        this.plot.root.setAttribute("aria-label", `${this.title} over time`);
    }
}

export class Plots {
    constructor(panel, choices) {
        this.panel = panel;
        this.choices = choices;
        this.charts = [];
        this.kept = KEPT * RATE; // samples
        this.now = null;
        this.observer = new ResizeObserver(() => this.resize());
        this.observer.observe(panel);
    }

    // `context.hook()` is the number of the body that is followed; `context.live`: steps are taken now, and timed.
    setScene(scene, context) {
        this.scene = scene;
        this.context = context;
        const spans = scene.cables.flatMap((cable, c) => cable.places.slice(1).map((_, span) => ({
            name: cable.places.length > 2 ? `${cable.name}[${span}]` : cable.name, unit: "N",
            get: (frame) => frame.cables[c].tensions[span] ?? null, on: span === 0 && c < 5,
        })));
        const energy = ["kinetic", "potential", "elastic", "work", "heat"].map((name, i) => ({
            name, unit: "J", get: (frame) => frame.energy[i], on: i < 4,
        }));
        const height = (frame) => frame.bodies[7 * context.hook() + 2];
        this.charts = [
            new Chart(this, "Tension", "N", spans),
            new Chart(this, "Height of the hook", "m", [{ name: "height", unit: "m", get: height, on: context.hook() >= 0 }]),
            new Chart(this, "Swing", "°", [{ name: "angle", unit: "°", get: (frame) => context.swing(frame), on: spans.length > 0 && context.hook() >= 0 }]),
            new Chart(this, "Energy", "J", energy),
            new Chart(this, "Time of a step", "s", [
                { name: "mean", unit: "s", get: (frame) => frame.cost, on: context.live },
                { name: "worst", unit: "s", get: (frame) => frame.worst, on: context.live },
                { name: "budget", unit: "s", get: (frame) => frame.budget, on: context.live },
            ]),
            ...[...new Set(scene.outputs.map((output) => output.unit))].map((unit) => new Chart(this, `Outputs [${unit || "1"}]`, unit,
                scene.outputs.map((output, i) => ({ ...output, get: (frame) => frame.values[i], on: false }))
                    .filter((output) => output.unit === unit))),
        ];
        this.clear();
        this.showChoices();
        this.rebuild();
    }

    clear() {
        this.times = [];
        for (const chart of this.charts) for (const line of chart.lines) line.values = [];
        this.next = -Infinity;
    }

    showChoices() {
        this.choices.replaceChildren(...this.charts.filter((chart) => chart.lines.length).map((chart) =>
            element("fieldset", {}, element("legend", {}, chart.title), ...chart.lines.map((line) =>
                element("label", {}, element("input", {
                    type: "checkbox", checked: line.on,
                    onchange: (event) => { line.on = event.target.checked; this.rebuild(); },
                }), line.name)))));
    }

    rebuild() {
        this.panel.replaceChildren();
        this.width = this.panel.clientWidth;
        if (this.width < 50) return;
        for (const chart of this.charts) chart.make(this.panel, this.width);
        this.draw();
    }

    resize() {
        if (Math.abs(this.panel.clientWidth - (this.width ?? 0)) > 4 && this.scene) this.rebuild();
    }

    add(frame) {
        const last = this.times[this.times.length - 1] ?? -Infinity;
        if (frame.time < last - 1e-9) this.clear(); // reset or restored
        if (frame.time < this.next || frame.time === last) return;
        this.next = frame.time + 1 / RATE - 1e-6;
        this.times.push(frame.time);
        for (const chart of this.charts) for (const line of chart.lines) line.values.push(line.get(frame));
        if (this.times.length > this.kept + 100) {
            this.times.splice(0, 100);
            for (const chart of this.charts) for (const line of chart.lines) line.values.splice(0, 100);
        }
    }

    // All of a finished run at once.
    load(frames) {
        this.kept = Infinity;
        for (const frame of frames) this.add(frame);
    }

    draw() {
        for (const chart of this.charts)
            if (chart.plot && chart.shown.length) chart.plot.setData([this.times, ...chart.shown.map((line) => line.values)]);
    }

    csv() {
        const lines = this.charts.flatMap((chart) => chart.lines.map((line) => ({ ...line, name: `${chart.title}: ${line.name}` })));
        const rows = [["time", ...lines.map((line) => `"${line.name}"`)].join(","), ["s", ...lines.map((line) => line.unit || "1")].join(",")];
        this.times.forEach((time, i) => rows.push([time, ...lines.map((line) => line.values[i] ?? "")].join(",")));
        save("reeve.csv", new Blob([rows.join("\n") + "\n"], { type: "text/csv" }));
    }

    png() {
        const plots = this.charts.filter((chart) => chart.plot && chart.shown.length), ratio = window.devicePixelRatio;
        const canvas = element("canvas"), c = canvas.getContext("2d");
        canvas.width = this.width * ratio;
        canvas.height = plots.reduce((sum, { plot }) => sum + plot.ctx.canvas.height + 44 * ratio, 0);
        c.fillStyle = "#fff";
        c.fillRect(0, 0, canvas.width, canvas.height);
        c.textBaseline = "top";
        let y = 0;
        for (const { plot, title, shown } of plots) {
            c.fillStyle = "#000";
            c.font = `bold ${13 * ratio}px system-ui`;
            c.fillText(title, 8 * ratio, y + 4 * ratio);
            c.font = `${11 * ratio}px system-ui`;
            let x = 8 * ratio;
            shown.forEach((line, i) => {
                c.fillStyle = SET[i % SET.length];
                c.fillText(`— ${line.name}`, x, y + 22 * ratio);
                x += c.measureText(`— ${line.name}   `).width;
            });
            c.drawImage(plot.ctx.canvas, 0, y + 40 * ratio);
            y += plot.ctx.canvas.height + 44 * ratio;
        }
        canvas.toBlob((blob) => save("reeve-plots.png", blob));
    }
}
