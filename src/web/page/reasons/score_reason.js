// Why a head gives a key its attention logit, in words.

import { fixed } from "../../kit/text.js";
import { dot } from "../../kit/numbers.js";
import { placesOf } from "./place_terms.js";
import { plain, signed } from "./part_words.js";

// A weight of at least this share of the row's largest is a look; one below HARDLY is none.
const LOOKS = 0.5;
const HARDLY = 0.05;
const ALIKE = "with each token's part replaced by its mean over this sequence";

/**
 * What makes the logit of a key exceed the mean of others, the largest cause first. The amount of a part is
 * that of its products less `placed`, what their places alone make; of the places the amount is the sum of
 * these, and of the biases.
 *
 * @param {HeadTerms} terms
 * @param {number} query
 * @param {number} key
 * @param {number[]} others
 * @returns {Cause[]}
 */
export function causes(terms, query, key, others) {
  const places = placesOf(terms);
  const here = places.at(query, key);
  const there = others.map((other) => places.at(query, other));
  /** @type {(values: number[]) => number} */
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / others.length;
  let byPlace = terms.bias(query, key) - mean(others.map((other) => terms.bias(query, other)));
  /** @type {Cause[]} */
  const all = terms.keyParts.map((written, part) => {
    const placed = here[part].placed - mean(there.map((at) => at[part].placed));
    byPlace += placed;
    return { written, amount: here[part].value - mean(there.map((at) => at[part].value)) - placed, placed };
  });
  /** @type {Cause[]} */
  const causes = [...all, { written: null, amount: byPlace, placed: byPlace }];
  return causes.sort((one, other) => other.amount - one.amount);
}

/**
 * The part of the query that gains most by what this part wrote at the key.
 *
 * @param {HeadTerms} terms
 * @param {number} query
 * @param {TermPart} written
 * @param {number} key
 * @param {number[]} others
 */
function readBy(terms, query, written, key, others) {
  const part = terms.keyParts.indexOf(written);
  const gains = terms.parts.map((_, reads) => {
    const row = terms.queryFactors.row(reads, query);
    /** @type {(place: number) => number} */
    const at = (place) => dot(row, terms.keyFactors.row(part, place));
    return at(key) - others.reduce((sum, other) => sum + at(other), 0) / others.length;
  });
  return terms.parts[gains.indexOf(Math.max(...gains))];
}

/**
 * A place as a part of a logit: where positions have vectors, a distance alone is none.
 *
 * @param {HeadTerms} terms
 * @param {number} back
 */
function placeWords({ parts }, back) {
  if (parts.some(([kind]) => kind === "pos_embed")) return "its place";
  if (back === 0) return "its place, the query's own";
  const places = Math.abs(back) === 1 ? "one" : String(Math.abs(back));
  return `its place, ${places} ${back > 0 ? "back" : "ahead"}`;
}

// In words, why a head looks from a query at a key, or where it looks instead and why there.
export class Reason {
  /**
   * @param {App} app
   * @param {HeadTerms} terms
   * @param {PartWords} words
   * @param {number} query
   */
  constructor(app, terms, words, query) {
    this.app = app;
    this.terms = terms;
    this.words = words;
    this.query = query;
    this.code = app.run.headCode(app.selection.head);
    this.keys = terms.keys(query);
    this.weights = this.keys.map((key) => terms.weight(query, key));
  }

  /** @param {number} key */
  at(key) {
    const { app, terms, words, query, code, keys, weights } = this;
    const most = Math.max(...weights);
    const best = keys[weights.indexOf(most)];
    const weight = terms.weight(query, key);
    const from = `from ${words.token(query)}`;
    const there = (/** @type {number} */ place, /** @type {number} */ share) =>
      `at ${words.token(place)} (attention weight ${fixed(share, share < 0.1 ? 3 : 2)})`;
    const none = nothingFound(app, terms, words, code, query, key);
    const sunk = 1 - weights.reduce((sum, share) => sum + share, 0);
    if (sunk > 0.5)
      return `Head ${code} gives its sink ${fixed(sunk)} of this row, and all keys the rest.${none}`;
    if (keys.length === 1) return `Head ${code} sees only this key ${from}.`;
    const even = 1 / keys.length;
    if (most < Math.min(2 * even, (1 + even) / 2))
      return (
        `Head ${code} looks ${from} at no key in particular: of ${keys.length} keys none gets more than ` +
        `${fixed(most, 3)}, and an even share is ${fixed(even, 3)}.${none}`
      );
    if (weight >= LOOKS * most) {
      const others = keys.filter((other) => other !== key);
      return `Head ${code} looks ${from} ${there(key, weight)}.${this.why(key, others)}${none}`;
    }
    if (weight < HARDLY) {
      const others = keys.filter((other) => other !== best);
      return (
        `Head ${code} hardly looks ${from} ${there(key, weight)}. ` +
        `It looks ${there(best, most)} instead.${this.why(best, others)}${none}`
      );
    }
    return (
      `Head ${code} looks ${from} less ${there(key, weight)} than ${there(best, most)}.` +
      `${this.why(best, [key])}${none}`
    );
  }

