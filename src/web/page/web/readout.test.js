import assert from "node:assert/strict";
import { test } from "node:test";

import { rowSum } from "./readout.js";
import { Run } from "./run.js";

test("a row adds up to 1 only without a sink", () => {
  /** @param {string} value */
  const said = (value) =>
    rowSum(Object.assign(Object.create(Run.prototype), { settings: [["model.sinks", value]] }));
  assert.equal(said("false"), "Each row adds up to 1.");
  assert.match(said("true"), /^Each row adds up to at most 1:/);
});
