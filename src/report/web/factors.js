// Factors as they travel: base64 of integers of 16 bits, each block with a step of its own. The page multiplies them.

const { decoded } = headlight.squeeze;

class Factors {
  constructor({ shape, steps, data }) {
    Object.assign(this, { shape, steps, data });
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

  // The row x[s,i,:] of x (S,n,d).
  row(s, i) {
    const [, n, d] = this.shape;
    return this.values.subarray((s * n + i) * d, (s * n + i + 1) * d);
  }

  // Σ_s x[s,i,:] of x (S,n,d): (n,d), row by row.
  get total() {
    const [parts, n, d] = this.shape;
    if (!this.sums) {
      this.sums = new Float64Array(n * d);
      for (let at = 0; at < parts * n * d; ++at) this.sums[at % (n * d)] += this.values[at];
    }
    return this.sums;
  }
}

function dot(a, b) {
  let sum = 0;
  for (let c = 0; c < a.length; ++c) sum += a[c] * b[c];
  return sum;
}

// (a,r)·(r,b), row by row.
function product(left, right, inner) {
  const rows = left.length / inner,
    columns = right.length / inner,
    out = new Float64Array(rows * columns);
  for (let i = 0; i < rows; ++i)
    for (let c = 0; c < inner; ++c)
      for (let j = 0, x = left[i * inner + c]; j < columns; ++j)
        out[i * columns + j] += x * right[c * columns + j];
  return out;
}

headlight.factors = { Factors, dot, product };
