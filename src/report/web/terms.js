// The attention scores and the logits of one sequence as sums over what wrote to the residual stream. A part is [kind, index].

const { Factors, dot } = headlight.factors;

// score(i,j) = cap(Σ q[s,i]·k[t,j]) + bias(i-j) of one head.
class HeadTerms {
  constructor({ parts, q, k, bias, cap, sink, window }, causal) {
    Object.assign(this, { parts, cap, sink, window, causal, q: new Factors(q), k: new Factors(k) });
    this.biases = bias ? new Factors(bias).values : null;
    [, this.n, this.d] = q.shape;
  }

  sees(query, key) {
    if (key < 0 || key >= this.n || (this.causal && key > query)) return false;
    return !this.window || Math.abs(query - key) < this.window;
  }

  keys(query) {
    return Array.from({ length: this.n }, (_, key) => key).filter((key) => this.sees(query, key));
  }

  // The sum of all products, before cap and bias.
  sum(query, key) {
    const row = (x, i) => x.total.subarray(i * this.d, (i + 1) * this.d);
    return dot(row(this.q, query), row(this.k, key));
  }

  bias(query, key) {
    return this.biases ? this.biases[this.n - 1 + query - key] : 0;
  }

  score(query, key) {
    const sum = this.sum(query, key);
    return (this.cap ? this.cap * Math.tanh(sum / this.cap) : sum) + this.bias(query, key);
  }

  // Softmax over the keys of a row, and the sink if there is one.
  weight(query, key) {
    const scores = this.keys(query).map((other) => this.score(query, other)),
      own = this.score(query, key);
    const all = this.sink === undefined ? scores : [...scores, this.sink];
    return 1 / all.reduce((sum, score) => sum + Math.exp(score - own), 0);
  }

  // Every product q[s,i]·k[t,j], with its mean over the other keys of the row.
  products(query, key) {
    const others = this.keys(query).filter((other) => other !== key),
      terms = [];
    this.parts.forEach((reads, s) => {
      const q = this.q.row(s, query);
      this.parts.forEach((written, t) => {
        const value = dot(q, this.k.row(t, key));
        const mean =
          others.reduce((sum, other) => sum + dot(q, this.k.row(t, other)), 0) / Math.max(1, others.length);
        terms.push({ reads, written, value, above: others.length > 0 ? value - mean : 0 });
      });
    });
    return terms.sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  }
}

// What each part contributes to the logits of the predictions that the page lists, less their mean over the vocabulary.
class LogitTerms {
  constructor({ parts, contributions }, { guesses, targets }) {
    Object.assign(this, { parts, guesses, targets, values: new Factors(contributions) });
  }

  // The guesses at a position, and its target if that is none of them.
  tokens(position) {
    const tokens = this.guesses[position].map(([id]) => id),
      target = this.targets[position];
    return target < 0 || tokens.includes(target) ? tokens : [...tokens, target];
  }

  contributions(position, token) {
    const place = this.guesses[position].findIndex(([id]) => id === token),
      last = this.values.shape[2] - 1;
    return this.parts
      .map((part, s) => ({ part, value: this.values.row(s, position)[place < 0 ? last : place] }))
      .sort((a, b) => b.value - a.value);
  }
}

// The terms of a sequence, decoded once.
const decoded = new WeakMap();

function termsOf(run, s) {
  if (!run.circuits || !s.terms) return null;
  if (!decoded.has(s.terms)) {
    const own = run.sequences.find(({ terms }) => terms === s.terms),
      heads = s.terms.heads.map((head) => new HeadTerms(head, own.patterns.causal));
    decoded.set(s.terms, { heads, logits: new LogitTerms(s.terms.logits, own) });
  }
  return decoded.get(s.terms);
}

// Why a sequence has no terms, in a sentence.
function missingTerms({ circuits, sequences }, what) {
  const known = sequences.filter((s) => s.terms).length;
  return (
    circuits.no_terms ||
    "The " +
      what +
      " of this sequence are not taken apart here. To keep this file small, only those of the first " +
      (known === 1 ? "sequence" : known + " sequences") +
      " in the list are."
  );
}

headlight.terms = { termsOf, missingTerms };
