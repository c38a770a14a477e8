// The engine in the page: its module, and the workers that run it.

import { decoded } from "../kit/compress.js";
import { byId } from "../kit/text.js";
import { Alive, ENDED } from "./alive.js";
import { decodedLook } from "./decoded.js";
import { moduleIn } from "./two_modules.js";
import { engineWorker } from "./worker.js";

// A module of one function with f32x4.relaxed_madd: browsers without relaxed SIMD refuse it.
const RELAXED = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 19, 1, 17, 0, 65, 0, 253, 17, 65, 0,
  253, 17, 65, 0, 253, 17, 253, 133, 2, 11,
];

const decoder = new TextDecoder();

/** @param {string} id */
async function unpacked(id) {
  const packed = new Blob([decoded(byId(id).textContent)]);
  const stream = packed.stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** @type {Promise<WebAssembly.Module> | null} */
let compiled = null;

// Compiled once, when it is first asked for.
function engineModule() {
  compiled ??= (async () => {
    if (typeof WebAssembly === "undefined") throw new Error("this browser has no WebAssembly");
    const fused = WebAssembly.validate(new Uint8Array(RELAXED));
    return WebAssembly.compile(moduleIn(await unpacked("lab-engine"), fused));
  })();
  return compiled;
}

// One worker with a lab of its own. Calls are answered in order.
export class Engine {
  constructor() {
    const script = new Blob(["(" + engineWorker + ")()"], { type: "text/javascript" });
    this.url = URL.createObjectURL(script);
    this.worker = new Worker(this.url);
    /** @type {Map<number, { resolve: (output: Uint8Array) => void; reject: (error: Error) => void }>} */
    this.waiting = new Map();
    this.calls = 0;
    this.stopped = false;
    this.alive = new Alive(this.url, () => this.stop(ENDED));
    /** @type {LabModel | null} */
    this.model = null;
    /** @type {Map<number, Promise<Evaluation>>} */
    this.evaluated = new Map(); // the model without changes, by how many sequences
    this.worker.onmessage = ({ data: { id, output, error } }) => {
      const call = this.waiting.get(id);
      this.waiting.delete(id);
      this.alive.rest();
      if (this.waiting.size > 0) this.alive.wait();
      if (error === undefined) return call?.resolve(output);
      call?.reject(new Error(error));
      this.stop(error);
    };
    this.worker.onerror = ({ message }) => this.stop(message || ENDED);
    this.worker.onmessageerror = () => this.stop("an answer of the worker could not be read");
    this.ready = engineModule()
      .then((module) => this.post({ module, lock: this.url }))
      .then(([locked]) => {
        if (locked) this.alive.watchLock();
      });
    this.ready.catch(() => {}); // who calls is told
  }

  /** @param {object} message */
  post(message) {
    const id = ++this.calls;
    return /** @type {Promise<Uint8Array>} */ (
      new Promise((resolve, reject) => {
        this.waiting.set(id, { resolve, reject });
        this.alive.wait();
        this.worker.postMessage({ id, ...message });
      })
    );
  }

  /**
   * Calls a function of the module, "make" for lab_make. Throws the engine's sentence.
   *
   * @param {string} name
   * @param {string | Uint8Array | object} input
   * @param {number[]} args
   */
  async call(name, input = "", ...args) {
    await this.ready;
    const given = typeof input === "string" || input instanceof Uint8Array ? input : JSON.stringify(input);
    return this.post({ name: "lab_" + name, input: given, args });
  }

  /**
   * The same where the answer is JSON.
   *
   * @param {string} name
   * @param {string | Uint8Array | object} input
   * @param {number[]} args
   */
  async ask(name, input = "", ...args) {
    return JSON.parse(decoder.decode(await this.call(name, input, ...args)));
  }

  /**
   * A model of a config. This engine computes shards first … last-1; all, if last is 0.
   *
   * @param {object | string} config
   */
  make(config, first = 0, last = 0) {
    return this.made("make", config, first, last);
  }

  /** @param {{ broken: string; scales: number[] }} choices */
  makeByHand(choices) {
    return this.made("make_by_hand", choices);
  }

  /**
   * @param {string} name
   * @param {object | string} input
   * @param {number[]} args
   * @returns {Promise<LabModel>}
   */
  async made(name, input, ...args) {
    this.evaluated.clear();
    this.model = await this.ask(name, input, ...args);
    return this.model;
  }

  /** @param {Uint8Array} weights the bytes of a model.safetensors */
  setWeights(weights) {
    this.evaluated.clear();
    return this.call("set_weights", weights);
  }

  weights() {
    return this.call("weights");
  }

  /**
   * These heads write nothing from here on, until there are new weights.
   *
   * @param {number[]} heads
   */
  silence(heads) {
    this.evaluated.clear();
    return this.call("silence", heads);
  }

  /**
   * Keeps the weights as those after so many steps, in their order.
   *
   * @param {{ steps: number; seconds: number; loss: number }} at the loss is of the last step's batch
   */
  keep(at) {
    return this.call("keep", at);
  }

  /**
   * What the page shows of the run with what was kept.
   *
   * @param {string} title
   * @returns {Promise<RunData>}
   */
  page(title) {
    return this.ask("page", title);
  }

  // The first half of a step: the sums for the other engines.
  gradients() {
    return this.call("gradients");
  }

  /**
   * The second half, with the sums of the other engines, one after the other.
   *
   * @param {Uint8Array} sums
   * @returns {Promise<StepReport>}
   */
  apply(sums) {
    this.evaluated.clear();
    return this.ask("apply", sums);
  }

  /**
   * A sequence of the task.
   *
   * @param {number} number
   * @returns {Promise<{ tokens: number[]; targets: number[]; predictable: number[] }>}
   */
  sequence(number) {
    return this.ask("sequence", "", number);
  }

  /**
   * Patterns and predictions on a sequence.
   *
   * @param {number[]} tokens
   * @param {Changes} changes
   */
  async look(tokens, changes = {}) {
    return decodedLook(this.model, await this.call("look", { tokens, ...changes }), tokens);
  }

  /**
   * On so many fresh sequences. Of the model without changes the answer is kept until its weights change.
   *
   * @param {number} sequences
   * @param {Changes} [changes]
   * @returns {Promise<Evaluation>}
   */
  evaluate(sequences, changes) {
    if (changes) return this.ask("evaluate", changes, sequences);
    if (!this.evaluated.has(sequences)) this.evaluated.set(sequences, this.ask("evaluate", {}, sequences));
    return this.evaluated.get(sequences);
  }

  /**
   * The attention logits and the logits of a sequence by what wrote them.
   *
   * @param {number[]} tokens
   * @param {number[]} targets
   * @param {number[][]} guesses tokens whose logits are wanted, for each position
   * @returns {Promise<TermsData & { turn: number[] }>}
   */
  terms(tokens, targets, guesses) {
    return this.ask("terms", { tokens, targets, guesses });
  }

  /** @returns {Promise<{ version: string; fused: boolean }>} */
  about() {
    return this.ask("about");
  }

  /**
   * Nothing can be called any more: every waiting call fails with this reason, the first that is given.
   *
   * @param {string} reason
   */
  stop(reason) {
    if (this.stopped) return;
    this.stopped = true;
    this.alive.rest();
    this.worker.terminate();
    URL.revokeObjectURL(this.url);
    for (const { reject } of this.waiting.values()) {
      reject(new Error(reason));
    }
    this.waiting.clear();
    this.post = () => Promise.reject(new Error(reason));
  }
}
