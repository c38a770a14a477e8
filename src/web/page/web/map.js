// A pattern as a large picture, with tokens on both axes.

import { element } from "../../kit/text.js";
import { drawPattern } from "../../kit/pattern.js";
import { turn } from "./repeats.js";
import { Pointing } from "./pointing.js";
import { addZoom } from "./zoom.js";

const LABEL = 11; // pixels that a label of an axis needs
const LETTER = 6.5; // pixels that a single letter needs
const STRIP = 4; // pixels of the strip beside an axis that tells the copies apart

export class MapView {
  /**
   * @param {HTMLElement} root
   * @param {App} app
   */
  constructor(root, app) {
    const { run, store, look } = app;
    this.root = root;
    this.run = run;
    this.store = store;
    this.look = look;
    this.base = element("canvas", { "aria-hidden": "true" });
    this.over = element("canvas", { "aria-hidden": "true" });
    this.cells = document.createElement("canvas");
    root.append(this.base, this.over);
    addZoom(root, app);
    new Pointing(root, app, (event) => this.cellAt(event));
  }

  /**
   * @param {Pattern} pattern
   * @param {View} sequence
   * @param {string} label
   */
  show(pattern, sequence, label) {
    this.pattern = pattern;
    this.sequence = sequence;
    this.texts = [sequence.tokens, sequence.keys].map((tokens) => tokens.map((id) => this.run.tokenText(id)));
    this.root.setAttribute("aria-label", label);
    this.measure();
    drawPattern(this.cells, pattern, this.look.scale());
    this.drawBase();
  }

  // Where map and margins lie, in CSS pixels.
  measure() {
    const width = this.root.clientWidth || 640;
    const { queries, keys, cell } = this.pattern;
    const most = Math.max(queries, keys);
    const labelled = cell === 1;
    const step = width / most;
    this.rows = labelled ? this.texts[0] : [];
    this.columns = labelled ? this.texts[1] : [];
    const single = this.texts.flat().every((text) => Array.from(text).length === 1);
    // Every k-th token has a label: those of all would not be readable.
    this.every = Math.ceil((single ? LETTER : LABEL) / step);
    const place = step * this.every;
    this.font = Math.max(Math.min(16, place * 0.95), single ? Math.min(11, place * 1.3) : 0);
    const [across, down] = [this.rows, this.columns].map(
      (texts) => this.font * 0.62 * Math.max(0, ...texts.map((text) => Array.from(text).length)),
    );
    this.upright = down > place + 2; // long labels of columns stand upright
    this.strip = this.sequence.repeats && !this.sequence.crossed ? STRIP + 1 : 0;
    this.left = 18 + (labelled ? Math.min(72, 6 + across) : 4) + this.strip;
    const above = this.upright ? Math.min(72, 6 + down) : labelled ? this.font + 3 : 4;
    this.top = 20 + above + this.strip;
    this.unit = (width - this.left - 4) / most;
    this.wide = keys * this.unit;
    this.high = queries * this.unit;
    this.width = width;
    this.height = this.top + Math.max(this.high, 150) + 4; // room for the name of the axis
    for (const canvas of [this.base, this.over]) {
      const ratio = window.devicePixelRatio || 1;
      const width = Math.round(this.width * ratio);
      const height = Math.round(this.height * ratio);
      if (canvas.width !== width || canvas.height !== height)
        Object.assign(canvas, { width: width, height: height });
      canvas.getContext("2d").setTransform(ratio, 0, 0, ratio, 0, 0);
    }
  }

  drawBase() {
    const context = this.base.getContext("2d");
    const style = getComputedStyle(this.root);
    const soft = style.getPropertyValue("--soft");
    const ink = style.getPropertyValue("--ink");
    context.clearRect(0, 0, this.width, this.height);
    if (this.store.state.printing) {
      this.drawCells(context);
    } else {
      context.imageSmoothingEnabled = this.unit < 1;
      context.drawImage(this.cells, this.left, this.top, this.wide, this.high);
    }
    context.strokeStyle = style.getPropertyValue("--line");
    context.strokeRect(this.left, this.top, this.wide, this.high);
    context.fillStyle = soft;
    context.font = "13px system-ui, sans-serif";
    context.textAlign = "center";
    context.textBaseline = "top";
    const labels =
      this.columns.length > 0 && this.every > 1 ? ", one letter in " + this.every + " is shown" : "";
    context.fillText("key (attended to)" + labels + " →", this.left + this.wide / 2, 1);
    this.rotated(context, 1, this.top + Math.max(this.high, 150) / 2, () =>
      context.fillText("← query (attending)", 0, 0),
    );
    if (this.strip > 0) this.drawRepeats(context, style);
    this.rows.forEach((_, i) => this.label(context, i, "row", ink));
    this.columns.forEach((_, i) => this.label(context, i, "column", ink));
  }

  /**
   * Which copy of the segment a row and a column belong to.
   *
   * @param {CanvasRenderingContext2D} context
   * @param {CSSStyleDeclaration} style
   */
  drawRepeats(context, style) {
    const unit = this.unit / this.pattern.cell;
    this.sequence.repeats.forEach((repeat, position) => {
      if (!turn(repeat)) return;
      context.fillStyle = style.getPropertyValue("--" + turn(repeat) + "-line");
      context.fillRect(this.left - this.strip, this.top + position * unit, STRIP, unit + 0.5);
      context.fillRect(this.left + position * unit, this.top - this.strip, unit + 0.5, STRIP);
    });
  }