  /**
   * By what a key exceeds others: the largest part of the difference, which may be less than half.
   *
   * @param {number} key
   * @param {number[]} others
   */
  why(key, others) {
    const { app, terms, words, query, code } = this;
    const all = causes(terms, query, key, others);
    const { written, amount, placed } = all[0];
    const total = all.reduce((sum, cause) => sum + cause.amount, 0);
    const than =
      others.length === 1 ? `that of ${words.token(others[0])}` : "the mean of the row's other keys";
    const uncapped = terms.cap ? "Without its cap, the" : "The";
    const lead = ` ${uncapped} attention logit of ${words.token(key)} is ${plain(total)} above ${than}.`;
    const makes = amount + (written === null ? 0 : placed); // as the sentence says it
    const most =
      makes > total
        ? "More than all of that"
        : makes < total / 2
          ? "The largest part of that"
          : "Most of that";
    // Of two keys: what this cause makes at each, less its mean over the row.
    const [own, against] = [key, others[0]].map((at) => {
      const cause = causes(terms, query, at, this.keys).find((one) => one.written === written);
      return cause.amount + (written === null ? 0 : cause.placed);
    });
    const two = others.length === 1;
    const apart = two
      ? `: less its mean over the row, ${signed(own)} at ${words.token(key)} and ${signed(against)} at ` +
        `${words.token(others[0])}.`
      : ".";
    const rejects = two && -against > own;
    const at = rejects ? others[0] : key;
    if (written === null) {
      const place = rejects ? `the place of ${words.token(at)}` : placeWords(terms, query - key);
      return (
        `${lead} ${most} belongs to ${place}. The places alone make ${signed(amount)} of it, ` + ALIKE + apart
      );
    }
    const reads = readBy(terms, query, written, key, others);
    return (
      `${lead} ${most} belongs to ${words.long(written, at)}` +
      `${rejects ? ", from which the head looks away" : ""}.${words.source(written, at)}` +
      `${rejects ? "" : match(app, words, code, reads, written, query, key)} ` +
      `Added up over all parts of the query, this part of the key makes ${signed(makes)} of it` +
      apart +
      (signed(placed) === "0.00" ? "" : ` The places alone make ${signed(placed)} of that, ${ALIKE}.`)
    );
  }
}

/**
 * An induction head, by the certificate or by its score, at a token without an earlier copy: without a sink
 * its row adds up to 1 all the same.
 *
 * @param {App} app
 * @param {HeadTerms} terms
 * @param {PartWords} words
 * @param {string} code
 * @param {number} query
 * @param {number} key
 */
function nothingFound(app, terms, words, code, query, key) {
  const { run, selection } = app;
  const { tokens } = words.sequence;
  const described = run.scoreTable.describe(run.scores[selection.head], run.found);
  const finds =
    run.roles.some(([role, heads]) => role === "induction head" && heads.includes(selection.head)) ||
    (described?.known && described.role === "induction head");
  if (
    !finds ||
    query === 0 ||
    tokens.indexOf(tokens[query]) < query ||
    selection.patternNow().weight(query, key) < 0.1
  )
    return "";
  return (
    ` ‘${run.tokenText(tokens[query])}’ has not come before, so ${code} finds nothing here. ` +
    (terms.sink === undefined ? "Its attention weights must add up to 1 all the same, so a" : "A") +
    " bright cell in this row does not mean that the head found something."
  );
}

/**
 * Whether both sides hold the same token: their own, or the one that their head saw.
 *
 * @param {App} app
 * @param {PartWords} words
 * @param {string} code
 * @param {TermPart} reads
 * @param {TermPart} written
 * @param {number} query
 * @param {number} key
 */
function match(app, words, code, reads, written, query, key) {
  const asked = words.seen(reads, query);
  const held = words.seen(written, key);
  const { tokens } = words.sequence;
  if (asked === null || held === null || tokens[asked] !== tokens[held] || query === key) return "";
  const text = "‘" + app.run.tokenText(tokens[held]) + "’";
  const side =
    reads[0] === "embed"
      ? "the query itself"
      : words.long(reads, query) + (asked === query ? "" : " (read from " + words.token(asked) + ")");
  const found =
    asked === query && held === key - 1 && held < query
      ? " So " + code + " finds what followed an earlier " + text + "."
      : "";
  return " This part of the key matches " + side + ": both hold " + text + "." + found;
}
