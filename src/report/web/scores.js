// The table of scores. A head's scores are numbers in the table's order; everybody reads them through it.

const { fixed } = headlight.text;

class ScoreTable {
  constructor(kinds) {
    this.kinds = kinds;
  }

  // Undefined for a head without scores.
  value(scores, key) {
    const index = this.kinds.findIndex((kind) => kind.key === key);
    if (index < 0) throw new Error("there is no score '" + key + "'");
    return scores?.[index];
  }

  strongest(scores) {
    const best = scores.indexOf(Math.max(...scores));
    return { name: this.kinds[best].name, value: scores[best] };
  }

  // "induction 0.98"
  strongestText(scores) {
    if (!scores) return "";
    const best = this.strongest(scores);
    return best.name + " " + fixed(best.value);
  }

  text(scores) {
    return scores ? this.kinds.map((kind, i) => kind.name + " " + fixed(scores[i])).join(" · ") : "";
  }

  // The index of the best head by a score; 0 where there are no scores.
  bestHead(heads, key) {
    const values = heads.map((scores) => this.value(scores, key));
    return Math.max(0, values.indexOf(Math.max(...values)));
  }
}

headlight.scores = { ScoreTable };
