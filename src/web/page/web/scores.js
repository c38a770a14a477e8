// The table of scores. A head's scores are numbers in the table's order; everybody reads them through it.

import { fixed } from "../../kit/text.js";

const HELPER = "helper";

/**
 * The roles that the certificate's claims bear out, each with its heads. A certificate also names heads that
 * it only examined: those that come closest to a role.
 *
 * @param {Certificate | undefined} certificate
 * @returns {[role: string, heads: number[]][]}
 */
export function certifiedRoles(certificate) {
  if (!certificate) return [];
  const { verdict, claims, tells_tokens, induction_heads, previous_token_heads, helpers } = certificate;
  const circuit = verdict === "induction circuit";
  /** @type {(...keys: string[]) => boolean} */
  const hold = (...keys) =>
    circuit || keys.every((key) => claims.some((claim) => claim.key === key && claim.standing === "holds"));
  /** @type {[role: string, heads: number[], holds: boolean][]} */
  const roles = [
    ["induction head", induction_heads, hold("matching", "copying")],
    [tells_tokens ? "previous-token head" : "position head", previous_token_heads, hold("composition")],
    [HELPER, helpers, circuit],
  ];
  return roles.flatMap(([role, heads, holds]) => (holds && heads.length > 0 ? [[role, heads]] : []));
}

/**
 * "0.43"; "<0.50" of a score that rounds to `found` and does not reach it.
 *
 * @param {number} score
 * @param {number} found
 */
function scoreText(score, found) {
  return (score < found && fixed(score) === fixed(found) ? "<" : "") + fixed(score);
}

export class ScoreTable {
  /**
   * `certified`: the roles of trained heads, by the heads' scores.
   *
   * @param {ScoreKind[]} kinds
   * @param {Map<Scores, string>} certified
   */
  constructor(kinds, certified = new Map()) {
    this.kinds = kinds;
    this.certified = certified;
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
   * What a head is: its role in a certified circuit; else the role of its strongest score, if that score is
   * at least `found`. Undefined without scores.
   *
   * @param {Scores | undefined} scores
   * @param {number} found
   */
  describe(scores, found) {
    if (!scores?.some((score) => score !== null)) return undefined;
    const best = scores.indexOf(Math.max(...scores.filter((score) => score !== null)));
    const { role, name, brief = name } = this.kinds[best];
    const known = scores[best] >= found;
    const certified = this.certified.get(scores);
    const own = scores[this.kinds.findIndex((kind) => kind.role === certified)];
    if (certified && own !== undefined && own !== null)
      return { known: true, role: certified, score: scoreText(own, found) };
    if (known) return { known, role, score: fixed(scores[best]) };
    return {
      known: certified !== undefined,
      role: certified ?? "no known kind",
      score: brief + " " + scoreText(scores[best], found),
    };
  }

  /**
   * The kinds that some of these heads have a score of. Others say nothing of a run.
   *
   * @param {Scores[]} heads
   */
  measured(heads) {
    return this.kinds.filter((_, i) => heads.some((scores) => (scores[i] ?? null) !== null));
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
