// What a picture of a pattern, and the table of a matrix, show cell by cell, where no two are alike.
import assert from "node:assert/strict";
import { test } from "node:test";

import { Patterns } from "./codec.js";
import { Heatmap } from "./heatmap.js";
import { drawPattern } from "./pattern.js";

/**
 * The levels that are drawn, row by row; 0 where a key is not seen.
 *
 * @param {{ causal: boolean; window?: number }} kind
 */
function drawn({ causal, window }) {
  const n = 4;
  const kept = causal ? (n * (n + 1)) / 2 : n * n;
  const packed = { data: null, bits: 8, cell: 1, causal, window, queries: n, keys: n };
  const decoded = Uint8Array.from({ length: 2 * kept }, (_, i) => i + 1);
  const patterns = new Patterns(/** @type {any} */ ({ ...packed, decoded }));
  /** @type {{ data: Uint8ClampedArray } | undefined} */
  let image;
  const context = {
    createImageData: (/** @type {number} */ width, /** @type {number} */ height) => ({
      data: new Uint8ClampedArray(4 * width * height),
    }),
    putImageData: (/** @type {typeof image} */ drawn) => (image = drawn),
  };
  const scale = { table: () => Uint32Array.from({ length: 256 }, (_, i) => i), unseenPixel: 0 };
  drawPattern(/** @type {any} */ ({ getContext: () => context }), patterns.pattern(1), scale);
  const pixels = Array.from(new Uint32Array(image.data.buffer));
  return Array.from({ length: n }, (_, row) => pixels.slice(row * n, (row + 1) * n));
}

test("each cell has the weight of its query and key, with and without a window", () => {
  assert.deepEqual(drawn({ causal: true }), [
    [11, 0, 0, 0],
    [12, 13, 0, 0],
    [14, 15, 16, 0],
    [17, 18, 19, 20],
  ]);
  assert.deepEqual(drawn({ causal: true, window: 2 })[3], [0, 0, 19, 20]);
  assert.deepEqual(drawn({ causal: false, window: 2 }), [
    [17, 18, 0, 0],
    [21, 22, 23, 0],
    [0, 26, 27, 28],
    [0, 0, 31, 32],
  ]);
});

test("the table of a matrix names the row first", () => {
  const matrix = Float64Array.of(1, 2, Number.NaN, 4);
  const shown = { matrix, texts: ["a", "b"], down: "query", across: "key" };
  assert.deepEqual(Heatmap.prototype.rows.call(shown), [
    ["query", "key", "value"],
    ["a", "a", 1],
    ["a", "b", 2],
    ["b", "b", 4],
  ]);
});
