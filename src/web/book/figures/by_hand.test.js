// The figures of lesson 14, beside the whole model of the lesson: two heads over the subspaces token, before,
// output and position.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Figure } from "../../../../tests/web/fake_document.mjs";
import { sharpness } from "./sharpness.js";
import { weights } from "./weights.js";

const TOKENS = Array.from("bdacbdac");
const LETTERS = Array.from("abcd");
/** @typedef {number[][]} Matrix */

const identity = () => LETTERS.map((_, i) => LETTERS.map((_, j) => (i === j ? 1 : 0)));
/** @param {string} letter */
const oneHot = (letter) => LETTERS.map((other) => (other === letter ? 1 : 0));
/** @type {(v: number[], m: Matrix) => number[]} */
const times = (v, m) => m[0].map((_, j) => v.reduce((sum, x, i) => sum + x * m[i][j], 0));
/** @type {(a: number[], b: number[]) => number} */
const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);
/** @param {number[]} scores */
function softmax(scores) {
  const most = Math.max(...scores); // a score of 40 has no e^x in the range of the others otherwise
  const powers = scores.map((score) => Math.E ** (score - most));
  return powers.map((power) => power / powers.reduce((sum, one) => sum + one));
}
/** @type {(pattern: number[], rows: Matrix) => number[]} */
const mixed = (pattern, rows) =>
  rows[0].map((_, c) => pattern.reduce((sum, w, key) => sum + w * rows[key][c], 0));

/**
 * @type {(S: number, hides: boolean, m?: Record<string, Matrix>) =>
 *   (query: number) => Record<string, number[]>}
 */
function model(
  S,
  hides,
  m = { Q: identity().map((row) => row.map((x) => S * x)), K: identity(), V: identity(), O: identity() },
) {
  const token = TOKENS.map(oneHot);
  const back = TOKENS.map((_, i) => softmax(token.slice(0, i + 1).map((_, j) => (j === i - 1 ? S : 0))));
  const before = back.map((pattern) => mixed(pattern, token.slice(0, pattern.length)));
  return (query) => {
    const scores = before
      .slice(0, query + 1)
      .map((key, j) => dot(times(token[query], m.Q), times(key, m.K)) - (hides && j === 0 ? 2 * S : 0));
    const pattern = softmax(scores);
    const z = mixed(
      pattern,
      token.slice(0, query + 1).map((row) => times(row, m.V)),
    );
    return { back: back[query], scores, pattern, chances: softmax(times(z, m.O).map((x) => 20 * x)) };
  };
}

/** @type {(found: number[], expected: number[], what: string) => void} */
function close(found, expected, what) {
  assert.equal(found.length, expected.length, what);
  found.forEach((x, i) =>
    assert.ok(Math.abs(x - expected[i]) <= 0.005 + 1e-9, `${what}, ${i}: ${x}, not ${expected[i]}`),
  );
}

// Where the letter stands that followed the same letter before.
/** @param {number} query */
const placeOfFollower = (query) => TOKENS.slice(0, query).lastIndexOf(TOKENS[query]) + 1;
/** @param {number} query */
const follower = (query) => TOKENS[placeOfFollower(query)];

/** @param {number[]} chances */
function best(chances) {
  const most = Math.max(...chances);
  return LETTERS.filter((_, i) => most - chances[i] < 0.005);
}

test("sharpness: both heads, and what the model predicts", () => {
  const figure = new Figure(sharpness);
  const sharp = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 40];
  let ties = 0;
  for (const hides of [true, false]) {
    figure.press(hides ? "position 0 hidden" : "position 0 not hidden");
    for (const place of [0, 1, 4, 10])
      for (const query of [4, 5, 7]) {
        assert.equal(figure.slide("S", place), String(sharp[place]));
        figure.press(`query ${query}, ${TOKENS[query]}`);
        const { back, pattern, chances } = model(sharp[place], hides)(query);
        const what = `S = ${sharp[place]}, query ${query}`;
        close(figure.bars("L0"), back, what);
        close(figure.bars("L1"), pattern, what);
        const right = follower(query);
        const at = placeOfFollower(query);
        const words = best(chances);
        ties += words.length > 1 ? 1 : 0;
        const most = Math.max(...chances).toFixed(2);
        assert.equal(
          figure.says(),
          `${what}, ${TOKENS[query]}. The token before has the weight ` +
            `${back[query - 1].toFixed(2)}. The follower ${right} has ${pattern[at].toFixed(2)}, ` +
            `and position 0 has ${pattern[0].toFixed(2)}. The model ` +
            `predicts ${words.join(" and ")} with probability ${most}${words.length > 1 ? " each" : ""}` +
            (words.join() === right ? ", and that is right." : `, but ${right} is right.`),
        );
      }
  }
  assert.ok(ties > 0);
});

test("weights: the model with four matrices of the reader's own", () => {
  const figure = new Figure(weights);
  /** @type {Record<string, Matrix>} */
  const m = {
    Q: identity().map((row) => row.map((x) => 40 * x)),
    K: identity(),
    V: identity(),
    O: identity(),
  };
  const names = { Q: "W_Q/√12", K: "W_K", V: "W_V", O: "W_O" };
  const check = () => {
    const whole = model(40, true, m);
    const right = [4, 5, 6, 7].filter(
      (query) => best(whole(query).chances).join() === follower(query),
    ).length;
    for (const query of [4, 5, 6, 7]) {
      figure.press(`query ${query}, ${TOKENS[query]}`);
      const { pattern, chances } = whole(query);
      close(figure.bars("the weights of query"), pattern, `query ${query}`);
      close(figure.bars("the probabilities"), chances, `query ${query}`);
      const said = best(chances);
      assert.equal(
        figure.says(),
        `At query ${query} the model says ${said.length === 1 ? said[0] : "nothing clearly"}; ` +
          `${follower(query)} is ` +
          `right. Of the four queries it is right at ${right}.`,
      );
    }
  };
  check();
  // Every entry differs, so that a matrix that is transposed or exchanged shows.
  let value = 0;
  for (const [key, name] of Object.entries(names))
    LETTERS.forEach((row, i) =>
      LETTERS.forEach((column, j) => {
        value = (value * 37 + 11) % 101;
        m[key][i][j] = (value - 50) / 40;
        figure.write(figure.named("input", `${name}, row ${row}, column ${column}`), m[key][i][j]);
      }),
    );
  check();
  // Two outputs with the same probability: nothing is said clearly.
  LETTERS.forEach((row, i) => {
    m.O[i][1] = m.O[i][0];
    figure.write(figure.named("input", `W_O, row ${row}, column b`), m.O[i][0]);
    for (const [j, column] of [
      [2, "c"],
      [3, "d"],
    ]) {
      m.O[i][j] = 0;
      figure.write(figure.named("input", `W_O, row ${row}, column ${column}`), 0);
    }
  });
  check();
});
