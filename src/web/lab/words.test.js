import assert from "node:assert/strict";
import { test } from "node:test";

import { differences, refusal } from "./form.js";
import { History } from "./history.js";
import { Rival } from "./rival.js";
import { sentence } from "../kit/text.js";

test("a step counts from the kept step that training went on from", async () => {
  let words = "";
  /** @type {any} */
  const anything = new Proxy(() => {}, {
    get: () => anything,
    apply: () => anything,
    set: (_, name, value) => {
      if (name === "textContent" && String(value).startsWith("Step")) words = value;
      return true;
    },
  });
  /** @type {any} */ (globalThis).document = anything;
  /** @type {any} */ (globalThis).window ??= anything;
  const { Course } = await import("./course.js"); // which looks for the page at once
  const first = {
    evaluate: async (/** @type {number} */ sequences) => ({ accuracy: sequences / 64, loss: 1.5 }),
    weights: async () => Uint8Array.of(43),
  };
  const training = { first, last: first, step: async () => ({ step: 3, loss: 0.875 }) };
  /** @type {any} */
  const part = {
    training,
    rival: { step: async () => {}, picture: async () => {}, history: new History() },
    watch: { update: async () => {}, tokens: [] },
    remember: () => {},
    app: { store: { state: { trained: 0 }, change: () => {} } },
  };
  const course = new Course(part);
  for (const step of [0, 20, 40, 60]) {
    const weights = Uint8Array.of(step);
    course.history.keep({ step, seconds: step, loss: step / 10, accuracy: step / 100, weights });
  }
  course.last = { step: 60, loss: 6 };
  course.history.goBack(2);
  assert.equal(await course.one(/** @type {any} */ (training)), true);
  await course.picture(/** @type {any} */ (training));
  assert.equal(words, "Step 43: loss 0.88, accuracy 0.25 on 16 fresh sequences.");
  assert.deepEqual(
    course.history.kept.map(({ step, weights }) => [step, weights[0]]),
    [0, 20, 40, 43].map((step) => [step, step]),
  );
  assert.deepEqual(
    course.history.curve.map(({ step, loss, accuracy }) => [step, loss, accuracy]),
    [
      [20, 2, 0.2],
      [40, 4, 0.4],
      [43, 0.875, 0.25],
    ],
  );
});

test("wherever the engine ends, the training rests and says so", async () => {
  const { Course } = await import("./course.js");
  const fails = () => Promise.reject(new Error("the engine ended"));
  for (const act of ["step", "evaluate", "weights"]) {
    const works = {
      step: async () => ({ step: 1, loss: 1 }),
      evaluate: async () => ({ accuracy: 1, loss: 1 }),
      weights: async () => Uint8Array.of(1),
    };
    const { step, ...first } = { ...works, [act]: fails };
    /** @type {any} */
    const part = {
      training: { first, last: first, step, setWeights: fails },
      rival: { step: async () => {}, picture: async () => {}, history: new History() },
      renewal: { stop: () => {}, say: () => {} },
      reason: sentence,
      watch: { update: async () => {}, tokens: [] },
      remember: () => {},
      renew: () => {},
      app: {
        original: { lab: { config: { train: { steps: 1 } } } },
        store: { state: { trained: 0 }, change: () => {} },
      },
    };
    const course = new Course(part);
    course.buttons = () => {};
    course.history = History.of(Uint8Array.of(0));
    course.begin();
    await course.trained; // which another model waits for
    assert.equal(course.running, false);
    assert.equal(course.said, "No further step: the engine ended.");
    await course.step();
    await course.rewind(0);
    assert.equal(course.said, "No way back: the engine ended.");
  }
});

test("the second model of a race has its own step, loss and accuracy", async () => {
  const said = {};
  /** @type {any} */ (globalThis).document = { getElementById: () => said };
  const history = History.of(Uint8Array.of(0));
  const given = { training: { first: {} }, history, canvases: [], last: { step: 30, loss: 2.75 } };
  const rival = Object.assign(Object.create(Rival.prototype), given);
  rival.training.first.weights = async () => Uint8Array.of(30);
  rival.training.first.evaluate = async (sequences) => ({ accuracy: sequences / 40, loss: 1.5 });
  rival.training.first.look = async () => ({ patterns: {} });
  await rival.picture([0, 1], 7);
  assert.equal(said.textContent, "Step 30: loss 2.75, accuracy 0.40.");
  assert.deepEqual(history.curve, [{ step: 30, loss: 2.75, accuracy: 0.4 }]);
  assert.deepEqual(history.kept.at(-1).weights[0], 30);
});

test("a race names what differs between its two models, whatever the run of the page is", () => {
  const fields = [
    { part: "model", key: "n_layers" },
    { part: "train", key: "learning_rate" },
    { part: "train", key: "seed" },
  ];
  const config = (n_layers, learning_rate, seed) => ({
    model: { n_layers, d_head: n_layers },
    train: { learning_rate, seed },
  });
  const of = (one, other) => differences(fields, config(...one), config(...other));
  assert.equal(of([1, 0.02, 3], [2, 0.02, 3]), "n_layers 1 instead of 2");
  assert.equal(of([1, 0.02, 3], [2, 0.02, 4]), "n_layers 1 instead of 2, seed 3 instead of 4");
  assert.equal(of([2, 0.01, 5], [2, 0.02, 5]), "learning_rate 0.01 instead of 0.02");
  assert.equal(of([2, 0.01, 5], [2, 0.01, 5]), "the same settings as the first");
});

test("an error is a sentence", () => {
  const errors = {
    "a number of at least 0 is expected": ".",
    "it is too large. Hint: less!": "",
    "why?": "",
  };
  for (const [message, end] of Object.entries(errors))
    assert.equal(sentence(new Error(message)), message + end);
});

test("hints of the terminal are no hints in the lab", () => {
  const config = {
    task: { n_ctx: 64, min_segment: 0 },
    model: { n_heads: 4, n_kv_heads: 0 },
    train: { shards: 8 },
  };
  const fields = [{ key: "n_ctx" }, { key: "n_heads" }];
  const rows = {
    "It is wrong. Hint: n_heads = 8.": "It is wrong. Hint: n_heads = 8.",
    "It is wrong. Hint: a smaller rate, or patience; --anomaly names the op.":
      "It is wrong. Hint: a smaller rate, or patience.",
    "It is wrong. Hint: train.shards = 4 divides it.": "It is wrong.",
    "It is wrong. Hint: min_segment = 4; a longer n_ctx": "It is wrong. Hint: a longer n_ctx.",
    "it is wrong": "it is wrong.",
  };
  for (const [given, said] of Object.entries(rows))
    assert.equal(refusal(new Error(given), config, fields), said);
});
