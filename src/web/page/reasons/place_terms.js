// The part of an attention logit that the places of query and key make, whatever the tokens: each token's
// part of both sides is replaced by its mean over the sequence. Where positions rotate queries and keys, the
// mean is taken before they rotate. Where keys are smeared, the first key is not, so means are of the others.

import { dot, product } from "../../kit/numbers.js";

/**
 * @param {Float64Array} one
 * @param {Float64Array} other
 */
const summed = (one, other) => one.map((value, c) => value + other[c]);

// The factors of one side, q[s,i] or k[s,i], with means in place of what tokens contribute.
class Places {
  /**
   * @param {Factors} factors
   * @param {TermPart[]} parts
   * @param {number[]} turn
   */
  constructor(factors, parts, turn) {
    const [, positions, width] = factors.shape;
    this.width = width;
    this.turns = powers(turn, positions, width);
    const smeared = parts.some(([, , back]) => back);
    const means = parts.map((_, part) => this.mean(factors, part, smeared ? 1 : 0));
    this.rows = parts.map(([kind, , back], part) => {
      if (kind === "pos_embed") return (/** @type {number} */ position) => factors.row(part, position);
      // What no key is smeared with is its own: the first key has all of it.
      const first = !smeared
        ? means[part]
        : back
          ? new Float64Array(width)
          : summed(means[part], means[part + parts.length / 2]);
      return (/** @type {number} */ position) =>
        this.turned(position === 0 ? first : means[part], position, false);
    });
  }

  /**
   * What a part makes on the average from a position on, before positions rotate.
   *
   * @param {Factors} factors
   * @param {number} part
   * @param {number} from
   */
  mean(factors, part, from) {
    const count = factors.shape[1] - from;
    const mean = new Float64Array(this.width);
    for (let i = from; i < from + count; ++i) {
      this.turned(factors.row(part, i), i, true).forEach((value, c) => (mean[c] += value / count));
    }
    return mean;
  }

  /**
   * row·turn^position, or back.
   *
   * @param {Float64Array} row
   * @param {number} position
   * @param {boolean} back
   */
  turned(row, position, back) {
    const matrix = this.turns?.[position];
    if (!matrix) return row;
    const out = new Float64Array(this.width);
    for (let i = 0; i < this.width; ++i) {
      for (let j = 0; j < this.width; ++j) {
        out[j] += row[i] * (back ? matrix[j * this.width + i] : matrix[i * this.width + j]);
      }
    }
    return out;
  }

  /** @param {number} position */
  total(position) {
    const sum = new Float64Array(this.width);
    for (const row of this.rows) row(position).forEach((value, c) => (sum[c] += value));
    return sum;
  }
}

/**
 * turn^0, turn^1, …; nothing where positions do not rotate.
 *
 * @param {number[]} turn
 * @param {number} count
 * @param {number} width
 */
function powers(turn, count, width) {
  if (turn.length === 0) return null;
  let now = Float64Array.from({ length: width * width }, (_, at) => (at % (width + 1) === 0 ? 1 : 0));
  return Array.from({ length: count }, () => {
    const power = now;
    now = product(power, turn, width);
    return power;
  });
}

// Of one head: how much of the logit at (query,key) the places make, by what wrote the key.
class PlaceTerms {
  /** @param {HeadTerms} terms */
  constructor(terms) {
    this.terms = terms;
    this.queries = new Places(terms.queryFactors, terms.parts, terms.turn);
    this.keys = new Places(terms.keyFactors, terms.keyParts, terms.turn);
  }

  /**
   * Of each part of the key: the products with it, and how much of these the places alone make.
   *
   * @param {number} query
   * @param {number} key
   */
  at(query, key) {
    const { terms } = this;
    const whole = terms.queryTotal(query);
    const placed = this.queries.total(query);
    return terms.keyParts.map((_, part) => ({
      value: dot(whole, terms.keyFactors.row(part, key)),
      placed: dot(placed, this.keys.rows[part](key)),
    }));
  }
}

/** @type {WeakMap<HeadTerms, PlaceTerms>} */
const known = new WeakMap();

/** @param {HeadTerms} terms */
export function placesOf(terms) {
  if (!known.has(terms)) known.set(terms, new PlaceTerms(terms));
  return known.get(terms);
}
