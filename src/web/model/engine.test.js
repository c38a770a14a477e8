import assert from "node:assert/strict";
import { test } from "node:test";

import { fixed } from "../kit/text.js";
import { ENDED } from "./alive.js";
import { decodedLook } from "./decoded.js";
import { Engine } from "./engine.js";
import { SharedTraining } from "./training.js";

const MODEL = { n_layers: 1, n_heads: 2, vocabulary: ["a", "b", "c"], config: { train: { shards: 3 } } };

globalThis.Worker = /** @type {any} */ (
  class {
    terminate() {}
    postMessage() {}
  }
);

/**
 * An engine without a worker; the calls that it was asked for.
 *
 * @param {Engine} engine
 */
function recorded(engine = new Engine()) {
  /** @type {unknown[][]} */
  const calls = [];
  engine.call = async (name, input = "", ...args) => {
    calls.push([name, input, ...args]);
    if (name === "gradients") return Uint8Array.of(calls.length);
    return new TextEncoder().encode(JSON.stringify(name.startsWith("make") ? MODEL : { loss: calls.length }));
  };
  return { engine, calls };
}

test("a model without changes is evaluated once, until its weights change", async () => {
  const { engine, calls } = recorded();
  const changes = [
    () => engine.make({}),
    () => engine.makeByHand({ broken: "none", scales: [] }),
    () => engine.setWeights(new Uint8Array(0)),
    () => engine.apply(new Uint8Array(0)),
  ];
  for (const change of changes) {
    await change();
    calls.length = 0;
    const [one, other] = [await engine.evaluate(64), await engine.evaluate(64)];
    assert.equal(one, other);
    await engine.evaluate(16);
    await engine.evaluate(64, { off: [1] });
    await engine.evaluate(64, { off: [1] });
    assert.deepEqual(calls, [
      ["evaluate", {}, 64],
      ["evaluate", {}, 16],
      ["evaluate", { off: [1] }, 64],
      ["evaluate", { off: [1] }, 64],
    ]);
  }
});

test("workers share the shards of a step, and each gets the sums of the others", async () => {
  const training = new SharedTraining(5);
  const all = training.engines.map((engine) => recorded(engine).calls);
  await training.make({ task: {} });
  assert.equal(training.engines.length, 3); // no more than shards
  assert.deepEqual(
    all.map((calls) => calls.map(([, , ...range]) => range)),
    [
      [
        [0, 0],
        [0, 1],
      ],
      [[1, 2]],
      [[2, 3]],
      [],
      [],
    ],
  );
  await training.step();
  assert.deepEqual(
    all.slice(0, 3).map((calls) => calls.at(-1)),
    [
      ["apply", Uint8Array.of(2, 2)],
      ["apply", Uint8Array.of(3, 2)],
      ["apply", Uint8Array.of(3, 2)],
    ],
  );
  await training.setWeights(Uint8Array.of(7));
  for (const calls of all.slice(0, 3)) assert.deepEqual(calls.at(-1), ["set_weights", Uint8Array.of(7)]);
});

/** @param {Promise<unknown>} call */
async function outcome(call) {
  return Promise.race([
    call.then(
      () => "answered",
      (error) => error.message,
    ),
    new Promise((resolve) => setImmediate(resolve, "waits")),
  ]);
}

test("an engine that ends without a word answers every call, by its lock or by its silence", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const answer = (/** @type {Engine} */ engine, /** @type {number} */ id) =>
    engine.worker.onmessage(/** @type {any} */ ({ data: { id, output: new Uint8Array(0) } }));
  /** @type {(() => void)[]} */
  const released = [];
  const locks = {
    request: async (/** @type {string} */ _, /** @type {() => void} */ then) => released.push(then),
  };
  Object.defineProperty(globalThis, "navigator", { value: { locks }, configurable: true });

  const silent = new Engine();
  const [first, second] = [silent.post({}), silent.post({})];
  first.catch(() => {});
  second.catch(() => {});
  t.mock.timers.tick(100_000);
  answer(silent, 1); // then silence begins anew
  t.mock.timers.tick(115_000);
  assert.equal(await outcome(second), "waits");
  t.mock.timers.tick(5_000);
  assert.equal(await outcome(first), "answered");
  assert.equal(await outcome(second), ENDED);
  assert.equal(await outcome(silent.post({})), ENDED);

  const locked = new Engine();
  locked.alive.watchLock();
  const call = locked.post({});
  call.catch(() => {});
  t.mock.timers.tick(600_000); // a long call of a worker that lives
  assert.equal(await outcome(call), "waits");
  released[0]();
  assert.equal(await outcome(call), ENDED);
  locked.stop("another model was made");
  assert.equal(await outcome(locked.post({})), ENDED); // the first reason stays
});

test("a look is patterns, then probabilities, then those after each layer", () => {
  const patterns = [1, 0, 0.25, 0.75, 1, 0, 0.5, 0.5];
  const probabilities = [0.1, 0.7, 0.2, 0.6, 0.3, 0.1];
  const lens = [0.5, 0.2, 0.3, 0.1, 0.2, 0.7];
  const bytes = new Uint8Array(Float32Array.from([...patterns, ...probabilities, ...lens]).buffer);
  const look = decodedLook(/** @type {any} */ (MODEL), bytes, [0, 1]);
  const row = look.patterns.pattern(1).row(1);
  assert.ok(row.every((weight) => Math.abs(weight - 0.5) < 1e-4));
  assert.ok(Math.abs(look.patterns.pattern(0).weight(1, 1) - 0.75) < 1e-4);
  assert.deepEqual(
    look.guesses.map(({ token }) => token),
    [1, 0],
  );
  assert.ok(Math.abs(look.guesses[1].probability - 0.6) < 1e-6);
  assert.deepEqual(
    look.lens.map((after) => after.map(([token, probability]) => [token, fixed(probability)])),
    [
      [
        [0, "0.50"],
        [2, "0.70"],
      ],
    ],
  );
});
