// Lessons 12 and 13: a small transformer, trained by the engine in the page. Both figures show the same one.

const { element } = headlight.live;
const { SharedTraining } = headlight.lab;

// The model of lesson 12, in single precision.
const CONFIG = {
  task: { name: "repeat", d_vocab: 32, n_ctx: 32 },
  model: { n_layers: 2, n_heads: 2, d_model: 32 },
  train: { batch: 32, learning_rate: 0.02, warmup: 50, steps: 1_000_000 },
};
const EVERY = 10; // steps between what is kept
const STEPS = 400;

class Model {
  constructor() {
    this.kept = []; // { step, loss, accuracy, patterns }
    this.running = false;
    this.watching = [];
  }

  get there() {
    return document.getElementById("lab-fused") !== null;
  }

  changed() {
    for (const watch of this.watching) watch();
  }

  async open() {
    if (this.training) return;
    this.training = new SharedTraining(1);
    this.made = await this.training.make(CONFIG);
    this.sequence = await this.engine.ask("sequence", "", 1);
    await this.keep(0, null);
  }

  get engine() {
    return this.training.first;
  }

  /** @param {object} changes */
  async look(changes = {}) {
    const { tokens } = this.sequence;
    const bytes = await this.engine.call("look", { tokens, ...changes });
    const numbers = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    const size = tokens.length ** 2;
    const { n_layers, n_heads } = this.made;
    return Array.from({ length: n_layers * n_heads }, (_, head) =>
      numbers.slice(head * size, (head + 1) * size),
    );
  }

  async keep(step, loss) {
    const { accuracy } = await this.engine.ask("evaluate", {}, 32);
    this.kept.push({ step, loss, accuracy, patterns: await this.look() });
    this.changed();
  }

  // Trains until the end, or until it is stopped.
  async train() {
    if (this.running) return;
    this.running = true;
    try {
      await this.open();
      for (let step = this.kept.at(-1).step; this.running && step < STEPS;) {
        const { loss } = await this.training.step();
        if (++step % EVERY === 0) await this.keep(step, loss);
      }
      this.failed = "";
    } catch (error) {
      this.failed = error.message;
    }
    this.running = false;
    this.changed();
  }

  code(head) {
    return `L${Math.floor(head / this.made.n_heads)}H${head % this.made.n_heads}`;
  }
}

/**
 * A pattern as a picture of one pixel a cell: bright where the weight is large.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {Float32Array} weights
 */
function drawPattern(canvas, weights) {
  const n = Math.round(Math.sqrt(weights.length));
  canvas.width = n;
  canvas.height = n;
  const image = canvas.getContext("2d").createImageData(n, n);
  weights.forEach((weight, cell) => {
    const seen = cell % n <= Math.floor(cell / n);
    const shade = Math.sqrt(weight);
    const colour = seen ? [20 + 235 * shade, 14 + 160 * shade, 40 + 60 * shade] : [110, 112, 122];
    image.data.set([...colour, 255], 4 * cell);
  });
  canvas.getContext("2d").putImageData(image, 0, 0);
}

/** @param {string} title */
function patternBox(title) {
  const canvas = element("canvas", { class: "pattern" });
  return { canvas, node: element("div", {}, element("h4", {}, title), canvas) };
}

headlight.model = { model: new Model(), drawPattern, patternBox, STEPS };
