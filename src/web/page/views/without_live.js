// Predictions and patterns of the changed model, by the engine in the page: exact, on any sequence.

const LEAST = 2 ** -149; // the engine's smallest number: a smaller probability comes as 0

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
   * @param {Asked} sequence
   * @param {Changes} changes
   * @param {string} [of]
   */
  result(sequence, changes, of) {
    const name = ["look", sequence.tokens.join(), JSON.stringify(changes)].join(" ");
    return this.live.answer(name, () => this.look(sequence, changes), of);
  }

  /**
   * @param {Asked} sequence
   * @param {Changes} changes
   * @returns {Promise<WithoutResult>}
   */
  async look({ tokens, targets, predictable }, changes) {
    const { patterns, probabilities, lens } = await this.live.engine.look(tokens, changes);
    const targeted = targets.map((_, position) => position).filter((position) => targets[position] >= 0);
    const known = targeted.filter((position) => predictable[position]);
    const counted = known.length > 0 ? known : targeted;
    /** @type {(position: number) => number} */
    const cost = (position) => -Math.log(Math.max(probabilities[position][targets[position]], LEAST));
    const listed = this.run.sequences[0].guesses[0]?.length ?? 1;
    return {
      guesses: probabilities.map((row) => likeliest(row, listed)),
      loss: counted.reduce((sum, position) => sum + cost(position), 0) / counted.length,
      atLeast: counted.some((position) => probabilities[position][targets[position]] === 0),
      patterns,
      lens,
    };
  }

  why() {
    return this.live.why + ". What is shown is of the whole model.";
  }

  get note() {
    return (
      "All patterns and predictions, under Heads and under Predictions, are those of the changed model. " +
      "Kinds and scores of heads are those of the whole model."
    );
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
