// Curves over the steps of training, or another axis, with a cursor at the step shown.

import { element, svgElement, fixed } from "./text.js";
import { pictureAround } from "./picture.js";
import { saveButtons } from "./save.js";

/**
 * A round number that goes two to five times into the values from 0 to `high`; a whole one if `least` is 1.
 *
 * @param {number} high
 * @param {number} least
 */
function tickStep(high, least = 0) {
  const rough = Math.max(high / 5, least);
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= rough * 0.999);
}

/**
 * @param {number} high
 * @param {number} [least]
 */
function ticks(high, least) {
  const step = tickStep(high, least);
  const count = Math.floor(high / step + 1e-6);
  return Array.from({ length: count + 1 }, (_, i) => Number((i * step).toPrecision(12)));
}

/**
 * The first tick that no value exceeds; of numbers that are hardly numbers, the nearest that has ticks.
 *
 * @param {number[]} values
 */
export function axisEnd(values) {
  const largest = values.reduce((most, value) => Math.max(most, value), 0);
  const high = largest < 1e-300 ? 1 : Math.min(largest, 1e300);
  const step = tickStep(high);
  return Number((Math.ceil(high / step - 1e-6) * step).toPrecision(12));
}

/**
 * A curve with its points, and with what the chart draws of it.
 *
 * @template Point
 * @typedef {Curve<Point> & { points: [number, number][]; line?: SVGElement; label?: SVGElement }} Series
 */

/** @template {{ step: number }} Point */
export class Chart {
  /**
   * The note of a point stands above the chart; pick(step) is called with the step that was pressed.
   *
   * @param {HTMLElement} root
   * @param {App} app
   * @param {ChartOptions<Point>} options
   */
  constructor(
    root,
    { run, store, selection, glossary },
    { title, curves, high, note, pick, axis = "step of training" },
  ) {
    this.selection = selection;
    this.title = title;
    this.curves = curves;
    this.end = high;
    this.describe = note;
    this.axis = axis;
    this.figure = element("div", { class: "chart" });
    this.note = element("p");
    this.svg = svgElement("svg", { role: "img", "aria-label": title });
    const heading = element("h4");
    store.subscribe([], () => heading.replaceChildren(...glossary.marked(title, ["nats"])));
    this.figure.append(
      heading,
      this.note,
      this.svg,
      saveButtons(
        run,
        "this chart",
        () => this.standalone(),
        () => title,
        () => this.rows(),
      ),
    );
    root.append(this.figure);
    this.svg.addEventListener("click", (event) => {
      const box = this.svg.getBoundingClientRect();
      pick(this.stepAt(((event.clientX - box.left) * this.width) / box.width));
    });
  }

  /** @param {number} step */
  x(step) {
    return this.left + (step / this.lastStep) * (this.width - this.left - this.right);
  }
  /** @param {number} value */
  y(value) {
    const share = (value - this.low) / (this.high - this.low);
    return this.top + (1 - share) * (this.height - this.top - this.bottom);
  }
  /**
   * A little below the axis there is room, as for a score below 0.
   *
   * @param {number} value
   */
  within(value) {
    return Math.max(Math.min(value, this.high), this.low - (this.high - this.low));
  }
  /** @param {number} x */
  stepAt(x) {
    return ((x - this.left) / (this.width - this.left - this.right)) * this.lastStep;
  }

  /**
   * @param {Curve<Point>} curve
   * @param {Point[]} metrics
   * @returns {Series<Point>}
   */
  seriesOf(curve, metrics) {
    const all = metrics.map((point) => /** @type {[number, number]} */ ([point.step, curve.value(point)]));
    return { ...curve, points: all.filter(([, value]) => (value ?? null) !== null) };
  }

  /**
   * Metrics of the steps measured, and the steps whose weights were kept. A chart without a value is
   * hidden.
   *
   * @param {Point[]} metrics
   * @param {number[]} kept
   */
  draw(metrics, kept) {
    this.series = this.curves
      .map((curve) => this.seriesOf(curve, metrics))
      .filter((series) => series.points.length > 0);
    this.figure.hidden = this.series.length === 0;
    if (this.figure.hidden) return;
    const width = this.figure.clientWidth || 420;
    const longest = Math.max(...this.series.map((series) => series.brief.length));
    const values = this.series.flatMap((series) => series.points.map(([, value]) => value));
    const least = Math.min(...values); // below 0 only of metrics of the user's own, and of scores of 0
    this.low = this.end === null && least < 0 ? -axisEnd(values.map((value) => -value)) : 0;
    this.high = this.end ?? (this.low < 0 && Math.max(...values) <= 0 ? 0 : axisEnd(values));
    this.width = width;
    this.lastStep = Math.max(1, metrics.at(-1).step);
    this.height = Math.min(Math.max(152, width * 0.42), 220);
    this.left = 34;
    this.right = 18 + 6.4 * longest;
    this.top = 8;
    this.bottom = 32;
    this.svg.setAttribute("viewBox", "0 0 " + width + " " + this.height);
    this.svg.replaceChildren();
    const below = this.low < 0 ? ticks(-this.low).slice(1) : [];
    for (const value of [...below.map((value) => -value), ...(this.high > 0 ? ticks(this.high) : [0])]) {
      this.line("grid-line", this.left, this.y(value), width - this.right, this.y(value));
      this.text(this.left - 5, this.y(value) + 4, String(value), "end");
    }
    for (const step of ticks(this.lastStep, 1)) {
      this.text(this.x(step), this.height - 17, String(step), "middle");
    }
    this.text((this.left + width - this.right) / 2, this.height - 4, this.axis, "middle");
    for (const step of kept) {
      this.line("kept", this.x(step), this.y(this.low), this.x(step), this.y(this.low) + 4);
    }
    for (const series of this.series) {
      this.curve(series);
    }
    this.endLabels();
    this.cursorLine = this.line("cursor", 0, this.top, 0, this.height - this.bottom);
    this.cursorLine.setAttribute("visibility", "hidden");
  }

