// The table of scores. A head's scores are numbers in the table's order; everybody reads them through it.

const { fixed } = headlight.text;

class ScoreTable {
  /** @param {ScoreKind[]} kinds */
  constructor(kinds) {
    this.kinds = kinds;
  }

  /**
   * Undefined for a head without scores; null or undefined for a score that is not defined for the head.
   *
   * @param {Scores | undefined} scores
   * @param {string} key
   */
  value(scores, key) {
    const index = this.kinds.findIndex((kind) => kind.key === key);
    if (index < 0) throw new Error("there is no score '" + key + "'");
    return scores?.[index];
  }

  /**
   * What a head is: the role of its strongest score, if that score is at least `found`. Undefined without
   * scores.
   *
   * @param {Scores | undefined} scores
   * @param {number} found
   */
  describe(scores, found) {
    if (!scores?.some((score) => score !== null)) return undefined;
    const best = scores.indexOf(Math.max(...scores.filter((score) => score !== null)));
    const { role, name, brief = name } = this.kinds[best];
    const score = fixed(scores[best]);
    return scores[best] >= found
      ? { known: true, role, score }
      : { known: false, role: "no known kind", score: brief + " " + score };
  }

  /** @param {Scores | undefined} scores */
  text(scores = []) {
    /** @type {(score: number | null, i: number) => string[]} */
    const words = (score, i) =>
      score === null ? [] : [(this.kinds[i].name + " " + fixed(score)).replaceAll(" ", "\u00a0")];
    return scores.flatMap(words).join(" · ");
  }

  /**
   * The index of the best head by a score; 0 where there are no scores.
   *
   * @param {Scores[]} heads
   * @param {string} key
   */
  bestHead(heads, key) {
    const values = heads.map((scores) => this.value(scores, key) ?? -1);
    return Math.max(0, values.indexOf(Math.max(...values)));
  }
}

/** @typedef {typeof names} Names */
const names = { ScoreTable };
headlight.scores = names;
