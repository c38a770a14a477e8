// Lesson 14: the two heads set by hand, over the score S of the right key.

import { element } from "../../kit/text.js";
import { softmax } from "../../kit/numbers.js";
import { frame, slider, choice, barChart } from "./live.js";

const TOKENS = Array.from("bdacbdac");
const VOCABULARY = Array.from("abcd");
const SHARP = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 40];
const LOGIT = 20; // W_U's factor

/** @type {(weights: number[], tokens: string[], token: string) => number} */
const share = (weights, tokens, token) =>
  weights.reduce((sum, weight, key) => sum + (tokens[key] === token ? weight : 0), 0);

/**
 * The scores of a query of layer 0 for the keys up to itself: S for the token before.
 *
 * @param {number} query
 * @param {number} S
 */
const scoresBefore = (query, S) => Array.from({ length: query + 1 }, (_, key) => (key === query - 1 ? S : 0));

/**
 * Of layer 1: S times the part of the query's token in what layer 0 wrote to `before` at the key.
 *
 * @param {number} query
 * @param {number} S
 * @param {boolean} hides
 */
function scoresOfFollowers(query, S, hides) {
  return Array.from({ length: query + 1 }, (_, key) => {
    const before = share(softmax(scoresBefore(key, S)), TOKENS, TOKENS[query]);
    return S * before - (hides && key === 0 ? 2 * S : 0);
  });
}

/** @param {number} score */
const short = (score) => (Math.abs(score) < 0.005 ? "0" : String(Number(score.toFixed(1)))).replace("-", "−");

/** @param {HTMLElement} root */
export function sharpness(root) {
  const now = { query: 4, S: 40, hides: true };
  const place = element("div", { class: "side" });
  /** @type {(title: string, scores: number[], lit: number) => number[]} */
  const show = (title, scores, lit) => {
    const names = scores.map((score, key) => `${TOKENS[key]}${key}\n${short(score)}`);
    const chart = barChart(title, names);
    const weights = softmax(scores);
    chart.draw(
      weights,
      weights.map((weight) => weight.toFixed(2)),
      lit,
    );
    place.append(chart.node);
    return weights;
  };
  const update = () => {
    const { query, S, hides } = now;
    place.replaceChildren();
    const back = show("L0: the token before", scoresBefore(query, S), query - 1);
    const follower = TOKENS.indexOf(TOKENS[query]) + 1;
    const found = show("L1: the follower", scoresOfFollowers(query, S, hides), follower);
    const output = VOCABULARY.map((token) => share(found, TOKENS, token));
    const chances = softmax(output.map((part) => LOGIT * part));
    const most = Math.max(...chances);
    const best = VOCABULARY.filter((_, i) => chances[i] > most - 0.005);
    say(
      `S = ${S}, query ${query}, ${TOKENS[query]}. The token before has the weight ` +
        `${back[query - 1].toFixed(2)}. The follower ${TOKENS[follower]} has ` +
        `${found[follower].toFixed(2)}, and position 0 has ${found[0].toFixed(2)}. ` +
        (best.length === 1
          ? `The model predicts ${best[0]} with probability ${most.toFixed(2)}`
          : `The model predicts ${best.join(" and ")} with probability ${most.toFixed(2)} each`) +
        (best.length === 1 && best[0] === TOKENS[follower]
          ? ", and that is right."
          : `, but ${TOKENS[follower]} is right.`),
    );
  };
  const say = frame(
    root,
    "Move S, and choose a query of b d a c b d a c. Below each bar stand the key's token and position, and " +
      "its score.",
    slider({
      name: "S",
      values: SHARP,
      at: SHARP.indexOf(now.S),
      text: String,
      change: (value) => {
        now.S = value;
        update();
      },
    }),
    choice(
      "query",
      [4, 5, 6, 7].map((query) => [String(query), `query ${query}, ${TOKENS[query]}`]),
      (key) => {
        now.query = Number(key);
        update();
      },
    ).node,
    choice(
      "position 0",
      [
        ["hidden", "position 0 hidden"],
        ["visible", "position 0 not hidden"],
      ],
      (key) => {
        now.hides = key === "hidden";
        update();
      },
    ).node,
    place,
  );
  update();
}
