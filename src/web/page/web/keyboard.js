// In a picture that has the focus, arrows flip between heads; with Shift they move over the rows and columns
// of the large one, and Enter and Space lock a row. Elsewhere these keys are the browser's: they scroll and
// unfold.

import { targetOf } from "../../kit/text.js";

/** @type {Record<string, [down: number, right: number]>} */
const FLIPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/**
 * @param {KeyboardEvent} event
 * @param {App} app
 */
export function onKey(event, { store, selection }) {
  const { tab, locked, query, key } = store.state;
  if (event.ctrlKey || event.metaKey || event.altKey || ["about", "certificate"].includes(tab)) return;
  if (event.key === "Escape")
    store.change(locked ? { locked: false, place: null } : { query: null, key: null, place: null });
  if (targetOf(event).closest?.("input, select, textarea")) return;
  if (!targetOf(event).closest?.(".grid, .map, .tokens, .looks")) return;
  const flip = FLIPS[event.key];
  const button = targetOf(event).closest?.("button");
  if (flip && event.shiftKey) selection.move(...flip);
  else if (flip) selection.flip(...flip);
  else if ((event.key === "Enter" || event.key === " ") && !button && query !== null)
    selection.press(query, key);
  else return;
  event.preventDefault();
}
