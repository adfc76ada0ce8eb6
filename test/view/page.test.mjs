// SPDX-License-Identifier: MIT
// The page in a real browser. Pictures of what it saw are left in the folder REEVE_SHOTS.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { REEVE, SCENES, launch, openPage, read, view } from "./browser.mjs";
import { Socket, until } from "./socket.mjs";

const SHOTS = process.env.REEVE_SHOTS ?? ".";
const SMALL = { width: 800, height: 480 };
const WAIT = { timeout: 20000 };
let browser, viewer, page;

before(async () => {
    viewer = await view(`${SCENES}/tower_crane.yaml`);
    browser = await launch();
    page = await openPage(browser, viewer.url, SMALL);
});
after(async () => {
    await browser?.close();
    assert.equal(await viewer?.stop(), 0);
});

const flag = (bit) => read(page, `(r.last.flags & ${bit}) !== 0`);
const PAUSED = 1, MANUAL = 4;

// How much of a picture is of these colours; a test of r, g and b each.
async function shares(shot, ...colours) {
    return page.evaluate(async ([png, tests]) => {
        const matches = tests.map((text) => new Function("r", "g", "b", `return ${text}`));
        const bytes = Uint8Array.from(atob(png), (c) => c.charCodeAt(0));
        const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
        const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext("2d");
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(0, 0, image.width, image.height);
        return matches.map((match) => {
            let count = 0;
            for (let i = 0; i < data.length; i += 4) count += match(data[i], data[i + 1], data[i + 2]) ? 1 : 0;
            return count / (data.length / 4);
        });
    }, [shot.toString("base64"), colours]);
}

test("the page loads without errors and the crane is in the picture", async () => {
    const clip = await page.locator("#stage").boundingBox();
    // steel is a dark yellow; the sky has more blue than red; the ground is a dull green
    const wanted = { steel: ["r > 1.2 * g && g > 1.2 * b && r > 60", 0.003], sky: ["b > 180 && b >= r", 0.08],
        ground: ["g >= b && g < 210 && Math.abs(r - g) < 40", 0.2] };
    const look = async () => {
        const shot = await page.screenshot({ path: join(SHOTS, "tower_crane.png"), clip });
        const found = await shares(shot, ...Object.values(wanted).map(([colour]) => colour));
        return Object.entries(wanted).filter(([, [, least]], i) => !(found[i] > least)).map(([name]) => name);
    };
    // a browser that draws by software may take the picture before the first frame is on its screen
    let missing = await look();
    for (let i = 0; i < 5 && missing.length; ++i) missing = await look();
    assert.deepEqual(missing, []);
    assert.deepEqual(page.errors, []);
});

test("pause, step and reset work", async () => {
    await page.keyboard.press(" ");
    await page.waitForFunction(() => window.reeve.last.flags & 1, null, WAIT);
    const time = await read(page, "r.last.time");
    await page.keyboard.press(".");
    await page.waitForFunction((before) => window.reeve.last.time > before, time, WAIT);
    assert.ok(Math.abs(await read(page, "r.last.time") - time - 0.01) < 1e-9); // one step; rounding
    await page.click("#reset");
    await page.waitForFunction(() => window.reeve.last.time === 0, null, WAIT);
    assert.equal(await flag(PAUSED), true);
    await page.click("#pause");
    await page.waitForFunction(() => window.reeve.last.time > 0, null, WAIT);
});

test("the hoist key raises the hook and the plot of tension moves", async () => {
    const low = await read(page, "r.last.bodies[7 * r.hook + 2]");
    const plot = () => page.evaluate(() => document.querySelector("#charts canvas").toDataURL());
    const before = await plot();
    await page.keyboard.down("w");
    await page.waitForFunction((height) => window.reeve.last.bodies[7 * window.reeve.hook + 2] > height + 0.5, low, WAIT);
    assert.ok(await read(page, "r.last.controls[0].speed") < -0.5, "rope is taken in");
    await page.keyboard.up("w");
    assert.equal(await flag(MANUAL), true, "a person drives");
    assert.notEqual(await plot(), before);
    await page.waitForFunction(() => Math.abs(window.reeve.last.controls[0].speed) < 1e-3, null, WAIT);
});

