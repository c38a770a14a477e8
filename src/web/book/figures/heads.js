// Lesson 13: heads of the model that was trained in the page, switched off.

import { drawPattern } from "../../kit/pattern.js";
import { element } from "../../kit/text.js";
import { frame, button, choice } from "./live.js";
import { model, patternBox, scale, STEPS } from "./model.js";

const FRESH = 64; // sequences

/** @param {HTMLElement} root */
export function heads(root) {
  if (!model.there) return;
  /** @type {Set<number>} */
  const off = new Set();
  let way = "mean";
  /** @type {(ReturnType<typeof patternBox> & { press: HTMLButtonElement })[]} */
  let boxes = [];
  const pictures = element("div", { class: "side patterns" });
  const train = button("Train the model first", () => model.train());
  const ways = choice(
    "in place of a head's output",
    [
      ["mean", "its mean"],
      ["zero", "zero"],
      ["resample", "another sequence's"],
    ],
    (key) => {
      way = key;
      show();
    },
  );
  const say = frame(
    root,
    "Press a head to switch it off, and on again. What takes the place of its output?",
    train,
    ways.node,
    pictures,
  );
  async function show() {
    const done = model.kept.at(-1)?.step === STEPS;
    train.hidden = done;
    if (model.failed) return say("The engine does not run here: " + model.failed);
    if (!done)
      return say(
        model.running
          ? `The model is at step ${model.kept.at(-1)?.step ?? 0} of ${STEPS}.`
          : "The model of lesson 12 must be trained in this page first. It takes seconds.",
      );
    if (boxes.length === 0)
      boxes = Array.from({ length: model.heads }, (_, head) => {
        const box = patternBox("");
        const press = button(model.code(head), () => {
          off.has(head) ? off.delete(head) : off.add(head);
          show();
        });
        box.heading.append(press);
        pictures.append(box.node);
        return { ...box, press };
      });
    const heads = [...off].sort();
    const codes = heads.map((head) => model.code(head));
    const changes = { off: heads, way };
    const patterns = await model.look(changes);
    boxes.forEach(({ canvas, press, node }, head) => {
      drawPattern(canvas, patterns.pattern(head), scale());
      press.setAttribute("aria-pressed", String(!off.has(head)));
      node.classList.toggle("off", off.has(head));
    });
    const whole = await model.engine.evaluate(FRESH);
    const now = off.size === 0 ? whole : await model.engine.evaluate(FRESH, changes);
    /** @param {Evaluation} e */
    const numbers = (e) => `accuracy ${e.accuracy.toFixed(2)}, loss ${e.loss.toFixed(2)}`;
    say(
      (off.size === 0
        ? `With all heads: ${numbers(whole)}`
        : `Without ${codes.join(", ")}: ${numbers(now)}. With all heads: ${numbers(whole)}`) +
        `, on ${FRESH} fresh sequences.`,
    );
  }
  model.watching.push(show);
  show();
}
