// All parts of the page on the lab's model: an engine of its own measures it, as the terminal does at the end
// of a run. Until that is done a band says whose numbers stand there.

import { byId, sentence } from "../kit/text.js";
import { Engine } from "../model/engine.js";

const SETTLED = 300; // milliseconds without a change, after which measuring begins

export class Renewal {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {Engine | null} */
    this.engine = null; // that measures
    this.said = ""; // what the band says besides whose numbers stand there
    this.timer = 0;
    this.done = Promise.resolve(); // when nothing is measured any more
    this.settle = () => {}; // what resolves it
    this.watch();
  }

  // In a page that was opened anew.
  /** @param {App} app */
  attach(app) {
    this.app = app;
    this.watch();
  }

  watch() {
    this.app.store.subscribe(["tab"], () => this.show());
  }

  // "" where all parts show the lab's model.
  /** @param {string} words */
  say(words) {
    this.said = words;
    this.show();
    const { store } = this.app;
    store.change({ trained: store.state.trained + 1 }); // the first screen says it too
  }

  show() {
    const { run, store, parts } = this.app;
    const { tab } = store.state;
    const band = byId("band");
    const watched = tab === "lab" || (tab === "start" && parts.start.trains); // there the lab's model stands
    band.hidden = this.said === "" || watched;
    band.textContent = `What stands here is of ${run.title}. ${this.said}`;
  }

  stop() {
    clearTimeout(this.timer);
    this.settle();
    this.engine?.stop("the model has changed");
    this.engine = null;
  }

  /**
   * @param {LabConfig} config
   * @param {import("./history.js").Kept[]} kept
   * @param {string} title
   */
  begin(config, kept, title) {
    this.stop();
    this.say(`The lab’s model, ${title}, is being measured; all parts follow when that is done.`);
    this.done = new Promise((resolve) => {
      this.settle = () => resolve(undefined);
      this.timer = window.setTimeout(() => resolve(this.measure(config, kept, title)), SETTLED);
    });
  }

  /**
   * @param {LabConfig} config
   * @param {import("./history.js").Kept[]} kept
   * @param {string} title
   */
  async measure(config, kept, title) {
    const engine = new Engine();
    this.engine = engine;
    try {
      await engine.make(config);
      for (const { weights, step, seconds, loss } of kept) {
        await engine.setWeights(weights);
        await engine.keep({ steps: step, seconds, loss });
      }
      const data = await engine.page(title);
      if (engine !== this.engine) return;
      this.engine = null;
      this.said = "";
      this.app.reopen(data, engine);
    } catch (error) {
      if (engine !== this.engine) return;
      this.stop();
      this.say("The lab’s model could not be measured: " + sentence(error));
    }
  }
}
