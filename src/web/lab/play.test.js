import assert from "node:assert/strict";
import { test } from "node:test";

import { Play } from "./play.js";

test("a layer is switched off with its MLP, and on again", () => {
  /** @param {boolean} mlps */
  const play = (mlps) => ({ model: { n_heads: 3, mlps }, off: new Set([4]), mlps: new Set() });
  /** @type {(of: ReturnType<typeof play>, layer: number) => number[][]} */
  const after = (of, layer) => {
    Play.prototype.toggleLayer.call(/** @type {any} */ (of), layer);
    return [[...of.off].sort(), [...of.mlps]];
  };
  const whole = play(true);
  assert.deepEqual(after(whole, 1), [[3, 4, 5], [1]]); // a head was off already
  assert.deepEqual(after(whole, 0), [
    [0, 1, 2, 3, 4, 5],
    [1, 0],
  ]);
  assert.deepEqual(after(whole, 1), [[0, 1, 2], [0]]);
  assert.deepEqual(after(play(false), 0), [[0, 1, 2, 4], []]);
});
