// A sequence A that is remembered, and the heads that write here what they write on A.

import { byId, element, visible } from "../kit/text.js";
import { drawPattern } from "../kit/pattern.js";

export class Remembered {
  /** @param {Play} play */
  constructor(play) {
    this.play = play;
    /** @type {Set<number>} */
    this.patched = new Set();
    /** @type {number[] | null} */
    this.tokens = null;
    byId("lab-remember").addEventListener("click", () => this.remember());
    const grid = byId("lab-grid");
    grid.addEventListener("dragover", (event) => this.tokens && event.preventDefault());
    grid.addEventListener("drop", (event) => {
      event.preventDefault();
      this.toggle(Number(event.dataTransfer.getData("text/plain")));
    });
  }

  forget() {
    this.tokens = null;
    this.patched.clear();
    byId("lab-a").replaceChildren();
  }

  // The sequence A, whose heads can be dragged onto those of the sequence that is read then.
  async remember() {
    const { play } = this;
    const { tokens, model } = play;
    this.tokens = tokens;
    this.patched.clear();
    const scale = play.app.look.scale();
    const { patterns } = await play.engine().look(tokens);
    const heads = play.cells.map((_, head) => {
      const canvas = element("canvas", { "aria-hidden": "true" });
      drawPattern(canvas, patterns.pattern(head), scale);
      const button = element(
        "button",
        { type: "button", draggable: "true" },
        canvas,
        play.code(head) + " on A",
      );
      button.addEventListener("dragstart", (event) => event.dataTransfer.setData("text/plain", String(head)));
      button.addEventListener("click", () => this.toggle(head));
      return button;
    });
    const text = tokens.map((id) => visible(model.vocabulary[id])).join(play.letters ? "" : " ");
    byId("lab-a").replaceChildren(
      element(
        "p",
        { class: "note" },
        `A: ${text}. Change the sequence; then drag a head of A onto the heads below, or press it: what it ` +
          "writes on A takes the place of what it writes here.",
      ),
      element("div", { class: "grid lab-strip" }, ...heads),
    );
    this.play.update();
  }

  /** @param {number} head */
  toggle(head) {
    this.patched.has(head) ? this.patched.delete(head) : this.patched.add(head);
    this.play.update();
  }
}
