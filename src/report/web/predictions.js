// The part "Predictions": the sequence as text, what the model says next, and where each head looks.

const { element, tableRow, svgElement, byId, setOptions, fixed, capital } = headlight.text;
const { judged, TokenText } = headlight.tokens;
const { place, explainPattern } = headlight.readout;
const { MONO, pictureAround } = headlight.picture;
const { saveButtons } = headlight.save;
const { headSwitch, WithoutPanel } = headlight.without;

class PredictionsPart {
  constructor(app, awake) {
    const { run, store, selection } = (this.app = app);
    this.text = new TokenText(byId("predictions-tokens"), app, { marked: true });
    this.keys = new TokenText(byId("predictions-keys"), app, { keys: true });
    this.choice = byId("predictions-head");
    this.choice.addEventListener("change", () => selection.chooseHead(Number(this.choice.value)));
    byId("predictions-save").append(saveButtons(run, "this sequence", () => this.picture()));
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
    this.rows.forEach((row, head) => row.firstChild.append(this.switches[head].input));
    this.without = new WithoutPanel(byId("predictions-without"), app);
    store.subscribe(["data"], () => (this.nameHeads(), this.nameTargets()), awake);
    const drawn = [
      "sequence",
      "layer",
      "head",
      "query",
      "key",
      "locked",
      "scale",
      "view",
      "printing",
      "data",
      "off",
      "way",
    ];
    store.subscribe(
      drawn,
      (state) => this.draw(app.without.applied(selection.sequence("predictions")), state),
      awake,
    );
  }

  nameHeads() {
    const { run } = this.app;
    setOptions(
      this.choice,
      this.rows.map((_, head) => {
        const is = run.scoreTable.describe(run.scores[head], run.found);
        return run.headCode(head) + (is ? ": " + is.role + " (" + is.score + ")" : "");
      }),
    );
  }

  nameTargets() {
    const { labels } = this.app.run;
    byId("predictions-asked").textContent = labels ? "the answer that the task asks for" : "the next token";
    byId("predictions-next-title").textContent = labels
      ? "What the model answers"
      : "What the model predicts next";
    byId("predictions-target").textContent = labels ? "in the task" : "in the sequence";
  }

  draw(s, { locked }) {
    const { run, selection } = this.app,
      position = selection.readingPosition(),
      pattern = selection.patternNow();
    this.choice.value = selection.head;
    this.without.show(selection.sequence("predictions"));
    for (const { show } of this.switches) show();
    explainPattern("part-predictions", pattern, s.crossed);
    this.text.show(s, pattern, position);
    this.keys.show(s, pattern, position);
    this.count(s);
    byId("predictions-next").hidden = s.guesses.length === 0;
    if (s.guesses.length > 0) this.guesses(s, position);
    this.looks(s, position);
    const said = s.guesses.length > 0 ? ": " + judged(s, position, run.predictable).words : "";
    byId("predictions-readout").textContent =
      "position " +
      position +
      " ‘" +
      run.tokenText(s.tokens[position]) +
      "’" +
      (locked ? " (locked)" : "") +
      ", counted from 0" +
      said;
  }

  count(s) {
    const places = s.tokens.map((_, t) => t).filter((t) => s.targets[t] >= 0);
    const right = places.filter((t) => s.guesses[t]?.[0][0] === s.targets[t]);
    const known = places.filter((t) => s.predictable[t]),
      rightKnown = right.filter((t) => s.predictable[t]);
    const all = "Right: " + right.length + " of " + places.length + ".";
    const apart =
      "On " +
      this.app.run.predictable +
      " tokens: " +
      rightKnown.length +
      " of " +
      known.length +
      " right. On the others: " +
      (right.length - rightKnown.length) +
      " of " +
      (places.length - known.length) +
      " right.";
    byId("predictions-count").textContent =
      places.length === 0 ? "" : s.predictable.length === 0 || known.length === places.length ? all : apart;
  }

  guesses(s, position) {
    const actual = s.targets[position],
      best = s.guesses[position][0][0],
      is = this.app.run.labels ? "the answer" : "comes next";
    const rows = s.guesses[position].map(([id, probability]) => {
      const bar = element("span", { class: "bar" });
      bar.style.width = 100 * probability + "%";
      const verdict = id !== actual ? "" : id === best ? "✓ " + is : is;
      return tableRow(
        this.app.run.tokenText(id),
        bar,
        probability < 0.0005 ? "< 0.001" : fixed(probability, 3),
        verdict,
      );
    });
    const listed = s.guesses[position].some(([id]) => id === actual);
    if (actual >= 0 && !listed)
      rows.push(tableRow(this.app.run.tokenText(actual), "not among these", "", is));
    byId("predictions-guesses").replaceChildren(...rows);
    byId("predictions-rounded").textContent = s.without ? headlight.without.ROUNDED : "";
  }

  looks(s, position) {
    const { run, look, selection } = this.app,
      pixels = look.scale().pixels;
    this.rows.forEach((row, head) => {
      row.hidden = run.stack(head) !== run.stack(selection.head); // others have other queries
      if (row.hidden) return;
      const pattern = selection.patternNow(head),
        weights = pattern.row(Math.floor(position / pattern.cell));
      const canvas = row.querySelector("canvas"),
        context = canvas.getContext("2d");
      canvas.width = weights.length;
      const image = context.createImageData(weights.length, 1);
      new Uint32Array(image.data.buffer).set(weights.map((w) => pixels[Math.round(w * 255)]));
      context.putImageData(image, 0, 0);
      const seen = weights
        .map((w, key) => [w, key])
        .filter(([w]) => w >= 0.01)
        .sort((a, b) => b[0] - a[0]);
      const most = [0, 1].flatMap((i) =>
        seen[i] ? [place(run, seen[i][1], pattern, s.keys), fixed(seen[i][0])] : ["", ""],
      );
      most.forEach((text, i) => {
        row.children[2 + i].textContent = text;
      });
      row.classList.toggle("chosen", head === selection.head);
    });
  }

  // Queries, and below them the keys where they are another sequence.
  picture() {
    const { selection } = this.app,
      s = selection.sequence(),
      read = selection.readingPosition(),
      columns = 32,
      unit = 30;
    const g = svgElement("svg", { "font-family": MONO, "font-size": 15 });
    let top = 6;
    for (const text of s.crossed ? [this.text, this.keys] : [this.text]) {
      text.tokens.forEach((token, t) => {
        const x = 20 + (t % columns) * unit,
          y = Math.floor(t / columns) * 44 + top,
          queries = text === this.text;
        g.append(...this.tokenPicture(token, x, y, unit, queries && t === read));
      });
      top += Math.ceil(text.tokens.length / columns) * 44;
    }
    const without = this.app.without.applied(s).without
      ? ", predictions without " + this.app.without.codes()
      : "";
    const title = capital(selection.headName()) + ", at position " + read + ", counted from 0" + without;
    return pictureAround(g, 40 + columns * unit, top + 10, title, "Sequence: " + s.label);
  }

  tokenPicture(token, x, y, unit, chosen) {
    const ink = getComputedStyle(document.documentElement).getPropertyValue("--ink");
    const middle = (at, text, more) =>
      svgElement("text", { x: x + unit / 2 - 1, y: at, "text-anchor": "middle", ...more }, text);
    const mark = token.nextElementSibling?.classList.contains("mark") ? token.nextSibling : null;
    const text = token.textContent,
      { background, color } = token.style;
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

headlight.predictions = { PredictionsPart };
