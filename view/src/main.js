// SPDX-License-Identifier: MIT
// The page of reeve view: live, a replay, or first the gallery.
import { Vector3 } from "three";
import { $, element, save } from "./element.js";
import { quantity, roundUp } from "./quantity.js";
import { Cameras } from "./cameras.js";
import { FLAG, between, decode } from "./frame.js";
import { Inspector } from "./inspect.js";
import { Levers } from "./levers.js";
import { Net, ORDER } from "./net.js";
import { Plots } from "./plots.js";
import { Replay } from "./replay.js";
import { Stage } from "./stage.js";
import { guessHook, hookPosition, swing } from "./hook.js";
import { paintRamp } from "./colour.js";
import { showGallery, showKeys } from "./dialogs.js";

const state = {
    scene: null, frames: [], shown: null, last: null, clock: 0, seat: { mine: true, taken: true, viewers: 1 },
    scale: 1, peak: 0, received: 0, backs: 0, net: null, replay: null, mode: null, hook: -1, drawnAt: 0, tickedAt: 0,
};
window.reeve = state; // for tests and for the curious
// Where a point of the world is on the screen, in pixels of the canvas.
state.project = (point, width, height) => {
    const p = new Vector3(...point).project(stage.camera);
    return [(0.5 + 0.5 * p.x) * width, (0.5 - 0.5 * p.y) * height];
};
// Pieces of cut ropes that are drawn.
state.pieces = () => stage.cables.tubes.count - stage.cables.segments.length;

const wantedQuality = /^[0-4]$/.exec(new URLSearchParams(location.search).get("quality") ?? "");
const stage = new Stage($("canvas"), wantedQuality ? Number(wantedQuality[0]) : null);
const cameras = new Cameras(stage, $("canvas"));
const plots = new Plots($("charts"), $("choices"));
let levers = null, inspector = null, noticeTimer = 0;

function notice(text, seconds = 0) {
    clearTimeout(noticeTimer);
    $("notice").textContent = text;
    $("notice").hidden = !text;
    if (text && seconds) noticeTimer = setTimeout(() => ($("notice").hidden = true), 1000 * seconds);
}

// ---- what comes in

function setScene(scene) {
    Object.assign(state, { scene, frames: [], shown: null, last: null, peak: 0, scale: 1, hook: guessHook(scene) });
    document.title = scene.title ? `${scene.title} – Reeve` : "Reeve";
    $("title").textContent = scene.title || "Reeve";
    $("hook").replaceChildren(element("option", { value: -1, selected: state.hook < 0 }, "–"), ...scene.bodies.map((body, i) => element("option", { value: i, selected: i === state.hook }, body.name)));
    stage.setScene(scene);
    cameras.setScene(scene);
    plots.setScene(scene, { live: !state.replay, hook: () => state.hook, swing: (frame) => swing(scene, frame, state.hook) });
    levers?.setScene(scene);
    inspector.setScene(scene);
    $("eventlist").replaceChildren();
}

function addEvents(events) {
    for (const event of events) {
        if (event.kind === "notice") notice(event.text, 6);
        else if (event.kind === "failed") notice(event.text);
        $("eventlist").prepend(element("li", { class: event.kind.replace(/ /g, "-") },
            element("time", {}, `${event.time.toFixed(2)} s`), ` ${event.text}`));
    }
    while ($("eventlist").children.length > 200) $("eventlist").lastChild.remove();
}

function showSeat(seat) {
    state.seat = seat;
    const button = $("seat");
    button.textContent = seat.mine ? "You drive" : seat.taken ? "Watching" : "Take the seat";
    button.title = seat.mine ? "give the seat away" : seat.taken ? "another one drives; ask for the seat" : "drive";
    button.setAttribute("aria-pressed", seat.mine);
    document.body.classList.toggle("watching", !seat.mine);
    for (const control of document.querySelectorAll("#transport button, #transport select, #rope button"))
        control.disabled = !seat.mine || (control.id === "restore" && !(state.last?.flags & FLAG.saved));
}

function receive(buffer) {
    if (!state.scene) return;
    const frame = decode(buffer, state.scene);
    const back = state.last && frame.time < state.last.time;
    if (back) {
        state.frames = [];
        state.backs++;
        levers?.setBack();
    }
    if (back || !state.last) state.clock = frame.time;
    frame.at = performance.now();
    state.frames.push(frame);
    if (state.frames.length > 12) state.frames.shift();
    state.last = frame;
    state.received++;
    plots.add(frame);
}

