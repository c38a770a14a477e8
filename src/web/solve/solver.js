// The page's side of the worker that compiles and grades.

/** @typedef {{ text?: string, error?: string, mark?: { line: number, column: number } | null, solved?: boolean[], picture?: any, failed?: string }} Said */

export class Solver {
  /** @param {(event: { loaded?: number, size?: number, step?: string }) => void} onEvent */
  constructor(onEvent) {
    this.onEvent = onEvent;
    /** @type {Map<number, { resolve: (answer: any) => void, reject: (error: Error) => void }>} */
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
   * @param {string[] | undefined} words @param {Record<string, string>} my the learner's files by their paths
   * @returns {Promise<{ said: Said, my: Record<string, string> }>}
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
    worker.onerror = (event) =>
      this.stop(
        `The compiler could not go on here (${event.message || "this browser does not say why"}). It needs about 1 GB of memory.`,
      );
    return worker;
  }
}
