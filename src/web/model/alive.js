// Whether a worker lives. One that crashes, is killed or has no memory left says nothing: it holds a lock as
// long as it lives, and the page waits for that lock. Where there are no locks, a long silence has to do.

export const ENDED =
  "the engine ended without a word, as it does when memory runs out. Make a new model, or reload the page";

const TICK = 5000; // milliseconds; counted, because a clock goes on while a computer sleeps
const MOST_TICKS = 24; // while a call waits: no call takes two minutes

export class Alive {
  /**
   * @param {string} lock what the worker holds
   * @param {() => void} ended
   */
  constructor(lock, ended) {
    this.lock = lock;
    this.ended = ended;
    this.held = false;
    this.ticks = 0;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.timer = undefined;
  }

  // The worker holds its lock.
  watchLock() {
    this.held = true;
    this.rest();
    navigator.locks.request(this.lock, this.ended).catch(() => {});
  }

  // A call waits.
  wait() {
    if (this.held) return;
    this.timer ??= setInterval(() => {
      if (++this.ticks >= MOST_TICKS) this.ended();
    }, TICK);
  }

  // No call waits.
  rest() {
    clearInterval(this.timer);
    this.timer = undefined;
    this.ticks = 0;
  }
}
