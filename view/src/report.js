// SPDX-License-Identifier: MIT
// The plots of a report, from the samples that stand in it: one for each unit, of six lines at most.
import uPlot from "uplot";
import { SET } from "./colour.js";
import { axisRange, quantity, tickLabels } from "./quantity.js";

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

// What the legend tells: values under the pointer, else those at the end.
const told = (text) => (plot, value, line, at) => {
    const shown = at === null ? plot.data[line][plot.data[line].length - 1] : value;
    return shown === null || shown === undefined ? "" : text(shown);
};

const place = document.getElementById("plots"), plots = [];
const widthOf = () => parseFloat(getComputedStyle(place).gridTemplateColumns); // of one column: the style knows how many there are
for (const { unit, lines } of groups) {
    const shown = unit === "1" ? "" : unit;
    plots.push(new uPlot({
        width: widthOf(), height: 230, title: titleOf(lines, shown),
        cursor: { sync: { key: "report" } },
        scales: { x: { time: false }, y: { range: (_, low, high) => axisRange(low, high, shown) } },
        axes: [{ label: "time [s]", size: 40, labelSize: 16 }, { size: 70, values: (_, ticks) => tickLabels(ticks, shown) }],
        series: [{ label: "time", value: told((time) => `${time.toFixed(2)} s`) }, ...lines.map((i, k) => ({
            label: names[i], stroke: SET[k % SET.length], width: 1.6, dash: k % 2 ? [8, 3] : [], points: { show: false },
            value: told((value) => quantity(value, shown, 4)),
        }))],
    }, [columns[0], ...lines.map((i) => columns[i])], place));
}
window.addEventListener("resize", () => {
    for (const plot of plots) plot.setSize({ width: widthOf(), height: 230 });
});
