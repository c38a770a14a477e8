// What shows a claim of the certificate, and the way there from the part "Certificate".

import { byId } from "../../kit/text.js";
import { UNCHANGED } from "./changes.js";
import { showTab } from "../web/navigation.js";
import { NOWHERE } from "../web/selection.js";
import { cellOf } from "../reasons/evidence.js";

/** @typedef {[text: string, act: () => void]} Link */

export class ClaimLinks {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
  }

  /**
   * Where a claim can be seen: [text, what a press does], …
   *
   * @param {Claim} claim
   * @param {Certificate} certificate
   * @returns {Link[]}
   */
  of({ key, says, standing, number }, { induction_heads, previous_token_heads, helpers }) {
    if (standing === "not asked") return [];
    const { run, without } = this.app;
    const circuit = [...induction_heads, ...previous_token_heads, ...helpers];
    const [inductionHead] = this.namedIn(says, induction_heads);
    const [previousTokenHead] = previous_token_heads;
    /** @type {(head: number) => string} */
    const code = (head) => run.headCode(head);
    const others = Array.from({ length: run.heads }, (_, head) => head).filter(
      (head) => !circuit.includes(head),
    );
    /** @type {(heads: number[], text: string) => Link[]} */
    const off = (heads, text) =>
      heads.length > 0 && without.has(heads) ? [[text, () => this.switchOff(heads, inductionHead)]] : [];
    if (key === "order")
      return [["See the heads form", () => this.showTraining(previousTokenHead ?? inductionHead, number)]];
    if (inductionHead === undefined) return [];
    if (key === "matching")
      return [["See where " + code(inductionHead) + " looks", () => this.showHead(inductionHead)]];
    if (key === "copying") return [["See a prediction", () => this.showPrediction(inductionHead)]];
    if (key === "composition")
      return previousTokenHead === undefined
        ? []
        : [["See where " + code(previousTokenHead) + " looks", () => this.showHead(previousTokenHead)]];
    if (key === "necessity") return off(induction_heads, "Switch them off");
    return key === "sufficiency" ? off(others, "Switch the others off") : [];
  }

  /**
   * Of these heads the one that a text names first; else the first.
   *
   * @param {string} text
   * @param {number[]} heads
   */
  namedIn(text, heads) {
    /** @type {(head: number) => number} */
    const place = (head) => (text.indexOf(this.app.run.headCode(head)) + text.length + 1) % (text.length + 1);
    return [...heads].sort((one, other) => place(one) - place(other));
  }

  /**
   * All heads are on again, unless more says otherwise.
   *
   * @param {number} head
   * @param {Partial<State>} more
   */
  choose(head, more = {}) {
    const { run, store } = this.app;
    store.change({
      layer: Math.floor(head / run.n_heads),
      head: head % run.n_heads,
      ...UNCHANGED,
      ...NOWHERE,
      ...more,
    });
  }

  /**
   * With the cell marked in which the head does what its role says.
   *
   * @param {number} head
   */
  showHead(head) {
    showTab("heads", this.app);
    this.choose(head, cellOf(this.app.run, head));
    this.arrive("heads-map");
  }

  /** @param {number} head */
  showPrediction(head) {
    const { story } = this.app.run;
    showTab("predictions", this.app);
    this.choose(
      head,
      story?.query === undefined ? {} : { sequence: story.sequence, query: story.query, locked: true },
    );
    this.arrive("predictions-tokens");
  }

  /**
   * @param {number[]} heads
   * @param {number} head
   */
  switchOff(heads, head) {
    const { store, without } = this.app;
    showTab("predictions", this.app);
    this.choose(head, without.source.covers(store.state.sequence) ? {} : { sequence: 0 });
    store.change({ way: 0 });
    without.switchOff(heads);
    this.arrive("predictions-without");
  }

  /**
   * At the last snapshot that is not after the step.
   *
   * @param {number | undefined} head
   * @param {number} step
   */
  showTraining(head, step) {
    const { run, store } = this.app;
    showTab("training", this.app);
    if (head !== undefined) this.choose(head);
    store.change({
      snapshot: Math.max(
        0,
        run.snapshots.findLastIndex((one) => one.step <= step),
      ),
    });
    this.arrive("training-slider");
  }

  /** @param {string} id */
  arrive(id) {
    byId(id).focus({ preventScroll: true });
    byId(id).scrollIntoView({ block: "nearest" });
  }
}
