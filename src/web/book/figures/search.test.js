import assert from "node:assert/strict";
import { test } from "node:test";

import { excerpt, sectionsWith, wordsOf } from "./search.js";

const SECTIONS = [
  { id: "a", title: "Masks", text: "A mask hides keys. A causal mask hides those ahead." },
  { id: "b", title: "The causal mask", text: "Of each row." },
  { id: "c", title: "Softmax", text: "mask mask mask causal" },
  { id: "d", title: "Softmax", text: "A causal model." },
];

test("sections have all words, and those with a word in the title come first", () => {
  const found = (wanted) => sectionsWith(SECTIONS, wordsOf(wanted)).map(({ id }) => id);
  assert.deepEqual(found(" Causal  MASK "), ["b", "a", "c"]);
  assert.deepEqual(found("softmax"), ["c", "d"]);
  assert.deepEqual(found("nothing"), []);
});

test("an excerpt stands around the first place of the word", () => {
  const text = "x".repeat(100) + " the Mask\n hides " + "y".repeat(200);
  const shown = excerpt(text, "mask");
  assert.match(shown, /^ … x+ the Mask hides y+ …$/);
  assert.equal(shown.length, 160 - 1 + 5);
  assert.equal(excerpt("mask", "mask"), " … mask …");
});
