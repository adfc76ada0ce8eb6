// SPDX-License-Identifier: MIT
// Colours that differ in lightness as well as in hue, so that the colour-blind tell them apart: viridis for tension, the
// set of Okabe and Ito for bodies and lines.

const RAMP = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];

export const SLACK = [0.62, 0.64, 0.67];
export const BROKEN = [0.1, 0.1, 0.1];
export const SET = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];

// 0..1 to [r, g, b] of 0..1
export function ramp(value) {
    const s = Math.min(Math.max(value, 0), 1) * (RAMP.length - 1), i = Math.min(Math.floor(s), RAMP.length - 2);
    return [0, 1, 2].map((k) => (RAMP[i][k] + (s - i) * (RAMP[i + 1][k] - RAMP[i][k])) / 255);
}

export function paintRamp(canvas) {
    const context = canvas.getContext("2d");
    for (let x = 0; x < canvas.width; ++x) {
        const [r, g, b] = ramp(x / (canvas.width - 1));
        context.fillStyle = `rgb(${255 * r} ${255 * g} ${255 * b})`;
        context.fillRect(x, 0, 1, canvas.height);
    }
}
