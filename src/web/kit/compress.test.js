import assert from "node:assert/strict";
import { test } from "node:test";

import { Patterns } from "./codec.js";
import { bytesOf, decoded } from "./compress.js";

test("base64 becomes its bytes", () => {
  assert.deepEqual([...decoded(btoa("\x00\x7f\xff"))], [0, 127, 255]);
  assert.deepEqual([...bytesOf(btoa("ab"))], [97, 98]);
});

// A code of src/web/page/compress.h. tests/fuzz/page_decoder.mjs tries more, and damaged ones.
test("a code becomes its bytes", () => {
  const bytes = bytesOf({ size: 6, stride: 2, data: "/R+v/N////8=" });
  assert.deepEqual([...bytes], [5, 0, 5, 5, 0, 200]);
});

/** @param {number[]} bytes */
const packed = (bytes) => btoa(String.fromCharCode(...bytes));

test("of a causal pattern the rows' parts up to the diagonal are kept", () => {
  const patterns = new Patterns({
    bits: 8,
    cell: 1,
    causal: true,
    queries: 3,
    keys: 3,
    data: packed([255, 51, 204, 0, 102, 153, 255, 0, 255, 255, 0, 0]),
  });
  const [first, second] = [0, 1].map((head) => patterns.pattern(head));
  assert.deepEqual(first.row(1), [0.2, 0.8, 0]);
  assert.deepEqual(first.row(2), [0, 0.4, 0.6]);
  assert.deepEqual(second.row(1), [0, 1, 0]);
  assert.equal(first.sees(1, 2), false);
  assert.equal(patterns.hides, true);
});

test("weights of 16 bits have all high bytes first", () => {
  const patterns = new Patterns({
    bits: 16,
    cell: 1,
    causal: false,
    queries: 1,
    keys: 2,
    data: packed([0x80, 0xff, 0x01, 0xff]),
  });
  assert.deepEqual(patterns.pattern(0).row(0), [0x8001 / 65535, 1]);
});

test("a window hides keys that are far away, also in pooled cells", () => {
  const data = { bits: 8, causal: false, data: packed([]) };
  const pattern = new Patterns({ ...data, cell: 1, queries: 5, keys: 5, window: 2 }).pattern(0);
  assert.deepEqual(
    [0, 2, 4].map((query) => pattern.seen(query)),
    [
      [0, 2],
      [1, 4],
      [3, 5],
    ],
  );
  // Queries 2 and 3 see the keys 1 to 4: cells 0 to 2.
  assert.deepEqual(
    new Patterns({ ...data, cell: 2, queries: 8, keys: 8, window: 2 }).pattern(0).seen(1),
    [0, 3],
  );
});
