import assert from "node:assert/strict";
import { test } from "node:test";

import { known } from "../../../../tests/web/fake_document.mjs";
import { PeriodsChart } from "./periods.js";

test("means are over the periods in training, and over the others", () => {
  for (const end of ["", "-means"]) known.set("training-periods" + end, document.createElement("p"));
  known.set("training-fixed", document.createElement("p"));
  const shown = { app: { run: { sequences: [] } }, chart: { draw: () => {} } };
  const periods = [
    [4, 0.5, false],
    [8, 1, true],
    [9, 0.8, true],
    [16, 0.1, false],
    [20, 0, false],
  ];
  PeriodsChart.prototype.draw.call(/** @type {any} */ (shown), /** @type {any} */ ({ periods }));
  assert.equal(
    document.getElementById("training-periods-means").textContent,
    "Mean accuracy at periods in training: 0.90, at others 0.20.",
  );
});
