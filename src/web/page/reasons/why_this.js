// "Why this prediction?": a logit of the part "Predictions" as the sum of what made it.

import { allMarked, knownMark } from "../../kit/known.js";
import { element, byId, fixed, capital, targetOf } from "../../kit/text.js";
import { termsOf, missingTerms } from "./terms.js";
import { sequenceButton } from "../web/selection.js";
import { PLAYED } from "../views/changes.js";
import { PartWords, signed } from "./part_words.js";
import { MOST, WHOLE_ONLY, tableOf } from "./why.js";

/**
 * What the logit of a token is, and what adds most to it; to two decimals, as in the table.
 *
 * @param {string} name
 * @param {number} sum
 * @param {{ part: TermPart; value: number }} first
 * @param {PartWords} words
 * @param {number} position
 */
export function logitWords(name, sum, { part, value }, words, position) {
  const [above, raised] = [sum, value].map((one) => fixed(Math.abs(one)));
  const where =
    above === "0.00"
      ? "the mean of the *vocabulary*, to two decimals."
      : `${above} ${sum > 0 ? "above" : "below"} the mean of the *vocabulary*.`;
  const verb = (value > 0 ? "add" : "take") + (part[0] === "bias" ? "" : "s");
  const cause =
    raised === "0.00"
      ? "Nothing adds 0.01 or more to it."
      : `${capital(words.long(part, position))} ${verb} ${value > 0 ? "most to" : "least from"} it, ` +
        `${signed(value)}.${words.source(part, position)}`;
  return `The *logit* of ${name} is ${where} ${cause}`;
}

// The chosen prediction in the part "Predictions".
export class WhyThis {
  /**
   * @param {App} app
   * @param {Awake} awake
   */
  constructor(app, awake) {
    this.app = app;
    const { store, selection } = app;
    this.root = byId("predictions-why");
    byId("predictions-guesses").addEventListener("click", (event) => {
      const row = targetOf(event).closest("tr");
      if (row?.dataset.token !== undefined) store.change({ guess: Number(row.dataset.token) });
    });
    // Whatever draws the guesses anew, because their rows become buttons here.
    /** @type {(keyof State)[]} */
    const drawn = ["layer", "head", "query", "key", "locked", "scale", "view", "printing", "guess"];
    store.subscribe(
      [...PLAYED, ...drawn],
      () => this.draw(selection.sequence("predictions"), selection.readingPosition()),
      awake,
    );
  }

  /**
   * Each prediction becomes a button; the chosen one, or the first, is explained.
   *
   * @param {View} sequence
   * @param {number} position
   */
  draw(sequence, position) {
    const { run, store, without } = this.app;
    const guesses = sequence.guesses[position];
    const terms = termsOf(this.app, sequence);
    this.root.hidden = !run.circuits || !guesses;
    if (this.root.hidden) return;
    const title = element("h3", {}, "Why this prediction?");
    if (!terms)
      return this.root.replaceChildren(
        title,
        element("p", { class: "note" }, missingTerms(this.app, "logits")),
        ...(terms === null ? sequenceButton(this.app, (other) => other.terms) : []),
      );
    if (without.changed) return this.root.replaceChildren(title, element("p", { class: "note" }, WHOLE_ONLY));
    const tokens = terms.logits.tokens(position);
    const token = tokens.includes(store.state.guess) ? store.state.guess : tokens[0];
    Array.from(byId("predictions-guesses").rows).forEach((row, i) =>
      this.button(row, tokens[i], tokens[i] === token),
    );
    this.explain(title, terms.logits, new PartWords(this.app), position, token);
  }

  /**
   * @param {HTMLElement} row
   * @param {number} token
   * @param {boolean} chosen
   */
  button(row, token, chosen) {
    const cell = row.children[0];
    const text = cell.textContent;
    const button = element(
      "button",
      { type: "button", "aria-pressed": chosen, "aria-label": "explain ‘" + text + "’" },
      text,
    );
    const focused = cell.contains(document.activeElement);
    row.dataset.token = String(token);
    row.classList.toggle("chosen", chosen);
    cell.replaceChildren(button);
    if (focused) button.focus();
  }

  /**
   * @param {HTMLElement} title
   * @param {LogitTerms} logits
   * @param {PartWords} words
   * @param {number} position
   * @param {number} token
   */
  explain(title, logits, words, position, token) {
    const { run, glossary } = this.app;
    const all = logits.contributions(position, token);
    const name = "‘" + run.tokenText(token) + "’";
    const sum = all.reduce((total, { value }) => total + value, 0);
    const largest = Math.max(...all.map(({ value }) => Math.abs(value)), 1e-9);
    const bySize = [...all].sort((one, other) => Math.abs(other.value) - Math.abs(one.value));
    const large = new Set(bySize.slice(0, 2 * MOST));
    const shown = all.filter((term) => large.has(term));
    const rest = sum - shown.reduce((total, { value }) => total + value, 0);
    /** @type {[string, string | Node, string][]} */
    const rows = shown.map(({ part, value }) => [
      part[0] === "embed" ? "the token itself (direct path)" : words.brief(part, position),
      this.bar(value / largest),
      signed(value),
    ]);
    if (shown.length < all.length) rows.push(["the other " + (all.length - shown.length), "", signed(rest)]);
    const sentence = logitWords(name, sum, all[0], words, position);
    this.root.replaceChildren(
      title,
      element("p", { role: "status" }, ...allMarked(glossary.nodes(sentence), knownMark(run.evidence.parts))),
      tableOf(
        ["what wrote it", "lowers | raises", "contribution"],
        rows,
        [["logit of " + name + " above the mean", "", signed(sum)]],
        "What raised and lowered the logit, largest first",
      ),
      element(
        "p",
        { class: "note" },
        "Choose another prediction in the table above. " +
          (shown.some(({ part: [kind] }) => kind === "bias")
            ? "The row ‘biases’ includes the biases of norms. "
            : "") +
          "The last digit may be rounded.",
      ),
    );
  }

  /** @param {number} share */
  bar(share) {
    const bar = element("i", { class: share < 0 ? "less" : "more" });
    bar.style.width = 50 * Math.abs(share) + "%";
    return element("span", { class: "both-ways", "aria-hidden": "true" }, bar);
  }
}
