// Sentences with two numbers of a kind, on examples whose numbers all differ.
import assert from "node:assert/strict";
import { test } from "node:test";

import { helperNote } from "../reasons/evidence.js";
import { WhyHere } from "../reasons/why_here.js";
import { enoughWords, standingWords } from "./certificate.js";
import { PredictionsPart } from "./predictions.js";

/** @type {Record<string, { textContent?: string }>} */
const places = {};
/** @type {any} */ (globalThis).document = {
  getElementById: (/** @type {string} */ id) =>
    (places[id] ??= /** @type {any} */ ({
      replaceChildren(/** @type {string[]} */ ...texts) {
        this.textContent = texts.join("");
      },
    })),
  createElement: () => ({
    append(/** @type {string[]} */ ...texts) {
      this.textContent = texts.join("");
    },
    setAttribute() {},
  }),
};

/** @type {any} */
const run = {
  n_heads: 3,
  evidence: {},
  predictable: "copied",
  tokenText: (/** @type {number} */ token) => "abcdefgh"[token],
  headCode: (/** @type {number} */ head) => `L${Math.floor(head / 3)}H${head % 3}`,
};

test("right guesses are counted among copied tokens and among the others", () => {
  const targets = [1, 2, 3, 1, 2, 3, 1, 2, -1];
  const guessed = [1, 2, 0, 1, 0, 3, 1, 0, 5];
  /** @type {(predictable: boolean[]) => string} */
  const counted = (predictable) => {
    const sequence = {
      tokens: targets,
      targets,
      predictable,
      guesses: guessed.map((token) => [[token, 0.5]]),
    };
    PredictionsPart.prototype.count.call(
      /** @type {any} */ ({ app: { run } }),
      /** @type {any} */ (sequence),
    );
    return places["predictions-count"].textContent;
  };
  const copied = [0, 0, 0, 1, 1, 1, 1, 0, 1].map(Boolean);
  assert.equal(counted(copied), "On copied tokens: 3 of 4 right. On the others: 2 of 4 right.");
  assert.equal(counted([]), "Right: 5 of 8.");
  assert.equal(counted(copied.map(() => false)), "Right: 5 of 8."); // a task without such tokens
  const most = [1, 0, 0, 1, 1, 1, 1, 0, 1].map(Boolean);
  assert.equal(counted(most), "On copied tokens: 4 of 5 right. On the others: 1 of 3 right.");
});

test("the saved numbers of a sequence are those shown: without the heads that are off", () => {
  const sequence = { tokens: [4, 5], targets: [6, -1], guesses: [[[6, 0.75]], [[7, 0.5]]] };
  const off = { ...sequence, guesses: [[[3, 0.25]], [[6, 0.125]]] };
  const selection = { sequence: () => sequence };
  /** @type {(applied: object) => unknown} */
  const rows = (applied) =>
    PredictionsPart.prototype.numbers.call(
      /** @type {any} */ ({ app: { run, selection, without: { applied: () => applied } } }),
    );
  const head = ["position", "token", "target", "guess", "probability"];
  assert.deepEqual(rows(sequence), [head, [0, "e", "g", "g", 0.75], [1, "f", "", "h", 0.5]]);
  assert.deepEqual(rows(off), [head, [0, "e", "g", "d", 0.25], [1, "f", "", "g", 0.125]]);
});

test("a helper's note has the accuracy without it and with it", () => {
  const sequences = [
    { of: [0.9, 0.4], tokens: 10 },
    { of: [0.7, 0.2], tokens: 30 },
    { of: [null, 0.2], tokens: 5 },
  ];
  const app = {
    run: { ...run, sequences, evidence: {} }, // so without a mark
    without: {
      has: () => true,
      accuracy: (/** @type {typeof sequences[0]} */ { of }, /** @type {number[]} */ heads) =>
        of[heads.length],
      counted: (/** @type {typeof sequences[0]} */ { tokens }) => Array(tokens),
    },
  };
  assert.equal(
    helperNote(/** @type {any} */ (app), 4).textContent,
    "When the helper L1H1 is switched off, the accuracy on predictable tokens is 0.25 instead of 0.75, " +
      "on 2 sequences of this page. ", // (10·0.4 + 30·0.2) / 40 and (10·0.9 + 30·0.7) / 40
  );
});

test("a set of all heads is none that the model needs", () => {
  assert.match(enoughWords(3, 4), /^The model solves the task with these heads alone\./);
  assert.match(enoughWords(4, 4), /: these are all heads of the model\.$/);
});

test("a certificate counts its claims by how they stand", () => {
  const claims = ["matching", "copying", "order"].map((key) => ({ key, standing: "holds" }));
  assert.equal(standingWords(claims), "3 of 3 claims hold.");
  claims[1].standing = "fails";
  claims[2].standing = "not asked";
  assert.equal(standingWords(claims), "1 of 3 claims hold; failed: copying; not asked: order.");
});

test("attention logits of cross-attention are missing, whoever predicts", () => {
  const stacks = [{ of: "" }, { of: " of cross-attention" }];
  const here = { app: { without: {}, selection: { head: 5 } } };
  const asked = { circuits: { no_terms: "" }, stacks, stack: () => 1 };
  assert.equal(
    WhyHere.prototype.missing.call(here, asked, {}),
    "This page has no parts of attention logits of cross-attention.",
  );
});
