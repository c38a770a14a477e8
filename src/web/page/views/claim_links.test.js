import assert from "node:assert/strict";
import { test } from "node:test";

import { ClaimLinks } from "./claim_links.js";

/** @param {Partial<Claim>} claim @param {object} more */
function links(claim, more = {}, has = (_heads) => true) {
  const run = { heads: 8, headCode: (head) => `L${Math.floor(head / 4)}H${head % 4}` };
  const app = /** @type {App} */ (/** @type {unknown} */ ({ run, without: { has } }));
  const roles = { induction_heads: [4, 6], previous_token_heads: [1], helpers: [2], ...more };
  const whole = { standing: "holds", says: "L1H2 gives the follower 0.9.", number: 20, ...claim };
  return new ClaimLinks(app)
    .of(/** @type {Claim} */ (whole), /** @type {Certificate} */ (/** @type {unknown} */ (roles)))
    .map(([text]) => text);
}

test("a claim leads to the head that its text names first", () => {
  assert.deepEqual(links({ key: "matching" }), ["See where L1H2 looks"]);
  assert.deepEqual(links({ key: "matching", says: "No head." }), ["See where L1H0 looks"]);
  assert.deepEqual(links({ key: "copying" }), ["See a prediction"]);
  assert.deepEqual(links({ key: "composition" }), ["See where L0H1 looks"]);
  assert.deepEqual(links({ key: "order" }), ["See the heads form"]);
});

test("a claim without heads, or one that was not asked, leads nowhere", () => {
  assert.deepEqual(links({ key: "matching", standing: "not asked" }), []);
  assert.deepEqual(links({ key: "matching" }, { induction_heads: [] }), []);
  assert.deepEqual(links({ key: "composition" }, { previous_token_heads: [] }), []);
});

test("the heads of a claim can be switched off where the page has the numbers", () => {
  /** @type {number[][]} */
  const sets = [];
  const has = (heads) => sets.push(heads) > 0;
  assert.deepEqual(links({ key: "necessity" }, {}, has), ["Switch them off"]);
  assert.deepEqual(links({ key: "sufficiency" }, {}, has), ["Switch the others off"]);
  assert.deepEqual(sets, [
    [4, 6],
    [0, 3, 5, 7],
  ]);
  assert.deepEqual(
    links({ key: "necessity" }, {}, () => false),
    [],
  );
});
