// Why a head looks at a cell of its pattern, and the cells that it may not look at.

const { byId, element, fixed, visible } = headlight.text;

/**
 * "embed" as "the token itself".
 *
 * @param {string} source
 */
function sourceWords(source) {
  if (source === "embed") return "the token itself";
  if (source === "pos_embed") return "the position";
  return /^L\d+H\d+$/.test(source) || source.startsWith("MLP") ? source : "a bias";
}

/** @param {number} value */
function number(value) {
  return fixed(value).replace("-", "−");
}

class LabReason {
  /** @param {Play} play */
  constructor(play) {
    this.play = play;
    /** @type {Cell | null} */
    this.cell = null; // of the large pattern
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
  }

  // Why the chosen head looks at the chosen cell, in the whole model.
  async show() {
    const { cell } = this;
    const { tokens } = this.play;
    byId("lab-forbid").hidden = cell === null;
    if (cell === null || cell.query >= tokens.length) {
      byId("lab-why").replaceChildren();
      return;
    }
    const { query, key } = cell;
    const head = this.play.code(this.play.head);
    const { terms, above } = await this.play.engine().ask("why", { tokens, head, query, key });
    if (this.cell !== cell) return;
    const weight = this.play.now.patterns.pattern(this.play.head).weight(query, key);
    const text = (/** @type {number} */ position) =>
      `${position} ‘${visible(this.play.model.vocabulary[tokens[position]])}’`;
    const lead =
      `${head} gives ${fixed(weight)} of its attention from ${text(query)} to ${text(key)}. ` +
      (query === 0 ? "" : `The attention logit is ${number(above)} above the mean of the row's other keys:`);
    byId("lab-why").replaceChildren(
      element("p", {}, lead),
      element("ul", {}, ...terms.slice(0, 5).map((/** @type {LabTerm} */ term) => this.term(term))),
    );
    byId("lab-forbid").textContent = this.edgeOf(cell) >= 0 ? "Allow this look" : "Forbid this look";
  }

  // A press on a head goes there, and to where it looks.
  /** @param {LabTerm} term */
  term({ query, key, key_from, above }) {
    const item = element(
      "li",
      {},
      `${above < 0 ? "" : "+"}${number(above)}: the key's part from ${sourceWords(key)}, met by the ` +
        `query's part from ${sourceWords(query)} `,
    );
    const from = /^L(\d+)H(\d+)$/.exec(key);
    if (from && key_from !== null) {
      const back = element("button", { type: "button" }, `see ${key} there`);
      back.addEventListener("click", () => {
        this.play.head = Number(from[1]) * this.play.model.n_heads + Number(from[2]);
        this.cell = { query: this.cell.key, key: key_from };
        this.play.drawAll();
        this.show();
      });
      item.append(back);
    }
    return item;
  }

  /** @param {Cell} cell */
  edgeOf({ query, key }) {
    return this.play.cut.findIndex(
      ([head, from, to]) => head === this.play.code(this.play.head) && from === query && to === key,
    );
  }

  toggleEdge() {
    const known = this.edgeOf(this.cell);
    const { query, key } = this.cell;
    known >= 0
      ? this.play.cut.splice(known, 1)
      : this.play.cut.push([this.play.code(this.play.head), query, key]);
    this.play.update();
  }
}

/** @typedef {typeof names} Names */
const names = { LabReason };
headlight.lab_reason = names;
