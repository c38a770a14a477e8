import assert from "node:assert/strict";
import { test } from "node:test";

import {
  OwnSequence,
  askedOf,
  known,
  readTokens,
  repeatWords,
  repeated,
  textOf,
  tokensInAddress,
} from "./typing.js";

const LETTERS = Array.from("abcdefgh");
const WORDS = ["k1", "v1", "|"];

test("a text is read as letters, or as words between spaces", () => {
  assert.deepEqual(readTokens("abca", LETTERS, 8), { tokens: [0, 1, 2, 0], refused: "" });
  assert.deepEqual(readTokens(" k1 v1  | k1", WORDS, 8), { tokens: [0, 1, 2, 0], refused: "" });
  assert.equal(textOf([0, 1, 2, 0], LETTERS), "abca");
  assert.equal(textOf([0, 1, 2, 0], WORDS), "k1 v1 | k1");
});

test("a text that is no sequence is refused, with the reason", () => {
  /** @type {(text: string, vocabulary?: string[]) => string} */
  const refused = (text, vocabulary = LETTERS) => readTokens(text, vocabulary, 4).refused;
  assert.equal(refused("abé"), "The model has no token ‘é’, only a-h. The pictures stay as they were.");
  assert.match(refused("a b"), /no token ‘␣’/);
  assert.match(refused("k1 x", WORDS), /no token ‘x’, only k1 v1 \|\./);
  assert.equal(known(Array.from("ABCabcxz019+/")), "A-C a-c x z 0 1 9 + /");
  assert.equal(refused("abcda"), "The model reads 4 tokens at most.");
  assert.equal(refused(""), "Type a token.");
  assert.equal(refused("  ", WORDS), "Type a token.");
  assert.equal(refused("abcd"), "");
});

test("what was typed is repeated as far as the model reads", () => {
  assert.deepEqual(repeated([1, 2, 3], 8), [1, 2, 3, 1, 2, 3]);
  assert.deepEqual(repeated([1, 2, 3, 4, 5], 8), [1, 2, 3, 4, 1, 2, 3, 4]);
  assert.deepEqual(repeated([1], 1), [1]);
  assert.equal(repeatWords([1, 2, 3, 4], 8), "Repeat what I typed");
  assert.equal(repeatWords([1, 2, 3, 4, 5], 8), "Repeat the first 4");
});

test("of a typed sequence the next tokens are asked, and known after a token's second time", () => {
  assert.deepEqual(askedOf([5, 6, 7, 5, 6]), {
    tokens: [5, 6, 7, 5, 6],
    targets: [6, 7, 5, 6, -1],
    predictable: [0, 0, 0, 1, 0],
  });
  // What follows the last earlier copy counts, not the first.
  assert.deepEqual(askedOf([5, 6, 5, 7, 5, 6, 5, 6]).predictable, [0, 0, 0, 0, 0, 1, 1, 0]);
});

test("an address holds tokens of the model", () => {
  assert.deepEqual(tokensInAddress("0,7,0", LETTERS, 3), [0, 7, 0]);
  for (const foreign of [null, "", "x", "0,", "8", "-1", "1.5", "0,1,2,3"])
    assert.equal(tokensInAddress(foreign, LETTERS, 3), null, String(foreign));
});

test("a sequence is shown when the engine knows all of it, and the newest only", () => {
  /** @type {Map<string, object>} */
  const known = new Map();
  const state = { sequence: 0, tokens: "", query: 3, key: 1, engine: 0 };
  let follow = () => {};
  const run = { sequences: [{ tokens: [0] }], own: null, sequenceAt: () => run.sequences[0] };
  const app = {
    run,
    store: {
      state,
      subscribe: (/** @type {string[]} */ _, /** @type {() => void} */ draw) => (follow = draw),
      change: (/** @type {object} */ changes) => Object.assign(state, changes),
    },
    without: {
      source: { result: (/** @type {Asked} */ { tokens }) => known.get(tokens.join()) },
      resultOf: (/** @type {Asked} */ { tokens }) => known.get("changed " + tokens.join()),
    },
  };
  const own = new OwnSequence(/** @type {any} */ (app));
  own.put([1, 2, 1, 2]);
  own.put([1, 2, 1]);
  assert.deepEqual(own.tokens, [1, 2, 1]);
  known.set("1,2,1,2", { guesses: "old" });
  follow();
  known.set("1,2,1", { guesses: "new" });
  follow();
  assert.equal(run.own, null); // what is switched off is still being computed
  known.set("changed 1,2,1", {});
  follow();
  assert.equal(run.own.guesses, "new");
  assert.deepEqual([state.sequence, state.tokens, state.query, state.key], [1, "1,2,1", null, null]);
});
