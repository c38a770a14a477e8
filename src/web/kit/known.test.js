import assert from "node:assert/strict";
import test from "node:test";
import { knownMark, knownTitle, marked } from "./known.js";

const KIND = { how: "tried", rests_on: "the matching that is lost", command: "certify DIR" };

test("a mark says the numbers, the measurement and the command", () => {
  assert.equal(knownTitle(KIND), "tried: The matching that is lost (./headlight certify DIR)");
  assert.equal(
    knownTitle(KIND, "0.96, control 0.03"),
    "tried: 0.96, control 0.03. The matching that is lost (./headlight certify DIR)",
  );
});

test("a mark stands before the full stop", () => {
  const mark = /** @type {any} */ ({});
  assert.deepEqual(marked(["It is so."], mark), ["It is so", " ", mark, "."]);
  assert.deepEqual(marked(["a", "b looks"], mark), ["a", "b looks", " ", mark]);
  assert.deepEqual(marked(["It is so."], knownMark(undefined)), ["It is so."]);
});
