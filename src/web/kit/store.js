// What the reader has chosen, in one place. Who shows a choice subscribes to it.

import { guarded } from "./damage.js";

export class Store {
  /** @param {State} state */
  constructor(state) {
    this.state = state;
    /** @type {{ keys: string[]; draw: (state: State) => void; awake: Awake; stale: boolean }[]} */
    this.subscribers = [];
  }

  /**
   * Calls draw(state) once at the next change, and whenever one of these keys has changed. While awake(state)
   * is false the call waits.
   *
   * @param {(keyof State)[]} keys
   * @param {(state: State) => void} draw
   * @param {Awake} awake
   */
  subscribe(keys, draw, awake = () => true) {
    this.subscribers.push({ keys, draw, awake, stale: true });
  }

  /** @param {Partial<State>} changes */
  change(changes) {
    const state = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (this.state));
    for (const [key, value] of Object.entries(changes)) {
      if (!(key in state)) throw new Error("the store has no '" + key + "'");
      if (state[key] === value) continue;
      state[key] = value;
      for (const subscriber of this.subscribers) {
        if (subscriber.keys.includes(key)) subscriber.stale = true;
      }
    }
    for (const subscriber of this.subscribers) {
      if (!subscriber.stale || !subscriber.awake(this.state)) continue;
      subscriber.stale = false;
      guarded(() => subscriber.draw(this.state));
    }
  }
}
