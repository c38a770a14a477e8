// The line of the first screen: letters, a slot for a note under each, guesses above, and who looks where.

import { svgElement, percent } from "../../kit/text.js";

const WIDE = 1000;
const MIDDLE = 560;

/** @type {(from: number, to: number, share: number) => number} */
const mix = (from, to, share) => from + (to - from) * share;

/**
 * @param {Element} node
 * @param {Attributes} attributes
 */
function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    node.setAttribute(name, String(value));
  }
}

export class Strip {
  /**
   * @param {SVGSVGElement} svg
   * @param {(position: number) => void} choose what a press on a letter does
   */
  constructor(svg, choose) {
    this.svg = svg;
    this.choose = choose;
    /** @type {Line | null} */
    this.line = null;
    /** @type {Record<string, SVGElement>[]} */
    this.cells = [];
  }

  /**
   * @param {Line} line
   * @param {string[]} texts of its tokens
   * @param {number} width
   * @param {boolean} looked whether looks are drawn below
   */
  layout(line, texts, width, looked = true) {
    const n = line.tokens.length;
    const columns = Math.min(n, width >= WIDE ? 32 : width >= MIDDLE ? 16 : 8);
    const small = width < MIDDLE;
    const gap = columns === n && line.gap > 0 ? 16 : 0;
    const cell = (width - gap) / columns;
    const box = Math.min(cell - (small ? 5 : 4), 56);
    const height = small ? 34 : 46;
    const slot = small ? 20 : 27;
    const guess = small ? 22 : 30;
    const arcs = !looked ? 0 : columns === n ? 84 : small ? 14 : 40;
    // Only what comes from the first guess on has guesses above it.
    const rows = Math.ceil(n / columns);
    const tops = [4];
    for (let row = 0; row < rows; ++row) {
      const guessed = (row + 1) * columns > line.first;
      tops[row] += guessed ? guess : 0;
      tops.push(tops[row] + height + (looked ? slot + 8 : 10) + arcs);
    }
    this.line = line;
    this.texts = texts;
    this.columns = columns;
    this.small = small;
    this.gap = gap;
    this.cell = cell;
    this.box = box;
    this.height = height;
    this.slot = slot;
    this.guess = guess;
    this.arcs = arcs;
    this.tops = tops;
    this.longest = Math.max(...texts.map((text) => Array.from(text).length));
    const full = tops[rows];
    set(this.svg, { viewBox: `0 0 ${width} ${full}`, width, height: full });
    this.svg.replaceChildren();
    this.noteArcs = this.svg.appendChild(svgElement("g", { class: "note-arcs" }));
    this.lookArcs = this.svg.appendChild(svgElement("g", { class: "look-arcs" }));
    const cells = this.svg.appendChild(svgElement("g", {}));
    this.cells = texts.map((text, i) => this.cellOf(text, i, cells));
    this.question = this.svg.appendChild(this.pill(texts[line.ask] + "?"));
    this.fly = this.svg.appendChild(svgElement("text", { class: "fly", "font-size": this.size(29) }));
  }

  // Letters are smaller where tokens are words.
  /** @param {number} size */
  size(size) {
    const room = (this.box * 1.5) / Math.max(1, this.longest);
    return Math.round(Math.min(this.small ? size * 0.8 : size, room));
  }

  /** @param {number} i */
  x(i) {
    return (i % this.columns) * this.cell + this.cell / 2 + (i >= this.line.first ? this.gap : 0);
  }

  /** @param {number} i */
  row(i) {
    return Math.floor(i / this.columns);
  }

  // The upper edge of a letter's box.
  /** @param {number} i */
  y(i) {
    return this.tops[this.row(i)];
  }

  // The lower edge of its note.
  /** @param {number} i */
  below(i) {
    return this.y(i) + this.height + 5 + this.slot;
  }