  /**
   * Cell by cell: on paper an enlarged picture would be blurred.
   *
   * @param {CanvasRenderingContext2D} context
   */
  drawCells(context) {
    const unit = this.unit;
    const scale = this.look.scale();
    context.fillStyle = scale.unseen;
    context.fillRect(this.left, this.top, this.wide, this.high);
    for (let i = 0; i < this.pattern.queries; ++i) {
      const [first, end] = this.pattern.seen(i);
      const top = this.top + i * unit;
      context.fillStyle = scale.css[0];
      context.fillRect(this.left + first * unit, top, (end - first) * unit, unit + 0.5);
      for (let j = first; j < end; ++j) {
        const level = scale.level(this.pattern.weight(i, j));
        if (level === 0) continue;
        context.fillStyle = scale.css[level];
        context.fillRect(this.left + j * unit, top, unit, unit);
      }
    }
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} x
   * @param {number} y
   * @param {() => void} draw
   */
  rotated(context, x, y, draw) {
    context.save();
    context.translate(x, y);
    context.rotate(-Math.PI / 2);
    draw();
    context.restore();
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {number} i
   * @param {"row" | "column"} axis
   * @param {string} color
   * @param {string} weight
   */
  label(context, i, axis, color, weight = "") {
    if (i % this.every !== 0) return;
    const at = (i + 0.5) * this.unit;
    const text = (axis === "row" ? this.rows : this.columns)[i];
    const font = axis === "row" ? Math.min(this.font, this.unit * this.every) : this.font; // lines need room
    context.font =
      weight + " " + font + "px ui-monospace, Menlo, Consolas, 'DejaVu " + "Sans Mono', monospace";
    context.fillStyle = color;
    context.textBaseline = "middle";
    if (axis === "row") {
      context.textAlign = "right";
      context.fillText(text, this.left - 4 - this.strip, this.top + at, this.left - 20 - this.strip);
    } else if (this.upright) {
      context.textAlign = "left";
      this.rotated(context, this.left + at, this.top - 3 - this.strip, () =>
        context.fillText(text, 0, 0, this.top - 22 - this.strip),
      );
    } else {
      context.textAlign = "center";
      context.fillText(text, this.left + at, this.top - 3 - this.strip - this.font / 2);
    }
  }

  /**
   * Highlights the row of a query and the cell of a key (both in tokens, or null).
   *
   * @param {number | null} query
   * @param {number | null} key
   * @param {boolean} locked
   */
  highlight(query, key, locked) {
    const context = this.over.getContext("2d");
    const style = getComputedStyle(this.root);
    context.clearRect(0, 0, this.width, this.height);
    if (query === null) return;
    const unit = this.unit;
    const row = Math.floor(query / this.pattern.cell);
    const mark = style.getPropertyValue("--mark");
    context.strokeStyle = mark;
    context.lineWidth = locked ? 3.5 : 1.5;
    const high = Math.max(unit, 3);
    const y = this.top + row * unit - (high - unit) / 2;
    context.strokeRect(this.left - 1, y - 1, this.wide + 2, high + 2);
    if (this.rows.length > 0) this.label(context, row, "row", mark, "bold");
    if (key === null) return;
    const column = Math.floor(key / this.pattern.cell);
    const x = this.left + column * unit - (high - unit) / 2;
    context.strokeRect(x - 1, this.top, high + 2, y - this.top);
    context.strokeRect(x - 2, y - 2, high + 4, high + 4);
    if (this.columns.length > 0) this.label(context, column, "column", mark, "bold");
  }

  // The cells' place in the window.
  frame() {
    const box = this.over.getBoundingClientRect();
    const scale = box.width / this.width;
    const top = box.top + this.top * scale;
    return { top, bottom: top + this.high * scale };
  }

  /**
   * A cell's place in the window, and what the tip enlarges around it.
   *
   * @param {number} query
   * @param {number} key
   */
  rectOf(query, key) {
    const box = this.over.getBoundingClientRect();
    const scale = box.width / this.width;
    const { cell } = this.pattern;
    const top = box.top + (this.top + Math.floor(query / cell) * this.unit) * scale;
    const left = box.left + (this.left + Math.floor(key / cell) * this.unit) * scale;
    const side = this.unit * scale;
    return { left, top, right: left + side, bottom: top + side };
  }

  /**
   * @param {number} query
   * @param {number} key
   */
  piece(query, key) {
    const { pattern, unit, texts } = this;
    const { cell } = pattern;
    const [rows, columns] = cell === 1 ? texts : [[], []];
    return { pattern, unit, rows, columns, row: Math.floor(query / cell), column: Math.floor(key / cell) };
  }

  /**
   * @param {MouseEvent} event
   * @returns {[query: number, key: number] | null}
   */
  cellAt(event) {
    const box = this.over.getBoundingClientRect();
    const zoom = this.width / box.width;
    const row = Math.floor(((event.clientY - box.top) * zoom - this.top) / this.unit);
    const column = Math.floor(((event.clientX - box.left) * zoom - this.left) / this.unit);
    const inside = row >= 0 && column >= 0 && row < this.pattern.queries && column < this.pattern.keys;
    return inside ? [row * this.pattern.cell, column * this.pattern.cell] : null;
  }
}
