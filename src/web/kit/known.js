// How a sentence about the model is known: "seen", "tried" or "proved", small, with what it rests on.

import { element, fixed } from "./text.js";

/**
 * A mark behind a sentence. Its title, which print shows, has the numbers, the measurement and the command.
 * An empty text where the kind is unknown.
 *
 * @param {EvidenceKind | undefined} kind
 * @param {string} numbers that the sentence does not have itself
 */
export function knownMark(kind, numbers = "") {
  if (kind === undefined) return "";
  const title = knownTitle(kind, numbers);
  return element("abbr", { class: "known", title, tabindex: "0", "aria-label": title }, kind.how);
}

/**
 * "tried: 0.96, control 0.03. The matching that is lost when …; ./headlight certify DIR"
 *
 * @param {EvidenceKind} kind
 * @param {string} numbers
 */
export function knownTitle({ how, rests_on, command }, numbers = "") {
  const measured = rests_on[0].toUpperCase() + rests_on.slice(1);
  return `${how}: ${numbers ? numbers + ". " : ""}${measured} (./headlight ${command})`;
}

/**
 * Nodes with the mark before the full stop that ends them, if there is one.
 *
 * @param {(string | Node)[]} nodes
 * @param {HTMLElement | ""} mark
 * @returns {(string | Node)[]}
 */
export function marked(nodes, mark) {
  if (mark === "") return nodes;
  const last = nodes.at(-1);
  if (typeof last !== "string" || !last.endsWith(".")) return [...nodes, " ", mark];
  return [...nodes.slice(0, -1), last.slice(0, -1), " ", mark, "."];
}

/**
 * Nodes of several sentences with the mark behind them all.
 *
 * @param {(string | Node)[]} nodes
 * @param {HTMLElement | ""} mark
 * @returns {(string | Node)[]}
 */
export function allMarked(nodes, mark) {
  return mark === "" ? nodes : [...nodes, " ", mark];
}

/**
 * "0.96, control 0.03" of a claim that was asked.
 *
 * @param {Claim | undefined} claim
 */
export function claimNumbers(claim) {
  if (!claim || claim.number === null) return "";
  return fixed(claim.number) + (claim.control === null ? "" : `, control ${fixed(claim.control)}`);
}
