// The figures of lessons 12 and 13, with an engine whose answers are known.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Figure, known } from "../../../../tests/web/fake_document.mjs";
import { forming } from "./forming.js";
import { heads } from "./heads.js";
import { model, scale, STEPS } from "./model.js";

const TEXTS = ["p", "q", "r", "s", "t"];
const TOKENS = [0, 1, 2, 0, 1, 4]; // p q r p q t: the last that was there before is q, and r followed it

// Each weight says its step, its head, its query and its key.
/** @type {(step: number, head: number, query: number, key: number) => number} */
const weight = (step, head, query, key) =>
  (step === 0 ? 100 : 0) / 1000 + (50 * head + 6 * query + key) / 1000;

/** @param {number} step */
const patternsAt = (step) => ({
  /** @param {number} head */
  pattern: (head) => ({
    queries: 6,
    keys: 6,
    levels: 1,
    offset: 0,
    values: new Uint8Array(36),
    seen: () => [0, 0],
    kept: () => 0,
    /** @type {(query: number, key: number) => number} */
    weight: (query, key) => weight(step, head, query, key),
  }),
});

/** @type {object[]} */
const asked = [];
const engine = {
  /** @type {(count: number, changes?: { off: number[]; way: string }) => Promise<object>} */
  evaluate: async (count, changes) => {
    asked.push({ count, ...changes });
    return changes ? { accuracy: 0.25, loss: 3.5 } : { accuracy: 0.75, loss: 1.5 };
  },
  /** @type {(tokens: number[], changes?: object) => Promise<object>} */
  look: async (tokens, changes) => {
    asked.push({ tokens, ...changes });
    return { patterns: patternsAt(1) };
  },
};

known.set("lab-engine", {});
Object.assign(model, {
  made: { n_layers: 2, n_heads: 3, vocabulary: TEXTS },
  sequence: { tokens: TOKENS },
  training: { first: engine },
});
const settled = () => new Promise((resolve) => setTimeout(resolve, 10));

test("forming: the weight of the follower, by the head of the last layer that has more", () => {
  const figure = new Figure(forming);
  model.kept = [
    { step: 0, loss: null, accuracy: 0.125, patterns: /** @type {any} */ (patternsAt(0)) },
    { step: STEPS, loss: 1.375, accuracy: 0.875, patterns: /** @type {any} */ (patternsAt(STEPS)) },
  ];
  model.changed();
  // The last q stands at 4, its follower r at 2; L1H2 is head 5.
  assert.equal(
    figure.says(),
    `Step ${STEPS}: loss 1.38, accuracy 0.88 on tokens that can be known. From the last ‘q’, ` +
      `L1H2 gives the follower ‘r’ the weight ${weight(STEPS, 5, 4, 2).toFixed(2)}.`,
  );
  figure.write(figure.named("input", "step of training"), 0);
  assert.equal(
    figure.says(),
    "Step 0: accuracy 0.13 on tokens that can be known. From the last ‘q’, L1H2 gives the follower ‘r’ the " +
      `weight ${weight(0, 5, 4, 2).toFixed(2)}.`,
  );
  const row = figure.all("span").filter((cell) => cell.style["--weight"] !== undefined);
  assert.deepEqual(
    row.map((cell) => [cell.textContent, Number(cell.style["--weight"]), cell.className]),
    [0, 1, 2, 3, 4].map((key) => [
      TEXTS[TOKENS[key]],
      weight(0, 5, 4, key),
      key === 2 ? "follower" : key === 4 ? "query" : "",
    ]),
  );
});

test("weights have the colours that the book was given, evenly", () => {
  const [least, half, most] = [0, 50, 100].map((level) => scale().table(100)[level]);
  assert.deepEqual([least, half, most], [0xff000000, 0xff004080, 0xff0080ff]);
  assert.equal(scale().unseenPixel, 0xff030201);
});

test("heads: those that are off, what takes their place, and both evaluations", async () => {
  const figure = new Figure(heads);
  await settled();
  assert.equal(figure.says(), "With all heads: accuracy 0.75, loss 1.50, on 64 fresh sequences.");
  figure.press("L1H0");
  await settled();
  figure.press("L0H1");
  await settled();
  figure.press("another sequence's");
  await settled();
  asked.length = 0;
  figure.press("zero");
  await settled();
  assert.deepEqual(asked, [
    { tokens: TOKENS, off: [1, 3], way: "zero" },
    { count: 64 },
    { count: 64, off: [1, 3], way: "zero" },
  ]);
  assert.equal(
    figure.says(),
    "Without L0H1, L1H0: accuracy 0.25, loss 3.50. With all heads: accuracy 0.75, loss 1.50, " +
      "on 64 fresh sequences.",
  );
  const pressed = ["L0H0", "L0H1", "L0H2", "L1H0", "L1H1", "L1H2"].map((code) =>
    figure
      .all("button")
      .find((node) => node.textContent === code)
      .getAttribute("aria-pressed"),
  );
  assert.deepEqual(pressed, ["true", "false", "true", "false", "true", "true"]);
});

test("a training that is stopped goes on where the engine is", async () => {
  let taken = 0;
  const step = async () => {
    if (++taken === 14) model.stop();
    return { loss: taken };
  };
  Object.assign(model.training, { step });
  model.kept = [{ step: 0, loss: null, accuracy: 0, patterns: /** @type {any} */ (patternsAt(0)) }];
  await model.train();
  assert.deepEqual([taken, ...model.kept.map((kept) => kept.step)], [20, 0, 10, 20]);
  await model.train();
  assert.deepEqual([taken, model.kept.at(-1).step, model.kept.at(-1).loss], [STEPS, STEPS, STEPS]);
});
