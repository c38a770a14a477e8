import assert from "node:assert/strict";
import { test } from "node:test";

import { differences, refusal } from "./form.js";
import { numberWords } from "./play.js";
import { sentence } from "../kit/text.js";

test("numbers on fresh sequences are those of what is switched off, and else of the whole model", () => {
  const [whole, less] = [
    { accuracy: 0.98, loss: 0.12 },
    { accuracy: 0.31, loss: 2.45 },
  ].map((one) => /** @type {Evaluation} */ (/** @type {unknown} */ (one)));
  const none = /** @type {Evaluation} */ (/** @type {unknown} */ ({ accuracy: null, loss: 1.5 }));
  const end = ", on 64 fresh sequences.";
  const apart = " What comes from A is not in these numbers.";
  assert.equal(numberWords(whole, null, "", false), "The whole model: accuracy 0.98, loss 0.12" + end);
  assert.equal(numberWords(whole, null, "", true), "The whole model: accuracy 0.98, loss 0.12" + end + apart);
  assert.equal(numberWords(none, null, "", false), "The whole model: accuracy not defined, loss 1.50" + end);
  const both = "Without L0H1: accuracy 0.31 instead of 0.98, loss 2.45 instead of 0.12" + end;
  assert.equal(numberWords(whole, less, "L0H1", false), both);
  assert.equal(numberWords(whole, less, "L0H1", true), both + apart);
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
