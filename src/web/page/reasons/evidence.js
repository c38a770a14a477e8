// Where a claim of the certificate can be seen on the page's own sequences.

import { knownMark } from "../../kit/known.js";
import { element, insteadOf } from "../../kit/text.js";

const SEEN = 0.1; // the least attention weight of a cell that is worth pointing at

/**
 * The position after the last earlier copy of a token; -1 where there is none, or it is the token's own.
 *
 * @param {number[]} tokens
 * @param {number} position
 */
export function follower(tokens, position) {
  const last = position > 0 ? tokens.lastIndexOf(tokens[position], position - 1) : -1;
  return last < 0 || last + 1 === position ? -1 : last + 1;
}

/**
 * Where a head's role makes it look from a position: -1 for nowhere.
 *
 * @param {Run} run
 * @param {number} head
 * @param {number[]} tokens
 * @param {number} position
 */
function keyOf(run, head, tokens, position) {
  const { induction_heads, previous_token_heads } = run.certificate;
  if (induction_heads.includes(head)) return follower(tokens, position);
  return previous_token_heads.includes(head) ? position - 1 : position;
}

/**
 * The cell of the story's sequence in which a head does what its role says: that of the story, or else the
 * brightest.
 *
 * @param {Run} run
 * @param {number} head
 * @returns {Partial<State>}
 */
export function cellOf(run, head) {
  const { story } = run;
  const sequence = story?.query === undefined ? 0 : story.sequence;
  const { tokens, patterns } = run.sequences[sequence];
  const pattern = patterns.pattern(head);
  /** @type {(query: number, key: number) => number} */
  const weight = (query, key) =>
    pattern.weight(Math.floor(query / pattern.cell), Math.floor(key / pattern.cell));
  const cells = tokens
    .map((_, query) => ({ query, key: keyOf(run, head, tokens, query) }))
    .filter(({ query, key }) => query > 0 && key >= 0);
  const ofStory =
    story?.query === undefined
      ? null
      : cells.find(
          ({ query }) =>
            query === (run.certificate.previous_token_heads.includes(head) ? story.key : story.query),
        );
  /** @type {(cell: Cell | null | undefined) => boolean} */
  const bright = (cell) => Boolean(cell) && weight(cell.query, cell.key) >= SEEN;
  const best = bright(ofStory)
    ? ofStory
    : cells.reduce(
        (/** @type {Cell | null} */ best, cell) =>
          best && weight(best.query, best.key) >= weight(cell.query, cell.key) ? best : cell,
        null,
      );
  return bright(best) ? { sequence, ...best, locked: true } : { sequence };
}

/**
 * The accuracy on the page's sequences with a head's mean in place of its output, and with all heads; null
 * where it is not known, or still comes.
 *
 * @param {App} app
 * @param {number} head
 */
function accuracyWithout({ run, without }, head) {
  if (!without.has([head])) return null;
  const all = run.sequences.map((one) => ({
    tokens: without.counted(one).length,
    shares: [[], [head]].map((heads) => without.accuracy(one, heads)),
  }));
  const known = all.filter(({ shares }) => !shares.includes(null));
  if (known.length === 0 || all.some(({ shares }) => shares.includes(undefined))) return null;
  const tokens = known.reduce((sum, one) => sum + one.tokens, 0);
  const [before, now] = [0, 1].map(
    (which) => known.reduce((sum, one) => sum + one.tokens * one.shares[which], 0) / tokens,
  );
  return { count: known.length, now, before };
}

/**
 * What breaks without a helper.
 *
 * @param {App} app
 * @param {number} head
 */
export function helperNote(app, head) {
  const { run } = app;
  const lost = accuracyWithout(app, head);
  if (!lost) return null;
  const sequences = lost.count === 1 ? "one sequence of this page" : lost.count + " sequences of this page";
  return element(
    "p",
    { class: "note" },
    `When the helper ${run.headCode(head)} is switched off, the accuracy on predictable tokens is ` +
      `${insteadOf(lost.now, lost.before)}, on ${sequences}. `,
    knownMark(run.evidence.off),
  );
}
