import assert from "node:assert/strict";
import { test } from "node:test";

import { lossWords, otherGuess } from "./without.js";
import { LiveWithout } from "./without_live.js";
import { StoredWithout } from "./without_stored.js";

const bytes = (values) => btoa(String.fromCharCode(...values));

/** @param {object} more */
function run(more) {
  const sequence = { tokens: [0, 1, 2], targets: [1, 2, -1], predictable: [0, 1, 0], guesses: [[[1, 0.5]]] };
  const whole = { vocabulary: ["a", "b", "c"], sequences: [sequence], heads: 2, ...more };
  return /** @type {Run} */ (/** @type {unknown} */ (whole));
}

test("sets of heads stand where the file has them", () => {
  const index = (most, heads) => new StoredWithout(run({ without: { most }, heads: 32 })).indexOf(heads);
  const sets = [[], ...Array.from({ length: 32 }, (_, i) => [i])];
  for (let i = 0; i < 32; ++i) for (let j = i + 1; j < 32; ++j) sets.push([i, j]);
  assert.deepEqual(
    sets.map((heads) => index(2, heads)),
    sets.map((_, at) => at),
  );
  assert.equal(index(2, [1, 2, 3]), null);
  assert.equal(index(1, [1, 2]), null);
  const all = new StoredWithout(run({ without: { most: 3 }, heads: 3 }));
  assert.deepEqual([all.indexOf([]), all.indexOf([0, 2]), all.indexOf([0, 1, 2])], [0, 5, 7]);
});

test("a set's predictions are its part of the numbers", () => {
  // Of the sets {}, {0}, {1}; three positions each.
  const packed = {
    tokens: bytes([1, 2, 0, 1, 1, 0, 2, 2, 2]),
    likeliest: bytes([255, 255, 51, 204, 102, 51, 153, 255, 51]),
    targets: bytes([255, 255, 0, 204, 51, 0, 102, 255, 0]),
    losses: [0, 0.5, 0.7],
  };
  const ways = [["mean", ""]];
  const of = run({ without: { most: 1, ways, sequences: [[packed]] } });
  const stored = new StoredWithout(of);
  const [sequence] = of.sequences;
  assert.deepEqual(stored.result(sequence, { off: [0], way: "mean" }), {
    guesses: [
      [[1, 0.8]],
      [
        [1, 0.4],
        [2, 0.2],
      ],
      [[0, 0.2]],
    ],
    loss: 0.5,
    patterns: null,
  });
  assert.equal(stored.result(sequence, { off: [1], way: "mean" }).guesses[0][1][0], 1);
  assert.deepEqual(
    [stored.result({ ...sequence }, { off: [0] }), stored.result(sequence, { off: [0, 1] })],
    [null, null],
  );
  assert.match(stored.why([0, 1]), /numbers for one head switched off/);
  assert.match(stored.why([0]), /only the first sequence has\./);
});

test("the engine's predictions without heads, the likeliest first", async () => {
  /** @type {unknown[]} */
  const asked = [];
  const engine = {
    look: async (...words) => {
      asked.push(words);
      return {
        patterns: "patterns",
        probabilities: [
          [0.2, 0.3, 0.5],
          [0.1, 0.1, 0.8],
          [0.6, 0.2, 0.2],
        ].map((row) => Float32Array.from(row)),
      };
    },
  };
  const of = run({});
  const live = new LiveWithout(of, /** @type {any} */ ({ engine }));
  const result = await live.look(of.sequences[0], { off: [1], way: "zero", cut: [[1, 2, 0]] });
  assert.deepEqual(asked, [[[0, 1, 2], { off: [1], way: "zero", cut: [[1, 2, 0]] }]]);
  assert.deepEqual(
    result.guesses.map(([[token]]) => token),
    [2, 2, 0],
  );
  assert.ok(Math.abs(result.loss + Math.log(0.8)) < 1e-6); // on the token that is predictable
  assert.equal(lossWords(result), "0.22");
  engine.look = async () => ({
    patterns: "patterns",
    probabilities: [
      [0.5, 0.5, 0],
      [1, 0, 0],
      [1, 0, 0],
    ],
  });
  assert.equal(lossWords(await live.look(of.sequences[0], {})), "more than 103.28");
});

test("another guess stands beside the old one, and beside that on A", () => {
  /** @type {(first: number, last: number, probability: number) => WithoutResult} */
  const result = (first, last, probability) => ({
    guesses: [[[first, 0.8]], [[last, probability]]],
    loss: 1,
    patterns: null,
  });
  const own = /** @type {View} */ ({ tokens: [0, 1], targets: [1, -1] });
  const words = (...results) => otherGuess(own, [0], results, (token) => "abc"[token]);
  const [whole, changed, onA] = [result(0, 0, 0.9), result(0, 1, 0.5), result(2, 2, 0.7)];
  assert.equal(words(whole, result(1, 0, 0.5), null), ""); // it is in the accuracy
  assert.equal(
    words(whole, changed, null),
    " After its last token ‘b’ (0.50) is guessed instead of ‘a’ (0.90).",
  );
  assert.equal(
    words(whole, changed, onA),
    " After its last token ‘b’ (0.50) is guessed instead of ‘a’ (0.90); on A it is ‘c’ (0.70).",
  );
  assert.equal(
    words(whole, result(1, 0, 0.5), onA),
    " After ‘a’ at 0, ‘b’ (0.80) is guessed instead of ‘a’ (0.80); on A it is ‘c’ (0.80).",
  );
  own.targets[0] = -1; // filled up
  assert.equal(words(whole, changed, null), "");
});
