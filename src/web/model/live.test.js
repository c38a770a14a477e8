import assert from "node:assert/strict";
import { test } from "node:test";

import { LiveModel } from "./live.js";

function live() {
  const state = { engine: 0 };
  const store = { state, change: (/** @type {object} */ changes) => Object.assign(state, changes) };
  const model = new LiveModel(/** @type {any} */ ({ run: {}, store }));
  model.ready = Promise.resolve();
  return model;
}
const settled = () => new Promise((resolve) => setTimeout(resolve));

test("of questions of a kind only the newest is asked", async () => {
  const model = live();
  /** @type {string[]} */
  const asked = [];
  const ask = (/** @type {string} */ name, of = name) =>
    model.answer(name, async () => (asked.push(name), name + "!"), of);
  for (const name of ["a", "ab", "abc"]) assert.equal(ask(name, "typed"), undefined);
  ask("other");
  ask("more");
  await settled();
  assert.deepEqual(asked, ["a", "abc", "other", "more"]); // the first was being asked already
  assert.deepEqual([ask("abc"), ask("other"), model.store.state.engine], ["abc!", "other!", 4]);
  assert.equal(ask("ab", "typed"), undefined); // and now it is
  await settled();
  assert.equal(ask("ab"), "ab!");
});

test("a question that fails ends all answers, and says why", async () => {
  const model = live();
  model.answer("a", async () => {
    throw new Error("the worker was stopped");
  });
  await settled();
  assert.equal(
    model.answer("b", async () => 1),
    null,
  );
  assert.equal(model.why, "the engine does not run here (the worker was stopped)");
});