test("the brake, a lever by its slider, save and restore", async () => {
    await page.click("#save");
    await page.waitForFunction(() => window.reeve.last.flags & 16, null, WAIT);
    await page.click("#drive .brake");
    await page.waitForFunction(() => window.reeve.last.controls[0].brake, null, WAIT);
    await page.locator("#drive input[type=range]").nth(1).evaluate((slider) => {
        slider.value = 1;
        slider.dispatchEvent(new Event("input"));
    });
    await page.waitForFunction(() => window.reeve.last.controls[1].speed > 0.01, null, WAIT);
    const before = await read(page, "r.backs");
    await page.keyboard.press("F9");
    await page.waitForFunction((count) => window.reeve.backs > count, before, WAIT);
    await page.waitForFunction(() => !window.reeve.last.controls[0].brake, null, WAIT);
    assert.equal(await page.locator("#drive input[type=range]").nth(1).inputValue(), "0", "levers are set back, too");
});

test("the numbers of what is under the mouse are shown", async () => {
    const at = await page.evaluate(() => { // the middle of the first span of a sling, on the screen
        const { last } = window.reeve, points = last.cables[1].points, canvas = document.getElementById("canvas");
        return window.reeve.project([0, 1, 2].map((k) => 0.5 * (points[k] + points[3 + k])), canvas.clientWidth, canvas.clientHeight);
    });
    const { x, y } = await page.locator("#canvas").boundingBox();
    await page.mouse.move(x + at[0], y + at[1]);
    await page.locator("#tip").filter({ hasText: /sling.*tension/s }).waitFor(WAIT);
    await page.mouse.move(x + 5, y + 5);
    await page.locator("#tip").waitFor({ state: "hidden", ...WAIT });
});

test("a gamepad drives", async () => {
    await page.evaluate(() => {
        window.pad = { connected: true, axes: [0, -1, 0, 0] };
        navigator.getGamepads = () => [window.pad];
    });
    await page.waitForFunction(() => window.reeve.last.controls[0].speed < -0.3, null, WAIT);
    await page.evaluate(() => (window.pad.axes[1] = 0));
    await page.waitForFunction(() => Math.abs(window.reeve.last.controls[0].speed) < 1e-3, null, WAIT);
    await page.evaluate(() => (navigator.getGamepads = () => []));
});

test("plots and picture are saved as files", async () => {
    const save = async (button) => {
        const [download] = await Promise.all([page.waitForEvent("download", WAIT), page.click(button)]);
        return readFileSync(await download.path());
    };
    const rows = (await save("#csv")).toString().split("\n");
    assert.match(rows[0], /^time,"Tension: hoist\[0\]"/);
    assert.match(rows[1], /^s,N/);
    assert.ok(rows.length > 10 && rows[2].split(",").length === rows[0].split(",").length);
    for (const button of ["#plotpng", "#picture"])
        assert.equal((await save(button)).subarray(1, 4).toString(), "PNG");
});

test("cameras follow the hook and sit in the cab", async () => {
    for (const [key, mode] of [["3", "cab"], ["2", "follow"], ["1", "orbit"]]) {
        await page.keyboard.press(key);
        assert.equal(await page.locator("#camera").inputValue(), mode);
        const drawn = await read(page, "r.drawn");
        await page.waitForFunction((before) => window.reeve.drawn > before, drawn, WAIT);
    }
    assert.deepEqual(page.errors, []);
});

test("a rope is let go, and hooked by a click", async () => {
    await page.selectOption("#object", { label: "sling2" });
    await page.locator("#rope button", { hasText: "Unhook" }).last().click();
    await page.locator("#eventlist li", { hasText: "sling2 was rerouted" }).first().waitFor(WAIT);
    const count = await page.locator("#eventlist li", { hasText: "sling2" }).count();
    await page.locator("#rope button", { hasText: "Hook by click" }).last().click();
    const at = await page.evaluate(() => {
        const body = window.reeve.scene.bodies.findIndex(({ name }) => name === "container"), canvas = document.getElementById("canvas");
        return window.reeve.project(window.reeve.shown.bodies.slice(7 * body, 7 * body + 3), canvas.clientWidth, canvas.clientHeight);
    });
    await page.locator("#canvas").click({ position: { x: at[0], y: at[1] } });
    // it is hooked, or the rope does not reach that far: both are told
    await page.waitForFunction((before) => [...document.querySelectorAll("#eventlist li")]
        .filter((item) => item.textContent.includes("sling2")).length > before, count, WAIT);
});

