// What both explanations of a number share: the page's "Why here?" and "Why this prediction?".

import { element, tableRow } from "../../kit/text.js";

export const MOST = 6; // rows of a table; the others are added up

// Attention logits and logits were taken apart with nothing changed.
export const WHOLE_ONLY =
  "While something is changed there is no explanation: it is of the whole model only.";

/** @typedef {[first: string | Node, ...others: (string | Node)[]]} Row */

/**
 * @param {string[]} heads
 * @param {Row[]} rows
 * @param {Row[]} total
 * @param {string} caption
 */
export function tableOf(heads, rows, total, caption) {
  const head = element("tr", {}, ...heads.map((text) => element("th", { scope: "col" }, text)));
  const sum = total.map((row) => tableRow(...row));
  for (const row of sum) {
    row.classList.add("total");
  }
  return element(
    "table",
    { class: "terms" },
    element("caption", {}, caption),
    element("thead", {}, head),
    element("tbody", {}, ...rows.map((row) => tableRow(...row)), ...sum),
  );
}
