// The part "Lab": the run's model to play with, and models of one's own.

import { byId, elements, headCode, sentence } from "../kit/text.js";
import { decoded } from "../kit/compress.js";
import { SharedTraining } from "../model/training.js";
import { originIn, originOf, sameOrigin } from "./address.js";
import { Watch, ofShortPeriods } from "./watch.js";
import { ByHand } from "./by_hand.js";
import { Course } from "./course.js";
import { Form, differences, refusal } from "./form.js";
import { History } from "./history.js";
import { Renewal } from "./renewal.js";
import { Rival } from "./rival.js";
import { Saving } from "./saving.js";
import { Shelf } from "./shelf.js";

const WORKERS = Math.max(1, Math.min(2, navigator.hardwareConcurrency ?? 1));

/**
 * @param {LabConfig} config
 * @param {Uint8Array} weights
 * @returns {(training: SharedTraining) => Promise<LabModel>}
 */
function withWeights(config, weights) {
  return async (training) => {
    const model = await training.make(config);
    await training.setWeights(weights);
    return model;
  };
}

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
    this.byHand = false;
    /** @type {LabModel | null} */
    this.model = null;
    /** @type {Promise<void> | null} */
    this.first = null; // when the first model was made
    this.title = ""; // what the page calls the model
    /** @type {string[] | null} */
    this.settings = null; // what a link needs to make the model again; null: no link can
    this.watch = new Watch(app);
    this.rival = new Rival(app);
    this.form = new Form(run.lab);
    this.course = new Course(this);
    this.renewal = new Renewal(app);
    this.shelf = new Shelf((trained) => this.openTrained(trained));
    this.subscribe();
    byId("lab-open").addEventListener("click", () => this.openRun());
    byId("lab-new").addEventListener("click", () => this.openNew());
    byId("lab-second").addEventListener("click", () => this.openSecond());
    byId("lab-without").addEventListener("click", () => this.openWithout(Number(byId("lab-head").value)));
    byId("lab-rival-take").addEventListener("click", () => this.openRival());
    this.byHandModel = new ByHand(this);
    new Saving(this);
  }

  // The page was opened anew, on another run; the lab is what stays.
  /** @param {App} app */
  attach(app) {
    this.app = app;
    this.renewal.attach(app);
    this.watch.attach(app);
    this.rival.app = app;
    this.subscribe();
  }

  subscribe() {
    const { store } = this.app;
    store.subscribe(["tab"], ({ tab }) => tab === "lab" && this.openFirst());
    store.subscribe(["scale", "view"], ({ tab }) => tab === "lab" && this.watch.draw());
    store.subscribe(["lab"], ({ lab }) => {
      if (lab === "") return;
      if (!this.model) this.openFirst();
      else if (!sameOrigin(lab, this.origin())) this.openAddress(lab);
    });
  }

  /**
   * Makes a model. What was there before stays until this one is made, and if it is refused; what was trained
   * can be taken again.
   *
   * @param {(training: SharedTraining) => Promise<LabModel>} make
   * @param {Opened} what
   */
  async open(
    make,
    { words, title, workers = WORKERS, settings = null, byHand = false, trained, history = null },
  ) {
    this.course.pause();
    await this.course.trained;
    const training = new SharedTraining(workers);
    this.opening = training;
    for (const id of ["lab-refused", "lab-hand-said"]) byId(id).textContent = "";
    const status = byId("lab-status").textContent;
    byId("lab-status").textContent = this.training
      ? "The model is being made."
      : "The engine is being made ready.";
    try {
      const model = await make(training);
      const { fused, version } = await training.first.about();
      if (training !== this.opening) return training.stop("another model was made");
      this.training?.stop("another model was made");
      this.leave(history);
      Object.assign(this, { training, model, settings, byHand, title });
      this.course.reset(history ?? History.of(await training.first.weights(), trained));
      byId("lab-what").textContent = words;
      byId("lab-status").title = version;
      byId("lab-status").textContent = fused
        ? "The engine runs in this page, with the same bits as in the terminal."
        : "The engine runs in this page. This browser has no fused multiply-add, so last digits may differ " +
          "from those of the terminal.";
      await this.watch.show(training.first, model);
      this.remember();
    } catch (error) {
      if (training === this.training) return this.fail(error);
      byId("lab-status").textContent = status;
      this.refuse(training, error);
    }
  }

  heads() {
    const { n_layers, n_heads } = this.model;
    return Array.from({ length: n_layers * n_heads }, (_, head) => headCode(head, n_heads));
  }

  // The present model, and the second of a race.
  /** @param {History | null} opened the training that goes on */
  leave(opened) {
    const { config, title, history } = this.rival;
    const present = { config: this.model?.config, title: this.title, history: this.course.history };
    this.shelf.drop(opened);
    for (const one of [present, { config, title, history }]) {
      if (one.history !== opened) this.shelf.keep(one);
    }
    this.rival.close();
  }

  /**
   * @param {SharedTraining} training
   * @param {unknown} error
   */
  refuse(training, error) {
    training.stop("it was refused");
    if (training !== this.opening) return;
    if (!this.training) return this.fail(error);
    byId("lab-refused").textContent = "No new model: " + this.reason(error) + " The model stays as it was.";
  }

  /** @param {unknown} error */
  reason(error) {
    return refusal(error, this.app.run.lab.config, this.form.fields);
  }

  /** @param {unknown} error */
  fail(error) {
    byId("lab-status").textContent = "This does not work here: " + sentence(error);
    this.course.pause();
  }

  // What a link asks for, or the run's; once.
  openFirst() {
    const open = async () => {
      await null; // until the address was read
      const { lab } = this.app.store.state;
      return originIn(lab).settings === null ? this.openRun() : this.openAddress(lab);
    };
    this.first ??= open();
    return this.first;
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
    if (step > 0) await this.course.begin(step);
  }

  // The model that the page came with.
  async openRun() {
    const { lab, title } = this.app.original;
    this.form.put([]);
    const words = `The model that this page was made of: ${title}.${ofShortPeriods(lab.config)}`;
    await this.open(withWeights(lab.config, decoded(lab.weights)), { words, title, trained: lab });
    this.renewal.stop();
    this.renewal.say("");
    if (this.app.data !== this.app.original) this.app.reopen(this.app.original);
  }

  async openNew() {
    const { chosen, words, settings } = this.form.chosen();
    const title = `a new model with ${words}`;
    await this.open((training) => training.make(chosen), {
      words: `A new model, with ${words}.`,
      title,
      settings,
    });
    this.renew();
  }

  // A model that was trained in this page before.
  /** @param {import("./shelf.js").Trained} trained */
  async openTrained({ config, title, history }) {
    const { step, weights } = history.resume();
    this.form.show(config);
    await this.open(withWeights(config, weights), {
      words: `This is ${title}, at step ${step}. Training goes on with an optimizer that begins anew.`,
      title,
      history,
    });
    this.renew();
  }

  // The second model of a race, instead of the first.
  openRival() {
    const { config, title, history } = this.rival;
    return this.openTrained({ config, title, history });
  }

  // All parts of the page follow the model as it is, when it rests.
  renew() {
    const { config } = this.model;
    const { telling } = this.course.history;
    const { step } = telling.at(-1);
    this.renewal.begin(config, telling, step > 0 ? `${this.title}, step ${step}` : this.title);
  }

  // What a link needs to make this model again; "" where it cannot.
  origin() {
    return this.settings === null ? "" : originOf(this.settings.join(), String(this.course.steps));
  }

  remember() {
    this.app.store.change({ lab: this.origin() });
  }

  // Beside the first, with the choices as they are now; both begin anew.
  async openSecond() {
    const { chosen } = this.form.chosen();
    const first = this.model.config;
    const both = "Two new models, to be trained in step. Solid: this one, the first.";
    await this.open((training) => training.make(first), {
      words: both,
      title: "the first of two models",
      workers: 1,
    });
    const second = (/** @type {SharedTraining} */ training) => training.make(chosen);
    const title = (/** @type {LabConfig} */ second) => {
      this.title = `a model with ${differences(this.form.fields, first, second)}`;
      return `a model with ${differences(this.form.fields, second, first)}`;
    };
    await this.rival.open(second, title, this.watch.tokens);
    this.course.ready();
  }

  // The present model from the step that is shown, and beside it the same one without a head.
  /** @param {number} head */
  async openWithout(head) {
    const { title } = this;
    const history = this.course.history.shown;
    const name = headCode(head, this.model.n_heads);
    const { step, weights } = history.kept.at(-1);
    const make = withWeights(this.model.config, weights);
    await this.open(make, {
      words:
        `From step ${step} twice, on the same sequences, with optimizers that begin anew. Solid: this one. ` +
        `In the other ${name} writes nothing.`,
      title,
      workers: 1,
      history,
    });
    const silenced = async (/** @type {SharedTraining} */ training) => {
      const model = await make(training);
      await training.first.silence([head]);
      return model;
    };
    const without = `${title}, from step ${step} without ${name}`;
    await this.rival.open(silenced, () => without, this.watch.tokens, history.shown);
    this.course.ready();
  }
}
