// "Why here?": an attention logit of the part "Heads" as the sum of what made it.

import { allMarked, knownMark } from "../../kit/known.js";
import { element, byId, fixed } from "../../kit/text.js";
import { termsOf, missingTerms } from "./terms.js";
import { sequenceButton } from "../web/selection.js";
import { Reason } from "./score_reason.js";
import { PartWords, plain, signed, smearWords } from "./part_words.js";
import { PLAYED } from "../views/changes.js";
import { Forbidden } from "../views/forbidden.js";
import { MOST, WHOLE_ONLY, tableOf } from "./why.js";

// The chosen cell of the large picture in the part "Heads".
export class WhyHere {
  /**
   * @param {App} app
   * @param {Awake} awake
   */
  constructor(app, awake) {
    this.app = app;
    const { run, store, selection } = app;
    this.root = byId("heads-why");
    this.forbidden = new Forbidden(app);
    /** @type {(Cell & { sequence: number }) | null} */
    this.pinned = null;
    byId("heads-why-go").addEventListener("click", () => this.root.scrollIntoView({ block: "nearest" }));
    byId("heads-why-go").hidden = !run.circuits;
    store.subscribe(
      [...PLAYED, "layer", "head", "query", "key", "locked"],
      (state) => {
        const cell = this.cell(state, selection.patternNow());
        this.forbidden.show(cell);
        if (cell) this.show(selection.sequence("heads"), cell);
        else this.invite(run, selection.sequence("heads"));
      },
      awake,
    );
  }

  /**
   * Of a locked row: the cell under the pointer, or else the one that was pressed; without a key where the
   * row looks most.
   *
   * @param {State} state
   * @param {Pattern} pattern
   */
  cell({ locked, query, key, sequence }, pattern) {
    const same = this.pinned?.query === query && this.pinned.sequence === sequence;
    if (!locked) this.pinned = null;
    if (!locked || query === null) return null;
    if (!same) this.pinned = { sequence, query, key };
    /** @type {(position: number | null) => boolean} */
    const seen = (position) => position !== null && (!pattern.causal || position <= query);
    const weights = pattern.row(Math.floor(query / pattern.cell));
    const chosen = [key, this.pinned.key].find(seen) ?? weights.indexOf(Math.max(...weights)) * pattern.cell;
    return { query, key: chosen };
  }

  /** @param {View} sequence */
  terms(sequence) {
    const { run, selection } = this.app;
    return run.stack(selection.head) > 0
      ? null
      : termsOf(this.app, sequence)?.heads[run.inStack(selection.head)];
  }

  /**
   * Why this head, on this sequence, has no table; empty if it has one.
   *
   * @param {Run} run
   * @param {View} sequence
   */
  missing(run, sequence) {
    if (!run.circuits) return "This page was made without the parts of attention logits.";
    if (this.app.without.changed) return WHOLE_ONLY;
    if (run.circuits.no_terms !== "") return run.circuits.no_terms;
    if (run.stack(this.app.selection.head) > 0)
      return (
        "This page has no parts of attention logits" + run.stacks[run.stack(this.app.selection.head)].of + "."
      );
    return termsOf(this.app, sequence) ? "" : missingTerms(this.app, "attention logits");
  }

  /**
   * @param {Run} run
   * @param {View} sequence
   */
  invite(run, sequence) {
    const missing = this.missing(run, sequence);
    this.root.hidden = !run.circuits;
    const invited =
      "Click a cell of the large pattern, and this part says why the head gives it that attention weight.";
    this.root.replaceChildren(
      element("h3", {}, "Why here?"),
      element("p", { class: "note" }, missing || invited),
      ...this.elsewhere(run, sequence, missing),
    );
  }

  /**
   * Where another sequence has what this one lacks.
   *
   * @param {Run} run
   * @param {View} sequence
   * @param {string} missing
   */
  elsewhere(run, sequence, missing) {
    const { live } = this.app;
    const lacks = run.circuits && missing !== "" && missing === missingTerms(this.app, "attention logits");
    return lacks && !sequence.terms && (!live || live.failed !== "")
      ? sequenceButton(this.app, ({ terms }) => terms)
      : [];
  }

