import assert from "node:assert/strict";
import { test } from "node:test";

import {
  changeWords,
  changesOf,
  cutAddress,
  cutsInAddress,
  freshWords,
  layerToggled,
  toggled,
} from "./changes.js";

const NOTHING = { off: "", cut: "", mlps: "", patch: "", remembered: "" };
const code = (/** @type {number} */ head) => `L${Math.floor(head / 3)}H${head % 3}`;

test("the engine is told what is changed, and nothing else", () => {
  assert.deepEqual(changesOf({ ...NOTHING, remembered: "3,4" }, "zero"), {});
  const all = { off: "1,4", cut: "5-9-7,2-3-0", mlps: "0", patch: "3", remembered: "7,8" };
  assert.deepEqual(changesOf(all, "zero"), {
    way: "zero",
    off: [1, 4],
    mlps_off: [0],
    cut: [
      [5, 9, 7],
      [2, 3, 0],
    ],
    patch: { heads: [3], tokens: [7, 8] },
  });
  assert.deepEqual(changesOf({ ...NOTHING, cut: "5-9-7" }, "mean"), { cut: [[5, 9, 7]] });
});

test("what is changed is named: heads by their codes, a cut by its query and its key", () => {
  /** @type {Changes} */
  const changes = { off: [4, 2], mlps_off: [1], cut: [[5, 9, 7]] };
  const gone = "without L1H1, L0H2, the MLP of layer 1, the look of L1H2 from 9 at 7";
  assert.equal(changeWords(changes, code), gone);
  const patch = { heads: [3], tokens: [0] };
  assert.equal(changeWords({ ...changes, patch }, code), gone + " and with L1H0 as on A");
  assert.equal(changeWords({ patch }, code), "with L1H0 as on A");
  assert.equal(changeWords({}, code), "");
});

test("an entry comes into a list in order, and leaves it", () => {
  assert.equal(toggled("", "3"), "3");
  assert.equal(toggled("3,11", "7"), "3,7,11");
  assert.equal(toggled("3,7,11", "7"), "3,11");
  assert.equal(toggled("4-8-3", "1-2-0"), "4-8-3,1-2-0");
  assert.equal(toggled("4-8-3", "4-8-3"), "");
});

test("a layer is on while one of its heads or its MLP is", () => {
  const on = (/** @type {number[]} */ off, has = false, mlps = []) => layerToggled(1, 3, has, off, mlps).on;
  assert.deepEqual([on([]), on([4]), on([3, 5]), on([3, 4, 5])], [true, true, true, false]);
  assert.deepEqual([on([3, 4, 5], true), on([3, 4, 5], true, [1])], [true, false]);
});

test("a layer is switched off with its MLP, and on again", () => {
  /** @type {(has: boolean, off: number[], mlps: number[], layer: number) => unknown} */
  const after = (has, off, mlps, layer) => {
    const found = layerToggled(layer, 3, has, off, mlps);
    return [found.off, found.mlps];
  };
  assert.deepEqual(after(true, [4], [], 1), [[3, 4, 5], [1]]); // a head was off already
  assert.deepEqual(after(true, [3, 4, 5], [1], 0), [
    [0, 1, 2, 3, 4, 5],
    [0, 1],
  ]);
  assert.deepEqual(after(true, [0, 3, 4, 5], [0, 1], 1), [[0], [0]]);
  assert.deepEqual(after(true, [3, 4, 5], [], 1), [[3, 4, 5], [1]]); // its MLP was on
  assert.deepEqual(after(false, [3, 4, 5], [], 1), [[], []]);
});

test("numbers on fresh sequences are those with the changes, and of the whole model", () => {
  const [whole, less] = [
    { accuracy: 0.98, loss: 0.12 },
    { accuracy: 0.31, loss: 2.45 },
  ];
  const said =
    "On 64 fresh sequences without L0H1: accuracy 0.31 instead of 0.98, " +
    "loss on all tokens 2.45 instead of 0.12.";
  assert.equal(freshWords(whole, less, "without L0H1", false), said);
  const apart = " What comes from A is not in these numbers.";
  assert.equal(freshWords(whole, less, "without L0H1", true), said + apart);
  const none = { accuracy: null, loss: 1.5 };
  assert.equal(
    freshWords(none, none, "without L0H1", false),
    "On 64 fresh sequences without L0H1: loss on all tokens 1.50 as before.",
  );
});

test("an address holds the forbidden looks, and what is none of the model's is left out", () => {
  const codes = Array.from({ length: 6 }, (_, head) => code(head));
  const cut = "4-8-3,0-2-2";
  assert.equal(cutAddress(cut, code), "L1H1-8-3,L0H0-2-2");
  assert.equal(cutsInAddress(cutAddress(cut, code), codes, 9), cut);
  const foreign = "L7H0-1-0,L0H0-0-1,L0H0-9-0,L0H0-x-0,L0H0-1,L0H0,,L0H1-1-1";
  assert.equal(cutsInAddress(foreign, codes, 9), "1-1-1");
});
