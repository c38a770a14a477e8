// A pattern as a picture: small on a canvas of its own, large with tokens on both axes.

// One pixel a cell; the style sheet makes it large.
function drawPattern(canvas, pattern) {
  const n = pattern.size, pixels = scale().pixels;
  if (canvas.width !== n) canvas.width = canvas.height = n;
  const context = canvas.getContext("2d");
  const image = context.createImageData(n, n);
  const out = new Uint32Array(image.data.buffer).fill(pixels[0]);
  const shift = pattern.levels === 255 ? 0 : 8;
  let at = pattern.offset;
  for (let i = 0; i < n; ++i) for (let j = 0; j <= i; ++j) out[i * n + j] = pixels[pattern.values[at++] >> shift];
  context.putImageData(image, 0, 0);
}

// "37 ‘k’", or "36–39" where a cell stands for several tokens.
function place(cell, pattern, tokens) {
  const first = cell * pattern.cell, last = Math.min(tokens.length, first + pattern.cell) - 1;
  return first === last ? first + " ‘" + tokenText(tokens[first]) + "’" : first + "–" + last;
}

class MapView {
  // `move(query, key)` is told where the pointer is, in tokens, and null when it leaves; `press(query, key)` where it
  // was pressed.
  constructor(root, move, press) {
    this.root = root;
    this.base = element("canvas", { "aria-hidden": "true" });
    this.over = element("canvas", { "aria-hidden": "true" });
    this.cells = document.createElement("canvas");
    root.append(this.base, this.over);
    root.addEventListener("pointermove", (e) => move(...(this.cellAt(e) ?? [null, null])));
    root.addEventListener("pointerleave", () => move(null, null));
    root.addEventListener("click", (e) => {
      const cell = this.cellAt(e);
      if (cell) press(...cell);
    });
  }

  show(pattern, tokens, label) {
    Object.assign(this, { pattern, tokens });
    this.root.setAttribute("aria-label", label);
    this.measure();
    drawPattern(this.cells, pattern);
    this.drawBase();
  }

  // Where map and margins lie, in CSS pixels.
  measure() {
    const width = this.root.clientWidth || 640, n = this.pattern.size;
    const labelled = this.pattern.cell === 1 && width / n >= 7.2;
    this.labels = labelled ? this.tokens.map(tokenText) : null;
    const longest = labelled ? Math.max(...this.labels.map((t) => Array.from(t).length)) : 0;
    this.font = Math.min(16, (width / n) * 0.95);
    const room = labelled ? Math.min(72, 6 + longest * this.font * 0.62) : 4;
    this.upright = longest * this.font * 0.62 > width / n + 2;  // long labels of columns stand upright
    this.left = 18 + room;
    this.top = 20 + (this.upright ? room : labelled ? this.font + 3 : 4);
    this.side = width - this.left - 4;
    this.width = width;
    this.height = this.top + this.side + 4;
    for (const canvas of [this.base, this.over]) {
      const ratio = window.devicePixelRatio || 1;
      const w = Math.round(this.width * ratio), h = Math.round(this.height * ratio);
      if (canvas.width !== w || canvas.height !== h) Object.assign(canvas, { width: w, height: h });
      canvas.getContext("2d").setTransform(ratio, 0, 0, ratio, 0, 0);
    }
  }

  drawBase() {
    const c = this.base.getContext("2d"), style = getComputedStyle(this.root);
    const soft = style.getPropertyValue("--soft"), ink = style.getPropertyValue("--ink");
    c.clearRect(0, 0, this.width, this.height);
    if (printing()) this.drawCells(c);
    else {
      c.imageSmoothingEnabled = this.side < this.pattern.size;
      c.drawImage(this.cells, this.left, this.top, this.side, this.side);
    }
    c.strokeStyle = style.getPropertyValue("--line");
    c.strokeRect(this.left, this.top, this.side, this.side);
    c.fillStyle = soft;
    c.font = "13px system-ui, sans-serif";
    c.textAlign = "center";
    c.textBaseline = "top";
    c.fillText("key (attended to) →", this.left + this.side / 2, 1);
    this.rotated(c, 1, this.top + this.side / 2, () => c.fillText("← query (attending)", 0, 0));
    if (!this.labels) return;
    c.fillStyle = ink;
    for (let i = 0; i < this.labels.length; ++i) this.label(c, i, "row", ink), this.label(c, i, "column", ink);
  }

