// A second model beside the first, trained in step with it.

import { byId, element, fixed, headCode, sentence } from "../kit/text.js";
import { SharedTraining } from "../model/training.js";
import { drawPattern } from "../kit/pattern.js";
import { History } from "./history.js";

export class Rival {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {SharedTraining | null} */
    this.training = null;
    /** @type {LabConfig} */
    this.config = {};
    this.title = "";
    this.history = new History(); // empty where there is no second model
  }

  close() {
    this.training?.stop("the second model was closed");
    this.training = null;
    this.history = new History();
    byId("lab-rival").hidden = true;
  }

  /**
   * @param {(training: SharedTraining) => Promise<LabModel>} make
   * @param {(config: LabConfig) => string} title what the page calls it, by the config that was made
   * @param {number[]} tokens on which its heads are shown
   * @param {History | null} history of the training that goes on, where there was one
   */
  async open(make, title, tokens, history = null) {
    this.training = new SharedTraining(1);
    byId("lab-rival").hidden = false;
    try {
      const { config } = await make(this.training);
      this.config = config;
      this.title = title(config);
      this.history = history ?? History.of(await this.training.first.weights());
      byId("lab-rival-words").textContent = `Dashed: ${this.title}.`;
    } catch (error) {
      this.close();
      byId("lab-refused").textContent = "No second model: " + sentence(error);
      return;
    }
    const { n_layers, n_heads } = this.training.first.model;
    this.canvases = Array.from({ length: n_layers * n_heads }, () => element("canvas"));
    const grid = byId("lab-rival-grid");
    grid.style.gridTemplateColumns = `repeat(${n_heads}, minmax(4.2rem, var(--thumb)))`;
    grid.replaceChildren(
      ...this.canvases.map((canvas, head) => element("div", {}, canvas, headCode(head, n_heads))),
    );
    await this.draw(tokens);
  }

  /** @param {number[]} tokens */
  async draw(tokens) {
    const { patterns } = await this.training.first.look(tokens);
    this.canvases.forEach((canvas, head) =>
      drawPattern(canvas, patterns.pattern(head), this.app.look.scale()),
    );
  }

  async step() {
    if (this.training) this.last = await this.training.step();
  }

  /**
   * @param {number[]} tokens
   * @param {number} seconds of training so far
   */
  async picture(tokens, seconds) {
    if (!this.training) return;
    const { first } = this.training;
    const { accuracy } = await first.evaluate(16);
    const step = this.history.base + this.last.step;
    const { loss } = this.last;
    this.history.keep({ step, seconds, loss, accuracy, weights: await first.weights() });
    byId("lab-rival-training").textContent =
      `Step ${step}: loss ${fixed(loss)}` + (accuracy === null ? "." : `, accuracy ${fixed(accuracy)}.`);
    await this.draw(tokens);
  }
}
