// A changed model, most often without some heads: what it predicts, and where its heads look.

import { capital, fixed } from "../../kit/text.js";
import {
  FRESH,
  UNCHANGED,
  changeWords,
  changesOf,
  freshWords,
  layerToggled,
  numbersIn,
  toggled,
} from "./changes.js";
import { askedOf } from "../web/typing.js";
import { StoredWithout } from "./without_stored.js";
import { LiveWithout } from "./without_live.js";

export class Without {
  /** @param {{ run: Run; store: Store; live: LiveModel | null }} app */
  constructor({ run, store, live }) {
    this.run = run;
    this.store = store;
    this.live = live;
    /** @type {WithoutSource} */
    this.source = live ? new LiveWithout(run, live) : new StoredWithout(run);
    /** @type {{ sequence: RunSequence; result: WithoutResult | null } | null} */
    this.latest = null;
    /** @type {{ sequence?: View; result?: WithoutResult; applied?: View }} */
    this.last = {};
  }

  // The heads that are switched off.
  get off() {
    return numbersIn(this.store.state.off);
  }

  get changed() {
    const { off, cut, mlps, patch } = this.store.state;
    return off + cut + mlps + patch !== "";
  }

  /**
   * What is changed where a sequence is read. Heads of a sequence A of another length do not fit.
   *
   * @param {Asked} sequence
   * @returns {Changes}
   */
  changes({ tokens }) {
    const { patch, ...others } = changesOf(this.store.state, this.run.without.ways[this.store.state.way][0]);
    return patch?.tokens.length === tokens.length ? { ...others, patch } : others;
  }

  // "without L0H1, the MLP of layer 0", of the chosen sequence.
  get phrase() {
    return changeWords(this.changes(this.sequence), (head) => this.run.headCode(head));
  }

  get sequence() {
    return this.run.sequenceAt(this.store.state.sequence);
  }

  /** @param {number[]} heads */
  switchOff(heads) {
    this.store.change({ off: [...new Set(heads)].sort((one, other) => one - other).join() });
  }

  /**
   * One more head, MLP, look or patched head, or one less.
   *
   * @param {keyof typeof UNCHANGED} what
   * @param {string} entry
   */
  toggle(what, entry) {
    this.store.change({ [what]: toggled(this.store.state[what], entry) });
  }

  /**
   * A layer with all its heads and its MLP.
   *
   * @param {number} layer
   */
  layer(layer) {
    const { run, store, off } = this;
    return layerToggled(layer, run.n_heads, run.mlps, off, numbersIn(store.state.mlps));
  }

  /** @param {number} layer */
  toggleLayer(layer) {
    const { off, mlps } = this.layer(layer);
    this.store.change({ off: off.join(), mlps: mlps.join() });
  }

  allOn() {
    this.store.change(UNCHANGED);
  }

  /** @param {number[]} heads */
  has(heads) {
    return this.run.without !== undefined && this.source.has([...heads].sort((one, other) => one - other));
  }

  /**
   * What the changed model does with a sequence.
   *
   * @param {Asked} sequence
   * @param {string} [of] see LiveModel.answer
   */
  resultOf(sequence, of) {
    return this.source.result(sequence, this.changes(sequence), of);
  }

  // What the changed model does with the chosen sequence; while it comes, what was shown before. Null while
  // nothing is changed, and where it is not known.
  get result() {
    if (!this.run.without || !this.changed) return (this.latest = null);
    const { sequence } = this;
    const result = this.resultOf(sequence, "shown");
    if (result !== undefined) this.latest = { sequence, result };
    return this.latest?.sequence === sequence ? this.latest.result : null;
  }

  // Where the heads look now; null where that is not known.
  get patterns() {
    return this.result?.patterns ?? null;
  }

  /**
   * The sequence with the predictions that are left; itself while nothing is changed, and where there are no
   * numbers.
   *
   * @param {View} sequence
   * @returns {View}
   */
  applied(sequence) {
    const { result } = this;
    if (result === null || sequence.guesses.length === 0) return sequence;
    if (this.last.sequence === sequence && this.last.result === result) return this.last.applied;
    this.last = {
      sequence,
      result,
      applied: { ...sequence, guesses: result.guesses, lens: result.lens, without: true },
    };
    return this.last.applied;
  }

  /**
   * The positions that count: those of predictable tokens, if there are any.
   *
   * @param {View} sequence
   */
  counted(sequence) {
    const places = sequence.tokens
      .map((_, position) => position)
      .filter((position) => sequence.targets[position] >= 0);
    const known = places.filter((position) => sequence.predictable[position]);
    return known.length > 0 ? known : places;
  }

  /**
   * The share of the counted positions at which a sequence's guesses are right without some heads; null where
   * that is not known, undefined while it comes.
   *
   * @param {RunSequence} sequence
   * @param {number[]} heads
   */
  accuracy(sequence, heads) {
    const [way] = this.run.without.ways[0];
    const result = this.source.result(sequence, heads.length > 0 ? { way, off: heads } : {});
    return result && this.shareRight(sequence, result);
  }

