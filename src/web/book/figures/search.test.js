import assert from "node:assert/strict";
import { test } from "node:test";

import { excerpt, placesOf, sectionsWith, wordsOf } from "./search.js";

const SECTIONS = [
  { id: "a", title: "Masks", text: "A mask hides keys. A causal mask hides those ahead.", code: "" },
  { id: "b", title: "The causal mask", text: "Of each row.", code: "" },
  { id: "c", title: "Softmax", text: "mask mask mask causal", code: "" },
  { id: "d", title: "Softmax", text: "A causal model.", code: "causal_mask(causal, mask) // causal mask" },
  { id: "e", title: "Tape", text: "", code: "tape tape tape" },
  { id: "f", title: "Numbers", text: "One tape.", code: "" },
];

test("sections have all words, and those with a word in the title come first", () => {
  const found = (wanted) => sectionsWith(SECTIONS, wordsOf(wanted)).map(({ id }) => id);
  assert.deepEqual(found(" Causal  MASK "), ["b", "a", "c", "d"]);
  assert.deepEqual(found("softmax"), ["c", "d"]);
  assert.deepEqual(found("nothing"), []);
});

test("a section that says the words comes before one whose code has them, however often", () => {
  const found = sectionsWith(SECTIONS, ["tape"]).map(({ id }) => id);
  assert.deepEqual(found, ["e", "f"]); // the first has the word in its title
  assert.deepEqual(
    sectionsWith([{ id: "g", title: "Code", text: "", code: "tape tape" }, ...SECTIONS], ["tape"]).map(
      ({ id }) => id,
    ),
    ["e", "f", "g"],
  );
});

test("the places of the words stand apart and in order, a longer word before one that is in it", () => {
  assert.deepEqual(placesOf("A Mask, masked", ["mask", "masked"]), [
    [2, 6],
    [8, 14],
  ]);
  assert.deepEqual(placesOf("a.b aab", ["a.b"]), [[0, 3]]);
});

test("an excerpt stands around the first place of the word", () => {
  const text = "x".repeat(100) + " the Mask\n hides " + "y".repeat(200);
  const shown = excerpt({ id: "", title: "", text, code: "" }, "mask");
  assert.match(shown, /^ … x+ the Mask hides y+ …$/);
  assert.equal(shown.length, 160 - 1 + 5);
  assert.equal(excerpt({ id: "", title: "", text: "mask", code: "a mask" }, "mask"), " … mask …");
  assert.equal(excerpt({ id: "", title: "", text: "a row", code: "a mask" }, "mask"), " … a mask …");
});