test("a rope becomes one of another model, and back, while it runs", async () => {
    await page.selectOption("#object", { label: "sling1" });
    const rope = (expression) => read(page, `r.last.cables[1].${expression}`);
    const models = await read(page, "r.scene.models"), before = await rope("model"), rest = await rope("rest");
    assert.equal(await page.inputValue("#model"), String(before));
    assert.equal(models[before], "massless");
    for (const name of ["layered", "ancf", "massless"]) {
        await page.selectOption("#model", { label: name });
        await page.waitForFunction((wanted) => window.reeve.scene.models[window.reeve.last.cables[1].model] === wanted, name, WAIT);
        await page.locator("#eventlist li", { hasText: `sling1 became ${name}` }).first().waitFor(WAIT);
        await page.locator("#numbers dd", { hasText: name }).first().waitFor(WAIT);
        const time = await read(page, "r.last.time");
        await page.waitForFunction((from) => window.reeve.last.time > from + 0.5, time, WAIT);
        assert.equal(await read(page, "(r.last.flags & 8) !== 0"), false, `${name} runs`);
        assert.ok(Math.abs((await rope("rest")) - rest) < 1e-4, "the rope keeps its length");
        await page.screenshot({ path: join(SHOTS, `model_${name}.png`) });
    }
    // a rope on a winch cannot be of finite elements: it is said why, and the list goes back to what is
    await page.selectOption("#object", { label: "hoist" });
    const hoist = await page.inputValue("#model");
    assert.equal(models[hoist], "layered");
    await page.selectOption("#model", { label: "ancf" });
    await page.locator("#eventlist li", { hasText: "places[0].type" }).first().waitFor(WAIT);
    await page.waitForFunction((value) => document.getElementById("model").value === value, hoist, WAIT);
    assert.deepEqual(page.errors, []);
});

test("a rope is cut from the list of objects and the event is told", async () => {
    await page.selectOption("#object", { label: "sling1" });
    await page.click("#rope .danger");
    await page.waitForFunction(() => window.reeve.last.cables[1].broken, null, WAIT);
    await page.locator("#eventlist .broken").first().waitFor(WAIT);
    // its pieces are in the picture
    await page.waitForFunction(() => window.reeve.pieces() > 0, null, WAIT);
    await page.screenshot({ path: join(SHOTS, "cut.png") });
});

test("a second viewer watches and cannot drive", async () => {
    const second = await openPage(browser, `${viewer.url}?quality=4`, SMALL);
    await second.waitForFunction(() => window.reeve.seat.viewers === 2, null, WAIT);
    assert.equal(await read(second, "r.seat.mine"), false);
    assert.equal(await second.locator("#reset").isDisabled(), true);
    const time = await read(second, "r.last.time");
    await second.evaluate("window.reeve.net.send(6)"); // reset, by a page that does not ask whether it may
    await second.waitForFunction((before) => window.reeve.last.time > before + 0.3, time, WAIT);
    assert.deepEqual(second.errors, []);
    await second.context().close();
    await page.waitForFunction(() => window.reeve.seat.viewers === 1 && window.reeve.seat.mine, null, WAIT);
});

test("a page of another site and a wrong token are refused", async () => {
    const site = createServer((_, response) => response.setHeader("Content-Type", "text/html").end("<p>another site"));
    await new Promise((resolve) => site.listen(0, "127.0.0.1", resolve));
    const context = await browser.newContext(), other = await context.newPage();
    await other.goto(`http://127.0.0.1:${site.address().port}/`);
    const opened = (url) => other.evaluate((address) => new Promise((resolve) => {
        const socket = new WebSocket(address, "reeve");
        socket.onopen = () => resolve(true);
        socket.onerror = () => resolve(false);
    }), url);
    assert.equal(await opened(`${viewer.url.replace("http", "ws")}ws`), false, "another site");
    const wrong = viewer.url.replace(/[0-9a-f]{32}/, "0".repeat(32));
    assert.equal((await other.goto(wrong)).status(), 403);
    await context.close();
    site.close();
});

