import assert from "node:assert/strict";
import { test } from "node:test";

import { lensNames, rightAlong } from "./lens.js";

test("the rows of a lens end before the last layer", () => {
  assert.deepEqual(lensNames({ lens: [[], [], []] }), ["embedding", "layer 0", "layer 1"]);
  assert.deepEqual(lensNames({}), []);
});

test("a strip has the probability where the guess is the target", () => {
  assert.deepEqual(
    rightAlong(
      [
        [3, 0.5],
        [1, 0.25],
        [2, 0.75],
      ],
      [3, 2, -1],
    ),
    [0.5, null, null],
  );
});
