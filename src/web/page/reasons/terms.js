// The attention logits and the logits of one sequence as sums over what wrote to the residual stream. A part
// is [kind, index].

import { Factors } from "../../kit/factors.js";
import { dot } from "../../kit/numbers.js";

/** @type {(part: TermPart) => TermPart} */
const before = ([kind, index]) => [kind, index, 1];

// score(i,j) = cap(Σ q[s,i]·k[t,j]) + bias(i-j) of one head. The parts t of a key are those of a query, and
// where keys are smeared, these again at the position before.
export class HeadTerms {
  /**
   * `turn`: how positions rotate queries, as CircuitsData has it.
   *
   * @param {HeadTermsData} head
   * @param {boolean} causal
   * @param {number[]} turn
   */
  constructor({ parts, q: queries, k: keys, smear, bias, cap, sink, window }, causal, turn) {
    this.parts = parts;
    this.smear = smear;
    this.keyParts = smear === undefined ? parts : [...parts, ...parts.map(before)];
    this.turn = turn;
    this.cap = cap;
    this.sink = sink;
    this.window = window;
    this.causal = causal;
    this.queryFactors = new Factors(queries);
    this.keyFactors = new Factors(keys);
    this.biases = bias ? new Factors(bias).values : null;
    const [, positions, width] = queries.shape;
    this.positions = positions;
    this.width = width;
  }

  /**
   * @param {number} query
   * @param {number} key
   */
  sees(query, key) {
    if (key < 0 || key >= this.positions || (this.causal && key > query)) return false;
    return !this.window || Math.abs(query - key) < this.window;
  }

  /** @param {number} query */
  keys(query) {
    return Array.from({ length: this.positions }, (_, key) => key).filter((key) => this.sees(query, key));
  }

  /** @param {number} query */
  queryTotal(query) {
    return this.queryFactors.total.subarray(query * this.width, (query + 1) * this.width);
  }

  /**
   * The sum of all products, before cap and bias.
   *
   * @param {number} query
   * @param {number} key
   */
  sum(query, key) {
    const keys = this.keyFactors.total.subarray(key * this.width, (key + 1) * this.width);
    return dot(this.queryTotal(query), keys);
  }

  /**
   * @param {number} query
   * @param {number} key
   */
  bias(query, key) {
    return this.biases ? this.biases[this.positions - 1 + query - key] : 0;
  }

  /**
   * @param {number} query
   * @param {number} key
   */
  score(query, key) {
    const sum = this.sum(query, key);
    return (this.cap ? this.cap * Math.tanh(sum / this.cap) : sum) + this.bias(query, key);
  }

  /**
   * Softmax over the keys of a row, and the sink if there is one.
   *
   * @param {number} query
   * @param {number} key
   */
  weight(query, key) {
    const scores = this.keys(query).map((other) => this.score(query, other));
    const own = this.score(query, key);
    const all = this.sink === undefined ? scores : [...scores, this.sink];
    return 1 / all.reduce((sum, score) => sum + Math.exp(score - own), 0);
  }

  /**
   * What a number of the keys has at one, less its mean over the row's others.
   *
   * @param {number} query
   * @param {number} key
   * @param {(key: number) => number} of
   */
  above(query, key, of) {
    const others = this.keys(query).filter((other) => other !== key);
    return others.reduce((sum, other) => sum + (of(key) - of(other)) / others.length, 0);
  }

  /**
   * Every product q[s,i]·k[t,j], with its mean over the other keys of the row.
   *
   * @param {number} query
   * @param {number} key
   * @returns {Product[]}
   */
  products(query, key) {
    const terms = this.parts.flatMap((reads, part) => {
      const queries = this.queryFactors.row(part, query);
      return this.keyParts.map((written, source) => {
        /** @type {(key: number) => number} */
        const at = (place) => dot(queries, this.keyFactors.row(source, place));
        return { reads, written, value: at(key), above: this.above(query, key, at) };
      });
    });
    return terms.sort((one, other) => Math.abs(other.value) - Math.abs(one.value));
  }

