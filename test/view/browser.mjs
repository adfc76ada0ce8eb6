// SPDX-License-Identifier: MIT
// What the tests of the page share: the command running a scene, and Debian's Chromium looking at it.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { once } from "node:events";

const require = createRequire(new URL("../../view/package.json", import.meta.url));
const { chromium } = require("playwright-core");

export const REEVE = process.env.REEVE_COMMAND;
export const SCENES = process.env.REEVE_SCENES;

// Starts `reeve view ARGUMENTS`; answers {url, stop()}.
export async function view(...args) {
    const process_ = spawn(REEVE, ["view", ...args], { stdio: ["ignore", "pipe", "ignore"] });
    let text = "";
    const url = await new Promise((resolve, reject) => {
        process_.stdout.on("data", (data) => {
            text += data;
            const match = /^(http:\S+)$/m.exec(text);
            if (match) resolve(match[1]);
        });
        process_.on("error", reject);
        process_.on("exit", (code) => reject(new Error(`reeve view ended with ${code}`)));
    });
    return {
        url,
        pid: process_.pid,
        running: () => process_.exitCode === null,
        async stop() {
            if (process_.exitCode === null) {
                process_.kill("SIGTERM");
                await once(process_, "exit");
            }
            return process_.exitCode;
        },
    };
}

export const launch = () => chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--disable-quic", "--no-first-run",
        "--disable-background-networking", "--disable-component-update", "--disable-sync"],
});

// A page of the viewer, with its mistakes in `errors`, once it has got frames and drawn one.
export async function openPage(browser, url, viewport) {
    const context = await browser.newContext({ viewport });
    const page = await context.newPage();
    page.errors = [];
    page.on("console", (message) => {
        if (message.type() === "error" || message.type() === "warning") page.errors.push(message.text());
    });
    page.on("pageerror", (error) => page.errors.push(String(error)));
    await page.goto(url);
    await page.waitForFunction(() => window.reeve?.drawn > 0, null, { timeout: 30000 });
    return page;
}

export const read = (page, expression) => page.evaluate(`(() => { const r = window.reeve; return ${expression}; })()`);
