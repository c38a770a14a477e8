// The first screen of a model in training: its notes and looks as they appear, and how many guesses are
// right.

import { byId, fixed, headCode } from "../../kit/text.js";
import { Line } from "./frames.js";
import { stillScene } from "./scene.js";
import { Strip } from "./strip.js";

const MOST = 32; // tokens that are drawn
const SEEN = 0.3; // the mean weight from which a head's look is spoken of

/** @typedef {{ head: number; score: number }} Found */

/**
 * The heads that come nearest to the two of an induction circuit on a line: which looks most at the token
 * before, and in the layers after it which looks most at what followed a token's earlier copy.
 *
 * @param {Line} line
 * @param {(head: number, query: number, key: number) => number} weight
 * @param {number} n_layers
 * @param {number} n_heads
 */
export function nearestHeads(line, weight, n_layers, n_heads) {
  const notes = (/** @type {number} */ head) => {
    const places = line.tokens.map((_, i) => i).slice(1);
    return places.reduce((sum, i) => sum + weight(head, i, i - 1), 0) / places.length;
  };
  const looks = (/** @type {number} */ head) => {
    const sum = (/** @type {number} */ query) =>
      line.followers(query).reduce((all, key) => all + weight(head, query, key), 0);
    return line.asked.reduce((all, query) => all + sum(query), 0) / Math.max(1, line.asked.length);
  };
  /** @type {(first: number, end: number, score: (head: number) => number) => Found} */
  const best = (first, end, score) =>
    Array.from({ length: end - first }, (_, i) => ({ head: first + i, score: score(first + i) })).reduce(
      (most, one) => (one.score > most.score ? one : most),
    );
  const writer = best(0, Math.max(1, n_layers - 1) * n_heads, notes);
  const after = (Math.floor(writer.head / n_heads) + 1) * n_heads;
  const finder = best(after < n_layers * n_heads ? after : 0, n_layers * n_heads, looks);
  return { writer, finder };
}

/**
 * @param {ReturnType<typeof nearestHeads>} heads
 * @param {(head: number) => string} code
 */
export function headsInWords({ writer, finder }, code) {
  /** @type {(score: number) => string} */
  const gives = (score) => `gives it ${fixed(score)} of its look`;
  const notes = `${code(writer.head)} looks most at the letter before here: it ${gives(writer.score)}.`;
  const looks =
    `${code(finder.head)} looks most at what came after the letter’s first time here: ` +
    `it ${gives(finder.score)}.`;
  if (writer.score < SEEN && finder.score < SEEN) return "No head looks at one kind of place yet.";
  return [writer.score < SEEN ? "" : notes, finder.score < SEEN ? "" : looks].filter(Boolean).join(" ");
}

export class Growing {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.strip = new Strip(/** @type {any} */ (byId("start-strip")), () => {});
  }

  // The lab's model as it is; nothing of a task whose sequences have nothing to copy.
  draw() {
    const { lab } = this.app;
    const { watch, model } = lab;
    const { now } = watch;
    if (!now) return;
    const tokens = watch.tokens.slice(0, MOST);
    const asked = watch.predictable.slice(0, MOST).map((known, i) => known && i + 1 < tokens.length);
    const first = asked.indexOf(true);
    const width = byId("start-plain").clientWidth;
    byId("verdict").textContent = lab.course.running ? "It is learning." : "Its training rests.";
    byId("start-training").textContent = lab.course.running
      ? lab.course.said
      : lab.renewal.said || lab.course.said;
    byId("start-strip").toggleAttribute("hidden", first < 0);
    if (first < 0 || width === 0) return;
    const line = new Line(tokens, asked, first);
    const { patterns, guesses } = now;
    /** @type {(head: number, query: number, key: number) => number} */
    const weight = (head, query, key) => patterns.pattern(head).weight(query, key);
    const heads = nearestHeads(line, weight, model.n_layers, model.n_heads);
    /** @type {import("./frames.js").AnyFrame} */
    const frame = {
      note: (position) => weight(heads.writer.head, position, position - 1),
      weight: (_, query, key) => weight(heads.finder.head, query, key),
      guess: (_, position) => guesses[position],
    };
    const text = (/** @type {number} */ token) => lab.watch.text(token);
    const scene = stillScene({ line, frame, state: 0, text });
    this.strip.layout(line, tokens.map(text), width);
    this.strip.draw(scene, text);
    const right = `${scene.right} of ${line.asked.length} guesses are right`;
    byId("start-right").textContent =
      `${right} in this sequence. ` + headsInWords(heads, (head) => headCode(head, model.n_heads));
    byId("start-strip").setAttribute("aria-label", `A sequence of the task: ${right}`);
  }
}
