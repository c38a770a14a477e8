// The engine with the run's model, for the parts beside the lab: exact numbers that the page does not hold.

import { decoded } from "../kit/compress.js";
import { Engine } from "./engine.js";

const MOST_KEPT = 64; // answers

export class LiveModel {
  /** @param {{ run: Run; store: Store }} app */
  constructor({ run, store }) {
    this.run = run;
    this.store = store;
    /** @type {Map<string, unknown>} */
    this.answers = new Map();
    this.failed = ""; // why the engine does not run here
    /** @type {Engine | null} */
    this.engine = null;
    /** @type {Promise<void> | null} */
    this.ready = null;
  }

  // Made once, when it is first asked for.
  open() {
    this.ready ??= (async () => {
      const { config, weights } = this.run.lab;
      this.engine = new Engine();
      await this.engine.make(config);
      await this.engine.setWeights(decoded(weights));
    })();
    return this.ready;
  }

  /**
   * What `ask` resolves to. Undefined while it comes; then the store's `engine` changes. Null where the
   * engine does not run.
   *
   * @template T
   * @param {string} name
   * @param {() => Promise<T>} ask
   * @returns {T | null | undefined}
   */
  answer(name, ask) {
    if (this.failed !== "") return null;
    if (this.answers.has(name)) return /** @type {T | undefined} */ (this.answers.get(name));
    this.answers.set(name, undefined);
    this.fetch(name, ask);
    return undefined;
  }

  /**
   * @param {string} name
   * @param {() => Promise<unknown>} ask
   */
  async fetch(name, ask) {
    try {
      await this.open();
      const answer = await ask();
      if (this.answers.size > MOST_KEPT) this.answers.delete(this.answers.keys().next().value);
      this.answers.set(name, answer);
    } catch (error) {
      this.failed = /** @type {Error} */ (error).message;
    }
    this.store.change({ engine: this.store.state.engine + 1 });
  }

  // Why there is no answer, as a clause.
  get why() {
    return `the engine does not run here (${this.failed})`;
  }
}
