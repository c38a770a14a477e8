// What the page says when it is damaged. The sentence stands in page.html, for a file that ends before this
// script. From here on it is no part of the page, unless something fails.

import { byId } from "./text.js";

const sentence = byId("damaged");
const untouched = sentence.cloneNode(true);
const place = sentence.parentElement.localName;
sentence.remove();
sentence.classList.remove("late");

/**
 * The first error says what is wrong; later ones may follow from it.
 *
 * @param {Error} error
 */
function report(error) {
  console.error(error);
  if (sentence.isConnected) return;
  sentence.append(" What failed: " + error.message + ".");
  document.querySelector("main").prepend(sentence);
}

/**
 * Does what a damaged run may keep from being done; whether it was done.
 *
 * @param {() => void} action
 */
export function guarded(action) {
  try {
    action();
    return true;
  } catch (error) {
    report(/** @type {Error} */ (error));
    return false;
  }
}

/**
 * The document as its file has it, before the scripts draw into it.
 *
 * @param {Document} document
 */
export function asInFile(document) {
  const copy = /** @type {HTMLElement} */ (document.documentElement.cloneNode(true));
  copy.querySelector(place).prepend(untouched.cloneNode(true));
  return copy;
}
