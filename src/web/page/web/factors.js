// Factors as they travel: base64 of integers of 16 bits, each block with a step of its own. The page
// multiplies them.

const { decoded } = headlight.compress;

class Factors {
  /** @param {PackedFactors} packedFactors */
  constructor({ shape, steps, data }) {
    this.shape = shape;
    this.steps = steps;
    this.data = data;
  }

  // Decoded when they are first needed.
  get values() {
    if (this.data !== null) {
      const levels = new Int16Array(decoded(this.data).buffer);
      const block = levels.length / this.steps.length;
      this.decoded = Float64Array.from(levels, (level, i) => level * this.steps[Math.floor(i / block)]);
      this.data = null;
    }
    return this.decoded;
  }

  /**
   * The row x[s,i,:] of x (S,n,d).
   *
   * @param {number} part
   * @param {number} position
   */
  row(part, position) {
    const [, positions, width] = this.shape;
    return this.values.subarray(
      (part * positions + position) * width,
      (part * positions + position + 1) * width,
    );
  }

  // Σ_s x[s,i,:] of x (S,n,d): (n,d), row by row.
  get total() {
    const [parts, positions, width] = this.shape;
    if (!this.sums) {
      this.sums = new Float64Array(positions * width);
      for (let at = 0; at < parts * positions * width; ++at) {
        this.sums[at % (positions * width)] += this.values[at];
      }
    }
    return this.sums;
  }
}

/**
 * @param {ArrayLike<number>} left
 * @param {ArrayLike<number>} right
 */
function dot(left, right) {
  let sum = 0;
  for (let c = 0; c < left.length; ++c) {
    sum += left[c] * right[c];
  }
  return sum;
}

/**
 * (a,r)·(r,b), row by row.
 *
 * @param {ArrayLike<number>} left
 * @param {ArrayLike<number>} right
 * @param {number} inner
 */
function product(left, right, inner) {
  const rows = left.length / inner;
  const columns = right.length / inner;
  const out = new Float64Array(rows * columns);
  for (let i = 0; i < rows; ++i) {
    for (let c = 0; c < inner; ++c) {
      const value = left[i * inner + c];
      for (let j = 0; j < columns; ++j) {
        out[i * columns + j] += value * right[c * columns + j];
      }
    }
  }
  return out;
}

/** @typedef {typeof names} Names */
const names = { Factors, dot, product };
headlight.factors = names;
