// The part "Reading": the sequence as text, what the model says next, and where each head looks.
const readingPart = {
  build() {
    this.text = new TokenText(byId("reading-tokens"), true);
    const choice = byId("reading-head");
    data.scores.forEach((scores, head) => {
      const best = strongest(scores);
      choice.append(element("option", { value: head }, headName(head) + " " + best.name + " " + fixed(best.value)));
    });
    choice.addEventListener("change", () => change({ layer: Math.floor(choice.value / data.n_heads), head: choice.value % data.n_heads }));
    byId("reading-save").append(saveButtons("reading", () => this.picture()));
    this.rows = data.scores.map((_, head) => {
      const name = element("button", { type: "button" }, headName(head));
      const row = element("tr", {}, element("td", {}, name), element("td", {}, element("canvas", { height: 1 })), element("td"));
      row.addEventListener("click", () => change({ layer: Math.floor(head / data.n_heads), head: head % data.n_heads }));
      return row;
    });
    byId("reading-looks").append(...this.rows);
  },

  // A reader wants to see something at once: the first position with a known answer that lies late enough to be sure.
  position() {
    if (state.query !== null) return state.query;
    const s = sequence(), known = s.predictable.map((p, t) => (p ? t : -1)).filter((t) => t >= 0);
    return known.length > 0 ? known[Math.floor(known.length / 2)] : s.tokens.length - 1;
  },

  render() {
    const s = sequence();
    if (state.query === null) Object.assign(state, { query: this.position(), key: null });
    byId("reading-head").value = headIndex();
    this.text.show(s, patternNow());
    this.count(s);
    this.guesses(s, state.query);
    this.looks(s, state.query);
    byId("reading-readout").textContent = "position " + state.query + " ‘" + tokenText(s.tokens[state.query]) + "’" + (state.locked ? " (locked)" : "");
  },

  count(s) {
    const tally = (wanted) => {
      const places = s.targets.map((_, t) => t).filter((t) => s.targets[t] >= 0 && Boolean(s.predictable[t]) === wanted);
      return { all: places.length, right: places.filter((t) => s.guesses[t][0][0] === s.targets[t]).length };
    };
    const known = tally(true), chance = tally(false);
    byId("reading-count").textContent =
      known.all > 0 ? "Predictable: " + known.right + " of " + known.all + " right. Elsewhere: " + chance.right + " of " + chance.all + "."
                    : "Right: " + chance.right + " of " + chance.all + ".";
  },

  guesses(s, position) {
    const actual = s.targets[position];
    const rows = s.guesses[position].map(([id, probability]) => {
      const bar = element("span", { class: "bar" });
      bar.style.width = 100 * probability + "%";
      const verdict = id === actual ? (id === s.guesses[position][0][0] ? "✓ comes next" : "comes next") : "";
      return element("tr", {}, element("td", {}, tokenText(id)), element("td", {}, bar), element("td", {}, probability < 0.0005 ? "< 0.001" : fixed(probability, 3)), element("td", {}, verdict));
    });
    const listed = s.guesses[position].some(([id]) => id === actual);
    if (actual >= 0 && !listed)
      rows.push(element("tr", {}, element("td", {}, tokenText(actual)), element("td", {}, "not among these"), element("td"), element("td", {}, "comes next")));
    byId("reading-guesses").replaceChildren(...rows);
  },

  looks(s, position) {
    const pixels = scale().pixels;
    this.rows.forEach((row, head) => {
      const pattern = patternNow(head), weights = pattern.row(Math.floor(position / pattern.cell));
      const [, strip, text] = row.children, canvas = strip.firstChild;
      canvas.width = weights.length;
      const image = canvas.getContext("2d").createImageData(weights.length, 1);
      new Uint32Array(image.data.buffer).set(weights.map((w) => pixels[Math.round(w * 255)]));
      canvas.getContext("2d").putImageData(image, 0, 0);
      const top = weights.map((w, key) => [w, key]).sort((a, b) => b[0] - a[0]).slice(0, 2).filter(([w]) => w >= 0.01);
      text.textContent = top.map(([w, key]) => place(key, pattern, s.tokens) + " " + fixed(w)).join(",  ");
      row.classList.toggle("chosen", head === headIndex());
    });
  },

  picture() {
    const tokens = [...byId("reading-tokens").querySelectorAll(".token")], columns = 32, unit = 30, high = 44;
    const rows = Math.ceil(tokens.length / columns), width = 40 + columns * unit;
    const g = svgElement("svg", { "font-family": MONO, "font-size": 15 });
    const dark = getComputedStyle(document.documentElement).getPropertyValue("--ink");
    tokens.forEach((token, t) => {
      const x = 20 + (t % columns) * unit, y = Math.floor(t / columns) * high + 6, mark = token.nextSibling;
      g.append(svgElement("rect", { x, y, width: unit - 2, height: 24, fill: token.style.background || "none", stroke: "#888888", "stroke-width": t === state.query ? 3 : 0.5 }));
      g.append(svgElement("text", { x: x + unit / 2 - 1, y: y + 17, "text-anchor": "middle", fill: token.style.color || dark, textLength: Array.from(token.textContent).length > 3 ? unit - 4 : "" }, token.textContent));
      g.append(svgElement("text", { x: x + unit / 2 - 1, y: y + 37, "text-anchor": "middle", "font-size": 12, fill: getComputedStyle(mark).color }, mark.textContent));
      if (sequence().predictable[t]) g.append(svgElement("rect", { x: x + 4, y: y + 26, width: unit - 10, height: 2, fill: "#888888" }));
    });
    return pictureAround(g, width, rows * high + 16, "Head " + headName() + " at position " + state.query + ", " + sequence().label);
  },
};
