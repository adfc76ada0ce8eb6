// SPDX-License-Identifier: MIT
// Quantities in words, and the axes that they stand at.

const PREFIXES = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""], [1e-3, "m"], [1e-6, "µ"]];

// "31.2 kN"
export function quantity(value, unit, digits = 3) {
    if (!Number.isFinite(value)) return "–";
    if (Math.abs(value) < 1e-7) return `0 ${unit}`.trim();
    if (unit === "" || unit === "rad" || unit === "°") return `${Number(value.toPrecision(digits))} ${unit}`.trim(); // no prefixes
    const [factor, prefix] = PREFIXES.find(([f]) => Math.abs(value) >= 0.9995 * f) ?? PREFIXES[PREFIXES.length - 1];
    return `${Number((value / factor).toPrecision(digits))} ${prefix}${unit}`;
}

// Two decimals, without a minus before nothing.
export const fixed = (value) => value.toFixed(2).replace(/^-(0\.00)$/, "$1");

// Labels of an axis, with as many digits as it takes to tell neighbours apart.
export function tickLabels(ticks, unit) {
    const step = ticks.length > 1 ? Math.abs(ticks[1] - ticks[0]) : 0, most = Math.max(...ticks.map(Math.abs));
    const digits = step > 0 && most > 0 ? Math.ceil(Math.log10(most / step) - 1e-9) + 2 : 3;
    return ticks.map((tick) => quantity(Math.abs(tick) < 1e-6 * step ? 0 : tick, unit, Math.min(Math.max(digits, 2), 9)));
}

// From where to where an axis goes: around what there is, and never so near that labels no longer tell neighbours apart.
const LEAST = { "°": 0.01, rad: 1e-3, "": 1 };
export function axisRange(low, high, unit) {
    if (low === null || high === null) return [null, null];
    const least = Math.max(2e-3 * Math.max(Math.abs(low), Math.abs(high)), LEAST[unit] ?? 1e-6);
    const spread = Math.max(high - low, least), from = Math.min(low, (low + high - spread) / 2);
    const start = low >= 0 ? Math.max(from - 0.1 * spread, 0) : from - 0.1 * spread; // nothing is below 0 that was not
    return [start, Math.max(high, from + spread) + 0.1 * spread];
}

// The next round number: 1, 2 or 5 times a power of ten.
export function roundUp(value) {
    if (!(value > 0)) return 1;
    const power = 10 ** Math.floor(Math.log10(value));
    return power * [1, 2, 5, 10].find((step) => value <= step * power * 1.0001);
}
