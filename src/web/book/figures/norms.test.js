import assert from "node:assert/strict";
import { test } from "node:test";

import { Figure, numbersIn } from "../../../../tests/web/fake_document.mjs";
import { normals } from "../../kit/numbers.js";
import { norms } from "./norms.js";

// The root of the mean square behind each of 24 random matrices, written out for each place of the norm.
/** @param {string} place */
function expected(place) {
  const normal = normals(10);
  let x = Array.from({ length: 32 }, normal);
  /** @param {number[]} v */
  const normed = (v) => {
    const mean = v.reduce((sum, one) => sum + one) / 32;
    const variance = v.reduce((sum, one) => sum + (one - mean) ** 2, 0) / 32;
    return v.map((one) => (one - mean) / Math.sqrt(variance));
  };
  return Array.from({ length: 24 }, () => {
    const f = Array.from({ length: 32 }, () => Array.from({ length: 32 }, () => normal() / Math.sqrt(32)));
    const read = place === "norm before the part" ? normed(x) : x;
    const sum = f.map((row, i) => row.reduce((all, weight, j) => all + weight * read[j], x[i]));
    x = place === "norm after the sum" ? normed(sum) : sum;
    return Math.sqrt(x.reduce((all, one) => all + one * one, 0) / 32);
  });
}

test("the stream's size behind each block, for each place of the norm", () => {
  const figure = new Figure(norms);
  for (const place of ["norm after the sum", "no norm", "norm before the part"]) {
    figure.press(place);
    const sizes = expected(place);
    const shown = figure.all("svg").at(-1).getAttribute("aria-label").split(", ").map(Number);
    assert.equal(shown.length, 24);
    shown.forEach((size, i) =>
      assert.ok(Math.abs(size - sizes[i]) <= 0.00501 + 1e-9 * size, `${place}, block ${i}`),
    );
    // The curve that is lit, on the rules of 1 and 10,000.
    const chart = figure.all("svg").at(-1);
    const [one, most] = ["1", "10000"].map((text) => figure.placeOfRule(chart, text));
    const curves = figure.all("polyline", chart).filter((line) => line.getAttribute("class") === "curve lit");
    assert.equal(curves.length, 1);
    const drawn = curves[0]
      .getAttribute("points")
      .split(" ")
      .map((point) => Number(point.split(",")[1]));
    drawn.forEach((y, i) =>
      assert.ok(Math.abs(((one - y) / (one - most)) * 4 - Math.log10(sizes[i])) < 0.01, `${i}`),
    );
    const said = numbersIn(figure.says());
    const short = (/** @type {number} */ size) => Number(size.toFixed(size < 100 ? 2 : 0));
    assert.deepEqual(said.slice(0, 4), [short(sizes[0]), 0, short(sizes[23]), 23]);
    if (place === "no norm") assert.ok(Math.abs(said[4] ** 23 / (sizes[23] / sizes[0]) - 1) < 0.1);
    const [before, after] = [/f\(norm\(x\)\)/, /norm\(x \+ f/].map((form) =>
      form.test(figure.all("h4")[0].textContent),
    );
    assert.deepEqual([before, after], [place === "norm before the part", place === "norm after the sum"]);
  }
});
