// SPDX-License-Identifier: MIT
// Measures the stream: REEVE_COMMAND=build/release/bin/reeve node test/view/measure.mjs [SCENE [SECONDS]]
// Two viewers take all frames while the scene runs; prints frames a second, how the simulation kept its time, and the cost.
import { readFileSync } from "node:fs";
import { view } from "./browser.mjs";
import { Socket, until } from "./socket.mjs";

const [scene = "scenes/gantry_crane_eight.yaml", seconds = 10] = process.argv.slice(2);
const viewer = await view(scene), sockets = [await Socket.open(viewer.url), await Socket.open(viewer.url)];
await until(() => sockets.every((socket) => socket.frames > 30));

// Seconds of the processor that the command has used.
const used = () => {
    const fields = readFileSync(`/proc/${viewer.pid}/stat`, "utf8").split(") ")[1].split(" ");
    return (Number(fields[11]) + Number(fields[12])) / 100;
};
const now = () => ({ wall: performance.now() / 1000, time: sockets[0].time, cpu: used(), bytes: sockets[0].bytes, frames: sockets.map((s) => s.frames) });

const costs = [], before = now();
while (performance.now() / 1000 - before.wall < Number(seconds)) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    costs.push(sockets[0].last.readFloatLE(24));
}
const after = now(), wall = after.wall - before.wall;
const rates = after.frames.map((count, i) => (count - before.frames[i]) / wall);
console.log(`scene             ${scene}`);
console.log(`frames a second   ${rates.map((rate) => rate.toFixed(1)).join(" and ")} at two viewers`);
console.log(`bytes a frame     ${((after.bytes - before.bytes) / (after.frames[0] - before.frames[0])).toFixed(0)}`);
console.log(`simulated         ${((after.time - before.time) / wall).toFixed(3)} seconds a second`);
console.log(`a step            ${(1e6 * Math.min(...costs)).toFixed(0)} to ${(1e6 * Math.max(...costs)).toFixed(0)} us, means of frames`);
console.log(`processor         ${((100 * (after.cpu - before.cpu)) / wall).toFixed(0)} % of one core, all threads`);
for (const socket of sockets) socket.close();
await viewer.stop();
