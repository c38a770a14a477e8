// Where a head looks by positions alone, whatever the tokens: a picture of position × position in the part
// "Circuits".

import { allMarked, knownMark } from "../../kit/known.js";
import { byId } from "../../kit/text.js";
import { Factors } from "../../kit/factors.js";
import { dot, product } from "../../kit/numbers.js";
import { Heatmap } from "../../kit/heatmap.js";
import { plain, strongestColour } from "../reasons/part_words.js";

const MOST = 128; // positions

/**
 * score(query, key) of positions, and what it is; null where positions do not act by themselves.
 *
 * @param {Run} run
 * @param {HeadCircuit} circuit
 * @param {number} head
 * @param {boolean} turns
 */
function scoreOfPositions(run, circuit, head, turns) {
  if (circuit.positions) {
    const [left, right] = circuit.positions.map((factor) => new Factors(factor));
    const count = left.shape[0];
    const scores = product(left.values, right.values, left.shape[1]);
    return {
      count,
      score: (/** @type {number} */ query, /** @type {number} */ key) => scores[query * count + key],
      kind: "The vectors of positions make this *attention logit*.",
    };
  }
  const known = run.sequences.find(({ terms }) => terms);
  const terms = run.stack(head) === 0 ? known?.terms.heads[run.inStack(head)] : undefined;
  if (terms?.bias) {
    const count = known.tokens.length;
    const bias = new Factors(terms.bias).values;
    return {
      count,
      score: (/** @type {number} */ query, /** @type {number} */ key) => bias[count - 1 + query - key],
      kind: "This is the bias that the head adds at each distance.",
    };
  }
  return turns && circuit.qk && run.sequences[0].views[run.stack(head)].patterns.causal
    ? rotated(run, circuit)
    : null;
}

/**
 * The mean over all pairs of tokens, by the distance.
 *
 * @param {Run} run
 * @param {HeadCircuit} circuit
 */
function rotated(run, { qk: [left, right] }) {
  const width = left.shape[1];
  const tokens = left.shape[0];
  const count = Math.min(MOST, Math.max(...run.sequences.map((sequence) => sequence.tokens.length)));
  const key = Array.from(
    { length: width },
    (_, component) =>
      right.values
        .subarray(component * tokens, (component + 1) * tokens)
        .reduce((sum, value) => sum + value, 0) / tokens,
  );
  let turned = Float64Array.from(
    { length: width },
    (_, component) =>
      left.values.reduce((sum, value, i) => (i % width === component ? sum + value : sum), 0) / tokens,
  );
  /** @type {number[]} */
  const byDistance = [];
  for (let distance = 0; distance < count; ++distance) {
    byDistance.push(dot(turned, key));
    turned = product(turned, run.circuits.turn, width);
  }
  return {
    count,
    score: (/** @type {number} */ query, /** @type {number} */ key) => byDistance[query - key],
    kind:
      "With *rotary positions* only the distance counts. Each cell is the mean " +
      "*attention logit* over all pairs of tokens, without the biases of norms.",
  };
}

export class PositionsPicture {
  /** @param {App} app */
  constructor({ run, selection, glossary }) {
    this.run = run;
    this.glossary = glossary;
    this.map = new Heatmap(byId("circuits-positions"), (row, column, value) =>
      this.showCell(row, column, value),
    );
    this.map.addSaves(run, "these scores", () => "positions of " + run.headCode(selection.head));
  }

  /**
   * A row less its mean over the keys that it sees, because what is equal for all keys does not change
   * weights.
   *
   * @param {HeadCircuit} circuit
   * @param {number} head
   * @param {boolean} turns
   * @param {number} least what the strongest colours stand for at least; returns what they stand for
   */
  show(circuit, head, turns, least) {
    const known = scoreOfPositions(this.run, circuit, head, turns);
    byId("circuits-positions-side").hidden = known === null;
    if (known === null) return least;
    const { count, score, kind } = known;
    const { causal, window = Infinity } = this.run.sequences[0].views[this.run.stack(head)].patterns;
    const matrix = new Float64Array(count * count).fill(NaN);
    for (let query = 0; query < count; ++query) {
      const first = Math.max(0, query - window + 1);
      const end = causal ? query + 1 : Math.min(count, query + window);
      const row = Array.from({ length: end - first }, (_, i) => score(query, first + i));
      const mean = row.reduce((sum, value) => sum + value, 0) / row.length;
      row.forEach((value, i) => {
        matrix[query * count + first + i] = value - mean;
      });
    }
    this.map.show(
      matrix,
      Array.from({ length: count }, (_, i) => String(i)),
      ["query's position", "key's position"],
      least,
    );
    byId("circuits-positions").setAttribute(
      "aria-label",
      "Attention logits by position, of " + this.run.headCode(head),
    );
    const said =
      kind +
      " From each row its mean is taken away, because only differences within a row count." +
      strongestColour(this.map) +
      (matrix.some(Number.isNaN) ? " Grey: a key that the query does not see." : "");
    const mark = knownMark(this.run.evidence.parameters);
    byId("circuits-positions-words").replaceChildren(...allMarked(this.glossary.nodes(said), mark));
    return this.map.largest;
  }

  /**
   * @param {number | null} row
   * @param {number | null} column
   * @param {number | null} value
   */
  showCell(row, column, value) {
    const words =
      row === null
        ? "Point at a cell to read its number."
        : `query at ${row}, key at ${column}: ` + (Number.isNaN(value) ? "not seen" : plain(value));
    byId("circuits-positions-readout").textContent = words;
  }
}
