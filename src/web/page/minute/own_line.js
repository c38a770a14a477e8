// A line that the reader types, by the engine in the page.

import { visible } from "../../kit/text.js";
import { known, partsOf } from "../web/typing.js";
import { OFF, Line } from "./frames.js";

const LAMPS = 8; // states of the three lamps; the cut wire is known of the run's own line alone

/**
 * Its tokens. Throws an Error with a sentence for a text that is no line.
 *
 * @param {string} text
 * @param {string[]} vocabulary
 * @param {number} most
 */
export function readLine(text, vocabulary, most) {
  const texts = partsOf(text, vocabulary);
  const unknown = texts.find((one) => !vocabulary.includes(one));
  if (unknown !== undefined)
    throw new Error(`The network does not know ‘${visible(unknown)}’, only ${known(vocabulary)}.`);
  if (texts.length > most) throw new Error(`A line has at most ${most} tokens.`);
  const tokens = texts.map((one) => vocabulary.indexOf(one));
  const line = new Line(
    tokens,
    tokens.map((token, i) => tokens.indexOf(token) < i),
    0,
  );
  if (line.asked.length === 0)
    throw new Error("Write something twice: what comes after its second time is asked.");
  return new Line(tokens, line.predictable, line.asked[0]);
}

/**
 * @param {LiveModel} live
 * @param {Line} line
 * @param {MinuteData} minute
 * @returns {Promise<import("./frames.js").AnyFrame>}
 */
export async function ownFrame(live, { tokens }, { note_writers, finders, control }) {
  await live.open();
  /** @type {Awaited<ReturnType<Engine["look"]>>[]} */
  const looks = [];
  for (let state = 0; state < LAMPS; ++state) {
    const off = [
      ...(state & OFF.noteWriter ? note_writers : []),
      ...(state & OFF.finder ? finders : []),
      ...(state & OFF.control ? control : []),
    ];
    looks.push(await live.engine.look(tokens, off.length > 0 ? { off, way: "mean" } : {}));
  }
  /** @type {(state: number, head: number, query: number, key: number) => number} */
  const weight = (state, head, query, key) => looks[state].patterns.pattern(head).weight(query, key);
  return {
    note: (position) =>
      position === 0 ? 0 : Math.max(...note_writers.map((head) => weight(0, head, position, position - 1))),
    weight: (state, query, key) =>
      finders.reduce((sum, head) => sum + weight(state & ~OFF.finder, head, query, key), 0) / finders.length,
    guess: (state, position) => looks[state].guesses[position],
  };
}