  /**
   * @param {string} kind
   * @param {number} x1
   * @param {number} y1
   * @param {number} x2
   * @param {number} y2
   */
  line(kind, x1, y1, x2, y2) {
    const line = svgElement("line", {
      class: kind,
      x1: fixed(x1),
      y1: fixed(y1),
      x2: fixed(x2),
      y2: fixed(y2),
    });
    this.svg.append(line);
    return line;
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {string} content
   * @param {string} anchor
   * @param {string} [color]
   */
  text(x, y, content, anchor, color) {
    const text = svgElement("text", { x: fixed(x), y: fixed(y), "text-anchor": anchor }, content);
    if (color) text.style.fill = color;
    this.svg.append(text);
    return text;
  }

  /** @param {Series<Point>} series */
  curve(series) {
    const points = series.points.map(
      ([step, value]) => fixed(this.x(step)) + "," + fixed(this.y(this.within(value))),
    );
    series.line = svgElement("polyline", {
      class: "curve" + (series.dashed ? " dashed" : ""),
      points: points.join(" "),
    });
    series.line.style.stroke = series.color;
    series.line.append(svgElement("title", {}, series.name));
    this.svg.append(series.line);
  }

  // The names of the curves where they end, pushed apart where they would overlap. Where there is no room for
  // all: of those that end highest.
  endLabels() {
    const apart = 11;
    const low = this.top + 4;
    const high = this.height - this.bottom + 4;
    const room = Math.floor((high - low) / apart) + 1;
    /** @type {(series: Series<Point>) => number} */
    const last = (series) => this.within(series.points.at(-1)[1]);
    const named = [...this.series].sort((one, other) => last(other) - last(one)).slice(0, room);
    const heights = named.map((series) => this.y(last(series)) + 4);
    heights.forEach((y, i) => {
      heights[i] = Math.max(y, i > 0 ? heights[i - 1] + apart : low);
    });
    for (let i = heights.length - 1; i >= 0; --i) {
      heights[i] = Math.min(heights[i], i + 1 < heights.length ? heights[i + 1] - apart : high);
    }
    const end = this.width - this.right;
    named.forEach((series, i) => {
      this.line("leader", end + 1, this.y(last(series)), end + 9, heights[i] - 4);
      series.label = this.text(end + 11, heights[i], series.brief, "start", series.color);
    });
  }

  /** @param {Point} metrics */
  cursor(metrics) {
    if (this.figure.hidden) return;
    const x = fixed(this.x(metrics.step));
    const chosen = this.selection.head;
    this.cursorLine.removeAttribute("visibility");
    this.cursorLine.setAttribute("x1", x);
    this.cursorLine.setAttribute("x2", x);
    this.note.textContent = this.describe(metrics);
    for (const series of this.series) {
      if (series.head !== undefined) {
        series.line.classList.toggle("chosen", series.head === chosen);
        series.line.classList.toggle("faint", series.head !== chosen);
        series.label?.classList.toggle("chosen", series.head === chosen);
      }
    }
  }

  // The points of all curves, one a row.
  /** @returns {(string | number)[][]} */
  rows() {
    const points = this.series.flatMap(({ name, points }) =>
      points.map(([step, value]) => /** @type {(string | number)[]} */ ([name, step, value])),
    );
    return [["curve", this.axis, "value"], ...points];
  }

  // The chart as a file of its own: what the style sheet says becomes part of it.
  standalone() {
    const copy = /** @type {SVGSVGElement} */ (this.svg.cloneNode(true));
    const originals = this.svg.querySelectorAll("*");
    /** @type {NodeListOf<SVGElement>} */
    const copies = copy.querySelectorAll("*");
    copies.forEach((node, i) => {
      const style = getComputedStyle(originals[i]);
      for (const name of [
        "fill",
        "stroke",
        "stroke-width",
        "stroke-dasharray",
        "opacity",
        "font-size",
        "font-weight",
      ]) {
        node.style.setProperty(name, style.getPropertyValue(name));
      }
    });
    return pictureAround(copy, this.width, this.height, this.title, this.note.textContent);
  }
}
