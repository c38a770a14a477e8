// What the reader has chosen, in one place. Who shows a choice subscribes to it.

const { guarded } = headlight.damage;

class Store {
  constructor(state) {
    this.state = state;
    this.subscribers = [];
  }

  // Calls draw(state) once at the next change, and whenever one of these keys has changed. While awake(state)
  // is false the call waits.
  subscribe(keys, draw, awake = () => true) {
    this.subscribers.push({ keys, draw, awake, stale: true });
  }

  change(changes) {
    for (const [key, value] of Object.entries(changes)) {
      if (!(key in this.state)) throw new Error("the store has no '" + key + "'");
      if (this.state[key] === value) continue;
      this.state[key] = value;
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

/** @typedef {typeof names} Names */
const names = { Store };
headlight.store = names;
