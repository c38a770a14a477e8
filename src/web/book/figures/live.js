// What the figures that a reader can change have in common.

import { element, svgElement } from "../../kit/text.js";

/**
 * The parts of a figure below the sentence that says what to do; returns the function that says what one sees
 * now.
 *
 * @param {HTMLElement} root
 * @param {string} what
 * @param {...Node} parts
 */
export function frame(root, what, ...parts) {
  const now = element("p", { role: "status" });
  root.append(element("figcaption", {}, what), ...parts, now);
  /** @param {string} text */
  return (text) => {
    if (now.textContent !== text) now.textContent = text;
  };
}

/**
 * A slider over a list of values.
 *
 * @template Value
 * @param {{ name: string; values: Value[]; at: number; text: (value: Value) => string;
 *   change: (value: Value) => void }} options
 */
export function slider({ name, values, at, text, change }) {
  const input = element("input", { type: "range", min: 0, max: values.length - 1, value: at });
  const shown = element("output", {}, text(values[at]));
  input.setAttribute("aria-valuetext", text(values[at]));
  input.addEventListener("input", () => {
    const value = values[Number(input.value)];
    shown.textContent = text(value);
    input.setAttribute("aria-valuetext", text(value));
    change(value);
  });
  return element("label", { class: "slider" }, element("span", {}, name), input, shown);
}

/**
 * Buttons of which one is chosen; choose(key) chooses as a press does.
 *
 * @param {string} name
 * @param {[string, string][]} options the key and the text of each
 * @param {(key: string) => void} change
 */
export function choice(name, options, change) {
  const buttons = options.map(([key, text]) => element("button", { type: "button", "data-key": key }, text));
  /** @param {string} key */
  const mark = (key) => {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.key === key));
  };
  for (const button of buttons)
    button.addEventListener("click", () => {
      mark(button.dataset.key);
      change(button.dataset.key);
    });
  mark(options[0][0]);
  return { node: element("div", { class: "choice", role: "group", "aria-label": name }, ...buttons), mark };
}

/**
 * A button that does something.
 *
 * @param {string} text
 * @param {() => void} press
 */
export function button(text, press) {
  const node = element("button", { type: "button" }, text);
  node.addEventListener("click", press);
  return node;
}

/**
 * Something below its title.
 *
 * @param {string} title
 * @param {Node} node
 */
export const titled = (title, node) => element("div", {}, element("h4", {}, title), node);

/**
 * Bars between 0 and 1 with a name below each. draw(values, notes, lit) draws them anew: a note stands above
 * its bar, and the bar of the index `lit` has another colour.
 *
 * @param {string} title
 * @param {string[]} names
 */
export function barChart(title, names) {
  const width = 340;
  const [left, top, height] = [30, 22, 110];
  const step = (width - left) / names.length;
  const rows = Math.max(...names.map((name) => name.split("\n").length));
  /** @param {number} value */
  const y = (value) => (top + (1 - value) * height).toFixed(1);
  const svg = svgElement("svg", { viewBox: `0 0 ${width} ${top + height + 6 + 14 * rows}`, role: "img" });
  const node = titled(title, svg);
  node.className = "bars";
  /** @type {(x: number, at: number, content: string, anchor?: string) => SVGTextElement} */
  const text = (x, at, content, anchor = "middle") =>
    svgElement("text", { x: x.toFixed(1), y: at, "text-anchor": anchor }, content);
  /** @type {(values: number[], notes: string[], lit: number) => void} */
  const draw = (values, notes, lit) => {
    svg.replaceChildren();
    for (const value of [0, 0.5, 1])
      svg.append(
        svgElement("line", { class: "rule", x1: left, x2: width, y1: y(value), y2: y(value) }),
        text(left - 5, Number(y(value)) + 4, String(value), "end"),
      );
    values.forEach((value, i) => {
      const x = left + i * step;
      svg.append(
        svgElement("rect", {
          class: i === lit ? "bar lit" : "bar",
          x: (x + step * 0.14).toFixed(1),
          y: y(value),
          width: (step * 0.72).toFixed(1),
          height: (value * height).toFixed(1),
        }),
      );
      names[i].split("\n").forEach((line, row) => {
        svg.append(text(x + step / 2, top + height + 14 + 14 * row, line));
      });
      if (notes[i]) svg.append(text(x + step / 2, Number(y(value)) - 5, notes[i]));
    });
    svg.setAttribute("aria-label", title + ": " + values.map((value) => value.toFixed(2)).join(", "));
  };
  return { node, draw };
}
