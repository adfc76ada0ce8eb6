// SPDX-License-Identifier: MIT
// The keys, and the gallery of scenes.
import { $, element } from "./element.js";

const COMMON = [
    ["Space", "pause, go on"], [".", "a single step"], ["1 2 3", "camera: orbit, follow the hook, cab"],
    ["← → ↑ ↓", "turn the view"], ["+ −", "nearer, farther"], ["?", "this help"],
    ["Tab", "goes through all buttons, levers and lists"],
];
const LIVE = [["0", "all levers to zero"], ["Shift R", "reset"], ["F8 / F9", "save and restore the state"], ["Esc", "stop hooking"]];

function open(dialog, title, ...content) {
    dialog.replaceChildren(element("form", { method: "dialog" }, element("h2", {}, title),
        element("button", { autofocus: true }, "Close")), ...content);
    dialog.showModal();
    dialog.scrollTop = 0;
}

export function showKeys(driving, replay) {
    const rows = [...driving, ...COMMON, ...(replay ? [] : LIVE)];
    open($("keys"), "Keys", element("table", {}, ...rows.map(([keys, what]) =>
        element("tr", {}, element("td", {}, element("kbd", {}, keys)), element("td", {}, what)))),
        element("p", { class: "quiet" }, replay ? "" : "A gamepad drives the first four levers. Click a rope or a body for its numbers; "
            + "a chosen rope can be cut, unhooked and hooked under Objects."));
}

export function showGallery(scenes, choose) {
    open($("gallery"), "Scenes", element("ul", { class: "scenes" }, ...scenes.map((scene, i) =>
        element("li", {}, element("button", {
            onclick: () => { choose(i); $("gallery").close(); },
        }, element("img", { src: `picture/${scene.name}.svg`, alt: "", loading: "lazy" }), element("b", {}, scene.name.replace(/_/g, " ")), element("span", {}, scene.title))))));
}
