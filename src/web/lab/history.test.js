import { test } from "node:test";
import assert from "node:assert/strict";
import { History } from "./history.js";

/** @type {(step: number, accuracy: number | null) => import("./history.js").Kept} */
const at = (step, accuracy) => ({
  step,
  seconds: step / 10,
  loss: 1,
  accuracy,
  weights: Uint8Array.of(step % 256),
});

test("what is kept for the page has both ends, and more where accuracy rises", () => {
  const history = new History();
  for (let step = 0; step <= 300; ++step) {
    history.keep(at(step, step < 100 ? 0 : step < 120 ? (step - 100) / 20 : 1));
  }
  assert.ok(history.kept.length <= 200);
  assert.equal(history.curve.length, 300); // what was there before the first step has no loss
  const steps = history.telling.map(({ step }) => step);
  assert.equal(steps[0], 0);
  assert.equal(steps.at(-1), 300);
  assert.ok(steps.length <= 12 && steps.length > 8);
  assert.deepEqual(
    steps,
    [...steps].sort((one, other) => one - other),
  );
  assert.ok(steps.filter((step) => step >= 95 && step <= 125).length >= 4);
});

test("going back keeps what came later until training goes on", () => {
  const history = new History();
  for (const step of [40, 41, 50, 60]) {
    history.keep(at(step, 0.5));
  }
  assert.equal(history.goBack(2).step, 50);
  assert.deepEqual(
    history.telling.map(({ step }) => step),
    [40, 41, 50],
  );
  assert.equal(history.kept.length, 4);
  history.leaveBack();
  assert.deepEqual(
    history.curve.map(({ step }) => step),
    [41, 50],
  );
  assert.equal(history.base, 50);
  assert.equal(history.seconds, 5);
  assert.deepEqual(
    new History().telling.map(({ step }) => step),
    [],
  );
});

test("a model that is put aside keeps the steps that tell most, and goes on from the last", () => {
  const history = new History();
  for (let step = 0; step <= 300; step += 10) {
    history.keep(at(step, step / 300));
  }
  history.goBack(20);
  history.thin();
  assert.equal(history.kept.at(-1).step, 300); // what came after the shown step is not lost
  assert.ok(history.kept.length <= 12);
  assert.equal(history.resume().step, 300);
  assert.equal(history.base, 300);
  assert.equal(history.curve.at(-1).step, 300);
});

test("a training beside the present one begins with what led to the shown step", () => {
  const history = new History();
  for (const step of [0, 10, 20, 30]) {
    history.keep(at(step, 0.5));
  }
  history.goBack(1);
  const { shown } = history;
  shown.keep(at(15, 0.5));
  assert.deepEqual(
    shown.curve.map(({ step }) => step),
    [10, 15],
  );
  assert.equal(shown.base, 10);
  assert.equal(history.kept.at(-1).step, 30);
  assert.equal(history.curve.length, 3);
  assert.equal(history.back, 1);
});

test("one kept state is the page's only one", () => {
  const history = new History();
  history.keep(at(0, null));
  assert.deepEqual(history.telling, history.kept);
});

test("a model that was trained before is counted on from its steps", () => {
  const history = History.of(Uint8Array.of(1), { steps: 700, seconds: 9.5 });
  assert.deepEqual([history.seconds, history.kept[0].seconds], [9.5, 9.5]);
  assert.deepEqual([history.base, history.kept.map(({ step }) => step)], [700, [700]]);
  history.keep(at(701, 0.5));
  assert.deepEqual(
    history.curve.map(({ step }) => step),
    [701],
  );
});
