import assert from "node:assert/strict";
import { test } from "node:test";

import { certifiedCopying, scoreWords, logitWords } from "./circuit_words.js";
import { cellOf, follower } from "./evidence.js";
import { limitWords } from "./limit_words.js";
import { logitWords as logitWordsOf } from "./why_this.js";
import { PartWords, brief, plain, signed, smearWords, strongestColour } from "./part_words.js";

test("numbers have a true minus", () => {
  assert.deepEqual([signed(0.414), signed(-0.414), signed(-0.001)], ["+0.41", "−0.41", "0.00"]);
  assert.equal(plain(0.414), "0.41");
});

test("numbers of any size have digits that say something", () => {
  const said = [0, 1e-12, 0.12, 3.444, 0.0034, 0.00000512, 27082449.8].map((largest) =>
    strongestColour({ largest }),
  );
  assert.deepEqual(said.slice(0, 2), [" Every cell is 0.", " Every cell is 0."]);
  assert.deepEqual(
    said.slice(2).map((words) => words.split("±")[1]),
    ["0.12.", "3.44.", "0.0034.", "5.1e−6.", "2.7e7."],
  );
  assert.equal(brief(-6701015.36), "−6.7e6");
});

test("the follower of a token stands after its last earlier copy", () => {
  const tokens = [3, 1, 3, 2, 3, 3];
  assert.deepEqual(
    tokens.map((_, position) => follower(tokens, position)),
    [-1, -1, 1, -1, 3, -1],
  );
});

test("what a smeared key takes from before it has the name of that place", () => {
  let row = [0.1, 0.7, 0.2];
  const patterns = { pattern: () => ({ cell: 1, row: () => row }) };
  const view = { tokens: [7, 8, 9], keys: [7, 8, 9], patterns };
  const run = {
    tokenText: (token) => "t" + token,
    headCode: (head) => "H" + head,
    stack: () => 0,
    inStack: (head) => head,
    sequenceAt: () => ({ tokens: view.tokens, views: [view] }),
  };
  const words = new PartWords(/** @type {any} */ ({ run, store: { state: { sequence: 0 } } }));
  assert.equal(words.brief(["embed", 0], 2), "the token itself");
  assert.equal(words.brief(["embed", 0, 1], 2), "the token before it, 1 ‘t8’");
  assert.equal(words.brief(["head", 3, 1], 2), "H3 before it, looking most at 1 ‘t8’");
  assert.equal(words.long(["embed", 0, 1], 2), "the token 1 ‘t8’ before it");
  assert.equal(words.long(["head", 3, 1], 2), "what head H3 wrote at 1 ‘t8’, the token before it");
  assert.deepEqual([words.seen(["embed", 0, 1], 2), words.seen(["embed", 0, 1], 0)], [1, null]);
  for (const kind of /** @type {TermPart[0][]} */ (["embed", "pos_embed", "mlp", "bias", "head"])) {
    assert.equal(words.brief([kind, 0, 1], 0), "no token before it");
    assert.equal(words.long([kind, 0, 1], 0), "the lack of a token before it");
    assert.equal(words.source([kind, 0, 1], 0), "");
  }
  assert.equal(words.seen(["head", 3], 2), 1);
  row = [0.3, 0.4, 0.3];
  assert.equal(words.seen(["head", 3], 2), null); // it wrote more of other tokens
  assert.match(smearWords("L0H1", 0.25), /0.25 times the key of its own token plus 0.75 times/);
});

test("a role is shown where it is brightest, or where the story is told", () => {
  const tokens = [0, 1, 0, 1, 0, 1];
  /** @param {(query: number, key: number) => number} weight @param {object} story */
  const cell = (weight, story) =>
    cellOf(
      /** @type {Run} */ (
        /** @type {unknown} */ ({
          certificate: { induction_heads: [1], previous_token_heads: [0] },
          story,
          sequences: [{ tokens, patterns: { pattern: () => ({ cell: 1, weight }) } }],
        })
      ),
      1,
    );
  const at = (query, key) => ({ sequence: 0, query, key, locked: true });
  assert.deepEqual(
    cell((query, key) => (key === 3 ? 0.9 : 0.2), null),
    at(4, 3),
  );
  assert.deepEqual(
    cell(() => 0.3, { sequence: 0, query: 3, key: 2 }),
    at(3, 2),
  );
  assert.deepEqual(
    cell(() => 0.05, null),
    { sequence: 0 },
  ); // nothing worth pointing at
});

