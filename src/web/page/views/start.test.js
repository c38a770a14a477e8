import assert from "node:assert/strict";
import test from "node:test";
import { fixedDistance } from "./periods.js";
import { thingToDo } from "./start.js";

test("each kind of run has one thing to do", () => {
  const certificate = { verdict: "solves it another way", claims: [{}] };
  const unsolved = { verdict: "does not solve the task", claims: [{}] };
  /** @type {[object, string][]} */
  const table = [
    [{ minute: {}, certificate, lab: {} }, "certificate"],
    [{ certificate: unsolved, lab: {}, snapshots: [{ step: 1 }] }, "lab"],
    [{ certificate: unsolved }, "certificate"],
    [{ certificate, lab: {}, story: { query: 3 } }, "certificate"],
    [{ story: { query: 3 } }, "heads"],
    [{ story: {} }, "predictions"],
    [{ story: null }, "predictions"],
  ];
  for (const [run, tab] of table) assert.equal(thingToDo(/** @type {any} */ (run))[1], tab);
  // What takes ten seconds was measured of a fresh model.
  const words = [1, 300].map(
    (step) => thingToDo(/** @type {any} */ ({ certificate: unsolved, lab: {}, snapshots: [{ step }] }))[0],
  );
  assert.deepEqual(words, ["▶ Train: ten seconds", "▶ Train on"]);
});

test("a fixed distance is spoken of where segments come back one period later", () => {
  const said = (/** @type {string} */ name, /** @type {object} */ first) =>
    fixedDistance(/** @type {any} */ ({ task: { name }, sequences: [first] }));
  const repeats = [1];
  const all = [said("repeat", { repeats }), said("planted", { repeats }), said("text", {})];
  assert.deepEqual(all, [true, false, false]);
});
