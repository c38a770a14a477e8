// The page's side of the worker that compiles and grades.

/** @typedef {{ said: Said; my: Record<string, string> }} Answer with the learner's files by their paths */

export class Solver {
  /** @param {(event: SolverEvent) => void} onEvent */
  constructor(onEvent) {
    this.onEvent = onEvent;
    /** @type {Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>} */
    this.waiting = new Map();
    this.calls = 0;
    /** @type {Worker | undefined} */
    this.worker = undefined;
  }

  /** Loads what is needed. */
  prepare() {
    return this.call(undefined, {});
  }

  /**
   * @param {string[] | undefined} words "check", "2.3", "80"; without them what is needed is loaded
   * @param {Record<string, string>} my
   * @returns {Promise<Answer>}
   */
  call(words, my) {
    const worker = (this.worker ??= this.started());
    const id = ++this.calls;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      worker.postMessage({ id, words, my });
    });
  }

  /** Ends what runs. The next call begins anew, with what the browser keeps. */
  stop(why = "It was stopped.") {
    this.worker?.terminate();
    this.worker = undefined;
    for (const { reject } of this.waiting.values()) reject(new Error(why));
    this.waiting.clear();
  }

  started() {
    const worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }) => {
      const waiting = this.waiting.get(data.id);
      if (!waiting) return this.onEvent(data);
      this.waiting.delete(data.id);
      data.failed === undefined ? waiting.resolve(data) : waiting.reject(new Error(data.failed));
    };
    worker.onerror = (event) => {
      const why = event.message || "this browser does not say why";
      this.stop(`The compiler could not go on here (${why}). It needs about 1 GB of memory.`);
    };
    return worker;
  }
}
