// In a picture, arrows flip between heads; with Shift they move over the rows and columns of the large one.

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
  const flip = FLIPS[event.key];
  const elsewhere = targetOf(event).closest?.("button");
  // Elsewhere arrows scroll the page.
  const inPicture = targetOf(event).closest?.(".grid, .map, .tokens, .looks") || query !== null;
  if (flip && event.shiftKey) selection.move(...flip);
  else if (flip && inPicture) selection.flip(...flip);
  else if ((event.key === "Enter" || event.key === " ") && !elsewhere && query !== null)
    selection.press(query, key);
  else return;
  event.preventDefault();
}
