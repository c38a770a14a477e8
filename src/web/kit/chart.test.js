import assert from "node:assert/strict";
import { test } from "node:test";

import { Chart } from "./chart.js";

test("a press on a point of a chart is at its step, beside labels on both sides", () => {
  const chart = Object.assign(Object.create(Chart.prototype), {
    left: 40,
    right: 120,
    width: 600,
    lastStep: 700,
  });
  for (const step of [0, 150, 700]) assert.ok(Math.abs(chart.stepAt(chart.x(step)) - step) < 1e-9);
  assert.deepEqual([chart.x(0), chart.x(700)], [40, 480]);
});
