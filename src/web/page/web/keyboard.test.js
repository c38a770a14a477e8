import assert from "node:assert/strict";
import { test } from "node:test";

import { onKey } from "./keyboard.js";

/**
 * What a key does, as calls; "prevented" where the browser does nothing with it.
 *
 * @param {string} key
 * @param {string} focused what has the focus, with what it stands in: "button.grid"
 * @param {object} [more]
 */
function pressed(key, focused, { shiftKey = false, tab = "heads", query = 40, locked = true } = {}) {
  /** @type {unknown[]} */
  const calls = [];
  const call =
    (/** @type {string} */ name) =>
    (/** @type {unknown[]} */ ...args) =>
      calls.push(typeof args[0] === "object" ? name : [name, ...args].join(" "));
  const [own, around] = focused.split(".");
  const closest = (/** @type {string} */ selector) =>
    selector.split(", ").some((one) => one === own || one === "." + around) || null;
  const event = { key, shiftKey, target: { closest }, preventDefault: call("prevented") };
  const app = {
    store: { state: { tab, locked, query, key: 21 }, change: call("change") },
    selection: { flip: call("flip"), move: call("move"), press: call("press") },
  };
  onKey(/** @type {any} */ (event), /** @type {any} */ (app));
  return calls.join(", ");
}

test("a key is the picture's that has the focus, and else the browser's", () => {
  const rows = /** @type {[string, string, object, string][]} */ ([
    ["ArrowDown", "div.map", {}, "flip 1 0, prevented"],
    ["ArrowLeft", "button.grid", {}, "flip 0 -1, prevented"],
    ["ArrowRight", "div.tokens", { shiftKey: true, tab: "predictions" }, "move 0 1, prevented"],
    ["Enter", "div.map", {}, "press 40 21, prevented"],
    [" ", "div.map", { locked: false }, "press 40 21, prevented"],
    ["Enter", "button.grid", {}, ""],
    ["Enter", "div.map", { query: null }, ""],
    ["ArrowDown", "select.map", {}, ""],
    ["Escape", "body", {}, "change"],
  ]);
  for (const [key, focused, more, calls] of rows)
    assert.equal(pressed(key, focused, more), calls, `${key} in ${focused}`);
  for (const tab of ["heads", "predictions", "training", "circuits", "lab"])
    for (const focused of ["body", "button.nav", "summary.story", "main"])
      for (const key of ["ArrowDown", "ArrowLeft", " ", "Enter"])
        for (const shiftKey of [false, true])
          assert.equal(pressed(key, focused, { tab, shiftKey }), "", `${key} on ${tab} in ${focused}`);
});
