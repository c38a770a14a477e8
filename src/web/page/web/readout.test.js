import assert from "node:assert/strict";
import { test } from "node:test";

import { rowSum, seenKeys } from "./readout.js";
import { Run } from "./run.js";

test("a query sees the keys of its window alone", () => {
  /** @param {object} more @param {boolean} [crossed] */
  const said = (more, crossed = false) =>
    seenKeys({ causal: true, window: Infinity, queries: 12, cell: 2, ...more }, crossed);
  assert.equal(said({}), "itself and those before it");
  assert.equal(said({ window: 23 }), "itself and the 22 before it");
  assert.equal(said({ window: 24 }), "itself and those before it"); // of 24 tokens
  assert.equal(said({ causal: false }), "any token of the sequence");
  assert.equal(said({ causal: false, window: 8 }), "any token less than 8 places away");
  assert.equal(said({ causal: false }, true), "any token of the other sequence");
});

test("a row adds up to 1 only without a sink", () => {
  /** @param {string} value */
  const said = (value) =>
    rowSum(Object.assign(Object.create(Run.prototype), { settings: [["model.sinks", value]] }));
  assert.equal(said("false"), "Each row adds up to 1.");
  assert.match(said("true"), /^Each row adds up to at most 1:/);
});