  /**
   * @param {string} text
   * @param {number} i
   * @param {SVGElement} into
   */
  cellOf(text, i, into) {
    const [x, y] = [this.x(i), this.y(i)];
    const w = this.box;
    const group = into.appendChild(svgElement("g", { class: "cell" }));
    const slot = w - (this.small ? 8 : 6);
    const noteY = y + this.height + 5;
    /** @type {(tag: "rect" | "text", attributes: Attributes, content?: string) => any} */
    const add = (tag, attributes, content = "") => group.appendChild(svgElement(tag, attributes, content));
    const cell = {
      group,
      box: add("rect", { class: "box", x: x - w / 2, y, width: w, height: this.height, rx: 7 }),
      letter: add("text", { class: "letter", x, y: y + this.height / 2 + 9, "font-size": this.size(28) }),
      slot: add("rect", { class: "slot", x: x - slot / 2, y: noteY, width: slot, height: this.slot, rx: 5 }),
      note: group.appendChild(svgElement("g", { class: "note-of" })),
      ring: add("rect", { class: "ring", x: x - slot / 2, y: noteY, width: slot, height: this.slot, rx: 5 }),
      guess: group.appendChild(svgElement("g", { class: "guess-of" })),
    };
    cell.note.append(
      svgElement("rect", {
        class: "chip",
        x: -slot / 2,
        y: -this.slot / 2,
        width: slot,
        height: this.slot,
        rx: 5,
      }),
      svgElement("text", { class: "noted", y: 6, "font-size": this.size(18) }, this.texts[i - 1] ?? ""),
    );
    cell.guess.append(
      svgElement("rect", { x: x - w / 2, y: y - this.guess, width: w, height: this.guess - 3, rx: 6 }),
      svgElement("text", { x, y: y - this.guess / 2 + 5, "font-size": this.size(19) }),
    );
    group.addEventListener("click", () => this.choose(i));
    if (i > 0) {
      const from = this.x(i - 1);
      const d =
        this.row(i) === this.row(i - 1)
          ? `M${x},${y - 2} C${x},${y - 22} ${from},${y - 22} ${from},${y - 2}`
          : `M${x},${y - 2} q0,-14 ${-this.cell / 2},-14`;
      this.noteArcs.append(svgElement("path", { d, pathLength: 1, "stroke-dasharray": "1 1", opacity: 0 }));
    } else this.noteArcs.append(svgElement("path", {}));
    this.lookArcs.append(
      svgElement(
        "g",
        {},
        svgElement("path", { pathLength: 1, "stroke-dasharray": "1 1" }),
        svgElement("text", { "font-size": this.small ? 11 : 13 }),
      ),
    );
    return cell;
  }

  /** @param {string} text */
  pill(text) {
    const width = 18 + 11 * Array.from(text).length;
    return svgElement(
      "g",
      { class: "question" },
      svgElement("rect", { x: -width / 2, y: -13, width, height: 26, rx: 13 }),
      svgElement("text", { y: 6, "font-size": 17 }, text),
    );
  }

  // From a letter, past its own note, to under another letter's note.
  /**
   * @param {number} from
   * @param {number} to
   */
  arc(from, to) {
    const x1 = this.x(from) - this.box / 2 + 1;
    const [x2, y1, y2] = [this.x(to), this.y(from) + this.height - 4, this.below(to) + 1];
    if (this.row(from) !== this.row(to))
      return `M${x1},${this.y(from) + 4} C${x1},${y2 + 8} ${x2},${y2 + 34} ${x2},${y2}`;
    const deep = Math.min(this.arcs - 12, 10 + Math.abs(x1 - x2) * 0.105) * 1.25;
    const low = this.below(from);
    return `M${x1},${y1} V${low} C${x1},${low + deep} ${x2},${y2 + deep} ${x2},${y2}`;
  }

