// The switches of heads, and what is lost without the heads that are off.

import { element, setOptions, elements } from "../../kit/text.js";
import { sequenceButton } from "../web/selection.js";

/**
 * A head's switch, and the function that shows its state.
 *
 * @param {App} app
 * @param {number} head
 */
export function headSwitch({ run, store, without }, head) {
  const code = run.headCode(head);
  const title = "Switch " + code + " off or on";
  const input = element("input", {
    type: "checkbox",
    role: "switch",
    class: "power",
    "aria-label": code + " is on",
    title,
  });
  input.addEventListener("click", (event) => event.stopPropagation());
  input.addEventListener("change", () => without.toggle(head));
  const show = () => {
    input.hidden = run.without === undefined;
    input.checked = !without.off.includes(head);
  };
  return { input, show };
}

// The switches on the small pictures.
export class GridSwitches {
  /**
   * @param {HeadGrid} grid
   * @param {App} app
   */
  constructor(grid, app) {
    this.grid = grid;
    this.app = app;
    this.cells = grid.buttons.map((button, head) => {
      const { input, show } = headSwitch(app, head);
      const strike = element("span", { class: "strike" });
      const cell = element("div", { class: "switched" });
      button.replaceWith(cell);
      cell.append(button, strike, input);
      return { cell, strike, show };
    });
    grid.root.addEventListener("keydown", (event) => {
      const head = grid.buttons.indexOf(/** @type {HTMLButtonElement} */ (event.target));
      if (
        event.key.toLowerCase() !== "x" ||
        head < 0 ||
        !app.run.without ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey
      )
        return;
      app.without.toggle(head);
      event.preventDefault();
    });
  }

  show() {
    const { off } = this.app.without;
    this.cells.forEach(({ cell, strike, show }, head) => {
      show();
      strike.style.aspectRatio = this.grid.canvases[head].style.aspectRatio;
      cell.classList.toggle("off", off.includes(head));
    });
  }
}

// What is lost, in a line, with the choice of what takes a head's place.
export class WithoutPanel {
  /**
   * `marks`: whether the text of the sequence marks what is lost.
   *
   * @param {HTMLElement} root
   * @param {App} app
   * @param {{ marks?: boolean }} options
   */
  constructor(root, app, { marks = false } = {}) {
    this.app = app;
    const { run, store, without } = app;
    this.root = root;
    this.line = element("p", { role: "status" });
    this.ways = element("select");
    this.ways.addEventListener("change", () => store.change({ way: Number(this.ways.value) }));
    this.allOn = element("button", { type: "button" }, "Switch all on");
    this.allOn.addEventListener("click", () => without.switchOff([]));
    this.choices = element(
      "div",
      { class: "controls" },
      element("label", {}, "In place of a head's output: ", this.ways),
      this.allOn,
    );
    this.note = element(
      "p",
      { class: "note" },
      without.source.note,
      marks
        ? " In the sequence, a frame marks a token at which the prediction was right and is wrong now."
        : "",
    );
    this.elsewhere = element("div", {});
    root.append(this.line, this.elsewhere, this.choices);
    root.after(this.note);
    store.subscribe([], () => this.name(run));
  }

  /** @param {Run} run */
  name({ without }) {
    this.root.hidden = !without;
    if (!without) this.note.hidden = true;
    for (const node of elements(".switching")) {
      node.hidden = !without;
    }
    if (without)
      setOptions(
        this.ways,
        without.ways.map(([, text]) => text),
      );
  }

  show() {
    const { without, store, run } = this.app;
    const off = without.off.length > 0;
    if (!run.without) return;
    const missing = off && !without.source.covers(store.state.sequence);
    const words = off ? without.words() : this.invitation();
    if (words !== null) this.line.replaceChildren(words);
    this.elsewhere.replaceChildren(
      ...(missing ? sequenceButton(this.app, (_, i) => without.source.covers(i)) : []),
    );
    this.root.classList.toggle("active", off);
    this.line.classList.toggle("note", !off);
    this.choices.hidden = !off;
    this.note.hidden = !off;
    this.ways.value = String(store.state.way);
  }

  invitation() {
    const sign = element("i", { class: "power-sign", "aria-hidden": "true" });
    const name = element("span", { class: "unseen" }, "its switch");
    return element("span", {}, "What is lost without a head? Switch it off with ", sign, name, ".");
  }
}
