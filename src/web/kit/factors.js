// Factors as they travel: base64 of integers of 16 bits, each block with a step of its own. The page
// multiplies them.

import { decoded } from "./compress.js";

export class Factors {
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
