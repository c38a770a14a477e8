// What the tests and the console ask of the engine: its bits, and its speed.

import { Engine } from "./engine.js";
import { SharedTraining } from "./training.js";

const decoder = new TextDecoder();

/**
 * Trains the default config without drawing. The hash is that of the model.safetensors that `train` writes
 * with the same seed and steps; `fused`: whether a multiply-add is rounded once in this browser, as it is in
 * the terminal.
 *
 * @param {{ seed?: number; steps?: number; workers?: number }} options
 */
export async function selfTest({ seed = 0, steps = 200, workers = 1 } = {}) {
  const training = new SharedTraining(workers);
  try {
    await training.make({ train: { seed, steps } });
    const { fused } = await training.first.about();
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
export async function productRate() {
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
