// What stands under the pointer, in words, beside the pointer; with an enlarged piece of the pattern where cells are small.

const { element } = headlight.text;
const { putBeside } = headlight.beside;

const REACH = 3;   // cells on each side of the enlarged one
const LARGE = 18;  // pixels of an enlarged cell
const FINGER = 24;  // pixels around a cell that a finger hides
const SMALL = 11;  // cells below this size are enlarged

class Tip {
  constructor({ look }) {
    this.look = look;
    this.words = element("span");
    this.glass = element("canvas");
    this.box = element("div", { class: "tip", "aria-hidden": "true", hidden: "" }, this.glass, this.words);
    document.body.append(this.box);
  }

  // `piece`: { pattern, rows, columns, row, column, unit }, the cell on the screen; absent at a token.
  show(anchor, words, piece, first) {
    this.box.hidden = false;
    this.words.textContent = words;
    this.glass.hidden = piece === undefined || piece.unit >= SMALL;
    if (!this.glass.hidden) this.enlarge(piece);
    putBeside(this.box, anchor, first);
  }

  hide() {
    this.box.hidden = true;
  }

  // Follows the pointer: over a cell of the map, or over a token of the text.
  follow({ place, query, key }, words, map, text) {
    if (query === null || place === null) return this.hide();
    if (place === "tokens") return this.show(text.rectOf(query), words);
    if (key === null) return this.hide();
    const { left, top, right, bottom } = map.rectOf(query, key), finger = place === "finger" ? FINGER : 0;
    this.show({ left, right, top: top - finger, bottom: bottom + finger }, words, map.piece(query, key), finger ? "above" : "below");
  }

  enlarge({ pattern, rows, columns, row, column }) {
    const count = 2 * REACH + 1, ratio = window.devicePixelRatio || 1, margin = 26, side = margin + count * LARGE + 2;
    Object.assign(this.glass, { width: side * ratio, height: side * ratio });
    Object.assign(this.glass.style, { width: side + "px", height: side + "px" });
    const c = this.glass.getContext("2d"), style = getComputedStyle(this.box), colors = this.look.scale().css;
    c.setTransform(ratio, 0, 0, ratio, 0, 0);
    c.font = "12px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
    Object.assign(c, { textAlign: "center", textBaseline: "middle" });
    const at = (i) => margin + (i + REACH) * LARGE;
    for (let i = -REACH; i <= REACH; ++i) {
      c.fillStyle = style.color;
      if (rows[row + i] !== undefined) c.fillText(rows[row + i], margin / 2, at(i) + LARGE / 2, margin - 2);
      if (columns[column + i] !== undefined) c.fillText(columns[column + i], at(i) + LARGE / 2, margin / 2, LARGE);
      for (let j = -REACH; j <= REACH; ++j) {
        const [query, key] = [row + i, column + j];
        if (query < 0 || key < 0 || query >= pattern.queries || key >= pattern.keys) continue;
        c.fillStyle = key < pattern.seen(query) ? colors[Math.round(255 * pattern.weight(query, key))] : style.backgroundColor;
        c.fillRect(at(j), at(i), LARGE + 0.5, LARGE + 0.5);
      }
    }
    c.strokeStyle = style.getPropertyValue("--mark");
    c.lineWidth = 2;
    c.strokeRect(at(0), at(0), LARGE, LARGE);
  }
}

headlight.tip = { Tip };
