// Small matrices, softmax and random numbers.

/**
 * @param {ArrayLike<number>} left
 * @param {ArrayLike<number>} right
 */
export function dot(left, right) {
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
export function product(left, right, inner) {
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

/** @param {number[]} scores */
export function softmax(scores) {
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const sum = powers.reduce((all, power) => all + power, 0);
  return powers.map((power) => power / sum);
}

/**
 * Random numbers with mean 0 and variance 1, the same for the same seed.
 *
 * @param {number} seed
 */
export function normals(seed) {
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}
