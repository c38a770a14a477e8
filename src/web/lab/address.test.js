import assert from "node:assert/strict";
import { test } from "node:test";

import { originIn, restore, sameOrigin, stateOf } from "./address.js";
import { halfRight } from "./curve.js";
import { ofShortPeriods } from "./guesses.js";

/** @param {object} more */
function playing(more = {}) {
  const play = {
    model: { vocabulary: Array.from("abcdefgh"), n_ctx: 8, n_layers: 2, n_heads: 2 },
    tokens: [1, 2, 3],
    head: 0,
    off: new Set(),
    cut: [],
    reason: { cell: null },
    code: (head) => `L${Math.floor(head / 2)}H${head % 2}`,
    origin: () => [],
    allOn() {
      this.off.clear();
      this.cut = [];
    },
    put(tokens) {
      this.tokens = tokens;
    },
    get changes() {
      return { off: [...this.off].sort() };
    },
    ...more,
  };
  return /** @type {Play & typeof play} */ (/** @type {unknown} */ (play));
}

const STATE = "tokens:5,1,7;off:L0H1,L1H1;head:L1H0;cell:2,1;cut:L1H0-2-1";

test("an address holds what is played with", () => {
  const play = playing({
    tokens: [5, 1, 7],
    off: new Set([3, 1]),
    head: 2,
    cut: [[2, 2, 1]],
    reason: { cell: { query: 2, key: 1 } },
  });
  assert.equal(stateOf(play), STATE);
  assert.equal(
    stateOf(playing({ origin: () => ["new:a=1", "step:3"] })),
    "tokens:1,2,3;head:L0H0;new:a=1;step:3",
  );
});

test("an address makes it again", () => {
  const play = playing({ off: new Set([0]) });
  assert.equal(restore(play, STATE), true);
  assert.equal(stateOf(play), STATE);
  assert.deepEqual([[...play.off], play.cut, play.head], [[1, 3], [[2, 2, 1]], 2]);
});

test("what is no part of the model is left out", () => {
  const play = playing();
  assert.equal(
    restore(play, "tokens:1,2;off:L5H0,L0H0;head:L9H9;cell:5,1;cut:L0H0-1-1,L7H0-1-0,L0H0-0-1,L0H0-2-0"),
    true,
  );
  assert.deepEqual([[...play.off], play.cut, play.head, play.reason.cell], [[0], [[0, 1, 1]], 0, null]);
  for (const state of ["tokens:8", "tokens:1,1,1,1,1,1,1,1,1", "off:L0H0", "tokens:x"])
    assert.equal(restore(play, state), false, state);
});

test("a link names the settings of a new model", () => {
  assert.deepEqual(originIn("tokens:1;new:model.n_layers=1,task.n_ctx=16;step:300"), {
    settings: ["model.n_layers=1", "task.n_ctx=16"],
    step: 300,
  });
  assert.deepEqual(originIn("tokens:1;new:"), { settings: [], step: 0 });
  assert.equal(originIn("tokens:1").settings, null);
});

test("an address asks for the present model or for another one", () => {
  const now = "new:model.n_layers=1,task.n_ctx=16;step:300";
  for (const same of [now, "step:300;new:task.n_ctx=16,model.n_layers=1;tokens:5"])
    assert.equal(sameOrigin(same, now), true, same);
  for (const other of [
    "tokens:5",
    "new:model.n_layers=2,task.n_ctx=16;step:300",
    "new:model.n_layers=1;step:300",
    "new:model.n_layers=1,task.n_ctx=16;step:299",
  ])
    assert.equal(sameOrigin(other, now), false, other);
  assert.equal(sameOrigin("tokens:5", ""), true); // of the run, or of what no link can make again
  assert.equal(sameOrigin("new:;step:0", ""), false);
});

test("the step at which half was right, and whose", () => {
  const curve = (formed) =>
    [0, 10, 20, 30].map((step) => ({ step, loss: 4, accuracy: step >= formed ? 0.5 : 0.49 }));
  assert.deepEqual(halfRight([curve(20)]), [{ step: 20, words: "half is right at step 20" }]);
  assert.deepEqual(halfRight([curve(40), curve(10)]), [
    null,
    { step: 10, words: "second: half is right at step 10" },
  ]);
});

test("a repeat run says from where on it can be sure", () => {
  assert.match(ofShortPeriods({ task: { name: "repeat", n_ctx: 64 } }), /shorter than 16 tokens/);
  assert.match(
    ofShortPeriods({ task: { name: "repeat", n_ctx: 64, min_segment: 5 } }),
    /shorter than 5 tokens/,
  );
  assert.equal(ofShortPeriods({ task: { name: "markov" } }), "");
});
