import assert from "node:assert/strict";
import { test } from "node:test";

import { dot, normals } from "../../kit/numbers.js";
import { plain, signed } from "./part_words.js";
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
function reason(terms, query, tokens = Array.from({ length: N }, (_, i) => i), role = "induction head") {
  const certificate = { induction_heads: [0] }; // examined, whether or not it has the role
  const roles = [[role, [0]]];
  const scoreTable = { describe: () => "" };
  const app = {
    run: { headCode: () => "L1H0", tokenText: String, scoreTable, scores: {}, certificate, roles },
    selection: { head: 0, patternNow: () => ({ weight: () => 0.2 }) },
  };
  const words = {
    sequence: { tokens },
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
  const counted = { rows: 0, placed: 0, places: 0, away: 0, towards: 0 };
  for (let seed = 1; seed <= 16; ++seed) {
    const normal = normals(seed);
    const terms = new HeadTerms({ parts: PARTS, q: factors(normal, 1), k: factors(normal, 1) }, true, []);
    for (let query = 3; query < N; ++query) {
      for (let key = 0; key <= query; ++key) {
        const text = reason(terms, query).at(key);
        const where = `seed ${seed}, ${query} at ${key}: ${text}`;
        const best = /than at token (\d+)/.exec(text);
        const instead = /It looks at token (\d+)/.exec(text); // why there, against all others
        const looked = Number((best ?? instead)?.[1] ?? key);
        const said = /belongs to PART-(\w+?)[.,].* part of the key makes (.+?) of it[.:]/.exec(text);
        const weights = terms.keys(query).map((one) => terms.weight(query, one));
        if (terms.weight(query, key) === Math.max(...weights))
          assert.ok(looked === key && !/hardly| less at /.test(text), where); // of all keys, none more
        if (/belongs to (its place|the place of)/.test(text)) ++counted.places;
        assert.doesNotMatch(text, / back\./, where); // positions have vectors here
        assert.doesNotMatch(text, /because|by what/, where); // nothing was taken away
        if (!said) continue;
        ++counted.rows;
        const rows = rowsOf(terms, said[1], query, looked, best ? key : null);
        assert.equal(said[2], signed(rows), where);
        const lead = best
          ? terms.score(query, looked) - terms.score(query, key)
          : terms.products(query, looked).reduce((sum, { above }) => sum + above, 0);
        assert.ok(text.includes(` is ${lead.toFixed(2)} above `), where);
        assert.equal(text.includes("The largest part of that"), rows < lead / 2, where);
        const placed = /The places alone make (.+?) of that/.exec(text);
        const others = best ? [key] : terms.keys(query).filter((one) => one !== looked);
        const part = said[1] === "pos_embed" ? ofPlaces(terms, query, looked, others) : 0;
        assert.equal(placed?.[1] ?? "0.00", signed(part), where);
        if (placed) ++counted.placed;
        const pair = / less its mean over the row, (\S+) at token (\d+) and (\S+) at token (\d+)\./.exec(
          text,
        );
        assert.equal(Boolean(pair), Boolean(best), where);
        if (!pair) continue;
        // Against all keys of the row.
        const [own, against] = [looked, key].map(
          (at) => (rowsOf(terms, said[1], query, at, null) * query) / (query + 1),
        );
        assert.deepEqual(pair.slice(1), [signed(own), String(looked), signed(against), String(key)], where);
        assert.equal(text.includes("looks away"), -against > own, where);
        ++counted[-against > own ? "away" : "towards"];
      }
    }
  }
  assert.ok(Math.min(...Object.values(counted)) > 10 && counted.rows > 60, JSON.stringify(counted));
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

test("the total above the row's other keys is that of the text, with a bias of distance too", () => {
  const normal = normals(3);
  const values = Int16Array.from({ length: 2 * N - 1 }, (_, i) => -Math.abs(i + 1 - N) / 4 / STEP);
  const data = btoa(String.fromCharCode(...new Uint8Array(values.buffer)));
  const bias = { shape: [2 * N - 1], steps: [STEP], data };
  const [q, k] = [factors(normal, 1), factors(normal, 1)];
  const terms = new HeadTerms({ parts: PARTS, q, k, bias }, true, []);
  let own = 0;
  for (let query = 2; query < N; ++query) {
    for (let key = 0; key <= query; ++key) {
      const [far, total] = terms.totals(query, key);
      const all = terms.products(query, key).reduce((sum, { above }) => sum + above, far.above);
      assert.ok(Math.abs(all - total.above) < 1e-9);
      const text = reason(terms, query).at(key);
      const said = /logit of .* is (\S+) above the mean/.exec(text);
      if (!said || text.includes("instead")) continue;
      assert.equal(said[1], plain(total.above));
      if (query === key) ++own; // its bias is 0
    }
  }
  assert.ok(own > 0);
});

test("a token that repeats the one directly before has come before", () => {
  const normal = normals(3);
  const terms = new HeadTerms({ parts: PARTS, q: factors(normal, 1), k: factors(normal, 1) }, true, []);
  /** @param {number[]} tokens */
  const said = (tokens) => reason(terms, 4, tokens).at(4).includes("‘7’ has not come before");
  assert.deepEqual(
    [said([7, 1, 2, 7, 7]), said([7, 1, 2, 3, 7]), said([0, 1, 2, 3, 7])],
    [false, false, true],
  );
  const tested = reason(terms, 4, [0, 1, 2, 3, 7], "helper").at(4); // no head that finds something
  assert.doesNotMatch(tested, /has not come before/);
});

test("only without a sink must the attention weights of a row add up to 1", () => {
  const normal = normals(3);
  const factorsOf = { parts: PARTS, q: factors(normal, 1), k: factors(normal, 1) };
  /** @param {{ sink?: number }} more */
  const said = (more) => reason(new HeadTerms({ ...factorsOf, ...more }, true, []), 4).at(4);
  assert.match(said({}), /must add up to 1 all the same, so a bright cell/);
  assert.match(said({ sink: -1 }), /finds nothing here\. A bright cell/);
});
