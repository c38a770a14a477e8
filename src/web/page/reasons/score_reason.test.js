import assert from "node:assert/strict";
import { test } from "node:test";

import { dot, normals } from "../../kit/numbers.js";
import { signed } from "./part_words.js";
import { Reason } from "./score_reason.js";
import { HeadTerms } from "./terms.js";

const N = 10;
const WIDTH = 3;
const STEP = 1 / 2048;
/** @type {TermPart[]} */
const PARTS = [
  ["embed", 0],
  ["pos_embed", 0],
  ["head", 1],
];

/** @param {() => number} normal @param {number} scale */
function factors(normal, scale) {
  const values = Int16Array.from({ length: PARTS.length * N * WIDTH }, () => (scale * normal()) / STEP);
  const data = btoa(String.fromCharCode(...new Uint8Array(values.buffer)));
  return { shape: [PARTS.length, N, WIDTH], steps: [STEP], data };
}

/** @param {HeadTerms} terms */
function reason(terms, query) {
  const app = {
    run: { headCode: () => "L1H0", tokenText: String, scoreTable: { describe: () => "" }, scores: {} },
    selection: { head: 0, patternNow: () => ({ weight: () => 0 }) },
  };
  const words = {
    sequence: { tokens: Array.from({ length: N }, (_, i) => i) },
    token: (at) => "token " + at,
    long: ([kind]) => "PART-" + kind,
    source: () => "",
    seen: () => null,
  };
  return new Reason(/** @type {any} */ (app), terms, /** @type {any} */ (words), query);
}

/**
 * Of the vectors of positions: what their products with the places of the query make at a key, above others.
 *
 * @param {HeadTerms} terms
 * @param {number[]} others
 */
function ofPlaces(terms, query, key, others) {
  const asked = new Float64Array(WIDTH);
  PARTS.forEach(([kind], part) => {
    for (let at = 0; at < N; ++at) {
      const row = terms.queryFactors.row(part, kind === "pos_embed" ? query : at);
      row.forEach((value, c) => (asked[c] += value / N));
    }
  });
  const at = (/** @type {number} */ place) => dot(asked, terms.keyFactors.row(1, place));
  return at(key) - others.reduce((sum, other) => sum + at(other), 0) / others.length;
}

/**
 * The rows of one part of the key, added up: above the mean of the row's other keys, or above one other key.
 *
 * @param {HeadTerms} terms
 * @param {string} part
 */
function rowsOf(terms, part, query, key, other) {
  const own = (/** @type {number} */ at) =>
    terms.products(query, at).filter(({ written }) => written[0] === part);
  /** @type {(list: Product[], name: "value" | "above") => number} */
  const add = (list, name) => list.reduce((sum, product) => sum + product[name], 0);
  if (other === null) return add(own(key), "above");
  return add(own(key), "value") - add(own(other), "value");
}

test("what a part of the key makes is the sum of its rows, and the places are told apart", () => {
  const counted = { rows: 0, placed: 0, places: 0 };
  for (let seed = 1; seed <= 6; ++seed) {
    const normal = normals(seed);
    const terms = new HeadTerms({ parts: PARTS, q: factors(normal, 1), k: factors(normal, 1) }, true, []);
    for (let query = 3; query < N; ++query) {
      for (let key = 0; key <= query; ++key) {
        const text = reason(terms, query).at(key);
        const where = `seed ${seed}, ${query} at ${key}: ${text}`;
        const best = /than at token (\d+)|It looks at token (\d+)/.exec(text);
        const looked = best ? Number(best[1] ?? best[2]) : key;
        const said = /because of PART-(\w+?)\..* this part of the key makes (.+?) of it(\.|:)/.exec(text);
        if (text.includes("because it is")) ++counted.places;
        if (!said) continue;
        ++counted.rows;
        const rows = rowsOf(terms, said[1], query, looked, best ? key : null);
        assert.equal(said[2], signed(rows), where);
        const lead = best
          ? terms.score(query, looked) - terms.score(query, key)
          : terms.products(query, key).reduce((sum, { above }) => sum + above, 0);
        assert.ok(text.includes(` is ${lead.toFixed(2)} above `), where);
        const placed = /The places alone make (.+?) of that/.exec(text);
        const others = best ? [key] : terms.keys(query).filter((one) => one !== key);
        const part = said[1] === "pos_embed" ? ofPlaces(terms, query, looked, others) : 0;
        assert.equal(placed?.[1] ?? "0.00", signed(part), where);
        if (placed) ++counted.placed;
      }
    }
  }
  assert.ok(counted.rows > 60 && counted.placed > 20 && counted.places > 10, JSON.stringify(counted));
});

test("of two keys, a weight of 0.9 is a look", () => {
  /** @param {number} score @param {number} [cap] */
  const said = (score, cap) => {
    const data = (/** @type {number[]} */ values) =>
      btoa(String.fromCharCode(...new Uint8Array(Int16Array.from(values, (one) => one / STEP).buffer)));
    const q = { shape: [1, 2, 1], steps: [STEP], data: data([1, 1]) };
    const k = { shape: [1, 2, 1], steps: [STEP], data: data([score, 0]) };
    return reason(new HeadTerms({ parts: [["embed", 0]], q, k, cap }, true, []), 1).at(0);
  };
  assert.match(said(2.25), /looks from token 1 at token 0 \(attention weight 0.90\)/);
  assert.match(said(2.25), /\. The attention logit of token 0 is 2.25 above that of token 1/);
  assert.match(said(4, 2.25), /\. Without its cap, the attention logit of token 0 is 4.00 above/);
  assert.match(said(0.25), /at no key in particular: of 2 keys none gets more than 0.562/);
});
