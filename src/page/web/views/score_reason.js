// Why a head gives a key its attention logit, in words.

const { follower } = headlight.evidence;
const { signed } = headlight.part_words;

/**
 * In words: the part of the key that raises this attention logit most above those of the row's other keys,
 * or lowers it most.
 *
 * @param {App} app
 * @param {HeadTerms} terms
 * @param {Product[]} products
 * @param {PartWords} words
 * @param {number} query
 * @param {number} key
 */
function because(app, terms, products, words, query, key) {
  const { run, selection } = app;
  const code = run.headCode(selection.head);
  /** @type {(list: Product[]) => number} */
  const add = (list) => list.reduce((sum, { above }) => sum + above, 0);
  const all = add(products);
  const sign = all < 0 ? -1 : 1;
  /** @type {(groups: Product[][]) => Product[]} */
  const largest = (groups) =>
    groups.reduce((best, group) => (sign * add(group) > sign * add(best) ? group : best));
  const lead = largest(terms.parts.map((part) => products.filter(({ written }) => written === part)));
  const { written, reads } = lead.reduce((best, term) =>
    sign * term.above > sign * best.above ? term : best,
  );
  const from =
    `Head ${code}` +
    (sign > 0 ? " looks from " : " hardly looks from ") +
    `${words.token(query)} at ${words.token(key)}`;
  const share =
    ` Products with this part of the key make ${signed(add(lead))} of the ${signed(all)} by which ` +
    "the attention logit differs from the mean of the row's other keys.";
  return (
    `${from} because of ${words.long(written, key)}.${words.source(written, key)}` +
    (sign > 0 ? match(app, words, code, reads, written, query, key) : "") +
    `${share}${nothingFound(app, words, code, query, key)}`
  );
}

/**
 * An induction head at a token without an earlier copy: its row adds up to 1 all the same.
 *
 * @param {App} app
 * @param {PartWords} words
 * @param {string} code
 * @param {number} query
 * @param {number} key
 */
function nothingFound(app, words, code, query, key) {
  const { run, selection } = app;
  const { tokens } = words.sequence;
  const described = run.scoreTable.describe(run.scores[selection.head], run.found);
  const finds =
    run.certificate?.induction_heads.includes(selection.head) ||
    (described?.known && described.role === "induction head");
  if (
    !finds ||
    query === 0 ||
    follower(tokens, query) >= 0 ||
    selection.patternNow().weight(query, key) < 0.1
  )
    return "";
  return (
    ` ‘${run.tokenText(tokens[query])}’ has not come before, so ${code} finds nothing here. Its ` +
    "attention weights must add up to 1 all the same, so a bright cell in this row does not mean that the " +
    "head found something."
  );
}

/**
 * Whether both sides hold the same token: their own, or the one that their head saw.
 *
 * @param {App} app
 * @param {PartWords} words
 * @param {string} code
 * @param {TermPart} reads
 * @param {TermPart} written
 * @param {number} query
 * @param {number} key
 */
function match(app, words, code, reads, written, query, key) {
  const asked = words.seen(reads, query);
  const held = words.seen(written, key);
  const { tokens } = words.sequence;
  if (asked === null || held === null || tokens[asked] !== tokens[held] || query === key) return "";
  const text = "‘" + app.run.tokenText(tokens[held]) + "’";
  const side =
    reads[0] === "embed"
      ? "the query itself"
      : words.long(reads, query) + " (read from " + words.token(asked) + ")";
  const found =
    asked === query && held === key - 1 && held < query
      ? " So " + code + " finds what followed an earlier " + text + "."
      : "";
  return " It matches " + side + ": both hold " + text + "." + found;
}

/** @typedef {typeof names} Names */
const names = { because };
headlight.score_reason = names;
