// Lessons 12 and 13: a small transformer, trained by the engine in the page. Both figures show the same one.

import { Scale } from "../../kit/scale.js";
import { element, elements, headCode } from "../../kit/text.js";
import { SharedTraining } from "../../model/training.js";

// The model of lesson 12, in single precision.
const CONFIG = {
  task: { name: "repeat", d_vocab: 32, n_ctx: 32 },
  model: { n_layers: 2, n_heads: 2, d_model: 32 },
  train: { batch: 32, learning_rate: 0.02, warmup: 50, steps: 1_000_000 },
};
const EVERY = 10; // steps between what is kept
export const STEPS = 400;

class Model {
  constructor() {
    /** @type {{ step: number; loss: number | null; accuracy: number; patterns: Patterns }[]} */
    this.kept = [];
    this.running = false;
    this.stopping = false;
    this.failed = "";
    /** @type {(() => void)[]} */
    this.watching = [];
  }

  get there() {
    return document.getElementById("lab-engine") !== null;
  }

  changed() {
    for (const watch of this.watching) watch();
  }

  async open() {
    if (this.training) return;
    this.training = new SharedTraining(1);
    this.made = await this.training.make(CONFIG);
    this.sequence = await this.engine.sequence(1);
    await this.keep(0, null);
  }

  get engine() {
    return this.training.first;
  }

  /** @param {Changes} [changes] */
  async look(changes) {
    const { patterns } = await this.engine.look(this.sequence.tokens, changes);
    return patterns;
  }

  /**
   * @param {number} step
   * @param {number | null} loss
   */
  async keep(step, loss) {
    const { accuracy } = await this.engine.evaluate(32);
    this.kept.push({ step, loss, accuracy, patterns: await this.look() });
    this.changed();
  }

  // Trains until the end, or until it is stopped after the next step that is kept.
  async train() {
    if (this.running) return;
    this.running = true;
    this.stopping = false;
    try {
      await this.open();
      for (let step = this.kept.at(-1).step; !this.stopping && step < STEPS;) {
        let loss = 0;
        for (const end = step + EVERY; step < end; ++step) ({ loss } = await this.training.step());
        await this.keep(step, loss);
      }
      this.failed = "";
    } catch (error) {
      this.failed = /** @type {Error} */ (error).message;
    }
    this.running = false;
    this.changed();
  }

  stop() {
    this.stopping = true;
  }

  get heads() {
    return this.made.n_layers * this.made.n_heads;
  }

  /** @param {number} head */
  code(head) {
    return headCode(head, this.made.n_heads);
  }
}
export const model = new Model();

/** @type {Scale | undefined} */
let made;
// The colours of all heatmaps of the project, which the book was given.
export function scale() {
  const { heat, unseen } = elements("main")[0].dataset;
  return (made ??= new Scale(heat.split(","), unseen, false));
}

/** @param {string} title */
export function patternBox(title) {
  const canvas = element("canvas", { class: "pattern" });
  const heading = element("h4", {}, title);
  return { canvas, heading, node: element("div", {}, heading, canvas) };
}
