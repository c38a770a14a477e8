// Lesson 7: a mask drawn by hand, and the pattern that it leaves.

import { element, targetOf } from "../../kit/text.js";
import { softmax, normals } from "../../kit/numbers.js";
import { frame, button, titled } from "./live.js";

const N = 8;
const PADDED = 3;
const normal = normals(7);
const SCORES = Array.from({ length: N }, () => Array.from({ length: N }, normal));
/** @typedef {(query: number, key: number) => boolean} Sees */
/** @type {[string, Sees][]} */
const MASKS = [
  ["causal", (query, key) => key <= query],
  ["padding", (_, key) => key >= PADDED],
  ["both", (query, key) => key <= query && key >= PADDED],
  ["none", () => true],
];
const all = Array.from({ length: N }, (_, i) => i);

export class Mask {
  /** @param {HTMLElement} root */
  constructor(root) {
    this.cells = all.map((query) => all.map((key) => this.cell(query, key)));
    this.weights = all.map(() => all.map(() => element("td")));
    const drawn = this.table(
      "mask",
      this.cells.map((row) => row.map((cell) => element("td", {}, cell))),
    );
    const pattern = this.table("pattern", this.weights);
    drawn.addEventListener("keydown", (event) => this.move(event));
    // A pointer that is pressed on a cell gives its new value to the cells that it is drawn over.
    drawn.addEventListener("pointerdown", (event) => this.press(event));
    drawn.addEventListener("pointermove", (event) => this.drag(event));
    for (const end of ["pointerup", "pointercancel"])
      drawn.addEventListener(end, () => (this.value = undefined));
    this.say = frame(
      root,
      "Click or drag over the mask to hide keys from queries. The pattern of the same scores follows.",
      element(
        "div",
        { class: "choice" },
        ...MASKS.map(([name, sees]) => button(name === "none" ? "no mask" : name, () => this.take(sees))),
      ),
      element(
        "div",
        { class: "side" },
        titled("mask: a row for each query", drawn),
        titled("pattern: a column for each key", pattern),
      ),
    );
    this.take(MASKS[0][1]);
  }

  /**
   * @param {string} name
   * @param {Node[][]} rows
   */
  table(name, rows) {
    return element(
      "table",
      { class: "numbers square", "aria-label": name },
      ...rows.map((row) => element("tr", {}, ...row)),
    );
  }

  /**
   * @param {number} query
   * @param {number} key
   */
  cell(query, key) {
    const cell = element("button", { type: "button", tabindex: query + key === 0 ? 0 : -1 });
    cell.dataset.at = `${query},${key}`;
    // By keyboard; a pointer has changed the cell already.
    cell.addEventListener("click", (event) => {
      if (event.detail === 0) this.set(cell, !this.sees[query][key]);
    });
    return cell;
  }

  /** @param {Sees} sees */
  take(sees) {
    this.sees = all.map((query) => all.map((key) => sees(query, key)));
    this.draw();
  }

  /**
   * @param {HTMLElement} cell
   * @param {boolean} value
   */
  set(cell, value) {
    const [query, key] = cell.dataset.at.split(",").map(Number);
    if (this.sees[query][key] === value) return;
    this.sees[query][key] = value;
    this.draw();
  }

  /** @param {PointerEvent} event */
  press(event) {
    const cell = targetOf(event).closest("button");
    if (!cell) return;
    const [query, key] = cell.dataset.at.split(",").map(Number);
    event.preventDefault();
    this.focus(query, key);
    this.value = !this.sees[query][key];
    this.set(cell, this.value);
  }

  /** @param {PointerEvent} event */
  drag(event) {
    if (event.buttons === 0) this.value = undefined; // released outside
    if (this.value === undefined) return;
    const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest("button");
    if (cell && /** @type {Node} */ (event.currentTarget).contains(cell)) this.set(cell, this.value);
  }

  /** @param {KeyboardEvent} event */
  move(event) {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!step) return;
    event.preventDefault();
    const [query, key] = /** @type {HTMLElement} */ (event.target).dataset.at.split(",").map(Number);
    this.focus((query + step[0] + N) % N, (key + step[1] + N) % N);
  }

  /**
   * @param {number} query
   * @param {number} key
   */
  focus(query, key) {
    for (const cell of this.cells.flat()) cell.tabIndex = -1;
    this.cells[query][key].tabIndex = 0;
    this.cells[query][key].focus();
  }

  // A row without a key has no softmax: its cells are hatched, not 0.
  draw() {
    const empty = all.filter((query) => !this.sees[query].includes(true));
    for (const query of all) {
      const keys = all.filter((key) => this.sees[query][key]);
      const weights = keys.length > 0 ? softmax(keys.map((key) => SCORES[query][key])) : [];
      for (const key of all) {
        const cell = this.cells[query][key];
        const sees = this.sees[query][key];
        cell.textContent = sees ? "1" : "0";
        cell.setAttribute("aria-pressed", String(sees));
        cell.setAttribute("aria-label", `${sees ? "1, visible" : "0, hidden"}: query ${query}, key ${key}`);
        const weight = sees ? weights[keys.indexOf(key)] : 0;
        const shown = this.weights[query][key];
        shown.className = keys.length === 0 ? "nothing" : sees ? "weight" : "";
        shown.textContent = sees ? weight.toFixed(2).replace("0.", ".") : "";
        shown.style.setProperty("--weight", `${Math.round(weight * 45)}%`);
      }
    }
    this.summarize(empty);
  }

  /** @param {number[]} empty */
  summarize(empty) {
    const hidden = this.sees.flat().filter((sees) => !sees).length;
    const ahead = all.some((query) => all.some((key) => key > query && this.sees[query][key]));
    const rows = empty.length === 1 ? `Row ${empty[0]} sees` : `The rows ${empty.join(", ")} see`;
    this.say(
      `${hidden} of ${N * N} cells are hidden. ` +
        (ahead ? "Some query sees a key ahead of it. " : "No query sees ahead. ") +
        (empty.length === 0
          ? "Each row of the pattern sums to 1."
          : `${rows} no key: softmax would be NaN there, and Headlight sets the weights to 0.`),
    );
  }
}
