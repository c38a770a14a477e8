// A sequence to type, heads and edges to switch off: what the model does now, beside what it does as a whole.

const { byId, element, fixed, visible } = headlight.text;
const { Patterns } = headlight.codec;
const { drawPattern } = headlight.map;

const FRESH = 64; // sequences on which accuracy and loss are measured

/**
 * Floats of the engine as patterns that the page draws.
 *
 * @param {Float32Array} weights
 * @param {number} n
 */
function patternsOf(weights, n) {
  const heads = weights.length / (n * n);
  const stride = (n * (n + 1)) / 2;
  const values = new Uint16Array(heads * stride);
  for (let head = 0, at = 0; head < heads; ++head) {
    for (let query = 0; query < n; ++query) {
      for (let key = 0; key <= query; ++key) {
        values[at++] = Math.round(65535 * weights[(head * n + query) * n + key]);
      }
    }
  }
  return new Patterns({ data: null, decoded: values, bits: 16, cell: 1, causal: true, queries: n, keys: n });
}

class Play {
  /**
   * @param {App} app
   * @param {() => Engine} engine
   */
  constructor(app, engine) {
    this.app = app;
    this.engine = engine;
    /** @type {LabModel | null} */
    this.model = null;
    /** @type {number[]} */
    this.tokens = [];
    /** @type {Set<number>} */
    this.off = new Set();
    /** @type {[code: string, query: number, key: number][]} */
    this.cut = [];
    this.head = 0;
    this.number = 0; // of the sequence that was drawn last
    this.wanted = false; // whether something has changed since the last look began
    this.looking = false;
    byId("lab-text").addEventListener("input", () => this.read(byId("lab-text").value));
    byId("lab-shuffle").addEventListener("click", () => this.draw(this.number + 1));
    byId("lab-repeat").addEventListener("click", () => this.repeat());
    byId("lab-way").addEventListener("change", () => this.update());
    byId("lab-all-on").addEventListener("click", () => {
      this.off.clear();
      this.cut = [];
      this.update();
    });
    byId("lab-now").addEventListener("click", (event) => this.toggleEdge(event));
  }

  /**
   * Another model: what was typed stays, as far as its tokens go.
   *
   * @param {LabModel} model
   */
  async show(model) {
    const same = this.model?.vocabulary.join() === model.vocabulary.join();
    this.model = model;
    this.off.clear();
    this.cut = [];
    this.head = Math.min(this.head, model.n_layers * model.n_heads - 1);
    this.buildGrid();
    if (!same || this.tokens.length === 0 || this.tokens.length > model.n_ctx) return this.draw(0);
    return this.update();
  }

  // A token is a letter where all are one character, else a word between spaces.
  get letters() {
    return this.model.vocabulary.every((text) => Array.from(text).length === 1);
  }

  /** @param {number} number */
  async draw(number) {
    this.number = number;
    const { tokens } = await this.engine().ask("sequence", "", number);
    this.put(tokens);
  }

  /** @param {number[]} tokens */
  put(tokens) {
    this.tokens = tokens;
    const texts = tokens.map((id) => this.model.vocabulary[id]);
    byId("lab-text").value = texts.join(this.letters ? "" : " ");
    return this.update();
  }

  repeat() {
    const { n_ctx } = this.model;
    const typed = this.tokens.slice(0, Math.max(1, Math.floor(n_ctx / 2)));
    this.put([...typed, ...typed].slice(0, n_ctx));
  }

  /** @param {string} text */
  read(text) {
    const { vocabulary, n_ctx } = this.model;
    const parts = this.letters ? Array.from(text) : text.split(/\s+/).filter((part) => part !== "");
    const tokens = parts.map((part) => vocabulary.indexOf(part));
    const unknown = tokens.indexOf(-1);
    if (unknown >= 0) return this.say(`The model has no token ‘${visible(parts[unknown])}’.`);
    if (tokens.length > n_ctx) return this.say(`The model reads ${n_ctx} tokens at most.`);
    if (tokens.length === 0) return this.say("Type a token.");
    this.tokens = tokens;
    return this.update();
  }

  /** @param {string} sentence */
  say(sentence) {
    byId("lab-words").textContent = sentence;
  }

  /** @param {number} head */
  code(head) {
    return "L" + Math.floor(head / this.model.n_heads) + "H" + (head % this.model.n_heads);
  }

  get changes() {
    const off = [...this.off].sort((one, other) => one - other).map((head) => this.code(head));
    return { off, way: byId("lab-way").value, cut: this.cut };
  }

  // The newest state is looked at; those that came between are not.
  async update() {
    this.wanted = true;
    if (this.looking) return;
    this.looking = true;
    try {
      while (this.wanted) {
        this.wanted = false;
        await this.look();
      }
    } catch (error) {
      this.say("The engine stopped: " + /** @type {Error} */ (error).message);
    } finally {
      this.looking = false;
    }
  }

