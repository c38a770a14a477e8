// The switches of heads, layers and MLPs, and what is lost without those that are off.

import { allMarked, knownMark } from "../../kit/known.js";
import { element, setOptions, elements } from "../../kit/text.js";
import { sequenceButton } from "../web/selection.js";
import { numbersIn } from "./changes.js";
import { Remembered } from "./remembered.js";

/**
 * A switch, with its name for those who do not see where it stands.
 *
 * @param {string} name
 * @param {() => void} act
 */
function power(name, act) {
  const input = element("input", {
    type: "checkbox",
    role: "switch",
    class: "power",
    "aria-label": name + " is on",
    title: "Switch " + name + " off or on",
  });
  input.addEventListener("click", (event) => event.stopPropagation());
  input.addEventListener("change", act);
  return input;
}

/**
 * A head's switch, and the function that shows its state.
 *
 * @param {App} app
 * @param {number} head
 */
export function headSwitch({ run, without }, head) {
  const input = power(run.headCode(head), () => without.toggle("off", String(head)));
  const show = () => {
    input.hidden = run.without === undefined;
    input.checked = !without.off.includes(head);
  };
  return { input, show };
}

// The switches on the small pictures.
export class GridSwitches {
  /**
   * @param {HeadGrid} grid
   * @param {App} app
   */
  constructor(grid, app) {
    this.grid = grid;
    this.app = app;
    this.cells = grid.buttons.map((button, head) => {
      const { input, show } = headSwitch(app, head);
      const strike = element("span", { class: "strike" });
      const cell = element("div", { class: "switched" });
      button.replaceWith(cell);
      cell.append(button, strike, input);
      return { cell, strike, show };
    });
    grid.root.addEventListener("keydown", (event) => {
      const head = grid.buttons.indexOf(/** @type {HTMLButtonElement} */ (event.target));
      if (
        event.key.toLowerCase() !== "x" ||
        head < 0 ||
        !app.run.without ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey
      )
        return;
      app.without.toggle("off", String(head));
      event.preventDefault();
    });
  }

  show() {
    const { off, patch } = this.app.store.state;
    this.cells.forEach(({ cell, strike, show }, head) => {
      show();
      strike.style.aspectRatio = this.grid.canvases[head].style.aspectRatio;
      cell.classList.toggle("off", numbersIn(off).includes(head));
      cell.classList.toggle("patched", numbersIn(patch).includes(head));
    });
  }
}

// The switches of layers and MLPs, where there is an engine.
class LayerSwitches {
  /** @param {App} app */
  constructor({ run, store, live, without }) {
    this.root = element("div", { class: "controls layer-switches" });
    this.root.hidden = !live;
    /** @type {(() => void)[]} */
    this.shows = [];
    if (!live) return;
    for (let layer = 0; layer < run.n_layers; ++layer) {
      const on = () => without.layer(layer).on;
      this.add("Layer " + layer, on, () => without.toggleLayer(layer));
    }
    for (let layer = 0; layer < (run.mlps ? run.n_layers : 0); ++layer) {
      const on = () => !numbersIn(store.state.mlps).includes(layer);
      this.add("MLP " + layer, on, () => without.toggle("mlps", String(layer)));
    }
  }

  /**
   * @param {string} name
   * @param {() => boolean} on
   * @param {() => void} act
   */
  add(name, on, act) {
    const input = power(name, act);
    this.root.append(element("label", {}, name + " ", input));
    this.shows.push(() => (input.checked = on()));
  }
}

// What is lost, in a line, what takes the place of a head, and the heads of another sequence A.
export class WithoutPanel {
  /**
   * `marks`: whether the text of the sequence marks what is lost.
   *
   * @param {HTMLElement} root
   * @param {App} app
   * @param {HTMLElement} heads where the heads of the sequence stand
   * @param {{ marks?: boolean }} options
   */
  constructor(root, app, heads, { marks = false } = {}) {
    this.app = app;
    const { run, store, without } = app;
    this.root = root;
    this.line = element("p", { role: "status" });
    this.fresh = element("p", { class: "note fresh", role: "status" });
    this.ways = element("select");
    this.ways.addEventListener("change", () => store.change({ way: Number(this.ways.value) }));
    this.way = element("label", {}, "In place of what is off: ", this.ways);
    this.allOn = element("button", { type: "button" }, "Undo all changes");
    this.allOn.addEventListener("click", () => without.allOn());
    this.choices = element("div", { class: "controls" }, this.way, this.allOn);
    this.layers = new LayerSwitches(app);
    this.note = element(
      "p",
      { class: "note" },
      without.source.note,
      marks
        ? " In the sequence, a frame marks a token at which the prediction was right and is wrong now."
        : "",
    );
    this.elsewhere = element("div", {});
    this.remembered = new Remembered(app, heads);
    root.append(this.layers.root, this.line, this.fresh, this.elsewhere, this.choices, this.remembered.root);
    root.after(this.note);
    store.subscribe([], () => this.name(run));
  }

  /** @param {Run} run */
  name({ without }) {
    this.root.hidden = !without;
    if (!without) this.note.hidden = true;
    for (const node of elements(".switching")) {
      node.hidden = !without;
    }
    if (without)
      setOptions(
        this.ways,
        without.ways.map(([, text]) => text),
      );
  }

  show() {
    const { without, store, run } = this.app;
    const { changed } = without;
    if (!run.without) return;
    const missing = changed && !without.source.covers(store.state.sequence);
    const words = changed ? without.words() : this.invitation();
    const mark = without.result ? knownMark(run.evidence.off) : "";
    if (words !== null) this.line.replaceChildren(...allMarked([words], mark));
    const fresh = changed && words !== null ? without.fresh() : "";
    if (fresh !== null) this.fresh.textContent = fresh;
    this.elsewhere.replaceChildren(
      ...(missing ? sequenceButton(this.app, (_, i) => without.source.covers(i)) : []),
    );
    this.root.classList.toggle("active", changed);
    this.line.classList.toggle("note", !changed);
    this.choices.hidden = !changed;
    this.way.hidden = store.state.off + store.state.mlps === "";
    this.note.hidden = !changed;
    this.ways.value = String(store.state.way);
    for (const show of this.layers.shows) {
      show();
    }
    this.remembered.show();
  }

  invitation() {
    const sign = element("i", { class: "power-sign", "aria-hidden": "true" });
    const name = element("span", { class: "unseen" }, "its switch");
    return element("span", {}, "What is lost without a head? Switch it off with ", sign, name, ".");
  }
}