// ---- the picture

// The frames around the time to show, which follows the newest by a little, so that there mostly is one after it.
function currentFrame(seconds) {
    if (state.replay) {
        state.replay.advance(seconds);
        const [a, b, s] = state.replay.around();
        state.last = a;
        plots.now = state.replay.time;
        return between(a, b, s);
    }
    const { frames, last } = state;
    if (!last || frames.length < 2 || last.flags & FLAG.paused) {
        state.clock = last?.time ?? 0;
        return last;
    }
    const goal = last.time - 0.03 * last.pace;
    state.clock += last.pace * seconds;
    state.clock += (Math.abs(goal - state.clock) > 0.2 ? 1 : 0.08) * (goal - state.clock);
    let i = frames.length - 1;
    while (i > 1 && frames[i - 1].time > state.clock) --i;
    const a = frames[i - 1], b = frames[i];
    return between(a, b, b.time > a.time ? Math.min(Math.max((state.clock - a.time) / (b.time - a.time), 0), 1) : 1);
}

function followTension(frame) {
    for (const cable of frame.cables)
        if (!cable.broken) for (const tension of cable.tensions) state.peak = Math.max(state.peak, tension);
    const scale = roundUp(state.peak);
    if (scale !== state.scale) {
        state.scale = scale;
        $("high").textContent = quantity(scale, "N", 2);
    }
}

function showNumbers(frame) {
    const paused = (frame.flags & FLAG.paused) !== 0 && !state.replay, replaying = state.replay?.playing;
    $("clock").textContent = `${(state.replay ? state.replay.time : frame.time).toFixed(2)} s`;
    $("pause").textContent = (state.replay ? !replaying : paused) ? "▶ Play" : "❚❚ Pause";
    const behind = frame.flags & FLAG.behind;
    $("pace").textContent = state.replay ? "replay" : frame.flags & FLAG.failed ? "✖ diverged" : paused ? "paused"
        : behind ? `⚠ slow: ${frame.pace.toFixed(2)}×` : `${frame.pace.toFixed(2)}× real time`;
    $("pace").title = behind ? "the machine cannot keep up with real time" : "how fast it runs";
    $("pace").className = behind || frame.flags & FLAG.failed ? "warn" : "";
    $("restore").disabled = !(frame.flags & FLAG.saved) || !state.seat.mine;
    levers?.show(frame, state.seat.mine);
    inspector.show(frame, state.frames[state.frames.length - 2]);
    if (state.replay) $("time").valueAsNumber = state.replay.time;
}

let lastTime = performance.now();
function draw(now) {
    requestAnimationFrame(draw);
    if (now - lastTime < 1000 * stage.interval - 4) return;
    const seconds = Math.min((now - lastTime) / 1000, 0.25);
    lastTime = now;
    levers?.poll();
    const frame = currentFrame(seconds);
    if (!frame) return;
    followTension(frame);
    stage.show(frame, state.scale);
    if (!stage.framed) {
        cameras.set(cameras.mode === "cab" ? "cab" : "orbit", hookPosition(frame, state.hook));
        if (cameras.mode === "cab") cameras.frame();
        stage.framed = true;
    }
    cameras.update(hookPosition(frame, state.hook));
    stage.watch(seconds);
    stage.render();
    state.shown = frame;
    state.drawn = (state.drawn ?? 0) + 1;
    if (now - state.tickedAt > 100) {
        state.tickedAt = now;
        showNumbers(state.last);
        plots.draw();
    }
}

// ---- what goes out

function togglePause() {
    if (state.replay) {
        if (!state.replay.playing && state.replay.time >= state.replay.end) state.replay.time = 0;
        state.replay.playing = !state.replay.playing;
    } else state.net.send(ORDER.pause, { a: state.last?.flags & FLAG.paused ? 0 : 1 });
}

function singleStep() {
    if (!state.replay) return state.net.send(ORDER.step);
    state.replay.playing = false;
    const [a, b] = state.replay.around();
    state.replay.time = b === a ? a.time : b.time;
}

function setSpeed(value) {
    if (state.replay) state.replay.speed = value;
    else state.net.send(ORDER.speed, { x: [value, 0, 0] });
}

function setCamera(mode) {
    $("camera").value = mode;
    cameras.set(mode, hookPosition(state.shown, state.hook));
}

