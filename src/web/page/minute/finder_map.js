// Where the finders look: a row for each letter that asks, a column for each that can be looked at.

import { svgElement } from "../../kit/text.js";

const LEFT = 22;
const TOP = 20;
const ABOVE = 570; // pixels that all else takes

export class FinderMap {
  /**
   * @param {SVGSVGElement} svg
   * @param {(position: number) => void} choose
   */
  constructor(svg, choose) {
    this.svg = svg;
    svg.addEventListener("click", ({ clientY }) => {
      const row = Math.floor((clientY - svg.getBoundingClientRect().top - TOP) / this.high);
      if (row >= 0 && row < this.rows) choose(this.line.first + row);
    });
  }

  /**
   * @param {Line} line
   * @param {string[]} texts
   * @param {number} width
   */
  layout(line, texts, width) {
    this.line = line;
    const n = line.tokens.length;
    this.rows = n - line.first;
    const wide = (width - LEFT) / n;
    // In a low window its rows are lower, so that the slider of training stays in sight.
    this.high = Math.min(wide, 16, Math.max(8, (innerHeight - ABOVE) / this.rows));
    const height = TOP + this.rows * this.high + 1;
    const { svg, high, rows } = this;
    for (const [name, value] of Object.entries({ viewBox: `0 0 ${width} ${height}`, width, height }))
      svg.setAttribute(name, String(value));
    svg.replaceChildren();
    /** @type {SVGRectElement[][]} */
    this.cells = [];
    for (let row = 0; row < rows; ++row) {
      const y = TOP + row * high;
      svg.append(
        svgElement("rect", {
          class: "ground",
          x: LEFT,
          y,
          width: (line.first + row + 1) * wide,
          height: high,
        }),
      );
      this.cells.push(
        Array.from({ length: line.first + row + 1 }, (_, key) =>
          svg.appendChild(
            svgElement("rect", {
              class: "weight",
              x: LEFT + key * wide + 0.5,
              y: y + 0.5,
              width: wide - 1,
              height: high - 1,
            }),
          ),
        ),
      );
    }
    const size = {
      "font-size": Math.min(13, wide * 0.95, 24 / Math.max(...texts.map((text) => text.length))),
    };
    this.columns = texts.map((text, key) =>
      svg.appendChild(
        svgElement("text", { x: LEFT + (key + 0.5) * wide, y: TOP - 6, class: "key", ...size }, text),
      ),
    );
    const lower = { ...size, "font-size": Math.min(size["font-size"], high) };
    this.names = texts
      .slice(line.first)
      .map((text, row) =>
        svg.appendChild(
          svgElement(
            "text",
            { x: LEFT - 7, y: TOP + (row + 0.5) * high + 4, class: "query", ...lower },
            text,
          ),
        ),
      );
    this.frame = svg.appendChild(
      svgElement("rect", { class: "row", x: LEFT - 1, width: n * wide + 2, height: high + 2, rx: 3 }),
    );
  }

  /** @param {Scene} scene */
  draw(scene) {
    const { first } = this.line;
    this.cells.forEach((row, i) => {
      const shown = scene.rows[first + i];
      row.forEach((cell, key) =>
        cell.setAttribute("opacity", shown === 0 ? "0" : (shown * scene.weight(first + i, key)).toFixed(3)),
      );
    });
    this.columns.forEach((text, i) => text.setAttribute("opacity", i < scene.known ? "1" : "0"));
    this.names.forEach((text, i) => {
      text.setAttribute("opacity", first + i < scene.known ? "1" : "0");
      text.classList.toggle("asks", first + i === scene.query);
    });
    this.frame.setAttribute("opacity", scene.query >= first ? "1" : "0");
    this.frame.setAttribute("y", String(TOP + (scene.query - first) * this.high - 1));
  }
}
