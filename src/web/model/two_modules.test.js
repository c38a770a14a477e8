import assert from "node:assert/strict";
import { test } from "node:test";
import { moduleIn } from "./two_modules.js";

const bytes = (text) => [...text].map((letter) => letter.charCodeAt(0));
const text = (module) => String.fromCharCode(...module);

test("the second module is the first with pieces of its own, copied from ahead and from behind", () => {
  const packed = new Uint8Array(
    [
      [6, ...bytes("abcdef")],
      [10], // the length of the second
      [1, ...bytes("X"), 4, 3], // two ahead: "cde"
      [0, 9, 2], // five back, from behind "e": "ab"
      [2, ...bytes("YZ"), 4, 1], // two ahead: "e"
      [1, ...bytes("W"), 0, 0],
    ].flat(),
  );
  assert.equal(text(moduleIn(packed, true)), "abcdef");
  assert.equal(text(moduleIn(packed, false)), "XcdeabYZeW");
});

test("numbers of more than seven bits are read", () => {
  const first = Uint8Array.from({ length: 300 }, (_, i) => i % 251);
  const packed = new Uint8Array([0xac, 2, ...first, 200, 1, 0, 0x90, 1, 200, 1]); // 200 bytes from place 72
  assert.deepEqual([...moduleIn(packed, false)], [...first.subarray(72, 272)]);
});
