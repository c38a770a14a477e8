// Lesson 1: a walk over the buffer 10 … 15 by a shape and strides.

import { element } from "../../kit/text.js";
import { frame, choice, button, titled } from "./live.js";

const BUFFER = [10, 11, 12, 13, 14, 15];
/** @type {[string, string, [number, number], [number, number]][]} */
const VIEWS = [
  ["x", "x", [2, 3], [3, 1]],
  ["transpose", "its transpose", [3, 2], [1, 3]],
  ["reshape", "its reshape", [3, 2], [2, 1]],
  ["row", "row x[0,:]", [1, 3], [3, 1]],
  ["column", "column x[:,0]", [2, 1], [3, 1]],
  ["rows", "row x[0,:] broadcast", [3, 3], [0, 1]],
  ["columns", "column x[:,0] broadcast", [2, 4], [3, 0]],
];
const KINDS = /** @type {const} */ (["shape", "strides"]);
const LARGEST = { shape: 5, strides: 6 };

export class Walk {
  /** @param {HTMLElement} root */
  constructor(root) {
    /** @type {number[]} */
    this.shape = [];
    /** @type {number[]} */
    this.strides = [];
    this.cells = BUFFER.map((number) => element("td", {}, String(number)));
    this.buffer = element(
      "table",
      { class: "numbers", "aria-label": "the buffer" },
      element("tr", {}, ...this.cells),
      element("tr", {}, ...BUFFER.map((_, offset) => element("th", {}, String(offset)))),
    );
    this.table = element("table", { class: "numbers", "aria-label": "what is read" });
    this.read = titled("", this.table);
    this.inputs = {
      shape: [0, 1].map(() => this.input("shape")),
      strides: [0, 1].map(() => this.input("strides")),
    };
    this.views = choice(
      "what is read",
      VIEWS.map(([key, name]) => [key, name]),
      (key) => this.take(VIEWS.find((view) => view[0] === key)),
    );
    this.playing = button("Play", () => (this.timer ? this.stop() : this.play()));
    const steps = element(
      "div",
      { class: "choice" },
      button("Back", () => this.go(-1)),
      button("Step", () => this.go(1)),
      this.playing,
    );
    this.say = frame(
      root,
      "Choose what is read, or change the lengths and strides; then step or play through the elements.",
      this.views.node,
      this.fields("lengths", this.inputs.shape),
      this.fields("strides", this.inputs.strides),
      element("div", { class: "side" }, titled("the buffer, and its offsets", this.buffer), this.read),
      steps,
    );
    this.take(VIEWS[0], 5); // x[1,2], as in the text
  }

  /** @param {"shape" | "strides"} kind */
  input(kind) {
    const least = kind === "shape" ? 1 : 0;
    const input = element("input", { type: "number", min: least, max: LARGEST[kind] });
    input.addEventListener("input", () => {
      if (!/^\d+$/.test(input.value)) return;
      input.value = String(Math.min(Math.max(Number(input.value), least), LARGEST[kind]));
      for (const name of KINDS) this[name] = this.inputs[name].map((one) => Number(one.value));
      this.views.mark("");
      this.name = "";
      this.begin(0);
    });
    return input;
  }

  /**
   * @param {string} name
   * @param {HTMLInputElement[]} inputs
   */
  fields(name, inputs) {
    const labels = inputs.map((input, axis) => element("label", {}, `axis ${axis} `, input));
    return element(
      "div",
      { class: "choice", role: "group", "aria-label": name },
      element("b", {}, name),
      ...labels,
    );
  }

  /** @param {typeof VIEWS[0]} view */
  take([name, , shape, strides], at = 0) {
    this.name = name;
    this.shape = shape;
    this.strides = strides;
    for (const name of KINDS)
      this[name].forEach((value, axis) => (this.inputs[name][axis].value = String(value)));
    this.begin(at);
  }

  /** @param {number} at */
  begin(at) {
    this.stop();
    this.at = at;
    this.draw();
  }

  /** @param {number} by */
  go(by) {
    this.stop();
    const count = this.shape[0] * this.shape[1];
    this.at = (this.at + by + count) % count;
    this.draw();
  }

  play() {
    if (this.at === this.shape[0] * this.shape[1] - 1) this.at = 0;
    this.draw();
    this.playing.textContent = "Pause";
    this.timer = setInterval(() => {
      this.at += 1;
      this.draw();
      if (this.at === this.shape[0] * this.shape[1] - 1) this.stop();
    }, 900);
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
    this.playing.textContent = "Play";
  }

  /** @param {number} at */
  index(at) {
    return [Math.floor(at / this.shape[1]), at % this.shape[1]];
  }

  /** @param {number} at */
  offset(at) {
    return this.index(at).reduce((sum, i, axis) => sum + i * this.strides[axis], 0);
  }

  // What was read so far stands in the table on the right.
  draw() {
    const here = this.offset(this.at);
    /** @param {number} i */
    const row = (i) =>
      Array.from({ length: this.shape[1] }, (_, j) => {
        const at = i * this.shape[1] + j;
        const number = BUFFER[this.offset(at)] ?? "?";
        return element("td", { class: at === this.at ? "lit" : "" }, at <= this.at ? String(number) : "·");
      });
    this.read.firstChild.textContent = `read as (${this.shape}) by strides (${this.strides})`;
    this.table.replaceChildren(
      ...Array.from({ length: this.shape[0] }, (_, i) => element("tr", {}, ...row(i))),
    );
    this.cells.forEach((cell, offset) => (cell.className = offset === here ? "lit" : ""));
    const index = this.index(this.at);
    const name = this.name === "x" ? `x[${index}]` : `Element [${index}]`;
    const formula = index.map((i, axis) => `${i}·${this.strides[axis]}`).join(" + ");
    this.say(
      here < BUFFER.length
        ? `${name} stands at offset ${formula} = ${here}, and that is ${BUFFER[here]}.`
        : `${name} would stand at offset ${formula} = ${here}. That is out of range: the buffer has ` +
            `${BUFFER.length} numbers, and its last offset is ${BUFFER.length - 1}.`,
    );
  }
}
