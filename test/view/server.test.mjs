// SPDX-License-Identifier: MIT
// The server of reeve view, without a browser: who is let in, what it does with bytes that make no sense.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { view, SCENES } from "./browser.mjs";
import { Socket, exchange, get, parse, until } from "./socket.mjs";

const PAUSE = 3, STEP = 4, UNHOOK = 10, HOOK = 11, TAKE_SEAT = 100, GIVE_SEAT = 101;
let viewer;

before(async () => (viewer = await view(`${SCENES}/hoist.yaml`)));
after(async () => assert.equal(await viewer.stop(), 0));

test("the page and its files are there, and nothing else", async () => {
    const { path } = parse(viewer.url);
    assert.equal(await get(viewer.url), 200);
    assert.equal(await get(viewer.url, { path: `${path}view.js` }), 200);
    assert.equal(await get(viewer.url, { path: `${path}mode.json` }), 200);
    assert.equal(await get(viewer.url, { path: `${path}picture/tower_crane.svg` }), 200);
    for (const other of ["../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "replay.bin", "src/main.js", "picture/nothing.svg", "nothing"])
        assert.notEqual(await get(viewer.url, { path: path + other }), 200, other);
});

test("a wrong token and a wrong host are refused", async () => {
    const { path, port } = parse(viewer.url), wrong = path.replace(/[0-9a-f]/g, (digit) => (digit === "0" ? "1" : "0"));
    assert.equal(await get(viewer.url, { path: "/" }), 403);
    assert.equal(await get(viewer.url, { path: wrong }), 403);
    assert.equal(await get(viewer.url, { host: "evil.example" }), 403);
    assert.equal(await get(viewer.url, { host: `evil.example:${port}` }), 403);
    assert.equal(await get(viewer.url, { host: `localhost:${port}` }), 200);
    assert.equal(await Socket.open(viewer.url, { path: `${wrong}ws` }), null);
    assert.equal(await Socket.open(viewer.url, { host: "evil.example" }), null);
});

test("a page of another site cannot connect", async () => {
    assert.equal(await Socket.open(viewer.url, { origin: "http://evil.example" }), null);
    assert.equal(await Socket.open(viewer.url, { origin: "null" }), null);
    assert.equal(await Socket.open(viewer.url, { origin: null }), null); // browsers always say where they come from
    assert.equal(await Socket.open(viewer.url, { protocol: null }), null);
    const good = await Socket.open(viewer.url);
    assert.ok(good);
    good.close();
});

test("frames stream and the scene is told first", async () => {
    const socket = await Socket.open(viewer.url);
    assert.ok(await until(() => socket.frames > 10));
    assert.ok(socket.messages[0].scene.bodies.length > 0);
    const before = socket.time;
    assert.ok(await until(() => socket.time > before + 0.2), "time goes on");
    socket.close();
});

test("one drives, others watch, the seat is handed over", async () => {
    const seat = (socket) => socket.messages.filter((message) => message.seat).at(-1)?.seat;
    const first = await Socket.open(viewer.url);
    assert.ok(await until(() => seat(first)?.mine));
    const second = await Socket.open(viewer.url);
    assert.ok(await until(() => seat(second) && seat(first).viewers === 2 && second.frames > 2));
    assert.equal(seat(second).mine, false);
    second.order(PAUSE, { a: 1 });
    second.order(TAKE_SEAT); // is taken
    first.order(PAUSE, { a: 0 });
    assert.ok(await until(() => second.frames > 10));
    assert.equal(second.paused, false);
    first.order(GIVE_SEAT);
    assert.ok(await until(() => seat(second).taken === false));
    second.order(TAKE_SEAT);
    second.order(PAUSE, { a: 1 });
    assert.ok(await until(() => second.paused));
    const stood = second.time;
    second.order(STEP);
    assert.ok(await until(() => second.time > stood));
    const step = second.messages.find((message) => message.scene).scene.step;
    assert.ok(Math.abs(second.time - stood - step) < 1e-9, "one step"); // rounding of sums of steps
    second.order(PAUSE, { a: 0 });
    assert.ok(await until(() => !second.paused));
    second.close();
    assert.ok(await until(() => seat(first).viewers === 1 && !seat(first).taken), "the seat is free when its driver leaves");
    first.close();
});

test("garbage does not stop the simulation, its sender is dropped", async () => {
    const watcher = await Socket.open(viewer.url);
    assert.ok(await until(() => watcher.frames > 3));
    const flood = await Socket.open(viewer.url);
    for (let i = 0; i < 3000; ++i) flood.send(randomBytes(i % 200), i % 3 ? 2 : 1);
    assert.ok(await until(() => flood.isClosed), "dropped");
    const long = await Socket.open(viewer.url);
    for (let i = 0; i < 60; ++i) long.send(Buffer.alloc(60000, i));
    assert.ok(await until(() => long.isClosed), "dropped");
    const raw = await Socket.open(viewer.url);
    raw.raw.write(randomBytes(100000)); // not even frames
    assert.ok(await until(() => raw.isClosed), "dropped");
    const orders = await Socket.open(viewer.url);
    const nan = Buffer.alloc(20, 255);
    for (let type = 0; type < 256; ++type) (nan[0] = type), orders.send(nan);
    await exchange(viewer.url, randomBytes(5000), 300);
    await exchange(viewer.url, `GET /${"a".repeat(20000)} HTTP/1.1\r\n\r\n`, 300);
    const time = watcher.time, frames = watcher.frames;
    assert.ok(await until(() => watcher.time > time + 0.3 && watcher.frames > frames + 10), "it goes on");
    assert.ok(viewer.running());
    orders.close();
    watcher.close();
});

test("many orders at once are slowed, not obeyed without end", async () => {
    const socket = await Socket.open(viewer.url);
    assert.ok(await until(() => socket.frames > 3));
    for (let i = 0; i < 5000; ++i) socket.order(PAUSE, { a: 0 });
    assert.ok(await until(() => socket.isClosed), "who sends beyond the rate is dropped");
    assert.ok(viewer.running());
});

test("ropes are let go and hooked again, but not off their winch", async () => {
    const crane = await view(`${SCENES}/crane.yaml`), socket = await Socket.open(crane.url);
    const told = (text) => socket.messages.filter((m) => m.events).flatMap((m) => m.events).filter((e) => e.text.includes(text)).length;
    assert.ok(await until(() => socket.frames > 3));
    const scene = socket.messages[0].scene, sling = scene.cables.findIndex((cable) => cable.name === "sling1");
    const container = scene.bodies.findIndex((body) => body.name === "container");
    socket.order(UNHOOK, { a: sling, b: 1 });
    assert.ok(await until(() => told("sling1 was rerouted") === 1));
    socket.order(HOOK, { a: sling, b: 1, c: container, x: [0, 0, -1.3] }); // far below its corner
    assert.ok(await until(() => told("sling1 does not reach") === 1));
    socket.order(HOOK, { a: sling, b: 1, c: container, x: [2, 1.1, 1.3] }); // nearer than its corner
    const reroutings = told("sling1 was rerouted");
    assert.ok(await until(() => told("sling1 was rerouted") > reroutings));
    socket.order(UNHOOK, { a: scene.cables.findIndex((cable) => cable.name === "hoist"), b: 0 });
    socket.order(UNHOOK, { a: 60000 });
    socket.order(HOOK, { a: 0, b: 1, c: 60000 });
    assert.ok(await until(() => told("a winch holds this end of hoist") === 1));
    const time = socket.time;
    assert.ok(await until(() => socket.time > time + 0.2), "it goes on");
    socket.close();
    assert.equal(await crane.stop(), 0);
});

test("a scene too slow for real time says so and still obeys", async () => {
    // five million steps a second are too many for any machine
    const slow = await view(`${SCENES}/pendulum.yaml`, "--set", "step=0.2 us"), socket = await Socket.open(slow.url);
    const behind = () => (socket.last.readUInt32LE(16) & 2) !== 0;
    assert.ok(await until(() => socket.frames > 20 && behind()), "behind");
    const frames = socket.frames;
    socket.order(PAUSE, { a: 1 });
    assert.ok(await until(() => socket.paused));
    assert.ok(socket.frames - frames < 120, "soon");
    socket.close();
    assert.equal(await slow.stop(), 0);
});

test("scenes and folders that cannot be shown are refused in words", async () => {
    await assert.rejects(view(`${SCENES}/nothing.yaml`), /ended with 3/);
    await assert.rejects(view(SCENES), /ended with 3/); // no folder of a run
    await assert.rejects(view("--port", "99999"), /ended with 1/);
});
