import assert from "node:assert/strict";
import { test } from "node:test";
import { pressable } from "./verdict.js";

// As much of a document as is asked for.
class Element {
  constructor(name) {
    this.name = name;
    this.children = [];
  }
  append(...children) {
    this.children.push(...children);
  }
  addEventListener(_, act) {
    this.click = act;
  }
}
globalThis.document = /** @type {any} */ ({ createElement: (name) => new Element(name) });

test("commands and places of a text are pressed, and the text stays as it is", () => {
  const pressed = [];
  const say = (what) => (found) => pressed.push([what, found]);
  const text =
    "Wrong. ./headlight check 2.4 shows it, ./headlight hint 2 helps.\n" +
    'Read again: "A\ntape" in x.\nmy/a.cpp:12\n';
  const block = pressable(text, [
    ["\\./headlight check 2(?:\\.(\\d+))?\\b", say("check")],
    ["\\./headlight hint(?: 2(?:\\.(\\d+))?\\b)?", say("hint")],
    ['Read again: "([^"]+)"\\s+in\\s+x', say("read")],
    ["my/a\\.cpp:(\\d+)", say("line")],
  ]);
  const words = block.children.map((child) => (typeof child === "string" ? child : child.textContent));
  assert.equal(words.join(""), text);
  for (const child of block.children) child.click?.();
  assert.deepEqual(pressed, [
    ["check", "4"],
    ["hint", undefined],
    ["read", "A\ntape"],
    ["line", "12"],
  ]);
});
