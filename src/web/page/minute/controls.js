// What the reader presses, moves and types in the first minute.

import { byId, element } from "../../kit/text.js";
import { OFF } from "./frames.js";
import { CUT, FOOL, NOTE, STEPS, about } from "./captions.js";
import { ownFrame, readLine } from "./own_line.js";
import { textOf } from "../web/typing.js";

const CHOICES = 5;

/** @typedef {import("./minute.js").Minute} Minute */

/** @param {Minute} minute */
export function buildControls(minute) {
  const { app, data } = minute;
  buildSteps(minute);
  buildAnswers(minute);
  buildLamps(minute);
  buildSlider(minute);
  if (app.live) buildTyped(minute, app.live);
  byId("minute-untyped").hidden = app.live !== null;
  byId("minute-next").addEventListener("click", () => minute.next());
  byId("minute-pause").addEventListener("click", () => minute.pause());
  byId("minute-strip").addEventListener("keydown", (event) => minute.onKey(event));
  byId("minute-fool").hidden = !minute.fooled;
  byId("minute-fool").addEventListener("click", () => minute.go(minute.step === FOOL ? CUT : FOOL));
  byId("minute-about-text").append(
    ...about(data, app.run.vocabulary.length, helpers(app.run)).map((words) => element("p", {}, words)),
  );
}

// "L0H0, L0H2"
/** @param {Run} run */
function helpers(run) {
  const { certificate } = run;
  const code = (/** @type {number} */ head) => run.headCode(head);
  return (certificate.helpers ?? []).map(code).join(", ");
}

/** @param {Minute} minute */
function buildSteps(minute) {
  const steps = byId("minute-steps");
  STEPS.forEach((name, step) => {
    const button = element("button", { type: "button" }, name);
    button.hidden = step === FOOL && !minute.fooled;
    button.addEventListener("click", () => minute.go(step));
    steps.append(button);
  });
  steps.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    minute.go(minute.neighbour(by));
    /** @type {HTMLElement} */ (steps.children[minute.step]).focus();
  });
}

/**
 * The answer, and letters that stand near it.
 *
 * @param {Minute} minute
 */
function buildAnswers(minute) {
  const { tokens, ask } = minute.line;
  const near = tokens.slice(0, ask + 1).reverse();
  const answers = [...new Set([tokens[ask + 1], ...near])].slice(0, CHOICES);
  for (const token of answers.sort((one, other) => one - other)) {
    const button = element("button", { type: "button" }, minute.text(token));
    button.addEventListener("click", () => {
      minute.guessed = token;
      byId("minute-next").focus({ preventScroll: true });
      minute.go(NOTE);
    });
    byId("minute-answers").append(button);
  }
}

/** @param {Minute} minute */
function buildLamps(minute) {
  const { note_writers, finders, control } = minute.data;
  for (const [name, bit, heads] of /** @type {[string, number, number[]][]} */ ([
    ["note-writer", OFF.noteWriter, note_writers],
    ["finder", OFF.finder, finders],
    ["control", OFF.control, control],
  ])) {
    const lamp = byId("minute-" + name);
    lamp.hidden = heads.length === 0;
    lamp.querySelector(".codes").textContent = heads.map((head) => minute.app.run.headCode(head)).join(", ");
    lamp.title = "attention head: " + heads.map((head) => minute.app.run.headName(head)).join("; ");
    lamp.addEventListener("click", () => minute.flip(bit));
  }
  byId("minute-wire").addEventListener("click", () => minute.flip(OFF.wire));
}

/** @param {Minute} minute */
function buildSlider(minute) {
  const slider = byId("minute-slider");
  const { steps } = minute.data;
  slider.max = String(steps.at(-1));
  slider.addEventListener("input", () => minute.train(minute.axis.nearest(Number(slider.value))));
  slider.addEventListener("keydown", (event) => {
    const by = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    minute.train(Math.min(Math.max(minute.snapshot + by, 0), steps.length - 1));
  });
}

/**
 * @param {Minute} minute
 * @param {LiveModel} live
 */
function buildTyped(minute, live) {
  const input = byId("minute-text");
  const refused = byId("minute-refused");
  byId("minute-typed").hidden = false;
  const { tokens } = minute.data;
  input.placeholder = textOf([...tokens.slice(0, 4), ...tokens.slice(0, 4)], live.run.vocabulary);
  input.addEventListener("input", async () => {
    const typed = input.value;
    try {
      await live.open();
      const line = readLine(typed, live.run.vocabulary, live.engine.model.n_ctx);
      const frame = await ownFrame(live, line, minute.data);
      if (input.value !== typed) return; // a later letter asks anew
      refused.textContent = "";
      minute.showOwn(line, frame);
    } catch (error) {
      refused.textContent = /** @type {Error} */ (error).message;
    }
  });
}