test("a head's matrices in words", () => {
  const run = /** @type {Run} */ (/** @type {unknown} */ ({ headCode: (head) => "H" + head }));
  const matrix = Float64Array.of(4, 0, 1, 0);
  assert.match(
    scoreWords(run, matrix, 2, undefined),
    /The mean is 2.00 on the diagonal and 0.50 elsewhere. In 1 of 2/,
  );
  assert.match(scoreWords(run, matrix, 2, 3), /what H3 wrote/);
  const copies = (eigen) => logitWords(run, matrix, 2, { eigen });
  for (const eigen of [0.7, -0.8])
    assert.equal(
      copies(eigen),
      "In 1 of 2 rows, the token that is looked at gets the largest rise of all *logits*. In 1 it is " +
        `raised above the row's mean. The *copying score* is ${plain(eigen)}, on a scale from −1 to 1. It ` +
        "is made of the matrix's eigenvalues and does not count tokens.",
    );
  const middle = Float64Array.of(1, 2, -3, 0, 1, 0, 0, 0, -1); // raised and largest differ
  assert.match(logitWords(run, middle, 3, { eigen: 1 }), /^In 1 of 3 rows, .* In 2 it is raised above/);
  assert.match(copies(null), /not defined here/);
  for (const eigen of [0.7, -0.8, 0.1, null])
    assert.doesNotMatch(copies(eigen), /the head copies|certificate/);
});

test("a matrix of zeros copies nothing, and no cell of a row is its largest where all are alike", () => {
  const run = /** @type {Run} */ (/** @type {unknown} */ ({ headCode: (head) => "H" + head }));
  for (const size of [0, 1e-13]) {
    const zeros = Float64Array.of(size, -size, 0, size);
    assert.equal(logitWords(run, zeros, 2, { eigen: 0.98 }), "The head changes no *logit*.");
  }
  assert.match(scoreWords(run, Float64Array.of(3, 3, 3, 3), 2, undefined), /In 0 of 2 rows the diagonal/);
  assert.match(scoreWords(run, Float64Array.of(3, 2, 3, 4), 2, undefined), /In 2 of 2 rows the diagonal/);
});

test("beside the copying score stands what the certificate found", () => {
  const words = (/** @type {object} */ claim) =>
    certifiedCopying(
      /** @type {any} */ ({
        headCode: (head) => "L1H" + head,
        certificate: { induction_heads: [3, 5], claims: [{ key: "matching", standing: "holds" }, claim] },
      }),
      Float64Array.of(4, 0, 1, 0),
    );
  const copying = { key: "copying", number: 0.77, standing: "fails" };
  assert.match(words(copying), /by making L1H3, L1H5 look elsewhere in the whole model: its claim fails\.$/);
  assert.match(words({ ...copying, standing: "holds" }), /its claim holds\.$/);
  assert.equal(words({ ...copying, number: null, standing: "not asked" }), "");
});

test("a logit at the mean is not above it, and what is 0.00 raises nothing", () => {
  const part = /** @type {TermPart} */ (["embed", 0]);
  const words = /** @type {any} */ ({ long: () => "the token itself", source: () => " From there." });
  const rows = /** @type {[number, number, string][]} */ ([
    [
      3.456,
      2.345,
      "3.46 above the mean of the *vocabulary*. The token itself adds most to it, +2.35. From there.",
    ],
    [
      -1.5,
      -0.25,
      "1.50 below the mean of the *vocabulary*. The token itself takes least from it, −0.25. From there.",
    ],
    [-1.5, 0.004, "1.50 below the mean of the *vocabulary*. Nothing adds 0.01 or more to it."],
    [
      0.001,
      0.75,
      "the mean of the *vocabulary*, to two decimals. The token itself adds most to it, +0.75. From there.",
    ],
    [-1e-9, 1e-9, "the mean of the *vocabulary*, to two decimals. Nothing adds 0.01 or more to it."],
  ]);
  for (const [sum, value, said] of rows)
    assert.equal(logitWordsOf("‘a’", sum, { part, value }, words, 7), "The *logit* of ‘a’ is " + said);
  const biases = { part: /** @type {TermPart} */ (["bias", 0]), value: 1 };
  const named = /** @type {any} */ ({ long: () => "the biases", source: () => "" });
  assert.match(logitWordsOf("‘a’", 2, biases, named, 7), /The biases add most to it, \+1\.00\./);
});

test("a limit says on which side of it a number must be, and what it is taken from", () => {
  const claim = {
    key: "matching",
    number: 0.36,
    threshold: 0.3,
    number_at_most: false,
    control: 0.05,
    control_limit: 0.12,
    control_at_most: true,
  };
  /** @param {object} more @param {"number" | "control"} what */
  const said = (more, what) => limitWords(/** @type {any} */ ({ ...claim, ...more }), what);
  assert.equal(said({}, "number"), "at least 0.30");
  assert.equal(said({}, "control"), "at most 0.12, a third of the number");
  assert.equal(said({ control_limit: 0.13 }, "control"), "at most 0.13");
  assert.equal(said({ key: "copying" }, "control"), "at most 0.12");
  assert.equal(said({ key: "order", threshold: 280, number_at_most: true }, "number"), "at most step 280");
});
