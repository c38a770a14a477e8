// Heads switched off: what the model predicts without them. The numbers were computed with the page, for sets
// of heads.

const { fixed } = headlight.text;
const { bytesOf } = headlight.compress;

const ROUNDED =
  "With heads switched off, the page knows only the likeliest token and the right one. Their probabilities " +
  "are rounded by up to 0.002.";

/** @typedef {WithoutNumbers<Uint8Array, Uint8Array | Uint16Array>} Numbers */

class Without {
  /** @param {{ run: Run; store: Store }} app */
  constructor({ run, store }) {
    this.run = run;
    this.store = store;
    /** @type {Map<string, Numbers>} */
    this.decoded = new Map();
    /** @type {{ sequence?: View; key?: string; applied?: View }} */
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

  /**
   * The number of a set among those of the page; null for a larger one.
   *
   * @param {number[]} heads
   */
  indexOf(heads) {
    const { without, heads: count } = this.run;
    if (without.most === count) return heads.reduce((index, head) => index + 2 ** head, 0);
    if (heads.length > without.most) return null;
    const [i, j] = heads;
    if (heads.length < 2) return heads.length === 0 ? 0 : 1 + i;
    return 1 + count + (i * (2 * count - i - 1)) / 2 + j - i - 1;
  }

  /** @param {number[]} heads */
  has(heads) {
    return (
      this.run.without !== undefined && this.indexOf([...heads].sort((one, other) => one - other)) !== null
    );
  }

  /**
   * The numbers of one way on a sequence; undefined where the page has none.
   *
   * @param {number} sequence
   * @param {number} way
   * @returns {Numbers | undefined}
   */
  numbers(sequence = this.store.state.sequence, way = this.store.state.way) {
    const packed = this.run.without?.sequences[sequence]?.[way];
    const name = sequence + " " + way;
    if (!packed || this.decoded.has(name)) return this.decoded.get(name);
    const tokens = bytesOf(packed.tokens);
    const wide = this.run.vocabulary.length > 256;
    const decoded = {
      tokens: wide ? new Uint16Array(tokens.buffer) : tokens,
      likeliest: bytesOf(packed.likeliest),
      targets: bytesOf(packed.targets),
      losses: packed.losses,
    };
    this.decoded.set(name, decoded);
    return decoded;
  }

  /**
   * The sequence with the predictions that are left; itself while no head is off, and where there are no
   * numbers.
   *
   * @param {View} sequence
   * @returns {View}
   */
  applied(sequence) {
    const { off, way } = this.store.state;
    const numbers = this.numbers();
    const index = this.run.without && this.indexOf(this.off);
    if (off === "" || !numbers || index === null || sequence.guesses.length === 0) return sequence;
    if (this.last.sequence === sequence && this.last.key === off + " " + way) return this.last.applied;
    const start = index * sequence.tokens.length;
    /** @type {Guess[][]} */
    const guesses = sequence.tokens.map((_, position) => {
      const best = numbers.tokens[start + position];
      const target = sequence.targets[position];
      /** @type {Guess[]} */
      const first = [[best, numbers.likeliest[start + position] / 255]];
      return target < 0 || target === best
        ? first
        : [...first, [target, numbers.targets[start + position] / 255]];
    });
    this.last = { sequence, key: off + " " + way, applied: { ...sequence, guesses, without: true } };
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
   * @param {View} sequence
   * @param {Numbers} numbers
   * @param {number} index
   */
  accuracy(sequence, numbers, index) {
    const places = this.counted(sequence);
    const right = places.filter(
      (position) => numbers.tokens[index * sequence.tokens.length + position] === sequence.targets[position],
    );
    return right.length / places.length;
  }

  /**
   * The counted positions whose prediction was right with all heads and is wrong now.
   *
   * @param {View} sequence
   */
  lost(sequence) {
    const { guesses, without } = this.applied(sequence);
    /** @type {(all: Guess[][], position: number) => boolean} */
    const right = (all, position) => all[position][0][0] === sequence.targets[position];
    return new Set(
      without
        ? this.counted(sequence).filter(
            (position) => right(sequence.guesses, position) && !right(guesses, position),
          )
        : [],
    );
  }

  /**
   * "Without L1H0, L1H3: accuracy 0.36 instead of 1.00, loss 2.31 instead of 0.02, …"
   *
   * @param {View} sequence
   */
  words(sequence) {
    const { run, off } = this;
    const numbers = this.numbers();
    const codes = this.codes();
    if (off.length === 0) return "";
    if (!numbers) return "Without " + codes + ": " + this.missing();
    const index = this.indexOf(off);
    if (index === null)
      return (
        `Without ${codes}: this page has numbers for ` +
        (run.without.most === 2 ? "one or two heads" : "one head") +
        " switched off, of a model with so many. The predictions are those with all heads."
      );
    const own = run.sequences[this.store.state.sequence];
    const places = this.counted(own);
    const start = index * own.tokens.length;
    if (places.length === 0) {
      const changed = own.tokens.filter(
        (_, position) => numbers.tokens[start + position] !== numbers.tokens[position],
      ).length;
      return (
        "Without " + codes + ": other predictions at " + changed + " of " + own.tokens.length + " tokens."
      );
    }
    /** @type {(now: number, before: number) => string} */
    const instead = (now, before) => fixed(now) + " instead of " + fixed(before);
    return (
      `Without ${codes}: accuracy ` +
      instead(this.accuracy(own, numbers, index), this.accuracy(own, numbers, 0)) +
      ", loss " +
      instead(numbers.losses[index], numbers.losses[0]) +
      ` on the ${places.length}` +
      (own.predictable.some(Boolean) ? " " + run.predictable : "") +
      " tokens of this sequence." +
      (run.certificate ? " The certificate's numbers are of other sequences." : "")
    );
  }

  missing() {
    const { length } = this.run.without.sequences;
    return (
      "this sequence has no such numbers; " +
      (length === 1 ? "only the first sequence has" : "the first " + length + " sequences have") +
      ". The predictions are those with all heads."
    );
  }
}

/** @typedef {typeof names} Names */
const names = { ROUNDED, Without };
headlight.without = names;
