// A sequence to type, heads and edges to switch off: what the model does now, beside what it does as a whole.

import { byId, element, fixed, visible } from "../kit/text.js";
import { drawPattern } from "../kit/pattern.js";
import { drawGuesses } from "./guesses.js";
import { LabReason } from "./reason.js";
import { Remembered } from "./remembered.js";
import { restore, stateOf } from "./address.js";

const FRESH = 64; // sequences on which accuracy and loss are measured

export class Play {
  /**
   * `origin`: what made the model, for the address.
   *
   * @param {App} app
   * @param {() => Engine} engine
   * @param {() => string[]} origin
   */
  constructor(app, engine, origin) {
    this.app = app;
    this.origin = origin;
    this.engine = engine;
    /** @type {LabModel | null} */
    this.model = null;
    /** @type {number[]} */
    this.tokens = [];
    /** @type {Set<number>} */
    this.off = new Set();
    /** @type {Cut[]} */
    this.cut = [];
    /** @type {Set<number>} */
    this.mlps = new Set();
    this.head = 0;
    this.number = 0; // of the sequence that was drawn last
    this.wanted = false; // whether something has changed since the last look began
    this.looking = false;
    this.refused = ""; // what is wrong with the text as it stands
    byId("lab-text").addEventListener("input", () => this.read(byId("lab-text").value));
    byId("lab-shuffle").addEventListener("click", () => this.draw(this.number + 1));
    byId("lab-repeat").addEventListener("click", () => this.repeat());
    byId("lab-way").addEventListener("change", () => this.update());
    byId("lab-all-on").addEventListener("click", () => {
      this.allOn();
      this.update();
    });
    this.reason = new LabReason(this);
    this.remembered = new Remembered(this);
  }

  allOn() {
    this.off.clear();
    this.mlps.clear();
    this.remembered.patched.clear();
    this.cut = [];
  }

  /**
   * Another model: what was typed stays, as far as its tokens go.
   *
   * @param {LabModel} model
   */
  async show(model) {
    const same = this.model?.vocabulary.join() === model.vocabulary.join();
    this.model = model;
    this.allOn();
    this.remembered.forget();
    this.reason.cell = null;
    this.head = Math.min(this.head, model.n_layers * model.n_heads - 1);
    this.buildGrid();
    const { lab } = this.app.store.state;
    if (!same && lab !== "" && restore(this, lab)) return;
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
    const { tokens } = await this.engine().sequence(number);
    this.put(tokens);
  }

  /** @param {number[]} tokens */
  put(tokens) {
    this.refused = "";
    this.tokens = tokens;
    const texts = tokens.map((id) => this.model.vocabulary[id]);
    byId("lab-text").value = texts.join(this.letters ? "" : " ");
    return this.update();
  }

