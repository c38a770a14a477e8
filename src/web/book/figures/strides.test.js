import assert from "node:assert/strict";
import { test } from "node:test";

import { Figure, cells } from "../../../../tests/web/fake_document.mjs";
import { Walk } from "./strides.js";

const x = [
  [10, 11, 12],
  [13, 14, 15],
];
// What each view is, without strides.
/** @type {Record<string, number[][]>} */
const VIEWS = {
  x,
  "its transpose": [0, 1, 2].map((j) => x.map((row) => row[j])),
  "its reshape": [0, 2, 4].map((i) => x.flat().slice(i, i + 2)),
  "row x[0,:]": [x[0]],
  "column x[:,0]": x.map((row) => [row[0]]),
  "row x[0,:] broadcast": [x[0], x[0], x[0]],
  "column x[:,0] broadcast": x.map((row) => new Array(4).fill(row[0])),
};

test("each view reads the elements that its name says, row by row", () => {
  const figure = new Figure((root) => new Walk(root));
  for (const [name, elements] of Object.entries(VIEWS)) {
    figure.press(name);
    const count = elements.flat().length;
    for (let at = 0; at < count; ++at) {
      const [i, j] = [Math.floor(at / elements[0].length), at % elements[0].length];
      const number = elements[i][j];
      assert.match(
        figure.says(),
        new RegExp(`\\[${i},${j}\\] stands at offset .* = ${number - 10}, and that is ${number}\\.$`),
      );
      const lit = figure.all("td").filter((cell) => cell.className === "lit");
      assert.deepEqual(
        lit.map((cell) => cell.textContent),
        [String(number), String(number)],
        "in the buffer, and in what is read",
      );
      if (at + 1 < count) figure.press("Step");
    }
    assert.deepEqual(
      cells(figure.named("table", "what is read")),
      elements.map((row) => row.map(String)),
    );
    figure.press("Step"); // after the last the first
    assert.match(figure.says(), /\[0,0\]/);
    figure.press("Back");
    assert.match(figure.says(), new RegExp(`\\[${elements.length - 1},${elements[0].length - 1}\\]`));
  }
});

test("lengths and strides are those of their axes", () => {
  const figure = new Figure((root) => new Walk(root));
  const inputs = figure.all("input"); // two lengths, then two strides
  [2, 4, 5, 1].forEach((value, i) => figure.write(inputs[i], value));
  for (let i = 0; i < 5; ++i) figure.press("Step");
  assert.equal(
    figure.says(),
    "Element [1,1] would stand at offset 1·5 + 1·1 = 6. That is out of range: " +
      "the buffer has 6 numbers, and its last offset is 5.",
  );
  figure.press("Back");
  assert.equal(figure.says(), "Element [1,0] stands at offset 1·5 + 0·1 = 5, and that is 15.");
});
