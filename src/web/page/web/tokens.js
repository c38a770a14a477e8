// A sequence as text: a token is coloured by how much the chosen row looks at it.

import { element, targetOf } from "../../kit/text.js";
import { repeatsOf, turn } from "./repeats.js";

const LEAST = 0.01; // a token that gets less weight keeps its own colour

/**
 * What the model predicts at a token, against the target: a mark, the mark's kind, and words. `predictable`:
 * what the task calls tokens that follow from those before.
 *
 * @param {View} sequence
 * @param {number} position
 * @param {string} predictable
 */
export function judged(sequence, position, predictable) {
  const target = sequence.targets[position];
  const right = target === sequence.guesses[position]?.[0][0];
  if (target < 0) return { mark: "?", kind: "unknown", words: "there is nothing to compare the guess with" };
  // Where nothing is known of predictable tokens, all count.
  if (sequence.predictable[position] ?? true)
    return right
      ? { mark: "✓", kind: "right", words: "the guess is right" }
      : { mark: "✗", kind: "wrong", words: "the guess is wrong" };
  return right
    ? { mark: "✓", kind: "random", words: "the guess is right; the token does not count as " + predictable }
    : { mark: "·", kind: "random", words: "the guess is wrong; the token does not count as " + predictable };
}

export class TokenText {
  /**
   * `marked`: with what the model says at each token. `keys`: the tokens attended to, where they are another
   * sequence; for a decoder's own heads the source.
   *
   * @param {HTMLElement} root
   * @param {App} app
   * @param {{ marked?: boolean; keys?: boolean }} options
   */
  constructor(root, app, { marked = false, keys = false } = {}) {
    this.root = root;
    this.app = app;
    this.marked = marked;
    this.keys = keys;
    /** @type {View | null} */
    this.shown = null;
    /** @type {HTMLElement[]} */
    this.tokens = [];
    const { store, selection } = app;
    /** @type {(event: Event) => string | undefined} */
    const position = (event) =>
      /** @type {HTMLElement} */ (targetOf(event).closest(".token"))?.dataset.position;
    const place = keys || marked ? null : "tokens";
    /** @type {(query: number | null, key: number) => void} */
    const look = (query, key) =>
      keys
        ? store.change(store.state.query === null ? {} : { key })
        : store.change({ query, key: null, place });
    root.addEventListener("click", (event) => {
      if (position(event) === undefined) return;
      if (keys) return this.shown.crossed && look(null, Number(position(event)));
      selection.press(Number(position(event)), null);
      store.change({ place });
    });
    root.addEventListener("pointerover", (event) => {
      if (position(event) !== undefined && (keys ? this.shown.crossed : !store.state.locked))
        look(Number(position(event)), Number(position(event)));
    });
    if (!keys)
      root.addEventListener(
        "pointerleave",
        (event) => event.pointerType !== "touch" && selection.hover(null, null, null),
      );
  }

  /** @param {View} sequence */
  build(sequence) {
    /** @type {(id: number) => string} */
    const text = (id) => this.app.run.tokenText(id);
    this.shown = sequence;
    this.tokens = (this.keys ? (sequence.source ?? sequence.keys) : sequence.tokens).map((id, position) =>
      element(
        "button",
        { type: "button", class: "token", tabindex: -1, "data-position": position },
        text(id),
      ),
    );
    this.tokens.forEach((token, position) => {
      token.setAttribute("aria-label", "position " + position + ": " + token.textContent);
    });
    const places = this.marked && sequence.guesses.length > 0 ? this.places(sequence) : this.tokens;
    const groups = this.keys ? [] : repeatsOf(sequence);
    for (const { repeat, tokens } of groups) {
      for (const position of tokens) {
        if (turn(repeat)) this.tokens[position].classList.add(turn(repeat));
      }
    }
    this.root.replaceChildren(
      ...(groups.length > 1 ? groups.map((group) => this.row(group, places)) : places),
    );
  }

  /**
   * A copy of the segment in a row of its own, so that copies of a token stand below each other.
   *
   * @param {Copy} copy
   * @param {HTMLElement[]} places
   */
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

  /**
   * Each token with its mark.
   *
   * @param {View} sequence
   */
  places(sequence) {
    return this.tokens.map((token, position) => {
      const { mark, kind, words } = judged(sequence, position, this.app.run.predictable);
      return element(
        "span",
        { class: sequence.predictable[position] ? "place predictable" : "place" },
        token,
        element("span", { class: "mark " + kind, title: words }, mark),
      );
    });
  }

  /**
   * Marks the tokens at these positions as predicted wrongly now.
   *
   * @param {Set<number>} positions
   */
  strike(positions) {
    this.tokens.forEach((token, position) => token.classList.toggle("lost", positions.has(position)));
  }

  /** @param {number} position */
  rectOf(position) {
    return this.tokens[position].getBoundingClientRect();
  }

  /**
   * @param {View} sequence
   * @param {Pattern} pattern
   * @param {number | null} query
   */
  show(sequence, pattern, query) {
    if (this.keys) {
      this.root.parentElement.hidden = !sequence.crossed && !sequence.source;
      this.root.previousElementSibling.textContent = sequence.crossed
        ? "Keys, the tokens attended to:"
        : "The source, which the encoder reads:";
    }
    if (this.shown !== sequence) this.build(sequence);
    const row = query === null ? null : Math.floor(query / pattern.cell);
    const attended = this.keys === sequence.crossed;
    this.root.classList.toggle("weighted", attended && query !== null);
    this.tokens.forEach((token, position) => {
      const seen = attended && query !== null && (!pattern.causal || position <= query);
      const weight = seen ? pattern.weight(row, Math.floor(position / pattern.cell)) : 0;
      const chosen = this.keys
        ? sequence.crossed && position === this.app.store.state.key
        : position === query;
      Object.assign(
        token.style,
        weight >= LEAST ? this.app.look.tint(weight) : { background: "", color: "" },
      );
      token.classList.toggle("query", chosen);
      token.classList.toggle("locked", chosen && !this.keys && this.app.store.state.locked);
    });
  }
}
