// What a model does with one line: the notes, where the finders look, and the guesses, in each state of the
// lamps. How the page holds it says src/web/page/minute.h.

import { bytesOf } from "../../kit/compress.js";

// What is off, as bits; or, alone, the cut wire.
export const OFF = { noteWriter: 1, finder: 2, control: 4, wire: 8 };

const STATES = 9;
const PATTERNS = [0, 1, 4, 5, 8]; // where finders look does not depend on whether they are off

/** @param {number} state */
const looking = (state) => (state === OFF.wire ? state : state & ~OFF.finder);

// One set of weights on a line of n tokens.
export class Frame {
  /**
   * @param {Uint8Array} bytes
   * @param {number} n
   */
  constructor(bytes, n) {
    this.bytes = bytes;
    this.n = n;
    this.triangle = (n * (n + 1)) / 2;
  }

  /**
   * The weight of the strongest note-writer on the token before.
   *
   * @param {number} position
   */
  note(position) {
    return this.bytes[position] / 255;
  }

  /**
   * @param {number} state
   * @param {number} query
   * @param {number} key
   */
  weight(state, query, key) {
    const pattern = PATTERNS.indexOf(looking(state));
    return this.bytes[this.n + pattern * this.triangle + (query * (query + 1)) / 2 + key] / 255;
  }

  /**
   * The most likely token after `position`.
   *
   * @param {number} state
   * @param {number} position
   */
  guess(state, position) {
    const at = this.n + PATTERNS.length * this.triangle + (state * this.n + position) * 4;
    /** @type {(i: number) => number} */
    const number = (i) => this.bytes[i] + 256 * this.bytes[i + 1];
    return { token: number(at), probability: number(at + 2) / 65535 };
  }

  /** @param {number} n */
  static size(n) {
    return n + (PATTERNS.length * n * (n + 1)) / 2 + STATES * n * 4;
  }
}

/**
 * @param {Packed} packed
 * @param {number} n
 */
export function framesOf(packed, n) {
  const bytes = bytesOf(packed);
  const size = Frame.size(n);
  return Array.from(
    { length: bytes.length / size },
    (_, i) => new Frame(bytes.subarray(i * size, (i + 1) * size), n),
  );
}

/** @typedef {Pick<Frame, "note" | "weight" | "guess">} AnyFrame */

// A line, and the place where the first screen asks what comes next.
export class Line {
  /**
   * @param {number[]} tokens
   * @param {(boolean | number)[]} predictable
   * @param {number} ask
   * @param {number} from the first place after which the model guesses
   */
  constructor(tokens, predictable, ask, from = ask) {
    this.tokens = tokens;
    this.ask = ask;
    this.predictable = tokens.map((_, i) => Boolean(predictable[i]) && i + 1 < tokens.length);
    this.first = this.predictable.indexOf(true);
    // The places after which the model guesses.
    this.asked = tokens.map((_, i) => i).filter((i) => i >= from && this.predictable[i]);
  }

  // How many tokens lie between a token and its copy, if all copies are as far; else 0.
  get gap() {
    const gap = this.first - this.tokens.indexOf(this.tokens[this.first]);
    const copies = this.tokens
      .slice(this.first)
      .every((token, i) => token === this.tokens[this.first - gap + i]);
    return copies ? gap : 0;
  }

  // How far back the same token stood last.
  /** @param {number} place */
  gapAt(place) {
    return place - this.tokens.lastIndexOf(this.tokens[place], place - 1);
  }

  /** @param {number} query */
  followers(query) {
    return this.tokens
      .map((_, key) => key)
      .filter((key) => key > 0 && key <= query && this.tokens[key - 1] === this.tokens[query]);
  }

  /**
   * Whether what comes after `position` is guessed.
   *
   * @param {AnyFrame} frame
   * @param {number} state
   * @param {number} position
   */
  isRight(frame, state, position) {
    return frame.guess(state, position).token === this.tokens[position + 1];
  }

  /**
   * @param {AnyFrame} frame
   * @param {number} state
   */
  right(frame, state) {
    return this.asked.filter((position) => this.isRight(frame, state, position)).length;
  }

  /**
   * The mean weight that the asked places give to what followed their token before.
   *
   * @param {AnyFrame} frame
   * @param {number} state
   */
  looks(frame, state) {
    let sum = 0;
    for (const query of this.asked) {
      for (const key of this.followers(query)) {
        sum += frame.weight(state, query, key);
      }
    }
    return sum / Math.max(1, this.asked.length);
  }

  /**
   * The mean strength of the notes.
   *
   * @param {AnyFrame} frame
   */
  notes(frame) {
    const noted = this.tokens.slice(1).map((_, i) => frame.note(i + 1));
    return noted.reduce((sum, note) => sum + note, 0) / Math.max(1, noted.length);
  }

  /**
   * Where the finders look from a place, the largest weight first: [key, weight].
   *
   * @param {AnyFrame} frame
   * @param {number} state
   * @param {number} query
   */
  looksFrom(frame, state, query) {
    return this.tokens
      .slice(0, query + 1)
      .map((_, key) => /** @type {[number, number]} */ ([key, frame.weight(state, query, key)]))
      .sort(([, one], [, other]) => other - one);
  }
}
