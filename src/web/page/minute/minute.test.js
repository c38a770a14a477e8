import assert from "node:assert/strict";
import { test } from "node:test";

import { CUT } from "./captions.js";
import { Line } from "./frames.js";
import { Minute } from "./minute.js";

test("a typed line is looked at from its own place, whatever was chosen on the line before", () => {
  const predictable = (/** @type {number[]} */ tokens) => tokens.map((token, i) => tokens.indexOf(token) < i);
  const tokens = [0, 1, 2, 3, 0, 1, 2, 3];
  const typed = [2, 1, 2, 1];
  const frame = {
    note: () => 0.5,
    weight: (_, query) => 0.1 * query,
    guess: () => ({ token: 1, probability: 0.5 }),
  };
  /** @type {any} */
  const minute = Object.assign(Object.create(Minute.prototype), {
    layout() {},
    wake() {},
    still: {},
    line: new Line(tokens, predictable(tokens), 4),
    frames: [frame],
    data: { steps: [0] },
  });
  minute.reset(CUT);
  minute.choose(6);
  assert.equal(minute.scene().query, 6);
  minute.flip(2);
  minute.showOwn(new Line(typed, predictable(typed), 2), frame);
  const { query, looks, guesses } = minute.scene();
  assert.deepEqual([query, looks, guesses.length], [2, [0.2, 0.2, 0.2, 0], 4]);
  minute.reset(CUT); // and back
  assert.equal(minute.scene().query, 4);
});
