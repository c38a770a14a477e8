// What stands around the line: the sentence, the lamps, the guess and the count, the buttons.

import { byId, element, elements, fixed, percent } from "../../kit/text.js";
import { claimNumbers, knownMark } from "../../kit/known.js";
import { OFF } from "./frames.js";
import {
  COPY,
  CUT,
  FOOL,
  GUESS,
  LOOK,
  NOTE,
  TRAIN,
  caption,
  captionKind,
  described,
  detail,
} from "./captions.js";
import { REST } from "./scene.js";

export class Panel {
  /** @param {import("./minute.js").Minute} minute */
  constructor(minute) {
    this.minute = minute;
    this.said = "";
  }

  /** @param {Scene} scene */
  show(scene) {
    this.say();
    this.showLamps();
    this.showVerdict(scene);
    this.showControls();
  }

  say() {
    const s = this.minute.situation;
    const words = caption(this.minute.step, s);
    let more = detail(this.minute.step, s, this.minute.data, (head) => this.minute.app.run.headCode(head));
    if (this.minute.step === COPY && this.minute.guessed !== null) {
      const same = this.minute.guessed === this.minute.line.tokens[this.minute.line.ask + 1];
      more += ` You said ${this.minute.text(this.minute.guessed)}${same ? " too" : ""}.`;
    }
    const { evidence, certificate } = this.minute.app.run;
    const kind = captionKind(this.minute.step, s);
    if (this.said !== kind + words) {
      this.said = kind + words;
      const claim = certificate?.claims.find(({ key }) => key === kind);
      byId("minute-caption").replaceChildren(
        ...words.split(/(\*[^*]+\*)/).map((piece) => (piece.startsWith("*") ? this.marked(piece) : piece)),
        ...(kind ? [" ", knownMark(evidence[kind], claimNumbers(claim))] : []),
      );
    }
    if (byId("minute-detail").textContent !== more) byId("minute-detail").textContent = more;
  }

  // A word that lights its marks.
  /** @param {string} piece */
  marked(piece) {
    const [mark, word] = piece.slice(1, -1).split(":");
    const node = element("button", { type: "button", class: "word of-" + mark }, word);
    const light = (/** @type {boolean} */ on) => byId("minute").classList.toggle("lit-" + mark, on);
    for (const on of ["pointerenter", "focus"]) node.addEventListener(on, () => light(true));
    for (const off of ["pointerleave", "blur"]) node.addEventListener(off, () => light(false));
    return node;
  }

  showLamps() {
    const { step, state } = this.minute;
    const s = this.minute.situation;
    /** @type {[string, number, number, number][]} */
    const lamps = [
      ["note-writer", OFF.noteWriter, NOTE, s.line.notes(s.frame)],
      ["finder", OFF.finder, LOOK, s.line.looks(s.frame, 0)],
      ["control", OFF.control, CUT, 1],
    ];
    for (const [name, bit, from, strength] of lamps) {
      const lamp = byId("minute-" + name);
      const on = (state & bit) === 0 || state === OFF.wire;
      lamp.setAttribute("aria-checked", String(on));
      lamp.classList.toggle("asleep", step < from);
      lamp.style.setProperty("--strength", String(step === TRAIN ? strength : 1));
      const shown =
        step === TRAIN && on && bit !== OFF.control ? `on, strength ${fixed(strength)}` : on ? "on" : "off";
      lamp.querySelector(".on").textContent = step < CUT ? "" : shown;
      lamp.classList.toggle("calls", name === "note-writer" && step === CUT && !this.minute.touched);
    }
    const cut = state === OFF.wire || (state & OFF.noteWriter) > 0;
    const wire = byId("minute-wire");
    wire.classList.toggle("cut", cut);
    wire.classList.toggle("asleep", step < LOOK);
    wire.disabled = step < CUT || this.minute.own !== null;
    wire.setAttribute("aria-label", state === OFF.wire ? "Join the wire of notes" : "Cut the wire of notes");
  }

  /** @param {Scene} scene */
  showVerdict({ guessed, right }) {
    const { line } = this.minute.situation;
    const box = byId("minute-guess");
    box.classList.toggle("asleep", guessed === null);
    box.className =
      box.className.replace(/ ?\b(right|wrong)\b/g, "") +
      (guessed ? (guessed.right ? " right" : " wrong") : "");
    box.querySelector(".token").textContent = guessed ? this.minute.text(guessed.token) : "?";
    box.querySelector("i").style.transform = `scaleX(${guessed?.probability ?? 0})`;
    box.querySelector(".sure").textContent = guessed
      ? `after ${this.minute.text(line.tokens[guessed.after])}: ${percent(guessed.probability, 0)} sure`
      : "";
    const fooling = this.minute.step === FOOL && this.minute.running; // no guess stands there yet
    byId("minute-count").replaceChildren(element("b", {}, String(right)), ` of ${line.asked.length} right`);
    byId("minute-count").classList.toggle("asleep", this.minute.step < COPY || fooling);
  }

  showControls() {
    const { step } = this.minute;
    byId("minute").dataset.step = String(step);
    byId("minute-answers").classList.toggle("gone", step !== GUESS);
    byId("minute-figure").classList.toggle("asleep", step < LOOK);
    byId("minute-train").classList.toggle("asleep", step !== TRAIN);
    byId("minute-fool").textContent = step === FOOL ? "Back to the first line" : "Now fool it";
    byId("minute-fool").classList.toggle("asleep", step < CUT);
    const next = byId("minute-next");
    next.firstElementChild.textContent =
      step === GUESS ? "Show me" : step === TRAIN ? "From the start" : "Next";
    const resting = !this.minute.running && REST[step] > 0 ? this.minute.rest / REST[step] : 0;
    next.querySelector("i").style.transform = `scaleX(${resting})`;
    const pause = byId("minute-pause");
    pause.hidden = step === GUESS || step >= CUT || this.minute.still.matches;
    pause.textContent = this.minute.paused ? "Go on" : "Pause";
    const at = this.minute.data.steps[this.minute.snapshot];
    byId("minute-step").textContent =
      `step ${at} of ${this.minute.data.steps.at(-1)}, on ${this.minute.own ? "the first" : "this"} line`;
    const slider = byId("minute-slider");
    if (Number(slider.value) !== at) slider.value = String(at);
    slider.setAttribute("aria-valuetext", "step " + at);
    elements("#minute-steps button").forEach((button, i) =>
      i === step ? button.setAttribute("aria-current", "step") : button.removeAttribute("aria-current"),
    );
    if (!this.minute.running && this.minute.share === 1)
      byId("minute-strip").setAttribute("aria-label", described(step, this.minute.situation));
  }
}
