import assert from "node:assert/strict";
import { test } from "node:test";

import { axisEnd } from "./chart.js";
import { csvOf, patternRows } from "./save.js";
import { Scale } from "./scale.js";
import { capital, percent, visible } from "./text.js";

test("every token has a look", () => {
  const looks = {
    "": "∅",
    " ": "␣",
    "\n": "↵",
    "\0": "␀",
    "\x7f": "␡",
    "\u2028": "U+2028",
    "␣": "U+2423",
    "🙂a": "🙂a",
  };
  for (const [text, look] of Object.entries(looks)) assert.equal(visible(text), look);
  assert.equal(visible("a b\u202e"), "a␣bU+202E");
  assert.equal(capital("the end"), "The end");
});

test("100 stands only for all of it, and 0 only for nothing", () => {
  const rows = /** @type {[number, string, string][]} */ ([
    [1, "100.0 %", "100 %"],
    [0.9999, ">99.9 %", ">99 %"],
    [0.9949, "99.5 %", "99 %"],
    [0.8125, "81.3 %", "81 %"],
    [0.004, "0.4 %", "<1 %"],
    [0.0003, "<0.1 %", "<1 %"],
    [0, "0.0 %", "0 %"],
  ]);
  for (const [part, tenths, whole] of rows)
    assert.deepEqual([percent(part), percent(part, 0)], [tenths, whole]);
});

test("an axis ends at a round number above all values", () => {
  const ends = [
    [5, [0, 4.66]],
    [1, [1]],
    [20000, [18060]],
    [0.05, [0.041]],
    [1, [0]],
    [4, [4]],
  ];
  for (const [end, values] of /** @type {[number, number[]][]} */ (ends)) assert.equal(axisEnd(values), end);
});

test("CSV quotes what would be misread", () => {
  assert.equal(csvOf([["a,b", 'c"d', 1], ["e\nf"]]), '"a,b","c""d",1\n"e\nf"\n');
});

test("the weights that are seen, one a row", () => {
  const pattern = {
    queries: 2,
    cell: 2,
    seen: (query) => [query, 2],
    weight: (query, key) => 1 / 3 + query + key,
  };
  const rows = patternRows({ headCode: (head) => "H" + head }, [4], () => /** @type {any} */ (pattern));
  assert.deepEqual(rows, [
    ["head", "query", "key", "weight"],
    ["H4", 0, 0, 0.333333],
    ["H4", 0, 2, 1.333333],
    ["H4", 2, 2, 2.333333],
  ]);
});

test("colours go evenly, or by powers of 10", () => {
  const even = new Scale(["#000000", "#ffffff"], "#808080", false);
  assert.deepEqual([even.css[0], even.css[128], even.css[255]], ["#000000", "#808080", "#ffffff"]);
  assert.equal(even.level(0.5), 128);
  const powers = new Scale(["#000000", "#ffffff"], "#808080", true);
  assert.deepEqual(
    [0, 1e-4, 1e-2, 1].map((weight) => powers.level(weight)),
    [0, 0, 128, 255],
  );
  assert.equal(even.table(2)[1], even.pixels[128]);
});
