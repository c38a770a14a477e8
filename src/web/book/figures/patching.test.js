import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { Figure } from "../../../../tests/web/fake_document.mjs";
import { patching } from "./patching.js";

const SENDERS = ["L0H0", "L0H1", "L0H2", "L0H3"];
const INPUTS = ["queries", "keys", "values"];

/** @param {Figure} figure */
const lit = (figure) =>
  figure
    .all("g")
    .filter((node) => node.getAttribute("class") === "box lit")
    .map((node) => node.textContent);

test("the accuracies are those of the lesson's table", () => {
  const printed = readFileSync(
    new URL("../../../../lessons/13_inside_the_heads/expected.txt", import.meta.url),
    "utf8",
  );
  const lines = printed.slice(printed.indexOf("into queries")).split("\n");
  const figure = new Figure(patching);
  figure.press("run 3");
  for (const sender of SENDERS) {
    const row = lines
      .find((line) => line.trim().startsWith(sender))
      .trim()
      .split(/\s+/)
      .slice(2);
    INPUTS.forEach((input, i) => {
      (figure.press(sender), figure.press(`into ${input}`));
      assert.match(figure.says(), new RegExp(`Only the ${input} of .* The accuracy is ${row[i]};`));
    });
  }
});

test("what comes from other tokens is lit: all, one sender and what reads it, one input", () => {
  const figure = new Figure(patching);
  for (const sender of SENDERS)
    for (const input of INPUTS) {
      (figure.press(sender), figure.press(`into ${input}`));
      figure.press("run 1");
      assert.deepEqual(lit(figure), ["tokens", ...SENDERS, ...INPUTS, "L1", "logits"]);
      figure.press("run 2");
      assert.deepEqual(lit(figure), [sender, ...INPUTS]);
      assert.match(figure.says(), new RegExp(`but ${sender} writes what it wrote in run 1`));
      figure.press("run 3");
      assert.deepEqual(lit(figure), [sender, input, "L1", "logits"]);
    }
});
