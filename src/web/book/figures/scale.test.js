import assert from "node:assert/strict";
import { test } from "node:test";

import { Figure, cells, numbersIn } from "../../../../tests/web/fake_document.mjs";
import { normals } from "../../kit/numbers.js";
import { Mask } from "./mask.js";
import { scale } from "./scale.js";

// e^score over their sum, without a shift.
/** @param {number[]} scores */
function shares(scores) {
  const powers = scores.map((score) => Math.E ** score);
  return powers.map((power) => power / powers.reduce((sum, one) => sum + one));
}
/** @type {(found: number[], expected: number[], by?: number) => void} */
function close(found, expected, by = 0.005 + 1e-9) {
  assert.equal(found.length, expected.length);
  found.forEach((value, i) =>
    assert.ok(Math.abs(value - expected[i]) <= by, `${i}: ${value}, not ${expected[i]}`),
  );
}

test("the weights of random keys, by the length of the query and by its size", () => {
  // The query's and the keys' coordinates, one coordinate after the other.
  const normal = normals(2933659);
  const coordinates = Array.from({ length: 512 }, () => [normal(), Array.from({ length: 16 }, normal)]);
  /** @param {number} length */
  const products = (length) =>
    Array.from({ length: 16 }, (_, key) =>
      coordinates
        .slice(0, length)
        .reduce((sum, [q, k]) => sum + Number(q) * /** @type {number[]} */ (k)[key], 0),
    );
  const figure = new Figure(scale);
  for (const [place, length] of [
    [3, 8],
    [5, 32],
    [0, 1],
  ])
    for (const [at, size] of [
      [1, 0.25],
      [4, 1],
      [6, 1.5],
    ]) {
      assert.equal(figure.slide("d_k", place), String(length));
      assert.equal(figure.slide("query times", at), size.toFixed(2));
      const raw = shares(products(length).map((product) => size * product));
      const scaled = shares(products(length).map((product) => (size * product) / Math.sqrt(length)));
      close(figure.bars("softmax of q·k:"), raw);
      close(figure.bars("softmax of q·k/√d_k:"), scaled);
      const says = figure.says();
      assert.ok(
        says.startsWith(
          `d_k = ${length}${size === 1 ? "" : `, the query times ${size}`}. Of q·k the largest`,
        ),
        says,
      );
      close(
        says.match(/(?:weight|it) is (\d\.\d+)/g).map((text) => Number(text.split(" ").at(-1))),
        [Math.max(...raw), Math.max(...scaled)],
      );
    }
});

test("the words for the largest weight follow its size", () => {
  const figure = new Figure(scale);
  const words = new Set();
  for (let place = 0; place < 10; ++place)
    for (let at = 0; at < 17; ++at) {
      (figure.slide("d_k", place), figure.slide("query times", at));
      const bars = ["softmax of q·k:", "softmax of q·k/√d_k:"].map((title) =>
        Math.max(...figure.bars(title)),
      );
      const said = [...figure.says().matchAll(/ is (\d\.\d+): ([^.]*)\./g)];
      assert.equal(said.length, 2);
      said.forEach(([, number, text], i) => {
        assert.equal(Number(number), bars[i]);
        if ([0.9, 0.5, 0.08].includes(bars[i])) return; // rounded, on a limit
        const meant =
          bars[i] > 0.9
            ? /nearly all/
            : bars[i] > 0.5
              ? /more than half/
              : bars[i] < 0.08
                ? /nearly the same/
                : /some keys/;
        assert.match(text, meant);
        words.add(text);
      });
    }
  assert.equal(words.size, 4);
});

test("a mask leaves a softmax over the keys that are seen", () => {
  const normal = normals(7);
  const scores = Array.from({ length: 8 }, () => Array.from({ length: 8 }, normal));
  const figure = new Figure((root) => new Mask(root));
  /** @type {Record<string, (query: number, key: number) => boolean>} */
  const masks = {
    causal: (query, key) => key <= query,
    padding: (_, key) => key > 2,
    both: (query, key) => key > 2 && key <= query,
    "no mask": () => true,
  };
  const check = (/** @type {(query: number, key: number) => boolean} */ sees) => {
    const drawn = cells(figure.named("table", "mask"));
    const pattern = cells(figure.named("table", "pattern"));
    let hidden = 0;
    scores.forEach((row, query) => {
      const powers = row.map((score, key) => (sees(query, key) ? Math.E ** score : 0));
      const sum = powers.reduce((all, power) => all + power);
      powers.forEach((power, key) => {
        hidden += sees(query, key) ? 0 : 1;
        assert.equal(drawn[query][key], sees(query, key) ? "1" : "0");
        const shown = power === 0 ? "" : (power / sum).toFixed(2).replace("0.", ".");
        assert.equal(pattern[query][key], shown, `query ${query}, key ${key}`);
      });
    });
    assert.equal(numbersIn(figure.says())[0], hidden);
    const ahead = scores.some((row, query) => row.some((_, key) => key > query && sees(query, key)));
    assert.equal(figure.says().includes("Some query sees a key ahead"), ahead);
    const empty = [0, 1, 2, 3, 4, 5, 6, 7].filter((query) => scores.every((_, key) => !sees(query, key)));
    assert.equal(figure.says().includes("sums to 1"), empty.length === 0);
    assert.equal(/[Rr]ows? ([\d, ]+) sees? no key/.exec(figure.says())?.[1] ?? "", empty.join(", "));
  };
  for (const [name, sees] of Object.entries(masks)) (figure.press(name), check(sees));
  figure.press("causal");
  figure.named("button", "1, visible: query 0, key 0").dispatch("click"); // by keyboard
  check((query, key) => key <= query && query + key > 0);
});
