// A sequence of one's own: typed, or drawn by the engine.

import { byId, element, visible } from "../../kit/text.js";
import { NOWHERE } from "./selection.js";
import { PLAYED, numbersIn } from "../views/changes.js";

/**
 * Whether a token is a letter; else it is a word between spaces.
 *
 * @param {string[]} vocabulary
 */
function spelt(vocabulary) {
  return vocabulary.every((text) => Array.from(text).length === 1);
}

/**
 * The texts of its tokens.
 *
 * @param {string} text
 * @param {string[]} vocabulary
 */
export function partsOf(text, vocabulary) {
  return spelt(vocabulary) ? Array.from(text) : text.split(/\s+/).filter((part) => part !== "");
}

/**
 * What can be typed: "A-Z a-z 0-9 + /", or words.
 *
 * @param {string[]} vocabulary
 */
export function known(vocabulary) {
  const shown = vocabulary.map(visible);
  if (!spelt(vocabulary)) return shown.slice(0, 8).join(" ") + (shown.length > 8 ? " …" : "");
  const code = (/** @type {number} */ i) => vocabulary[i]?.codePointAt(0);
  /** @type {string[]} */
  const runs = [];
  for (let from = 0, to = 0; from < vocabulary.length; from = to) {
    for (to = from + 1; code(to) === code(to - 1) + 1;) ++to;
    if (to - from > 2) runs.push(`${shown[from]}-${shown[to - 1]}`);
    else runs.push(...shown.slice(from, to));
  }
  return runs.join(" ");
}

/**
 * The tokens of a text, and what is wrong with it: "" if nothing is.
 *
 * @param {string} text
 * @param {string[]} vocabulary
 * @param {number} most
 */
export function readTokens(text, vocabulary, most) {
  const parts = partsOf(text, vocabulary);
  const tokens = parts.map((part) => vocabulary.indexOf(part));
  const unknown = tokens.indexOf(-1);
  const refused =
    unknown >= 0
      ? `The model has no token ‘${visible(parts[unknown])}’, only ${known(vocabulary)}. ` +
        "The pictures stay as they were."
      : tokens.length > most
        ? `The model reads ${most} tokens at most.`
        : tokens.length === 0
          ? "Type a token."
          : "";
  return { tokens, refused };
}

/**
 * The text that is read as these tokens.
 *
 * @param {number[]} tokens
 * @param {string[]} vocabulary
 */
export function textOf(tokens, vocabulary) {
  return tokens.map((id) => vocabulary[id]).join(spelt(vocabulary) ? "" : " ");
}

/**
 * The first half of a sequence of at most so many tokens, twice.
 *
 * @param {number[]} tokens
 * @param {number} most
 */
export function repeated(tokens, most) {
  const first = tokens.slice(0, Math.max(1, Math.floor(most / 2)));
  return [...first, ...first].slice(0, most);
}

/**
 * What `repeated` does, on a button.
 *
 * @param {number[]} tokens
 * @param {number} most
 */
export function repeatWords(tokens, most) {
  const kept = Math.max(1, Math.floor(most / 2));
  return tokens.length > kept ? `Repeat the first ${kept}` : "Repeat what I typed";
}

/**
 * What is asked of a typed sequence: the next tokens. One that came after the last earlier copy of a token
 * too can be known (own_example in src/application/run/examples.cpp).
 *
 * @param {number[]} tokens
 */
export function askedOf(tokens) {
  return {
    tokens,
    targets: tokens.map((_, i) => tokens[i + 1] ?? -1),
    predictable: tokens.map((token, i) => {
      const copy = i === 0 ? -1 : tokens.lastIndexOf(token, i - 1);
      return Number(copy >= 0 && i + 1 < tokens.length && tokens[copy + 1] === tokens[i + 1]);
    }),
  };
}

