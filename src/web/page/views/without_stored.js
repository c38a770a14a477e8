// Predictions without heads that were computed with the page: of sets of heads, rounded.

import { bytesOf } from "../../kit/compress.js";

/** @typedef {WithoutNumbers<Uint8Array, Uint8Array | Uint16Array>} Numbers */

/** @implements {WithoutSource} */
export class StoredWithout {
  /** @param {Run} run */
  constructor(run) {
    this.run = run;
    /** @type {Map<string, Numbers>} */
    this.decoded = new Map();
  }

  /**
   * The number of a set among those of the page; null for a larger one.
   *
   * @param {number[]} heads
   */
  indexOf(heads) {
    const { without, heads: count } = this.run;
    if (without.most === count) return heads.reduce((index, head) => index + 2 ** head, 0);
    if (heads.length > without.most) return null;
    const [i, j] = heads;
    if (heads.length < 2) return heads.length === 0 ? 0 : 1 + i;
    return 1 + count + (i * (2 * count - i - 1)) / 2 + j - i - 1;
  }

  /**
   * The numbers of one way on a sequence; undefined where the page has none.
   *
   * @param {number} sequence
   * @param {number} way
   * @returns {Numbers | undefined}
   */
  numbers(sequence, way) {
    const packed = this.run.without.sequences[sequence]?.[way];
    const name = sequence + " " + way;
    if (!packed || this.decoded.has(name)) return this.decoded.get(name);
    const tokens = bytesOf(packed.tokens);
    const wide = this.run.vocabulary.length > 256;
    const decoded = {
      tokens: wide ? new Uint16Array(tokens.buffer) : tokens,
      likeliest: bytesOf(packed.likeliest),
      targets: bytesOf(packed.targets),
      losses: packed.losses,
    };
    this.decoded.set(name, decoded);
    return decoded;
  }

  /** @param {number} sequence */
  prepare(sequence) {
    this.numbers(sequence, 0);
  }

  /** @param {number[]} heads */
  has(heads) {
    return this.indexOf(heads) !== null;
  }

  /** @param {number} sequence */
  covers(sequence) {
    return this.run.without.sequences[sequence] !== undefined;
  }

  /**
   * @param {Asked} sequence
   * @param {Changes} changes
   * @returns {WithoutResult | null}
   */
  result(sequence, { off = [], way }) {
    const ways = this.run.without.ways.map(([name]) => name);
    const place = this.run.sequences.findIndex((one) => one === sequence);
    const numbers = this.numbers(place, Math.max(0, ways.indexOf(way)));
    const index = this.indexOf(off);
    if (!numbers || index === null) return null;
    const { tokens, targets } = sequence;
    const start = index * tokens.length;
    const guesses = targets.map((target, position) => {
      const best = numbers.tokens[start + position];
      /** @type {Guess[]} */
      const first = [[best, numbers.likeliest[start + position] / 255]];
      if (target < 0 || target === best) return first;
      first.push([target, numbers.targets[start + position] / 255]);
      return first;
    });
    return { guesses, loss: numbers.losses[index], patterns: null };
  }

  /** @param {number[]} heads */
  why(heads) {
    if (!this.has(heads))
      return (
        "this page has numbers for " +
        (this.run.without.most === 2 ? "one or two heads" : "one head") +
        " switched off, of a model with so many. The predictions are those with all heads."
      );
    const { length } = this.run.without.sequences;
    return (
      "this sequence has no such numbers; " +
      (length === 1 ? "only the first sequence has" : "the first " + length + " sequences have") +
      ". The predictions are those with all heads."
    );
  }

  get note() {
    return "The patterns on the page stay those of the whole model.";
  }

  get precision() {
    return (
      "With heads switched off, the page knows only the likeliest token and the right one. Their " +
      "probabilities are rounded by up to 0.002."
    );
  }
}
