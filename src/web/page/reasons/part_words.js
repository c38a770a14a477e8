// What wrote to the residual stream, in words, and numbers with a true minus.

import { fixed } from "../../kit/text.js";

/**
 * @param {number} value
 * @param {number} digits
 */
export function signed(value, digits = 2) {
  const text = fixed(Math.abs(value), digits);
  return (Number(text) === 0 ? "" : value < 0 ? "−" : "+") + text;
}

/**
 * "−0.41", with a true minus.
 *
 * @param {number} value
 * @param {number} digits
 */
export function plain(value, digits = 2) {
  return signed(value, digits).replace("+", "");
}

/**
 * A number of any size in a few digits: "0.12", "−0.0034", "2.7e7".
 *
 * @param {number} value
 */
export function brief(value) {
  const size = Math.abs(value);
  if (size === 0 || (size >= 0.01 && size < 1e5)) return plain(value);
  const digits = size < 1e5 && size >= 1e-4 ? String(Number(size.toPrecision(2))) : size.toExponential(1);
  return (value < 0 ? "−" : "") + digits.replace("e+", "e").replace("e-", "e−");
}

export const EMPTY = 1e-12; // cells of a matrix below it are 0

/** @param {{ largest: number }} map */
export function strongestColour({ largest }) {
  // A heat map of zeros has a least number instead of a largest.
  return largest <= EMPTY ? " Every cell is 0." : " The strongest colours are ±" + brief(largest) + ".";
}

// A head that gives a token at least this weight took most of what it wrote from there.
const MOST = 0.5;

// Names what wrote to the residual stream, in the words of a sequence.
export class PartWords {
  /** @param {App} app */
  constructor({ run, store }) {
    this.run = run;
    this.sequence = run.sequenceAt(store.state.sequence);
  }

  /**
   * @param {number} position
   * @param {number[]} tokens
   */
  token(position, tokens = this.sequence.tokens) {
    return position + " ‘" + this.run.tokenText(tokens[position]) + "’";
  }

  /**
   * Where a head looks most from a position, by its pattern.
   *
   * @param {number} head
   * @param {number} position
   */
  from(head, position) {
    const { tokens, keys, patterns } = this.sequence.views[this.run.stack(head)];
    const pattern = patterns.pattern(this.run.inStack(head));
    if (pattern.cell > 1 || position >= tokens.length) return null;
    const weights = pattern.row(position);
    const key = weights.indexOf(Math.max(...weights));
    return { key, weight: weights[key], words: this.token(key, keys), own: this.run.stack(head) === 0 };
  }

  /**
   * In a cell of a table.
   *
   * @param {TermPart} part
   * @param {number} position
   */
  brief([kind, index, back = 0], position) {
    const at = position - back;
    if (at < 0) return "no token before it";
    const before = back ? " before it" : "";
    if (kind === "embed") return back ? "the token before it, " + this.token(at) : "the token itself";
    if (kind === "pos_embed") return back ? "the position before it" : "its position";
    if (kind === "mlp") return "MLP of layer " + index + before;
    if (kind === "bias") return "biases" + before;
    const from = this.from(index, at);
    return this.run.headCode(index) + before + (from ? ", looking most at " + from.words : "");
  }

  /**
   * In a sentence.
   *
   * @param {TermPart} part
   * @param {number} position
   */
  long([kind, index, back = 0], position) {
    const at = position - back;
    if (at < 0) return "the lack of a token before it";
    const before = back ? ", the token before it" : "";
    if (kind === "embed") return "the token " + this.token(at) + (back ? " before it" : " itself");
    if (kind === "pos_embed") return "the vector of position " + at;
    if (kind === "mlp") return "what the MLP of layer " + index + " wrote at " + this.token(at) + before;
    if (kind === "bias") return "the biases" + (back ? " at the token before it" : "");
    return "what head " + this.run.headCode(index) + " wrote at " + this.token(at) + before;
  }

  /**
   * The position whose token a part holds: a token's own, or the one that gets most of its head's row; null
   * for other parts.
   *
   * @param {TermPart} part
   * @param {number} position
   */
  seen([kind, index, back = 0], position) {
    const at = position - back;
    if (at < 0) return null;
    if (kind === "embed") return at;
    const from = kind === "head" ? this.from(index, at) : null;
    return from?.own && from.weight >= MOST ? from.key : null;
  }

  /**
   * Where the head of a part got it from; nothing for other parts.
   *
   * @param {TermPart} part
   * @param {number} position
   */
  source([kind, index, back = 0], position) {
    const at = position - back;
    const from = kind === "head" && at >= 0 ? this.from(index, at) : null;
    if (!from) return "";
    const distance = at - from.key;
    const where = !from.own
      ? " of the source"
      : distance === 1
        ? ", the token before"
        : distance === 0
          ? ", that token itself"
          : "";
    return (
      ` From there ${this.run.headCode(index)} looks most at ${from.words}${where} (attention weight ` +
      `${fixed(from.weight)}).`
    );
  }
}

/**
 * Of what smeared keys are made.
 *
 * @param {string} head
 * @param {number} smear
 */
export function smearWords(head, smear) {
  return (
    `Head ${head} smears its keys: the *key* at a position is ${fixed(smear)} times the key of its own ` +
    `token plus ${fixed(1 - smear)} times the key of the token before.`
  );
}
