// What stands under the pointer, in words, beside the pointer; with an enlarged piece of the pattern where
// cells are small.

import { element, targetOf } from "../../kit/text.js";
import { putBeside, putAcross } from "../../kit/beside.js";

const REACH = 3; // cells on each side of the enlarged one
const LARGE = 16; // pixels of an enlarged cell
const FINGER = 24; // pixels around a cell that a finger hides
const SMALL = 11; // cells below this size are enlarged

/**
 * @param {Box} box
 * @param {number} by
 */
function grown({ left, top, right, bottom }, by) {
  return { left: left - by, top: top - by, right: right + by, bottom: bottom + by };
}

export class Tip {
  /** @param {{ look: Look; store: Store; closed: AbortSignal }} app */
  constructor({ look, store, closed }) {
    this.look = look;
    this.words = element("span");
    this.glass = element("canvas");
    this.box = element("div", { class: "tip", "aria-hidden": "true", hidden: "" }, this.glass, this.words);
    document.body.append(this.box);
    const elsewhere = (/** @type {Event} */ event) => {
      if (!targetOf(event).closest?.(".map, .tokens")) store.change({ place: null });
    };
    document.addEventListener("pointerdown", elsewhere, { signal: closed });
    closed.addEventListener("abort", () => this.box.remove());
  }

  hide() {
    this.box.hidden = true;
  }

  /**
   * Follows the pointer: over a cell of the map, or over a token of the text.
   *
   * @param {State} state
   * @param {string} words
   * @param {MapView} map
   * @param {TokenText} [text]
   */
  follow({ place, query, key }, words, map, text) {
    if (query === null || place === null) return this.hide();
    if (place !== "tokens" && key === null) return this.hide();
    const piece = place === "tokens" ? null : map.piece(query, key);
    this.box.hidden = false;
    this.words.textContent = words;
    this.glass.hidden = piece === null || piece.unit >= SMALL;
    this.box.classList.toggle("glass", !this.glass.hidden);
    if (place === "tokens") return putBeside(this.box, text.rectOf(query));
    const finger = place === "finger";
    if (this.glass.hidden)
      return putBeside(
        this.box,
        grown(map.rectOf(query, key), finger ? FINGER : 0),
        finger ? "above" : "below",
      );
    this.enlarge(piece);
    const reach = Math.max((REACH + 1) * piece.unit, finger ? FINGER : 0);
    putAcross(this.box, grown(map.rectOf(query, key), reach), map.frame());
  }

  /**
   * The cells around one, as many on each side; at an edge of the pattern, more on the other side.
   *
   * @param {ReturnType<MapView["piece"]>} piece
   */
  enlarge({ pattern, rows, columns, row, column }) {
    const count = 2 * REACH + 1;
    const ratio = window.devicePixelRatio || 1;
    const margin = 26;
    const side = margin + count * LARGE + 2;
    /** @type {(at: number, all: number) => number} */
    const first = (at, all) => Math.max(0, Math.min(at - REACH, all - count));
    const top = first(row, pattern.queries);
    const left = first(column, pattern.keys);
    this.glass.width = side * ratio;
    this.glass.height = side * ratio;
    this.glass.style.width = side + "px";
    this.glass.style.height = side + "px";
    const context = this.glass.getContext("2d");
    const style = getComputedStyle(this.box);
    const scale = this.look.scale();
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.font = "12px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
    context.textAlign = "center";
    context.textBaseline = "middle";
    /** @type {(i: number) => number} */
    const at = (i) => margin + i * LARGE;
    for (let i = 0; i < count; ++i) {
      context.fillStyle = style.color;
      if (rows[top + i] !== undefined)
        context.fillText(rows[top + i], margin / 2, at(i) + LARGE / 2, margin - 2);
      if (columns[left + i] !== undefined)
        context.fillText(columns[left + i], at(i) + LARGE / 2, margin / 2, LARGE);
      for (let j = 0; j < count; ++j) {
        const [query, key] = [top + i, left + j];
        if (query >= pattern.queries || key >= pattern.keys) continue;
        context.fillStyle = scale.colorOf(pattern, query, key);
        context.fillRect(at(j), at(i), LARGE + 0.5, LARGE + 0.5);
      }
    }
    context.strokeStyle = style.getPropertyValue("--mark");
    context.lineWidth = 2;
    context.strokeRect(at(column - left), at(row - top), LARGE, LARGE);
  }
}
