import assert from "node:assert/strict";
import { test } from "node:test";

import { Line } from "./frames.js";
import { headsInWords, nearestHeads } from "./growing.js";

// Two layers of three heads on "abcab": who looks where, [head, query, key] to weight.
const line = new Line([0, 1, 2, 0, 1], [false, false, false, true, false], 3);
const before = (/** @type {number} */ query) => [query, query - 1];
/** @type {(looks: Map<string, number>) => (head: number, query: number, key: number) => number} */
const weights = (looks) => (head, query, key) => looks.get([head, query, key].join()) ?? 0;
const looks = new Map([
  ...[1, 2, 3, 4].map((query) => /** @type {[string, number]} */ ([[1, ...before(query)].join(), 0.5])),
  ...[1, 2, 3, 4].map((query) => /** @type {[string, number]} */ ([[4, ...before(query)].join(), 0.9])),
  ["0,3,1", 0.8], // after the earlier "a", but in the first layer
  ["5,3,1", 0.4],
  ["3,3,2", 0.7],
]);
const code = (/** @type {number} */ head) => `L${Math.floor(head / 3)}H${head % 3}`;

test("the heads nearest to a circuit: who looks at the token before, then who looks at followers", () => {
  const heads = nearestHeads(line, weights(looks), 2, 3);
  assert.deepEqual(heads, { writer: { head: 1, score: 0.5 }, finder: { head: 5, score: 0.4 } });
  assert.equal(
    headsInWords(heads, code),
    "L0H1 looks most at the letter before here: it gives it 0.50 of its look. " +
      "L1H2 looks most at what came after the letter’s first time here: it gives it 0.40 of its look.",
  );
});

test("of one layer all heads are asked, and a faint look is not spoken of", () => {
  const one = nearestHeads(line, weights(looks), 1, 3);
  assert.deepEqual(one, { writer: { head: 1, score: 0.5 }, finder: { head: 0, score: 0.8 } });
  const none = nearestHeads(line, weights(new Map([["1,1,0", 0.9]])), 2, 3);
  assert.equal(none.writer.score, 0.225);
  assert.equal(headsInWords(none, code), "No head looks at one kind of place yet.");
  assert.match(
    headsInWords({ ...none, finder: { head: 3, score: 0.3 } }, code),
    /^L1H0 looks most at what came/,
  );
});
