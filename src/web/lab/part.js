// The part "Lab": the run's model to play with, and models of one's own.

import { byId, elements, fixed, sentence } from "../kit/text.js";
import { decoded } from "../kit/compress.js";
import { SharedTraining } from "../model/training.js";
import { originIn, originOf, sameOrigin } from "./address.js";
import { Watch, ofShortPeriods } from "./watch.js";
import { LiveCertificate } from "./claims.js";
import { drawCurves } from "./curve.js";
import { Form, differences, refusal } from "./form.js";
import { Rival } from "./rival.js";
import { Saving } from "./saving.js";

const DRAWN_EVERY = 150; // milliseconds between pictures while training
const MOST_KEPT = 200; // steps to go back to
const MEASURED = 16; // sequences, for the accuracy along training
const WORKERS = Math.max(1, Math.min(2, navigator.hardwareConcurrency ?? 1));

export class LabPart {
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
    /** @type {SharedTraining | null} */
    this.opening = null; // whose model is being made
    this.running = false;
    this.byHand = false;
    /** @type {LabModel | null} */
    this.model = null;
    /** @type {{ step: number; loss: number } | null} */
    this.last = null;
    this.base = 0; // the step from which the engine counts
    /** @type {number | null} */
    this.back = null; // the kept step that is shown instead of the last
    /** @type {{ step: number; loss: number; accuracy: number | null }[]} */
    this.curve = [];
    /** @type {{ step: number; weights: Uint8Array }[]} */
    this.kept = [];
    const engine = () => this.training.first;
    /** @type {string[] | null} */
    this.settings = null; // what a link needs to make the model again; null: no link can
    this.watch = new Watch(app);
    this.certificate = new LiveCertificate(engine, () => (this.rival.training ? "The first model: " : ""));
    this.rival = new Rival(app);
    this.form = new Form(run.lab);
    app.store.subscribe(["tab"], ({ tab }) => tab === "lab" && !this.training && this.openFirst());
    app.store.subscribe(["scale", "view"], ({ tab }) => tab === "lab" && this.watch.draw());
    app.store.subscribe(["lab"], ({ lab }) => {
      if (this.model && lab !== "" && !sameOrigin(lab, this.origin())) this.openAddress(lab);
    });
    byId("lab-open").addEventListener("click", () => this.openRun());
    byId("lab-new").addEventListener("click", () => this.openNew());
    byId("lab-second").addEventListener("click", () => this.openSecond());
    byId("lab-start").addEventListener("click", () => (this.running ? this.pause() : this.train()));
    byId("lab-step").addEventListener("click", () => this.step());
    byId("lab-rewind").addEventListener("change", () => this.rewind(Number(byId("lab-rewind").value)));
    byId("lab-hand").addEventListener("click", () => this.openHand());
    for (const id of ["lab-first", "lab-later", "lab-output", "lab-broken"]) {
      byId(id).addEventListener("change", () => this.byHand && this.openHand());
    }
    new Saving(this);
  }

  /**
   * Makes a model. What was there before stays until this one is made, and if it is refused.
   *
   * @param {(training: SharedTraining) => Promise<LabModel>} make
   * @param {Opened} what
   */
  async open(make, { words, workers = WORKERS, settings = null, byHand = false, step = 0 }) {
    this.pause();
    const training = new SharedTraining(workers);
    this.opening = training;
    byId("lab-refused").textContent = "";
    if (!this.training) byId("lab-status").textContent = "The engine is being made ready.";
    try {
      const model = await make(training);
      const { fused, version } = await training.first.about();
      if (training !== this.opening) return training.stop("another model was made");
      this.training?.stop("another model was made");
      this.rival.close();
      Object.assign(this, {
        training,
        model,
        settings,
        byHand,
        base: step,
        last: null,
        back: null,
        curve: [],
        kept: [],
      });
      this.certificate.clear();
      byId("lab-training").textContent = "";
      byId("lab-what").textContent = words;
      byId("lab-status").title = version;
      byId("lab-status").textContent = fused
        ? "The engine runs in this page, with the same bits as in the terminal."
        : "The engine runs in this page. This browser has no fused multiply-add, so last digits may differ " +
          "from those of the terminal.";
      this.buttons();
      drawCurves([this.curve]);
      await this.watch.show(training.first, model);
      this.remember();
    } catch (error) {
      if (training === this.training) this.fail(error);
      else this.refuse(training, error);
    }
  }

  /**
   * @param {SharedTraining} training
   * @param {unknown} error
   */
  refuse(training, error) {
    training.stop("it was refused");
    if (training !== this.opening) return;
    if (!this.training) return this.fail(error);
    byId("lab-refused").textContent = "No new model: " + this.said(error) + " The model stays as it was.";
  }

  /** @param {unknown} error */
  said(error) {
    return refusal(error, this.app.run.lab.config, this.form.fields);
  }

  /** @param {unknown} error */
  fail(error) {
    byId("lab-status").textContent = "This does not work here: " + sentence(error);
    this.pause();
  }

  // The model that was saved with the page, or what a link asks for, or the run's.
  async openFirst() {
    await null; // until the address was read
    const { kept } = this.app.run.lab;
    const { lab } = this.app.store.state;
    if (kept) {
      this.form.put(kept.settings);
      return this.openWeights(kept, `The model that was saved with this page. ${kept.words}`, kept.step);
    }
    return originIn(lab).settings === null ? this.openRun() : this.openAddress(lab);
  }

  /**
   * The model that an address asks for.
   *
   * @param {string} lab
   */
  async openAddress(lab) {
    const { settings, step } = originIn(lab);
    if (settings === null) return this.openRun();
    this.form.put(settings);
    await this.openNew();
    if (step > 0) await this.train(step);
  }

  openRun() {
    const { lab, title } = this.app.run;
    this.form.put([]);
    return this.openWeights(
      lab,
      `The model that this page was made of: ${title}.${ofShortPeriods(lab.config)}`,
    );
  }

  /**
   * @param {{ config: LabConfig; weights: string }} saved
   * @param {string} words
   */
  openWeights({ config, weights }, words, step = 0) {
    return this.open(
      async (training) => {
        const model = await training.make(config);
        await training.setWeights(decoded(weights));
        return model;
      },
      { words, step },
    );
  }

  openNew() {
    const { chosen, words, settings } = this.form.chosen();
    return this.open((training) => training.make(chosen), { words: `A new model, with ${words}.`, settings });
  }

  // What a link needs to make this model again; "" where it cannot.
  origin() {
    return this.settings === null ? "" : originOf(this.settings.join(), String(this.last?.step ?? 0));
  }

  remember() {
    this.app.store.change({ lab: this.origin() });
  }

  // What the model is, for who opens a page that was saved.
  words() {
    return byId("lab-what").textContent + " " + byId("lab-training").textContent;
  }

  // Beside the first, with the choices as they are now; both begin anew.
  async openSecond() {
    const { chosen } = this.form.chosen();
    const first = this.model.config;
    const both = "Two new models, to be trained in step.";
    await this.open((training) => training.make(first), { words: both, workers: 1 });
    await this.rival.open(chosen, (second) => differences(this.form.fields, second, first));
    this.buttons();
  }

  openHand() {
    const scales = ["lab-first", "lab-later", "lab-output"].map(
      (id) => 2 ** Number(/** @type {HTMLInputElement} */ (byId(id)).value),
    );
    const input = { broken: byId("lab-broken").value, scales };
    const words = "The induction transformer whose weights were set by hand.";
    return this.open((training) => training.first.makeByHand(input), {
      words,
      workers: 1,
      byHand: true,
    });
  }

  buttons() {
    byId("lab-start").textContent = this.running ? "❚❚ Pause" : "▶ Train";
    byId("lab-step").disabled = this.running;
    const slider = byId("lab-rewind");
    slider.max = String(Math.max(0, this.kept.length - 1));
    slider.value = slider.max;
    slider.disabled = this.running || this.kept.length < 2 || this.rival.training !== null;
  }

  pause() {
    this.running = false;
    this.buttons();
  }

  async train(until = Infinity) {
    this.running = true;
    this.buttons();
    const { training } = this;
    let drawn = 0;
    while (this.running && training === this.training && (this.last?.step ?? 0) < until) {
      if (!(await this.one(training))) return;
      if (performance.now() - drawn < DRAWN_EVERY) continue;
      await this.picture();
      drawn = performance.now();
    }
    if (training === this.training) {
      this.running = false;
      await this.picture();
    }
    this.buttons();
  }

  async step() {
    if (await this.one(this.training)) await this.picture();
    this.buttons();
  }

  /** @param {SharedTraining} training */
  async one(training) {
    this.leaveBack();
    try {
      const [report] = await Promise.all([training.step(), this.rival.step()]);
      this.last = { ...report, step: this.base + report.step };
      return true;
    } catch (error) {
      if (training !== this.training) return false;
      byId("lab-training").textContent = "No further step: " + this.said(error); // where its button is
      this.pause();
      return false;
    }
  }

  async picture() {
    const { training, last } = this;
    if (this.kept.length === 0 || this.kept.at(-1).step !== last.step) {
      const { accuracy } = await training.first.evaluate(MEASURED);
      this.curve.push({ step: last.step, loss: last.loss, accuracy });
      this.kept.push({ step: last.step, weights: await training.first.weights() });
      if (this.kept.length > MOST_KEPT) this.kept = this.kept.filter((_, i) => i % 2 === 1);
      byId("lab-training").textContent =
        `Step ${last.step}: loss ${fixed(last.loss)}` +
        (accuracy === null ? "." : `, accuracy ${fixed(accuracy)} on ${MEASURED} fresh sequences.`);
      await this.rival.picture(this.watch.tokens);
    }
    drawCurves(this.rival.curve.length > 0 ? [this.curve, this.rival.curve] : [this.curve]);
    await this.watch.update();
    this.remember();
  }

  // Training goes on from the kept step that is shown; what came after it is gone.
  leaveBack() {
    if (this.back === null) return;
    this.kept = this.kept.slice(0, this.back + 1);
    this.base = this.kept[this.back].step;
    this.curve = this.curve.filter(({ step }) => step <= this.base);
    this.back = null;
  }

  // The weights of a kept step. From there an optimizer begins anew.
  /** @param {number} index */
  async rewind(index) {
    this.back = index;
    this.settings = null;
    const { step, weights } = this.kept[index];
    this.certificate.clear();
    await this.training.setWeights(weights);
    byId("lab-training").textContent =
      `The weights of step ${step}. Training goes on from here, with an optimizer that begins anew.`;
    await this.watch.update();
    this.remember();
  }
}
