// What the matrices of one head say, in words, for the part "Circuits".

import { EMPTY, brief, plain } from "./part_words.js";

/**
 * How the diagonal differs from the rest, and in how many rows it is the largest, or above the mean.
 *
 * @param {Float64Array} matrix
 * @param {number} count
 */
function diagonal(matrix, count) {
  let own = 0;
  let others = 0;
  let largest = 0;
  let raised = 0;
  for (let i = 0; i < count; ++i) {
    const row = matrix.subarray(i * count, (i + 1) * count);
    const rest = row.reduce((sum, value) => sum + value, 0) - row[i];
    own += row[i] / count;
    others += rest / count / Math.max(1, count - 1);
    if (row.every((value, j) => j === i || value < row[i])) ++largest;
    if (row[i] * count > rest + row[i]) ++raised;
  }
  return { own, others, largest, raised };
}

/**
 * What a head's attention logits say. `writer`: the head whose outputs are the keys; undefined where the keys
 * are the tokens themselves.
 *
 * @param {Run} run
 * @param {Float64Array} scores
 * @param {number} count
 * @param {number | undefined} writer
 */
export function scoreWords(run, scores, count, writer) {
  const { own, others, largest } = diagonal(scores, count);
  const keys =
    writer !== undefined
      ? "Here a *key* is what " +
        run.headCode(writer) +
        " wrote after it looked at a token. A large number on the diagonal means: the *query* finds the " +
        "place where that head looked at the query's own token. "
      : "On the diagonal, a token meets itself. ";
  return (
    `${keys}The mean is ${brief(own)} on the diagonal and ${brief(others)} elsewhere. In ${largest} ` +
    `of ${count} rows the diagonal is the largest.`
  );
}

/**
 * What a head does to the logits of the tokens that it looks at.
 *
 * @param {Run} run
 * @param {Float64Array} logits
 * @param {number} count
 * @param {HeadCircuit} circuit
 */
export function logitWords(run, logits, count, { eigen }) {
  if (empty(logits)) return "The head changes no *logit*.";
  const { largest, raised } = diagonal(logits, count);
  const copies =
    eigen === null
      ? "is not defined here."
      : `is ${plain(eigen)}, on a scale from −1 to 1. It is made of the matrix's eigenvalues and does not ` +
        "count tokens.";
  return (
    `In ${largest} of ${count} rows, the token that is looked at gets the largest rise of all *logits*. ` +
    `In ${raised} it is raised above the row's mean. The *copying score* ${copies}`
  );
}

/** @param {Float64Array} logits */
const empty = (logits) => logits.every((value) => Math.abs(value) <= EMPTY);

/**
 * What the certificate says of copying, beside a head that changes logits.
 *
 * @param {Run} run
 * @param {Float64Array} logits
 */
export function certifiedCopying(run, logits) {
  const claim = run.certificate?.claims.find(({ key }) => key === "copying");
  if (!claim || claim.number === null || empty(logits)) return "";
  const heads = run.certificate.induction_heads.map((head) => run.headCode(head)).join(", ");
  return (
    `The *certificate* tests copying in another way, by making ${heads} look elsewhere in the whole ` +
    `model: its claim ${claim.standing}.`
  );
}
