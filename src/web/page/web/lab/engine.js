// The engine in the page: its module, and the workers that run it.

const { byId } = headlight.text;
const { engineWorker } = headlight.lab_worker;

// A module of one function with f32x4.relaxed_madd: browsers without relaxed SIMD refuse it.
const RELAXED = [
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 19, 1, 17, 0, 65, 0, 253, 17, 65, 0,
  253, 17, 65, 0, 253, 17, 253, 133, 2, 11,
];

const decoder = new TextDecoder();

/** @param {string} id */
async function unpacked(id) {
  const packed = Uint8Array.from(atob(byId(id).textContent), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/** @type {Promise<WebAssembly.Module> | null} */
let compiled = null;

// Compiled once, when it is first asked for.
function engineModule() {
  compiled ??= (async () => {
    if (typeof WebAssembly === "undefined") throw new Error("this browser has no WebAssembly");
    const fused = WebAssembly.validate(new Uint8Array(RELAXED));
    return WebAssembly.compile(await unpacked(fused ? "lab-fused" : "lab-plain"));
  })();
  return compiled;
}

// One worker with a lab of its own. Calls are answered in order.
class Engine {
  constructor() {
    const script = new Blob(["(" + engineWorker + ")()"], { type: "text/javascript" });
    this.url = URL.createObjectURL(script);
    this.worker = new Worker(this.url);
    /** @type {Map<number, { resolve: (output: Uint8Array) => void; reject: (error: Error) => void }>} */
    this.waiting = new Map();
    this.calls = 0;
    this.worker.onmessage = ({ data: { id, output, error } }) => {
      const call = this.waiting.get(id);
      this.waiting.delete(id);
      if (error === undefined) return call?.resolve(output);
      call?.reject(new Error(error));
      this.stop(error);
    };
    this.worker.onerror = ({ message }) => this.stop(message || "the worker was stopped");
    this.ready = engineModule().then((module) => this.post({ module }));
    this.ready.catch(() => {}); // who calls is told
  }

  /** @param {object} message */
  post(message) {
    const id = ++this.calls;
    return /** @type {Promise<Uint8Array>} */ (
      new Promise((resolve, reject) => {
        this.waiting.set(id, { resolve, reject });
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
   * Nothing can be called any more: every waiting call fails with this reason.
   *
   * @param {string} reason
   */
  stop(reason) {
    this.worker.terminate();
    URL.revokeObjectURL(this.url);
    for (const { reject } of this.waiting.values()) {
      reject(new Error(reason));
    }
    this.waiting.clear();
    this.post = () => Promise.reject(new Error(reason));
  }
}

// A training whose shards are shared by some workers. All have the same weights after each step.
class SharedTraining {
  /** @param {number} workers */
  constructor(workers) {
    this.engines = Array.from({ length: workers }, () => new Engine());
  }

  // The one that also answers questions.
  get first() {
    return this.engines[0];
  }

  /** @param {object | string} config */
  async make(config) {
    const text = typeof config === "string" ? config : JSON.stringify(config);
    const made = await this.first.ask("make", text, 0, 0);
    const { shards } = made.config.train;
    this.engines.splice(shards).forEach((engine) => engine.stop("there are fewer shards than workers"));
    const count = this.engines.length;
    if (count > 1)
      await Promise.all(
        this.engines.map((engine, i) =>
          engine.call("make", text, Math.floor((i * shards) / count), Math.floor(((i + 1) * shards) / count)),
        ),
      );
    return made;
  }

  async step() {
    const sums = await Promise.all(this.engines.map((engine) => engine.call("gradients")));
    const reports = await Promise.all(
      this.engines.map((engine, i) => engine.ask("apply", joined(sums.filter((_, other) => other !== i)))),
    );
    return reports[0];
  }

  /** @param {Uint8Array} weights */
  async setWeights(weights) {
    await Promise.all(this.engines.map((engine) => engine.call("set_weights", weights)));
  }

  /** @param {string} reason */
  stop(reason) {
    for (const engine of this.engines) {
      engine.stop(reason);
    }
  }
}

/** @param {Uint8Array[]} parts */
function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  parts.reduce((at, part) => {
    all.set(part, at);
    return at + part.length;
  }, 0);
  return all;
}

/**
 * Trains the default config without drawing. The hash is that of the model.safetensors that `train` writes
 * with the same seed and steps; `fused`: whether a multiply-add is rounded once in this browser, as it is in
 * the terminal.
 *
 * @param {{ seed?: number; steps?: number; workers?: number }} options
 */
async function selfTest({ seed = 0, steps = 200, workers = 1 } = {}) {
  const training = new SharedTraining(workers);
  try {
    await training.make({ train: { seed, steps } });
    const { fused } = await training.first.ask("about");
    const begun = performance.now();
    for (let step = 0; step < steps; ++step) {
      await training.step();
    }
    const milliseconds = performance.now() - begun;
    const sha256 = decoder.decode(await training.first.call("hash"));
    return { sha256, fused, milliseconds };
  } finally {
    training.stop("the test has ended");
  }
}

// GFLOP/s of a product of matrices of 512 x 512, by one worker: the median of 9 rounds of 4.
async function productRate() {
  const engine = new Engine();
  try {
    await engine.call("product");
    const rates = [];
    for (let round = 0; round < 9; ++round) {
      const begun = performance.now();
      await Promise.all(Array.from({ length: 4 }, () => engine.call("product")));
      rates.push((4 * 2 * 512 ** 3) / (performance.now() - begun) / 1e6);
    }
    return rates.sort((one, other) => one - other)[4];
  } finally {
    engine.stop("the rate is known");
  }
}

/** @typedef {typeof names} Names */
const names = { Engine, SharedTraining, productRate, selfTest };
headlight.lab = names;
