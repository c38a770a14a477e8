// The part "Predictions": the sequence as text, what the model says next, and where each head looks.

import { allMarked, knownMark } from "../../kit/known.js";
import { element, tableRow, svgElement, byId, setOptions, fixed, capital } from "../../kit/text.js";
import { judged, TokenText } from "../web/tokens.js";
import { place, explainPattern } from "../web/readout.js";
import { MONO, pictureAround } from "../../kit/picture.js";
import { saveButtons } from "../../kit/save.js";
import { TypedField } from "../web/typing.js";
import { PLAYED, numbersIn } from "./changes.js";
import { headSwitch, WithoutPanel } from "./switches.js";
import { drawLens, drawStrip, lensNames } from "./lens.js";

export class PredictionsPart {
  /**
   * @param {App} app
   * @param {Awake} awake
   */
  constructor(app, awake) {
    this.app = app;
    const { run, store, selection } = app;
    this.text = new TokenText(byId("predictions-tokens"), app, { marked: true });
    this.keys = new TokenText(byId("predictions-keys"), app, { keys: true });
    this.choice = byId("predictions-head");
    this.choice.addEventListener("change", () => selection.chooseHead(Number(this.choice.value)));
    byId("predictions-save").append(
      saveButtons(
        run,
        "this sequence",
        () => this.picture(),
        () => "this sequence",
        () => this.numbers(),
      ),
    );
    this.rows = Array.from({ length: run.heads }, (_, head) => {
      const name = element(
        "button",
        { type: "button", "aria-label": run.headCode(head) + ", " + run.headName(head) },
        run.headCode(head),
      );
      const row = tableRow(name, element("canvas", { height: 1, "aria-hidden": "true" }), "", "", "", "");
      row.addEventListener("click", () => selection.chooseHead(head));
      return row;
    });
    byId("predictions-looks").append(...this.rows);
    this.switches = this.rows.map((row, head) => headSwitch(app, head));
    this.rows.forEach((row, head) => row.children[0].append(this.switches[head].input));
    this.without = new WithoutPanel(byId("predictions-without"), app, byId("predictions-looks"));
    new TypedField("predictions", app, awake);
    store.subscribe([], () => this.nameMarks(), awake);
    store.subscribe(PLAYED, () => this.nameHeads(), awake);
    /** @type {(keyof State)[]} */
    const drawn = [...PLAYED, "layer", "head", "query", "key", "locked", "scale", "view", "printing"];
    store.subscribe(
      drawn,
      (state) => this.draw(app.without.applied(selection.sequence("predictions")), state),
      awake,
    );
  }

  // A score is of the whole model: none stands here while the model is changed.
  nameHeads() {
    const { run, store, without } = this.app;
    const changed = without.patterns !== null;
    setOptions(
      this.choice,
      this.rows.map((_, head) => {
        const described = run.scoreTable.describe(run.scores[head], run.found);
        const score = changed ? "" : ` (${described?.score})`;
        return run.headCode(head) + (described ? ": " + described.role + score : "");
      }),
    );
    const patched = numbersIn(store.state.patch);
    this.rows.forEach((row, head) => row.children[0].classList.toggle("patched", patched.includes(head)));
  }

  // Labels are asked of a task's own sequences; of random tokens it is the next one.
  /** @param {View} sequence */
  nameTargets(sequence) {
    const labels = asksLabels(this.app.run, sequence);
    byId("predictions-asked").textContent = labels ? "the answer that the task asks for" : "the next token";
    byId("predictions-next-title").textContent = labels
      ? "What the model answers"
      : "What the model predicts next";
    byId("predictions-target").textContent = labels ? "in the task" : "in the sequence";
  }

  nameMarks() {
    const marks = this.app.run.sequences.flatMap((sequence) =>
      sequence.tokens.map((_, position) => judged(sequence, position, "").kind),
    );
    byId("predictions-random").hidden = !marks.includes("random") && !this.app.own;
    byId("predictions-known").hidden = !marks.includes("right") && !marks.includes("wrong");
    byId("predictions-unknown").hidden = !marks.includes("unknown");
  }

