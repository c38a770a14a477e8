// The picture of the story: a sequence as tokens, a copy of the segment in each row, and an arrow from a
// query to the key it looks at.

import { svgElement, fixed, percent } from "../../kit/text.js";
import { repeatsOf, turn } from "../web/repeats.js";

const MOST_ROWS = 6;
const WIDEST = 44; // pixels of a cell

/**
 * What is wider than three characters is cut.
 *
 * @param {string} text
 */
function short(text) {
  const all = Array.from(text);
  return all.length > 3 ? all.slice(0, 2).join("") + "…" : text;
}

/** @typedef {Copy & { name?: number; y?: number; skipped?: boolean }} Row */

export class LookbackPicture {
  /**
   * `look`: null where no head looks back. `labels`: the targets are no next tokens. `asked`: the position
   * after which the reader guesses, so that nothing beyond it is shown; null: everything is. `played`: the
   * same position, also once the reader has guessed; null: there is no game.
   *
   * @param {View} sequence
   * @param {string[]} texts
   * @param {LookBack | null} look
   * @param {number} width
   * @param {boolean} labels
   * @param {number | null} asked
   * @param {number | null} played
   */
  constructor(sequence, texts, look, width, labels = false, asked = null, played = asked) {
    this.sequence = sequence;
    this.texts = texts;
    this.look = look;
    this.width = width;
    this.labels = labels;
    this.asked = asked;
    this.played = played;
    /** @type {Row[]} */
    this.rows = [];
    this.layRows();
    this.layHeights();
  }

  // A copy in each row where the longest fits, so that copies of a token stand below each other; otherwise as
  // many as fit.
  layRows() {
    const groups = repeatsOf(this.sequence);
    const longest = Math.max(...groups.map((group) => group.tokens.length));
    this.room = this.width >= 480 ? 68 : 14;
    this.cell = Math.min(WIDEST, (this.width - this.room) / longest);
    this.byRepeat = groups[0].repeat !== null && this.cell >= 16;
    if (this.byRepeat) this.rows = groups;
    else this.chunk();
    this.rows.forEach((row, i) => {
      row.name = i;
    });
    if (this.rows.length > MOST_ROWS) this.leaveOut();
  }

  /** @param {number} position */
  row(position) {
    return this.rows.find((row) => row.tokens.includes(position));
  }

  chunk() {
    const count = this.sequence.tokens.length;
    const all = Math.ceil(count / MOST_ROWS);
    const fit = Math.max(1, Math.floor(this.width / 22));
    // Narrower cells where all tokens then fit.
    const columns = all * 16 <= this.width ? Math.max(fit, all) : fit;
    this.room = 0;
    this.cell = Math.min(WIDEST, this.width / Math.min(columns, count));
    this.rows = [];
    for (let first = 0; first < count; first += columns) {
      this.rows.push({
        repeat: null,
        tokens: Array.from({ length: Math.min(columns, count - first) }, (_, i) => first + i),
      });
    }
  }

  // Of many rows: the first, and those around key and query.
  leaveOut() {
    const { query, key } = this.look ?? { query: this.played ?? 0, key: this.played ?? 0 };
    const near = [this.row(query), this.row(key)].map((row) => row.name);
    const wanted = [...near, 0, ...near.map((i) => i + 1), ...near.map((i) => i - 1), 1, 2, 3, 4, 5];
    const kept = new Set();
    for (const i of wanted) {
      if (i >= 0 && i < this.rows.length && kept.size < MOST_ROWS) kept.add(i);
    }
    this.rows = this.rows.filter((row) => kept.has(row.name));
  }

