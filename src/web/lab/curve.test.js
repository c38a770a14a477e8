import assert from "node:assert/strict";
import { test } from "node:test";

import { known, numbersIn } from "../../../tests/web/fake_document.mjs";
import { apart, drawCurves } from "./curve.js";

test("two models are drawn on one scale: steps, losses, accuracies, and where half was right", () => {
  const root = document.createElement("div");
  known.set("lab-curve", root);
  known.set("lab-curve-note", document.createElement("p"));
  /** @type {(...points: number[][]) => import("./curve.js").Point[]} */
  const curve = (...points) => points.map(([step, loss, accuracy]) => ({ step, loss, accuracy }));
  const curves = [curve([0, 2, 0.1], [30, 1, 0.6]), curve([0, 5, 0.2], [20, 3, 0.3], [40, 0.5, 0.7])];
  drawCurves(curves);
  const drawn = Array.from(root.querySelectorAll("polyline"), (line) =>
    numbersIn(line.getAttribute("points")),
  );
  // Where steps and shares stand follows from two points of the second accuracy.
  const [x0, y2, , , x40, y7] = drawn[3];
  const x = (step) => x0 + (step / 40) * (x40 - x0);
  const y = (share) => y2 + ((share - 0.2) / 0.5) * (y7 - y2);
  curves.forEach((points, i) =>
    [({ loss }) => loss / 5, ({ accuracy }) => accuracy].forEach((share, kind) =>
      points.forEach((point, at) => {
        const [left, top] = drawn[2 * i + kind].slice(2 * at);
        assert.ok(Math.abs(left - x(point.step)) < 0.02 && Math.abs(top - y(share(point))) < 0.02);
      }),
    ),
  );
  const formed = Array.from(root.querySelectorAll("line"))
    .filter((line) => line.getAttribute("class") === "formed")
    .map((line) => Number(line.getAttribute("x1")));
  assert.deepEqual(formed, [30, 40].map(x));
});

test("labels at the ends of lines do not overlap, and stay on the picture", () => {
  assert.deepEqual(apart([100, 40]), [100, 40]);
  assert.deepEqual(apart([50, 48, 45]), [69, 57, 45]);
  const places = apart([170, 171, 172]);
  assert.ok(Math.max(...places) <= 176 && places[1] - places[0] >= 12 && places[2] - places[1] >= 12);
});
