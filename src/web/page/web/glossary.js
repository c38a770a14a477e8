// Terms of the field: a button in the text, and its definition one hover, focus or tap away.

import { element, elements, glued, targetOf } from "../../kit/text.js";
import { putBeside } from "../../kit/beside.js";

const RESTING = 300; // milliseconds on a term, so that one who only passes over it finds no box in the way
const LEAVING = 200; // milliseconds in which the pointer may cross over from the term to its definition

export class Glossary {
  constructor() {
    /** @type {Term[]} */
    this.known = [];
    /** @type {Map<string, Term>} */
    this.entries = new Map();
    /** @type {HTMLElement | null} */
    this.open = null;
    this.pinned = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.leaving = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.coming = undefined;
    this.box = element("span", { class: "definition", tabindex: -1, hidden: "" });
    this.definitions = element("div", { hidden: "" });
    document.body.append(this.definitions, this.box);
    this.box.addEventListener("pointerenter", () => clearTimeout(this.leaving));
    this.box.addEventListener("pointerleave", () => this.leave());
    this.box.addEventListener("focusout", (event) => this.focusLeft(event));
    document.addEventListener("pointerdown", (event) => {
      if (this.open && !this.open.contains(targetOf(event)) && !this.box.contains(targetOf(event)))
        this.hide();
    });
    document.addEventListener(
      "keydown",
      (event) => {
        if (event.key !== "Escape" || !this.open) return;
        if (this.box.contains(document.activeElement)) this.open.focus();
        this.hide();
        event.stopPropagation();
      },
      true,
    );
  }

  /**
   * Of a run, and of the page that is open on it.
   *
   * @param {Run} run
   * @param {Store} store
   */
  attach(run, store) {
    this.run = run;
    this.store = store;
    this.known = run.glossary;
    this.hide();
    store.subscribe([], () => this.learn());
    store.subscribe(["place"], ({ place }) => place !== null && this.hide()); // one box at a time
  }

  // The definitions of the run, and the terms in the page's own text.
  learn() {
    this.entries = new Map(
      this.known.flatMap((entry) =>
        [entry.term, ...(entry.also ?? [])].map((name) => [name.toLowerCase(), entry]),
      ),
    );
    this.definitions.replaceChildren(
      ...this.known.map((entry, i) => element("p", { id: "definition-" + i }, this.plain(entry.definition))),
    );
    for (const dfn of elements("dfn[data-term]")) {
      if (this.entries.has(dfn.dataset.term) && !dfn.querySelector(".term")) this.define(dfn);
    }
  }

  /** @param {HTMLElement} dfn */
  define(dfn) {
    const after = dfn.nextSibling;
    const close = after?.textContent.match(/^\S*/)[0] ?? "";
    if (close !== "") after.textContent = after.textContent.slice(close.length);
    // The word of the task.
    const text = dfn.dataset.term === "predictable" ? this.run.predictable : dfn.textContent;
    dfn.replaceChildren(glued(this.term(text, dfn.dataset.term), close));
  }

  /** @param {string} text */
  plain(text) {
    return text.replace(/\*([^*\n]+)\*/g, (all, name) => (this.entries.has(name.toLowerCase()) ? name : all));
  }

  /**
   * A text in which *terms* stand between stars, as nodes. Other stars stay what they are.
   *
   * @param {string} text
   * @returns {(string | Node)[]}
   */
  nodes(text) {
    const parts = [];
    const star = /\*(?=([^*\n]+)\*)/g;
    const closing = /\S*/y;
    let done = 0; // how much of the text is in the parts
    for (let found; (found = star.exec(text));) {
      if (!this.entries.has(found[1].toLowerCase())) continue;
      closing.lastIndex = found.index + found[1].length + 2;
      const close = closing.exec(text)[0];
      parts.push(text.slice(done, found.index), glued(this.term(found[1]), close));
      done = closing.lastIndex;
      star.lastIndex = done;
    }
    return done < text.length ? [...parts, text.slice(done)] : parts;
  }

  /**
   * A text without stars, in which the first of each of these names is a term.
   *
   * @param {string} text
   * @param {string[]} names
   */
  marked(text, names) {
    return this.nodes(
      names.reduce((marked, name) => marked.replace(new RegExp("\\b" + name + "\\b"), "*$&*"), text),
    );
  }

