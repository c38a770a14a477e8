// Why a head looks at a cell of its pattern, and the cells that it may not look at.

import { byId, element, visible } from "../kit/text.js";
import { HeadTerms } from "../page/reasons/terms.js";
import { PartWords, signed } from "../page/reasons/part_words.js";
import { Reason } from "../page/reasons/score_reason.js";

const LISTED = 5; // products

export class LabReason {
  /** @param {Play} play */
  constructor(play) {
    this.play = play;
    /** @type {Cell | null} */
    this.cell = null; // of the large pattern
    /** @type {{ of: unknown; heads: HeadTerms[] } | null} */
    this.known = null; // the sequence taken apart
    byId("lab-now").addEventListener("click", (event) => this.point(event));
    byId("lab-now").addEventListener("keydown", (event) => this.onKey(event));
    byId("lab-forbid").addEventListener("click", () => this.toggleEdge());
  }

  /** @param {MouseEvent} event */
  point(event) {
    const box = byId("lab-now").getBoundingClientRect();
    const n = this.play.tokens.length;
    const query = Math.floor(((event.clientY - box.top) / box.height) * n);
    const key = Math.floor(((event.clientX - box.left) / box.width) * n);
    if (key <= query) this.choose({ query, key });
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!step) return;
    event.preventDefault();
    const { query, key } = this.cell ?? {
      query: this.play.tokens.length - 1,
      key: this.play.tokens.length - 1,
    };
    const next = Math.min(Math.max(query + step[0], 0), this.play.tokens.length - 1);
    this.choose({ query: next, key: Math.min(Math.max(key + step[1], 0), next) });
  }

  /** @param {Cell} cell */
  choose(cell) {
    this.cell = cell;
    this.show();
    this.play.remember();
  }

  // Each head's attention logits by what wrote them, in the whole model.
  async terms() {
    const { play } = this;
    const { before, tokens } = play;
    if (this.known?.of === before) return this.known.heads;
    const { heads, turn } = await play.engine().terms(tokens);
    this.known = {
      of: before,
      heads: heads.map((head) => new HeadTerms(head, true, turn)),
    };
    return this.known.heads;
  }

  // What the page's explanations ask of a run, for the model that is played with.
  get reader() {
    const { before, tokens, model, head } = this.play;
    const view = { tokens, keys: tokens, patterns: before.patterns };
    const run = {
      sequences: [{ ...view, views: [view] }],
      scores: {},
      scoreTable: { describe: () => "" },
      stack: () => 0,
      inStack: (/** @type {number} */ own) => own,
      headCode: (/** @type {number} */ own) => this.play.code(own),
      tokenText: (/** @type {number} */ id) => visible(model.vocabulary[id]),
    };
    const selection = { head, patternNow: () => before.patterns.pattern(head) };
    return /** @type {App} */ (
      /** @type {unknown} */ ({ run, selection, store: { state: { sequence: 0 } } })
    );
  }

  // Why the chosen head looks at the chosen cell, in the whole model.
  async show() {
    const { cell, play } = this;
    byId("lab-forbid").hidden = cell === null;
    if (cell === null || cell.query >= play.tokens.length) {
      byId("lab-why").replaceChildren();
      return;
    }
    const { query, key } = cell;
    const heads = await this.terms();
    if (this.cell !== cell || this.known.of !== play.before) return;
    const terms = heads[play.head];
    const words = new PartWords(this.reader);
    byId("lab-forbid").textContent = this.edgeOf(cell) >= 0 ? "Allow this look" : "Forbid this look";
    if (!terms.sees(query, key))
      return byId("lab-why").replaceChildren(element("p", {}, "This query does not see this key."));
    const products = terms
      .products(query, key)
      .sort((one, other) => Math.abs(other.above) - Math.abs(one.above));
    byId("lab-why").replaceChildren(
      element(
        "p",
        {},
        (play.changed ? "With nothing switched off: " : "") +
          new Reason(this.reader, terms, words, query).at(key),
      ),
      element(
        "p",
        { class: "note" },
        query === 0
          ? ""
          : "The products that set this attention logit apart most from the row's others, and by how much:",
      ),
      element(
        "ul",
        {},
        ...(query === 0
          ? []
          : products.slice(0, LISTED).map((product) => this.product(product, words, cell))),
      ),
    );
  }

  // A press on a head goes there, and to where it looks.
  /**
   * @param {Product} product
   * @param {PartWords} words
   * @param {Cell} cell
   */
  product({ reads, written, above }, words, { query, key }) {
    const item = element(
      "li",
      {},
      `${signed(above)}: the key's part from ${words.brief(written, key)}, met by the query's part from ` +
        `${words.brief(reads, query)} `,
    );
    const [kind, head] = written;
    const from = kind === "head" ? words.from(head, key) : null;
    if (!from) return item;
    const back = element("button", { type: "button" }, `see ${this.play.code(head)} there`);
    back.addEventListener("click", () => {
      this.play.head = head;
      this.cell = { query: key, key: from.key };
      this.play.drawAll();
      this.show();
    });
    item.append(back);
    return item;
  }

  /** @param {Cell} cell */
  edgeOf({ query, key }) {
    return this.play.cut.findIndex(
      ([head, from, to]) => head === this.play.head && from === query && to === key,
    );
  }

  toggleEdge() {
    const known = this.edgeOf(this.cell);
    const { query, key } = this.cell;
    known >= 0 ? this.play.cut.splice(known, 1) : this.play.cut.push([this.play.head, query, key]);
    this.play.update();
  }
}
