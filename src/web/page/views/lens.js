// What the model would predict if it ended after a layer, in the part "Predictions".

import { knownMark } from "../../kit/known.js";
import { byId, element, fixed, tableRow } from "../../kit/text.js";

/**
 * Numbers from 0 to 1 as a strip one pixel high.
 *
 * @param {HTMLCanvasElement} canvas
 * @param {(number | null)[]} values null: none
 * @param {ReturnType<App["look"]["scale"]>} scale
 */
export function drawStrip(canvas, values, scale) {
  const context = canvas.getContext("2d");
  canvas.width = values.length;
  const image = context.createImageData(values.length, 1);
  new Uint32Array(image.data.buffer).set(
    values.map((value) => (value === null ? scale.unseenPixel : scale.pixels[scale.level(value)])),
  );
  context.putImageData(image, 0, 0);
}

/**
 * After what each row of a lens is.
 *
 * @param {Pick<View, "lens">} sequence
 */
export function lensNames({ lens = [] }) {
  return lens.map((_, i) => (i === 0 ? "embedding" : "layer " + (i - 1)));
}

/**
 * At each position the probability of the guess where it is the target.
 *
 * @param {Guess[]} guesses
 * @param {number[]} targets
 */
export function rightAlong(guesses, targets) {
  return guesses.map(([token, probability], position) => (token === targets[position] ? probability : null));
}

/**
 * The table of the sequence at a position. Without numbers after each layer there is none.
 *
 * @param {App} app
 * @param {View} sequence
 * @param {number} position
 */
export function drawLens({ run, look }, sequence, position) {
  const { lens, guesses, targets } = sequence;
  byId("predictions-lens").hidden = !lens;
  if (!lens || guesses.length === 0) return;
  const scale = look.scale();
  const last = guesses.map(([likeliest]) => likeliest);
  const all = [...lens, last];
  const names = lensNames({ lens: all });
  const rows = all.map((after, i) => {
    const [token, probability] = after[position];
    const canvas = element("canvas", { height: 1, "aria-hidden": "true" });
    drawStrip(canvas, rightAlong(after, targets), scale);
    const word = run.tokenText(token) + (token === targets[position] ? " ✓" : "");
    return tableRow(names[i], canvas, word, fixed(probability, 3));
  });
  byId("predictions-lens-rows").replaceChildren(...rows);
  byId("predictions-lens-known").replaceChildren(knownMark(run.evidence.lens));
}
