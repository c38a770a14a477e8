// A matrix over the vocabulary, or over positions, as a picture: purple below 0, green above. Pointing at a
// cell shows its number.

import { element, svgElement } from "./text.js";
import { pictureAround } from "./picture.js";
import { saveButtons } from "./save.js";

const LABEL = 11; // pixels that a label needs
const LETTER = 6.5; // pixels that a single letter needs
const FAINT = 0.05; // the share of the strongest colour below which a cell has none
const GAP = 5; // pixels between a label and the cells

/** @param {string} css */
function rgb(css) {
  return [1, 3, 5].map((start) => parseInt(css.trim().slice(start, start + 2), 16));
}

export class Heatmap {
  /**
   * onChoice(row, column, value): called with nulls when no cell is chosen.
   *
   * @param {HTMLElement} root
   * @param {(row: number | null, column: number | null, value: number | null) => void} onChoice
   */
  constructor(root, onChoice) {
    this.root = root;
    this.onChoice = onChoice;
    this.matrix = null;
    this.chosen = null;
    this.canvas = element("canvas", { "aria-hidden": "true" });
    root.append(this.canvas);
    root.addEventListener("pointermove", (event) => this.choose(this.cellAt(event)));
    root.addEventListener("pointerdown", (event) => this.choose(this.cellAt(event)));
    root.addEventListener("pointerleave", (event) => event.pointerType !== "touch" && this.choose(null));
    root.addEventListener("keydown", (event) => this.onKey(event));
  }

  /**
   * Buttons under the picture that save it, as it stands.
   *
   * @param {Run} run
   * @param {string} what
   * @param {() => string} name
   */
  addSaves(run, what, name) {
    const picture = () => {
      const { width, height } = this;
      const box = { viewBox: "0 0 " + width + " " + height };
      const image = svgElement("image", { width, height, href: this.canvas.toDataURL() });
      const note = this.root.getAttribute("aria-label");
      return pictureAround(svgElement("svg", box, image), width, height, name(), note);
    };
    this.root.after(
      element(
        "p",
        {},
        saveButtons(run, what, picture, name, () => this.rows()),
      ),
    );
  }

  // Its numbers that are seen, under a line of names.
  rows() {
    const count = this.texts.length;
    const cells = Array.from(this.matrix, (value, i) => [
      this.texts[Math.floor(i / count)],
      this.texts[i % count],
      Number(value.toFixed(6)),
    ]);
    return [[this.down, this.across, "value"], ...cells.filter(([, , value]) => !Number.isNaN(value))];
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!step || !event.shiftKey) return;
    const [row, column] = this.chosen ?? [0, 0];
    /** @type {(index: number) => number} */
    const within = (index) => Math.max(0, Math.min(this.texts.length - 1, index));
    this.choose([within(row + step[0]), within(column + step[1])]);
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * matrix (V,V) row by row, NaN for what is not seen, and the texts of the vocabulary.
   *
   * @param {Float64Array} matrix
   * @param {string[]} texts
   * @param {[down: string, across: string]} axes
   * @param {number} least what the strongest colours stand for, if no cell is larger
   */
  show(matrix, texts, [down, across], least = 0) {
    this.matrix = matrix;
    this.texts = texts;
    this.down = down;
    this.across = across;
    this.largest = matrix.reduce((most, value) => Math.max(most, Math.abs(value) || 0), least || 1e-12);
    this.draw();
    this.choose(null);
  }

  draw() {
    const width = Math.min(this.root.clientWidth || 320, 620);
    const count = this.texts.length;
    const ratio = window.devicePixelRatio || 1;
    const longest = Math.max(...this.texts.map((text) => Array.from(text).length));
    const step = width / count;
    this.every = Math.ceil((longest === 1 ? LETTER : LABEL) / step);
    const labelled = this.every <= 8;
    const place = step * this.every;
    this.font = Math.max(Math.min(12, place * 0.95), longest === 1 ? Math.min(11, place * 1.3) : 0);
    this.left = 18 + (labelled ? Math.min(60, GAP + this.font * 0.62 * longest) : 2);
    this.top = this.left + 2;
    this.unit = (width - this.left - 2) / count;
    this.width = width;
    this.height = this.top + count * this.unit + 2;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    this.canvas.style.width = width + "px";
    const context = this.canvas.getContext("2d");
    const style = getComputedStyle(this.root);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.cells(style), this.left, this.top, count * this.unit, count * this.unit);
    context.strokeStyle = style.getPropertyValue("--line");
    context.strokeRect(this.left, this.top, count * this.unit, count * this.unit);
    this.names(context, style, labelled);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {CSSStyleDeclaration} style
   * @param {boolean} labelled
   */
  names(context, style, labelled) {
    const side = this.texts.length * this.unit;
    /** @type {(x: number, y: number, text: string) => void} */
    const upright = (x, y, text) => {
      context.save();
      context.translate(x, y);
      context.rotate(-Math.PI / 2);
      context.fillText(text, 0, 0);
      context.restore();
    };
    context.fillStyle = style.getPropertyValue("--soft");
    context.font = "13px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "top";
    context.fillText(this.across + " →", this.left + side / 2, 1);
    upright(1, this.top + side / 2, "← " + this.down);
    if (!labelled) return;
    context.fillStyle = style.getPropertyValue("--ink");
    context.font = this.font + "px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
    context.textBaseline = "middle";
    this.texts.forEach((text, i) => {
      if (i % this.every !== 0) return;
      const place = (i + 0.5) * this.unit;
      context.textAlign = "right";
      context.fillText(text, this.left - GAP, this.top + place, this.left - 20);
      context.textAlign = "left";
      upright(this.left + place, this.top - GAP, text);
    });
  }

  /**
   * One pixel a cell.
   *
   * @param {CSSStyleDeclaration} style
   */
  cells(style) {
    const [low, middle, high, unseen] = ["--negative", "--paper", "--positive", "--unseen"].map((name) =>
      rgb(style.getPropertyValue(name)),
    );
    const count = this.texts.length;
    const canvas = element("canvas", { width: count, height: count });
    const context = canvas.getContext("2d");
    const image = context.createImageData(count, count);
    this.matrix.forEach((value, i) => {
      const part = Math.abs(value) / this.largest;
      const share = Number.isNaN(value) ? 1 : part < FAINT ? 0 : part;
      const end = Number.isNaN(value) ? unseen : value < 0 ? low : high;
      middle.forEach((from, colour) => {
        image.data[4 * i + colour] = Math.round(from + share * (end[colour] - from));
      });
      image.data[4 * i + 3] = 255;
    });
    context.putImageData(image, 0, 0);
    return canvas;
  }

  /**
   * @param {MouseEvent} event
   * @returns {[row: number, column: number] | null}
   */
  cellAt(event) {
    if (!this.matrix) return null;
    const box = this.canvas.getBoundingClientRect();
    const zoom = this.width / box.width;
    const row = Math.floor(((event.clientY - box.top) * zoom - this.top) / this.unit);
    const column = Math.floor(((event.clientX - box.left) * zoom - this.left) / this.unit);
    /** @type {(place: number) => boolean} */
    const inside = (place) => place >= 0 && place < this.texts.length;
    return inside(row) && inside(column) ? [row, column] : null;
  }

  /** @param {[row: number, column: number] | null} cell */
  choose(cell) {
    this.chosen = cell;
    if (cell === null) return this.onChoice(null, null, null);
    const [row, column] = cell;
    this.onChoice(row, column, this.matrix[row * this.texts.length + column]);
  }
}
