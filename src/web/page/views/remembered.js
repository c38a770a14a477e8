// A sequence A that is remembered, and the heads that write on the chosen sequence what they write on A.

import { element, visible } from "../../kit/text.js";
import { drawPattern } from "../../kit/pattern.js";
import { askedOf, textOf } from "../web/typing.js";
import { numbersIn } from "./changes.js";

export class Remembered {
  /**
   * `heads`: those of the chosen sequence, onto which those of A are dragged.
   *
   * @param {App} app
   * @param {HTMLElement} heads
   */
  constructor(app, heads) {
    this.root = element("div", { class: "remembered" });
    this.app = app;
    this.root.hidden = !app.live;
    if (!app.live) return;
    this.button = element("button", { type: "button" }, "Remember this sequence as A, to patch from");
    this.button.addEventListener("click", () => this.remember());
    this.note = element("p", { class: "note" });
    this.strip = element("div", { class: "grid strip", role: "group", "aria-label": "All heads on A" });
    this.root.append(this.button, this.note, this.strip);
    /** @type {{ button: HTMLButtonElement; canvas: HTMLCanvasElement }[]} */
    this.heads = [];
    heads.addEventListener("dragover", (event) => app.store.state.remembered && event.preventDefault());
    heads.addEventListener("drop", (event) => {
      event.preventDefault();
      this.toggle(Number(event.dataTransfer.getData("text/plain")));
    });
  }

  remember() {
    const { store, without } = this.app;
    store.change({ remembered: without.sequence.tokens.join(), patch: "" });
  }

  /** @param {number} head */
  toggle(head) {
    this.app.without.toggle("patch", String(head));
  }

  build() {
    const { run } = this.app;
    this.heads = Array.from({ length: run.heads }, (_, head) => {
      const canvas = element("canvas", { "aria-hidden": "true" });
      const button = element(
        "button",
        { type: "button", draggable: "true" },
        canvas,
        run.headCode(head) + " on A",
      );
      button.addEventListener("dragstart", (event) => event.dataTransfer.setData("text/plain", String(head)));
      button.addEventListener("click", () => this.toggle(head));
      return { button, canvas };
    });
    this.strip.append(...this.heads.map(({ button }) => button));
  }

  show() {
    const { run, live, store, look, without } = this.app;
    if (!live) return;
    const tokens = numbersIn(store.state.remembered);
    const whole = tokens.length > 0 ? without.source.result(askedOf(tokens), {}) : null;
    if (whole === undefined) return;
    this.note.hidden = this.strip.hidden = whole === null;
    if (whole === null) return;
    if (this.heads.length === 0) this.build();
    const text = visible(textOf(tokens, run.vocabulary)).replaceAll("␣", " ");
    this.note.textContent =
      `A: ${text}. Change the sequence; it must stay ${tokens.length} tokens long. Then drag a head of A ` +
      "onto the heads of this sequence, or press it: what it writes on A takes the place of what it writes " +
      "here. " +
      "Where that head alone decides, this sequence gets A’s guesses.";
    this.heads.forEach(({ button, canvas }, head) => {
      drawPattern(canvas, whole.patterns.pattern(head), look.scale());
      button.setAttribute("aria-pressed", String(numbersIn(store.state.patch).includes(head)));
    });
  }
}