  /**
   * @param {View} sequence
   * @param {Cell} cell
   */
  show(sequence, cell) {
    const { run, glossary } = this.app;
    const coming = termsOf(this.app, sequence) === undefined && !this.app.without.changed;
    if (coming && this.root.querySelector(".terms")) return; // the reason before stays until then
    const terms = this.terms(sequence);
    if (!terms || this.missing(run, sequence)) return this.invite(run, sequence);
    const { query, key } = this.exact(terms, cell);
    const words = new PartWords(this.app);
    const mark = knownMark(run.evidence.parts);
    if (!terms.sees(query, key)) return this.invite(run, sequence);
    const products = terms.products(query, key);
    const note =
      "The column ‘above’: the product less its mean over the row's other keys. Only such differences " +
      "change the *attention weights*. The last digit may be rounded.";
    this.root.hidden = false;
    this.root.replaceChildren(
      element("h3", {}, "Why here?"),
      element(
        "p",
        { role: "status" },
        ...allMarked([new Reason(this.app, terms, words, query).at(key)], mark),
      ),
      this.table(terms, products, words, query, key),
      element("p", {}, ...glossary.nodes(this.softmax(terms, words, query, key))),
      ...this.smeared(terms),
      element("p", { class: "note" }, ...glossary.nodes(note)),
    );
  }

  /**
   * Where a cell stands for several weights: the place of the largest.
   *
   * @param {HeadTerms} terms
   * @param {Cell} cell
   */
  exact(terms, { query, key }) {
    const { cell } = this.app.selection.patternNow();
    const places = [];
    for (let i = query; i < Math.min(query + cell, terms.positions); ++i) {
      for (let j = key; j < Math.min(key + cell, terms.positions); ++j) {
        if (terms.sees(i, j)) places.push({ query: i, key: j });
      }
    }
    if (places.length < 2) return places[0] ?? { query, key };
    const weights = places.map((place) => terms.weight(place.query, place.key));
    return places[weights.indexOf(Math.max(...weights))];
  }

  /**
   * @param {HeadTerms} terms
   * @param {Product[]} products
   * @param {PartWords} words
   * @param {number} query
   * @param {number} key
   */
  table(terms, products, words, query, key) {
    const shown = products.slice(0, MOST);
    const rest = products.slice(MOST);
    /** @type {(list: Product[], name: "value" | "above") => number} */
    const add = (list, name) => list.reduce((sum, term) => sum + term[name], 0);
    /** @type {[string, ...string[]][]} */
    const rows = shown.map(({ reads, written, value, above }) => [
      words.brief(reads, query),
      words.brief(written, key),
      plain(value),
      signed(above),
    ]);
    if (rest.length > 0)
      rows.push([
        "the other " + rest.length + " products",
        "",
        plain(add(rest, "value")),
        signed(add(rest, "above")),
      ]);
    /** @type {[string, ...string[]][]} */
    const total = terms
      .totals(query, key)
      .map(({ name, value, above }) => [name, "", plain(value), signed(above)]);
    return tableOf(
      ["query " + words.token(query), "key " + words.token(key), "product", "above"],
      rows,
      total,
      "The products that make this attention logit, largest first",
    );
  }

  /** @param {HeadTerms} terms */
  smeared({ smear }) {
    if (smear === undefined) return [];
    const { run, selection, glossary } = this.app;
    const words = smearWords(run.headCode(selection.head), smear);
    return [element("p", {}, ...glossary.nodes(words + " The table tells the two apart."))];
  }

  /**
   * @param {HeadTerms} terms
   * @param {PartWords} words
   * @param {number} query
   * @param {number} key
   */
  softmax(terms, words, query, key) {
    const keys = terms.keys(query);
    const own = terms.score(query, key);
    const others = keys.filter((other) => other !== key);
    const scores = others.map((other) => terms.score(query, other));
    const best = others[scores.indexOf(Math.max(...scores))];
    const sink = terms.sink === undefined ? "" : " and the sink";
    if (others.length === 0 && sink === "")
      return "This *query* sees only this *key*, so its *attention weight* is 1.";
    const rival =
      best === undefined
        ? ""
        : " The best other *key*, " + words.token(best) + ", has " + plain(Math.max(...scores)) + ".";
    return (
      `The *attention logit* is ${plain(own)}.${rival} Softmax over the ${keys.length} *keys* of the ` +
      `row${sink} turns the attention logit into the attention weight ${fixed(terms.weight(query, key), 3)}.`
    );
  }
}
