// The model in training: where its heads look on a sequence of its task, and what it guesses there.

import { byId, element, fixed, headCode, sentence, visible } from "../kit/text.js";
import { drawPattern } from "../kit/pattern.js";

export class Watch {
  /** @param {App} app */
  constructor(app) {
    this.attach(app);
    /** @type {number[]} */
    this.tokens = [];
    /** @type {boolean[]} */
    this.predictable = []; // which of the next tokens can be known
    /** @type {Awaited<ReturnType<Engine["look"]>> | null} */
    this.now = null;
  }

  /** @param {App} app */
  attach({ look }) {
    this.look = look;
  }

  /**
   * Another model, on the first sequence of its task.
   *
   * @param {Engine} engine
   * @param {LabModel} model
   */
  async show(engine, model) {
    this.engine = engine;
    this.model = model;
    this.now = null;
    const { tokens, targets, predictable } = await engine.sequence(0);
    if (engine !== this.engine) return;
    this.tokens = tokens;
    this.predictable = tokens.map((_, i) => Boolean(predictable[i]) && targets[i] === tokens[i + 1]);
    const { n_layers, n_heads } = model;
    const names = Array.from({ length: n_layers * n_heads }, (_, head) => headCode(head, n_heads));
    byId("lab-head").replaceChildren(...names.map((name, head) => element("option", { value: head }, name)));
    this.canvases = names.map(() => element("canvas", { "aria-hidden": "true" }));
    byId("lab-grid").style.gridTemplateColumns = `repeat(${n_heads}, minmax(4.2rem, var(--thumb)))`;
    byId("lab-grid").replaceChildren(
      ...this.canvases.map((canvas, head) => element("div", {}, canvas, names[head])),
    );
    await this.update();
  }

  // The weights have changed.
  async update() {
    const { engine, tokens } = this;
    try {
      const now = await engine.look(tokens);
      if (engine !== this.engine) return;
      this.now = now;
      this.draw();
    } catch (error) {
      if (engine === this.engine)
        byId("lab-status").textContent = "No picture of the model: " + sentence(error);
    }
  }

  /** @param {number} token */
  text(token) {
    return visible(this.model.vocabulary[token]);
  }

  draw() {
    const { now, tokens } = this;
    if (!now) return;
    this.canvases.forEach((canvas, head) =>
      drawPattern(canvas, now.patterns.pattern(head), this.look.scale()),
    );
    byId("lab-tokens").replaceChildren(...tokens.map((token, position) => this.token(token, position)));
  }

  /**
   * A token, and below it the guess of the next: right or wrong where the sequence goes on.
   *
   * @param {number} token
   * @param {number} position
   */
  token(token, position) {
    const { token: guess, probability } = this.now.guesses[position];
    const next = this.tokens[position + 1];
    const kind = next === undefined ? "" : guess === next ? "right" : "wrong";
    const text = this.text(guess);
    const title = `position ${position}: ‘${text}’ with a probability of ${fixed(probability)}`;
    const below = element("i", { class: kind }, text);
    below.style.opacity = fixed(0.35 + 0.65 * probability);
    return element("span", { class: "lab-token", title }, element("b", {}, this.text(token)), below);
  }
}

/**
 * Which repetitions the model saw in training.
 *
 * @param {LabConfig} config
 */
export function ofShortPeriods({ task, train }) {
  if (task.name !== "repeat" || Number(train.steps) <= 1) return "";
  const shortest = Number(task.min_segment) || Math.floor(Number(task.n_ctx) / 4);
  return (
    ` In training no segment was shorter than ${shortest} tokens, so none came again within the ` +
    `first ${shortest}. A segment that comes again earlier is not of the kind that the model was trained on.`
  );
}