  /**
   * @param {string} text
   * @param {string} name
   */
  term(text, name = text) {
    const entry = this.entries.get(name.toLowerCase());
    const describedBy = "definition-" + this.known.indexOf(entry);
    const button = element(
      "button",
      { type: "button", class: "term", "aria-expanded": "false", "aria-describedby": describedBy },
      text,
    );
    button.addEventListener("click", () => this.press(button, entry));
    button.addEventListener(
      "pointerenter",
      (event) => event.pointerType === "mouse" && this.rest(button, entry),
    );
    button.addEventListener("pointerleave", () => this.leave());
    button.addEventListener("focus", () => this.enter(button, entry));
    button.addEventListener("focusout", (event) => this.focusLeft(event));
    return button;
  }

  /**
   * @param {HTMLElement} button
   * @param {Term} entry
   */
  press(button, entry) {
    clearTimeout(this.coming);
    if (this.box.contains(button)) return this.replace(entry);
    if (this.open === button && this.pinned) return this.hide();
    if (this.open !== button) this.show(button, entry);
    this.pin();
  }

  // Stays until it is closed; only then Tab goes on to the terms within, else every term would be many steps
  // of Tab.
  pin() {
    this.pinned = true;
    for (const inner of this.terms()) {
      inner.tabIndex = 0;
    }
  }

  /** @returns {NodeListOf<HTMLElement>} */
  terms() {
    return this.box.querySelectorAll(".term");
  }

  /**
   * @param {HTMLElement} button
   * @param {Term} entry
   */
  enter(button, entry) {
    clearTimeout(this.leaving);
    if (this.open !== button && !this.box.contains(button)) this.show(button, entry);
  }

  /**
   * @param {HTMLElement} button
   * @param {Term} entry
   */
  rest(button, entry) {
    clearTimeout(this.leaving);
    clearTimeout(this.coming);
    this.coming = setTimeout(() => this.enter(button, entry), this.open === button ? 0 : RESTING);
  }

  leave() {
    clearTimeout(this.coming);
    clearTimeout(this.leaving);
    if (!this.pinned && document.activeElement !== this.open)
      this.leaving = setTimeout(() => this.hide(), LEAVING);
  }

  /** @param {FocusEvent} focusEvent */
  focusLeft({ relatedTarget }) {
    if (
      this.open &&
      relatedTarget &&
      relatedTarget !== this.open &&
      !this.box.contains(/** @type {Node} */ (relatedTarget))
    )
      this.hide();
  }

  /**
   * @param {HTMLElement} button
   * @param {Term} entry
   */
  show(button, entry) {
    this.hide();
    this.store.change({ place: null });
    this.open = button;
    button.setAttribute("aria-expanded", "true");
    button.after(this.box); // so that Tab can go on into the definition
    this.fill(entry);
  }

  /**
   * A term within a definition: its own definition takes the place.
   *
   * @param {Term} entry
   */
  replace(entry) {
    this.fill(entry);
    this.pin();
    this.box.focus();
  }

  /** @param {Term} entry */
  fill(entry) {
    this.box.hidden = false;
    this.box.replaceChildren(element("b", {}, entry.term), ": ", ...this.nodes(entry.definition));
    for (const inner of this.terms()) {
      inner.tabIndex = -1;
    }
    this.place(this.open.getBoundingClientRect());
  }

  /**
   * Below the term; above it where the box would hide the tabs, which are what a reader may want next.
   *
   * @param {DOMRect} term
   */
  place(term) {
    const tabs = document.querySelector("nav").getBoundingClientRect().top;
    const { height } = this.box.getBoundingClientRect();
    putBeside(this.box, term, term.bottom <= tabs && term.bottom + height > tabs - 16 ? "above" : "below");
  }

  hide() {
    clearTimeout(this.leaving);
    this.open?.setAttribute("aria-expanded", "false");
    /** @type {HTMLElement | null} */
    this.open = null;
    this.pinned = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.leaving = undefined;
    this.box.hidden = true;
  }
}
