// The engine with the run's model, for the parts beside the lab: exact numbers that the page does not hold.

import { decoded } from "../kit/compress.js";
import { idle } from "../kit/idle.js";
import { Engine } from "./engine.js";

const MOST_KEPT = 64; // answers

export class LiveModel {
  /**
   * @param {{ run: Run; store: Store }} app
   * @param {Engine | null} engine that has the run's model; null: one is made when it is first asked for
   */
  constructor({ run, store }, engine = null) {
    this.run = run;
    this.store = store;
    /** @type {Map<string, unknown>} */
    this.answers = new Map();
    /** @type {Map<string, { name: string; ask: () => Promise<unknown> }>} */
    this.wanted = new Map(); // the questions that wait
    /** @type {string | null} */
    this.asking = null; // the one that is being answered
    this.failed = ""; // why the engine does not run here
    this.engine = engine;
    /** @type {Promise<void> | null} */
    this.ready = engine && Promise.resolve();
  }

  // Made once, when it is first asked for.
  open() {
    this.ready ??= (async () => {
      const { config, weights } = this.run.lab;
      await idle(); // the page is drawn first
      if (this.failed !== "") throw new Error(this.failed);
      this.engine = new Engine();
      await this.engine.make(config);
      await this.engine.setWeights(decoded(weights));
    })();
    return this.ready;
  }

  /**
   * What `ask` resolves to. Undefined while it comes; then the store's `engine` changes. Null where the
   * engine does not run. Of questions with the same `of` only the newest is asked.
   *
   * @template T
   * @param {string} name
   * @param {() => Promise<T>} ask
   * @returns {T | null | undefined}
   */
  answer(name, ask, of = name) {
    if (this.failed !== "") return null;
    if (this.answers.has(name)) return /** @type {T} */ (this.answers.get(name));
    if (this.asking !== name) this.wanted.set(of, { name, ask });
    this.work();
    return undefined;
  }

  // One question after the other.
  async work() {
    if (this.asking !== null) return;
    while (this.wanted.size > 0 && this.failed === "") {
      const [of, { name, ask }] = this.wanted.entries().next().value;
      this.wanted.delete(of);
      if (this.answers.has(name)) continue;
      this.asking = name;
      try {
        await this.open();
        const answer = await ask();
        if (this.answers.size > MOST_KEPT) this.answers.delete(this.answers.keys().next().value);
        this.answers.set(name, answer);
      } catch (error) {
        this.fail(error);
      }
      this.asking = null;
      this.store.change({ engine: this.store.state.engine + 1 });
    }
  }

  /** @param {unknown} error */
  fail(error) {
    this.failed = /** @type {Error} */ (error).message;
    this.store.change({ engine: this.store.state.engine + 1 });
  }

  close() {
    this.wanted.clear();
    this.failed = "the page shows another model";
    this.engine?.stop(this.failed);
  }

  // Why there is no answer, as a clause.
  get why() {
    return `the engine does not run here (${this.failed})`;
  }
}