  /**
   * @param {RunSequence} sequence
   * @param {WithoutResult} result
   */
  shareRight(sequence, { guesses }) {
    const places = this.counted(sequence);
    const right = places.filter((position) => isRight(sequence, guesses, position));
    return places.length === 0 ? null : right.length / places.length;
  }

  /**
   * The counted positions whose prediction was right with all heads and is wrong now.
   *
   * @param {View} sequence
   */
  lost(sequence) {
    const { guesses, without } = this.applied(sequence);
    return new Set(
      without
        ? this.counted(sequence).filter(
            (position) =>
              isRight(sequence, sequence.guesses, position) && !isRight(sequence, guesses, position),
          )
        : [],
    );
  }

  // "Without L1H0, L1H3: accuracy 0.36 instead of 1.00, loss 2.31 instead of 0.02, …"; null while it comes.
  words() {
    const { run, source, sequence: own } = this;
    const phrase = capital(this.phrase);
    const misfit = this.misfit();
    if (phrase === "") return misfit;
    const whole = source.result(own, {});
    const result = this.resultOf(own, "shown");
    const { patch, remembered } = this.store.state;
    const onA = patch === "" || misfit !== "" ? null : source.result(askedOf(numbersIn(remembered)), {});
    if (whole === undefined || result === undefined || onA === undefined) return null;
    if (whole === null || result === null) return `${phrase}: ${source.why(this.off)}`;
    const places = this.counted(own);
    if (places.length === 0) {
      const changed = own.tokens.filter(
        (_, position) => result.guesses[position][0][0] !== whole.guesses[position][0][0],
      ).length;
      return `${phrase}: other predictions at ${changed} of ${own.tokens.length} tokens.${misfit}`;
    }
    /** @type {(now: number, before: number) => string} */
    const instead = (now, before) => fixed(now) + " instead of " + fixed(before);
    return (
      `${phrase}: accuracy ` +
      instead(this.shareRight(own, result), this.shareRight(own, whole)) +
      ", loss " +
      [result, whole].map(lossWords).join(" instead of ") +
      ` on the ${places.length === 1 ? "one" : places.length}` +
      (own.predictable.some(Boolean)
        ? " " + run.predictable
        : places.length < own.tokens.length - 1
          ? " asked"
          : "") +
      ` token${places.length === 1 ? "" : "s"} of this sequence.` +
      otherGuess(own, places, [whole, result, onA], (token) => run.tokenText(token)) +
      (run.certificate ? " The certificate's numbers are of other sequences." : "") +
      misfit
    );
  }

  // Why no head is patched here.
  misfit() {
    const { patch, remembered } = this.store.state;
    const [a, n] = [numbersIn(remembered), this.sequence.tokens].map(({ length }) => length);
    return patch === "" || a === n
      ? ""
      : ` The sequence A has ${a} tokens, and this one ${n}: no head can write here what it writes on A.`;
  }

  // The numbers on fresh sequences, where the engine is; null while they come.
  fresh() {
    const { live } = this;
    const { patch, ...others } = this.changes(this.sequence);
    const words = changeWords(others, (head) => this.run.headCode(head));
    if (!live || words === "") return "";
    /** @type {(changes?: Changes) => Evaluation | null | undefined} */
    const numbers = (changes) =>
      live.answer(
        "fresh " + JSON.stringify(changes ?? {}),
        () => live.engine.evaluate(FRESH, changes),
        changes && "fresh",
      );
    const [whole, changed] = [numbers(), numbers(others)];
    if (whole === undefined || changed === undefined) return null;
    return whole && changed ? freshWords(whole, changed, words, patch !== undefined) : "";
  }
}

/** @param {WithoutResult} result */
export function lossWords({ loss, atLeast = false }) {
  return (atLeast ? "more than " : "") + fixed(loss);
}

/**
 * Another guess: after the last token, which no accuracy counts; or with heads patched, at the first of the
 * places that are counted. "" where there is none.
 *
 * @param {View} own
 * @param {number[]} places that are counted
 * @param {(WithoutResult | null)[]} results of the whole model, the changed one, and the whole one on A
 * @param {(token: number) => string} text
 */
export function otherGuess({ tokens, targets }, places, [whole, changed, onA], text) {
  const last = tokens.length - 1;
  const open = targets[last] < 0 && targets.filter((target) => target < 0).length === 1; // or filled up
  const place = [...(open ? [last] : []), ...(onA ? places : [])].find(
    (at) => whole.guesses[at][0][0] !== changed.guesses[at][0][0],
  );
  if (place === undefined) return "";
  const where = place === last ? "its last token" : `‘${text(tokens[place])}’ at ${place},`;
  const [before, now, other] = [whole, changed, onA].map((result) => {
    if (!result) return "";
    const [token, probability] = result.guesses[place][0];
    return `‘${text(token)}’ (${fixed(probability)})`;
  });
  return ` After ${where} ${now} is guessed instead of ${before}` + (onA ? `; on A it is ${other}.` : ".");
}

/**
 * @param {View} sequence
 * @param {Guess[][]} guesses
 * @param {number} position
 */
function isRight({ targets }, guesses, position) {
  return guesses[position][0][0] === targets[position];
}