test("a flood of garbage does not stop the simulation", async () => {
    const socket = await Socket.open(viewer.url), time = await read(page, "r.last.time");
    for (let i = 0; i < 5000; ++i) socket.send(Buffer.alloc(i % 125, i), 2);
    assert.ok(await until(() => socket.isClosed));
    await page.waitForFunction((before) => window.reeve.last.time > before + 0.5, time, WAIT);
    assert.equal(await read(page, "r.seat.mine"), true);
});

test("the keys are told on ?, everything fits on a phone", async () => {
    await page.setViewportSize({ width: 390, height: 780 });
    await page.keyboard.press("?");
    assert.equal(await page.locator("#keys").isVisible(), true);
    assert.match(await page.locator("#keys").innerText(), /hoist.*take in/);
    await page.keyboard.press("Escape");
    for (const panel of ["plots", "events", "objects", "drive"]) {
        await page.click(`#tabs [data-panel=${panel}]`);
        assert.equal(await page.locator(`#${panel}`).isVisible(), true);
    }
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.ok(overflow <= 0, `${overflow} pixels too wide`);
    await page.screenshot({ path: join(SHOTS, "phone.png") });
    await page.setViewportSize(SMALL);
});

test("the gallery opens another scene", async () => {
    await page.click("#scenes");
    await page.locator(".scenes button", { hasText: "pendulum" }).first().click();
    await page.waitForFunction(() => !window.reeve.scene.bodies.some((body) => body.name === "jib"), null, WAIT);
    await page.waitForFunction(() => window.reeve.last?.time > 0.2, null, WAIT);
    assert.deepEqual(page.errors, []);
});

test("a finished run is played, and its report needs no network", async () => {
    const folder = mkdtempSync(join(tmpdir(), "reeve-view-"));
    execFileSync(REEVE, ["run", `${SCENES}/crane.yaml`, "--until", "6", "--out", folder, "--report", "--quiet", "--no-vtk"]);
    const played = await view(folder), replay = await openPage(browser, `${played.url}?quality=4`, SMALL);
    await replay.waitForFunction(() => window.reeve.replay.time > 0.3, null, WAIT);
    await replay.locator("#time").evaluate((slider) => {
        slider.value = 5;
        slider.dispatchEvent(new Event("input"));
    });
    await replay.waitForFunction(() => window.reeve.shown.time > 4.9, null, WAIT);
    assert.deepEqual(replay.errors, []);
    assert.equal(await replay.locator("#drive").isVisible(), false);
    await replay.context().close();
    assert.equal(await played.stop(), 0);

    const context = await browser.newContext({ viewport: { width: 1100, height: 900 } }), report = await context.newPage();
    const asked = [], errors = [];
    report.on("request", (request) => asked.push(request.url()));
    report.on("pageerror", (error) => errors.push(String(error)));
    await report.goto(`file://${folder}/report.html`);
    await report.screenshot({ path: join(SHOTS, "report.png") });
    for (const width of [1100, 1000, 970, 600]) { // one column or two: no plot lies over another
        await report.setViewportSize({ width, height: 900 });
        await report.reload();
        const boxes = await report.locator(".uplot").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
        for (const [i, a] of boxes.entries())
            for (const b of boxes.slice(i + 1))
                assert.ok(a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1, `at ${width}`);
        assert.ok(Math.max(...boxes.map((box) => box.right)) <= width, `plots end within ${width}`);
    }
    assert.ok(await report.locator("#plots canvas").count() >= 3);
    assert.ok(await report.locator(".picture svg polyline").count() >= 5);
    assert.match(await report.locator("pre").innerText(), /peak tension/);
    assert.deepEqual(errors, []);
    assert.deepEqual(asked.filter((url) => !url.startsWith("file:") && !url.startsWith("data:")), []);
    await context.close();
    rmSync(folder, { recursive: true });
});
