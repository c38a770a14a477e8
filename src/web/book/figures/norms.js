// Lesson 10: where the norm stands, and the size of the stream behind each of 24 blocks.

import { element, svgElement } from "../../kit/text.js";
import { normals } from "../../kit/numbers.js";
import { frame, choice, titled } from "./live.js";

const WIDTH = 32;
const BLOCKS = 24;
const SEED = 10;

/** @param {number[]} x */
const sizeOf = (x) => Math.hypot(...x) / Math.sqrt(x.length);
/** @param {number[]} x */
function norm(x) {
  const mean = x.reduce((sum, value) => sum + value, 0) / x.length;
  const centred = x.map((value) => value - mean);
  const size = sizeOf(centred);
  return centred.map((value) => value / size);
}

/** @typedef {(x: number[]) => number[]} Part */
/** @type {Record<string, (x: number[], f: Part) => number[]>} */
const PLACES = {
  pre: (x, f) => f(norm(x)).map((value, i) => value + x[i]),
  post: (x, f) => norm(f(x).map((value, i) => value + x[i])),
  none: (x, f) => f(x).map((value, i) => value + x[i]),
};
/** @type {Record<string, string>} */
const TEXTS = {
  pre: "Pre-norm, x ← x + f(norm(x))",
  post: "Post-norm, x ← norm(x + f(x))",
  none: "No norm, x ← x + f(x)",
};

/**
 * f is a random matrix: a vector of size 1 becomes one of size about 1. The same parts at all three places.
 *
 * @param {string} place
 */
function sizes(place) {
  const normal = normals(SEED);
  let x = Array.from({ length: WIDTH }, normal);
  return Array.from({ length: BLOCKS }, () => {
    const matrix = Array.from({ length: WIDTH }, () =>
      Array.from({ length: WIDTH }, () => normal() / Math.sqrt(WIDTH)),
    );
    /** @type {Part} */
    const f = (input) => matrix.map((row) => row.reduce((sum, weight, i) => sum + weight * input[i], 0));
    x = PLACES[place](x, f);
    return sizeOf(x);
  });
}

/** @type {(x: number, y: number, content: string, anchor?: string) => SVGTextElement} */
const text = (x, y, content, anchor = "middle") =>
  svgElement("text", { x, y, "text-anchor": anchor }, content);

/**
 * The stream is the upper line; the part reads from it, and + adds what the part writes.
 *
 * @param {string} place
 */
function drawBlock(place) {
  /** @param {string} points */
  const line = (points) => svgElement("polyline", { class: "wire", points });
  /** @type {(x: number, y: number, content: string) => SVGElement[]} */
  const box = (x, y, content) => [
    svgElement("rect", {
      class: content === "norm" ? "box norm" : "box",
      x: x - 30,
      y: y - 15,
      width: 60,
      height: 30,
    }),
    text(x, y + 4, content),
  ];
  /** @type {SVGElement[]} */
  const parts = [line("20,30 320,30"), line("40,30 40,85 210,85 210,42")];
  parts.push(svgElement("circle", { class: "box", cx: 210, cy: 30, r: 12 }), text(210, 35, "+"));
  parts.push(text(10, 34, "x"), text(332, 34, "x"));
  parts.push(...box(160, 85, "f"));
  if (place === "pre") parts.push(...box(92, 85, "norm"));
  if (place === "post") parts.push(...box(270, 30, "norm"));
  return parts;
}

const LEFT = 44;
/** @param {number} block */
const x = (block) => LEFT + (block / (BLOCKS - 1)) * (340 - LEFT - 42);
/** @param {number} size */
const y = (size) => 150 - (Math.log10(size) / 4) * 130;

/**
 * @param {Record<string, number[]>} all
 * @param {string} place
 */
function drawSizes(all, place) {
  const rules = [1, 10, 100, 1000, 10000].flatMap((size) => [
    svgElement("line", { class: "rule", x1: LEFT, x2: 340, y1: y(size), y2: y(size) }),
    text(LEFT - 5, y(size) + 4, String(size), "end"),
  ]);
  const blocks = [0, 5, 11, 17, 23].map((block) => text(x(block), 168, String(block)));
  const lines = Object.entries(all).map(([name, values]) => {
    const points = values.map((size, block) => `${x(block).toFixed(1)},${y(size).toFixed(1)}`).join(" ");
    return svgElement("polyline", { class: name === place ? "curve lit" : "curve", points });
  });
  const names = Object.entries(all).map(([name, values]) =>
    text(x(BLOCKS - 1) + 5, y(values.at(-1)) + 4, name, "start"),
  );
  return [...rules, ...blocks, ...lines, ...names];
}

/**
 * @param {string} place
 * @param {number[]} values
 */
function inWords(place, values) {
  const [first, last] = [values[0], values.at(-1)].map((size) => size.toFixed(size < 100 ? 2 : 0));
  const ends = `The stream has the size ${first} behind block 0 and ${last} behind block 23.`;
  if (place === "post") return `${ends} The norm stands on the stream and brings each sum back to size 1.`;
  if (place === "pre")
    return `${ends} Each part reads a vector of size 1 and so adds about as much as any other.`;
  const growth = (values.at(-1) / values[0]) ** (1 / (values.length - 1));
  const grows = `on average the size grows ${growth.toFixed(2)} times in each block.`;
  return `${ends} A part that reads a longer vector adds a longer one: ${grows}`;
}

/** @param {HTMLElement} root */
export function norms(root) {
  const all = Object.fromEntries(Object.keys(PLACES).map((place) => [place, sizes(place)]));
  const block = svgElement("svg", { viewBox: "0 0 340 108", role: "img", class: "block" });
  const chart = svgElement("svg", { viewBox: "0 0 340 174", role: "img" });
  const formula = titled("", block);
  /** @param {string} place */
  const show = (place) => {
    formula.firstChild.textContent = TEXTS[place];
    block.setAttribute("aria-label", TEXTS[place]);
    block.replaceChildren(...drawBlock(place));
    chart.replaceChildren(...drawSizes(all, place));
    chart.setAttribute("aria-label", all[place].map((size) => size.toFixed(2)).join(", "));
    say(inWords(place, all[place]));
  };
  const halves = [formula, titled("size of the stream behind each block", chart)];
  for (const half of halves) half.className = "bars";
  const say = frame(
    root,
    "Move the norm. The blocks here are 24 random matrices f, and the stream has 32 numbers.",
    choice(
      "place of the norm",
      [
        ["pre", "norm before the part"],
        ["post", "norm after the sum"],
        ["none", "no norm"],
      ],
      show,
    ).node,
    element("div", { class: "side" }, ...halves),
  );
  show("pre");
}
