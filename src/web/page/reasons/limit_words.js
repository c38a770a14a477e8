// The limit of a claim's number or control, in words.

import { fixed } from "../../kit/text.js";

/**
 * "at most 0.12, a third of the number"
 *
 * @param {Claim} claim
 * @param {"number" | "control"} what
 */
export function limitWords(claim, what) {
  const { key, number, threshold, number_at_most, control_limit, control_at_most } = claim;
  const [limit, atMost] = what === "number" ? [threshold, number_at_most] : [control_limit, control_at_most];
  const third = key === "matching" && what === "control" && Math.abs(limit - number / 3) < 1e-6;
  const text = key === "order" ? "step " + limit : fixed(limit);
  return (atMost ? "at most " : "at least ") + text + (third ? ", a third of the number" : "");
}
