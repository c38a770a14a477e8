import assert from "node:assert/strict";
import { test } from "node:test";

import { Factors } from "./factors.js";
import { dot, normals, product, softmax } from "./numbers.js";

test("products of matrices, row by row", () => {
  assert.equal(dot([1, 2, 3], [4, 5, 6]), 32);
  assert.deepEqual([...product([1, 2, 3, 4], [5, 6, 7, 8], 2)], [19, 22, 43, 50]);
  assert.deepEqual([...product([1, 2], [3, 4, 5], 1)], [3, 4, 5, 6, 8, 10]);
});

test("softmax of large scores is finite, and sums to 1", () => {
  assert.deepEqual(softmax([1000, 1000]), [0.5, 0.5]);
  const shares = softmax([0, Math.log(3)]);
  assert.ok(Math.abs(shares[1] - 0.75) < 1e-12);
});

test("random numbers have mean 0 and variance 1, and follow from the seed", () => {
  const numbers = Array.from({ length: 20000 }, normals(3));
  const mean = numbers.reduce((sum, x) => sum + x, 0) / numbers.length;
  const variance = numbers.reduce((sum, x) => sum + (x - mean) ** 2, 0) / numbers.length;
  assert.ok(Math.abs(mean) < 0.03 && Math.abs(variance - 1) < 0.05, `${mean} ${variance}`);
  assert.equal(normals(3)(), numbers[0]);
  assert.notEqual(normals(4)(), numbers[0]);
});

test("each block of factors has a step of its own", () => {
  const levels = new Uint8Array(Int16Array.of(1, -2, 3, 4).buffer);
  const factors = new Factors({
    shape: [2, 1, 2],
    steps: [0.5, 10],
    data: btoa(String.fromCharCode(...levels)),
  });
  assert.deepEqual([...factors.row(0, 0)], [0.5, -1]);
  assert.deepEqual([...factors.row(1, 0)], [30, 40]);
  assert.deepEqual([...factors.total], [30.5, 39]);
});
