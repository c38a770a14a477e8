// Curves over the steps of training, with a cursor at the step shown.

// Three to five round numbers that span the values; whole ones if `least` is 1.
function ticks(low, high, least = 0) {
  const rough = Math.max((high - low) / 4, least), power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= rough * 0.999);
  const first = Math.ceil(low / step - 1e-9) * step;
  const out = [];
  for (let value = first; value <= high + step * 1e-6; value += step) out.push(Number(value.toPrecision(12)));
  return out;
}

class Chart {
  // series: [{ name, values, color, dashed, head }]; `steps` are the x of all of them. `pick(step)` is told where the
  // chart was pressed.
  constructor(root, { title, series, steps, high, kept, pick }) {
    Object.assign(this, { title, series, steps, high, kept });
    this.figure = element("div", { class: "chart" });
    this.note = element("p");
    this.svg = svgElement("svg", { role: "img", "aria-label": title });
    this.figure.append(element("h4", {}, title), this.note, this.svg, saveButtons(title, () => this.standalone()));
    root.append(this.figure);
    this.svg.addEventListener("click", (e) => {
      const box = this.svg.getBoundingClientRect();
      pick(this.stepAt(((e.clientX - box.left) * this.width) / box.width));
    });
  }

  x(step) {
    return this.left + (step / this.lastStep) * (this.width - this.left - this.right);
  }
  y(value) {
    return this.top + (1 - value / this.high) * (this.height - this.top - this.bottom);
  }
  stepAt(x) {
    return ((x - this.left) / (this.width - this.left - this.right)) * this.lastStep;
  }

  draw(width = this.figure.clientWidth || 420) {
    const longest = Math.max(...this.series.map((s) => (s.short ?? s.name).length));
    Object.assign(this, { width, lastStep: Math.max(1, this.steps.at(-1)) });
    Object.assign(this, { height: 192, left: 34, right: 12 + 6.4 * longest, top: 8, bottom: 32 });
    this.svg.setAttribute("viewBox", "0 0 " + width + " " + this.height);
    this.svg.replaceChildren();
    for (const value of ticks(0, this.high)) {
      this.line("grid-line", this.left, this.y(value), width - this.right, this.y(value));
      this.text(this.left - 5, this.y(value) + 4, String(value), "end");
    }
    for (const step of ticks(0, this.lastStep, 1)) this.text(this.x(step), this.height - 17, String(step), "middle");
    this.text((this.left + width - this.right) / 2, this.height - 4, "step", "middle");
    for (const step of this.kept) this.line("kept", this.x(step), this.y(0), this.x(step), this.y(0) + 4);
    for (const s of this.series) this.curve(s);
    this.endLabels();
    this.cursorLine = this.line("cursor", 0, this.top, 0, this.height - this.bottom);
  }

  line(kind, x1, y1, x2, y2) {
    const line = svgElement("line", { class: kind, x1: fixed(x1), y1: fixed(y1), x2: fixed(x2), y2: fixed(y2) });
    this.svg.append(line);
    return line;
  }

  text(x, y, content, anchor, color) {
    const text = svgElement("text", { x: fixed(x), y: fixed(y), "text-anchor": anchor }, content);
    if (color) text.style.fill = color;
    this.svg.append(text);
  }

  curve(s) {
    const points = s.values.map((value, i) => fixed(this.x(this.steps[i])) + "," + fixed(this.y(Math.min(value, this.high))));
    s.line = svgElement("polyline", { class: "curve" + (s.dashed ? " dashed" : ""), points: points.join(" ") });
    s.line.style.stroke = s.color;
    s.line.append(svgElement("title", {}, s.name));
    this.svg.append(s.line);
  }

  // The names of the curves that end high enough to matter, pushed apart where they would overlap.
  endLabels() {
    const named = this.series.filter((s) => s.head === undefined || s.values.at(-1) >= 0.25 * this.high);
    named.sort((a, b) => b.values.at(-1) - a.values.at(-1));
    let lowest = this.top - 8;
    for (const s of named) {
      lowest = Math.max(lowest + 12, this.y(Math.min(s.values.at(-1), this.high)) + 4);
      if (lowest > this.height - this.bottom + 4) break;
      this.text(this.width - this.right + 4, lowest, s.short ?? s.name, "start", s.color);
    }
  }

  cursor(step, note) {
    const x = fixed(this.x(step));
    this.cursorLine.setAttribute("x1", x);
    this.cursorLine.setAttribute("x2", x);
    this.note.textContent = note;
    for (const s of this.series)
      if (s.head !== undefined) {
        s.line.classList.toggle("chosen", s.head === headIndex());
        s.line.classList.toggle("faint", s.head !== headIndex());
      }
  }

  // The chart as a file of its own: what the style sheet says becomes part of it.
  standalone() {
    const copy = this.svg.cloneNode(true), originals = this.svg.querySelectorAll("*");
    copy.querySelectorAll("*").forEach((node, i) => {
      const style = getComputedStyle(originals[i]);
      for (const name of ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size"])
        node.style.setProperty(name, style.getPropertyValue(name));
    });
    return pictureAround(copy, this.width, this.height, this.title, this.note.textContent);
  }
}