function savePicture() {
    stage.render();
    $("canvas").toBlob((blob) => save("reeve.png", blob));
}

const send = (order) => () => state.net?.send(order);
const BUTTONS = {
    pause: togglePause, step: singleStep, reset: send(ORDER.reset), save: send(ORDER.save), restore: send(ORDER.restore),
    picture: savePicture, csv: () => plots.csv(), plotpng: () => plots.png(),
    seat: () => state.net?.send(state.seat.mine ? ORDER.giveSeat : ORDER.takeSeat),
    help: () => showKeys(levers?.describe() ?? [], state.replay !== null),
    scenes: () => showGallery(state.mode.scenes, (i) => state.net.send(ORDER.open, { a: i })),
};

const KEYS = {
    " ": togglePause, ".": singleStep, "?": BUTTONS.help, R: BUTTONS.reset, F8: BUTTONS.save, F9: BUTTONS.restore,
    1: () => setCamera("orbit"), 2: () => setCamera("follow"), 3: () => setCamera("cab"), 0: () => levers?.stopAll(),
    Escape: () => inspector.escape(), "+": () => cameras.nudge(0, 0, 0.9), "-": () => cameras.nudge(0, 0, 1.1),
    ArrowLeft: () => cameras.nudge(-0.06, 0, 1), ArrowRight: () => cameras.nudge(0.06, 0, 1),
    ArrowUp: () => cameras.nudge(0, -0.05, 1), ArrowDown: () => cameras.nudge(0, 0.05, 1),
};

function onKey(event) {
    const inControl = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName), inDialog = event.target.closest?.("dialog");
    if (event.ctrlKey || event.metaKey || event.altKey || inDialog) return;
    if (event.key === " " && event.target.tagName === "BUTTON") return; // presses the button
    if (inControl && /^(Arrow| |[0-9]$)/.test(event.key)) return;
    const action = KEYS[event.key];
    if (!action) return;
    event.preventDefault();
    action();
}

function connectPage() {
    for (const [id, action] of Object.entries(BUTTONS)) $(id).addEventListener("click", action);
    $("speed").addEventListener("change", () => setSpeed(Number($("speed").value)));
    $("camera").addEventListener("change", () => setCamera($("camera").value));
    $("hook").addEventListener("change", () => {
        state.hook = Number($("hook").value);
        cameras.set(cameras.mode, hookPosition(state.shown, state.hook));
        plots.clear();
        if (state.replay) plots.load(state.replay.frames);
    });
    $("time").addEventListener("input", () => (state.replay.time = $("time").valueAsNumber));
    window.addEventListener("keydown", onKey);
    for (const tab of document.querySelectorAll("#tabs button"))
        tab.addEventListener("click", () => {
            document.body.dataset.panel = tab.dataset.panel;
            for (const other of document.querySelectorAll("#tabs button")) other.setAttribute("aria-pressed", other === tab);
            plots.resize();
        });
    document.body.dataset.panel = "drive";
    paintRamp($("ramp"));
    new ResizeObserver(() => {
        stage.resize($("stage").clientWidth, $("stage").clientHeight);
        if (cameras.mode === "orbit" && state.shown && !state.turned) cameras.frame();
    }).observe($("stage"));
    $("canvas").addEventListener("pointerdown", () => (state.turned = true));
}

async function start() {
    connectPage();
    state.mode = await (await fetch("mode.json")).json();
    document.body.classList.add(state.mode.mode);
    if (state.mode.mode === "replay") {
        inspector = new Inspector(stage, $("canvas"), null, notice);
        state.replay = new Replay(await (await fetch("replay.bin")).arrayBuffer());
        setScene(state.replay.scene);
        plots.load(state.replay.frames);
        addEvents(state.replay.events);
        $("replay").hidden = false;
        $("time").max = state.replay.end;
    } else {
        state.net = new Net({
            open: () => notice(""),
            close: () => notice("The connection is gone. Is reeve view still running?"),
            frame: receive,
            message: (message) => {
                if (message.scene) setScene(message.scene);
                if (message.seat) showSeat(message.seat);
                if (message.events) addEvents(message.events);
            },
        });
        inspector = new Inspector(stage, $("canvas"), state.net, notice);
        levers = new Levers($("drive"), state.net);
        if (state.mode.mode === "gallery") BUTTONS.scenes();
    }
    requestAnimationFrame(draw);
}

start().catch((error) => notice(`The page could not start: ${error.message}`));
