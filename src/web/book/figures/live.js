// What the figures that a reader can change have in common. Each figure puts a function into `figures`, which
// fills its place in the text when the chapter is opened for the first time.

/** @type {{ [name: string]: (root: HTMLElement) => void }} */
const figures = {};

/**
 * @param {Node & { setAttribute(name: string, value: string): void }} node
 * @param {{ [name: string]: unknown }} attributes
 * @param {(string | Node)[]} children
 */
function made(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
  node.append(...children);
  return node;
}
const element = (tag, attributes = {}, ...children) =>
  made(document.createElement(tag), attributes, children);
const svgElement = (tag, attributes = {}, ...children) =>
  made(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

/**
 * The parts of a figure below the sentence that says what to do; returns the function that says what one sees
 * now.
 *
 * @param {HTMLElement} root
 * @param {string} what
 * @param {...Node} parts
 */
function frame(root, what, ...parts) {
  const now = element("p", { role: "status" });
  root.append(element("figcaption", {}, what), ...parts, now);
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
function slider({ name, values, at, text, change }) {
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
function choice(name, options, change) {
  const buttons = options.map(([key, text]) => element("button", { type: "button", "data-key": key }, text));
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
function button(text, press) {
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
const titled = (title, node) => element("div", {}, element("h4", {}, title), node);

/**
 * Bars between 0 and 1 with a name below each. draw(values, notes, lit) draws them anew: a note stands above
 * its bar, and the bar of the index `lit` has another colour.
 *
 * @param {string} title
 * @param {string[]} names
 */
function barChart(title, names) {
  const width = 340;
  const [left, top, height] = [30, 22, 110];
  const step = (width - left) / names.length;
  const rows = Math.max(...names.map((name) => name.split("\n").length));
  const y = (value) => (top + (1 - value) * height).toFixed(1);
  const svg = svgElement("svg", { viewBox: `0 0 ${width} ${top + height + 6 + 14 * rows}`, role: "img" });
  const node = titled(title, svg);
  node.className = "bars";
  const text = (x, at, content, anchor = "middle") =>
    svgElement("text", { x: x.toFixed(1), y: at, "text-anchor": anchor }, content);
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

/** @param {number[]} scores */
function softmax(scores) {
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const sum = powers.reduce((all, power) => all + power, 0);
  return powers.map((power) => power / sum);
}

/**
 * Random numbers with mean 0 and variance 1, the same for the same seed.
 *
 * @param {number} seed
 */
function normals(seed) {
  let state = seed >>> 0;
  const uniform = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
}

/** @param {Element} chapter */
function fill(chapter) {
  for (const root of chapter.querySelectorAll("figure.live:empty")) figures[root.dataset.live](root);
}

headlight.live = {
  figures,
  element,
  svgElement,
  frame,
  slider,
  choice,
  button,
  titled,
  barChart,
  softmax,
  normals,
  fill,
};
