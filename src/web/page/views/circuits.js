// The part "Circuits": which head reads what another wrote, and what the parameters of one head do to each
// token.

import { allMarked, knownMark } from "../../kit/known.js";
import { byId, elements, setOptions } from "../../kit/text.js";
import { Factors } from "../../kit/factors.js";
import { product } from "../../kit/numbers.js";
import { Heatmap } from "../../kit/heatmap.js";
import { PositionsPicture } from "./positions.js";
import { CircuitGraph, storeInput } from "./circuit_graph.js";
import { certifiedCopying, scoreWords, logitWords } from "../reasons/circuit_words.js";
import { plain, signed, smearWords, strongestColour } from "../reasons/part_words.js";

export class CircuitsPart {
  /**
   * @param {App} app
   * @param {Awake} awake
   */
  constructor(app, awake) {
    this.app = app;
    const { run, store, selection } = app;
    storeInput(store, "circuits-distance", "distance", Number);
    storeInput(store, "circuits-keys", "through", (value) => value === "1");
    const choice = byId("circuits-head");
    choice.addEventListener("change", () => selection.chooseHead(Number(choice.value)));
    this.qk = new Heatmap(byId("circuits-qk"), (...cell) => this.showCell("circuits-qk-readout", ...cell));
    this.ov = new Heatmap(byId("circuits-ov"), (...cell) => this.showCell("circuits-ov-readout", ...cell));
    const head = () => run.headCode(selection.head);
    this.qk.addSaves(run, "the QK circuit", () => "QK circuit of " + head());
    this.ov.addSaves(run, "the OV circuit", () => "OV circuit of " + head());
    this.positions = new PositionsPicture(app);
    elements("nav [data-tab=circuits]")[0].hidden = !run.circuits;
    /** @type {Awake} */
    const known = (state) => awake(state) && run.circuits !== null;
    this.graph = new CircuitGraph(app, known);
    store.subscribe(
      ["layer", "head", "view", "printing", "distance", "through"],
      (state) => this.drawHead(state),
      known,
    );
  }

  /** @param {State} state */
  drawHead({ distance, through }) {
    const { run, selection } = this.app;
    const head = selection.head;
    const circuit = this.decoded(head);
    const choice = byId("circuits-head");
    setOptions(
      choice,
      run.scores.length === 0
        ? Array.from({ length: run.heads }, (_, one) => run.headCode(one))
        : run.scores.map((scores, other) => {
            const described = run.scoreTable.describe(scores, run.found);
            return run.headCode(other) + (described?.known ? ": " + described.role : "");
          }),
    );
    choice.value = String(head);
    byId("circuits-name").textContent = "What the parameters of " + run.headCode(head) + " do to each token";
    byId("circuits-missing").textContent = run.circuits.no_matrices;
    byId("circuits-matrices").hidden = !circuit.qk;
    if (!circuit.qk) return;
    const texts = run.vocabulary.map((_, id) => run.tokenText(id));
    const composed = through && circuit.through !== undefined;
    this.chooseKeys(circuit, composed);
    this.chooseDistance(head, distance);
    const scores = this.scores(circuit, composed, this.turns(head) ? distance : 0);
    const written = composed ? "key: token that " + run.headCode(circuit.through.head) + " saw" : "key";
    // One scale for the attention logits of tokens and of positions.
    this.qk.show(scores, texts, ["query", written]);
    const most = this.positions.show(circuit, head, this.turns(head), this.qk.largest);
    this.qk.show(scores, texts, ["query", written], most);
    byId("circuits-qk").setAttribute(
      "aria-label",
      "Attention logits of each pair of tokens, by the parameters of " + run.headCode(head),
    );
    const writer = composed ? circuit.through.head : undefined;
    const smeared =
      circuit.smear === undefined
        ? ""
        : ` ${smearWords(run.headCode(head), circuit.smear)} The picture is of a whole key, before it is ` +
          "smeared.";
    this.say(
      "circuits-qk-words",
      scoreWords(run, scores, texts.length, writer) + strongestColour(this.qk) + smeared,
    );
    byId("circuits-ov-side").hidden = !circuit.ov;
    if (!circuit.ov) return;
    const logits = product(circuit.ov[0].values, circuit.ov[1].values, circuit.ov[0].shape[1]);
    this.ov.show(logits, texts, ["token looked at", "logit"]);
    byId("circuits-ov").setAttribute(
      "aria-label",
      "Logits raised by each token looked at, by the parameters of " + run.headCode(head),
    );
    this.say("circuits-ov-words", logitWords(run, logits, texts.length, circuit) + strongestColour(this.ov));
    const tested = certifiedCopying(run, logits);
    if (tested === "") return;
    const nodes = allMarked(this.app.glossary.nodes(tested), knownMark(run.evidence.copying));
    byId("circuits-ov-words").append(" ", ...nodes);
  }

