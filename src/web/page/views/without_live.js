// Predictions and patterns without heads, by the engine in the page: exact, of any set on any sequence.

/** @implements {WithoutSource} */
export class LiveWithout {
  /**
   * @param {Run} run
   * @param {LiveModel} live
   */
  constructor(run, live) {
    this.run = run;
    this.live = live;
  }

  prepare() {
    this.live.open().catch(() => {}); // who asks first is told
  }

  has() {
    return true;
  }

  covers() {
    return true;
  }

  /**
   * @param {number} sequence
   * @param {number[]} heads
   * @param {number} way
   */
  result(sequence, heads, way) {
    return this.live.answer(["without", sequence, ...heads, this.run.without.ways[way][0]].join(" "), () =>
      this.look(sequence, heads, way),
    );
  }

  /**
   * @param {number} sequence
   * @param {number[]} heads
   * @param {number} way
   * @returns {Promise<WithoutResult>}
   */
  async look(sequence, heads, way) {
    const { run, live } = this;
    const { tokens, targets, predictable } = run.sequences[sequence];
    const { patterns, probabilities } = await live.engine.look(tokens, {
      off: heads,
      way: run.without.ways[way][0],
    });
    const targeted = targets.map((_, position) => position).filter((position) => targets[position] >= 0);
    const known = targeted.filter((position) => predictable[position]);
    const counted = known.length > 0 ? known : targeted;
    /** @type {(position: number) => number} */
    const cost = (position) => -Math.log(probabilities[position][targets[position]]);
    const listed = run.sequences[0].guesses[0]?.length ?? 1;
    return {
      guesses: probabilities.map((row) => likeliest(row, listed)),
      loss: counted.reduce((sum, position) => sum + cost(position), 0) / counted.length,
      patterns,
    };
  }

  why() {
    return this.live.why + ". What is shown is with all heads.";
  }

  get note() {
    return "All patterns and predictions, under Heads and under Predictions, are those without these heads.";
  }

  get precision() {
    return "";
  }
}

/**
 * @param {Float32Array} row
 * @param {number} count
 * @returns {Guess[]}
 */
function likeliest(row, count) {
  const order = Array.from(row.keys()).sort((one, other) => row[other] - row[one] || one - other);
  return order.slice(0, count).map((token) => [token, row[token]]);
}
