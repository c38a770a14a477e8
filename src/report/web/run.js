// A run as far as it is known.

const { visible } = headlight.text;
const { Patterns } = headlight.codec;
const { ScoreTable } = headlight.scores;

class Run {
  constructor(piece) {
    Object.assign(this, { metrics: [], moments: [], scores: [], sequences: [], charts: [], results: [], settings: [] });
    Object.assign(this, { glossary: [], story: null, task: null });
    this.add(piece);
  }

  // Metrics and history are appended, all else is replaced, if there is something in its place.
  add({ metrics = [], history = { steps: [] }, score_kinds, sequences = [], ...others }) {
    for (const [name, value] of Object.entries(others)) if (value.length !== 0) this[name] = value;
    if (score_kinds) this.scoreTable = new ScoreTable(score_kinds);
    if (sequences.length > 0) this.sequences = sequences.map((s) => this.sequence(s));
    this.metrics.push(...metrics);
    if (history.steps.length === 0) return;
    const patterns = new Patterns(history.patterns);
    history.steps.forEach((step, i) => this.moments.push({ step, pattern: (head) => patterns.pattern(i * this.heads + head) }));
  }

  // `keys` are the tokens attended to; `crossed` where they are another sequence.
  sequence(s) {
    const targets = s.targets.length > 0 ? s.targets : s.tokens.map(() => -1);
    return { ...s, targets, keys: s.keys ?? s.tokens, crossed: s.keys !== undefined, patterns: new Patterns(s.patterns) };
  }

  get heads() {
    return this.n_layers * this.n_heads;
  }

  // "layer 1, head 2", for sentences.
  headName(head) {
    return "layer " + Math.floor(head / this.n_heads) + ", head " + (head % this.n_heads);
  }

  // "L1H2", where there is little room.
  headCode(head) {
    return "L" + Math.floor(head / this.n_heads) + "H" + (head % this.n_heads);
  }

  tokenText(id) {
    return visible(this.vocabulary[id]);
  }

  // What was measured at a step of training; nothing of a step that was not measured.
  metricsAt(step) {
    return this.metrics.find((f) => f.step === step) ?? { step, values: {}, scores: [] };
  }
}

headlight.run = { Run };
