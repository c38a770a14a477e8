// The sequence as text: a token is coloured by how much the chosen row looks at it.
class TokenText {
  constructor(root, marked) {
    Object.assign(this, { root, marked, shown: null });
    root.addEventListener("click", (e) => {
      const token = e.target.closest(".token");
      if (token) press(Number(token.dataset.position), null);
    });
    root.addEventListener("pointerover", (e) => {
      const token = e.target.closest(".token");
      if (token && !state.locked) change({ query: Number(token.dataset.position), key: null });
    });
    if (!marked) root.addEventListener("pointerleave", () => hover(null, null));
  }

  build(s) {
    this.shown = s;
    this.tokens = s.tokens.map((id, position) =>
      element("button", { type: "button", class: "token", tabindex: -1, "data-position": position }, tokenText(id)));
    this.tokens.forEach((token, position) => { token.title = "position " + position; });
    if (!this.marked) return this.root.replaceChildren(...this.tokens);
    this.root.replaceChildren(...this.tokens.map((token, t) => {
      const target = s.targets[t], right = target === s.guesses[t][0][0];
      const wrong = s.predictable[t] ?? true ? "✗" : "·";  // nothing is known of one's own tokens
      const mark = element("span", { class: target < 0 ? "mark" : right ? "mark right" : "mark wrong" },
                           target < 0 ? " " : right ? "✓" : wrong);
      return element("span", { class: s.predictable[t] ? "place predictable" : "place" }, token, mark);
    }));
  }

  show(s, pattern, query) {
    if (this.shown !== s) this.build(s);
    const row = query === null ? null : Math.floor(query / pattern.cell);
    this.tokens.forEach((token, position) => {
      const inRow = query !== null && position <= query;
      const colors = inRow ? tint(pattern.weight(row, Math.floor(position / pattern.cell))) : { background: "", color: "" };
      Object.assign(token.style, colors);
      token.classList.toggle("query", position === query);
      token.classList.toggle("locked", position === query && state.locked);
    });
  }
}

// Pressed on a token: lock its row; on the locked one: unlock it.
function press(query, key) {
  if (state.locked && state.query === query) change({ locked: false });
  else change({ locked: true, query, key });
}

// The pointer is over a cell, or left. A locked row stays.
function hover(query, key) {
  if (state.locked) change({ key: query === null ? null : key });
  else if (query !== state.query || key !== state.key) change({ query, key });
}

// "query 37 ‘k’ → key 20 ‘Q’: weight 0.93"
function readout(pattern, tokens) {
  if (state.query === null) return "Point at a cell, or at a token.";
  const row = Math.floor(state.query / pattern.cell);
  const query = "query " + place(row, pattern, tokens) + (state.locked ? " (locked)" : "");
  if (state.key !== null && state.key > state.query) return query + ": a later token, which it cannot see";
  const weights = pattern.row(row);
  const key = state.key === null ? weights.indexOf(Math.max(...weights)) : Math.floor(state.key / pattern.cell);
  const verb = state.key === null ? " looks most at key " : " → key ";
  const kind = pattern.cell > 1 ? ": largest weight " : ": weight ";
  const rounding = pattern.levels === 255 ? " ± 0.002" : "";  // half a level of 8 bits; of 16 it cannot be seen
  return query + verb + place(key, pattern, tokens) + kind + fixed(weights[key], 3) + rounding;
}
