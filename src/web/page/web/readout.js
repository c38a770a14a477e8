// What stands under the pointer, in words.

import { elements, fixed } from "../../kit/text.js";

/**
 * "37 ‘k’", or "36–39" where a cell stands for several tokens.
 *
 * @param {Run} run
 * @param {number} cell
 * @param {Pattern} pattern
 * @param {number[]} tokens
 */
export function place(run, cell, pattern, tokens) {
  const first = cell * pattern.cell;
  const last = Math.min(tokens.length, first + pattern.cell) - 1;
  return first === last ? first + " ‘" + run.tokenText(tokens[first]) + "’" : first + "–" + last;
}

/**
 * "query 37 ‘k’ → key 20 ‘Q’: attention weight 0.93"
 *
 * @param {App} app
 * @param {Pattern} pattern
 * @param {View} sequence
 */
export function readout({ run, store }, pattern, sequence) {
  const state = store.state;
  if (state.query === null) return "Tap or point at a cell or a token. Positions count from 0.";
  const row = Math.floor(state.query / pattern.cell);
  const query = "query " + place(run, row, pattern, sequence.tokens) + (state.locked ? " (locked)" : "");
  if (pattern.causal && state.key !== null && state.key > state.query)
    return query + ": a later token, which it cannot see";
  const weights = pattern.row(row);
  if (state.key !== null && !pattern.sees(row, Math.floor(state.key / pattern.cell)))
    return query + ": a token outside its window of " + pattern.window + " tokens";
  const key =
    state.key === null ? weights.indexOf(Math.max(...weights)) : Math.floor(state.key / pattern.cell);
  const verb = state.key === null ? " looks most at key " : " → key ";
  const kind = pattern.cell > 1 ? ": largest attention weight " : ": attention weight ";
  // Half a level of 8 bits; with 16 bits the rounding cannot be seen.
  const rounding = pattern.levels === 255 ? ", rounded here by up to 0.002" : "";
  return query + verb + place(run, key, pattern, sequence.keys) + kind + fixed(weights[key], 3) + rounding;
}

/**
 * Which keys a query sees.
 *
 * @param {Pick<Pattern, "causal" | "window" | "queries" | "cell">} pattern
 * @param {boolean} crossed
 */
export function seenKeys({ causal, window, queries, cell }, crossed) {
  const all = window >= queries * cell;
  if (causal) return all ? "itself and those before it" : `itself and the ${window - 1} before it`;
  if (crossed) return "any token of the other sequence";
  return all ? "any token of the sequence" : `any token less than ${window} places away`;
}

/**
 * To what the attention weights of a row add up. A sink takes weight, and stands in no column.
 *
 * @param {Pick<Run, "sinks">} run
 */
export function rowSum({ sinks }) {
  return sinks ? "Each row adds up to at most 1: the head's sink takes the rest." : "Each row adds up to 1.";
}

/**
 * Says which keys a query sees, and so where a cell stands for several attention weights.
 *
 * @param {string} part
 * @param {Run} run
 * @param {Pattern} pattern
 * @param {boolean} crossed
 */
export function explainPattern(part, run, pattern, crossed) {
  const { cell } = pattern;
  for (const node of elements("#" + part + " .seen")) {
    node.textContent = (run.stacks.length > 1 ? "for the chosen head, " : "") + seenKeys(pattern, crossed);
  }
  for (const node of elements("#" + part + " .whole")) {
    node.hidden = cell > 1;
    node.textContent = rowSum(run);
  }
  for (const node of elements("#" + part + " .pooled")) {
    node.textContent =
      cell > 1
        ? " To keep this file small, each cell shows the largest of " +
          cell +
          " × " +
          cell +
          " attention weights."
        : "";
  }
}
