import { Engine } from "./engine.js";

// A training whose shards are shared by some workers. All have the same weights after each step.
export class SharedTraining {
  /** @param {number} workers */
  constructor(workers) {
    this.engines = Array.from({ length: workers }, () => new Engine());
  }

  // The one that also answers questions.
  get first() {
    return this.engines[0];
  }

  // The one that has least to do beside the steps.
  get last() {
    return this.engines.at(-1);
  }

  /** @param {object | string} config */
  async make(config) {
    const made = await this.first.make(config);
    const shards = Number(made.config.train.shards);
    this.engines.splice(shards).forEach((engine) => engine.stop("there are fewer shards than workers"));
    const count = this.engines.length;
    if (count > 1)
      await Promise.all(
        this.engines.map((engine, i) =>
          engine.make(config, Math.floor((i * shards) / count), Math.floor(((i + 1) * shards) / count)),
        ),
      );
    return made;
  }

  async step() {
    const sums = await Promise.all(this.engines.map((engine) => engine.gradients()));
    const reports = await Promise.all(
      this.engines.map((engine, i) => engine.apply(joined(sums.filter((_, other) => other !== i)))),
    );
    return reports[0];
  }

  /** @param {Uint8Array} weights */
  async setWeights(weights) {
    await Promise.all(this.engines.map((engine) => engine.setWeights(weights)));
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
