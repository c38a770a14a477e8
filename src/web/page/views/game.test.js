import assert from "node:assert/strict";
import { test } from "node:test";

import { gameOf } from "./game.js";

/** @param {object} story @param {object} more */
function game(story, more = {}, labels = false) {
  const tokens = [3, 5, 8, 3, 5, 8];
  const targets = [5, 8, 3, 5, 8, -1];
  const sequence = {
    tokens,
    targets,
    predictable: [0, 0, 0, 1, 1, 0],
    guesses: tokens.map(() => [[0, 1]]),
    ...more,
  };
  const run = { story: { sequence: 0, headline: "It copies.", ...story }, sequences: [sequence], labels };
  return gameOf(/** @type {Run} */ (/** @type {unknown} */ (run)));
}

test("the reader guesses after the story's query", () => {
  assert.deepEqual(game({ query: 3 }), { query: 3, answer: 5, choices: [3, 5, 8] });
});

test("without a query at a predictable token", () => {
  assert.equal(game({}).query, 4);
  assert.equal(game({}, { predictable: [] }), null);
});

test("there is no game where no next token can be guessed", () => {
  assert.equal(game({ headline: "" }), null);
  assert.equal(game({ sequence: 1 }), null);
  assert.equal(game({ query: 3 }, {}, true), null); // labels
  assert.equal(game({ query: 3 }, { source: [1] }), null);
  assert.equal(game({ query: 5 }), null);
  assert.equal(game({ query: 3 }, { guesses: [] }), null);
});
