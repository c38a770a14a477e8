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
    const scores = this.keys(query).map((other) => this.score(query, other)), own = this.score(query, key);
    const all = this.sink === undefined ? scores : [...scores, this.sink];
    return 1 / all.reduce((sum, score) => sum + Math.exp(score - own), 0);
  }

  // Every product q[s,i]·k[t,j], with its mean over the other keys of the row.
  products(query, key) {
    const others = this.keys(query).filter((other) => other !== key), terms = [];
    this.parts.forEach((reads, s) => {
      const q = this.q.row(s, query);
      this.parts.forEach((written, t) => {
        const value = dot(q, this.k.row(t, key));
        const mean = others.reduce((sum, other) => sum + dot(q, this.k.row(t, other)), 0) / Math.max(1, others.length);
        terms.push({ reads, written, value, above: others.length > 0 ? value - mean : 0 });
      });
    });
    return terms.sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
  }
}

// logit(i,t) less the mean over the vocabulary = Σ x[s,i]·U[:,t].
class LogitTerms {
  constructor({ parts, x }, unembed) {
    Object.assign(this, { parts, x: new Factors(x), U: unembed });
  }

  contributions(position, token) {
    const [d, vocabulary] = this.U.shape, column = Float64Array.from({ length: d }, (_, c) => this.U.values[c * vocabulary + token]);
    return this.parts.map((part, s) => ({ part, value: dot(this.x.row(s, position), column) })).sort((a, b) => b.value - a.value);
  }
}

// The terms of a sequence, decoded once.
const decoded = new WeakMap();

function termsOf(run, s) {
  if (!run.circuits || !s.terms) return null;
  if (!decoded.has(s.terms)) {
    const { causal } = run.sequences.find(({ terms }) => terms === s.terms).patterns;
    run.unembed ??= new Factors(run.circuits.unembed);
    const heads = s.terms.heads.map((head) => new HeadTerms(head, causal));
    decoded.set(s.terms, { heads, logits: new LogitTerms(s.terms.logits, run.unembed) });
  }
  return decoded.get(s.terms);
}

// Why a sequence has no terms, in a sentence.
function missingTerms({ circuits, sequences }, what) {
  const known = sequences.filter((s) => s.terms).length;
  return circuits.no_terms || "The " + what + " of this sequence are not taken apart here. To keep this file small, only those of the first " +
    (known === 1 ? "sequence" : known + " sequences") + " in the list are.";
}

headlight.terms = { termsOf, missingTerms };