  async look() {
    const { tokens, changes } = this;
    const engine = this.engine();
    const changed = changes.off.length + changes.cut.length > 0;
    const before = this.decoded(await engine.call("look", { tokens }), tokens);
    const now = changed ? this.decoded(await engine.call("look", { tokens, ...changes }), tokens) : before;
    if (tokens !== this.tokens) return; // typed over meanwhile
    this.before = before;
    this.now = now;
    this.drawAll(changed);
    const words = changed ? this.codes(changes) : "";
    if (this.wanted) return;
    const whole = await engine.ask("evaluate", {}, FRESH);
    const without = changed ? await engine.ask("evaluate", changes, FRESH) : whole;
    if (this.wanted) return;
    const [right, loss] = [accuracy(whole), fixed(whole.loss)];
    const numbers = changed
      ? `${words}: accuracy ${accuracy(without)} instead of ${right}, ` +
        `loss ${fixed(without.loss)} instead of ${loss}`
      : `The whole model: accuracy ${right}, loss ${loss}`;
    this.say(`${numbers}, on ${FRESH} fresh sequences.`);
  }

  /** @param {{ off: string[]; cut: [string, number, number][] }} changes */
  codes({ off, cut }) {
    const cuts = cut.map(([code, query, key]) => `the look of ${code} from ${query} at ${key}`);
    return "Without " + [...off, ...cuts].join(", ");
  }

  /**
   * @param {Uint8Array} bytes
   * @param {number[]} tokens
   */
  decoded(bytes, tokens) {
    const numbers = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    const n = tokens.length;
    const size = this.model.n_layers * this.model.n_heads * n * n;
    const vocabulary = this.model.vocabulary.length;
    const guesses = tokens.map((_, position) => {
      const row = numbers.subarray(size + position * vocabulary, size + (position + 1) * vocabulary);
      const best = row.indexOf(Math.max(...row));
      return { token: best, probability: row[best] };
    });
    return { patterns: patternsOf(numbers.subarray(0, size), n), guesses };
  }

  buildGrid() {
    const { n_layers, n_heads } = this.model;
    const grid = byId("lab-grid");
    grid.style.gridTemplateColumns = `repeat(${n_heads}, minmax(4.2rem, var(--thumb)))`;
    this.cells = Array.from({ length: n_layers * n_heads }, (_, head) => {
      const code = this.code(head);
      const canvas = element("canvas", { "aria-hidden": "true" });
      const button = element("button", { type: "button", title: "Show " + code }, canvas, code);
      button.addEventListener("click", () => {
        this.head = head;
        this.drawAll(this.off.size + this.cut.length > 0);
      });
      const input = element("input", {
        type: "checkbox",
        role: "switch",
        class: "power",
        "aria-label": code + " is on",
      });
      input.addEventListener("change", () => {
        this.off.has(head) ? this.off.delete(head) : this.off.add(head);
        this.update();
      });
      return { cell: element("div", { class: "switched" }, button, input), button, canvas, input };
    });
    grid.replaceChildren(...this.cells.map(({ cell }) => cell));
  }

  /** @param {boolean} changed */
  drawAll(changed) {
    const scale = this.app.look.scale();
    this.cells.forEach(({ cell, button, canvas, input }, head) => {
      drawPattern(canvas, this.now.patterns.pattern(head), scale);
      input.checked = !this.off.has(head);
      cell.classList.toggle("off", this.off.has(head));
      button.setAttribute("aria-pressed", String(head === this.head));
    });
    drawPattern(byId("lab-before"), this.before.patterns.pattern(this.head), scale);
    drawPattern(byId("lab-now"), this.now.patterns.pattern(this.head), scale);
    byId("lab-head").textContent = this.code(this.head);
    byId("lab-before-side").hidden = !changed;
    this.drawTokens();
  }

  // Each token, and below it the guess of the next: right or wrong where the sequence goes on.
  drawTokens() {
    const { vocabulary } = this.model;
    const cells = this.tokens.map((token, position) => {
      const { token: guess, probability } = this.now.guesses[position];
      const next = this.tokens[position + 1];
      const kind = next === undefined ? "" : guess === next ? "right" : "wrong";
      const text = visible(vocabulary[guess]);
      const title = `position ${position}: ‘${text}’ with a probability of ${fixed(probability)}`;
      const below = element("i", { class: kind }, text);
      below.style.opacity = fixed(0.35 + 0.65 * probability);
      return element(
        "span",
        { class: "lab-token", title },
        element("b", {}, visible(vocabulary[token])),
        below,
      );
    });
    byId("lab-tokens").replaceChildren(...cells);
  }

  /** @param {MouseEvent} event */
  toggleEdge(event) {
    const box = byId("lab-now").getBoundingClientRect();
    const n = this.tokens.length;
    const query = Math.floor(((event.clientY - box.top) / box.height) * n);
    const key = Math.floor(((event.clientX - box.left) / box.width) * n);
    if (key > query) return;
    const code = this.code(this.head);
    const known = this.cut.findIndex(([head, from, to]) => head === code && from === query && to === key);
    known >= 0 ? this.cut.splice(known, 1) : this.cut.push([code, query, key]);
    this.update();
  }
}

/** @param {{ accuracy: number | null }} evaluation */
function accuracy({ accuracy }) {
  return accuracy === null ? "not defined" : fixed(accuracy);
}

/** @typedef {typeof names} Names */
const names = { Play };
headlight.lab_play = names;