  /**
   * @param {View} sequence
   * @param {State} state
   */
  draw(sequence, { locked }) {
    const { run, selection } = this.app;
    const position = selection.readingPosition();
    const pattern = selection.patternNow();
    this.choice.value = String(selection.head);
    this.without.show();
    for (const { show } of this.switches) {
      show();
    }
    explainPattern("part-predictions", run, pattern, sequence.crossed);
    this.nameTargets(sequence);
    this.text.show(sequence, pattern, position);
    this.keys.show(sequence, pattern, position);
    this.count(sequence);
    byId("predictions-next").hidden = sequence.guesses.length === 0;
    if (sequence.guesses.length > 0) this.guesses(sequence, position);
    drawLens(this.app, sequence, position);
    this.looks(sequence, position);
    const said = sequence.guesses.length > 0 ? ": " + judged(sequence, position, run.predictable).words : "";
    byId("predictions-readout").textContent =
      `position ${position} ‘${run.tokenText(sequence.tokens[position])}’${locked ? " (locked)" : ""}, ` +
      `counted from 0${said}`;
  }

  /** @param {View} sequence */
  count(sequence) {
    const places = sequence.tokens
      .map((_, position) => position)
      .filter((position) => sequence.targets[position] >= 0);
    const right = places.filter(
      (position) => sequence.guesses[position]?.[0][0] === sequence.targets[position],
    );
    const known = places.filter((position) => sequence.predictable[position]);
    const rightKnown = right.filter((position) => sequence.predictable[position]);
    const all = "Right: " + right.length + " of " + places.length + ".";
    const apart =
      `On ${this.app.run.predictable} tokens: ${rightKnown.length} of ${known.length} right. On the ` +
      `others: ${right.length - rightKnown.length} of ${places.length - known.length} right.`;
    const said = known.length === 0 || known.length === places.length ? all : apart;
    const { off, shown } = this.app.run.evidence;
    const mark = knownMark(sequence.without ? off : shown);
    byId("predictions-count").replaceChildren(...(places.length === 0 ? [] : allMarked([said], mark)));
  }

  /**
   * @param {View} sequence
   * @param {number} position
   */
  guesses(sequence, position) {
    const actual = sequence.targets[position];
    const best = sequence.guesses[position][0][0];
    const words = asksLabels(this.app.run, sequence) ? "the answer" : "comes next";
    const rows = sequence.guesses[position].map(([id, probability]) => {
      const bar = element("span", { class: "bar" });
      bar.style.width = 100 * probability + "%";
      const verdict = id !== actual ? "" : id === best ? "✓ " + words : words;
      return tableRow(
        this.app.run.tokenText(id),
        bar,
        probability < 0.0005 ? "< 0.001" : fixed(probability, 3),
        verdict,
      );
    });
    const listed = sequence.guesses[position].some(([id]) => id === actual);
    if (actual >= 0 && !listed)
      rows.push(tableRow(this.app.run.tokenText(actual), "not among these", "", words));
    byId("predictions-guesses").replaceChildren(...rows);
    byId("predictions-rounded").textContent = sequence.without ? this.app.without.source.precision : "";
  }

  /**
   * @param {View} sequence
   * @param {number} position
   */
  looks(sequence, position) {
    const { run, look, selection } = this.app;
    const scale = look.scale();
    this.rows.forEach((row, head) => {
      row.hidden = run.stack(head) !== run.stack(selection.head); // others have other queries
      if (row.hidden) return;
      const pattern = selection.patternNow(head);
      const query = Math.floor(position / pattern.cell);
      const weights = pattern.row(query);
      const visible = Array.from(weights, (weight, key) => (pattern.sees(query, key) ? weight : null));
      drawStrip(row.querySelector("canvas"), visible, scale);
      const seen = weights
        .map((weight, key) => /** @type {[number, number]} */ ([weight, key]))
        .filter(([weight]) => weight >= 0.01)
        .sort((one, other) => other[0] - one[0]);
      const most = [0, 1].flatMap((i) =>
        seen[i] ? [place(run, seen[i][1], pattern, sequence.keys), fixed(seen[i][0])] : ["", ""],
      );
      most.forEach((text, i) => {
        row.children[2 + i].textContent = text;
      });
      row.classList.toggle("chosen", head === selection.head);
    });
  }

