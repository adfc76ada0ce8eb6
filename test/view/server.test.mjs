// SPDX-License-Identifier: MIT
// The server of reeve view, without a browser: who is let in, what it does with bytes that make no sense.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
    for (let i = 1; i <= 32; ++i) {
        const near = path.slice(0, i) + (path[i] === "0" ? "1" : "0") + path.slice(i + 1);
        assert.equal(await get(viewer.url, { path: near }), 403, `digit ${i}`);
    }
    for (const part of [path.slice(0, -1), path.slice(0, 20), path.slice(1), `${path.slice(0, -1)}0/`])
        assert.equal(await get(viewer.url, { path: `/${part}`.replace("//", "/") }), part === path.slice(1) ? 200 : 403, part);
    assert.equal(await Socket.open(viewer.url, { path: `${wrong}ws` }), null);
    assert.equal(await Socket.open(viewer.url, { host: "evil.example" }), null);
});

test("only GET and HEAD are answered", async () => {
    const { path, hostname, port } = parse(viewer.url);
    const ask = (method, more = "") => exchange(viewer.url, `${method} ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n${more}\r\n`);
    const page = await ask("GET"), head = await ask("HEAD");
    assert.match(head, /^HTTP\/1\.1 200 OK\r\n/);
    assert.equal(head, page.slice(0, page.indexOf("\r\n\r\n") + 4), "the same head, and nothing behind it");
    for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
        assert.match(await ask(method), /^HTTP\/1\.1 405 [^]*allow: GET, HEAD/, method);
    for (const method of ["TRACE", "CONNECT", "FETCH"]) assert.doesNotMatch(await ask(method), /^HTTP\/1\.1 2/, method);
    // HTTP/2 would be another door
    assert.doesNotMatch(await ask("GET", "Upgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n"), /101|200/);
    assert.doesNotMatch(await exchange(viewer.url, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 300), /200/);
});

test("frames that no client may send close the connection", async () => {
    const masked = [0, 0, 0, 0], order = Array(20).fill(0), broken = {
        "not masked": [0x82, 20, ...order], "text, not masked": [0x81, 1, 65], "ping, not masked": [0x89, 0], "pong, not masked": [0x8a, 0],
        "close, not masked": [0x88, 0], "reserved bits": [0xc2, 0x94, ...masked, ...order], "kind 3": [0x83, 0x94, ...masked, ...order],
        "kind 11": [0x8b, 0x80, ...masked], "a ping in parts": [0x09, 0x80, ...masked], "a long ping": [0x89, 0xfe, 0, 126, ...masked],
        "64 bits of length": [0x82, 0xff, 0, 0, 0, 0, 0, 0, 0, 20, ...masked, ...order],
    };
    for (const [what, bytes] of Object.entries(broken)) {
        const socket = await Socket.open(viewer.url);
        assert.ok(await until(() => socket.frames > 1), what);
        socket.send(Buffer.alloc(20)); // one mistake is none
        socket.raw.write(Buffer.from(bytes));
        assert.ok(await until(() => socket.isClosed), what);
    }
});

test("orders may come in any pieces, and pings are answered", async () => {
    const socket = await Socket.open(viewer.url), order = Buffer.alloc(26);
    order.set([0x82, 0x94, 0, 0, 0, 0, PAUSE, 0, 1]);
    assert.ok(await until(() => socket.frames > 3 && !socket.paused));
    for (const byte of order) {
        socket.raw.write(Buffer.from([byte]));
        await new Promise((resolve) => setTimeout(resolve, 2));
    }
    assert.ok(await until(() => socket.paused), "byte by byte");
    order[8] = 0;
    socket.raw.write(Buffer.concat([Buffer.from([0x8a, 0x80, 1, 2, 3, 4]), order, order.subarray(0, 13)]));
    assert.ok(await until(() => !socket.paused), "several at once");
    socket.raw.write(order.subarray(13));
    socket.send(Buffer.from("are you there"), 9);
    assert.ok(await until(() => socket.pong === "are you there"));
    socket.send(Buffer.from([3, 232]), 8);
    assert.ok(await until(() => socket.isClosed), "closed when asked to");
});

// Each says nothing and waits to be hung up on; the program may have 200 descriptors.
test("10000 connections without a token keep nobody out", async () => {
    const own = await view(`${SCENES}/hoist.yaml`), { hostname, port } = parse(own.url), watcher = await Socket.open(own.url);
    execFileSync("prlimit", ["--pid", String(own.pid), "--nofile=200"]);
    assert.ok(await until(() => watcher.frames > 3));
    let came = 0, gone = 0, most = 0, paused = false;
    const hold = (text) => createConnection(port, hostname, function () { ++came, this.write(text); })
        .on("error", () => {}).on("data", () => {}).on("close", () => ++gone);
    for (let wave = 0; wave < 20; ++wave) {
        for (let i = 0; i < 500; ++i) hold(i % 2 ? "GET / HTTP/1.1\r\nHost: " : "");
        assert.equal(await get(own.url), 200, "a page");
        paused = !paused;
        watcher.order(PAUSE, { a: paused ? 1 : 0 });
        assert.ok(await until(() => watcher.paused === paused), "an order");
        assert.ok(await until(() => came === 500 * (wave + 1)), "all come in");
        most = Math.max(most, readdirSync(`/proc/${own.pid}/fd`).length);
    }
    assert.ok(most < 100, `${most} descriptors`); // 64 strangers and what the program has anyway
    assert.ok(await until(() => gone === 10000), "and all are hung up on");
    assert.ok(!watcher.isClosed);
    watcher.close();
    assert.equal(await own.stop(), 0);
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
    const folder = mkdtempSync(join(tmpdir(), "reeve-"));
    writeFileSync(join(folder, "replay.bin"), "RVREPLAY and no more");
    await assert.rejects(view(folder), /ended with 3/);
    rmSync(folder, { recursive: true });
    await assert.rejects(view("--port", "99999"), /ended with 1/);
});