  layHeights() {
    const { look, rows } = this;
    const from = this.row(look?.query ?? this.played ?? -1);
    const to = look && this.row(look.key);
    this.high = Math.max(22, Math.min(this.cell, 34));
    let y = 2;
    rows.forEach((row, i) => {
      const skipped = i > 0 && row.name > rows[i - 1].name + 1;
      if (row === to)
        y += from === to ? 34 : 20; // for the name of the key, above its row
      else if (i > 0) y += row === from ? 26 : skipped ? 18 : 6;
      if (i > 0 && rows[i - 1] === from) y += 18;
      row.y = y;
      row.skipped = skipped;
      y += this.high;
    });
    this.height = y + (rows.at(-1) === from ? 22 : 4);
  }

  /**
   * Where a token stands; nothing of one that is left out.
   *
   * @param {number} position
   */
  place(position) {
    const row = this.row(position);
    if (!row) return null;
    const x = this.room + row.tokens.indexOf(position) * this.cell;
    return { x, y: row.y, middle: x + this.cell / 2 };
  }

  draw() {
    const svg = svgElement("svg", {
      class: "lookback",
      role: "img",
      "aria-label": this.describe(),
      width: this.width,
      height: this.height,
      viewBox: "0 0 " + this.width + " " + fixed(this.height),
    });
    for (const row of this.rows) {
      if (row.skipped) svg.append(this.text(this.room + 8, row.y - 6, "⋮", "row-name"));
      if (this.byRepeat && row.repeat >= 0)
        svg.append(
          this.text(
            0,
            row.y + this.high / 2 + 4,
            (this.room > 20 ? "copy " : "") + (row.repeat + 1),
            "row-name",
          ),
        );
      row.tokens.forEach((position) => svg.append(...this.token(position)));
    }
    if (this.asked !== null) svg.append(...this.question(this.asked));
    else if (this.look) svg.append(...this.arrow(), ...this.names());
    else if (this.played !== null)
      svg.append(...this.frame("query", this.played), ...this.frame("next", this.played + 1));
    return svg;
  }

  /** @param {number} position */
  token(position) {
    const { x, y, middle } = this.place(position);
    const text = this.textAt(position);
    const { high } = this;
    const wide = this.cell - 1.5;
    const side = turn(this.sequence.repeats?.[position] ?? null);
    const size = Math.min(19, this.cell * 0.62, (this.cell * 1.5) / Math.max(1, Array.from(text).length));
    /** @type {SVGElement[]} */
    const parts = [
      svgElement("rect", { class: "cell " + side, x: fixed(x), y, width: fixed(wide), height: high, rx: 2 }),
      svgElement(
        "text",
        {
          class: "letter",
          x: fixed(middle - 0.75),
          y: fixed(y + high / 2 + size * 0.36 - 1),
          "font-size": fixed(size, 1),
          "text-anchor": "middle",
        },
        text,
      ),
    ];
    if (side)
      parts.push(
        svgElement("line", {
          class: "under " + side,
          x1: fixed(x + 1),
          x2: fixed(x + wide - 1),
          y1: y + high - 2,
          y2: y + high - 2,
        }),
      );
    return parts;
  }

  /**
   * A question mark for the token to guess, and nothing after it.
   *
   * @param {number} position
   */
  textAt(position) {
    const beyond = position - (this.asked ?? position);
    return beyond > 1 ? "" : beyond === 1 ? "?" : short(this.texts[position]);
  }

  /** @param {number} query */
  question(query) {
    const { middle, y } = this.place(query);
    return [
      ...this.frame("query", query),
      ...this.frame("next", query + 1),
      this.text(
        middle,
        y + this.high + 15,
        "what comes after ‘" + this.texts[query] + "’?",
        "name",
        "middle",
      ),
    ];
  }

  /**
   * @param {string} kind
   * @param {number} position
   */
  frame(kind, position) {
    const place = this.place(position);
    if (!place) return [];
    return [
      svgElement("rect", {
        class: "frame " + kind,
        x: fixed(place.x - 1),
        y: place.y - 1,
        width: fixed(this.cell + 0.5),
        height: this.high + 2,
        rx: 3,
      }),
    ];
  }