  // Cell by cell: on paper an enlarged picture would be blurred.
  drawCells(c) {
    const unit = this.side / this.pattern.size, colors = scale().css;
    for (let i = 0; i < this.pattern.size; ++i)
      for (let j = 0; j <= i; ++j) {
        const level = Math.round(255 * this.pattern.weight(i, j));
        if (level === 0) continue;
        c.fillStyle = colors[level];
        c.fillRect(this.left + j * unit, this.top + i * unit, unit, unit);
      }
  }

  rotated(c, x, y, draw) {
    c.save();
    c.translate(x, y);
    c.rotate(-Math.PI / 2);
    draw();
    c.restore();
  }

  label(c, i, axis, color, weight = "") {
    const at = (i + 0.5) * (this.side / this.pattern.size);
    c.font = weight + " " + this.font + "px ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace";
    c.fillStyle = color;
    c.textBaseline = "middle";
    if (axis === "row") {
      c.textAlign = "right";
      c.fillText(this.labels[i], this.left - 4, this.top + at, this.left - 20);
    } else if (this.upright) {
      c.textAlign = "left";
      this.rotated(c, this.left + at, this.top - 3, () => c.fillText(this.labels[i], 0, 0, this.top - 22));
    } else {
      c.textAlign = "center";
      c.fillText(this.labels[i], this.left + at, this.top - 3 - this.font / 2);
    }
  }

  // Highlights the row of a query and the cell of a key (both in tokens, or null).
  highlight(query, key, locked) {
    const c = this.over.getContext("2d"), style = getComputedStyle(this.root);
    c.clearRect(0, 0, this.width, this.height);
    if (query === null) return;
    const unit = this.side / this.pattern.size, row = Math.floor(query / this.pattern.cell);
    const mark = style.getPropertyValue(locked ? "--wrong" : "--mark");
    c.strokeStyle = mark;
    c.lineWidth = locked ? 2.5 : 1.5;
    const high = Math.max(unit, 3), y = this.top + row * unit - (high - unit) / 2;
    c.strokeRect(this.left - 1, y - 1, this.side + 2, high + 2);
    if (this.labels) this.label(c, row, "row", mark, "bold");
    if (key === null) return;
    const column = Math.floor(key / this.pattern.cell), x = this.left + column * unit - (high - unit) / 2;
    c.strokeRect(x - 1, this.top, high + 2, y - this.top);
    c.strokeRect(x - 2, y - 2, high + 4, high + 4);
    if (this.labels) this.label(c, column, "column", mark, "bold");
  }

  cellAt(event) {
    const box = this.over.getBoundingClientRect();
    const unit = this.side / this.pattern.size, zoom = this.width / box.width;
    const row = Math.floor(((event.clientY - box.top) * zoom - this.top) / unit);
    const column = Math.floor(((event.clientX - box.left) * zoom - this.left) / unit);
    const inside = row >= 0 && column >= 0 && row < this.pattern.size && column < this.pattern.size;
    return inside ? [row * this.pattern.cell, column * this.pattern.cell] : null;
  }
}

// A button with a small picture for every head; layers are rows.
class HeadGrid {
  constructor(root) {
    this.root = root;
    root.style.gridTemplateColumns = "repeat(" + data.n_heads + ", minmax(" + (data.n_heads > 6 ? 3.4 : 4.2) + "rem, 1fr))";
    this.buttons = [];
    for (let head = 0; head < data.n_layers * data.n_heads; ++head) {
      const button = element("button", { type: "button" }, element("canvas", { "aria-hidden": "true" }), element("span"));
      button.addEventListener("click", () => chooseHead(head));
      this.buttons.push(button);
      root.append(button);
    }
  }

  show(pattern, scores) {
    this.buttons.forEach((button, head) => {
      drawPattern(button.firstChild, pattern(head));
      const best = strongest(scores[head]), chosen = head === headIndex();
      button.lastChild.textContent = headName(head) + " " + best.name + " " + fixed(best.value);
      button.lastChild.className = best.value >= data.found ? "found" : "";
      button.title = "Head " + headName(head) + ": " + scoresText(scores[head]);
      button.setAttribute("aria-pressed", chosen);
    });
  }

  // Moves the focus with the choice when it stands on one of the heads.
  follow() {
    if (this.root.contains(document.activeElement)) this.buttons[headIndex()].focus();
  }
}
