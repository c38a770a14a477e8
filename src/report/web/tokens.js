// A sequence as text: a token is coloured by how much the chosen row looks at it.

const { element } = headlight.text;

class TokenText {
  // `marked`: with what the model says after each token. `keys`: the tokens attended to, where they are another sequence.
  constructor(root, app, { marked = false, keys = false } = {}) {
    Object.assign(this, { root, app, marked, keys, shown: null });
    const { store, selection } = app;
    const position = (event) => event.target.closest(".token")?.dataset.position;
    const look = (query, key) => (keys ? store.change(store.state.query === null ? {} : { key }) : store.change({ query, key: null }));
    root.addEventListener("click", (e) => {
      if (position(e) === undefined) return;
      keys ? look(null, Number(position(e))) : selection.press(Number(position(e)), null);
    });
    root.addEventListener("pointerover", (e) => {
      if (position(e) !== undefined && (keys || !store.state.locked)) look(Number(position(e)), Number(position(e)));
    });
    if (!marked && !keys) root.addEventListener("pointerleave", () => selection.hover(null, null));
  }

  build(s) {
    const text = (id) => this.app.run.tokenText(id);
    this.shown = s;
    this.tokens = (this.keys ? s.keys : s.tokens).map((id, position) =>
      element("button", { type: "button", class: "token", tabindex: -1, "data-position": position }, text(id)));
    this.tokens.forEach((token, position) => { token.title = "position " + position; });
    if (!this.marked) return this.root.replaceChildren(...this.tokens);
    this.root.replaceChildren(...this.tokens.map((token, t) => {
      const target = s.targets[t], right = target === s.guesses[t]?.[0][0];
      const wrong = s.predictable[t] ?? true ? "✗" : "·";  // nothing is known of one's own tokens
      const mark = element("span", { class: target < 0 ? "mark" : right ? "mark right" : "mark wrong" },
                           target < 0 ? " " : right ? "✓" : wrong);
      return element("span", { class: s.predictable[t] ? "place predictable" : "place" }, token, mark);
    }));
  }

  show(s, pattern, query) {
    if (this.keys) this.root.parentNode.hidden = !s.crossed;
    if (this.shown !== s) this.build(s);
    const row = query === null ? null : Math.floor(query / pattern.cell), attended = this.keys === s.crossed;
    this.tokens.forEach((token, position) => {
      const seen = attended && query !== null && (!pattern.causal || position <= query);
      const weight = () => pattern.weight(row, Math.floor(position / pattern.cell));
      const chosen = position === (this.keys ? this.app.store.state.key : query);
      Object.assign(token.style, seen ? this.app.look.tint(weight()) : { background: "", color: "" });
      token.classList.toggle("query", chosen);
      token.classList.toggle("locked", chosen && !this.keys && this.app.store.state.locked);
    });
  }
}

headlight.tokens = { TokenText };
