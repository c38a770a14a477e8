// What the engine's look at a sequence says, as the page draws it.

import { Patterns } from "../kit/codec.js";

/**
 * Floats of the engine as patterns that the page draws.
 *
 * @param {Float32Array} weights
 * @param {number} n
 */
function patternsOf(weights, n) {
  const heads = weights.length / (n * n);
  const stride = (n * (n + 1)) / 2;
  const values = new Uint16Array(heads * stride);
  for (let head = 0, at = 0; head < heads; ++head) {
    for (let query = 0; query < n; ++query) {
      for (let key = 0; key <= query; ++key) {
        values[at++] = Math.round(65535 * weights[(head * n + query) * n + key]);
      }
    }
  }
  return new Patterns({ data: null, decoded: values, bits: 16, cell: 1, causal: true, queries: n, keys: n });
}

/**
 * What lab_look writes.
 *
 * @param {LabModel} model
 * @param {Uint8Array} bytes
 * @param {number[]} tokens
 */
export function decodedLook({ n_layers, n_heads, vocabulary }, bytes, tokens) {
  const numbers = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  const n = tokens.length;
  const size = n_layers * n_heads * n * n;
  /** @type {(layer: number) => Float32Array[]} */
  const rows = (layer) =>
    tokens.map((_, position) => {
      const at = size + (layer * n + position) * vocabulary.length;
      return numbers.subarray(at, at + vocabulary.length);
    });
  /** @type {(row: Float32Array) => Guess} */
  const likeliest = (row) => {
    const best = row.indexOf(Math.max(...row));
    return [best, row[best]];
  };
  const probabilities = rows(0);
  return {
    patterns: patternsOf(numbers.subarray(0, size), n),
    guesses: probabilities.map(likeliest).map(([token, probability]) => ({ token, probability })),
    probabilities,
    lens: Array.from({ length: n_layers }, (_, layer) => rows(1 + layer).map(likeliest)),
  };
}
