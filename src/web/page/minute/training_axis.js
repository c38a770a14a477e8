// The slider of training: how strong notes and looks were at each step that is held, on a true axis.

import { svgElement } from "../../kit/text.js";

const SIDE = 13; // half the slider's thumb
const HEIGHT = 64;

export class TrainingAxis {
  /**
   * @param {SVGSVGElement} svg
   * @param {number[]} steps
   * @param {{ notes: number; looks: number }[]} strengths
   */
  constructor(svg, steps, strengths) {
    this.svg = svg;
    this.steps = steps;
    this.strengths = strengths;
  }

  /**
   * The held step nearest to a place of the slider, which counts steps.
   *
   * @param {number} step
   */
  nearest(step) {
    const away = this.steps.map((held) => Math.abs(held - step));
    return away.indexOf(Math.min(...away));
  }

  /** @param {number} width */
  layout(width) {
    const { svg, steps } = this;
    const last = steps.at(-1);
    /** @type {(step: number) => number} */
    this.x = (step) => SIDE + (step / last) * (width - 2 * SIDE);
    /** @type {(value: number) => number} */
    const y = (value) => 6 + (1 - value) * (HEIGHT - 12);
    for (const [name, value] of Object.entries({
      viewBox: `0 0 ${width} ${HEIGHT + 20}`,
      width,
      height: HEIGHT + 20,
    }))
      svg.setAttribute(name, String(value));
    svg.replaceChildren();
    for (const [value, name] of /** @type {[number, string][]} */ ([
      [0, "0"],
      [1, "1"],
    ]))
      svg.append(
        svgElement("path", { class: "level", d: `M${SIDE},${y(value)}H${width - SIDE}` }),
        svgElement("text", { x: 0, y: y(value) + 4, "font-size": 11 }, name),
      );
    for (const kind of /** @type {const} */ (["looks", "notes"])) {
      const points = this.strengths.map((at, i) => this.x(steps[i]) + "," + y(at[kind])).join(" ");
      svg.append(svgElement("polyline", { class: kind, points }));
    }
    let free = -Infinity;
    for (const step of steps) {
      if (this.x(step) < free) continue;
      svg.append(
        svgElement(
          "text",
          { x: this.x(step), y: HEIGHT + 16, "text-anchor": "middle", "font-size": 12 },
          String(step),
        ),
      );
      free = this.x(step) + 34;
    }
    this.now = svg.appendChild(svgElement("path", { class: "now" }));
  }

  /** @param {number} index */
  draw(index) {
    this.now.setAttribute("d", `M${this.x(this.steps[index])},0V${HEIGHT}`);
  }
}