  // From the top of the query to the foot of the key; within one row, over it.
  arrow() {
    const { query, key, weight } = this.look;
    const from = this.place(query);
    const to = this.place(key);
    const same = from.y === to.y;
    const start = from.y - 1;
    const end = same ? to.y - 2 : to.y + this.high + 2;
    const bend = same ? -22 : Math.min(24, (start - end) / 2);
    const tip = same ? end - 6 : end + 6;
    const pull = same ? [start + bend, tip + bend] : [start - bend, tip + bend];
    const path =
      "M" +
      [fixed(from.middle), fixed(start)] +
      "C" +
      [from.middle, pull[0], to.middle, pull[1], to.middle, tip].map((coordinate) => fixed(coordinate));
    const point = "M" + [fixed(to.middle), fixed(end)] + "l-5 " + (tip - end) + "h10z";
    return [
      ...this.frame("query", query),
      ...this.frame("key", key),
      ...(query + 1 < this.sequence.tokens.length && !this.labels ? this.frame("next", query + 1) : []),
      svgElement("path", { class: "arrow", d: path, "stroke-width": fixed(1.5 + 3 * weight, 1) }),
      svgElement("path", { class: "point", d: point }),
    ];
  }

  /**
   * Once the picture is on the page: names around their token, but within the picture.
   *
   * @param {SVGElement} svg
   */
  keepNamesInside(svg) {
    for (const name of /** @type {NodeListOf<SVGTextElement>} */ (svg.querySelectorAll(".name"))) {
      const half = name.getComputedTextLength() / 2;
      const x = Number(name.getAttribute("x"));
      name.setAttribute("x", fixed(Math.max(half, Math.min(x, this.width - half))));
    }
  }

  names() {
    const { query, key, weight, guess } = this.look;
    const from = this.place(query);
    const to = this.place(key);
    /** @type {(position: number) => string} */
    const named = (position) => "‘" + this.texts[position] + "’";
    const said = guess
      ? `the model's ${this.labels ? "answer at" : "guess after"} ${named(query)}: ‘${guess.text}’ ` +
        (guess.right === null ? "" : guess.right ? "✓ " : "✗ ") +
        `(${percent(guess.probability, 0)})`
      : "from " + named(query);
    const above = from.y === to.y ? 24 : 7;
    return [
      this.text(
        to.middle,
        to.y - above,
        "the head looks at " + named(key) + ", with a weight of " + fixed(weight),
        "name",
        "middle",
      ),
      this.text(from.middle, from.y + this.high + 15, said, "name", "middle"),
    ];
  }

  /**
   * @param {number} x
   * @param {number} y
   * @param {string} text
   * @param {string} kind
   * @param {string} anchor
   */
  text(x, y, text, kind, anchor = "start") {
    return svgElement("text", { class: kind, x: fixed(x), y: fixed(y), "text-anchor": anchor }, text);
  }

  describe() {
    const groups = repeatsOf(this.sequence);
    const repeats = groups.filter((group) => group.repeat !== null && group.repeat >= 0).length;
    const sequence =
      this.sequence.tokens.length +
      " tokens" +
      (repeats > 0 ? " in " + repeats + " copies of one segment" : "");
    if (this.asked !== null)
      return `${sequence}, of which the first ${this.asked + 1} are shown. The next one is to be guessed.`;
    if (!this.look) return sequence + ".";
    const { query, key, weight, guess } = this.look;
    /** @type {(position: number) => string} */
    const named = (position) => "token " + position + " ‘" + this.texts[position] + "’";
    const next = guess
      ? ` The model then predicts ‘${guess.text}’ with a probability of ${fixed(guess.probability)}` +
        (guess.right === null ? "." : guess.right ? ", which is right." : ", which is wrong.")
      : "";
    return (
      `${sequence}. The query, ${named(query)}, looks back at the key, ${named(key)}, with an attention ` +
      `weight of ${fixed(weight)}.${next}`
    );
  }
}