  /**
   * @param {Scene} scene
   * @param {(token: number) => string} text
   */
  draw(scene, text) {
    const looking = scene.looking ?? 1;
    const most = Math.max(...scene.looks);
    this.cells.forEach((cell, i) => {
      const known = i < scene.known;
      const next = i === scene.known && i === this.line.ask + 1;
      const guess = scene.guesses[i];
      const found =
        scene.glow[i] > 0.9 ||
        (scene.query >= 0 && looking > 0.5 && scene.looks[i] === most && most > 0.3 && scene.notes[i] > 0.1);
      set(cell.group, {
        class:
          "cell" +
          (known ? "" : next ? " next" : " open") +
          (i === (scene.query < 0 ? this.line.ask : scene.query) ? " asks" : "") +
          (found ? " found" : "") +
          (i > this.line.ask && known && this.line.predictable[i] ? " live" : ""),
      });
      cell.letter.textContent = known ? this.texts[i] : next ? "?" : "";
      set(cell.guess, { opacity: guess ? 1 : 0, class: "guess-of " + (guess?.right ? "right" : "wrong") });
      cell.guess.lastElementChild.textContent = guess ? text(guess.token) : "";
      this.drawNote(cell, i, scene);
      set(cell.ring, { opacity: scene.glow[i] });
      this.drawLook(i, scene, looking);
    });
    set(this.question, {
      opacity: scene.asking,
      transform: `translate(${this.x(this.line.ask)},${this.below(this.line.ask) + 20})`,
    });
    this.drawFly(scene, text);
  }

  /**
   * @param {Strip["cells"][0]} cell
   * @param {number} i
   * @param {Scene} scene
   */
  drawNote(cell, i, { notes, drop, noteArcs }) {
    const same = i > 0 && this.row(i) === this.row(i - 1);
    const x = mix(same ? this.x(i - 1) : this.x(i) - this.cell, this.x(i), drop[i]);
    const y = mix(this.y(i) + this.height / 2, this.y(i) + this.height + 5 + this.slot / 2, drop[i]);
    set(cell.note, { opacity: i > 0 ? notes[i] : 0, transform: `translate(${x},${y})` });
    if (i > 0) set(this.noteArcs.children[i], { opacity: noteArcs[i], "stroke-dashoffset": 1 - noteArcs[i] });
  }

  /**
   * @param {number} i
   * @param {Scene} scene
   * @param {number} looking
   */
  drawLook(i, { query, looks, lookGrown }, looking) {
    const [path, label] = this.lookArcs.children[i].children;
    const weight = looks[i] * looking;
    if (query < 0 || i === query || weight < 0.02) {
      set(path, { opacity: 0 });
      label.textContent = "";
      return;
    }
    set(path, {
      d: this.arc(query, i),
      opacity: weight,
      "stroke-width": 1.5 + 3.5 * weight,
      "stroke-dashoffset": 1 - lookGrown,
    });
    const covered = [i - 1, i + 1].some((near) => looks[near] > looks[i] && this.row(near) === this.row(i));
    const told = weight >= 0.08 && lookGrown === 1 && !covered; // labels are as wide as letters
    label.textContent = told ? percent(weight, 0) : "";
    if (told) set(label, { x: Math.max(this.x(i) - 4, 28), y: this.below(i) + (this.small ? 11 : 15) });
  }

  /**
   * @param {Scene} scene
   * @param {(token: number) => string} text
   */
  drawFly({ fly }, text) {
    set(this.fly, { opacity: fly ? 1 : 0 });
    if (!fly) return;
    const [x1, x2] = [this.x(fly.from), this.x(fly.to)];
    const [y1, y2] = [this.y(fly.from) + this.height / 2, this.y(fly.to) - this.guess / 2];
    const high = this.row(fly.from) === this.row(fly.to) ? Math.min(this.guess + 20, 120) : 20;
    const bend = Math.min(y1, y2) - high;
    const u = fly.part;
    this.fly.textContent = text(fly.token);
    set(this.fly, {
      x: mix(x1, x2, u),
      y: (1 - u) * (1 - u) * y1 + 2 * u * (1 - u) * bend + u * u * y2 + 9,
    });
  }
}