  /**
   * @param {string} id
   * @param {string} text
   */
  say(id, text) {
    const { glossary, run } = this.app;
    byId(id).replaceChildren(...allMarked(glossary.nodes(text), knownMark(run.evidence.parameters)));
  }

  /**
   * @param {number} head
   * @returns {HeadCircuit}
   */
  decoded(head) {
    const circuit = this.app.run.circuits.heads[head];
    circuit.known ??= {
      ...circuit,
      qk: circuit.qk?.map((factor) => new Factors(factor)),
      ov: circuit.ov?.map((factor) => new Factors(factor)),
      through: circuit.through && { ...circuit.through, right: new Factors(circuit.through.right) },
    };
    return circuit.known;
  }

  /**
   * Whether scores depend on the distance: where positions rotate queries and keys, which cross-attention's
   * are not.
   *
   * @param {number} head
   */
  turns(head) {
    const { run } = this.app;
    return run.circuits.turn.length > 0 && run.stacks[run.stack(head)].letter !== "C";
  }

  /**
   * W_E·QK·W_Eᵀ, with the query `distance` positions behind the key.
   *
   * @param {HeadCircuit} circuit
   * @param {boolean} composed
   * @param {number} distance
   * @returns {Float64Array}
   */
  scores(circuit, composed, distance) {
    const [left, right] = circuit.qk;
    const width = left.shape[1];
    const { turn } = this.app.run.circuits;
    let queries = left.values;
    for (let step = 0; step < distance; ++step) {
      queries = product(queries, turn, width);
    }
    return product(queries, composed ? circuit.through.right.values : right.values, width);
  }

  /**
   * @param {HeadCircuit} circuit
   * @param {boolean} composed
   */
  chooseKeys({ through }, composed) {
    const { run } = this.app;
    const choice = byId("circuits-keys");
    choice.parentElement.hidden = through === undefined;
    if (through !== undefined)
      setOptions(choice, [
        "each token itself",
        "what " + run.headCode(through.head) + " writes when it looks at the token",
      ]);
    choice.value = composed ? "1" : "0";
  }

  /**
   * @param {number} head
   * @param {number} distance
   */
  chooseDistance(head, distance) {
    const slider = byId("circuits-distance");
    slider.parentElement.hidden = !this.turns(head);
    const longest = Math.max(...this.app.run.sequences.map(({ tokens }) => tokens.length));
    slider.max = String(longest - 1);
    slider.value = String(distance);
    byId("circuits-far").textContent = distance === 0 ? "0: the query's own position" : distance + " back";
    slider.setAttribute("aria-valuetext", byId("circuits-far").textContent);
  }

  /**
   * @param {string} id
   * @param {number | null} row
   * @param {number | null} column
   * @param {number | null} value
   */
  showCell(id, row, column, value) {
    const { run } = this.app;
    /** @type {(token: number) => string} */
    const text = (token) => "‘" + run.tokenText(token) + "’";
    const scores = id === "circuits-qk-readout";
    const words = scores
      ? "query " + text(row ?? 0) + ", key " + text(column ?? 0)
      : "looks at " + text(row ?? 0) + ": logit of " + text(column ?? 0);
    const { smear } = run.circuits.heads[this.app.selection.head];
    byId(id).textContent =
      row === null
        ? "Point at a cell to read its number."
        : words +
          " " +
          (scores ? plain(value) : signed(value)) +
          (scores && smear !== undefined
            ? `: ${plain(smear * value)} at its own place, ${plain((1 - smear) * value)} at the next`
            : "");
  }
}
