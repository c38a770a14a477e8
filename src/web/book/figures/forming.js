// Lesson 12: train the model here, and go back and forth through the training.

import { drawPattern } from "../../kit/pattern.js";
import { element } from "../../kit/text.js";
import { frame, button } from "./live.js";
import { model, patternBox, scale, STEPS } from "./model.js";

/**
 * The last token whose follower is known, and where that stands.
 *
 * @param {number[]} tokens
 */
function lastRow(tokens) {
  for (let query = tokens.length - 1; query > 0; --query) {
    const before = tokens.lastIndexOf(tokens[query], query - 1);
    if (before >= 0) return { query, follower: before + 1 };
  }
  return { query: tokens.length - 1, follower: -1 };
}

/**
 * @param {Pattern} pattern
 * @param {number} query
 * @param {number} key -1 where there is none
 */
const weightAt = (pattern, query, key) => (key < 0 ? 0 : pattern.weight(query, key));

/** @param {HTMLElement} root */
export function forming(root) {
  if (!model.there) return;
  /** @type {ReturnType<typeof patternBox>[]} */
  const boxes = [];
  const pictures = element("div", { class: "side patterns" });
  const row = element("p", { class: "row" });
  const range = element("input", {
    type: "range",
    min: 0,
    max: 0,
    value: 0,
    "aria-label": "step of training",
  });
  const go = button("Train it here", () => (model.running ? model.stop() : model.train()));
  const say = frame(
    root,
    `Train a model like this lesson's for ${STEPS} steps, in some seconds. Then go back by the slider.`,
    element(
      "div",
      { class: "choice" },
      go,
      element("label", { class: "slider" }, element("span", {}, "step"), range),
    ),
    pictures,
    row,
  );
  const show = () => {
    go.textContent = model.running
      ? "Pause"
      : model.kept.at(-1)?.step === STEPS
        ? "Trained"
        : model.kept.length > 1
          ? "Go on"
          : "Train it here";
    go.disabled = !model.running && model.kept.at(-1)?.step === STEPS;
    if (model.failed) return say("The engine does not run here: " + model.failed);
    if (model.kept.length === 0) return say("Before the training there is nothing to see.");
    const { step, loss, accuracy, patterns } = model.kept[Number(range.value)];
    while (boxes.length < model.heads) {
      boxes.push(patternBox(model.code(boxes.length)));
      pictures.append(boxes.at(-1).node);
    }
    boxes.forEach(({ canvas }, head) => drawPattern(canvas, patterns.pattern(head), scale()));
    const { tokens } = model.sequence;
    const { query, follower } = lastRow(tokens);
    const last = [model.heads - 2, model.heads - 1];
    const [one, other] = last.map((head) => weightAt(patterns.pattern(head), query, follower));
    const best = last[other > one ? 1 : 0];
    const pattern = patterns.pattern(best);
    const texts = tokens.map((id) => model.made.vocabulary[id]);
    row.replaceChildren(
      ...texts.slice(0, query + 1).map((text, key) => {
        const cell = element(
          "span",
          { class: key === follower ? "follower" : key === query ? "query" : "" },
          text,
        );
        cell.style.setProperty("--weight", String(weightAt(pattern, query, key)));
        return cell;
      }),
    );
    say(
      `Step ${step}: ` +
        (loss === null ? "" : `loss ${loss.toFixed(2)}, `) +
        `accuracy ${accuracy.toFixed(2)} on tokens that can be known. From the last ‘${texts[query]}’, ` +
        `${model.code(best)} gives the follower ‘${texts[follower]}’ the weight ` +
        weightAt(pattern, query, follower).toFixed(2) +
        ".",
    );
  };
  range.addEventListener("input", show);
  model.watching.push(() => {
    range.max = String(Math.max(0, model.kept.length - 1));
    if (model.running || model.kept.at(-1)?.step === STEPS) range.value = range.max;
    show();
  });
  show();
}