  // Each position with its target and what the model predicts.
  /** @returns {(string | number)[][]} */
  numbers() {
    const { run, selection, without } = this.app;
    const sequence = without.applied(selection.sequence());
    /** @type {(id: number | undefined) => string} */
    const text = (id) => (id === undefined || id < 0 ? "" : run.tokenText(id));
    const positions = sequence.tokens.map((id, position) => {
      const [guess, probability] = sequence.guesses[position]?.[0] ?? [undefined, ""];
      const before = (sequence.lens ?? []).flatMap((after) => [text(after[position][0]), after[position][1]]);
      return [position, text(id), text(sequence.targets[position]), text(guess), probability, ...before];
    });
    const before = lensNames(sequence).flatMap((name) => [
      "guess after " + name,
      "probability after " + name,
    ]);
    return [["position", "token", "target", "guess", "probability", ...before], ...positions];
  }

  // Queries, and below them the keys where they are another sequence.
  picture() {
    const { selection } = this.app;
    const sequence = selection.sequence();
    const read = selection.readingPosition();
    const columns = 32;
    const unit = 30;
    const content = svgElement("svg", { "font-family": MONO, "font-size": 15 });
    let top = 6;
    for (const text of sequence.crossed ? [this.text, this.keys] : [this.text]) {
      text.tokens.forEach((token, position) => {
        const x = 20 + (position % columns) * unit;
        const y = Math.floor(position / columns) * 44 + top;
        const queries = text === this.text;
        content.append(...this.tokenPicture(token, x, y, unit, queries && position === read));
      });
      top += Math.ceil(text.tokens.length / columns) * 44;
    }
    const without = this.app.without.applied(sequence).without
      ? ", predictions " + this.app.without.phrase
      : "";
    const title = capital(selection.headName()) + ", at position " + read + ", counted from 0" + without;
    return pictureAround(content, 40 + columns * unit, top + 10, title, "Sequence: " + sequence.label);
  }

  /**
   * @param {HTMLElement} token
   * @param {number} x
   * @param {number} y
   * @param {number} unit
   * @param {boolean} chosen
   */
  tokenPicture(token, x, y, unit, chosen) {
    const ink = getComputedStyle(document.documentElement).getPropertyValue("--ink");
    /** @type {(height: number, text: string, more: Attributes) => SVGTextElement} */
    const middle = (height, text, more) =>
      svgElement("text", { x: x + unit / 2 - 1, y: height, "text-anchor": "middle", ...more }, text);
    const mark = token.nextElementSibling?.classList.contains("mark") ? token.nextElementSibling : null;
    const text = token.textContent;
    const { background, color } = token.style;
    const fit = Array.from(text).length > 2 ? { textLength: unit - 4, lengthAdjust: "spacingAndGlyphs" } : {};
    const frame = { fill: background || "none", stroke: "#888888", "stroke-width": chosen ? 3 : 0.5 };
    const parts = [
      svgElement("rect", { x, y, width: unit - 2, height: 24, ...frame }),
      middle(y + 17, text, { fill: color || ink, ...fit }),
    ];
    if (mark)
      parts.push(middle(y + 37, mark.textContent, { "font-size": 12, fill: getComputedStyle(mark).color }));
    return parts;
  }
}

/**
 * Whether the targets of a sequence are labels of the task, not its next tokens.
 *
 * @param {Run} run
 * @param {View} sequence
 */
function asksLabels({ labels }, { tokens, targets }) {
  return labels && !targets.slice(0, -1).every((target, position) => target === tokens[position + 1]);
}