// The last entry of the choice of sequences, typed or drawn: run.own, when the engine has looked at it.
export class OwnSequence {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {number[] | null} */
    this.awaited = null; // what the engine looks at
    /** @type {Partial<State>} */
    this.place = {}; // where the reader looks in it then
    this.label = "";
    this.drawn = 0; // sequences that the engine drew
    app.store.subscribe(["tokens", ...PLAYED], () => this.follow());
  }

  // How many tokens the model reads.
  get most() {
    return Number(this.app.run.lab.config.task.n_ctx);
  }

  // The newest sequence, even while the pictures are of the one before.
  get tokens() {
    const { run, store } = this.app;
    return this.awaited ?? run.sequenceAt(store.state.sequence).tokens;
  }

  /**
   * @param {number[]} tokens
   * @param {Partial<State>} place
   * @param {string} label
   */
  put(tokens, place = {}, label = "what you typed") {
    this.awaited = tokens;
    this.place = place;
    this.label = label;
    this.app.store.change({ tokens: tokens.join() });
    this.follow();
  }

  // A sequence of the run's task.
  async another() {
    const { live } = this.app;
    try {
      await live.open();
      this.put((await live.engine.sequence(this.drawn++)).tokens, {}, "another sequence of the task");
    } catch (error) {
      live.fail(error);
    }
  }

  // Shows the sequence when all is known that the pictures show of it, so that they change once.
  follow() {
    const { awaited } = this;
    if (awaited === null) return;
    const { run, store, without } = this.app;
    const asked = askedOf(awaited);
    const whole = without.source.result(asked, {}, "typed");
    if (!whole || without.resultOf(asked, "typed, changed") === undefined) return;
    const view = { ...asked, label: this.label, keys: awaited, crossed: false, ...whole };
    run.own = { ...view, views: [view] };
    this.awaited = null;
    const { query, key, engine } = store.state;
    const fits = Math.max(query ?? 0, key ?? 0) < awaited.length;
    store.change({
      sequence: run.sequences.length,
      engine: engine + 1,
      ...(fits ? {} : NOWHERE),
      ...this.place,
    });
  }
}

// The text of the chosen sequence, to type over.
export class TypedField {
  /**
   * @param {"heads" | "predictions"} part
   * @param {App} app
   * @param {Awake} awake
   */
  constructor(part, app, awake) {
    const { run, store, own } = app;
    this.app = app;
    const root = byId(part + "-typing");
    root.hidden = own === null;
    if (own === null) return;
    this.input = element("input", {
      id: part + "-text",
      autocomplete: "off",
      autocapitalize: "off",
      spellcheck: "false",
    });
    this.refused = element("p", { class: "note refused", role: "status" });
    this.repeating = this.button("", () => this.repeat());
    root.append(
      element("label", {}, "Type over it ", this.input),
      this.button("Another sequence", () => own.another()),
      this.repeating,
      this.refused,
    );
    this.input.addEventListener("input", () => this.read((tokens) => own.put(tokens)));
    store.subscribe(["sequence", "tokens", "engine"], () => this.show(run.vocabulary), awake);
  }

  /**
   * @param {string} text
   * @param {() => void} act
   */
  button(text, act) {
    const button = element("button", { type: "button" }, text);
    button.addEventListener("click", act);
    return button;
  }

  /** @param {(tokens: number[]) => void} use */
  read(use) {
    const { run, own } = this.app;
    const { tokens, refused } = readTokens(this.input.value, run.vocabulary, own.most);
    this.refused.textContent = refused;
    if (refused === "") use(tokens);
  }

  // What is refused is no sequence to repeat.
  repeat() {
    const { own } = this.app;
    this.read((tokens) => own.put(repeated(tokens, own.most)));
  }

  // A text that is being typed stays as it is, with its caret.
  /** @param {string[]} vocabulary */
  show(vocabulary) {
    const { live, own } = this.app;
    const { input } = this;
    if (live.failed !== "") this.refused.textContent = `The pictures stay as they were: ${live.why}.`;
    this.repeating.textContent = repeatWords(own.tokens, own.most);
    const { tokens, refused } = readTokens(input.value, vocabulary, own.most);
    const typing = document.activeElement === input;
    if (typing && (refused !== "" || tokens.join() === own.tokens.join())) return;
    input.value = textOf(own.tokens, vocabulary);
    if (live.failed === "") this.refused.textContent = "";
  }
}

/**
 * The tokens in an address; null where the model does not read them.
 *
 * @param {string | null} address
 * @param {string[]} vocabulary
 * @param {number} most
 */
export function tokensInAddress(address, vocabulary, most) {
  if (!/^\d+(,\d+)*$/.test(address ?? "")) return null;
  const tokens = numbersIn(address);
  return tokens.length <= most && tokens.every((id) => id < vocabulary.length) ? tokens : null;
}
