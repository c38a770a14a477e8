import assert from "node:assert/strict";
import { test } from "node:test";

import { Figure, cells, numbersIn } from "../../../../tests/web/fake_document.mjs";
import { Paths } from "./paths.js";

test("the paths from an entry add up to the loss's slope", () => {
  const figure = new Figure((root) => new Paths(root));
  /** @param {string} name */
  const matrix = (name) => cells(figure.named("table", name)).map((row) => row.map(Number));
  const [X, W, Y, bar] = ["X", "W", "Y", "Ȳ"].map(matrix);
  /** @type {(x: number[][], w: number[][]) => number[][]} */
  const product = (x, w) =>
    x.map((row) => w[0].map((_, j) => row.reduce((sum, value, p) => sum + value * w[p][j], 0)));
  assert.deepEqual(Y, product(X, W));
  /** @type {(x: number[][], w: number[][]) => number} */
  const loss = (x, w) =>
    product(x, w)
      .flat()
      .reduce((sum, y, i) => sum + y * bar.flat()[i], 0);
  for (const [name, entries] of Object.entries({ X, W }))
    entries.forEach((row, i) =>
      row.forEach((entry, j) => {
        figure.named("button", `${name}[${i},${j}], ${entry}`).dispatch("click");
        const moved = entries.map((each, r) => each.map((value, c) => value + (r === i && c === j ? 1 : 0)));
        const slope = (name === "X" ? loss(moved, W) : loss(X, moved)) - loss(X, W); // L is linear in each
        const says = figure.says();
        assert.equal(numbersIn(says).at(-1), slope, says);
        const [, sum] = /the sum of both paths, (.*) = /.exec(says);
        const paths = figure.all("li").map((line) => line.textContent);
        assert.deepEqual(
          paths.map((line) => line.split("L ")[1].split(" = ")[0]),
          sum.split(" + "),
        );
        const parts = paths.map((line) => {
          const [factors, value] = line.split("L ")[1].split(" = ");
          const [one, other] = factors.split("·").map(Number);
          assert.equal(one * other, Number(value));
          // The entry of the other factor, that of Y and that of Ȳ stand where the path says.
          const [, from, r, c, number] = /([XW])\[(\d),(\d)\] = (\d+)Y/.exec(line);
          assert.equal({ X, W }[from][Number(r)][Number(c)], Number(number));
          const [, k, l, weight] = /Y\[(\d),(\d)\]Ȳ = (\d+)/.exec(line);
          assert.equal(bar[Number(k)][Number(l)], Number(weight));
          assert.deepEqual([one, other].sort(), [Number(number), Number(weight)].sort());
          return Number(value);
        });
        assert.equal(
          parts.reduce((all, part) => all + part),
          slope,
        );
      }),
    );
});

test("the next path is lit, and described", () => {
  const figure = new Figure((root) => new Paths(root));
  figure.named("button", "W[1,0], 3").dispatch("click");
  assert.match(figure.says(), /leads through Y\[0,0\]: its slopes are 2 and 1\./);
  figure.press("Next path");
  assert.match(figure.says(), /leads through Y\[1,0\]: its slopes are 5 and 100\./);
  assert.match(figure.all("li").find((line) => line.className === "lit").textContent, /5·100 = 500$/);
});
