import assert from "node:assert/strict";
import { test } from "node:test";

import { normals } from "../../kit/numbers.js";
import { causes } from "./score_reason.js";
import { HeadTerms, LogitTerms } from "./terms.js";

const N = 12;
const WIDTH = 2;
/** @type {TermPart[]} */
const PARTS = [
  ["embed", 0],
  ["head", 1],
  ["bias", 0],
];
const STEP = 1 / 4096;

/** @param {number[]} shape @param {number[]} values */
function packed(shape, values) {
  const bytes = new Uint8Array(Int16Array.from(values, (value) => Math.round(value / STEP)).buffer);
  return { shape, steps: [STEP], data: btoa(String.fromCharCode(...bytes)) };
}

/**
 * Terms of random factors.
 *
 * @param {Partial<HeadTermsData>} more
 * @param {number[]} turn
 */
function drawn(more = {}, turn = []) {
  const normal = normals(7);
  const factors = () =>
    packed([PARTS.length, N, WIDTH], Array.from({ length: PARTS.length * N * WIDTH }, normal));
  return new HeadTerms({ parts: PARTS, q: factors(), k: factors(), ...more }, true, turn);
}
const close = (one, other) => assert.ok(Math.abs(one - other) < 1e-9, `${one} ${other}`);
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const bias = packed(
  [2 * N - 1],
  Array.from({ length: 2 * N - 1 }, (_, i) => (i - N) / 8),
);

test("the products of a cell add up to its logit", () => {
  const terms = drawn({ bias });
  for (const [query, key] of [
    [9, 4],
    [5, 5],
  ]) {
    const sum = terms.products(query, key).reduce((all, { value }) => all + value, 0);
    close(sum + terms.bias(query, key), terms.score(query, key));
  }
  assert.equal(terms.bias(9, 4), (N - 1 + 5 - N) / 8);
});

test("a cap bounds the logit, before the bias", () => {
  const terms = drawn({ cap: 0.5, bias });
  close(terms.score(9, 4), 0.5 * Math.tanh(terms.sum(9, 4) / 0.5) + 0.5);
});

