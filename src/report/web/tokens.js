// A sequence as text: a token is coloured by how much the chosen row looks at it.

const { element } = headlight.text;
const { repeatsOf, turn } = headlight.repeats;

const LEAST = 0.01; // a token that gets less weight keeps its own colour

// What the model predicts at a token, against the target: a mark, the mark's kind, and words. `predictable`: what the task calls
// tokens that follow from those before.
function judged(s, t, predictable) {
  const target = s.targets[t],
    right = target === s.guesses[t]?.[0][0];
  if (target < 0) return { mark: "?", kind: "unknown", words: "there is nothing to compare the guess with" };
  if (s.predictable[t] ?? true)
    // where nothing is known of that, all count
    return right
      ? { mark: "✓", kind: "right", words: "the guess is right" }
      : { mark: "✗", kind: "wrong", words: "the guess is wrong" };
  return right
    ? { mark: "✓", kind: "random", words: "the guess is right, but was not " + predictable }
    : { mark: "·", kind: "random", words: "the guess is wrong, and was not " + predictable };
}

class TokenText {
  // `marked`: with what the model says at each token. `keys`: the tokens attended to, where they are another sequence; for a
  // decoder's own heads the source.
  constructor(root, app, { marked = false, keys = false } = {}) {
    Object.assign(this, { root, app, marked, keys, shown: null });
    const { store, selection } = app;
    const position = (event) => event.target.closest(".token")?.dataset.position;
    const place = keys || marked ? null : "tokens";
    const look = (query, key) =>
      keys
        ? store.change(store.state.query === null ? {} : { key })
        : store.change({ query, key: null, place });
    root.addEventListener("click", (e) => {
      if (position(e) === undefined) return;
      if (keys) return this.shown.crossed && look(null, Number(position(e)));
      selection.press(Number(position(e)), null);
      store.change({ place });
    });
    root.addEventListener("pointerover", (e) => {
      if (position(e) !== undefined && (keys ? this.shown.crossed : !store.state.locked))
        look(Number(position(e)), Number(position(e)));
    });
    if (!marked && !keys)
      root.addEventListener(
        "pointerleave",
        (e) => e.pointerType !== "touch" && selection.hover(null, null, null),
      );
  }

  build(s) {
    const text = (id) => this.app.run.tokenText(id);
    this.shown = s;
    this.tokens = (this.keys ? (s.source ?? s.keys) : s.tokens).map((id, position) =>
      element(
        "button",
        { type: "button", class: "token", tabindex: -1, "data-position": position },
        text(id),
      ),
    );
    this.tokens.forEach((token, position) => {
      token.setAttribute("aria-label", "position " + position + ": " + token.textContent);
    });
    const places = this.marked && s.guesses.length > 0 ? this.places(s) : this.tokens,
      groups = this.keys ? [] : repeatsOf(s);
    for (const { repeat, tokens } of groups)
      for (const position of tokens) if (turn(repeat)) this.tokens[position].classList.add(turn(repeat));
    this.root.replaceChildren(
      ...(groups.length > 1 ? groups.map((group) => this.row(group, places)) : places),
    );
  }

  // A copy of the segment in a row of its own, so that copies of a token stand below each other.
  row({ repeat, tokens }, places) {
    const name = element(
      "span",
      { class: "repeat-name", title: repeat < 0 ? "" : "copy " + (repeat + 1) },
      repeat < 0 ? "" : String(repeat + 1),
    );
    return element(
      "div",
      { class: "repeat" },
      name,
      element("div", {}, ...tokens.map((position) => places[position])),
    );
  }

  // Each token with its mark.
  places(s) {
    return this.tokens.map((token, t) => {
      const { mark, kind, words } = judged(s, t, this.app.run.predictable);
      return element(
        "span",
        { class: s.predictable[t] ? "place predictable" : "place" },
        token,
        element("span", { class: "mark " + kind, title: words }, mark),
      );
    });
  }

  // Marks the tokens at these positions as predicted wrongly now.
  strike(positions) {
    this.tokens.forEach((token, position) => token.classList.toggle("lost", positions.has(position)));
  }

  rectOf(position) {
    return this.tokens[position].getBoundingClientRect();
  }

  show(s, pattern, query) {
    if (this.keys) {
      this.root.parentNode.hidden = !s.crossed && !s.source;
      this.root.previousElementSibling.textContent = s.crossed
        ? "Keys, the tokens attended to:"
        : "The source, which the encoder reads:";
    }
    if (this.shown !== s) this.build(s);
    const row = query === null ? null : Math.floor(query / pattern.cell),
      attended = this.keys === s.crossed;
    this.root.classList.toggle("weighted", attended && query !== null);
    this.tokens.forEach((token, position) => {
      const seen = attended && query !== null && (!pattern.causal || position <= query);
      const weight = seen ? pattern.weight(row, Math.floor(position / pattern.cell)) : 0;
      const chosen = this.keys ? s.crossed && position === this.app.store.state.key : position === query;
      Object.assign(
        token.style,
        weight >= LEAST ? this.app.look.tint(weight) : { background: "", color: "" },
      );
      token.classList.toggle("query", chosen);
      token.classList.toggle("locked", chosen && !this.keys && this.app.store.state.locked);
    });
  }
}

headlight.tokens = { judged, TokenText };
