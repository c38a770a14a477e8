import assert from "node:assert/strict";
import { test } from "node:test";

import { known } from "../../../../tests/web/fake_document.mjs";
import { Patterns } from "../../kit/codec.js";
import { PositionsPicture } from "./positions.js";

for (const end of ["", "-side", "-words"]) known.set("circuits-positions" + end, document.createElement("p"));

test("scores of positions are less their mean over the keys that a query sees", () => {
  const [left, right] = [
    [1, -2, 3, 5],
    [7, 1, -4, 2],
  ];
  const packed = (numbers, shape) => {
    const bytes = new Uint8Array(Int16Array.from(numbers).buffer);
    return { shape, steps: [0.5], data: btoa(String.fromCharCode(...bytes)) };
  };
  const circuit = { positions: [packed(left, [4, 1]), packed(right, [1, 4])] };
  for (const [causal, window] of [[true], [true, 1], [true, 3], [false], [false, 2]]) {
    const patterns = new Patterns(
      /** @type {any} */ ({ data: null, cell: 1, causal, window, queries: 4, keys: 4 }),
    );
    let shown = [];
    const picture = {
      run: { stack: () => 0, sequences: [{ views: [{ patterns }] }], headCode: () => "", evidence: {} },
      glossary: { nodes: () => [] },
      map: { largest: 1, show: (matrix) => (shown = [...matrix]) },
    };
    PositionsPicture.prototype.show.call(/** @type {any} */ (picture), circuit, 0, false, 0);
    const wanted = left.flatMap((query, i) => {
      const sees = right.map((_, key) => patterns.pattern(0).sees(i, key));
      const seen = right.filter((_, key) => sees[key]).map((key) => (query * key) / 4);
      const mean = seen.reduce((sum, score) => sum + score) / seen.length;
      return right.map((key, j) => (sees[j] ? (query * key) / 4 - mean : NaN));
    });
    assert.deepEqual(shown, wanted);
  }
});

test("a bias of distance stands at its distance, less its mean over the keys that are seen", () => {
  const numbers = [0, 0, 0, 4, -2, 6, 10]; // keys ahead, then 0, 1, 2 and 3 places back
  const bytes = new Uint8Array(Int16Array.from(numbers).buffer);
  const bias = { shape: [7], steps: [1], data: btoa(String.fromCharCode(...bytes)) };
  const patterns = new Patterns(
    /** @type {any} */ ({ data: null, cell: 1, causal: true, queries: 4, keys: 4 }),
  );
  let shown = [];
  const picture = {
    run: {
      stack: () => 0,
      inStack: () => 0,
      sequences: [{ tokens: [1, 2, 3, 4], terms: { heads: [{ bias }] }, views: [{ patterns }] }],
      headCode: () => "",
      evidence: {},
    },
    glossary: { nodes: () => [] },
    map: { largest: 1, show: (matrix) => (shown = [...matrix]) },
  };
  PositionsPicture.prototype.show.call(/** @type {any} */ (picture), {}, 0, false, 0);
  assert.deepEqual(shown.slice(4, 6), [-3, 3]); // one back, and itself
  assert.deepEqual(shown.slice(12), [10 - 4.5, 6 - 4.5, -2 - 4.5, 4 - 4.5]);
});
