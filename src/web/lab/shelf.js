// The models that were trained in this page before the present one: another model takes none of them away.

import { byId, element } from "../kit/text.js";

/** @typedef {import("./history.js").History} History */
/** @typedef {{ config: LabConfig; title: string; history: History }} Trained */

export class Shelf {
  /** @param {(model: Trained) => void} take what a press on a model's name does */
  constructor(take) {
    this.take = take;
    /** @type {Trained[]} */
    this.models = [];
  }

  // Keeps a model, if it was trained here.
  /** @param {Trained} model */
  keep(model) {
    const { history } = model;
    if (history.kept.length < 2) return;
    history.thin();
    this.models.push(model);
    this.show();
  }

  // It is the present one now.
  /** @param {History | null} opened */
  drop(opened) {
    this.models = this.models.filter(({ history }) => history !== opened);
    this.show();
  }

  show() {
    byId("lab-shelf").hidden = this.models.length === 0;
    byId("lab-shelf-models").replaceChildren(...this.models.map((model) => this.button(model)));
  }

  /** @param {Trained} model */
  button(model) {
    const { title, history } = model;
    const button = element("button", { type: "button" }, `${title}, step ${history.kept.at(-1).step}`);
    button.addEventListener("click", () => this.take(model));
    return button;
  }
}
