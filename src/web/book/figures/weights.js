// Lesson 14: the four matrices of the induction head, number by number.

import { element } from "../../kit/text.js";
import { dot, softmax } from "../../kit/numbers.js";
import { frame, button, choice, titled, barChart } from "./live.js";

const TOKENS = Array.from("bdacbdac");
const VOCABULARY = Array.from("abcd");
const S = 40;
const LOGIT = 20; // W_U's factor
const QUERIES = [4, 5, 6, 7]; // whose token was there before

const index = TOKENS.map((token) => VOCABULARY.indexOf(token));
const before = index.map((_, key) => index[Math.max(0, key - 1)]); // as layer 0 wrote it
/** @param {number} factor */
const diagonal = (factor) =>
  VOCABULARY.map((_, row) => VOCABULARY.map((_, column) => (row === column ? factor : 0)));
const asSet = () => ({ Q: diagonal(S), K: diagonal(1), V: diagonal(1), O: diagonal(1) });

/** @type {(matrix: number[][], c: number) => number[]} */
const column = (matrix, c) => matrix.map((row) => row[c]);

/**
 * Of one query: the scores of its keys, their weights, and the probabilities of the next token.
 *
 * @param {ReturnType<typeof asSet>} weights
 * @param {number} query
 */
function attended(weights, query) {
  const scores = Array.from(
    { length: query + 1 },
    (_, key) => dot(weights.Q[index[query]], weights.K[before[key]]) - (key === 0 ? 2 * S : 0),
  );
  const pattern = softmax(scores);
  const z = VOCABULARY.map((_, c) => pattern.reduce((sum, w, key) => sum + w * weights.V[index[key]][c], 0));
  return {
    scores,
    pattern,
    chances: softmax(VOCABULARY.map((_, c) => LOGIT * dot(z, column(weights.O, c)))),
  };
}

/**
 * The token with the largest probability; empty where two share it.
 *
 * @param {number[]} chances
 */
function said(chances) {
  const most = Math.max(...chances);
  const best = VOCABULARY.filter((_, token) => chances[token] > most - 0.005);
  return best.length === 1 ? best[0] : "";
}
/** @param {number} query */
const follower = (query) => TOKENS[TOKENS.indexOf(TOKENS[query]) + 1];

/** @param {string} text */
const numberIn = (text) => (text.trim() === "" ? NaN : Number(text.trim().replace("−", "-")));
/** @param {number} value */
const shown = (value) => String(Number(value.toFixed(2))).replace("-", "−");

/**
 * A matrix whose numbers can be written over.
 *
 * @param {string} name
 * @param {string} rows
 * @param {string} columns
 * @param {number[][]} matrix
 * @param {() => void} change
 */
function editor(name, rows, columns, matrix, change) {
  /** @type {(row: number, c: number) => HTMLElement} */
  const cell = (row, c) => {
    const input = element("input", {
      inputmode: "decimal",
      value: shown(matrix[row][c]),
      "aria-label": `${name}, row ${VOCABULARY[row]}, column ${VOCABULARY[c]}`,
    });
    const mark = () => input.classList.toggle("zero", matrix[row][c] === 0);
    input.addEventListener("input", () => {
      const value = numberIn(input.value);
      input.setAttribute("aria-invalid", String(!Number.isFinite(value)));
      if (!Number.isFinite(value)) return;
      matrix[row][c] = value;
      mark();
      change();
    });
    input.addEventListener("focus", () => input.select());
    mark();
    return element("td", {}, input);
  };
  const head = element("tr", {}, element("th"), ...VOCABULARY.map((token) => element("th", {}, token)));
  const body = VOCABULARY.map((token, row) =>
    element("tr", {}, element("th", {}, token), ...VOCABULARY.map((_, c) => cell(row, c))),
  );
  return titled(`${name}: ${rows} → ${columns}`, element("table", { class: "matrix" }, head, ...body));
}

/** @param {HTMLElement} root */
export function weights(root) {
  let weights = asSet();
  let query = 4;
  const matrices = element("div", { class: "side" });
  const charts = element("div", { class: "side" });
  const lay = () => {
    matrices.replaceChildren(
      editor("W_Q/√12", "token", "tokens", weights.Q, update),
      editor("W_K", "before", "tokens", weights.K, update),
      editor("W_V", "token", "tokens", weights.V, update),
      editor("W_O", "tokens", "output", weights.O, update),
    );
  };
  const update = () => {
    const { scores, pattern, chances } = attended(weights, query);
    const keys = barChart(
      `the weights of query ${query}, ${TOKENS[query]}`,
      scores.map((score, key) => `${TOKENS[key]}${key}\n${shown(score)}`),
    );
    keys.draw(
      pattern,
      pattern.map((weight) => weight.toFixed(2)),
      TOKENS.indexOf(TOKENS[query]) + 1,
    );
    const next = barChart("the probabilities of the next token", VOCABULARY);
    next.draw(
      chances,
      chances.map((chance) => chance.toFixed(2)),
      VOCABULARY.indexOf(follower(query)),
    );
    charts.replaceChildren(keys.node, next.node);
    const right = QUERIES.filter((each) => said(attended(weights, each).chances) === follower(each));
    const word = said(chances);
    say(
      `At query ${query} the model says ${word || "nothing clearly"}; ${follower(query)} is right. ` +
        `Of the four queries it is right at ${right.length}.`,
    );
  };
  const say = frame(
    root,
    "Write another number over one of these, and see the scores and the output change. Rows and columns " +
      "are the tokens a to d; the other parts of the four matrices stay as they are.",
    matrices,
    choice(
      "query",
      QUERIES.map((each) => [String(each), `query ${each}, ${TOKENS[each]}`]),
      (key) => {
        query = Number(key);
        update();
      },
    ).node,
    button("As set by hand", () => {
      weights = asSet();
      lay();
      update();
    }),
    charts,
  );
  lay();
  update();
}