test("softmax over the keys that are seen turns logits into weights", () => {
  for (const more of [{}, { window: 3 }, { sink: 1.5 }]) {
    const terms = drawn(more);
    const keys = terms.keys(8);
    assert.deepEqual(keys, more.window ? [6, 7, 8] : [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    const powers = keys.map((key) => Math.exp(terms.score(8, key)));
    const all = powers.reduce((sum, power) => sum + power, more.sink ? Math.exp(more.sink) : 0);
    keys.forEach((key, i) => close(terms.weight(8, key), powers[i] / all));
  }
});

test("what is above the other keys of the row is against their mean", () => {
  const terms = drawn();
  const others = terms.keys(9).filter((key) => key !== 4);
  const above = terms.products(9, 4).reduce((sum, product) => sum + product.above, 0);
  close(above, terms.score(9, 4) - mean(others.map((key) => terms.score(9, key))));
});

test("the causes of a look add up to its lead", () => {
  const [sin, cos] = [Math.sin(0.3), Math.cos(0.3)];
  for (const turn of [[], [cos, sin, -sin, cos]]) {
    const terms = drawn({ bias }, turn);
    for (const [query, key, others] of [
      [9, 4, [7]],
      [11, 0, [2, 5, 9]],
    ]) {
      const all = causes(terms, query, key, others);
      const lead = terms.score(query, key) - mean(others.map((other) => terms.score(query, other)));
      close(
        all.reduce((sum, { amount }) => sum + amount, 0),
        lead,
      );
      assert.ok(all.every(({ amount }, i) => i === 0 || all[i - 1].amount >= amount));
    }
  }
});

// Where positions only rotate queries and keys, a look at the key d back means the same at every query.
test("the places make the same at every query", () => {
  const [sin, cos] = [Math.sin(0.3), Math.cos(0.3)];
  const terms = drawn({ bias }, [cos, sin, -sin, cos]);
  const amounts = [6, 8, 11].map(
    (query) => causes(terms, query, query - 1, [query - 5]).find(({ written }) => !written).amount,
  );
  close(amounts[1], amounts[0]);
  close(amounts[2], amounts[0]);
});

test("where all tokens are alike, the places make the whole lead", () => {
  const [sin, cos] = [Math.sin(0.3), Math.cos(0.3)];
  const angle = (i) => [Math.cos(0.3 * i), Math.sin(0.3 * i)];
  /** @param {number[]} row */
  const alike = ([a, b]) =>
    packed(
      [1, N, WIDTH],
      Array.from({ length: N }, (_, i) => angle(i)).flatMap(([c, s]) => [a * c - b * s, a * s + b * c]),
    );
  const more = { parts: PARTS.slice(0, 1), q: alike([1, 2]), k: alike([3, -1]) };
  const all = causes(drawn(more, [cos, sin, -sin, cos]), 9, 4, [7]);
  const amount = (own) => all.find(({ written }) => (written === null) === own).amount;
  assert.ok(Math.abs(amount(false)) < 0.01 && Math.abs(amount(true)) > 1, JSON.stringify(all));
});

// The parts of smeared keys, from those of keys before they are smeared: rows (S,N,WIDTH).
function smeared(rows, share) {
  const at = (part, position, c) => rows[(part * N + position) * WIDTH + c];
  const parts = rows.length / N / WIDTH;
  return packed(
    [2 * parts, N, WIDTH],
    Array.from({ length: 2 * rows.length }, (_, i) => {
      const [part, position, c] = [Math.floor(i / WIDTH / N), Math.floor(i / WIDTH) % N, i % WIDTH];
      if (part < parts) return (position === 0 ? 1 : share) * at(part, position, c);
      return position === 0 ? 0 : (1 - share) * at(part - parts, position - 1, c);
    }),
  );
}

test("the parts of a smeared key are told apart by whose they are, and add up", () => {
  const normal = normals(9);
  const rows = Array.from({ length: PARTS.length * N * WIDTH }, normal);
  const share = 0.25;
  const terms = drawn({ smear: share, k: smeared(rows, share) });
  for (const [query, key] of [
    [9, 4],
    [5, 0],
  ]) {
    const asked = terms.queryTotal(query);
    /** @param {number} position */
    const whole = (position) =>
      PARTS.reduce((sum, _, part) => {
        const row = rows.slice((part * N + position) * WIDTH, (part * N + position + 1) * WIDTH);
        return sum + row.reduce((all, value, c) => all + asked[c] * value, 0);
      }, 0);
    const products = terms.products(query, key);
    /** @param {number} back */
    const made = (back) =>
      products.filter(({ written }) => (written[2] ?? 0) === back).reduce((sum, { value }) => sum + value, 0);
    const [own, before] = key === 0 ? [whole(0), 0] : [share * whole(key), (1 - share) * whole(key - 1)];
    assert.ok(Math.abs(made(0) - own) < 0.01 && Math.abs(made(1) - before) < 0.01, `${query} ${key}`);
    close(made(0) + made(1), terms.score(query, key));
    const others = terms.keys(query).filter((other) => other !== key);
    const above = products.reduce((sum, product) => sum + product.above, 0);
    close(above, terms.score(query, key) - mean(others.map((other) => terms.score(query, other))));
    const lead = causes(terms, query, key, others).reduce((sum, { amount }) => sum + amount, 0);
    close(lead, above);
  }
});

test("where all tokens are alike and keys are smeared, the places make the whole lead", () => {
  const alike = ([a, b]) => Array.from({ length: N }, () => [a, b]).flat();
  const more = { parts: PARTS.slice(0, 1), q: packed([1, N, WIDTH], alike([1, 2])) };
  const terms = drawn({ ...more, smear: 0.25, k: smeared(alike([3, -1]), 0.25) });
  for (const key of [0, 4])
    for (const { amount } of causes(terms, 9, key, [7])) assert.ok(Math.abs(amount) < 1e-9, String(amount));
});

test("contributions are those to the token that is asked for, the largest first", () => {
  const view = /** @type {View} */ (
    /** @type {unknown} */ ({
      guesses: [
        [
          [5, 0.6],
          [3, 0.3],
        ],
      ],
      targets: [9],
    })
  );
  const contributions = packed([2, 1, 3], [1, 2, 3, 4, 1, 6]);
  const logits = new LogitTerms({ parts: PARTS.slice(0, 2), contributions }, view);
  assert.deepEqual(logits.tokens(0), [5, 3, 9]);
  const values = (token) => logits.contributions(0, token).map(({ part, value }) => [part[0], value]);
  assert.deepEqual(values(5), [
    ["head", 4],
    ["embed", 1],
  ]);
  assert.deepEqual(values(3), [
    ["embed", 2],
    ["head", 1],
  ]);
  assert.deepEqual(values(9), [
    ["head", 6],
    ["embed", 3],
  ]); // the last stands for the target
});
