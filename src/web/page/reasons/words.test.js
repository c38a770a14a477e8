import assert from "node:assert/strict";
import { test } from "node:test";

import { scoreWords, logitWords } from "./circuit_words.js";
import { cellOf, follower } from "./evidence.js";
import { brief, plain, signed, strongestColour } from "./part_words.js";

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
  assert.match(copies(0.7), /is 0.70, on a scale from −1 to 1: the head copies\./);
  assert.match(copies(-0.7), /is −0.70, .* lowers the token/);
  assert.match(copies(0), /does not copy/);
  assert.match(copies(null), /not defined here/);
});
