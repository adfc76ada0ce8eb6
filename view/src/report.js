// SPDX-License-Identifier: MIT
// The plots of a report, from the samples that stand in it: one for each unit, of six lines at most.
import uPlot from "uplot";
import { SET } from "./colour.js";
import { quantity, tickLabels } from "./util.js";

const LINES = 6;

const samples = document.getElementById("samples");
const rows = JSON.parse(samples.textContent).trim().split("\n").map((line) => line.split(","));
const [names, units] = rows;
const columns = names.map((_, i) => rows.slice(2).map((row) => (row[i] === "" ? null : Number(row[i]))));

// Columns with one unit belong together; many of them are shared out over several plots.
const groups = [];
names.forEach((name, i) => {
    if (i === 0) return;
    let group = groups.find((found) => found.unit === units[i] && found.lines.length < LINES);
    if (!group) groups.push((group = { unit: units[i], lines: [] }));
    group.lines.push(i);
});

// "container, block [m]": the objects, each once, as far as there is room
function titleOf(lines, unit) {
    const objects = [...new Set(lines.map((i) => names[i].split(/[.[]/)[0]))];
    const text = objects.length > 4 ? `${objects.slice(0, 4).join(", ")} …` : objects.join(", ");
    return unit ? `${text} [${unit}]` : text;
}

const place = document.getElementById("plots"), plots = [];
const widthOf = () => Math.max(Math.min(place.clientWidth, 1028), 200);
const columnsOf = (width) => (width >= 980 ? 2 : 1);
for (const { unit, lines } of groups) {
    const shown = unit === "1" ? "" : unit, width = widthOf() / columnsOf(widthOf()) - 8;
    plots.push(new uPlot({
        width, height: 230, title: titleOf(lines, shown),
        cursor: { sync: { key: "report" } }, scales: { x: { time: false } },
        axes: [{ label: "time [s]", size: 40, labelSize: 16 }, { size: 70, values: (_, ticks) => tickLabels(ticks, shown) }],
        series: [{ label: "time", value: (_, v) => (v === null ? "" : `${v.toFixed(2)} s`) }, ...lines.map((i, k) => ({
            label: names[i], stroke: SET[k % SET.length], width: 1.6, dash: k % 2 ? [8, 3] : [], points: { show: false },
            value: (_, v) => (v === null ? "" : quantity(v, shown, 4)),
        }))],
    }, [columns[0], ...lines.map((i) => columns[i])], place));
}
window.addEventListener("resize", () => {
    for (const plot of plots) plot.setSize({ width: widthOf() / columnsOf(widthOf()) - 8, height: 230 });
});
