// The training of the lab's model: its steps, its pictures along the way, and the way back.

import { byId, fixed } from "../kit/text.js";
import { drawCurves, raceInWords } from "./curve.js";
import { History, KEPT_EVERY } from "./history.js";

const DRAWN_EVERY = 250; // milliseconds between pictures while training, beside those of kept steps
const AT_ONCE = 500; // steps, in which the demo's heads form; as many as the page's run had, if it had more
const MEASURED = 16; // sequences, for the accuracy along training

export class Course {
  /** @param {import("./part.js").LabPart} part */
  constructor(part) {
    this.part = part;
    this.running = false;
    /** @type {{ step: number; loss: number } | null} */
    this.last = null;
    this.said = "";
    this.trained = Promise.resolve(); // when no step is taken any more
    this.history = new History();
    byId("lab-start").addEventListener("click", () => (this.running ? this.pause() : this.begin()));
    byId("lab-step").addEventListener("click", () => this.step());
    byId("lab-rewind").addEventListener("input", () => this.showRewind());
    byId("lab-rewind").addEventListener("change", () => this.rewind(Number(byId("lab-rewind").value)));
  }

  // Of another model.
  /** @param {History} history what was kept of its training */
  reset(history) {
    this.last = null;
    this.history = history;
    this.say("");
    this.buttons();
    this.curves();
  }

  get steps() {
    return this.last?.step ?? this.history.base;
  }

  // Where its buttons are.
  /** @param {string} words */
  say(words) {
    this.said = words;
    byId("lab-training").textContent = words;
  }

  buttons() {
    const { rival } = this.part;
    const go = `▶ ${rival.training ? "Race" : "Train"} ${this.atOnce} steps`;
    byId("lab-start").textContent = this.running ? "❚❚ Pause" : go;
    byId("lab-step").disabled = this.running;
    byId("lab-without").disabled = this.running;
    const slider = byId("lab-rewind");
    const { kept } = this.history;
    slider.max = String(Math.max(0, kept.length - 1));
    slider.value = String(this.history.back ?? slider.max);
    this.showRewind();
    slider.disabled = this.running || kept.length < 2 || rival.training !== null;
  }

  // For a race: both models stand at their beginning.
  ready() {
    this.buttons();
    byId("lab-start").focus();
    this.part.renew();
  }

  showRewind() {
    const { kept } = this.history;
    byId("lab-rewind-step").textContent =
      kept.length < 2 ? "" : `step ${kept[Number(byId("lab-rewind").value)].step}`;
  }

  pause() {
    this.running = false;
    this.buttons();
  }

  // Steps after which training rests.
  get atOnce() {
    return Math.max(AT_ONCE, Number(this.part.app.original.lab.config.train.steps));
  }

  begin(until = this.steps + this.atOnce) {
    this.trained = this.train(until);
    return this.trained;
  }

  /** @param {number} until */
  async train(until) {
    this.running = true;
    this.buttons();
    this.part.renewal.stop();
    this.part.renewal.say("The lab’s model is in training.");
    const { training } = this.part;
    let drawn = 0;
    while (this.running && training === this.part.training && this.steps < until) {
      if (!(await this.one(training))) return;
      const kept = this.steps % KEPT_EVERY === 0;
      if (!kept && performance.now() - drawn < DRAWN_EVERY) continue;
      if (!(await this.picture(training))) return;
      drawn = performance.now();
    }
    if (training === this.part.training) {
      this.running = false;
      if (await this.picture(training)) this.part.renew();
      this.tell();
    }
    this.buttons();
  }

  // From the first screen, for a while.
  async trainFirst() {
    if (this.running) return this.pause();
    await this.part.openFirst();
    if (!this.part.training) return;
    this.begin(this.steps + AT_ONCE);
    this.tell();
  }

  async step() {
    const { training } = this.part;
    if ((await this.one(training)) && (await this.picture(training))) this.part.renew();
    this.buttons();
  }

  /**
   * What the engine does not answer ends the training, in a sentence, unless another model was made.
   *
   * @param {SharedTraining} training
   * @param {string} failed
   * @param {() => Promise<void>} act
   */
  async tried(training, failed, act) {
    try {
      await act();
      return true;
    } catch (error) {
      if (training !== this.part.training) return false;
      const words = failed + this.part.reason(error);
      this.say(words);
      this.part.renewal.say("Of the lab’s model: " + words);
      this.pause();
      return false;
    }
  }

  /** @param {SharedTraining} training */
  one(training) {
    const { history } = this;
    history.leaveBack();
    byId("lab-hand-said").textContent = ""; // it was of the weights set by hand
    const begun = performance.now();
    return this.tried(training, "No further step: ", async () => {
      const [report] = await Promise.all([training.step(), this.part.rival.step()]);
      history.seconds += (performance.now() - begun) / 1000;
      this.last = { ...report, step: history.base + report.step };
    });
  }

  /** @param {SharedTraining} training */
  picture(training) {
    return this.tried(training, "No further step: ", () => this.draw(training));
  }

  /** @param {SharedTraining} training */
  async draw(training) {
    const { last, history } = this;
    const { rival, watch } = this.part;
    const pictured = watch.update(); // while another worker, if there is one, evaluates
    if (last !== null && history.kept.at(-1).step !== last.step) {
      const { accuracy } = await training.last.evaluate(MEASURED);
      if (last.step === history.base + 1 || last.step % KEPT_EVERY === 0 || !this.running) {
        const weights = await training.first.weights();
        history.keep({ step: last.step, seconds: history.seconds, loss: last.loss, accuracy, weights });
        await rival.picture(watch.tokens, history.seconds);
      }
      this.say(
        `Step ${last.step}: loss ${fixed(last.loss)}` +
          (accuracy === null ? "." : `, accuracy ${fixed(accuracy)} on ${MEASURED} fresh sequences.`),
      );
    }
    this.curves();
    await pictured;
    this.part.remember();
    this.tell();
  }

  curves() {
    const { curve } = this.part.rival.history;
    const curves = curve.length > 0 ? [this.history.curve, curve] : [this.history.curve];
    drawCurves(curves, this.history.kept[0]?.step);
    byId("lab-race").textContent = raceInWords(curves);
  }

  // The first screen, which shows a training too.
  tell() {
    const { store } = this.part.app;
    store.change({ trained: store.state.trained + 1 });
  }

  // The weights of a kept step. From there an optimizer begins anew.
  /** @param {number} index */
  async rewind(index) {
    const { training } = this.part;
    this.part.settings = null;
    const { step, weights } = this.history.goBack(index);
    if (!(await this.tried(training, "No way back: ", () => training.setWeights(weights)))) return;
    this.say(`The weights of step ${step}. Training goes on from here, with an optimizer that begins anew.`);
    await this.part.watch.update();
    this.part.remember();
    this.part.renew();
  }
}
