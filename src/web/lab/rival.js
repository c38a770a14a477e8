// A second model beside the first, trained in step with it.

import { byId, element, fixed, sentence } from "../kit/text.js";
import { SharedTraining } from "../model/training.js";
import { drawPattern } from "../kit/pattern.js";

export class Rival {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {SharedTraining | null} */
    this.training = null;
    /** @type {{ step: number; loss: number; accuracy: number | null }[]} */
    this.curve = [];
  }

  close() {
    this.training?.stop("the second model was closed");
    this.training = null;
    this.curve = [];
    byId("lab-rival").hidden = true;
  }

  /**
   * @param {object} config
   * @param {(config: LabConfig) => string} words in what the model's config differs from the first's
   */
  async open(config, words) {
    this.training = new SharedTraining(1);
    byId("lab-rival").hidden = false;
    try {
      const { config: whole } = await this.training.make(config);
      byId("lab-rival-words").textContent = `Dashed, with ${words(whole)}.`;
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
      ...this.canvases.map((canvas, head) =>
        element("div", {}, canvas, `L${Math.floor(head / n_heads)}H${head % n_heads}`),
      ),
    );
  }

  async step() {
    if (this.training) this.last = await this.training.step();
  }

  /** @param {number[]} tokens */
  async picture(tokens) {
    if (!this.training) return;
    const { first } = this.training;
    const { accuracy } = await first.evaluate(16);
    this.curve.push({ step: this.last.step, loss: this.last.loss, accuracy });
    byId("lab-rival-training").textContent =
      `Step ${this.last.step}: loss ${fixed(this.last.loss)}` +
      (accuracy === null ? "." : `, accuracy ${fixed(accuracy)}.`);
    const { patterns } = await first.look(tokens);
    this.canvases.forEach((canvas, head) =>
      drawPattern(canvas, patterns.pattern(head), this.app.look.scale()),
    );
  }
}
