// What a training in the lab leaves: its losses and accuracies, and weights to go back to and to measure.

export const KEPT_EVERY = 10; // steps between what is kept, whatever the time that they take
const MOST_KEPT = 200; // steps to go back to
const MOST_MEASURED = 12; // of them, for the page: each takes the engine a quarter of a second

/** @typedef {import("./curve.js").Point} Point */
/** @typedef {Point & { seconds: number; weights: Uint8Array }} Kept */

export class History {
  constructor() {
    this.base = 0; // the step from which the engine counts
    this.seconds = 0; // of training
    /** @type {Point[]} */
    this.curve = [];
    /** @type {Kept[]} */
    this.kept = [];
    /** @type {number | null} */
    this.back = null; // the kept step that is shown instead of the last
  }

  // Of a model that was just made.
  /**
   * @param {Uint8Array} weights
   * @param {{ steps: number; seconds: number }} [trained] that they have had
   */
  static of(weights, { steps, seconds } = { steps: 0, seconds: 0 }) {
    const history = new History();
    Object.assign(history, { base: steps, seconds });
    history.keep({ step: steps, seconds, loss: 0, accuracy: null, weights });
    return history;
  }

  // Of another training that goes on from what is shown.
  get shown() {
    const history = Object.assign(new History(), this, { back: this.back ?? this.kept.length - 1 });
    history.leaveBack();
    return history;
  }

  /** @param {Kept} kept */
  keep(kept) {
    const { step, loss, accuracy } = kept;
    if (this.kept.length > 0) this.curve.push({ step, loss, accuracy }); // what no step made has no loss
    this.kept.push(kept);
    const last = this.kept.length - 1;
    if (last >= MOST_KEPT) this.kept = this.kept.filter((_, i) => i % 2 === 0 || i === last);
  }

  /** @param {number} index */
  goBack(index) {
    this.back = index;
    return this.kept[index];
  }

  // Training goes on from the kept step that is shown; what came after it is gone.
  leaveBack() {
    if (this.back === null) return;
    this.kept = this.kept.slice(0, this.back + 1);
    const { step, seconds } = this.kept[this.back];
    this.base = step;
    this.seconds = seconds;
    this.curve = this.curve.filter((point) => point.step <= step);
    this.back = null;
  }

  // For a training that goes on from the last kept step, which it returns.
  resume() {
    const last = this.goBack(this.kept.length - 1);
    this.leaveBack();
    return last;
  }

  // Leaves the kept steps that tell most, of the whole training.
  thin() {
    this.back = null;
    this.kept = this.telling;
  }

  // The first, the last, and others between, denser where accuracy changes more.
  get telling() {
    const kept = this.kept.slice(0, (this.back ?? this.kept.length - 1) + 1);
    const least = 1 / kept.length;
    let way = 0;
    const ways = kept.map(({ accuracy }, i) => {
      if (i > 0) way += Math.abs((accuracy ?? 0) - (kept[i - 1].accuracy ?? 0)) + least;
      return way;
    });
    const count = Math.min(MOST_MEASURED, kept.length);
    const chosen = Array.from({ length: count }, (_, k) => {
      const at = count === 1 ? way : (way * k) / (count - 1);
      return ways.reduce((best, one, i) => (Math.abs(one - at) < Math.abs(ways[best] - at) ? i : best), 0);
    });
    return [...new Set(chosen)].map((i) => kept[i]);
  }
}
