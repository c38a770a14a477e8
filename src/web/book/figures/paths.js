// Lesson 3: from one entry of X or W to the loss, path by path.

import { element } from "../../kit/text.js";
import { frame, button, titled } from "./live.js";

const X = [
  [1, 2, 3],
  [4, 5, 6],
];
const W = [
  [1, 2],
  [3, 4],
  [5, 6],
];
const Y_BAR = [
  [1, 10],
  [100, 1000],
];
const Y = X.map((row) => W[0].map((_, j) => row.reduce((sum, x, p) => sum + x * W[p][j], 0)));

/**
 * @typedef {[name: string, row: number, column: number]} Entry
 * @typedef {{ y: number[]; other: Entry; slope: number; bar: number }} Path
 */

/**
 * The paths from an entry to L: the entry of Y on each, the entry of the other factor, and its slope.
 *
 * @param {string} name
 * @param {number} row
 * @param {number} column
 * @returns {Path[]}
 */
function pathsOf(name, row, column) {
  if (name === "X")
    return W[column].map((slope, j) => ({ y: [row, j], other: ["W", column, j], slope, bar: Y_BAR[row][j] }));
  return X.map((numbers, i) => ({
    y: [i, column],
    other: ["X", i, row],
    slope: numbers[row],
    bar: Y_BAR[i][column],
  }));
}

/**
 * As the text has them: 1·3 + 10·4 for X, Ȳ first, and 2·1 + 5·100 for W, X first.
 *
 * @param {string} name
 * @param {Path} path
 */
const product = (name, { slope, bar }) => (name === "X" ? `${bar}·${slope}` : `${slope}·${bar}`);

export class Paths {
  /** @param {HTMLElement} root */
  constructor(root) {
    /** @type {Map<string, HTMLElement>} */
    this.cells = new Map();
    this.list = element("ol", { class: "paths" });
    const matrices = Object.entries({ X, W, Y, Ȳ: Y_BAR }).map(([name, numbers]) =>
      titled(name === "Y" ? "Y = X W" : name, this.table(name, numbers)),
    );
    this.say = frame(
      root,
      "Press an entry of X or W, then step through the paths from it to the loss L.",
      element("div", { class: "side" }, ...matrices),
      this.list,
      element(
        "div",
        { class: "choice" },
        button("Next path", () => this.follow((this.at + 1) % this.paths.length)),
      ),
    );
    this.start("X", 0, 1);
  }

  /**
   * @param {string} name
   * @param {number[][]} numbers
   */
  table(name, numbers) {
    const rows = numbers.map((row, i) =>
      element("tr", {}, ...row.map((number, j) => this.cell(name, i, j, String(number)))),
    );
    return element("table", { class: "numbers", "aria-label": name }, ...rows);
  }

  /**
   * @param {string} name
   * @param {number} i
   * @param {number} j
   * @param {string} text
   */
  cell(name, i, j, text) {
    const cell = element("td", { class: "" });
    if (name === "X" || name === "W") {
      cell.append(button(text, () => this.start(name, i, j)));
      cell.firstElementChild.setAttribute("aria-label", `${name}[${i},${j}], ${text}`);
    } else {
      cell.append(text);
    }
    this.cells.set(`${name}${i},${j}`, cell);
    return cell;
  }

  /** @param {Entry} entry */
  start(...entry) {
    this.entry = entry;
    this.paths = pathsOf(...entry);
    this.follow(0);
  }

  /**
   * Lights one path: the entry, its slope in the other factor, and the entries of Y and Ȳ.
   *
   * @param {number} at
   */
  follow(at) {
    this.at = at;
    const [name, row, column] = this.entry;
    for (const cell of this.cells.values()) cell.className = "";
    /** @type {(key: string, kind: string) => void} */
    const mark = (key, kind) => {
      this.cells.get(key).className = kind;
    };
    /** @param {(string | number)[]} at */
    const place = ([i, j]) => `${i},${j}`;
    this.paths.forEach((path, i) => {
      const kind = i === at ? "lit" : "near";
      mark(path.other[0] + place(path.other.slice(1)), kind);
      mark("Y" + place(path.y), kind);
      mark("Ȳ" + place(path.y), kind);
    });
    mark(name + place([row, column]), "lit");
    this.list.replaceChildren(...this.paths.map((path, i) => this.line(path, i === at)));
    this.summarize();
  }

  /**
   * @param {Path} path
   * @param {boolean} lit
   */
  line(path, lit) {
    const [name, row, column] = this.entry;
    const [other, i, j] = path.other;
    const y = `[${path.y}]`;
    /** @type {(kind: string, text: string) => HTMLElement} */
    const part = (kind, text) => element("span", { class: kind }, text);
    return element(
      "li",
      lit ? { class: "lit" } : {},
      part("stop", `${name}[${row},${column}]`),
      part("slope", `${other}[${i},${j}] = ${path.slope}`),
      part("stop", "Y" + y),
      part("slope", `Ȳ = ${path.bar}`),
      part("stop", "L"),
      part("", ` ${product(name, path)} = ${path.slope * path.bar}`),
    );
  }

  summarize() {
    const [name, row, column] = this.entry;
    const path = this.paths[this.at];
    const sum = this.paths.reduce((all, one) => all + one.slope * one.bar, 0);
    this.say(
      `${name}[${row},${column}] reaches ${this.paths.map((one) => `Y[${one.y}]`).join(" and ")}. ` +
        `The lit path leads through Y[${path.y}]: its slopes are ${path.slope} and ${path.bar}. ` +
        `${name === "X" ? "X̄" : "W̄"}[${row},${column}] is the sum of both paths, ` +
        `${this.paths.map((one) => product(name, one)).join(" + ")} = ${sum}.`,
    );
  }
}