  repeat() {
    if (this.refused !== "") return this.say(this.refused); // what was typed is no sequence
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
    this.refused =
      unknown >= 0
        ? `The model has no token ‘${visible(parts[unknown])}’. The pictures stay as they were.`
        : tokens.length > n_ctx
          ? `The model reads ${n_ctx} tokens at most.`
          : tokens.length === 0
            ? "Type a token."
            : "";
    if (this.refused !== "") return this.say(this.refused);
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

  /** @returns {Changes} */
  get changes() {
    const heads = [...this.remembered.patched];
    return {
      off: [...this.off].sort((one, other) => one - other),
      way: byId("lab-way").value,
      cut: this.cut,
      mlps_off: [...this.mlps],
      ...(heads.length > 0 ? { patch: { heads, tokens: this.remembered.tokens } } : {}),
    };
  }

  get changed() {
    return this.off.size + this.cut.length + this.mlps.size + this.remembered.patched.size > 0;
  }

  // The newest state is looked at; those that came between are not.
  async update() {
    this.wanted = true;
    if (this.looking) return;
    this.looking = true;
    while (this.wanted) {
      this.wanted = false;
      try {
        await this.look();
      } catch (error) {
        if (!this.wanted) this.say("The engine stopped: " + /** @type {Error} */ (error).message);
      }
    }
    this.looking = false;
  }

  async look() {
    const { tokens, changes } = this;
    const engine = this.engine();
    const { changed } = this;
    if (this.remembered.patched.size > 0 && this.remembered.tokens.length !== tokens.length)
      return this.say(
        `The sequence A has ${this.remembered.tokens.length} tokens, and this one ${tokens.length}.`,
      );
    const before = await engine.look(tokens);
    const now = changed ? await engine.look(tokens, changes) : before;
    if (tokens !== this.tokens) return; // typed over meanwhile
    this.before = before;
    this.now = now;
    this.drawAll();
    await this.reason.show();
    this.remember();
    if (this.wanted) return;
    const whole = await engine.evaluate(FRESH);
    const { patch, ...others } = changes; // of one sequence only
    const codes = this.codes();
    const without = codes === "" ? null : await engine.evaluate(FRESH, others);
    if (this.wanted || this.refused !== "") return;
    this.say(`${this.ownWords()} ${numberWords(whole, without, codes, this.remembered.patched.size > 0)}`);
  }

  // The address holds what is shown.
  remember() {
    this.app.store.change({ lab: stateOf(this) });
  }

  // On the sequence itself, whether its tokens can be known or not.
  ownWords() {
    const { tokens, now } = this;
    const right = tokens.filter((token, i) => i > 0 && now.guesses[i - 1].token === token).length;
    return `Here ${right} of ${tokens.length - 1} next tokens are guessed right.`;
  }

  // "L0H1, the MLP of layer 1": what is switched off; "" where nothing is.
  codes() {
    const off = [...this.off].map((head) => this.code(head));
    const mlps = [...this.mlps].map((layer) => "the MLP of layer " + layer);
    const cuts = this.cut.map(
      ([head, query, key]) => `the look of ${this.code(head)} from ${query} at ${key}`,
    );
    return [...off, ...mlps, ...cuts].join(", ");
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
        this.reason.cell = null;
        this.drawAll();
        this.reason.show();
        this.remember();
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
    const layers = Array.from({ length: n_layers }, (_, layer) => layer);
    byId("lab-layers-off").replaceChildren(
      ...layers.map((layer) => this.toggle("Layer " + layer, () => this.toggleLayer(layer))),
      ...(this.model.mlps
        ? layers.map((layer) => this.toggle("MLP " + layer, () => this.toggleMlp(layer)))
        : []),
    );
  }

  /**
   * @param {string} text
   * @param {() => void} act
   */
  toggle(text, act) {
    const button = element("button", { type: "button", title: "Switch it off or on" }, text);
    button.addEventListener("click", () => {
      act();
      this.update();
    });
    return button;
  }

  /** @param {number} layer */
  toggleMlp(layer) {
    this.mlps.has(layer) ? this.mlps.delete(layer) : this.mlps.add(layer);
  }

  // With all its heads, and its MLP.
  /** @param {number} layer */
  toggleLayer(layer) {
    const { n_heads, mlps } = this.model;
    const heads = Array.from({ length: n_heads }, (_, head) => layer * n_heads + head);
    const on = heads.some((head) => !this.off.has(head));
    for (const head of heads) {
      on ? this.off.add(head) : this.off.delete(head);
    }
    if (mlps) on ? this.mlps.add(layer) : this.mlps.delete(layer);
  }

  drawAll() {
    const scale = this.app.look.scale();
    this.cells.forEach(({ cell, button, canvas, input }, head) => {
      drawPattern(canvas, this.now.patterns.pattern(head), scale);
      input.checked = !this.off.has(head);
      cell.classList.toggle("off", this.off.has(head));
      cell.classList.toggle("patched", this.remembered.patched.has(head));
      button.setAttribute("aria-pressed", String(head === this.head));
    });
    drawPattern(byId("lab-before"), this.before.patterns.pattern(this.head), scale);
    drawPattern(byId("lab-now"), this.now.patterns.pattern(this.head), scale);
    byId("lab-head").textContent = this.code(this.head);
    byId("lab-before-side").hidden = !this.changed;
    drawGuesses(this);
  }
}

/**
 * The numbers on fresh sequences. `without`: those without `codes`; null where nothing is switched off.
 *
 * @param {Evaluation} whole
 * @param {Evaluation | null} without
 * @param {string} codes
 * @param {boolean} patched whether heads write what they write on another sequence
 */
export function numberWords(whole, without, codes, patched) {
  const [right, loss] = [accuracy(whole), fixed(whole.loss)];
  const numbers = without
    ? `Without ${codes}: accuracy ${accuracy(without)} instead of ${right}, ` +
      `loss ${fixed(without.loss)} instead of ${loss}`
    : `The whole model: accuracy ${right}, loss ${loss}`;
  const alone = patched ? " What comes from A is not in these numbers." : "";
  return `${numbers}, on ${FRESH} fresh sequences.${alone}`;
}

/** @param {{ accuracy: number | null }} evaluation */
function accuracy({ accuracy }) {
  return accuracy === null ? "not defined" : fixed(accuracy);
}
