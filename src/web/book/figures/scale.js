// Lesson 7: the weights of 16 random keys, with and without 1/√d_k.

import { element } from "../../kit/text.js";
import { softmax, normals } from "../../kit/numbers.js";
import { frame, slider, barChart } from "./live.js";

const KEYS = 16;
const LENGTHS = Array.from({ length: 10 }, (_, i) => 2 ** i);
const SIZES = Array.from({ length: 17 }, (_, i) => i / 4);
// Of three million seeds the one whose largest weights are nearest to the means of the lesson's table.
const TYPICAL = 2933659;

// q·k of the 16 keys, for each of LENGTHS: the first numbers of one query and of its keys.
function productsOfLengths() {
  const normal = normals(TYPICAL);
  const sums = new Array(KEYS).fill(0);
  /** @type {Map<number, number[]>} */
  const products = new Map();
  for (let c = 1; c <= LENGTHS.at(-1); ++c) {
    const q = normal();
    for (let key = 0; key < KEYS; ++key) sums[key] += q * normal();
    if (LENGTHS.includes(c)) products.set(c, [...sums]);
  }
  return products;
}

/** @param {number} largest */
function inWords(largest) {
  if (largest > 0.9) return "one key has nearly all of the weight";
  if (largest > 0.5) return "one key has more than half of the weight";
  if (largest < 0.08) return "all keys have nearly the same weight";
  return "some keys are preferred, and none is lost";
}

/** @param {HTMLElement} root */
export function scale(root) {
  const products = productsOfLengths();
  const names = Array.from({ length: KEYS }, (_, key) => String(key));
  const raw = barChart("softmax of q·k", names);
  const scaled = barChart("softmax of q·k/√d_k", names);
  let length = 64;
  let size = 1;
  /** @type {(chart: ReturnType<typeof barChart>, factor: number) => number} */
  const show = (chart, factor) => {
    const weights = softmax(products.get(length).map((product) => product * size * factor));
    const largest = Math.max(...weights);
    const at = weights.indexOf(largest);
    chart.draw(
      weights,
      weights.map((weight, key) => (key === at ? weight.toFixed(2) : "")),
      at,
    );
    return largest;
  };
  const update = () => {
    const one = show(raw, 1);
    const other = show(scaled, 1 / Math.sqrt(length));
    say(
      `d_k = ${length}${size === 1 ? "" : `, the query times ${size}`}. Of q·k the largest weight is ` +
        `${one.toFixed(2)}: ${inWords(one)}. Of q·k/√d_k it is ${other.toFixed(2)}: ${inWords(other)}.`,
    );
  };
  const say = frame(
    root,
    "Move d_k and the size of the query. One query and 16 keys are drawn at random. The draw was chosen so " +
      "that its largest weights are close to the means of the table.",
    slider({
      name: "d_k",
      values: LENGTHS,
      at: LENGTHS.indexOf(length),
      text: String,
      change: (value) => {
        length = value;
        update();
      },
    }),
    slider({
      name: "query times",
      values: SIZES,
      at: SIZES.indexOf(size),
      text: (value) => value.toFixed(2),
      change: (value) => {
        size = value;
        update();
      },
    }),
    element("div", { class: "side" }, raw.node, scaled.node),
  );
  update();
}
