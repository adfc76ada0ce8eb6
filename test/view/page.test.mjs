// SPDX-License-Identifier: MIT
// The page in a real browser. Pictures of what it saw are left in the folder REEVE_SHOTS.
import { after, before, test } from "node:test";
import assert from "node:assert/strict";
import { SCENES, launch, openPage, read, view } from "./browser.mjs";

const SHOTS = process.env.REEVE_SHOTS ?? ".";
let browser, viewer, page;

before(async () => {
    viewer = await view(`${SCENES}/tower_crane.yaml`);
    browser = await launch();
    page = await openPage(browser, viewer.url, { viewport: { width: 900, height: 600 } });
});
after(async () => {
    await browser?.close();
    assert.equal(await viewer?.stop(), 0);
});

// Parts of the picture that are of a colour, of all its pixels.
async function share(shot, isOfColour) {
    return page.evaluate(async ([bytes, test]) => {
        const matches = new Function("r", "g", "b", `return ${test}`);
        const image = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: "image/png" }));
        const canvas = new OffscreenCanvas(image.width, image.height), context = canvas.getContext("2d");
        context.drawImage(image, 0, 0);
        const { data } = context.getImageData(0, 0, image.width, image.height);
        let count = 0;
        for (let i = 0; i < data.length; i += 4) count += matches(data[i], data[i + 1], data[i + 2]) ? 1 : 0;
        return count / (data.length / 4);
    }, [[...shot], isOfColour]);
}

test("the page loads without errors and the crane is in the picture", async () => {
    const shot = await page.locator("#stage").screenshot({ path: `${SHOTS}/tower_crane.png` });
    // steel of mast and jib is a dark yellow; the sky is bright with more blue than red
    assert.ok(await share(shot, "r > 1.25 * g && g > 1.3 * b && r > 60") > 0.004, "steel");
    assert.ok(await share(shot, "b > 180 && b >= r") > 0.08, "sky");
    assert.ok(await share(shot, "g >= b && g < 200 && Math.abs(r - g) < 40") > 0.2, "ground");
    assert.deepEqual(page.errors, []);
});

test("the hoist key raises the hook and the plot of tension moves", async () => {
    const z = () => read(page, "r.last.bodies[7 * r.hook + 2]");
    await page.keyboard.press("Shift+R");
    await page.waitForFunction(() => window.reeve.last.time < 1);
    const low = await z(), plot = page.locator("#charts canvas").first(), before = await plot.screenshot();
    await page.keyboard.down("w");
    await page.waitForFunction((height) => window.reeve.last.bodies[7 * window.reeve.hook + 2] > height + 0.5, low, { timeout: 15000 });
    await page.keyboard.up("w");
    assert.equal(await read(page, "(r.last.flags & 4) !== 0"), true, "a person drives");
    await page.waitForTimeout(300);
    assert.notDeepEqual(await plot.screenshot(), before);
});
