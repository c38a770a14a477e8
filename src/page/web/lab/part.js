// The part "Lab": the run's model to play with, and models of one's own.

const { byId, elements, fixed, svgElement } = headlight.text;
const { SharedTraining } = headlight.lab;
const { Play } = headlight.lab_play;

const DRAWN_EVERY = 150; // milliseconds between pictures while training
const WORKERS = Math.max(1, Math.min(2, navigator.hardwareConcurrency ?? 1));

class LabPart {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    const { run } = app;
    const absent = !run.lab;
    elements("nav [data-tab=lab]")[0].hidden = absent;
    byId("part-lab").hidden = absent;
    if (absent) return;
    /** @type {SharedTraining | null} */
    this.training = null;
    this.running = false;
    /** @type {{ step: number; loss: number; accuracy: number | null }[]} */
    this.curve = [];
    this.play = new Play(app, () => this.training.first);
    app.store.subscribe(["tab"], ({ tab }) => tab === "lab" && !this.training && this.openRun());
    app.store.subscribe(["scale", "view"], ({ tab }) => tab === "lab" && this.play.now && this.play.update());
    byId("lab-open").addEventListener("click", () => this.openRun());
    byId("lab-new").addEventListener("click", () => this.openNew());
    byId("lab-start").addEventListener("click", () => (this.running ? this.pause() : this.train()));
    byId("lab-step").addEventListener("click", () => this.step());
  }

  /**
   * @param {object} config
   * @param {string} words
   */
  async make(config, words) {
    this.pause();
    this.training?.stop("another model was made");
    this.training = new SharedTraining(WORKERS);
    this.curve = [];
    byId("lab-status").textContent = "The engine is being made ready.";
    try {
      const model = await this.training.make(config);
      return model;
    } catch (error) {
      this.fail(error);
      return null;
    } finally {
      byId("lab-what").textContent = words;
    }
  }

  /** @param {unknown} error */
  fail(error) {
    byId("lab-status").textContent = "This does not work here: " + /** @type {Error} */ (error).message;
    this.running = false;
    this.buttons();
  }

  async openRun() {
    const { lab, title } = this.app.run;
    const model = await this.make(lab.config, `The model of the run ${title}.`);
    if (!model) return;
    const weights = Uint8Array.from(atob(lab.weights), (letter) => letter.charCodeAt(0));
    try {
      await Promise.all(this.training.engines.map((engine) => engine.call("set_weights", weights)));
    } catch (error) {
      return this.fail(error);
    }
    await this.ready(model);
  }

  async openNew() {
    /** @type {(id: string) => number} */
    const number = (id) => Number(/** @type {HTMLInputElement} */ (byId(id)).value);
    const { config } = this.app.run.lab;
    const chosen = structuredClone(config);
    Object.assign(chosen.model, {
      n_layers: number("lab-layers"),
      n_heads: number("lab-heads"),
      positions: byId("lab-positions").value,
      d_head: 0,
    });
    Object.assign(chosen.train, {
      seed: number("lab-seed"),
      learning_rate: number("lab-rate"),
      steps: 100000,
    });
    const sizes = `${chosen.model.n_layers} layers of ${chosen.model.n_heads} heads`;
    const model = await this.make(chosen, `A new model of ${sizes}. It knows nothing yet.`);
    if (model) await this.ready(model);
  }

  /** @param {LabModel} model */
  async ready(model) {
    const { fused, version } = await this.training.first.ask("about");
    byId("lab-status").textContent = fused
      ? "The engine runs in this page, with the same bits as in the terminal."
      : "The engine runs in this page. This browser has no fused multiply-add, so last digits may differ " +
        "from those of the terminal.";
    byId("lab-status").title = version;
    this.buttons();
    this.drawCurve();
    await this.play.show(model);
  }

  buttons() {
    byId("lab-start").textContent = this.running ? "❚❚ Pause" : "▶ Train";
    byId("lab-step").disabled = this.running;
  }

  pause() {
    this.running = false;
    this.buttons();
  }

  async train() {
    this.running = true;
    this.buttons();
    const { training } = this;
    let drawn = 0;
    while (this.running && training === this.training) {
      if (!(await this.one(training))) return;
      if (performance.now() - drawn < DRAWN_EVERY) continue;
      await this.picture();
      drawn = performance.now();
    }
    if (training === this.training) await this.picture();
  }

  async step() {
    if (await this.one(this.training)) await this.picture();
  }

  /** @param {SharedTraining} training */
  async one(training) {
    try {
      this.last = await training.step();
      return true;
    } catch (error) {
      if (training === this.training) this.fail(error);
      return false;
    }
  }

  async picture() {
    const { training, last } = this;
    const { accuracy } = await training.first.ask("evaluate", {}, 16);
    this.curve.push({ step: last.step, loss: last.loss, accuracy });
    byId("lab-training").textContent =
      `Step ${last.step}: loss ${fixed(last.loss)}` +
      (accuracy === null ? "." : `, accuracy ${fixed(accuracy)} on 16 fresh sequences.`);
    this.drawCurve();
    await this.play.update();
  }

  // Loss from its first value down to 0, accuracy from 0 to 1, and the step at which half was right.
  drawCurve() {
    const width = 640;
    const height = 130;
    const svg = svgElement("svg", {
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": "Training",
    });
    byId("lab-curve").replaceChildren(svg);
    if (this.curve.length < 2) return;
    const end = this.curve.at(-1).step;
    const most = Math.max(...this.curve.map(({ loss }) => loss));
    /** @type {(step: number) => number} */
    const x = (step) => (step / end) * (width - 20) + 10;
    /** @type {(share: number) => number} */
    const y = (share) => height - 12 - share * (height - 24);
    /** @type {(kind: string, shares: number[]) => void} */
    const line = (kind, shares) => {
      const points = shares.map((share, i) => `${fixed(x(this.curve[i].step))},${fixed(y(share))}`);
      svg.append(svgElement("polyline", { class: kind, points: points.join(" ") }));
    };
    line(
      "loss",
      this.curve.map(({ loss }) => loss / most),
    );
    line(
      "accuracy",
      this.curve.map(({ accuracy }) => accuracy ?? 0),
    );
    const formed = this.curve.find(({ accuracy }) => accuracy >= 0.5);
    if (!formed) return;
    svg.append(
      svgElement("line", { class: "formed", x1: x(formed.step), x2: x(formed.step), y1: 0, y2: height }),
      svgElement("text", { x: x(formed.step) + 4, y: 12 }, "half is right: step " + formed.step),
    );
  }
}

/** @typedef {typeof names} Names */
const names = { LabPart };
headlight.lab_part = names;
