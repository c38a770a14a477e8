import assert from "node:assert/strict";
import { test } from "node:test";

import { repeatsOf, turn } from "./repeats.js";
import { Run } from "./run.js";
import { ScoreTable, certifiedRoles } from "./scores.js";

const KEYS = ["matching", "copying", "composition", "necessity", "sufficiency", "order"];
const KINDS = /** @type {ScoreKind[]} */ (
  [
    { key: "previous_token", name: "previous token", brief: "previous", role: "previous-token head" },
    { key: "induction", name: "induction", role: "induction head" },
  ].map((kind) => ({ help: "", drawing: "", charted: true, ...kind }))
);

/** @param {string} verdict @param {string[]} failing */
function roles(verdict, failing, tells_tokens = true) {
  const claims = KEYS.map((key) => ({ key, standing: failing.includes(key) ? "fails" : "holds" }));
  const certificate = {
    verdict,
    claims,
    tells_tokens,
    induction_heads: [4],
    previous_token_heads: [1],
    helpers: [6],
  };
  return certifiedRoles(/** @type {Certificate} */ (/** @type {unknown} */ (certificate))).map(
    ([role]) => role,
  );
}

test("roles need the claims behind them", () => {
  const another = "solves the task another way";
  assert.deepEqual(roles("induction circuit", []), ["induction head", "previous-token head", "helper"]);
  assert.deepEqual(roles("induction circuit", [], false), ["induction head", "position head", "helper"]);
  assert.deepEqual(roles(another, ["sufficiency"]), ["induction head", "previous-token head"]);
  assert.deepEqual(roles(another, ["copying"]), ["previous-token head"]);
  assert.deepEqual(roles(another, ["composition"]), ["induction head"]);
  assert.deepEqual(roles(another, ["matching", "composition"]), []);
  assert.deepEqual(certifiedRoles(undefined), []);
});

test("a head is what its strongest score says, or its role in a certified circuit", () => {
  const weak = [0.3, 0.2];
  const table = new ScoreTable(KINDS, new Map([[weak, "induction head"]]));
  assert.deepEqual(table.describe([0.9, 0.2], 0.4), {
    known: true,
    role: "previous-token head",
    score: "0.90",
  });
  assert.deepEqual(table.describe([0.3, 0.2], 0.4), {
    known: false,
    role: "no known kind",
    score: "previous 0.30",
  });
  assert.equal(table.describe([0.3996, 0.2], 0.4).score, "previous <0.40");
  assert.deepEqual(table.describe(weak, 0.4), { known: true, role: "induction head", score: "0.20" });
  assert.equal(table.describe([null, null], 0.4), undefined);
  const measured = (/** @type {(number | null)[][]} */ heads) => table.measured(heads).map(({ key }) => key);
  assert.deepEqual(measured([[0.3, null], [0.1]]), [KINDS[0].key]);
  assert.deepEqual(
    measured([
      [0.3, null],
      [null, 0.1],
    ]),
    [KINDS[0].key, KINDS[1].key],
  );
  assert.deepEqual(measured([]), []);
  assert.equal(table.text([0.5, null]), "previous\u00a0token\u00a00.50");
  assert.equal(
    table.bestHead(
      [
        [0.1, 0.3],
        [0.2, null],
        [0, 0.6],
      ],
      "induction",
    ),
    2,
  );
  assert.throws(() => table.value([0, 0], "another"), /there is no score 'another'/);
});

const PATTERNS = { bits: 8, cell: 1, causal: true, queries: 2, keys: 2, data: "" };

/** @param {Partial<RunData>} more */
function run(more) {
  const sequence = {
    label: "",
    tokens: [0, 1],
    targets: [1, -1],
    predictable: [],
    guesses: [],
    patterns: PATTERNS,
  };
  const data = {
    n_layers: 2,
    n_heads: 4,
    opens_with: "induction",
    score_kinds: KINDS,
    scores: Array.from({ length: 8 }, (_, head) => [0, head === 5 ? 0.9 : 0.1]),
    history: { steps: [0], patterns: PATTERNS },
    sequences: [sequence],
    ...more,
  };
  return new Run(/** @type {RunData} */ (/** @type {unknown} */ (data)));
}

test("a run opens with the head of its story, else with the best", () => {
  const story = /** @type {StoryData} */ ({ sequence: 0, sentences: [], layer: 1, head: 3 });
  assert.equal(run({ story }).firstHead, 7);
  assert.equal(run({ story: { ...story, head: undefined } }).firstHead, 5);
  assert.equal(run({ story: null }).firstHead, 5);
  assert.throws(() => run({ sequences: [] }), /the run has no sequence/);
});

test("heads are counted through the layers of all stacks", () => {
  const stacks = [
    { letter: "E", of: " of the encoder", title: "" },
    { letter: "L", of: "", title: "" },
  ];
  const two = run({ stacks, history: { steps: [0], patterns: PATTERNS } });
  assert.deepEqual([two.heads, two.stack(9), two.inStack(9), two.headCode(9)], [16, 1, 1, "L0H1"]);
  assert.equal(two.headName(6), "layer 1, head 2 of the encoder");
});

test("neighbouring tokens of one copy are one group", () => {
  const groups = (repeats) => repeatsOf(/** @type {View} */ ({ tokens: [7, 8, 9, 7], repeats }));
  assert.deepEqual(groups([0, 0, 1, -1]), [
    { repeat: 0, tokens: [0, 1] },
    { repeat: 1, tokens: [2] },
    { repeat: -1, tokens: [3] },
  ]);
  assert.deepEqual(groups(undefined), [{ repeat: null, tokens: [0, 1, 2, 3] }]);
  assert.deepEqual([0, 1, 2, -1, null].map(turn), ["even", "odd", "even", "", ""]);
});
