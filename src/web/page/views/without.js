// Heads switched off: what the model predicts without them, and where its other heads look.

import { fixed } from "../../kit/text.js";
import { StoredWithout } from "./without_stored.js";
import { LiveWithout } from "./without_live.js";

export class Without {
  /** @param {{ run: Run; store: Store; live: LiveModel | null }} app */
  constructor({ run, store, live }) {
    this.run = run;
    this.store = store;
    /** @type {WithoutSource} */
    this.source = live ? new LiveWithout(run, live) : new StoredWithout(run);
    /** @type {{ sequence: number; result: WithoutResult | null } | null} */
    this.latest = null;
    /** @type {{ sequence?: View; result?: WithoutResult; applied?: View }} */
    this.last = {};
  }

  get off() {
    const { off } = this.store.state;
    return off === "" ? [] : off.split(",").map(Number);
  }

  /** @param {number[]} heads */
  codes(heads = this.off) {
    return heads.map((head) => this.run.headCode(head)).join(", ");
  }

  /** @param {number[]} heads */
  switchOff(heads) {
    this.store.change({ off: [...new Set(heads)].sort((one, other) => one - other).join(",") });
  }

  /** @param {number} head */
  toggle(head) {
    const { off } = this;
    this.switchOff(off.includes(head) ? off.filter((other) => other !== head) : [...off, head]);
  }

  /** @param {number[]} heads */
  has(heads) {
    return this.run.without !== undefined && this.source.has([...heads].sort((one, other) => one - other));
  }

  // What is left without the heads that are off, on the chosen sequence; while it comes, what was shown
  // before. Null while all heads are on, and where it is not known.
  get result() {
    const { off, way, sequence } = this.store.state;
    if (off === "" || !this.run.without) return null;
    const result = this.source.result(sequence, this.off, way);
    if (result !== undefined) this.latest = { sequence, result };
    return this.latest?.sequence === sequence ? this.latest.result : null;
  }

  // Where the heads look now; null where that is not known.
  get patterns() {
    return this.result?.patterns ?? null;
  }

  /**
   * The sequence with the predictions that are left; itself while no head is off, and where there are no
   * numbers.
   *
   * @param {View} sequence
   * @returns {View}
   */
  applied(sequence) {
    const { result } = this;
    if (result === null || sequence.guesses.length === 0) return sequence;
    if (this.last.sequence === sequence && this.last.result === result) return this.last.applied;
    this.last = { sequence, result, applied: { ...sequence, guesses: result.guesses, without: true } };
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
   * @param {number} index
   * @param {number[]} heads
   * @param {number} way
   */
  accuracy(index, heads, way = this.store.state.way) {
    const sequence = this.run.sequences[index];
    const places = this.counted(sequence);
    const result = this.source.result(index, heads, way);
    if (!result || places.length === 0) return result && null;
    const right = places.filter((position) => isRight(sequence, result.guesses, position));
    return right.length / places.length;
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
    const { run, off, source } = this;
    const { sequence, way } = this.store.state;
    const codes = this.codes();
    if (off.length === 0) return "";
    const [whole, result] = [[], off].map((heads) => source.result(sequence, heads, way));
    if (whole === undefined || result === undefined) return null;
    if (whole === null || result === null) return `Without ${codes}: ${source.why(off)}`;
    const own = run.sequences[sequence];
    const places = this.counted(own);
    if (places.length === 0) {
      const changed = own.tokens.filter(
        (_, position) => result.guesses[position][0][0] !== whole.guesses[position][0][0],
      ).length;
      return (
        "Without " + codes + ": other predictions at " + changed + " of " + own.tokens.length + " tokens."
      );
    }
    /** @type {(now: number, before: number) => string} */
    const instead = (now, before) => fixed(now) + " instead of " + fixed(before);
    return (
      `Without ${codes}: accuracy ` +
      instead(this.accuracy(sequence, off), this.accuracy(sequence, [])) +
      ", loss " +
      instead(result.loss, whole.loss) +
      ` on the ${places.length}` +
      (own.predictable.some(Boolean) ? " " + run.predictable : "") +
      " tokens of this sequence." +
      (run.certificate ? " The certificate's numbers are of other sequences." : "")
    );
  }
}

/**
 * @param {View} sequence
 * @param {Guess[][]} guesses
 * @param {number} position
 */
function isRight({ targets }, guesses, position) {
  return guesses[position][0][0] === targets[position];
}
