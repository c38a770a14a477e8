// The tokens of the lab's sequence, and below each the model's guess of the next.

import { byId, element, fixed, visible } from "../kit/text.js";

/**
 * Marks a token in the text, so that what is typed takes its place.
 *
 * @param {Play} play
 * @param {number} position
 */
function selectToken({ model, tokens, letters }, position) {
  const { vocabulary } = model;
  const texts = tokens.map((id) => vocabulary[id]);
  const between = letters ? "" : " ";
  const start = texts.slice(0, position).join(between).length + (position > 0 ? between.length : 0);
  const box = byId("lab-text");
  box.focus({ preventScroll: true });
  box.setSelectionRange(start, start + texts[position].length);
}

// Each token, and below it the guess of the next: right or wrong where the sequence goes on.
/** @param {Play} play */
export function drawGuesses(play) {
  const { vocabulary } = play.model;
  const cells = play.tokens.map((token, position) => {
    const { token: guess, probability } = play.now.guesses[position];
    const next = play.tokens[position + 1];
    const kind = next === undefined ? "" : guess === next ? "right" : "wrong";
    const text = visible(vocabulary[guess]);
    const title = `position ${position}: ‘${text}’ with a probability of ${fixed(probability)}`;
    const below = element("i", { class: kind }, text);
    below.style.opacity = fixed(0.35 + 0.65 * probability);
    const cell = element(
      "span",
      { class: "lab-token", title },
      element("b", {}, visible(vocabulary[token])),
      below,
    );
    cell.addEventListener("click", () => selectToken(play, position));
    return cell;
  });
  byId("lab-tokens").replaceChildren(...cells);
}

/**
 * Why the model is unsure of a repetition that comes early.
 *
 * @param {LabConfig} config
 */
export function ofShortPeriods({ task }) {
  if (task.name !== "repeat") return "";
  const shortest = Number(task.min_segment) || Math.floor(Number(task.n_ctx) / 4);
  return (
    ` In training no segment was shorter than ${shortest} tokens, so nothing had repeated in the first ` +
    `${shortest}. A ` +
    "repetition that comes earlier gets a low probability, even where the guess is right."
  );
}