  /**
   * How their sum becomes the attention logit, row by row.
   *
   * @param {number} query
   * @param {number} key
   */
  totals(query, key) {
    /** @type {(key: number) => number} */
    const bias = (at) => this.bias(query, at);
    /** @type {[name: string, of: (key: number) => number][]} */
    const rows = [["attention logit", (at) => this.score(query, at)]];
    if (this.biases) rows.unshift(["bias of distance " + (query - key), bias]);
    if (this.cap)
      rows.unshift(
        ["sum", (at) => this.sum(query, at)],
        ["capped at ±" + this.cap, (at) => this.score(query, at) - bias(at)],
      );
    return rows.map(([name, of]) => ({ name, value: of(key), above: this.above(query, key, of) }));
  }
}

// What each part contributes to the logits of the predictions that the page lists, less their mean over the
// vocabulary.
export class LogitTerms {
  /**
   * @param {TermsData["logits"]} logits
   * @param {View} view
   */
  constructor({ parts, contributions }, { guesses, targets }) {
    this.parts = parts;
    this.guesses = guesses;
    this.targets = targets;
    this.values = new Factors(contributions);
  }

  /**
   * The guesses at a position, and its target if that is none of them.
   *
   * @param {number} position
   */
  tokens(position) {
    const tokens = this.guesses[position].map(([id]) => id);
    const target = this.targets[position];
    return target < 0 || tokens.includes(target) ? tokens : [...tokens, target];
  }

  /**
   * @param {number} position
   * @param {number} token
   */
  contributions(position, token) {
    const place = this.guesses[position].findIndex(([id]) => id === token);
    const last = this.values.shape[2] - 1;
    return this.parts
      .map((part, index) => ({ part, value: this.values.row(index, position)[place < 0 ? last : place] }))
      .sort((one, other) => other.value - one.value);
  }
}

// The terms of a sequence, decoded once.
/** @type {WeakMap<TermsData, { heads: HeadTerms[]; logits: LogitTerms }>} */
const decoded = new WeakMap();

/**
 * The sequence taken apart: by the page's own numbers, else by the engine. Null where it is not known,
 * undefined while it comes.
 *
 * @param {App} app
 * @param {View} sequence
 */
export function termsOf({ run, live }, sequence) {
  if (!run.circuits || run.circuits.no_terms) return null;
  const own = [...run.sequences, run.own].find((one) => one === sequence || one?.views.includes(sequence));
  const terms = own.terms ?? live?.answer("terms " + own.tokens.join(), () => asked(live, own), "terms");
  if (!terms) return terms === undefined && live ? undefined : null;
  if (!decoded.has(terms)) {
    const heads = terms.heads.map((head) => new HeadTerms(head, own.patterns.causal, run.circuits.turn));
    decoded.set(terms, { heads, logits: new LogitTerms(terms.logits, own) });
  }
  return decoded.get(terms);
}

/**
 * @param {LiveModel} live
 * @param {RunSequence} sequence
 * @returns {Promise<TermsData>}
 */
function asked({ engine }, { tokens, targets, guesses }) {
  return engine.terms(
    tokens,
    targets,
    guesses.map((listed) => listed.map(([id]) => id)),
  );
}

/**
 * Why a sequence has no terms, in a sentence.
 *
 * @param {App} app
 * @param {string} what
 */
export function missingTerms({ run: { circuits, sequences }, live }, what) {
  if (circuits.no_terms) return circuits.no_terms;
  if (live)
    return live.failed === ""
      ? `The engine takes the ${what} of this sequence apart.`
      : `The ${what} of this sequence are not taken apart here: ${live.why}.`;
  const known = sequences.filter((part) => part.terms).length;
  return (
    `The ${what} of this sequence are not taken apart here. To keep this file small, only those of ` +
    "the first " +
    (known === 1 ? "sequence" : known + " sequences") +
    " in the list are."
  );
}
